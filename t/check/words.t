#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The command's words: what it takes, what it refuses, its exit status.
use strict;
use warnings;
use Test::More;
use Banklab;

my $bad = "$ENV{top_builddir}/t/check/bad";

my ($status, $out, $err) = banklab('check', '--limit', 5, 'copy', 'transpose_naive');
is($status, 0, 'several plugins at a time') or diag($err);
like($out, qr/ - copy: .* - transpose_naive: /s, 'one after the other');
($status, $out) = banklab('check', '--limit', 5, 'copy', "$bad/pad_unused.so");
is($status, 1, 'one that fails makes the exit status 1');
like($out, qr/^ok \d+ - copy: keeps/m, 'and the others are told all the same');

# The same words, the same answer.
my @same = map { (banklab('check', '--limit', 40, '--seed', 7, 'transpose_tile'))[1] } 1, 2;
is($same[0], $same[1], 'one seed gives one answer');

# Rules of an arch: before 7.0, a warp's lanes go together.
($status, $out, $err) = banklab('check', '--quick', '--arch', 'cc60', "$bad/no_warp_sync.so");
is($status, 0, 'on cc 6.0 a warp needs no __syncwarp()') or diag($out, $err);
($status, $out, $err) = banklab('check', '--quick', '--arch', 'cc70', "$bad/no_warp_sync.so");
is($status, 1, 'on cc 7.0 it does');

# Files that are no plugins.
spill("$folder/text.so", "no plugin\n");
($status, $out, $err) = banklab('check', "$folder/text.so");
is($status, 1, 'a file that is no plugin fails');
like($out, qr/^not ok 1 - text\.so: keeps the plugin interface\n# .*text\.so/m, 'and it is said why');
($status, $out, $err) = banklab('check', "$ENV{top_builddir}/t/load/bad/no_plan.so");
like($out, qr/^not ok 1 .*\n# .*no plan; set \.plan/m, 'so does one that breaks the interface')
    if -e "$ENV{top_builddir}/t/load/bad/no_plan.so";

for ([['check'], qr/check needs a PLUGIN/],
     [['check', 'nosuch'], qr/nosuch/],
     [['check', 'transpose_tiel'], qr/did you mean "transpose_tile"/],
     [['check', 'kernel'], qr/kernel is made of what a profile's case says/],
     [['check', '--limit', '0', 'copy'], qr/--limit takes a number from 1/],
     [['check', '--limit', 'x', 'copy'], qr/--limit takes .*"x"/],
     [['check', '--seed', '-1', 'copy'], qr/--seed takes/],
     [['check', '--arch', 'cc11', 'copy'], qr/--arch.*cc11/],
     [['check', '--device', 'toaster', 'copy'], qr/toaster/]) {
    my ($words, $reason) = @$_;
    my ($status, $out, $err) = banklab(@$words);
    is($status, 2, "(@$words) exits with 2");
    is($out, '', "(@$words) prints nothing on standard output");
    like($err, $reason, "(@$words) says why");
}
($status, $out, $err) = shell("\"\$BANKLAB\" check --limit 3 copy > /dev/full");
is($status, 2, 'a full disk is not missed');

done_testing();
