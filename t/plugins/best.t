#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# best.t - transpose_best chooses by the problem: which kernel, and that it is right.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use PluginTest;

# rows, columns, bytes of an element, matrices: the kernel
my @problems = (
    [256, 256, 4, 1, 'transpose_thin_e4_v8_16x16'],
    [512, 512, 4, 1, 'transpose_thin_e4_v16_16x16'],
    [1024, 1024, 4, 1, 'transpose_thin_e4_v16_16x32'],
    [2048, 2048, 4, 1, 'transpose_direct_e4_8x4_2x2_s2'],
    [4096, 4096, 4, 1, 'transpose_wide_e4_v4_64x64'],
    [1024, 1024, 1, 1, 'transpose_wide_e1_v8_128x256'],
    [1024, 1024, 2, 1, 'transpose_wide_e2_v8_128x128'],
    [1024, 1024, 8, 1, 'transpose_wide_e8_v2_64x32'],
    [1024, 1024, 16, 1, 'transpose_wide_e16_v1_16x64'],
    [1023, 1025, 4, 1, 'transpose_skew_e4_64x64'],
    [1001, 1003, 1, 1, 'transpose_skew_e1_128x128'],
    [10000, 37, 4, 1, 'transpose_slab_columns_e4_g4'],
    [37, 10000, 4, 1, 'transpose_slab_rows_e4_g4'],
    [1, 100000, 4, 1, 'transpose_slab_copy'],
    [100000, 1, 2, 1, 'transpose_slab_copy'],
    [16, 16, 4, 1000, 'transpose_direct_packed_e4_s1'],
    [10, 7, 4, 100, 'transpose_slab_pack_e4'],
    [64, 64, 4, 10, 'transpose_wide_e4_v4_64x64_batch'],
    [1000, 100, 4, 3, 'transpose_wide_e4_v4_64x64_batch'],
    [101, 103, 4, 3, 'transpose_skew_e4_64x64_batch'],
);
my $profile = '';
for my $i (0 .. $#problems) {
    my ($rows, $cols, $elem, $batch) = @{$problems[$i]};
    $profile .= "[case c$i]\nplugin = transpose_best\nrows = $rows\ncols = $cols\n"
        . "elem = $elem\nbatch = $batch\n";
}
my ($status, $document) = run_profile($profile);
is($status, 0, 'all are right');
for my $i (0 .. $#problems) {
    my ($rows, $cols, $elem, $batch, $kernel) = @{$problems[$i]};
    is_deeply($document->{cases}[$i]{kernels}, [$kernel],
        "$batch x $rows x $cols of $elem bytes: $kernel");
}
done_testing();
