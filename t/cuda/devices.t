# SPDX-License-Identifier: Apache-2.0
#
# devices.t - which devices there are, and which is taken.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use File::Copy qw(copy);
use Banklab;
use FakeGpu;

my $profile = profile('copy.ini', "[problem]\nrows = 64\ncols = 64\n[case copy]\nplugin = copy\n");
my %none = (FAKE_CUDA_DEVICES => 0);

{
    my ($status, $out, $err) = fake({}, 'devices');
    is($status, 0, 'devices');
    is($err, '', 'and nothing on standard error');
    like($out, qr/^cuda +cc90 +fake GPU \(test double\) +4 SMs, L2 0\.25 MiB, 1\.0 GiB free, driver 0\.0 \(double\)$/m,
        'name, SMs, L2, memory, driver');
    like($out, qr/^model +cc90 /m, 'and the model');
    ($status, $out) = fake({FAKE_CUDA_DEVICES => 3}, 'devices');
    is(() = $out =~ /^cuda\S* /mg, 3, 'three GPUs, three lines');
    ($status, $out) = fake({FAKE_NVML_FAIL => 'nvmlInit_v2'}, 'devices');
    like($out, qr/driver CUDA 13\.0$/m, "without NVML: what the driver says of itself");
}

{
    my ($status, $report) = report({}, $profile);
    is($status, 0, 'auto');
    is($report->{device}{backend}, 'cuda', 'takes the GPU');
    like($report->{device}{name}, qr/test double/, 'which is no measurement');
    my ($text) = (fake({}, 'run', $profile))[1];
    like($text, qr/^device   fake GPU \(test double\) \(cuda, cc90, driver/m, 'the table says it');
}

# A GPU with more memory than this machine: a case is held against the lesser of both.
{
    my ($kib) = slurp('/proc/meminfo') =~ /^MemTotal:\s+(\d+) kB/m;
    my $side = int(sqrt($kib * 1024 / 4 / 3)) + 1; # an image is a third of the memory
    my $huge = profile('huge.ini', "[problem]\nrows = $side\ncols = $side\n[case copy]\nplugin = copy\n");
    my ($status, $report) = report({FAKE_CUDA_MEMORY => 1 << 45}, $huge);
    my $case = case_of($report, 'copy');
    is($status, 2, 'more than the machine has: it could not be run');
    is($case->{verdict}, 'error', 'an error of that case');
    like($case->{detail}, qr/^the problem needs [\d,]+ bytes of memory .*; a case may use/,
        'which tells what a case may use');
}

# Drivers of other ages: LD_LIBRARY_PATH finds them before the usual double.
{
    my ($status, $report, $err) = report({LD_LIBRARY_PATH => "$doubles/old:$doubles"}, $profile);
    is($status, 0, "a driver from before CUDA 12.8: $err");
    is($report->{device}{backend}, 'cuda', 'is good enough');
    cmp_ok(case_of($report, 'copy')->{time}{median_us} // 0, '>', 0, 'and times');

    mkdir "$folder/ancient" or die "$folder/ancient: $!";
    copy("$doubles/libnvidia-ml.so.1", "$folder/ancient/libcuda.so.1") or die "libcuda.so.1: $!";
    my ($code, $out) = fake({LD_LIBRARY_PATH => "$folder/ancient:$doubles"}, 'devices');
    is($code, 0, 'a driver without a call that is needed: no error of devices');
    like($out, qr/^no device cuda: .*libcuda\.so\.1 has no cuInit: its driver is too old/m, 'but it says which');
}

for my $why (
    [\%none, 'CUDA_ERROR_NO_DEVICE', 'no GPU'],
    [{FAKE_CUDA_FAIL => 'cuInit:1'}, 'cuInit: CUDA_ERROR_UNKNOWN', 'a driver that does not start'],
) {
    my ($env, $says, $name) = @$why;
    my ($status, $out, $err) = fake($env, 'devices');
    is($status, 0, "$name: no error of devices");
    like($out, qr/^no device cuda: .*\Q$says\E/m, "$name: but it says why");
    my (undef, $report) = report($env, $profile);
    is($report->{device}{backend}, 'model', "$name: auto takes the model");
    ($status, $out, $err) = fake($env, 'run', $profile, '--set', 'device=cuda');
    is($status, 2, "$name: cuda asked for is an error");
    like($err, qr/\Q$says\E/, "$name: with the reason");
}

{
    my ($status, $report) = report({FAKE_CUDA_DEVICES => 2}, $profile, '--set', 'device=cuda:1');
    is($report->{device}{backend}, 'cuda', 'cuda:1 of two');
    my ($out, $err);
    ($status, $out, $err) = fake({FAKE_CUDA_DEVICES => 2}, 'run', $profile, '--set', 'device=cuda:7');
    is($status, 2, 'cuda:7 of two');
    like($err, qr/no GPU cuda:7: there are 2, cuda:0 to cuda:1/, 'and which there are');
}

{
    my ($status, undef, $err) = fake({FAKE_CUDA_KILL => 'right'}, 'devices');
    is($status, 0, 'a deed of a kernel is none of devices');
    my $report;
    ($status, $report) = report({FAKE_CUDA_CC => 75}, $profile);
    is($report->{device}{arch}, 'cc75', "the GPU's compute capability is the report's arch");
    is($report->{cases}[0]{verdict}, 'pass', 'and runs what it can');
}

{
    my $archs = profile('archs.ini', "[problem]\nrows = 64\ncols = 64\n"
        . "[case copy]\nplugin = copy\narch = cc80, cc90\n");
    my ($status, $report) = report({}, $archs);
    is($status, 0, 'cases with an arch');
    my ($other, $own) = @{$report->{cases}};
    is($other->{verdict}, 'skip', "another arch's rules are not to be had of a GPU");
    is($other->{detail}, 'asks for the rules of cc80: only the model has them; this device '
        . 'is cc90', 'with the reason');
    is($other->{arch}, 'cc80', 'and the arch');
    is($own->{verdict}, 'pass', 'its own are');
    ok(!exists $own->{arch}, "and no arch but the device's is told");
}

done_testing;
