# SPDX-License-Identifier: Apache-2.0
#
# Layout.pm - where a figure's things are, and how they look.
#
# All places are worked out here, in pixels from the upper left corner, so that labels can
# stand beside their lines; gnuplot places the data by itself. marks() tells where it must
# have put them.
package Layout;

use strict;
use warnings;
use Exporter qw(import);
use POSIX qw(ceil floor);
use Figure;

our @EXPORT = qw(%colours looks unique layout_lines line_x line_y layout_bars bar_x apart
    marks);

# Name => colour on white, and on black. They were chosen so that the three kinds of colour
# blindness leave them apart, mostly by their lightness; marks differ, too.
our %colours = (
    paper => ['#ffffff', '#0d1117'], ink => ['#1f2328', '#e6edf3'],
    muted => ['#59636e', '#9198a1'], grid => ['#d8dee4', '#30363d'],
    grey => ['#949494', '#7d8590'], brown => ['#5c2a00', '#b5651d'],
    blue => ['#1f6fca', '#4493f8'], sky => ['#14a0c8', '#9bd7f5'],
    green => ['#0d6650', '#17a673'], purple => ['#a8309a', '#d069c4'],
    gold => ['#c98500', '#f7e08a'], vermilion => ['#cc3d00', '#ff8a3d'],
    navy => ['#16266e', '#a9a4ff'],
);
# Shape => gnuplot's number of it, filled and open.
my %shapes = (circle => [7, 6], square => [5, 4], triangle => [9, 8], wedge => [11, 10],
    diamond => [13, 12]);

my $letter = 7.2; # pixels of a letter of 13, about
my ($bar_height, $bar_gap) = (15, 14);

