#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The contract that every plugin keeps, whoever wrote it: for any shape, any of its
# element widths and any of its settings the result is right bit for bit, or the case is
# skipped with a reason.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use PluginTest;

my @small = ([1, 1], [1, 1000], [1000, 1], [31, 33], [64, 64], [100, 260]);
my @large = ([1023, 1025]);

my %plugins = built_plugins();
my @known = qw(broadcast conditional copy copy_rows lines operand shared_matrix stride
    structs transpose_best transpose_bulk transpose_direct transpose_naive
    transpose_rotate
    transpose_skew transpose_slab transpose_stream transpose_thin transpose_tile
    transpose_vec transpose_wide transpose_xor);
is_deeply([grep { !$plugins{$_} } @known], [], 'all plugins of the project are found');

# Batches: rows, columns, matrices.
my @batched = ([1, 1, 20], [31, 33, 2], [64, 100, 3], [80, 48, 5]);

# One section a shape and setting; the widths are a sweep.
sub profile
{
    my ($name, $shapes, $settings) = @_;
    my ($text, $number) = ('', 0);
    for my $shape (@$shapes) {
        for my $setting (@$settings) {
            $text .= sprintf "[case c%d]\nplugin = %s\nrows = %d\ncols = %d\nbatch = %d\nelem = %s\n",
                $number++, $name, @$shape[0, 1], $shape->[2] // 1, join ',', @{$plugins{$name}{elems}};
            $text .= "$setting->[0] = $setting->[1]\n" if @$setting;
        }
    }
    return $text;
}

sub keeps_contract
{
    my ($name, $what, $text) = @_;
    my ($status, $document, $said) = run_profile($text);
    my @cases = @{($document // {})->{cases} // []};
    my $want = () = $text =~ /^\[case/mg;
    $want *= @{$plugins{$name}{elems}};
    my @bad = grep {
        $_->{verdict} ne 'pass' && !($_->{verdict} eq 'skip' && length $_->{detail})
    } @cases;
    my $passed = grep { $_->{verdict} eq 'pass' } @cases;
    ok($status == 0 && @cases == $want && !@bad && $passed,
        "$name: $what, $want cases") or do {
        diag("exit status $status, " . @cases . " cases");
        diag($said) unless $document;
        diag("$_->{verdict}: " . case_label($_) . ": $_->{detail}")
            for @bad > 5 ? @bad[0 .. 4] : @bad;
    };
}

for my $name (sort keys %plugins) {
    my @settings = @{$plugins{$name}{sets}};
    keeps_contract($name, 'every shape and width', profile($name, [@small, @large], [[]]));
    keeps_contract($name, 'every setting', profile($name, \@small, \@settings))
        if @settings;
}

# Who knows batches does them all, but for shapes that it refuses one matrix of, too; the
# others are skipped, and never wrong.
sub takes_batches
{
    my ($name, $what, $settings) = @_;
    my ($status, $document) = run_profile(profile($name, \@batched, $settings));
    my @cases = @{($document // {})->{cases} // []};
    my @bad = grep {
        $plugins{$name}{batches}
            ? !($_->{verdict} eq 'pass' || $_->{verdict} eq 'skip' && $_->{detail} !~ /batch/
                && (@$settings > 1 || $_->{detail} =~ /multiple of 16 bytes/))
            : !($_->{verdict} eq 'skip' && $_->{detail} =~ /knows no batches/)
    } @cases;
    my $want = @batched * @$settings * @{$plugins{$name}{elems}};
    my %passed = map {$_->{problem}{elem} => 1} grep {$_->{verdict} eq 'pass'} @cases;
    my $none = $plugins{$name}{batches} && keys %passed < @{$plugins{$name}{elems}};
    ok($status == 0 && @cases == $want && !@bad && !$none, "$name: $what, $want cases") or do {
        diag("no case passed of some width") if $none;
        diag("$_->{verdict}: " . case_label($_) . ": $_->{detail}")
            for @bad > 5 ? @bad[0 .. 4] : @bad;
    };
}

for my $name (sort keys %plugins) {
    my $knows = qx{"@{[banklab()]}" describe $name} =~ /^batches/m;
    is($knows, $name =~ /^(transpose_.*|copy)$/ ? 1 : '',
        "$name: " . ($knows ? 'knows batches' : 'knows none'));
    $plugins{$name}{batches} = $knows;
    takes_batches($name, 'batches', [[]]);
    takes_batches($name, 'batches with every setting', $plugins{$name}{sets})
        if $knows && @{$plugins{$name}{sets}};
}

# More matrices than a grid has blocks in z.
{
    my %other = (transpose_bulk => "rows = 4\ncols = 4\nside = 1\n",
        transpose_direct => "rows = 4\ncols = 4\n",
        transpose_stream => "rows = 4\ncols = 4\ntile = 64x32\n",
        transpose_thin => "rows = 4\ncols = 4\n");
    my ($status, $document) = run_profile("[problem]\nrows = 1\ncols = 2\nbatch = 65537\n"
            . join '', map {"[case $_]\nplugin = $_\n" . ($other{$_} // '')}
            grep {$plugins{$_}{batches}} sort keys %plugins);
    is($status, 0, '65537 matrices');
    is_deeply([grep {$_->{verdict} ne 'pass'} @{$document->{cases}}], [], 'are right');
}

done_testing();
