# SPDX-License-Identifier: Apache-2.0
#
# compare.t - banklab compare: reports of runs, recorded ones, and ones that are no reports.
use strict;
use warnings;
use Test::More;
use JSON::PP;
use Banklab;

my $evidence = "$ENV{top_srcdir}/doc/evidence/h200";
my $profile = profile('mine.ini', <<'END');
[run]
device = model
baseline = padded

[problem]
rows = 96
cols = 64

[case copy]
plugin = copy

[case conflicted]
plugin = transpose_tile
pad = 0

[case padded]
plugin = transpose_tile
pad = 1
expect.shared_load_ways = 1

[case naive]
plugin = transpose_naive
END

sub report {
    my ($name, @words) = @_;
    banklab('run', $profile, '-f', 'json', '-o', "$folder/$name.json", @words);
    return "$folder/$name.json";
}
my $before = report('before');
my $unpadded = report('unpadded', '--set', 'padded.pad=0');
my $better = report('better', '--set', 'conflicted.pad=1');
my $larger = report('larger', '--set', 'rows=128');

sub compared {
    my ($status, $out, $err) = banklab('compare', @_, '-f', 'json');
    is($err, '', "@_: nothing on standard error");
    my $doc = decode_json($out);
    return ($status, $doc, map { $_->{case} => $_ } @{$doc->{cases}});
}

# ---- two reports of runs -----------------------------------------------------------------

my ($status, $doc, %case) = compared($before, $before, '--fail-slower=0%', '--fail-counts');
is($status, 0, 'a report and itself');
is($doc->{summary}{same}, 4, 'all the same');
is($doc->{summary}{other_counts}, 0, 'by counts too');
is($case{copy}{time}{ratio}, 1, 'a ratio of 1');
is($case{copy}{time}{source}, 'predicted', 'of predicted times');
is($case{copy}{time}{interval}, 'exact', 'which have no interval');
is_deeply($doc->{notes}, [], 'nothing to be noted');

($status, $doc, %case) = compared($before, $unpadded);
is($status, 0, 'a case that got worse, without --fail');
my %changed = map { $_->{count} => $_ } @{$case{padded}{changed}};
is($changed{'shared.load.ways'}{a}, 1, 'one way before');
is($changed{'shared.load.ways'}{b}, 32, '32 after');
ok($changed{'shared.load.ways'}{worse}, 'which is worse');
ok(!exists $changed{'global.load.sectors'}, 'global memory as before');
ok(!exists $case{copy}{changed}, 'and the other cases');
is($case{padded}{verdict}, 'slower', 'slower');
is($case{padded}{b}{verdict}, 'fail', 'an expectation is not met');
is($case{padded}{differs}, 'pad 1 -> 0', 'and why');
is($doc->{summary}{passed_in_a_alone}, 1, 'which is counted');
my $ratio = $case{padded}{b}{time}{median_us} / $case{padded}{a}{time}{median_us};
cmp_ok(abs($case{padded}{time}{ratio} - $ratio), '<', 1e-9, 'B over A');

my (undef, $out) = banklab('compare', $before, $unpadded);
like($out, qr/results that are not the same\n  padded: pass -> fail: .*ways.*\n.*^case /ms,
    'the table tells what broke first');
like($out, qr/^times    ~ predicted from counts/m, 'the source of the times');
like($out, qr/shared load: wavefronts \d[\d,]* -> \d[\d,]*, conflicts 0 -> \d/, 'and counts');
like($out, qr/^padded +~\S+ +~\S+ +~\S+ +slower +\d+ differ, \d up$/m, 'and the ratio');
unlike($out, qr/\e|[ \t]$/m, 'no colour, and no spaces at an end');

