#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# contract-2.t - the contract of a third of the plugins (Contract.pm).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Contract;

contract_of_part(2, 3);
done_testing();
