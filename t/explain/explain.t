# SPDX-License-Identifier: Apache-2.0
#
# explain.t - banklab explain: the right lines with the right numbers, whatever goes wrong.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Banklab;

sub told {
    my ($status, $out, $err) = banklab('explain', @_, '--format', 'json');
    return ($status, eval { decode_json($out) } // {}, $err);
}

my $source = "$ENV{top_srcdir}/plugins/transpose_tile/transpose_tile.cu";
my @source = split /\n/, slurp($source);

# The number of the one line of a file that matches.
sub line_of {
    my ($pattern, @lines) = @_;
    my @found = grep { $lines[$_ - 1] =~ $pattern } 1 .. @lines;
    is(scalar @found, 1, "one line is $pattern");
    return $found[0];
}

my $profile = profile('tile.ini', <<'END');
[run]
baseline = padded

[problem]
rows = 96
cols = 160

[case conflicted]
plugin = transpose_tile
pad = 0
expect.shared_load_ways = 1

[case padded]
plugin = transpose_tile
pad = 1

[case naive]
plugin = transpose_naive
END

# ---- a case with conflicts ---------------------------------------------------------

{
    my ($status, $doc, $err) = told($profile, '--case', 'conflicted');
    is($status, 0, 'explained, and expectations are not looked at');
    is($err, '', 'nothing on standard error');
    is($doc->{schema}, 'banklab.explain/1', 'the schema');
    is($doc->{profile}, $profile, 'the profile');
    is(scalar @{$doc->{cases}}, 1, 'the baseline is not explained with it');
    my $case = $doc->{cases}[0];
    is_deeply([@$case{qw(case plugin verdict arch launches)}],
        ['conflicted', 'transpose_tile', 'pass', 'cc90', 1], 'the case');

    my $place = $case->{shared}{places}[0];
    is_deeply([@$place{qw(op width ways)}], ['load', 4, 32], 'first comes the load of 32 ways');
    my $line = line_of(qr/\*to = column\[/, @source);
    is($place->{source}{line}, $line, 'on its line of the source');
    like($place->{source}{file}, qr/\btranspose_tile\.cu$/, 'in its file');
    like($source[$line - 1], qr/^\s*\Q$place->{source}{text}\E\s*$/, 'with its text');
    my $called = line_of(qr/move<T, TILE, true>/, @source);
    SKIP: {
        skip "lines of another compiler's device code", 1 if !nvcc_code();
        is($place->{source}{called_at}[0]{line}, $called, 'and where it was inlined');
    }

    # A tarball carries it.
    my ($made) = grep { -e } map { "$_/plugins/transpose_tile/transpose_tile.ptx" }
        @ENV{qw(top_builddir top_srcdir)};
    my @ptx = split /\n/, slurp($made);
    for my $at (map { @{$_->{instructions}} } @{$case->{shared}{places}}, @{$case->{global}{places}}) {
        my $text = $ptx[$at->{ptx}{line} - 1] =~ s/\s+/ /gr =~ s/^ //r;
        is($at->{ptx}{text}, $text, "PTX line $at->{ptx}{line} is as said");
    }
    is($_->{ptx}{text} =~ /^(?:@\S+ )?ld\.shared/, 1, 'the PTX is a load of shared memory')
        for @{$place->{instructions}};

    # Where there are several instructions of a place, they add up to it; places add up to
    # the case; and that is what `run` reports.
    my (undef, $out) = banklab('run', $profile, '-c', 'conflicted', '-d', 'model', '-f', 'json');
    my ($run) = grep { $_->{case} eq 'conflicted' } @{decode_json($out)->{cases}};
    my ($load, $store) = @{$run->{shared}}{qw(load store)};
    for my $field (qw(wavefronts ideal conflicts)) {
        my $sum = 0;
        for my $at (@{$case->{shared}{places}}) {
            my $inside = 0;
            $inside += $_->{$field} for @{$at->{instructions}};
            is($at->{$field}, $inside, "$field of a place's instructions");
            $sum += $inside;
        }
        is($sum, $load->{$field} + $store->{$field}, "$field are those of run");
        is($case->{shared}{$field}, $sum, "and stand above the list");
    }
    is($case->{shared}{cycles}, $run->{shared}{cycles}, 'cycles too');
    is($case->{global}{sectors}, $run->{global}{load}{sectors} + $run->{global}{store}{sectors},
        'sectors too');
    my $share = 0;
    $share += $_->{share} for @{$case->{shared}{places}};
    cmp_ok(abs($share - 1), '<', 1e-9, 'shares add up to all');
    SKIP: {
        skip "lines of another compiler's device code", 1 if !nvcc_code();
        cmp_ok($place->{share}, '>', 0.9, 'most of it is the first');
    }

    # The real warp: its first lane's bank is all lanes' bank.
    my $worst = $place->{instructions}[$case->{shared}{worst}{instruction}]{worst};
    is($case->{shared}{worst}{place}, 0, 'the worst one is there');
    is_deeply([$worst->{block}, $worst->{warp}, $worst->{mask}], [[0, 0, 0], 0, '0xffffffff'],
        'the first warp of the first block');
    my %bank = map { $_ / 4 % 32 => 1 } @{$worst->{addresses}};
    is(scalar @{$worst->{addresses}}, 32, '32 addresses');
    is(scalar keys %bank, 1, 'in one bank');
    my $first = $place->{instructions}[0];
    is($first->{patterns}, 1, 'every warp has this pattern');
    is($worst->{warps_alike}, $first->{warps}, 'and all are counted');
}

{
    my ($status, $out, $err) = banklab('explain', $profile, '--case=conflicted');
    is($status, 0, 'as text');
    is($err, '', 'nothing on standard error');
    my $line = line_of(qr/\*to = column\[/, @source);
    like($out, qr/^conflicted: transpose_tile tile=32 pad=0, 96 x 160 elements of 4 bytes, by the rules of cc90: pass$/m,
        'the case');
    like($out, qr/^1 +\d\d\.\d% +[\d,]+ +[\d,]+ +32 +[\d,]+ +[\d,]+  load of 4 bytes\n +transpose_tile\.cu:$line +\*to = column/m,
        'the first row with its line');
    SKIP: {
        skip "lines of another compiler's device code", 1 if !nvcc_code();
        like($out, qr/^ +called at transpose_tile\.cu:\d+ +move</m, 'where it was inlined');
    }
    like($out, qr/^ +transpose_tile\.ptx:\d+ +ld\.shared\.u32 %\w+, \[/m, 'the PTX');
    like($out, qr/^1 of shared memory: lanes on banks, by warp 0 of block \(0, 0, 0\)$/m, 'the picture');
    like($out, qr/^Every warp does it in this pattern: 120 warps, 120 times\.$/m, 'who else');
    like($out, qr/^ *32 +31 +\./m, '32 rows of lanes below each other');
    unlike($out, qr/\033/, 'no colour but on a terminal');
    unlike($out, qr/[ \t]$/m, 'no line ends in spaces');
    unlike($out, qr/\?/, 'nothing is replaced');
}

# ---- cases without conflicts, or without shared memory -----------------------------

{
    my ($status, $doc) = told($profile, '--case', '*a*e*');
    is($status, 0, 'a pattern of names');
    is_deeply([map { $_->{case} } @{$doc->{cases}}], ['padded', 'naive'], 'takes several cases, in order');
    my ($padded, $naive) = @{$doc->{cases}};
    is($_->{ways}, 1, 'padded has no conflict') for @{$padded->{shared}{places}};
    is($naive->{shared}{place_count}, 0, 'naive has no shared memory');
    is_deeply($naive->{shared}{places}, [], 'and no list of it');
    my $place = $naive->{global}{places}[0];
    is($place->{op}, 'store', 'its worst is a store');
    is($place->{sectors}, 8 * $place->{ideal}, 'of 8 times the sectors');

    my (undef, $out) = banklab('explain', $profile, '--case', 'naive');
    like($out, qr/^Shared memory is not used\.$/m, 'said in words');
    like($out, qr/^1 of global memory: lanes on sectors, from the lowest on, by warp 0/m, 'sectors are shown');
    like($out, qr/^ +0  ####\.{28}  0$/m, 'from the first lane on');
    (undef, $out) = banklab('explain', $profile, '--case', 'padded');
    like($out, qr/^ +1 .* 31$/m, 'a row without conflicts');
    unlike($out, qr/of global memory: lanes/, 'no picture of sectors where none is too many');
}

# ---- options -----------------------------------------------------------------------

{
    my (undef, $all) = told($profile, '--case', 'conflicted', '--set', 'threads=1');
    my (undef, $four) = told($profile, '--case', 'conflicted', '--set', 'threads=4');
    is_deeply($four, $all, 'the number of workers changes nothing');

    my (undef, $top) = told($profile, '--case', 'conflicted', '--top', '1');
    is(scalar @{$top->{cases}[0]{shared}{places}}, 1, '--top 1');
    is($top->{cases}[0]{shared}{place_count}, scalar @{$all->{cases}[0]{shared}{places}},
        'the rest is counted');
    my (undef, $out) = banklab('explain', $profile, '-c', 'conflicted', '-t', '1');
    SKIP: {
        skip "lines of another compiler's device code", 1 if !nvcc_code();
        like($out, qr/^1 more, with \d\.\d%; --top 0 lists all$/m, 'and told');
    }

    my ($status, $doc) = told($profile, '-c', 'conflicted', '--set', 'pad=1', '--set', 'device=cuda:7');
    is($status, 0, '--set; the device is the model all the same');
    is($doc->{cases}[0]{shared}{conflicts}, 0, 'pad=1 has no conflicts');
    is($doc->{device}{backend}, 'model', 'on the model');

    my $one = profile('one.ini', "[problem]\nrows = 32\ncols = 32\n[case only]\nplugin = copy\n");
    ($status, $doc) = told($one);
    is($status, 0, 'one case needs no --case');
    is($doc->{cases}[0]{case}, 'only', 'it is that');
    ($status, $doc) = told($profile, '-c', 'conflicted', '--arch', 'cc80');
    is($doc->{cases}[0]{arch}, 'cc80', '--arch');
}

# Where an older GPU's rules leave open what an access takes, the least is told too.
{
    my @select = ('conditional', '--case', 'select', '--arch', 'cc10');
    my (undef, $out) = banklab('explain', @select);
    like($out, qr/^\d +[\d.]+% +([\d,]+)-([\d,]+) +\1 +1-2 .* load of 4 bytes$/m, 'the least and the most');
    my (undef, $doc) = told(@select);
    my ($open) = grep { $_->{ways} == 2 } @{$doc->{cases}[0]{shared}{places}};
    is($open->{ways_least}, 1, 'one or two ways');
    SKIP: {
        skip "lines of another compiler's device code", 1 if !nvcc_code();
        is($open->{wavefronts}, 2 * $open->{wavefronts_least}, 'and twice the wavefronts');
    }
    (undef, $doc) = told(@select[0 .. 2]);
    ok(!exists $doc->{cases}[0]{shared}{wavefronts_least}, 'cc90 leaves nothing open');
}

# ---- what goes wrong ---------------------------------------------------------------

for my $case (
    [[$profile], qr/there are 3 cases: --case says which .* conflicted, padded, naive$/m],
    [[$profile, '-c', 'conflictd'], qr/no case matches "conflictd"; did you mean "conflicted"\?/],
    [['trnspose'], qr/did you mean "transpose"\?/],
    [[], qr/needs a PROFILE/],
    [[$profile, 'x'], qr/"x" is one too many/],
    [[$profile, '-t', 'many'], qr/--top takes a number, not "many"/],
    [[$profile, '-f', 'csv'], qr/unknown format "csv"; it can be text or json/],
    [[$profile, '-c', 'naive', '-a', 'cc91'], qr/^banklab: --arch=cc91: .*cc90/],
    [[$profile, '-c', 'naive', '-s', 'pad'], qr/KEY=VALUE.*"pad"/],
    [[$profile, '-c', 'naive', '-s', 'padd=1'], qr/padd/],
) {
    my ($words, $reason) = @$case;
    my ($status, $out, $err) = banklab('explain', @$words);
    is($status, 2, "(@$words) exits with 2");
    is($out, '', 'and prints nothing');
    like($err, $reason, 'but why');
}

{
    my ($status, undef, $err) = shell("\$BANKLAB explain '$profile' -c naive >/dev/full");
    is($status, 2, 'a full disk');
    like($err, qr/cannot write to standard output/, 'is told');
}

my $bad = "$ENV{top_builddir}/t/claims/bad";
my $odd = "$ENV{top_builddir}/t/explain/odd.so";
my $wrong = profile('wrong.ini', <<"END");
[problem]
rows = 64
cols = 96
[case faults]
plugin = $bad/vector_indices.so
indices = misaligned
[case wrong]
plugin = $bad/rotate_reader.so
[case narrow]
plugin = $odd
elem = 2
[case atomic]
plugin = $odd
what = atomic
[case async]
plugin = $odd
what = async
[case twice]
plugin = $odd
what = twice
[case nothing]
plugin = $odd
what = nothing
[case scattered]
plugin = $odd
what = scattered
rows = 300
cols = 64
[case large]
plugin = copy
rows = 99999999
cols = 99999999
END

{
    my ($status, $out, $err) = banklab('explain', $wrong, '-c', 'faults');
    is($status, 1, 'a kernel that faults: 1');
    like($out, qr/^faults: .*: fail\n.*misaligned.*vector_indices\.cu:\d+/m, 'the fault and its line');
    unlike($out, qr/memory:/, 'and nothing else');
    is($err, '', 'it is no error of the program');
    my (undef, $doc) = told($wrong, '-c', 'faults');
    ok(!exists $doc->{cases}[0]{shared}, 'no numbers in the JSON');
    like($doc->{cases}[0]{detail}, qr/misaligned/, 'but the reason');

    ($status, $doc) = told($wrong, '-c', 'wrong');
    is($status, 1, 'a wrong result: 1');
    is($doc->{cases}[0]{verdict}, 'fail', 'is told');
    cmp_ok($doc->{cases}[0]{shared}{place_count}, '>', 0, 'with what the kernel did');

    ($status, $out) = banklab('explain', $wrong, '-c', 'narrow');
    is($status, 0, 'what a plugin can not do is skipped');
    like($out, qr/^narrow: .*: skip\n.*elements of 2 bytes/m, 'with the reason');

    ($status, $out, $err) = banklab('explain', $wrong, '-c', 'large');
    is($status, 2, 'what can not be run: 2');
    like($err, qr/^banklab: \Q$wrong\E:\d+: case large: .*memory/m, 'with the reason');

    ($status, $doc) = told($wrong, '-c', '*');
    is($status, 2, 'the worst of several counts');
    is(scalar @{$doc->{cases}}, 9, 'and all are explained');
}

# ---- odd instructions --------------------------------------------------------------

{
    my (undef, $doc) = told($wrong, '-c', 'atomic');
    my $case = $doc->{cases}[0];
    is($case->{verdict}, 'pass', 'atomics');
    my ($atomic, $store) = @{$case->{shared}{places}};
    is_deeply([@$atomic{qw(op ways)}], ['atomic', 32], '32 lanes at one word wait for each other');
    is($store->{op}, 'store', 'to which all could store at once');
    is_deeply($atomic->{source}, {file => 'nowhere/odd.cu', line => 8}, 'a source that is not there has no text');
    is($case->{uncounted_atomics}, 192, 'those of global memory are not counted');
    my (undef, $out) = banklab('explain', $wrong, '-c', 'atomic');
    like($out, qr/^ +odd\.cu:8\n/m, 'file and line without text');
    like($out, qr/^192 executions of atomics are not counted/m, 'and told in words');
    like($out, qr/^No picture: of an atomic/m, 'no picture that would mislead');

    (undef, $doc) = told($wrong, '-c', 'async');
    $case = $doc->{cases}[0];
    is_deeply([sort map { $_->{op} } @{$case->{shared}{places}}], ['asynchronous copy', 'load'],
        'an asynchronous copy in shared memory');
    is_deeply([sort map { $_->{op} } @{$case->{global}{places}}], ['asynchronous copy', 'store'],
        'and in global memory');
    ok(!exists $case->{global}{places}[0]{source}, 'PTX without source lines');

    (undef, $doc) = told($wrong, '-c', 'twice');
    $case = $doc->{cases}[0];
    is($case->{launches}, 2, 'two launches');
    is($case->{global}{places}[0]{executions}, 2 * 192, 'are added up');
    (undef, $out) = banklab('explain', $wrong, '-c', 'scattered');
    like($out, qr/^Warps do it in more than 256 patterns/m, 'too many patterns are told');
    my (undef, $one) = told($wrong, '-c', 'scattered', '-s', 'threads=1');
    my (undef, $four) = told($wrong, '-c', 'scattered', '-s', 'threads=4');
    is_deeply($four, $one, 'and don\'t depend on workers');
    my $at = $one->{cases}[0]{shared}{places}[0]{instructions}[0];
    ok(!exists $at->{patterns} && !exists $at->{worst}{warps_alike}, 'and not counted');

    my $status;
    ($status, $out) = banklab('explain', $wrong, '-c', 'nothing');
    is($status, 1, 'a kernel that does nothing');
    like($out, qr/never written.*Shared memory is not used\..*Global memory is not used\./s, 'is explained');
}

# ---- every profile that comes along can be explained -------------------------------

for my $name (qw(transpose stride operand)) {
    my ($status, $out, $err) = banklab('explain', $name, '--case', '*', '--set', 'rows=64', '--set', 'cols=64');
    is($status, 0, "$name") or diag($err);
    cmp_ok(length $out, '>', 500, 'is explained');
}

done_testing();
