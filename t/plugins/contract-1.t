#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# contract-1.t - the contract of a third of the plugins (Contract.pm), that all are there,
# and more matrices than a grid takes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Contract;
use PluginTest;

my %plugins = built_plugins();
my @known = qw(broadcast conditional copy copy_rows lines operand shared_matrix stride
    structs transpose_async transpose_best transpose_bulk transpose_direct
    transpose_naive transpose_rotate transpose_skew transpose_slab transpose_stream
    transpose_thin transpose_tile transpose_vec transpose_wide transpose_xor);
is_deeply([grep { !$plugins{$_} } @known], [], 'all plugins of the project are found');

many_matrices();
contract_of_part(1, 3);
done_testing();
