# SPDX-License-Identifier: Apache-2.0
#
# run.t - banklab run: exit status, options, formats, and bad input.
use strict;
use warnings;
use Test::More;
use JSON::PP;
use Banklab;

my $small = profile('small.ini', <<'END');
; Two small cases
[run]
device = model
baseline = padded

[problem]
rows = 64
cols = 96

[case conflicted]
plugin = transpose_tile
pad = 0

[case padded]
plugin = transpose_tile
pad = 1
END

my $failing = profile('failing.ini', <<'END');
[run]
device = model

[problem]
rows = 64
cols = 64

[case good]
plugin = copy

[case bad]
plugin = copy
expect.global_load_requests = 1
END

# ---- exit status -------------------------------------------------------------------

{
    my ($status, $out, $err) = banklab('run', $small);
    is($status, 0, 'all pass: 0');
    is($err, '', 'nothing on standard error');
    like($out, qr/^profile  \Q$small\E: 64 x 96 elements of 4 bytes$/m, 'profile and problem');
    like($out, qr/^device   model of cc 9\.0 \(model, cc90\)$/m, 'device');
    like($out, qr/^counts   counted by the model, exact$/m, 'source of the counts');
    like($out, qr/^times    ~ predicted .*h200/m, 'source of the times');
    like($out, qr/^conflicted +pass /m, 'first case');
    like($out, qr/^2 cases: 2 passed$/m, 'summary');
    unlike($out, qr/\033/, 'no colour but on a terminal');
    unlike($out, qr/ $/m, 'no line ends in spaces');
}

{
    my ($status, $out, $err) = banklab('run', $failing);
    is($status, 1, 'a case that fails: 1');
    like($out, qr/^bad +FAIL /m, 'it is told in the table');
    like($out, qr/^fail bad: \Q$failing\E:13: expect\.global_load_requests/m, 'and why, below');
    like($out, qr/^2 cases: 1 passed, 1 failed$/m, 'and counted');
    is($err, '', 'a failed case is no error of the program');
}

{
    my ($status, $out, $err) = banklab('run', $failing, '--set', 'rows=99999999', '--set', 'cols=99999999');
    is($status, 2, 'cases that can not be made: 2');
    like($err, qr/^banklab: \Q$failing\E:\d+: case good: .*memory/m, 'told on standard error, with the line');
    like($out, qr/^error good: .*memory/m, 'and why');
    like($out, qr/^2 cases: 2 with an error$/m, 'and how many');
}

# ---- options -----------------------------------------------------------------------

for my $words (['run', $small, '--case', 'conf*'], ['run', '--case=conf*', $small]) {
    my (undef, $out) = banklab(@$words, '--format', 'tap');
    like($out, qr/^ok 1 - conflicted$/m, "--case in any place");
}

{
    my ($status, $out) = banklab('run', $small, '--set', 'conflicted.pad=1', '--set', 'rows=32',
        '--format', 'json');
    is($status, 0, '--set');
    my $report = decode_json($out);
    is($report->{cases}[0]{params}{pad}, 1, 'a parameter of one case');
    is($_->{problem}{rows}, 32, "a key of [problem] in $_->{case}") for @{$report->{cases}};
}

{
    my ($status, $out) = banklab('run', $small, '--device', 'model', '-f', 'json', '-s', 'arch=cc80');
    is($status, 0, '--device model');
    my $report = decode_json($out);
    is($report->{device}{backend}, 'model', 'runs there');
    is($report->{device}{arch}, 'cc80', 'by the rules asked for');
}

for my $name ('copy', 'copy.ini') {
    my ($status, $out) = shell("cd / && \"\$BANKLAB\" run $name -d model -f tap");
    is($status, 0, "a plugin's own profile by its name: $name");
    like($out, qr/^1\.\.\d+$/m, 'was run');
}

{
    spill("$folder/stride", slurp($small));
    my (undef, $out) = shell("cd '$folder' && \"\$BANKLAB\" run stride -f tap");
    like($out, qr/^ok 1 - conflicted$/m, 'a file here comes before a name');
    unlink "$folder/stride";
}

# ---- formats -----------------------------------------------------------------------

