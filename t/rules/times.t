#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The time model against times measured on the H200 (t/data/times-h200.csv), with the
# plugins' own counts: the bounds that doc/model.md gives. Predictions at 8192 and 16384
# are those at 4096 but for the launch in proportion to the elements, as blocks are: run
# at full size they would take minutes.
use strict;
use warnings;
use JSON::PP;
use Test::More;

my $top = $ENV{top_srcdir};

# Largest deviation of a predicted ratio from a measured one, by size.
my %bound = (2048 => 0.22, 4096 => 0.15, 8192 => 0.15, 16384 => 0.15);
my $time_bound = 0.18;

sub slurp { local (@ARGV, $/) = @_; return scalar <> }

# The kernels that were measured are nvcc's; another compiler's take other instructions,
# which the model counts too.
my ($ptx) = grep { -e } map { "$_/plugins/transpose_naive/transpose_naive.ptx" } $ENV{top_builddir}, $top;
plan skip_all => "these plugins' device code is not nvcc's, as the measured one was"
    if !$ptx || slurp($ptx) !~ /NVIDIA NVVM Compiler/;

my $rates = slurp("$top/conf/devices/h200.ini");
my ($launch) = $rates =~ /^launch_us = ([0-9.]+)$/m or die 'no launch_us';

my %measured;
open my $csv, '<', "$top/t/data/times-h200.csv" or die "times-h200.csv: $!";
<$csv>;
while (<$csv>) {
    chomp;
    my ($case, $n, $us, $ratio) = split /,/;
    $measured{$n}{$case} = {us => $us, ratio => $ratio};
}
is_deeply([sort { $a <=> $b } keys %measured], [sort { $a <=> $b } keys %bound], 'sizes');

# Predicted microseconds of every case of the profile that was measured.
sub predict
{
    my ($n) = @_;
    open my $pipe, '-|', $ENV{BANKLAB}, 'run', '--device=model', '--format=json',
        '--set', "rows=$n", '--set', "cols=$n", "$top/doc/evidence/times.ini"
        or die "$ENV{BANKLAB}: $!";
    my $document = decode_json(do { local $/; <$pipe> });
    close $pipe;
    my %us;
    for my $case (grep { $measured{$n}{$_->{case}} } @{$document->{cases}}) {
        is($case->{time}{source}, 'predicted', "$case->{case} at $n: source");
        $us{$case->{case}} = $case->{time}{median_us};
    }
    return \%us;
}

sub compare
{
    my ($n, $us) = @_;
    for my $case (sort keys %{$measured{$n}}) {
        my ($predicted, $is) = ($us->{$case} / $us->{padded}, $measured{$n}{$case}{ratio});
        my $text = sprintf '%s at %d: predicted %.3f times padded, measured %.3f (%+.1f %%)',
            $case, $n, $predicted, $is, 100 * ($predicted / $is - 1);
        cmp_ok(abs($predicted / $is - 1), '<=', $bound{$n}, $text);
        $is = $measured{$n}{$case}{us};
        cmp_ok(abs($us->{$case} / $is - 1), '<=', $time_bound,
            sprintf '%s at %d: predicted %.1f us, measured %.1f (%+.1f %%)',
            $case, $n, $us->{$case}, $is, 100 * ($us->{$case} / $is - 1));
    }
}

compare(2048, predict(2048));
my $at_4096 = predict(4096);
compare(4096, $at_4096);
for my $n (8192, 16384) {
    my %us = map { $_ => $launch + ($at_4096->{$_} - $launch) * ($n / 4096)**2 }
        keys %$at_4096;
    compare($n, \%us);
}
done_testing();
