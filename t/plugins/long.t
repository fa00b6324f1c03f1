#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# More tiles in a direction than a grid has blocks in y (65,535): along and down.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use PluginTest;

my $long = 65536 * 32 + 17; # tiles of 32 and of 16, and a partial one
my $vectors = 65536 * 64 + 4; # tiles of 64 that vectors fill
my @cases_of = (
    ['copy', '', 1, $long],
    ['copy_rows', "height = 1\n", 70000, 3],
    ['transpose_naive', '', $long, 1],
    ['transpose_naive', '', 1, $long],
    ['transpose_tile', "tile = 16\n", $long, 1],
    ['transpose_tile', '', 1, $long],
    ['transpose_rotate', '', $long, 1],
    ['transpose_xor', '', $long, 1],
    ['transpose_vec', '', 1, $long],
    ['transpose_vec', '', 4, $vectors],
    ['transpose_skew', "tile = 32x32\n", 1, $long, 8],
    ['transpose_wide', "tile = 32x32\norder = down\n", 2, $long + 1, 8],
);
my ($profile, $number) = ('', 0);
for (@cases_of) {
    my ($plugin, $setting, $rows, $cols, $elem) = @$_;
    $profile .= sprintf "[case c%d]\nplugin = %s\n%srows = %d\ncols = %d\nelem = %d\n",
        $number++, $plugin, $setting, $rows, $cols, $elem // 1;
}

my ($status, $document, $said) = run_profile($profile);
my @cases = @{($document // {})->{cases} // []};
is(scalar @cases, scalar @cases_of, 'all cases ran') or diag($said);
is($_->{verdict}, 'pass', case_label($_)) or diag($_->{detail}) for @cases;
is($status, 0, 'exit status');
done_testing();