for my $option ('--fail-slower=2%', '--fail-slower=1000%', '--fail-counts') {
    ($status, $out) = banklab('compare', $before, $unpadded, $option);
    is($status, 1, "$option: a case that failed is enough");
    like($out, qr/^FAIL padded: passed in A, but not in B \(fail\)/m, 'and is told');
}
($status, $out) = banklab('compare', $better, $before, '--fail-slower', '2%');
is($status, 1, '--fail-slower: slower');
like($out, qr/^FAIL conflicted: slower by more than 2 %: \d\.\d+ times, as predicted$/m, 'told');
is((banklab('compare', $better, $before, '--fail-slower', '900%'))[0], 0, 'not by so much');
is((banklab('compare', $better, $before, '--fail-counts'))[0], 1, '--fail-counts: more');
is((banklab('compare', $before, $better, '--fail-counts', '--fail-slower=0%'))[0], 0,
    'better is no failure');

($status, $doc, %case) = compared($before, $larger);
is($status, 0, 'another problem');
is($case{naive}{why}, 'another problem', 'is said');
ok(!exists $case{naive}{time} && !exists $case{naive}{changed}, 'and nothing compared');
is($doc->{summary}{no_ratio}, 4, 'at all');
my $err;
($status, $out, $err) = banklab('compare', $before, $larger, '--fail-slower=1%');
is($status, 2, 'so that nothing is tested');
like($err, qr/--fail-slower: no case has two times/, 'is an error');

# ---- one report ----------------------------------------------------------------------------

($status, $doc, %case) = compared($before);
is($doc->{against}, 'padded', 'one report: against its baseline');
ok(!exists $doc->{b} && !exists $case{padded}, 'which is no case of its own');
is($case{conflicted}{verdict}, 'slower', 'conflicts cost');
($status, $doc, %case) = compared($before, '--against=conflicted');
is($case{padded}{verdict}, 'faster', 'against another case');
($status, undef, $err) = banklab('compare', $before, '--against=pded');
is($status, 2, 'against no case');
like($err, qr/no case "pded"; did you mean "padded"/, 'with the nearest');

# ---- recorded reports of a GPU ----------------------------------------------------------------

my $times = "$evidence/times-8192.json";
($status, $doc, %case) = compared($times);
is($case{conflicted}{time}{source}, 'gpu', 'measured times');
is($case{conflicted}{time}{interval}, 'rounds', 'with the interval of the rounds');
my $recorded = decode_json(slurp($times));
my ($of) = grep { $_->{case} eq 'conflicted' } @{$recorded->{cases}};
is($case{conflicted}{time}{$_}, $of->{slowdown}{baseline}{$_}, "the report's $_")
    for qw(ratio low high);
($status, $doc, %case) = compared($times, '--against', 'conflicted');
is($case{padded}{time}{interval}, 'medians', 'against another: that of the medians');
my ($a, $b) = map { $case{padded}{$_}{time} } qw(a b);
cmp_ok(abs($case{padded}{time}{low} - $b->{low_us} / $a->{high_us}), '<', 1e-9, 'low');
cmp_ok(abs($case{padded}{time}{high} - $b->{high_us} / $a->{low_us}), '<', 1e-9, 'high');
cmp_ok($case{padded}{time}{low}, '<', $case{padded}{time}{high}, 'an interval');

# Another GPU, slower by 3 %: intervals of half a per cent.
for my $case (@{$recorded->{cases}}) {
    next unless $case->{time};
    $case->{time}{$_} *= 1.03 for qw(median_us low_us high_us);
}
$recorded->{device}{name} = 'NVIDIA Other';
$recorded->{warnings} = ['it was hot'];
spill("$folder/slower.json", encode_json($recorded));
($status, $doc, %case) = compared($times, "$folder/slower.json");
is($status, 0, 'across devices');
is_deeply($doc->{notes}, ['another device: A NVIDIA H200, B NVIDIA Other', 'B warns: it was hot'],
    'which is noted, with the warnings');