{
    my (undef, $out) = banklab('run', $small, '--format', 'csv');
    my @lines = split /\r\n/, $out;
    is(scalar @lines, 3, 'CSV: a header and two records, ended by CR LF');
    my @head = split /,/, $lines[0];
    my %row;
    @row{@head} = split /,/, $lines[1], -1;
    is(scalar(my @cells = split /,/, $lines[1], -1), scalar @head, 'as many fields as names');
    is($row{case}, 'conflicted', 'the case');
    is($row{verdict}, 'pass', 'the verdict');
    is($row{shared_load_ways}, 32, 'the ways');
    is($row{shared_source}, 'model', 'their source');
    is($row{time_source}, 'predicted', "the time's source");
}

{
    my (undef, $json) = banklab('run', $small, '--format', 'json');
    my $report = decode_json($json);
    my ($case) = grep { $_->{case} eq 'conflicted' } @{$report->{cases}};
    is($case->{slowdown}{baseline}{case}, 'padded', 'JSON: against the baseline');
    is($case->{slowdown}{twin}{params}{pad}, 1, 'and against the twin');
    cmp_ok($case->{slowdown}{twin}{data_stage}, '>', 1, 'which is faster');
    my (undef, $again) = banklab('run', $small, '--format', 'json');
    is($again, $json, 'the model says the same twice');
    my (undef, $one) = banklab('run', $small, '--format', 'json', '--set', 'threads=1');
    is_deeply(decode_json($one)->{cases}, $report->{cases}, 'and on one core');
}

# ---- what can't be run -------------------------------------------------------------

my @wrong = (
    [['transpos'], qr/no such file.*did you mean "transpose"\?/],
    [["$folder/none.ini"], qr/none\.ini: No such file/],
    [['./none.ini'], qr/none\.ini: No such file/],
    [[$folder], qr/\Q$folder\E/],
    [[profile('empty.ini', '')], qr/empty\.ini/],
    [[profile('section.ini', "[problm]\nrows = 1\n")], qr/section\.ini:1: .*problem/],
    [[profile('key.ini', "[problem]\nrow = 1\n[case a]\nplugin = copy\n")], qr/key\.ini:2: .*rows/],
    [[profile('plugin.ini', "[case a]\nplugin = cpoy\n")], qr/plugin\.ini:2: .*copy/],
    [[profile('param.ini', "[case a]\nplugin = transpose_tile\npda = 1\n")],
        qr/param\.ini:3: .*pad/],
    [[profile('range.ini', "[case a]\nplugin = transpose_tile\npad = 99\n")],
        qr/range\.ini:3: .*0\.\.8/],
    [[$small, '--case', 'zebra'], qr/zebra/],
    [[$small, '--set', 'padd=1'], qr/--set padd=1: .*pad/],
    [[$small, '--set', 'pad=99'], qr/pad=99/],
    [[$small, '--device', 'modle'], qr/--device=modle: .*model/],
    [[$small, '--device', 'cuda:99'], qr/cuda/],
    [[$small, '--set', 'arch=cc12345'], qr/--set arch=cc12345: .*cc12345/],
    [[profile('arch.ini', "[run]\narch = cc99\n[case a]\nplugin = copy\n"), '-d', 'model'],
        qr/arch\.ini:2: .*cc99/],
    [[profile('rates.ini', "[run]\nrates = h20\n[case a]\nplugin = copy\n"), '-d', 'model'],
        qr/rates\.ini:2: .*h200/],
);
for my $case (@wrong) {
    my ($words, $reason) = @$case;
    my ($status, $out, $err) = banklab('run', @$words);
    (my $name = "run @$words") =~ s/\Q$folder\E//g;
    is($status, 2, "$name exits with 2") or diag($out, $err);
    is($out, '', "$name prints nothing on standard output");
    like($err, qr/^banklab: /, "$name complains");
    like($err, $reason, "$name says why");
}

# ---- plugin folders ----------------------------------------------------------------

{
    my ($status, $out, $err) = banklab('--plugin-dir', "$folder/none", 'run', $small, '-f', 'tap');
    is($status, 0, 'a plugin folder that is not there does no harm');
    like($err, qr/^banklab: warning: .*none/, 'but is warned of, on standard error');
    like($out, qr/^1\.\.2\n/, 'and not in the report');
    spill("$folder/copy.so", "no plugin\n");
    ($status, $out, $err) = banklab('run', $failing, '-p', $folder);
    is($status, 2, 'a plugin folder after the command: a bad plugin that is named');
    like($err, qr/^banklab: .*copy\.so/m, 'is named by its path');
    unlink "$folder/copy.so";
}

done_testing();
