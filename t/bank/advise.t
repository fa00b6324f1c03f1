# SPDX-License-Identifier: Apache-2.0
#
# advise.t - banklab advise: known tiles, what it prints read again, cases of profiles, and
# what it refuses.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Banklab;

sub advise {
    my ($status, $out, $err) = banklab('advise', @_, '--format', 'json');
    is($err, '', "nothing on standard error: @_");
    return ($status, eval { decode_json($out) } // {});
}

sub kinds { my ($doc) = @_; return map { ($_->{kind} => $_) } @{$doc->{proposals}} }

my @transpose = ('--store', '(ty*P + tx)*4', '--load', '(tx*P + ty)*4');

# ---- known tiles -------------------------------------------------------------------------

my ($status, $doc) = advise('--pitch', 'P=32', '--block', '32x8', @transpose);
my %by = kinds($doc);
is($status, 0, '32 x 32 words: found');
is($doc->{schema}, 'banklab.advise/1', 'the schema');
is_deeply($doc->{tile}, {pitch => 32, elem => 4, rows => 32, bytes => 4096}, 'the tile');
is($doc->{accesses}[1]{now}{ways}, 32, '32 ways to load');
is($by{padding}{pitch}, 33, 'padding to 33');
is($by{padding}{more_bytes}, 128, 'costs 128 bytes');
is($by{padding}{blocks_per_sm}, 8, 'and leaves 8 blocks an SM');
is($by{padding}{limited_by}, 'threads', 'which threads limit');
is($by{padding}{accesses}[1]{address}, '(tx*33 + ty)*4', 'as it was written, with 33');
is($by{rotation}{place}, 'row * 32 + (col + row) % 32', 'the rotation');
is($by{rotation}{accesses}[0]{address}, '(ty * 32 + (tx + ty) % 32) * 4', 'for the store');
is($by{rotation}{accesses}[1]{address}, '(tx * 32 + (ty + tx) % 32) * 4', 'and for the load');
is($by{xor}{place}, 'row * 32 + (col ^ row)', 'the xor');
is($doc->{verdict}{choice}, 'padding', 'padding costs no block: it is chosen');

($status, $doc) = advise('--pitch=16', '--block=16x16', @transpose);
%by = kinds($doc);
is($status, 0, '16 x 16 words: found');
is($doc->{accesses}[1]{now}{ways}, 8, '8 ways on 32 banks');
ok(!$by{padding}{found}, 'no padding will do');
is($by{padding}{tried}, 33, 'of one turn through the banks');
is($by{padding}{pitch}, 18, 'the best');
is($by{padding}{accesses}[0]{ways}, 2, 'leaves two ways to store');
ok(!exists $by{padding}{accesses}[0]{address}, 'and is not told to be written');
ok($by{rotation}{found}, 'a rotation will, though 16 and 32 have common divisors');
is($by{rotation}{place}, 'row * 16 + (col + row) % 16', 'by one place a row');
is($by{xor}{place}, 'row * 16 + (col ^ row)', 'and an xor');
is($doc->{verdict}{choice}, 'xor', 'which is chosen');
like((map { $_->{answer} } grep { $_->{question} =~ /fixed/ } @{$doc->{questions}})[0],
    qr/share the factor 16 does no harm/, 'a coprime size is not needed');

# float2, double, 16 bytes, and bytes: elements as wide as accesses.
for my $width (1, 2, 8, 16) {
    my ($s, $d) = advise('--pitch=P=32', '--block=32x8', "--width=$width", '--store',
        "(ty*P+tx)*$width", '--load', "$width*(tx*P+ty)");
    my %k = kinds($d);
    is($s, 0, "elements of $width bytes: found");
    is($d->{tile}{elem}, $width, "an element has $width bytes");
    is($k{padding}{pitch}, {1 => 36, 2 => 34, 8 => 33, 16 => 33}->{$width}, 'padding');
    ok($k{xor}{found}, 'xor');
}

# Words of which four are read at once: pieces of 16 bytes stay whole.
($status, $doc) = advise('--pitch=P=32', '--block=32x8', '--width=16', '--load',
    '(tx*P + ty*4)*4', '--store', '(ty*4*P + tx/8*P + tx%8*4)*4');
%by = kinds($doc);
is($status, 0, 'pieces of four words: found');
is($doc->{tile}{elem}, 4, 'rows of words');
is($by{padding}{pitch}, 36, 'padded by a piece');
is($by{xor}{place}, 'row * 32 + (col ^ ((row & 7) << 2))', 'xor of pieces');

# ---- none ------------------------------------------------------------------------------------

my @none = ('--pitch=P=32', '--block=32x8', '--store', '[width=16] (t/8*P + t%8*4)*4',
    '--load', '[block=32x32] (tx*P + ty)*4');
($status, $doc) = advise(@none);
%by = kinds($doc);
is($status, 1, 'a tile without a solution: exit status 1');
ok(!(grep { $_->{found} } values %by), 'none found');
is($by{$_}{accesses}[1]{ways}, 4, "the best $_ leaves 4 ways") for qw(padding rotation xor);
ok(!exists $doc->{verdict}{choice}, 'nothing is chosen');
($status, my $out) = banklab('advise', @none);
is($status, 1, 'and as text');
like($out, qr/^Verdict: none found: no padding or rotation by up to 32 elements, and no xor,/m,
    'says so, and up to what bound');
ok(!(grep { length > 80 } split /\n/, $out), 'in 80 columns');

($status, $doc) = advise('--pitch=P=33', '--bound=8', '--load=tx*P*4', '--store=(tx+ty*P)*4',
    '--block=32x8');
ok($doc->{clean}, 'a tile without conflicts is left as it is');
is($status, 0, 'which is success');
is_deeply($doc->{proposals}, [], 'nothing is proposed');

# Every second row of an odd pitch: rows are an even number of words apart, whatever the pad.
($status, $doc) = advise('--pitch=P=31', '--load=tx*2*P*4');
%by = kinds($doc);
like($by{xor}{why}, qr/a row of 31 has no such blocks/, 'no xor within 31 columns');
ok(!$by{padding}{found}, 'no padding');
is($by{padding}{accesses}[0]{ways}, 2, 'for less than two ways');
is($by{rotation}{place}, 'row * 31 + (col + row / 32) % 31', 'but a rotation');

# ---- what is printed is right --------------------------------------------------------------

# Each proposed address is asked about again: as that of element i it has no conflict.
my @forms = (
    ['(ty*P + tx)*4', '(tx*P + ty)*4'],
    ['4*(P*ty + tx)', '4*(tx*P + (ty))'],
    ['ty*P*4 + tx*4', 'P*tx*4 + 4*ty'],
    ['(ty*P + (tx ^ 1))*4', '(tx*P + ty*2%8)*4'],
    ['(tx/8*P + P*(ty*4) + tx%8)*4', '((lane)*P + warp + 3)*4'],
    ['t*4', '(tx*P + ty)*4'],
    ['((ty + 1)*P - P + tx)*4', '(tx*P + ty << 2)'],
);
for my $form (@forms) {
    my ($store, $load) = @$form;
    my ($s, $d) = advise('--pitch=P=32', '--block=32x8', '--store', $store, '--load', $load);
    my %k = kinds($d);
    for my $kind (grep { $k{$_}{found} } sort keys %k) {
        my @texts = map { $_->{address} // '' } @{$k{$kind}{accesses}};
        ok($texts[0] && $texts[1], "$store, $load: the $kind in words");
        my (undef, $again) = advise("--pitch=P=$k{$kind}{pitch}", '--block=32x8', '--store',
            $texts[0] =~ s/\bP\b/$k{$kind}{pitch}/gr, '--load', $texts[1]);
        ok($again->{clean}, "is free of conflicts: @texts");
    }
}

# ---- rules, room -----------------------------------------------------------------------------

($status, $doc) = advise('--pitch=P=32', '--block=32x8', '--rows=448', @transpose);
%by = kinds($doc);
is($doc->{now}{blocks_per_sm}, 4, '448 rows: four blocks an SM');
is($by{padding}{blocks_per_sm}, 3, 'padding leaves three');
is($by{padding}{limited_by}, 'shared memory', 'for want of memory');
is($doc->{verdict}{choice}, 'xor', 'so xor is chosen');
like((map { $_->{answer} } grep { $_->{question} =~ /memory/ } @{$doc->{questions}})[0],
    qr/room for 3 blocks instead of 4/, 'and the reason told');

($status, $doc) = advise('--pitch=P=32', '--block=32x8', '--arch=cc70', @transpose);
ok(!exists $doc->{now}{blocks_per_sm}, 'of an arch without device file the room is absent');
ok(!exists $doc->{gpu}, 'as is the GPU');
like("@{$doc->{notes}}", qr/no device file has the rules of cc70/, 'which is told');

# The article's 16 x 16 tile on the hardware of its time: padding does it there.
($status, $doc) = advise('--pitch=P=16', '--block=16x16', '--arch=cc10', @transpose);
%by = kinds($doc);
is($doc->{accesses}[1]{now}{ways}, 16, 'cc10: 16 ways');
is($by{padding}{pitch}, 17, 'and a pitch of 17 takes them away');

# Wide accesses of old GPUs have conflicts of their own, which are nobody's fault.
for (['cc10', 8], ['cc20', 16]) {
    my ($arch, $width) = @$_;
    ($status, $doc) = advise('--pitch=P=32', '--block=32x8', "--arch=$arch", "--width=$width",
        '--load', "(tx*P + ty)*$width");
    %by = kinds($doc);
    is($status, 0, "$arch, $width bytes: found");
    cmp_ok($by{padding}{accesses}[0]{conflicts}, '>', 0, 'with conflicts');
    is($by{padding}{accesses}[0]{needless}, 0, 'none of which is needless');
    like("@{$doc->{notes}}", qr/not held against a layout/, 'which is told');
}

# ---- notes -------------------------------------------------------------------------------------

($status, $out) = banklab('advise', '--pitch=32', '--op=load', '--block=32x8', '(tx*P + ty)*4');
is($status, 0, 'an expression with --op');
like($out, qr/who stores and who loads must use the same layout/, 'both sides need it');
like($out, qr/no\s+store\s+to\s+the\s+tile\s+was\s+named/, 'and one was not named');

# ---- cases of profiles ---------------------------------------------------------------------------

my @small = ('--set', 'rows=100', '--set', 'cols=70');
($status, $doc) = advise('transpose', '--case', 'conflicted', @small);
%by = kinds($doc);
is($status, 0, 'a case: found');
is($doc->{tile}{pitch}, 32, 'its pitch is guessed');
like("@{$doc->{notes}}", qr/guessed/, 'and that is told');
SKIP: {
    skip "lines of another compiler's device code", 2 if !nvcc_code();
    is(scalar @{$doc->{accesses}}, 2, 'a load and a store, of whole tiles and of those at the edge');
    like($doc->{accesses}[0]{access}, qr/^store transpose_tile\.cu:\d+, 4 bytes$/, 'by source line');
}
is($by{padding}{pitch}, 33, 'padding');
is($by{xor}{place}, 'row * 32 + (col ^ row)', 'xor');

# The same wavefronts as in a report.
my (undef, $report) = banklab('run', 'transpose', '-c', 'conflicted', @small, '-f', 'json');
my ($case) = grep { $_->{case} eq 'conflicted' } @{decode_json($report)->{cases}};
for my $op (qw(load store)) {
    my %sum;
    for my $access (grep { $_->{op} eq $op } @{$doc->{accesses}}) {
        $sum{requests} += $access->{requests};
        $sum{ideal} += $access->{ideal};
        $sum{$_} += $access->{now}{$_} for qw(wavefronts conflicts);
    }
    is($sum{$_}, $case->{shared}{$op}{$_}, "$op $_ as run has them")
        for qw(requests wavefronts ideal conflicts);
}

my @again = map { (banklab('advise', 'transpose', '-c', 'conflicted', @small, '--set',
        "threads=$_"))[1] } 1, 4;
is($again[0], $again[1], 'the same on any number of cores');

($status, $doc) = advise('transpose_tile', '--case=tile16', @small);
%by = kinds($doc);
is($doc->{tile}{pitch}, 16, 'a tile of 16');
ok(!$by{padding}{found} && $by{rotation}{found} && $by{xor}{found}, 'is rotated or xored');
($status, $doc) = advise('transpose', '--case=padded', @small);
ok($doc->{clean}, 'a padded case is left as it is');
($status, $doc) = advise('transpose', '--case=conflicted', '--pitch=64', @small);
is($doc->{tile}{pitch}, 64, 'a pitch that is given is taken');

# Wrong kernels: advice is for right ones. Patterns there are, if it did not fault before.
my $wrong = profile('wrong.ini', <<"END");
[problem]
rows = 64
cols = 96

[case half]
plugin = $ENV{top_builddir}/t/claims/bad/rotate_reader.so

[case fault]
plugin = $ENV{top_builddir}/t/claims/bad/vector_indices.so
indices = misaligned
END
($status, $doc) = advise($wrong, '--case=half');
like("@{$doc->{notes}}", qr/the case fails as it is: .* elements wrong/, 'a wrong case is told');
is($doc->{verdict}{text}, 'there is no conflict, but neither is the result right', 'and how');
is($doc->{now}{shared_bytes}, 4096, 'with the shared memory that it has');
($status, undef, my $fault) = banklab('advise', $wrong, '--case=fault');
is($status, 2, 'one that faults before it has accesses');
like($fault, qr/case fault: .*misaligned/, 'is refused with the fault');

# ---- refused ---------------------------------------------------------------------------------------

my @refused = (
    [[], qr/advise needs accesses/],
    [['--load', 't*4'], qr/--pitch P=32 says/],
    [['--pitch=P=0', '--load=t*4'], qr/1 to 65536/],
    [['--pitch=tx=3', '--load=t*4'], qr/tx has a meaning/],
    [['--pitch=P=32', '--load=(ty*Q+tx)*4'], qr/column 5: unknown name "Q"/],
    [['--pitch=P=32', '--load=[width=3] t'], qr/load '\[width=3\] t': a width is 1, 2, 4/],
    [['--pitch=P=32', '--load=[wide=4] t'], qr/not "wide"/],
    [['--pitch=P=32', '--load=[width=4 t'], qr/has no \]/],
    [['--pitch=P=32', '--load=(tx*P + (ty + tx) % P)*4', '--block=32x8'], qr/leave it out/],
    [['--pitch=P=32', '--load=tx*P*P*4'], qr/does not grow with P/],
    [['--pitch=P=8', '--load=(t + P)*4'], qr/column 8 of row 1.*is the pitch right/i],
    [['--pitch=P=32', '--load=t*2'], qr/lane 1 of warp 0.*not a multiple of the width/],
    [['--pitch=P=32', '--load=-4*t*P'], qr/negative/],
    [['--pitch=P=33', '--load=(tx*P + ty*4)*4', '--width=16'], qr/not a multiple/],
    [['--pitch=P=32', '--load=t*4', '--elem=16'], qr/no wider than the narrowest/],
    [['--pitch=P=32', '--load=t*4', '--elem=3'], qr/--elem takes 1, 2, 4, 8 or 16/],
    [['--pitch=P=32', '--load=t*4', '--warp=1'], qr/no warp 1 in a block of 32/],
    [['--pitch=P=32', '--load=t*4', '--arch=cc91'], qr/cc91.*cc90/],
    [['--pitch=P=32', '--load=t*4', '--rates=h2000'], qr/h2000.*h200/],
    [['--pitch=P=32', '--load=t*4', '--format=csv'], qr/text or json/],
    [['--pitch=P=32', '--load=t*4', '--set=rows=1'], qr/--set is for a profile/],
    [['--pitch=P=32', '--load=t*4', '--op=load'], qr/there is none/],
    [['--pitch=P=32', 't*4'], qr/--op=load or --op=store says so/],
    [['transpose'], qr/name one of copy, naive, conflicted/],
    [['transpose', '--case=*a*'], qr/name one of/],
    [['transpose', '--case=conflcted'], qr/did you mean "conflicted"/],
    [['transpose', '--case=naive', @small], qr/neither loads from shared memory nor stores/],
    [['nix', '--case=a'], qr/nix: no such file/],
);
for (@refused) {
    my ($words, $pattern) = @$_;
    my ($s, $o, $e) = banklab('advise', @$words);
    is($s, 2, "refused: @$words");
    is($o, '', 'with nothing on standard output');
    like($e, $pattern, 'and a reason');
}

done_testing();