is($doc->{summary}{slower}, scalar @{$recorded->{cases}}, 'all slower by 3 %');
is((banklab('compare', $times, "$folder/slower.json", '--fail-slower', $_->[0]))[0], $_->[1],
    "by more than $_->[0]: $_->[1]") for ['2%', 1], ['3.5%', 0];
($status, $doc) = compared($times, "$folder/slower.json", '--tolerance', '5%');
is($doc->{summary}{same}, scalar @{$recorded->{cases}}, 'the same within 5 %');

# What was predicted is not held against what was measured.
my $predicted = decode_json(slurp($times));
for my $case (@{$predicted->{cases}}) {
    $case->{time}{source} = 'predicted' if $case->{time};
}
spill("$folder/predicted.json", encode_json($predicted));
($status, $doc, %case) = compared("$folder/predicted.json", $times);
is($doc->{summary}{no_ratio}, scalar @{$doc->{cases}}, 'predicted and measured: no ratio');
is($case{copy}{why}, "A's time is predicted, B's timed on a GPU", 'and why');
is($case{copy}{a}{time}{source}, 'predicted', 'with both sources');

(undef, $out) = banklab('compare', "$folder/predicted.json", $times);
like($out, qr/^times    measured on a GPU; ~ predicted/m, 'in the table too');
like($out, qr/^copy +~1\d\d\.\d +1\d\d\.\d/m, 'marked');

# Partial overlap.
my $fewer = decode_json(slurp($times));
pop @{$fewer->{cases}} for 1 .. 3;
$fewer->{cases}[0]{case} = 'anew';
spill("$folder/fewer.json", encode_json($fewer));
($status, $doc, %case) = compared($times, "$folder/fewer.json");
is($doc->{summary}{only_in_a}, 4, 'cases that only A has');
is($doc->{summary}{only_in_b}, 1, 'and only B');
is($case{anew}{in}, 'b', 'by name');
($status, $out) = banklab('compare', $times, "$folder/fewer.json");
like($out, qr/^only in A: copy, vector, .*\nonly in B: anew$/m, 'in the table too');

# All recorded reports can be read, old ones too.
for my $file (glob("$evidence/*.json"), glob("$ENV{top_srcdir}/t/report/golden/*.json")) {
    ($status, $out, $err) = banklab('compare', $file, $file, '-f', 'json');
    is($status, 0, "$file: and itself") or diag($err);
    is_deeply([@{decode_json($out)->{summary}}{qw(faster slower other_counts only_in_a)}],
        [0, 0, 0, 0], 'no difference');
}

# ---- formats ------------------------------------------------------------------------------------

($status, $out, $err) = banklab('compare', $before, $unpadded, '-f', 'csv');
my @lines = split /\r\n/, $out;
is(scalar @lines, 5, 'CSV: a header, and a record a case');
my @heads = split /,/, $lines[0];
is(scalar(my @fields = split /,/, $lines[1], -1), scalar @heads, 'as many fields as heads');
like((grep { /^padded,/ } @lines)[0], qr/,shared\.load\.wavefronts=\d+>\d+;.*ways=1>32/, 'counts');

($status, $out, $err) = banklab('compare', $times, "$folder/slower.json", '-f', 'csv');
like($err, qr/warning: another device/, 'CSV: notes go to standard error');

($status, $out) = banklab('compare', $before, $unpadded, '-o', "$folder/out.txt");
is("$status$out", '0', '--output');
is(slurp("$folder/out.txt"), (banklab('compare', $before, $unpadded))[1], 'the same in the file');
($status, undef, $err) = banklab('compare', $before, $unpadded, '-o', "$folder/none/out.txt");
is($status, 2, '--output where there is no folder');

my (undef, $narrow) = shell("COLUMNS=40 \$BANKLAB compare '$times' '$folder/slower.json'");
like($narrow, qr/not shown, as the terminal is narrow: /, 'a narrow table');
my ($grid) = $narrow =~ /^(case .*?)\n\n/ms;
ok(!(grep { length > 40 } split /\n/, $grid), 'fits');