# {colour, point, dashed, width} of a label; of one without a style what is left over.
sub looks
{
    my (@labels) = @_;
    my %styles = styles();
    my %taken = map { $_ => 1 } map { @{$styles{$_} // []} } @labels;
    my @left = grep { !$taken{$_} } qw(blue vermilion green purple gold sky navy brown grey);
    my %looks;
    for my $label (@labels) {
        my @words = @{$styles{$label} // [shift(@left) // 'ink', 'circle']};
        my %look = (colour => 'ink', shape => 'circle', width => 1.5);
        for (@words) {
            if ($colours{$_}) { $look{colour} = $_ }
            elsif ($shapes{$_}) { $look{shape} = $_ }
            elsif ($_ eq 'open' || $_ eq 'dashed') { $look{$_} = 1 }
            elsif ($_ eq 'bold') { $look{width} = 3 }
            else {
                die "$Saved::list: [styles] $label: '$_' is no colour (",
                    join(', ', sort keys %colours), '), shape (', join(', ', sort keys %shapes),
                    "), open, dashed or bold\n";
            }
        }
        $look{point} = $shapes{$look{shape}}[$look{open} ? 1 : 0];
        $looks{$label} = \%look;
    }
    return %looks;
}

sub unique { my %seen; return grep { !$seen{$_}++ } @_ }

# ---- where things are --------------------------------------------------------------------

# A step of the axis so that there are about six.
sub tick_step
{
    my ($range) = @_;
    my $unit = 10**floor(log($range / 6) / log(10));
    for (1, 2, 5, 10) {
        return $_ * $unit if $range / ($_ * $unit) <= 7;
    }
    return 10 * $unit;
}

sub value_axis
{
    my ($figure, @points) = @_;
    my ($most) = sort { $b <=> $a } map { $_->{y}[2] // $_->{y}[0] } @points;
    $most = 100 if $figure->{y} eq '% of copy' && $most < 100;
    my $from = $figure->{from};
    die "$figure->{at}: from = $from is more than all there is\n" if $most <= $from;
    my $step = tick_step($most - $from);
    return {from => $from, step => $step, to => $from + $step * ceil(($most - $from) / $step)};
}

sub longest { my ($most) = sort { $b <=> $a } map { length } @_; return $most }

sub layout_lines
{
    my ($figure, @points) = @_;
    my @x = sort { $a <=> $b } unique(map { $_->{x} } @points);
    my %at = (wide => 900, high => 540, left => 64, top => 84, bottom => 540 - 84, ticks => \@x,
        value => value_axis($figure, @points));
    $at{right} = $at{wide} - 44 - int($letter * longest(map { $_->{label} } @points));
    @at{qw(first last)} = ($x[0] / 2**0.25, $x[-1] * 2**0.25);
    return \%at;
}

sub line_x
{
    my ($at, $x) = @_;
    return $at->{left} + ($at->{right} - $at->{left}) * log($x / $at->{first}) /
        log($at->{last} / $at->{first});
}

sub line_y
{
    my ($at, $y) = @_;
    my $value = $at->{value};
    return $at->{bottom} - ($at->{bottom} - $at->{top}) * ($y - $value->{from}) /
        ($value->{to} - $value->{from});
}

sub layout_bars
{
    my ($figure, @points) = @_;
    my @groups = unique(map { $_->{x} } @points);
    my @labels = map { $_->{label} } @{$figure->{series}};
    my %at = (wide => 900, top => 84, value => value_axis($figure, @points), rows => []);
    $at{left} = 34 + int($letter * longest(map { place_text($figure, $_) } @groups));
    $at{right} = $at{wide} - 72 - int($letter * longest(@labels));
    my $y = $at{top} + $bar_gap / 2;
    for my $group (@groups) {
        my $first = $y;
        for my $label (@labels) {
            my ($point) = grep { $_->{x} eq $group && $_->{label} eq $label } @points;
            next if !$point;
            push @{$at{rows}}, {point => $point, y => $y + $bar_height / 2, top => $y + 1,
                bottom => $y + $bar_height - 1};
            $y += $bar_height;
        }
        push @{$at{groups}}, {text => place_text($figure, $group), y => ($first + $y) / 2};
        $y += $bar_gap;
    }
    $at{bottom} = $y - $bar_gap / 2;
    $at{high} = $at{bottom} + 72;
    return \%at;
}

sub bar_x
{
    my ($at, $value) = @_;
    return $at->{left} + ($at->{right} - $at->{left}) * $value / $at->{value}{to};
}

# Where the data are in the picture: [x, y] of each point, or of a bar's end.
sub marks
{
    my ($figure, @points) = @_;
    if ($figure->{draw} eq 'lines') {
        my $at = layout_lines($figure, @points);
        return map { [line_x($at, $_->{x}), line_y($at, $_->{y}[0])] } @points;
    }
    my $at = layout_bars($figure, @points);
    return map { [bar_x($at, $_->{point}{y}[0]), $_->{y}] } @{$at->{rows}};
}

# Labels {y, text} get the heights {at} nearest to theirs that keep them `least` apart, and
# none below `lowest`.
sub apart
{
    my ($least, $lowest, @labels) = @_;
    my @heaps;
    for my $label (sort { $a->{y} <=> $b->{y} || $a->{text} cmp $b->{text} } @labels) {
        my $heap = heap($least, $lowest, $label);
        # What would lie over each other becomes one heap, around its middle.
        while (@heaps && $heap->{top} < $heaps[-1]{top} + $least * @{$heaps[-1]{labels}}) {
            $heap = heap($least, $lowest, @{pop(@heaps)->{labels}}, @{$heap->{labels}});
        }
        push @heaps, $heap;
    }
    for my $heap (@heaps) {
        my @in = @{$heap->{labels}};
        $in[$_]{at} = $heap->{top} + $_ * $least for 0 .. $#in;
    }
    return @labels;
}

sub heap
{
    my ($least, $lowest, @labels) = @_;
    my $top = -$least * (@labels - 1) / 2;
    $top += $_->{y} / @labels for @labels;
    my $most = $lowest - $least * (@labels - 1);
    return {labels => \@labels, top => $top < $most ? $top : $most};
}

1;

