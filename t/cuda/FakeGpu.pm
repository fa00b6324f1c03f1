# SPDX-License-Identifier: Apache-2.0
#
# FakeGpu.pm - runs the program on the test double of a GPU (t/cuda/fake), for tests.
package FakeGpu;

use strict;
use warnings;
use Exporter qw(import);
use JSON::PP;
use Test::More;
use Banklab;

our @EXPORT = qw(fake report case_of $gpu_log $doubles has_counters run_on_double exec_on_double);

our $doubles = "$ENV{top_builddir}/t/cuda/fake";
our $gpu_log = "$folder/gpu.log";

plan skip_all => 'the device cuda was not built' unless -e "$doubles/libcuda.so.1";

# Whether the program was built with CUPTI, and so has a double of it.
sub has_counters { return -e "$doubles/libcupti.so.13" }

# Becomes a test program of t/cuda, on the double.
sub run_on_double {
    my ($name) = @_;
    my $test = "$ENV{top_builddir}/t/cuda/$name";
    plan skip_all => 'cmocka was not found' unless -x $test;
    $ENV{FAKE_CUDA} = 1;
    $ENV{LD_LIBRARY_PATH} = join ':', $doubles, $ENV{LD_LIBRARY_PATH} // ();
    exec $test or die "$test: $!\n";
}

sub environment {
    my ($env) = @_;
    return (%ENV, FAKE_CUDA_LOG => $gpu_log,
        LD_LIBRARY_PATH => join(':', $doubles, $ENV{LD_LIBRARY_PATH} // ()), %$env);
}

my @program = ('--plugin-dir', "$ENV{top_builddir}/t/cuda/bad");

# Runs the program with the double's environment (fake.h); returns exit status, standard
# output and error. The double's log is emptied before.
sub fake {
    my ($env, @words) = @_;
    unlink $gpu_log;
    local %ENV = environment($env);
    return banklab(@program, @words);
}

# Becomes the program.
sub exec_on_double {
    my ($env, @words) = @_;
    %ENV = environment($env);
    exec $banklab, @program, @words or die "$banklab: $!\n";
}

# Runs a profile on it; returns exit status, the report and standard error.
sub report {
    my ($env, $profile, @words) = @_;
    my ($status, $out, $err) = fake($env, 'run', $profile, '--format', 'json', @words);
    my $report = eval { decode_json($out) };
    diag("status $status, no report: $out$err") unless $report;
    return ($status, $report // {}, $err);
}

sub case_of {
    my ($report, $name) = @_;
    my ($case) = grep { $_->{case} eq $name } @{$report->{cases}};
    return $case // {};
}

1;
