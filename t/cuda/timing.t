# SPDX-License-Identifier: Apache-2.0
#
# timing.t - times, ratios, references, the cache, and what is said about them.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use List::Util qw(sum max);
use Banklab;
use FakeGpu;

my $L2 = 256 << 10;
my $text = <<'END';
[run]
counts = none
baseline = padded
max_time = 10
[problem]
rows = 128
cols = 96
[case padded]
plugin = transpose_tile
pad = 1
[case conflicted]
plugin = transpose_tile
END
my $profile = profile('transpose.ini', $text);

sub warnings_of { return join "\n", @{$_[0]{warnings} // []} }
sub width { my ($group, $middle) = @_; return ($group->{high} - $group->{low}) / $group->{$middle} }

sub width_us {
    my ($time) = @_;
    return ($time->{high_us} - $time->{low_us}) / $time->{median_us};
}

# ---- times ---------------------------------------------------------------------------

{
    my ($status, $report) = report({}, $profile);
    my ($padded, $conflicted) = map { case_of($report, $_) } qw(padded conflicted);
    is($padded->{time}{source}, 'gpu', 'timed');
    is($padded->{time}{samples}, $report->{timing}{rounds}, 'a sample a round');
    cmp_ok($conflicted->{time}{median_us}, '>', $padded->{time}{median_us}, 'conflicts take time');
    my $ratio = $conflicted->{time}{median_us} / $padded->{time}{median_us};
    cmp_ok(abs($conflicted->{slowdown}{baseline}{ratio} - $ratio), '<', 1e-6, 'the ratio is of the times');
    cmp_ok(abs($padded->{throughput}{gbps} - 2 * 128 * 96 * 4 / $padded->{time}{median_us} / 1e3), '<', 1e-6, 'useful bytes over the time');
    ok($report->{timing}{precise}, 'until it was precise');
    is($report->{timing}{rounds}, 7, 'after the fewest rounds');
    is(warnings_of($report), '', 'nothing to warn of');
    like((fake({}, 'run', $profile))[1], qr/medians of 7 rounds, until all were within 0\.5 %, cold cache$/m, 'the table says it');
}

# What the case before left in the cache is not this one's: neither gains nor loses by its
# neighbours. And a batch that takes long does without the run that sees to that.
{
    my $two = profile('two.ini', "[problem]\nrows = 128\ncols = 96\n[case xor]\n"
            . "plugin = transpose_xor\n[case naive]\nplugin = transpose_naive\n");
    my %own = map { $_->{case} => $_->{time}{median_us} } @{(report({}, $two))[1]{cases}};
    is(scalar keys %own, 2, 'two kernels, neither of which has a twin');
    my (undef, $report) = report({FAKE_CUDA_LEFT => 100}, $two);
    for my $case (@{$report->{cases}}) {
        my $name = $case->{case};
        cmp_ok(abs($case->{time}{median_us} - $own{$name}), '<', 1e-6 * $own{$name},
            "$name: as fast as without the other");
    }
    (undef, $report) = report({FAKE_CUDA_LEFT => 1e7, FAKE_CUDA_SLOW => 1e6}, $two);
    for my $case (@{$report->{cases}}) {
        my $name = $case->{case};
        cmp_ok($case->{time}{median_us}, '>', $own{$name} * 1e6 + 1e5,
            "$name: where it takes long, it is not run once more for that");
    }
}

# Each batch may be up to 3 % off, and each is 0.5 % slower than the one before.
{
    my %env = (FAKE_CUDA_NOISE => 1, FAKE_CUDA_DRIFT => 0.5);
    my ($status, $report) = report(\%env, $profile, '--set', 'max_time=0.4', '--set', 'precision=0.01');
    my $case = case_of($report, 'conflicted');
    my $still = case_of((report({}, $profile))[1], 'conflicted')->{slowdown}{baseline}{ratio};
    my $ratio = $case->{slowdown}{baseline};
    cmp_ok(width_us($case->{time}), '>', 0.05, 'drift: the interval of the time is wide');
    cmp_ok(width($ratio, 'ratio'), '<', 0.02, 'that of the ratio is not');
    cmp_ok(abs($ratio->{ratio} / $still - 1), '<', 0.02, 'and it is right');
    ok(!$report->{timing}{precise}, 'it was not precise');
    like(warnings_of($report), qr/^timing stopped after (max_time, 0\.4 s|2000 rounds): some 95 % intervals are wider than 0\.01 %/m, 'and says so');
    like((fake(\%env, 'run', $profile, '--set', 'max_time=0.1', '--set', 'precision=0.01'))[1],
        qr/rounds, until max_time, 0\.1 s, cold cache$|rounds, the most there are, cold cache$/m, 'in the table too');
}

{
    my (undef, $report) = report({FAKE_CUDA_NOISE => 1}, $profile, '--set', 'precision=0.5');
    ok($report->{timing}{precise}, 'noise: precise in the end');
    cmp_ok($report->{timing}{rounds}, '>', 7, 'after more rounds');
    cmp_ok(max(map { width_us($_->{time}) } @{$report->{cases}}), '<=', 0.005, 'as precise as asked for');
}

# ---- the cache -------------------------------------------------------------------------

# The two largest allocations are the pools of inputs and of outputs.
sub pools {
    my @sizes = sort { $b <=> $a } slurp($gpu_log) =~ /^alloc (\d+)$/mg;
    return @sizes[0, 1];
}

for my $shape ([128, 96], [64, 64], [16, 16], [512, 512]) {
    my ($rows, $cols) = @$shape;
    my (undef, $report) = report({}, $profile, '--set', "rows=$rows", '--set', "cols=$cols");
    cmp_ok(sum(pools()), '>=', 4 * $L2, "$rows x $cols: inputs and outputs are four times the L2");
    my ($runs) = slurp($gpu_log) =~ /^graph (\d+)$/m;
    cmp_ok($runs * 2 * $rows * $cols * 4, '>=', 4 * $L2, 'and a batch goes through all of them');
    is(warnings_of($report), '', 'nothing to warn of');
}
{
    my (undef, $report) = report({}, $profile, '--set', 'cache=warm');
    is((pools())[0], 128 * 96 * 4 + 2 * 4096, 'warm: one set, smaller than a checked image');
    like((fake({}, 'run', $profile, '--set', 'cache=warm'))[1], qr/, warm cache$/m, 'and the table says it');
    is(warnings_of($report), '', 'no warning: that is what was asked for');
}
{
    # 8192 sets are the most: 8 MiB, of the 4 x 64 wanted.
    my (undef, $report) = report({FAKE_CUDA_L2 => 64 << 20}, $profile, '--set', 'rows=8', '--set', 'cols=16', '--case', 'padded');
    like(warnings_of($report), qr/^padded: the cache is not cold: 8192 sets of buffers, 8 MiB, take turns, which fit in the L2 cache of 64 MiB$/m,
        'a working set that fits in the L2');
    (undef, $report) = report({FAKE_CUDA_L2 => 4 << 20}, $profile, '--set', 'rows=8', '--set', 'cols=16', '--case', 'padded');
    like(warnings_of($report), qr/^padded: the cache is not cold: .* which are less than four times the L2 cache of 4 MiB$/m,
        'or is less than four times as large');
    (undef, $report) = report({FAKE_CUDA_L2 => 32 << 20, FAKE_CUDA_MEMORY => 4 << 20}, $profile, '--case', 'padded');
    like(warnings_of($report), qr/^padded: the cache is not cold: \d+ sets/m, 'too little memory for more sets');
}

# ---- references ----------------------------------------------------------------------

{
    my ($status, $report) = report({}, $profile, '--set', 'reference=memcpy,cublas');
    is($status, 0, 'references');
    my $copy = case_of($report, 'memcpy[128 x 96 x 4]');
    my $geam = case_of($report, 'cublas[128 x 96 x 4]');
    is($_->{time}{source}, 'gpu', "$_->{plugin} is timed") for $copy, $geam;
    cmp_ok(abs($copy->{throughput}{percent_of_copy} - 100), '<', 1e-6, 'a copy is all of a copy');
    for my $case ($geam, case_of($report, 'padded')) {
        my $percent = 100 * $copy->{time}{median_us} / $case->{time}{median_us};
        cmp_ok(abs($case->{throughput}{percent_of_copy} - $percent), '<', 1e-4, "$case->{case}: per cent of the copy");
    }
    my ($widths) = report({}, $profile, '--set', 'reference=cublas', '--set', 'elem=8');
    is($widths, 0, 'of 8 bytes');
    (undef, $report) = report({}, $profile, '--set', 'reference=cublas', '--set', 'elem=2');
    is(case_of($report, 'cublas[128 x 96 x 2]')->{verdict}, 'skip', 'cuBLAS does not do 2 bytes');
    like(case_of($report, 'cublas[128 x 96 x 2]')->{detail}, qr/4, 8 and 16 bytes, not of 2/, 'and says so');
    ($status, $report) = report({}, $profile, '--set', 'reference=memcpy,cublas', '--set', 'batch=3');
    is($status, 0, 'a batch');
    $geam = case_of($report, 'cublas[3 x 128 x 96 x 4]');
    is($geam->{verdict}, 'skip', 'cuBLAS does not do it');
    is($geam->{detail}, 'cuBLAS transposes one matrix a call, not a batch of 3', 'and says so');
    ok(!exists $geam->{time}{median_us}, 'it has no time');
    $copy = case_of($report, 'memcpy[3 x 128 x 96 x 4]');
    is($copy->{time}{source}, 'gpu', 'the copy is of as many bytes');
    is($copy->{problem}{batch}, 3, 'and says of what');
}
for my $call (qw(cublasCreate_v2 cublasSetStream_v2 cublasSgeam)) {
    my ($status, $report) = report({FAKE_CUBLAS_FAIL => $call}, $profile, '--set', 'reference=cublas');
    is($status, 0, "$call fails: the row is skipped");
    my $geam = case_of($report, 'cublas[128 x 96 x 4]');
    is($geam->{verdict}, 'skip', "$call: skip");
    like($geam->{detail}, qr/cuBLAS.* status \d/, "$call: with the status");
    is(case_of($report, 'padded')->{time}{source}, 'gpu', "$call: the others are timed");
}

# ---- the GPU's state ---------------------------------------------------------------------

{
    my (undef, $report) = report({FAKE_NVML => 'sm=1755 memory=2619 power=250500'}, $profile);
    for my $when (qw(before after)) {
        is_deeply($report->{timing}{$when},
            {sm_mhz => 1755, max_sm_mhz => 1980, memory_mhz => 2619, temperature_c => 40, watts => 250.5}, "state $when");
    }
    (undef, $report) = report({FAKE_NVML_AFTER => 'sm=1500 memory=2619'}, $profile);
    is($report->{timing}{before}{sm_mhz}, 1980, 'clock before');
    is($report->{timing}{after}{sm_mhz}, 1500, 'clock after');
    like(warnings_of($report), qr/^the SM clock moved from 1980 to 1500 MHz during the timing$/m, 'it moved');
    (undef, $report) = report({FAKE_NVML => 'sm=1500', FAKE_NVML_AFTER => 'sm=1980'}, $profile);
    like(warnings_of($report), qr/^the SM clock moved from 1500 to 1980 MHz/m, 'upwards too');
    (undef, $report) = report({FAKE_NVML_AFTER => 'sm=1965'}, $profile);
    is(warnings_of($report), '', 'a little is nothing');
    (undef, $report) = report({FAKE_NVML_AFTER => 'memory=1593'}, $profile);
    like(warnings_of($report), qr/^the memory clock moved from 2619 to 1593 MHz/m, "memory's clock");
    (undef, $report) = report({FAKE_NVML_AFTER => 'throttle=0x24'}, $profile);
    like(warnings_of($report), qr/^the GPU was throttled: software power cap, software thermal slowdown$/m, 'throttled');
    is($report->{timing}{after}{throttled}, 'software power cap, software thermal slowdown', 'and in the state');
    (undef, $report) = report({FAKE_NVML => 'throttle=0x103'}, $profile);
    is(warnings_of($report), '', 'idle and set clocks are no throttling');
}
for my $call (qw(nvmlInit_v2 nvmlDeviceGetHandleByPciBusId_v2 nvmlSystemGetDriverVersion nvmlDeviceGetClockInfo
                 nvmlDeviceGetMaxClockInfo nvmlDeviceGetTemperature nvmlDeviceGetCurrentClocksThrottleReasons
                 nvmlDeviceGetPowerUsage)) {
    my ($status, $report) = report({FAKE_NVML_FAIL => $call}, $profile);
    is($status, 0, "$call fails: no error");
    ok(!exists $report->{timing}{before}, "$call: no state is told");
    is(case_of($report, 'padded')->{time}{source}, 'gpu', "$call: times are");
}

done_testing;
