# SPDX-License-Identifier: Apache-2.0
#
# KernelTest.pm - profiles of `plugin = kernel', for the tests of it.
package KernelTest;

use strict;
use warnings;
use Exporter qw(import);
use JSON::PP;
use Banklab;

our @EXPORT = qw(compilers kernel_case kernel_profile run_json refused $kernels %copy %square);

our $kernels = "$ENV{top_srcdir}/t/kernel";

# What is compiled here stays here, whoever runs the test.
$ENV{XDG_CACHE_HOME} = "$folder/cache";
delete @ENV{qw(BANKLAB_NVCC NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS CPATH CPLUS_INCLUDE_PATH)};

# Launches of a copy and of a transpose by tiles of 32.
our %copy = (kind => 'copy', grid => 'ceil(rows*cols/128)', block => 128);
our %square = (kind => 'transpose', grid => 'ceil(cols/32), ceil(rows/32)', block => '32, 8',
    args => 'out, in, rows, cols');

# The compilers of device code that there are here, by name.
sub compilers {
    my %of = (nvcc => $ENV{NVCC}, clang => $ENV{DEVICE_CLANG});
    delete $of{$_} for grep { !$of{$_} } keys %of;
    return %of;
}

# A case's section: its keys, sorted, but for those whose value is undef.
sub kernel_case {
    my ($name, %keys) = @_;
    return join "\n", "[case $name]", 'plugin = kernel',
        (map { "$_ = $keys{$_}" } grep { defined $keys{$_} } sort keys %keys), '', '';
}

sub kernel_profile {
    my ($name, @cases) = @_;
    return profile($name, join "", "[run]\ndevice = model\n\n[problem]\nrows = 70\ncols = 45\n\n", @cases);
}

sub run_json {
    my ($status, $out, $err) = banklab('run', @_, '--format=json');
    print map { "# $_\n" } split /\n/, $err;
    return ($status, eval { decode_json($out) } // {cases => []}, $err);
}

# What is said of a case that can't be made.
sub refused {
    my (%keys) = @_;
    my ($status, $out, $err) = banklab('run', kernel_profile('refused.ini', kernel_case('c', %keys)));
    return $status == 2 ? $err : "exit status $status: $out$err";
}

1;
