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
my $profile = <<"END";
[problem]
elem = 1

[case copy]
plugin = copy
cols = $long

[case naive-down]
plugin = transpose_naive
rows = $long
[case naive-along]
plugin = transpose_naive
cols = $long

[case tile-down]
plugin = transpose_tile
tile = 16
rows = $long
[case tile-along]
plugin = transpose_tile
cols = $long

[case rotate-down]
plugin = transpose_rotate
rows = $long

[case xor-down]
plugin = transpose_xor
rows = $long

[case vec-single-along]
plugin = transpose_vec
cols = $long
[case vec-along]
plugin = transpose_vec
rows = 4
cols = $vectors
END

# Sizes that a section leaves out are 1 here.
$profile =~ s/^(plugin = .*\n(?:tile = .*\n)?)(?!rows)/$1rows = 1\n/mg;
$profile =~ s/^(rows = .*\n)(?!cols)/$1cols = 1\n/mg;

my ($status, $document, $said) = run_profile($profile);
my @cases = @{($document // {})->{cases} // []};
is(scalar @cases, 9, 'nine cases ran') or diag($said);
is($_->{verdict}, 'pass', case_label($_)) or diag($_->{detail}) for @cases;
is($status, 0, 'exit status');
done_testing();
