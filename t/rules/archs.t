# SPDX-License-Identifier: Apache-2.0
#
# Cases that ask for the rules of an arch: sweeps, limits, what is compared, reports.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Banklab;

sub cases {
    my ($name, $text, @more) = @_;
    my $file = profile($name, $text);
    my ($status, $out, $err) = banklab('run', '--device=model', '--format=json', @more, $file);
    return ($status, {}, $err) if $out eq '';
    my $report = decode_json($out);
    return ($status, {map { $_->{case} => $_ } @{$report->{cases}}}, $report);
}

my $tile = "[problem]\nrows = 64\ncols = 64\n[run]\nbaseline = now\n"
    . "[case now]\nplugin = transpose_tile\npad = 0\n"
    . "[case then]\nplugin = transpose_tile\npad = 0\narch = cc80\n"
    . "[case both]\nplugin = transpose_tile\npad = 0\narch = cc80, cc90\n";

{
    my ($status, $case, $report) = cases('tile.ini', $tile);
    is($status, 0, 'cases with an arch');
    is($report->{device}{arch}, 'cc90', "the run's arch");
    is($case->{then}{arch}, 'cc80', "and a case's");
    is($case->{'both[arch=cc80]'}{arch}, 'cc80', 'a sweep over archs is two cases');
    ok(!exists $case->{'both[arch=cc90]'}{arch}, "the run's own arch is not told again");
    ok(exists $case->{now}{time}, 'there are rates of cc90');
    ok(!exists $case->{then}{time}, 'there are none of cc80');
    ok(!exists $case->{then}{slowdown}{baseline}, 'archs are not compared with each other');
    ok($case->{then}{slowdown}{twin}{data_stage} > 1, 'a twin is of the same arch');
    is($case->{'both[arch=cc90]'}{slowdown}{baseline}{data_stage}, 1, 'the same arch is');
}
{
    my ($status, $case, $report) = cases('tile.ini', $tile, '--set', 'arch=cc80');
    is($report->{device}{arch}, 'cc80', '--set arch is of the run');
    is($report->{device}{rates}, 'h200', 'rates are named where a case uses them');
    ok(exists $case->{'both[arch=cc90]'}{time}, 'a case of cc90 has predicted times');
    ok(!exists $case->{now}{time}, 'one of cc80 has none');
    ($status, $case) = cases('tile.ini', $tile, '--set', 'then.arch=cc75,cc86');
    is($case->{'then[arch=cc86]'}{arch}, 'cc86', '--set CASE.arch');
    ($status, $case, my $err) = cases('tile.ini', $tile, '--set', 'then.arch=cc91');
    is($status, 2, 'an unknown arch');
    like($err, qr/--set then\.arch=cc91: unknown arch 'cc91', did you mean 'cc90'\?/,
        'is told where it is asked for');
    ($status, $case, $err) = cases('bad.ini', $tile . "[case x]\nplugin = copy\narch = cc9\n");
    is($status, 2, 'an unknown arch in the profile');
    like($err, qr/bad\.ini:\d+: unknown arch 'cc9'/, 'with file and line');
}
{
    my ($status, $case) = cases('large.ini', "[problem]\nrows = 1\ncols = 64\n[case x]\nplugin = stride\nstride = 1\nwarps = 32\narch = cc10, cc20\n"
            . "[case y]\nplugin = transpose_tile\ntile = 64\nrows = 64\ncols = 64\nelem = 16\narch = cc10\n");
    is($status, 0, 'what an arch has no room for is no error');
    is($case->{'x[arch=cc10]'}{verdict}, 'skip', 'but a skip');
    like($case->{'x[arch=cc10]'}{detail}, qr/block\.x = 1024 is over the device's 512/, 'with the reason');
    is($case->{'x[arch=cc20]'}{verdict}, 'pass', 'others go on');
    is($case->{y}{verdict}, 'skip', 'so for shared memory');
    like($case->{y}{detail}, qr/bytes .*shared memory.* 16384/, 'with the reason');
}
{
    my $file = profile('tile.ini', $tile);
    my (undef, $table) = banklab('run', '--device=model', $file);
    like($table, qr/^then +cc80 +pass/m, 'the table has a column for the arch');
    my (undef, $csv) = banklab('run', '--device=model', '--format=csv', $file);
    like($csv, qr/^then,transpose_tile,transpose,64,64,4,1,[^,]*,cc80,pass,/m, 'so has csv');
    like($csv, qr/^now,transpose_tile,transpose,64,64,4,1,[^,]*,cc90,pass,/m, "with the run's");
}
done_testing;
