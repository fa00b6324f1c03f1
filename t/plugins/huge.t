#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# huge.t - problems that no device has memory for, 2^40 bytes and more: each plugin's plan
# refuses them, or makes a launch that the lab can refuse. (transpose_skew planned a grid
# of 0 blocks, or divided by it; so did transpose_slab.)
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use PluginTest;

# A side of 2^32 tiles of any size, or just not so many, and what 32 bits leave of it.
my @shapes = map {
    my $long = 2**$_;
    map { ([$long, $_], [$long - 1, $_], [$_, $long + 128]) } 1, 2, 3, 16
} 34, 36 .. 42;
my $least = 2**40 - 2; # bytes
my %plugins = built_plugins();
for my $name (grep { $plugins{$_}{kind} ne 'pattern' } sort keys %plugins) {
    my ($profile, $number) = ('', 0);
    for my $elem (grep { $_ != 2 && $_ != 8 } @{$plugins{$name}{elems}}) {
        for my $batch (1, 2) {
            for (grep { $_->[0] * $_->[1] * $batch * $elem >= $least } @shapes) {
                $profile .= sprintf "[case c%d]\nplugin = %s\nrows = %d\ncols = %d\n"
                    . "elem = %d\nbatch = %d\n", $number++, $name, @$_, $elem, $batch;
            }
        }
    }
    my ($status, $document, $said) = run_profile($profile);
    my @cases = @{($document // {})->{cases} // []};
    ok($number && @cases == $number, "$name: $number problems") or diag($said);
    my @bad = grep {
        $_->{verdict} ne 'skip'
            && !($_->{verdict} eq 'error' && $_->{detail} =~ /^the problem needs .* bytes of memory/)
    } @cases;
    is(scalar @bad, 0, "$name: refused in words, by the plan or by the lab")
        or diag(map { case_label($_), ": $_->{detail}\n" } @bad[0 .. ($#bad < 4 ? $#bad : 4)]);
}

# Tiles in blocks of 16 x 16 would take 2^35 blocks, where 2^31 - 1 do.
my (undef, $document) = run_profile("[case c]\nplugin = transpose_wide\norder = blocks\n"
        . sprintf("rows = %d\ncols = 1\nelem = 16\n", 2**35 - 16));
like($document->{cases}[0]{detail}, qr/bytes of memory/,
    'transpose_wide: 2^31 - 1 tiles are planned, whatever the order');
done_testing();
