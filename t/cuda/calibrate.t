# SPDX-License-Identifier: Apache-2.0
#
# calibrate.t - banklab calibrate on a GPU: its patterns in the worker, counted and timed.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Banklab;
use FakeGpu;

plan skip_all => 'built without CUPTI' unless has_counters();

my @few = ('calibrate', '--patterns', 120, '--seed', 5);

{
    my ($status, $out, $err) = fake({}, @few, '--output', "$folder/a.csv");
    is($status, 0, 'counters that follow the rules: no disagreement');
    is($err, '', 'nothing on standard error');
    like($out, qr/^fake GPU \(test double\), driver .*, rules of cc90$/m, 'what was measured');
    like($out, qr/^120 patterns, 120 counted, [1-9]\d* timed: 0 disagree$/m, 'and how much');
    like(slurp("$folder/a.csv"), qr/^# device: fake GPU \(test double\)/m, 'the record says it too');
    ($status) = fake({FAKE_CUPTI_PASSES => 3}, @few);
    is($status, 0, 'several passes');
}
{
    my ($status, $out) = fake({FAKE_CUPTI_ADDS => 1}, @few);
    is($status, 1, 'counters that do not follow them: exit status 1');
    like($out, qr/^shared_load_\d+, .*: wavefronts \d+, got \d+;$/m, 'each told with its pattern');
    like($out, qr/120 counted, \d+ timed: [1-9]\d* disagree$/m, 'and their number');
}
{
    my ($status, $out, $err) = fake({FAKE_CUPTI_FAIL => 'cuptiRangeProfilerEnable'}, @few);
    like($out . $err, qr/no hardware counters: .*ERR_NVGPUCTRPERM/, 'no permission: said, with how to get it');
    like($out, qr/^120 patterns, 0 counted, [1-9]\d* timed/m, 'the clock still measures');
}
for my $fail (['FAKE_CUDA_FAIL', 'cuLaunchKernel:7', qr/cuLaunchKernel: CUDA_ERROR_UNKNOWN/],
              ['FAKE_CUDA_FAIL', 'cuMemAlloc:1:2', qr/cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY/],
              ['FAKE_CUDA_KILL', 'clock_shared_load_4', qr/killed by signal 6/],
              ['FAKE_CUDA_FAULT', 'clock_shared_load_4', qr/CUDA_ERROR_ILLEGAL_ADDRESS/]) {
    my ($name, $value, $says) = @$fail;
    my ($status, $out, $err) = fake({$name => $value}, @few);
    is($status, 2, "$name=$value: could not be measured");
    like($err, $says, 'and why');
}
{
    my ($status, $out, $err) = fake({FAKE_CUDA_DEVICES => 0}, @few);
    is($status, 2, 'no GPU');
    like($err, qr/CUDA_ERROR_NO_DEVICE/, 'is said');
}

done_testing;
