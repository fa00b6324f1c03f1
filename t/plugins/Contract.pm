# SPDX-License-Identifier: Apache-2.0
#
# Contract.pm - the contract that every plugin keeps, whoever wrote it: for any shape, any
# of its element widths and any of its settings the result is right bit for bit, or the
# case is skipped with a reason. contract-1.t and its like take a part of the plugins each,
# so that they can run side by side.
package Contract;
use strict;
use warnings;
use Exporter 'import';
use Test::More;
use PluginTest;

our @EXPORT = qw(contract_of_part many_matrices);

my @small = ([1, 1], [1, 1000], [1000, 1], [31, 33], [64, 64], [100, 260]);
my @large = ([1023, 1025]);
# For every setting. Under sanitizers, which look at the lab and not at the plugins, some.
my @some = $ENV{BANKLAB_QUICK} ? @small[1, 3, 4] : @small;
my %plugins = built_plugins();

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

sub knows_batches
{
    my ($name) = @_;
    return qx{"@{[banklab()]}" describe $name} =~ /^batches/m;
}

sub contract
{
    my ($name) = @_;
    my @settings = @{$plugins{$name}{sets}};
    my $knows = $plugins{$name}{batches} = knows_batches($name);

    keeps_contract($name, 'every shape and width', profile($name, [@small, @large], [[]]));
    keeps_contract($name, 'every setting', profile($name, \@some, \@settings))
        if @settings;
    is($knows, $name =~ /^(transpose_.*|copy)$/ ? 1 : '',
        "$name: " . ($knows ? 'knows batches' : 'knows none'));
    takes_batches($name, 'batches', [[]]);
    takes_batches($name, 'batches with every setting', \@settings) if $knows && @settings;
}

# Every $of-th plugin, from the $part-th (from 1) on.
sub contract_of_part
{
    my ($part, $of) = @_;
    my @names = sort keys %plugins;
    contract($names[$_]) for grep { $_ % $of == $part - 1 } 0 .. $#names;
}

# More matrices than a grid has blocks in z.
sub many_matrices
{
    my %other = (transpose_async => "rows = 4\ncols = 4\n",
        transpose_bulk => "rows = 4\ncols = 4\nside = 1\n",
        transpose_direct => "rows = 4\ncols = 4\n",
        transpose_stream => "rows = 4\ncols = 4\ntile = 64x32\n",
        transpose_thin => "rows = 4\ncols = 4\n");
    my ($status, $document) = run_profile("[problem]\nrows = 1\ncols = 2\nbatch = 65537\n"
            . join '', map {"[case $_]\nplugin = $_\n" . ($other{$_} // '')}
            grep {knows_batches($_)} sort keys %plugins);
    is($status, 0, '65537 matrices');
    is_deeply([grep {$_->{verdict} ne 'pass'} @{$document->{cases}}], [], 'are right');
}

1;
