#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The project's own plugins keep the contract.
use strict;
use warnings;
use Test::More;
use Banklab;

plan skip_all => 'BANKLAB_QUICK is set' if $ENV{BANKLAB_QUICK};

my ($listed, $names) = banklab('list', '--names=plugins');
is($listed, 0, 'plugins are listed');
my @plugins = grep { -e "$ENV{top_builddir}/plugins/$_/$_.la" } split ' ', $names;
cmp_ok(scalar @plugins, '>=', 15, 'and are many');

for my $plugin (@plugins) {
    my ($status, $out, $err) = banklab('check', '--quick', $plugin);
    is($status, 0, "$plugin passes") or diag($out, $err);
    like($out, qr/^1\.\.\d+\n/, "$plugin: its plan stands first");
    my ($points) = $out =~ /^1\.\.(\d+)/;
    my @told = $out =~ /^ok (\d+) - $plugin: /mg;
    is_deeply(\@told, [1 .. $points // 0], "$plugin: and so many points follow");
    # Skips have reasons; nothing but far indexes can't be tried with the project's own.
    my @skipped = $out =~ /^ok \d+ - \w+: (.*) # SKIP ./mg;
    is_deeply([grep { $_ ne 'indexes more than 2^32 elements' } @skipped], [],
        "$plugin: runs could be made");
}

# Plugins that take whole vectors alone are asked for a shape that suits them.
my (undef, $direct) = banklab('check', '--quick', 'transpose_direct');
like($direct, qr/^ok \d+ - transpose_direct: indexes more than 2\^32 elements$/m,
    'far indexes are tried where rows must be multiples of 16 bytes');
my (undef, $slab) = banklab('check', '--quick', 'transpose_slab');
like($slab, qr/^ok \d+ - transpose_slab: indexes more than 2\^32 elements$/m,
    'and where one side must be small');

done_testing();
