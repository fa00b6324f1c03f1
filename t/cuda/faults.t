# SPDX-License-Identifier: Apache-2.0
#
# faults.t - a case that faults, hangs or kills its process fails alone, wherever it
# stands and whatever comes after it.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Banklab;
use FakeGpu;

# counts = none: else the model, which runs first, would find the faults.
my $head = <<'END';
[run]
timeout = 1
max_time = 0.2
counts = none
[problem]
rows = 64
cols = 32
END

my %env = (FAKE_CUDA_KILL => 'die');
my %expected = (
    right => ['pass', qr/^$/],
    fault => ['fail', qr/^cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS \(an illegal memory access/],
    hang  => ['fail', qr/^hangs: no result within 1 s$/],
    die   => ['fail', qr/^the process that ran it is gone: killed by signal 6 \(Aborted\)$/],
    aborting_plan      => ['error', qr/misdeed\.so: plan was killed by signal 6/],
    sleepy_plan        => ['error', qr/misdeed\.so: plan hangs: no result within 1 s$/],
    aborting_reference => ['error', qr/misdeed\.so: reference was killed by signal 6/],
);

sub cases { return join '', map { "[case c$_]\nplugin = misdeed\ndeed = $_[$_]\n" } 0 .. $#_ }

sub check {
    my ($name, @deeds) = @_;
    my ($status, $report, $err) = report(\%env, profile('bad.ini', $head . cases(@deeds)));
    for my $i (0 .. $#deeds) {
        my ($verdict, $detail) = @{$expected{$deeds[$i]}};
        my $case = case_of($report, "c$i");
        is($case->{verdict}, $verdict, "$name: $i, $deeds[$i]");
        like($case->{detail}, $detail, "$name: $i, why");
        is(exists $case->{time} ? 1 : 0, $verdict eq 'pass' ? 1 : 0, "$name: $i, a time if right");
    }
    return ($status, $err);
}

{
    my ($status) = check('each', qw(right fault right hang right die right));
    is($status, 1, 'failures');
    ($status, my $err) = check('own code', qw(right aborting_plan right sleepy_plan aborting_reference right));
    is($status, 2, 'errors');
    like($err, qr/bad\.ini:11: case c1: .*plan was killed/, 'with the line of the profile');
}
# Every order of the three: nothing sticks.
check(join(' ', @$_), @$_, 'right')
    for [qw(die hang fault)], [qw(die fault hang)], [qw(hang die fault)],
        [qw(hang fault die)], [qw(fault hang die)], [qw(fault die hang)], [qw(fault fault die die)];

# ---- not at once, but while it is timed ----------------------------------------------

for my $deed (['FAKE_CUDA_FAULT', qr/CUDA_ERROR_ILLEGAL_ADDRESS/], ['FAKE_CUDA_HANG', qr/hangs: no result within 1 s/],
              ['FAKE_CUDA_KILL', qr/killed by signal 6/]) {
    my ($name, $why) = @$deed;
    # The kernel `die` is c1's alone; it runs once for its verdict, in a process of its
    # own count, and thousands of times in batches.
    my ($status, $report) = report({$name => 'die:4000'}, profile('late.ini', $head . cases(qw(right die right))));
    is($status, 1, "$name in a round: a failure");
    is(case_of($report, 'c1')->{verdict}, 'fail', "$name: of the case that did it");
    like(case_of($report, 'c1')->{detail}, qr/^while it was timed: .*$why/, "$name: which says so");
    ok(!exists case_of($report, 'c1')->{time}, "$name: and has no time");
    for my $other ('c0', 'c2') {
        is(case_of($report, $other)->{verdict}, 'pass', "$name: $other passes");
        is(case_of($report, $other)->{time}{source}, 'gpu', "$name: and is timed");
    }
}

# ---- the lab itself ends ------------------------------------------------------------------

for my $signal (qw(INT TERM KILL)) {
    my $hanging = profile('hang.ini', "[run]\ntimeout = 600\ncounts = none\n[case x]\nplugin = misdeed\n");
    unlink $gpu_log;
    my $lab = fork // die "fork: $!\n";
    if ($lab == 0) {
        setpgrp;
        $SIG{INT} = 'DEFAULT';
        open STDOUT, '>', '/dev/null' or die;
        exec_on_double({FAKE_CUDA_HANG => 'right'}, 'run', $hanging);
    }
    my $worker;
    for (1 .. 600) {
        ($worker) = -e $gpu_log ? slurp($gpu_log) =~ /^hang (\d+)$/m : ();
        last if $worker;
        select undef, undef, undef, 0.05;
    }
    ok($worker, "SIG$signal: a worker hangs") or do { kill 'KILL', $lab; waitpid $lab, 0; next };
    kill $signal, $lab;
    waitpid $lab, 0;
    my $alive = 1;
    for (1 .. 200) {
        $alive = -e "/proc/$worker/stat" && slurp("/proc/$worker/stat") !~ /\) Z /;
        last unless $alive;
        select undef, undef, undef, 0.05;
    }
    ok(!$alive, "SIG$signal: it does not outlive the lab");
    kill 'KILL', $worker if $alive;
}

# ---- what can't be run ------------------------------------------------------------------

sub error_of {
    my ($env, $text, @words) = @_;
    my ($status, $report) = report($env, profile('wrong.ini', "$head$text"), @words);
    is(case_of($report, 'after')->{verdict}, 'pass', 'the case behind it passes') if $text =~ /case after/;
    return (case_of($report, 'x')->{verdict}, case_of($report, 'x')->{detail});
}

{
    my $after = "[case after]\nplugin = misdeed\n";
    my ($verdict, $detail) = error_of({}, "[case x]\nplugin = syntax\n$after");
    is($verdict, 'error', 'PTX that the JIT refuses');
    like($detail, qr/^syntax\.so: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX \(.*\)\nfake JIT, ptx:6: /, "with the JIT's log");
    ($verdict, $detail) = error_of({}, "[case x]\nplugin = misdeed\ngrid = 65535\n$after");
    is($verdict, 'skip', 'a grid over the limit');
    like($detail, qr/grid\.y = 65536 is over the device's 65535/, 'with both');
    ($verdict, $detail) = error_of({}, "[case x]\nplugin = misdeed\nshared = 240000\n$after");
    is($verdict, 'skip', 'shared memory over the limit');
    like($detail, qr/240000 bytes of dynamic shared memory/, 'with both');
    ($verdict) = error_of({}, "[case x]\nplugin = misdeed\nshared = 200000\n$after");
    is($verdict, 'pass', 'shared memory above 48 KB is opted in to');
    ($verdict, $detail) = error_of({FAKE_CUDA_KERNEL_THREADS => 63}, "[case x]\nplugin = misdeed\n");
    is($verdict, 'skip', "registers' limit on a block");
    like($detail, qr/kernel right: blocks of 64 threads; its registers allow 63/, 'with both');
}

{
    my ($verdict, $detail) =
        error_of({FAKE_CUDA_MEMORY => 1 << 20}, "[case x]\nplugin = misdeed\nrows = 4096\ncols = 1024\n[case after]\nplugin = misdeed\n");
    is($verdict, 'error', 'more memory than is free');
    like($detail, qr/needs 50,\d{3},\d{3} bytes of memory \(.*\); a case may use 1,048,576 /, 'needed and free');
    ok(slurp($gpu_log) !~ /alloc \d{8}/, 'and it was not even tried');
}

{
    # Free when it was looked at, and gone when it was asked for.
    my ($verdict, $detail) = error_of({FAKE_CUDA_FAIL => 'cuMemAlloc:1:2'}, "[case x]\nplugin = misdeed\n[case after]\nplugin = misdeed\n");
    is($verdict, 'error', 'memory that goes: an error, no failure of the kernel');
    like($detail, qr/^the buffer \S+: \d+ bytes of GPU memory, of which \d+ are free: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY/, 'with sizes');
}

done_testing;
