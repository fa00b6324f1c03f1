#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The counts of the transposes, worked out here a second time from what a warp's lanes
# address, and of the patterns, from arithmetic.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min sum0);
use Test::More;
use PluginTest;

# Wavefronts of one warp's accesses without partners to merge, at byte addresses.
sub wavefronts
{
    my ($width, $lanes) = @_;    # lanes: [lane, address], ...
    my ($sum, $ways) = (0, 0);
    my $phase_lanes = $width <= 4 ? 32 : 128 / $width;
    my %phases;
    push @{$phases{int($_->[0] / $phase_lanes)}}, $_->[1] for @$lanes;
    for my $addresses (values %phases) {
        my %banks;
        for my $address (@$addresses) {
            my $first = int($address / 4);
            my $last = int(($address + $width - 1) / 4);
            $banks{$_ % 32}{$_} = 1 for $first .. $last;
        }
        my $most = max map { scalar keys %$_ } values %banks;
        $sum += $most;
        $ways = max $ways, $most;
    }
    return ($sum, $ways, scalar keys %phases);
}

sub add_shared
{
    my ($counts, $side, $width, $lanes) = @_;
    return if !@$lanes;
    my ($wavefronts, $ways, $phases) = wavefronts($width, $lanes);
    $counts->{"shared_${side}_requests"}++;
    $counts->{"shared_${side}_wavefronts"} += $wavefronts;
    $counts->{"shared_${side}_conflicts"} += $wavefronts - $phases;
    $counts->{"shared_${side}_ways"} = max $ways, $counts->{"shared_${side}_ways"} // 0;
}

sub add_global
{
    my ($counts, $side, $width, $lanes) = @_;
    return if !@$lanes;
    my %sectors = map { int($_->[1] / 32) => 1 } @$lanes;
    $counts->{"global_${side}_requests"}++;
    $counts->{"global_${side}_sectors"} += keys %sectors;
    $counts->{"global_${side}_ideal"} += int((@$lanes * $width + 31) / 32);
}

# A transpose through a tile by 256 threads, tile x 256/tile; $place says where in shared
# memory, in elements, the tile's row r, column c lies.
sub tiled
{
    my ($rows, $cols, $elem, $tile, $place) = @_;
    my %counts = map { $_ => 0 } map { ("shared_${_}_conflicts") } qw(load store);
    my $steps = $tile * $tile / 256;
    for my $r0 (map { $_ * $tile } 0 .. int(($rows - 1) / $tile)) {
        for my $c0 (map { $_ * $tile } 0 .. int(($cols - 1) / $tile)) {
            for my $warp (0 .. 7) {
                for my $step (0 .. $steps - 1) {
                    my (@in, @put, @got, @out);
                    for my $lane (0 .. 31) {
                        my $thread = 32 * $warp + $lane;
                        my $x = $thread % $tile;
                        my $y = int($thread / $tile) + $step * 256 / $tile;
                        if ($r0 + $y < $rows && $c0 + $x < $cols) {
                            push @in, [$lane, $elem * (($r0 + $y) * $cols + $c0 + $x)];
                            push @put, [$lane, $elem * $place->($y, $x)];
                        }
                        if ($c0 + $y < $cols && $r0 + $x < $rows) {
                            push @got, [$lane, $elem * $place->($x, $y)];
                            push @out, [$lane, $elem * (($c0 + $y) * $rows + $r0 + $x)];
                        }
                    }
                    add_global(\%counts, 'load', $elem, \@in);
                    add_shared(\%counts, 'store', $elem, \@put);
                    add_shared(\%counts, 'load', $elem, \@got);
                    add_global(\%counts, 'store', $elem, \@out);
                }
            }
        }
    }
    return \%counts;
}

my ($rows, $cols) = (70, 100);
my (@wanted, $profile);
$profile = "[problem]\nrows = $rows\ncols = $cols\n";

sub want
{
    my ($plugin, $settings, $counts) = @_;
    $profile .= sprintf "[case c%d]\nplugin = %s\n%s\n", scalar @wanted, $plugin,
        join '', map {"$_ = $settings->{$_}\n"} sort keys %$settings;
    push @wanted, $counts;
}

for my $elem (1, 2, 4, 8, 16) {
    for my $tile (16, 32, 64) {
        for my $pad (0, 1, 2, 4) {
            want('transpose_tile', {elem => $elem, tile => $tile, pad => $pad},
                tiled($rows, $cols, $elem, $tile, sub { $_[0] * ($tile + $pad) + $_[1] }));
        }
        my $rotated = tiled($rows, $cols, $elem, $tile,
            sub { $_[0] * $tile + ($_[0] + $_[1]) % $tile });
        want('transpose_rotate', {elem => $elem, tile => $tile}, $rotated);
        my $step = $tile == 64 && $elem < 4 ? 2 : 1;
        my $swizzled = tiled($rows, $cols, $elem, $tile,
            sub { $_[0] * $tile + ($_[1] ^ ($_[0] * $step) % $tile) });
        is($swizzled->{shared_load_conflicts} + $swizzled->{shared_store_conflicts}, 0,
            "the XOR swizzle is free of conflicts, elem $elem, tile $tile");
        want('transpose_xor', {elem => $elem, tile => $tile}, $swizzled);
    }
}