($status, $out) = shell("\$BANKLAB compare '$before' - <'$unpadded' -f json");
is($status, 0, 'a report from standard input');
is(decode_json($out)->{b}{path}, 'standard input', 'by that name');
($status) = shell("cat '$before' | \$BANKLAB compare /dev/stdin '$unpadded'");
is($status, 0, 'or a pipe');

SKIP: {
    my ($missing) = shell('python3 -c "import jsonschema; jsonschema.Draft7Validator"');
    skip 'python3-jsonschema is not here', 4 if $missing;
    spill("$folder/validate.py", <<'END');
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
errors = list(jsonschema.Draft7Validator(schema).iter_errors(json.load(open(sys.argv[2]))))
print(*[e.message for e in errors], sep="\n")
sys.exit(bool(errors))
END
    my @all = ([$before], [$before, $unpadded, '--fail-slower=1%'], [$times, "$folder/fewer.json"],
        [$before, $larger], ["$evidence/strides.json", '--against=loads[stride=1]']);
    for my $words (@all) {
        banklab('compare', @$words, '-f', 'json', '-o', "$folder/c.json");
        ($status, $out) = shell("python3 '$folder/validate.py' "
            . "'$ENV{top_srcdir}/doc/compare.schema.json' '$folder/c.json'");
        is($status, 0, "@$words: keeps to the schema") or diag($out);
    }
    (my $spoilt = slurp("$folder/c.json")) =~ s/"in": "both"/"in": "neither"/;
    spill("$folder/c.json", $spoilt);
    ($status) = shell("python3 '$folder/validate.py' "
        . "'$ENV{top_srcdir}/doc/compare.schema.json' '$folder/c.json'");
    is($status, 1, 'a spoilt one does not');
}

# ---- refused ---------------------------------------------------------------------------------------

spill("$folder/table.txt", (banklab('run', $profile))[1]);
spill("$folder/cut.json", substr slurp($before), 0, 900);
(my $bad = slurp($before)) =~ s/"wavefronts": \d+/"wavefronts": "many"/;
spill("$folder/bad.json", $bad);
spill("$folder/empty.json", '');
(my $aimless = slurp($before)) =~ s/,\s+"baseline": "padded"//;
spill("$folder/aimless.json", $aimless);
my @refused = (
    [[], qr/compare needs a report or two/],
    [[$before, $before, $before], qr/one or two reports; .* is one too many/],
    [["$folder/none.json"], qr/none\.json: No such file/],
    [[$folder], qr/a folder, no report/],
    [["$folder/table.txt"], qr/table\.txt:1: column \d+: not JSON: .*--format json/],
    [["$folder/cut.json"], qr/cut\.json:\d+: column \d+: not JSON/],
    [["$folder/empty.json"], qr/empty, no report/],
    [["$folder/bad.json"],
        qr/bad\.json: cases\[0\]\.shared\.load\.wavefronts: must be a whole number.*"many"/],
    [[$before, $times, '--against=copy'], qr/--against is for one report/],
    [['-', '-'], qr/not both/],
    [[$before, '--tolerance=2'], qr/--tolerance takes a percentage as in 2%.*not "2"/],
    [[$before, '--fail-slower=-1%'], qr/--fail-slower takes a percentage.*not "-1%"/],
    [[$before, '--fail-slower=%'], qr/--fail-slower takes a percentage/],
    [[$before, '--format=tap'], qr/unknown format "tap"/],
    [[$before, '--format=jsn'], qr/did you mean "json"/],
    [["$folder/aimless.json"], qr/no baseline; --against=CASE/],
    [["$evidence/strides.json", $before], qr/no case in common/],
);
for (@refused) {
    my ($words, $pattern) = @$_;
    my ($s, $o, $e) = banklab('compare', @$words);
    is($s, 2, "refused: @$words");
    is($o, '', 'with nothing on standard output');
    like($e, $pattern, 'and a reason');
}

done_testing();
