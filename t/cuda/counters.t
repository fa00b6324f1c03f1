# SPDX-License-Identifier: Apache-2.0
#
# counters.t - hardware counters, and what stands in for them.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Banklab;
use FakeGpu;

plan skip_all => 'built without CUPTI' unless has_counters();

my $profile = profile('transpose.ini', <<'END');
[run]
max_time = 0.2
counts = hardware
baseline = padded
[problem]
rows = 256
cols = 128
[case conflicted]
plugin = transpose_tile
expect.shared_load_ways = 32
expect.shared_load_conflicts = 31744
[case padded]
plugin = transpose_tile
pad = 1
END

sub warnings_of { return join "\n", @{$_[0]{warnings} // []} }

{
    my ($status, $report) = report({}, $profile);
    is($status, 0, 'counted');
    my $case = case_of($report, 'conflicted');
    is($case->{$_}{source}, 'counter', "$_ memory by the counters") for qw(shared global);
    is($case->{shared}{load}{wavefronts}, 32768, 'wavefronts');
    is($case->{shared}{load}{requests}, 1024, 'requests');
    is($case->{shared}{load}{ways}, 32, 'ways, which only the model knows and which agrees');
    is($case->{global}{store}{ideal}, 4096, 'and the ideal');
    is_deeply($case->{model}{$_}{load}, $case->{$_}{load}, "the model's $_ loads beside") for qw(shared global);
    is_deeply($case->{model}{$_}{store}, $case->{$_}{store}, "the model's $_ stores beside") for qw(shared global);
    is(warnings_of($report), '', 'nothing to warn of');
    my $of_model = (report({}, $profile, '--set', 'device=model'))[1];
    is_deeply($case->{shared}{load}, case_of($of_model, 'conflicted')->{shared}{load}, 'as on the model');
    is($case->{$_}{counted_by}, 'hardware', "the hardware counted $_ memory") for qw(shared global);
}

# Instructions that count themselves, the default: one process a case, since they do it once.
my @auto = ('--set', 'counts=auto');
{
    my ($status, $report) = report({}, $profile, @auto);
    is($status, 0, 'counted by instructions');
    is(warnings_of($report), '', 'without a warning');
    for my $name (qw(conflicted padded)) {
        my $case = case_of($report, $name);
        is($case->{$_}{counted_by}, 'instructions', "$name: $_ memory") for qw(shared global);
        is_deeply($case->{shared}{$_}, $case->{model}{shared}{$_}, "$name: shared ${_}s as the model's") for qw(load store);
        is_deeply($case->{global}{$_}, $case->{model}{global}{$_}, "$name: global ${_}s too") for qw(load store);
    }
    my ($text) = (fake({}, 'run', $profile, @auto))[1];
    like($text, qr/^counts   counted on the GPU, instruction by instruction$/m, 'and the table says it');

    ($status, $report) = report({FAKE_SASS_ADDS => 5}, $profile, @auto);
    is(case_of($report, 'padded')->{shared}{load}{wavefronts}, 1029, 'the number is what was counted');
    is(case_of($report, 'padded')->{shared}{load}{ideal}, 1024, 'and so is the ideal');
    like(warnings_of($report), qr/what instructions counted and the model differ; json has both/, 'and a difference is said');
}

# Where they can't, hardware counts.
for my $call (qw(cuptiSassMetricsSetConfig cuptiSassMetricsEnable cuptiSassMetricsGetDataProperties
                 cuptiSassMetricsFlushData cuptiSassMetricsDisable)) {
    my ($status, $report) = report({FAKE_CUPTI_FAIL => "$call:8"}, $profile, @auto);
    is($status, 0, "$call fails: no error");
    is(case_of($report, 'conflicted')->{shared}{counted_by}, 'hardware', "$call: the hardware counts");
    is(case_of($report, 'conflicted')->{shared}{load}{wavefronts}, 32768, "$call: rightly");
}
{
    my ($status, $report) = report({FAKE_CUPTI_LACKS => 'sass_sectors'}, $profile, @auto);
    is(case_of($report, 'padded')->{global}{counted_by}, 'hardware', 'a chip that lacks one: the hardware counts');
    ($status, $report) = report({FAKE_CUPTI_LACKS => 'op_ldgsts'}, $profile, @auto);
    is(case_of($report, 'padded')->{global}{counted_by}, 'instructions', 'a chip that has no such copies needs no count of them');
    ($status, $report) = report({FAKE_CUPTI_FAIL => 'cuptiProfilerInitialize'}, $profile, @auto);
    like(warnings_of($report), qr/^no hardware counters: .*ERR_NVGPUCTRPERM/m, 'no permission for either');
    is(case_of($report, 'padded')->{shared}{source}, 'model', 'the model stands in');
}

for my $call (qw(cuptiProfilerInitialize cuptiProfilerGetCounterAvailability cuptiRangeProfilerEnable cuptiRangeProfilerSetConfig)) {
    my ($status, $report) = report({FAKE_CUPTI_FAIL => $call}, $profile);
    is($status, 0, "no permission at $call: no error");
    my $warnings = warnings_of($report);
    is(() = $warnings =~ /^no hardware counters: .*ERR_NVGPUCTRPERM.*NVreg_RestrictProfilingToAdminUsers=0; the model's counts stand in$/mg,
        1, "$call: one line, with how to get it");
    is(case_of($report, 'padded')->{shared}{source}, 'model', "$call: and the counts are marked as the model's");
    is(case_of($report, 'padded')->{time}{source}, 'gpu', "$call: the times are not touched");
}

for my $call (qw(cuptiProfilerInitialize cuptiDeviceGetChipName cuptiProfilerHostInitialize
                 cuptiProfilerHostGetConfigImageSize cuptiProfilerHostGetConfigImage cuptiRangeProfilerEnable
                 cuptiRangeProfilerGetCounterDataSize cuptiRangeProfilerCounterDataImageInitialize
                 cuptiRangeProfilerSetConfig cuptiRangeProfilerStart cuptiRangeProfilerPushRange
                 cuptiRangeProfilerPopRange cuptiRangeProfilerStop cuptiRangeProfilerDecodeData
                 cuptiProfilerHostEvaluateToGpuValues)) {
    my ($status, $report) = report({FAKE_CUPTI_FAIL => "$call:7"}, $profile);
    is($status, 0, "$call fails: no error");
    like(warnings_of($report), qr/^no hardware counters: \w+: CUPTI_ERROR_INVALID_OPERATION; the model's/m, "$call: named");
    is(case_of($report, 'padded')->{shared}{source}, 'model', "$call: the model stands in");
}

{
    my (undef, $report) = report({FAKE_CUPTI_PASSES => 5}, $profile);
    is(case_of($report, 'conflicted')->{shared}{load}{wavefronts}, 32768, 'several passes count once');
    (undef, $report) = report({FAKE_CUPTI_PASSES => 500}, $profile);
    like(warnings_of($report), qr/more than 64 passes/, 'passes without end');
    (undef, $report) = report({FAKE_CUPTI_DROPS => 1}, $profile);
    like(warnings_of($report), qr/1 of 1 ranges were dropped/, 'a range dropped');
    (undef, $report) = report({FAKE_CUPTI_LACKS => 'mem_global'}, $profile);
    my $case = case_of($report, 'conflicted');
    is($case->{shared}{source}, 'counter', 'a chip without the global counters: shared memory counted');
    is($case->{global}{source}, 'model', 'global memory by the model');
    (undef, $report) = report({FAKE_CUPTI_LACKS => 'sum'}, $profile);
    like(warnings_of($report), qr/this chip has none of those wanted/, 'a chip without any');
}

{
    my (undef, $report) = report({}, $profile, '--set', 'counts=model');
    is(case_of($report, 'padded')->{shared}{source}, 'model', 'counts = model');
    is(warnings_of($report), '', 'is no reason to warn');
    (undef, $report) = report({}, $profile, '--set', 'counts=none', '--case', 'padded');
    ok(!exists case_of($report, 'padded')->{shared}, 'counts = none');
}

# Counters and model that differ: rules of another chip behind the double's counters.
{
    my (undef, $report) = report({FAKE_CUPTI_ADDS => 3}, $profile);
    my $case = case_of($report, 'conflicted');
    is($case->{shared}{load}{wavefronts}, 32771, "the counters' number");
    is($case->{model}{shared}{load}{wavefronts}, 32768, "and the model's");
    ok(!exists $case->{shared}{load}{$_}, "no $_, which only the model could know") for qw(ways ideal);
    ok(!exists $case->{shared}{cycles}, 'nor cycles');
    # Lost with the counters' noise on a real GPU: there was no such ratio.
    is($case->{model}{shared}{cycles}, 33792, "which stand with the model's");
    cmp_ok($case->{slowdown}{baseline}{data_stage}, '>', 10, 'and give the ratio of the data stage');
    like(warnings_of($report), qr/^\S+ and \d+ more: the hardware counters and the model differ/m, 'and it is said, once for all');
    my ($text) = (fake({FAKE_CUPTI_ADDS => 3}, 'run', $profile))[1];
    like($text, qr/^conflicted +pass +32,771 +31,744 +1,024 /m, "the table leaves it out too");
}

done_testing;
