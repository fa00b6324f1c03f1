#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# check --device cuda, on a test double of a GPU: the same runs there, and what differs.
use strict;
use warnings;
use lib "$ENV{top_srcdir}/t/cuda";
use Test::More;
use Banklab;
use FakeGpu;

my $bad = "$ENV{top_builddir}/t/check/bad";
my @check = ('check', '--limit', 20, '--device', 'cuda');

my ($status, $out, $err) = fake({}, @check, "$bad/right.so");
is($status, 0, 'what is right passes') or diag($out, $err);
like($out, qr/^ok \d+ - right: $_ on fake GPU/m, "$_, on the GPU too")
    for 'can be planned and loaded', 'keeps to its buffers and runs to its end',
    'gives the right results';
like($out, qr/^ok \d+ - right: the GPU and the model agree$/m, 'both agree');
unlike($out, qr/races in \w+ memory on/, 'races are looked for on the model alone');

# Three of the runs on the GPU go wrong.
($status, $out, $err) = fake({FAKE_CUDA_FAULT => 'right:3'}, @check, "$bad/right.so");
is($status, 1, 'a fault on the GPU alone fails');
like($out, qr/^ok \d+ - right: keeps to its buffers and runs to its end$/m, 'not on the model');
like($out, qr/^not ok \d+ - right: keeps to its buffers and runs to its end on fake GPU/m, 'but there');
like($out, qr/^not ok \d+ - right: the GPU and the model agree\n# the model says pass, the GPU fail: /m,
    'and that they do not agree');

($status, $out, $err) = fake({FAKE_CUDA_KILL => 'right:2'}, @check, "$bad/right.so", 'copy');
is($status, 1, 'a kernel that takes its process along fails');
like($out, qr/^ok \d+ - copy: the GPU and the model agree$/m, 'and the next plugin is checked all the same');

# Wrong here and there: both say so.
($status, $out, $err) = fake({}, @check, "$bad/swapped.so");
like($out, qr/^not ok \d+ - swapped: gives the right results on fake GPU/m, 'wrong on the GPU too');
like($out, qr/^ok \d+ - swapped: the GPU and the model agree$/m, 'in that they agree');

($status, $out, $err) = fake({FAKE_CUDA_DEVICES => 0}, @check, "$bad/right.so");
is($status, 2, 'without a GPU it cannot be made');
is($out, '', 'and nothing is printed');

done_testing();
