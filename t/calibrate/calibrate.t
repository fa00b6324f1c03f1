# SPDX-License-Identifier: Apache-2.0
#
# calibrate.t - banklab calibrate, on the model and where there is no GPU.
use strict;
use warnings;
use Test::More;
use Banklab;

# ---- on the model ------------------------------------------------------------------------

my ($status, $out, $err) =
    banklab('calibrate', '--device=model', '--patterns=600', '--seed=3', "--output=$folder/a.csv");
is($status, 0, 'the model agrees with its rules');
is($err, '', 'nothing on standard error');
like($out, qr/^model of cc 9\.0, rules of cc90$/m, 'who was measured, by which rules');
like($out, qr/^$_ +\d+ patterns +\d+ counted +\d+ timed +0 disagree$/m, "a line for $_")
    for qw(shared_load_16 global_store_1 atom_cas_b64 red_add_f32 ldmatrix_x4_trans
    stmatrix_x1 cp_async_cg_16);
like($out, qr/^600 patterns, 600 counted, \d+ timed: 0 disagree$/m, 'the sum');

my $csv = slurp("$folder/a.csv");
like($csv, qr/^# banklab \S+ calibrate --patterns 600 --seed 3$/m, 'how the file was made');
like($csv, qr/^# device: model of cc 9\.0$/m, 'on what');
like($csv, qr/^# date: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/m, 'and when');
my @lines = grep { !/^#/ } split /\n/, $csv;
my @names = split /,/, shift @lines, -1;
is(scalar @lines, 600, 'a record a pattern');
is(scalar(grep { (() = /,/g) != $#names } @lines), 0, 'with a field for each name');
ok(!-e "$folder/a.csv.new", 'no other file is left');
my %at = map { $names[$_] => $_ } 0 .. $#names;
my @wrong;
my %families;
for (@lines) {
    my @f = split /,/, $_, -1;
    $families{$f[$at{family}]}++;
    push @wrong, $_ if $f[$at{agrees}] ne 'yes';
    push @wrong, $_ if $f[$at{op}] =~ /^shared/ && $f[$at{wavefronts}] ne $f[$at{rule_wavefronts}];
    push @wrong, $_ if $f[$at{op}] =~ /^global/ && $f[$at{sectors}] ne $f[$at{rule_sectors}];
}
is(scalar @wrong, 0, 'every number is as the rules say');

# The same kernels under other generations' rules, for which they were not compiled.
for my $arch (qw(cc10 cc20 cc30 cc30-8 cc50 cc100)) {
    ($status, $out) = banklab('calibrate', '--device=model', "--arch=$arch", '--patterns=300');
    is($status, 0, "the model agrees with the rules of $arch");
    like($out, qr/^300 patterns, 300 counted, \d+ timed: 0 disagree$/m, 'in all patterns');
}
cmp_ok(scalar keys %families, '>=', 13, 'patterns of every family');

my (undef, $again) =
    banklab('calibrate', '-d', 'model', '-n', '600', '-s', '3', '-o', "$folder/b.csv");
(my $b = slurp("$folder/b.csv")) =~ s/^#.*\n//mg;
(my $a = $csv) =~ s/^#.*\n//mg;
is($b, $a, 'the same patterns and numbers for the same seed');
banklab('calibrate', '-d', 'model', '-n', '600', '-s', '4', '-o', "$folder/b.csv");
($b = slurp("$folder/b.csv")) =~ s/^#.*\n//mg;
isnt($b, $a, 'others for another');

# ---- rules to compare with ------------------------------------------------------------------

($status, $out, $err) = banklab('calibrate', '--device=model', '--patterns=60', '--arch=cc75');
is($status, 0, 'the model of another capability');
like($out, qr/^model of cc 7\.5, rules of cc75$/m, 'is named');
unlike($out, qr/stmatrix|cp_async/, 'and lacks what that has not');
($status, $out, $err) = banklab('calibrate', '--device=model', '--arch=cc91');
is($status, 2, 'an arch that there is not');
like($err, qr/^banklab: .*cc91.*cc90/, 'is told with the nearest');

# ---- what can't be done -----------------------------------------------------------------------

($status, $out, $err) =
    banklab('calibrate', '--device=model', '-n', '1', '-o', "$folder/none/x.csv");
is($status, 2, 'a file that can\'t be written');
like($err, qr{^banklab: .*none/x\.csv.* can't be written: }, 'is told');
for (['--patterns=0', '--patterns takes 1 to'], ['--patterns=many', 'not "many"'],
    ['--seed=x', '--seed takes a whole number'], ['extra', 'takes no argument'],
    ['--device=gpu', 'cuda, cuda:0'])
{
    ($status, $out, $err) = banklab('calibrate', $_->[0]);
    is($status, 2, "calibrate $_->[0]");
    like($err, qr/\Q$_->[1]\E/, 'what would be right');
}

SKIP: {
    skip 'there is an NVIDIA driver here', 3
        if grep { -e } '/dev/nvidiactl', '/dev/dxg';
    ($status, $out, $err) = banklab('calibrate', "--output=$folder/gpu.csv");
    is($status, 2, 'without a GPU it can\'t be done');
    like($err, qr/^banklab: no GPU to calibrate by \(--device=model .*\): /, 'and says why');
    ok(!-e "$folder/gpu.csv" && !-e "$folder/gpu.csv.new", 'without a file');
}

done_testing;
