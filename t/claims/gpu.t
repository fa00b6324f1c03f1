#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# On a GPU, here its double, what is said of today holds too, and what is said of then is
# passed over with a reason: only the model has those rules.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../cuda";
use Test::More;
use Banklab;
use FakeGpu;

# Small, and timed as briefly as can be: it is the verdicts that count.
my %small = (transpose => [''], 'shared-memory' => ['s5-shared.', 's5-global.']);
for my $name (sort keys %small) {
    my ($status, $report, $said) = report({}, "claims/$name", '--device', 'cuda',
        '--set', 'max_time=0.1', '--set', 'counts=model',
        map { ('--set', "${_}rows=256", '--set', "${_}cols=256") } @{$small{$name}});
    is($status, 0, "claims/$name: exit status") or diag($said);
    my %cases = map { $_->{case} => $_ } grep { $_->{kind} } @{$report->{cases}};
    my @then = grep { /-then/ } sort keys %cases;
    my @now = grep { !/-then/ } sort keys %cases;
    cmp_ok(scalar @then, '>=', 4, 'cases of then');
    is_deeply([grep { $cases{$_}{verdict} ne 'skip' } @then], [], 'are skipped');
    is_deeply([grep { $cases{$_}{detail} !~ /cc10/ } @then], [], 'with the reason');
    is_deeply([map {"$_: $cases{$_}{detail}"} grep { $cases{$_}{verdict} ne 'pass' } @now], [],
        'those of now pass');
}
done_testing();
