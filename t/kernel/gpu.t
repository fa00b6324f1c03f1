# SPDX-License-Identifier: Apache-2.0
#
# gpu.t - kernels without C on the device cuda (a test double of one): checked, counted and
# timed as plugins are, each case with the code that is its own, and its twin's.
use strict;
use warnings;
use lib "$ENV{top_srcdir}/t/kernel", "$ENV{top_srcdir}/t/cuda";
use Test::More;
use Banklab;
use KernelTest;
use FakeGpu;

my ($compiler) = values %{{compilers()}};
plan skip_all => 'no compiler of device code is here' if !$compiler;

my $profile = kernel_profile('gpu.ini',
    kernel_case('dynamic', %square, file => "$kernels/modern.cu", entry => 'dynamic', block => '32, 32',
        'define.PITCH' => '32, 33', 'twin.PITCH' => 33, shared => '32 * PITCH * 4'),
    kernel_case('walk', %copy, file => "$kernels/modern.cu", entry => 'walk', grid => 3,
        args => 'out, in, rows*cols'));
my ($status, $document, $err) = report({}, $profile, '--device=cuda', '--set=max_time=1',
    "--nvcc=$compiler");
is($status, 0, 'it runs');
diag($err) if $err;
is($document->{device}{backend}, 'cuda', 'on the GPU');
my %case = map { $_->{case} => $_ } @{$document->{cases}};
is($case{$_}{verdict}, 'pass', "$_ is right") for sort keys %case;
is($case{$_}{time}{source}, 'gpu', "$_ is timed") for sort keys %case;
is(scalar keys %case, 3, 'all cases');
my ($in, $free) = @case{'dynamic[define.PITCH=32]', 'dynamic[define.PITCH=33]'};
cmp_ok($in->{slowdown}{twin}{ratio}, '>', 1, 'the one with conflicts is slower than its twin');
is($free->{slowdown}{twin}{ratio}, 1, 'which is the case that has its values');
is($in->{shared}{load}{ways}, 32, 'the model tells its ways');

done_testing();
