#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The cycles that one strided access takes, by the kernel's own clock: on the model and as
# measured on the H200 (t/data/strides-h200.csv), for strides of 0 to 64 words; and the
# slowdown that follows, against stride 1.
use strict;
use warnings;
use JSON::PP;
use Test::More;

my $top = $ENV{top_srcdir};

# The timed loop has 64 accesses of each of 16 warps. Its second reading waits for the
# last value loaded: cycles that the model's clock, without latency, does not have. By this
# data, 39 to 45 at two and more ways, 55 to 60 at one.
my ($accesses, $wait) = (64 * 16, 41);

sub slurp { local (@ARGV, $/) = @_; return scalar <> }

my %measured;
for (split /\n/, slurp("$top/t/data/strides-h200.csv")) {
    my ($op, $stride, $cycles) = split /,/;
    $measured{$op}{$stride} = $cycles if $op ne 'op';
}

open my $pipe, '-|', $ENV{BANKLAB}, 'run', '--device=model', '--format=json',
    '--set', 'rows=1', "$top/doc/evidence/strides.ini" or die "$ENV{BANKLAB}: $!";
my $document = decode_json(do { local $/; <$pipe> });
close $pipe;

my %model;
for my $case (@{$document->{cases}}) {
    my ($op, $stride) = @{$case->{params}}{qw(op stride)};
    $model{$op}{$stride} = $case->{clock}{cycles_per_access};
    $model{$op}{$stride} += $wait / $accesses if $op eq 'load';
}
for my $op (qw(load store)) {
    for my $stride (0 .. 64) {
        my ($is, $predicted) = ($measured{$op}{$stride}, $model{$op}{$stride});
        cmp_ok(abs($predicted / $is - 1), '<=', 0.05,
            sprintf '%s, stride %d: %.3f cycles, measured %.3f', $op, $stride,
            $predicted, $is);
        $is /= $measured{$op}{1};
        $predicted /= $model{$op}{1};
        cmp_ok(abs($predicted / $is - 1), '<=', 0.05,
            sprintf '%s, stride %d: %.3f times stride 1, measured %.3f', $op, $stride,
            $predicted, $is);
    }
}
done_testing();