# 1024 x 1024 words, 32,768 warps' worth: whole tiles, known by heart.
my %square = (rows => 1024, cols => 1024);
want('transpose_tile', {%square, pad => 0}, {
    shared_load_requests => 32768, shared_load_wavefronts => 32768 * 32,
    shared_load_conflicts => 32768 * 31, shared_load_ways => 32,
    shared_store_requests => 32768, shared_store_conflicts => 0, shared_store_ways => 1,
    global_load_sectors => 131072, global_store_sectors => 131072,
});
want('transpose_tile', {%square, pad => 1}, {
    shared_load_wavefronts => 32768, shared_load_conflicts => 0, shared_load_ways => 1,
    shared_store_wavefronts => 32768, shared_store_conflicts => 0,
});
want('transpose_tile', {%square, tile => 16, pad => 0}, {
    shared_load_ways => 8, shared_store_ways => 1,
});
want('transpose_naive', {%square}, {
    global_load_requests => 32768, global_load_sectors => 131072,
    global_store_requests => 32768, global_store_sectors => 32768 * 32,
    global_store_ideal => 131072,
});
want('transpose_vec', {%square}, {
    map({ ("global_${_}_requests" => 8192, "global_${_}_sectors" => 131072,
           "shared_${_}_requests" => 8192, "shared_${_}_wavefronts" => 32768,
           "shared_${_}_conflicts" => 0, "shared_${_}_ways" => 1) } qw(load store)),
});
want('transpose_vec', {rows => 1020, cols => 1028, elem => $_}, {
    shared_load_conflicts => 0, shared_store_conflicts => 0,
}) for 1, 2, 4, 8, 16;
want('copy', {%square}, {
    global_load_requests => 8192, global_load_sectors => 131072, global_load_ideal => 131072,
    global_store_requests => 8192, global_store_sectors => 131072,
});

# The patterns: cycles of an access are max(beats, wavefronts), exactly.
sub gcd { my ($a, $b) = @_; return $b ? gcd($b, $a % $b) : $a }
for my $stride (0 .. 40, 64, 96, 99) {
    my $ways = $stride ? gcd($stride, 32) : 1;
    want('stride', {rows => 1, cols => 512, stride => $stride}, {
        shared_load_ways => $ways, cycles => $ways, shared_load_requests => 2 * 64 * 16,
        shared_load_wavefronts => 2 * 64 * 16 * $ways,
    });
}
for my $op (qw(load store)) {
    for my $stride (1, 2, 3, 4, 8, 16, 31, 32) {
        # Phases of 16 lanes of 2 words, of 8 lanes of 4 words.
        my %ways = (8 => min(16, gcd($stride, 16)), 16 => min(8, gcd($stride, 8)));
        want('stride', {rows => 1, cols => 512, stride => $stride, elem => $_, op => $op,
            memory => 'dynamic'}, {
            "shared_${op}_ways" => $ways{$_}, cycles => $ways{$_} * $_ / 4,
        }) for 8, 16;
    }
    for my $stride (1, 2, 4, 8, 16, 32, 64, 128) {
        want('stride', {rows => 1, cols => 512, stride => $stride, elem => $_, op => $op}, {
            "shared_${op}_ways" => max(1, $stride * $_ / 4 > 32 ? 32 : $stride * $_ / 4),
            cycles => max(1, $stride * $_ / 4 > 32 ? 32 : $stride * $_ / 4),
        }) for 1, 2;
    }
}
for my $words (1, 2, 3, 7, 16, 31, 32) {
    for my $group (qw(blocks cyclic)) {
        want('broadcast', {rows => 1, cols => 512, words => $words, group => $group}, {
            shared_load_ways => 1, cycles => 1,
        });
        want('broadcast', {rows => 1, cols => 512, words => $words, group => $group,
            spread => 32}, {shared_load_ways => $words, cycles => $words});
    }
}

my ($status, $document, $said) = run_profile($profile);
my @cases = @{($document // {})->{cases} // []};
is(scalar @cases, scalar @wanted, 'all cases ran') or diag($said);
for my $i (0 .. $#cases) {
    my $got = counts_of($cases[$i]);
    my %seen = map { $_ => $got->{$_} } keys %{$wanted[$i]};
    is_deeply(\%seen, $wanted[$i], case_label($cases[$i]))
        or diag($cases[$i]{detail});
}
done_testing();
