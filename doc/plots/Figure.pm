# SPDX-License-Identifier: Apache-2.0
#
# Figure.pm - what a figure shows: figures.ini read, and its numbers from the reports.
package Figure;

use strict;
use warnings;
use Exporter qw(import);
use Saved;

our @EXPORT = qw(figures styles points data_text x_title y_title place_text
    common caption);

# x => [the axis' title, the place of a case on it, how bars call that place].
my %axes = (
    size => ['size: rows = columns', \&side, sub { "$_[0] x $_[0]" }],
    width => ['bytes of an element', sub { $_[0]{problem}{elem} },
        sub { $_[0] == 1 ? '1 byte' : "$_[0] bytes" }],
    shape => ['', \&shape, sub { $_[0] }],
);
my %values = (
    'GB/s' => ['GB/s, read and written', sub { gbps($_[0]) }],
    '% of copy' => ['% of the driver\'s copy', sub { percent_of_copy(@_) }],
);
my %defaults = (draw => 'lines', from => 0);

sub side
{
    my ($case) = @_;
    my $problem = $case->{problem};
    return $problem->{rows} if $problem->{rows} == $problem->{cols} && !$problem->{batch};
    die "$case->{case} is of ", problem_text($case), ": x = size takes one square matrix\n";
}

sub shape
{
    my $problem = $_[0]{problem};
    return ($problem->{batch} ? "$problem->{batch} of " : '') .
        "$problem->{rows} x $problem->{cols}";
}

# ---- figures.ini ----------------------------------------------------------------------

sub one_of
{
    my ($figure, $key, @known) = @_;
    my $value = $figure->{$key} // $defaults{$key} // '';
    return $figure->{$key} = $value if grep { $_ eq $value } @known;
    die "$figure->{at}: $key = $value: it is one of ", join(', ', sort @known), "\n";
}

sub figure_of
{
    my ($section, $name) = @_;
    my %figure = (name => $name, at => "$Saved::list:$section->{line}", series => []);
    for (@{$section->{keys}}) {
        my ($key, $value, $line) = @$_;
        if ($key =~ /^case (.+)$/) {
            push @{$figure{series}}, {label => $1, patterns => [split /\s+or\s+/, $value],
                at => "$Saved::list:$line"};
        } elsif ($key =~ /^(title|reports|x|y|draw|from)$/) {
            $figure{$key} = $value;
        } else {
            die "$Saved::list:$line: a figure has title, reports, x, y, draw, from and " .
                "'case LABEL', and no '$key'\n";
        }
    }
    one_of(\%figure, 'x', keys %axes);
    one_of(\%figure, 'y', keys %values);
    one_of(\%figure, 'draw', qw(lines bars));
    $figure{from} //= $defaults{from};
    die "$figure{at}: bars begin at 0\n" if $figure{draw} eq 'bars' && $figure{from} != 0;
    die "$figure{at}: lines need x = size or x = width: a shape has no place on an axis\n"
        if $figure{draw} eq 'lines' && $figure{x} eq 'shape';
    $figure{$_} // die "$figure{at}: the figure has no $_\n" for qw(title reports);
    return \%figure;
}

# All figures, in the list's order.
sub figures
{
    return map { $_->{name} =~ /^figure (\S+)$/ ? figure_of($_, $1) : () } sections($Saved::list);
}

# Label => words of its look.
sub styles
{
    return map { $_->{name} eq 'styles' ? map { ($_->[0] => [split ' ', $_->[1]]) }
        @{$_->{keys}} : () } sections($Saved::list);
}

# ---- numbers ----------------------------------------------------------------------------

sub sources
{
    my ($figure) = @_;
    return map { my $set = $_; my @members = report_set($set);
        @members ? map { "$set/$_->[0]" } @members : $set } split ' ', $figure->{reports};
}

sub series_points
{
    my ($figure, $series, $source) = @_;
    my $report = report($source);
    my (undef, $place) = @{$axes{$figure->{x}}};
    my (undef, $value) = @{$values{$figure->{y}}};
    my ($cases) = grep { @$_ }
        map { [map { cases_like($report, $_) } split /\s*,\s*/] } @{$series->{patterns}};
    my @points;
    for my $case (@{$cases // []}) {
        my $y = $value->($case, $report) // next;
        push @points, {x => $place->($case), y => $y, label => $series->{label},
            source => resolve($source), report => $report, case => $case};
    }
    return @points;
}

# The figure's points: {label, x, y => [value, low, high], source, report, case}, series by
# series in the figure's order. Dies where a series has none, or two at one place.
sub points
{
    my ($figure) = @_;
    my @points;
    for my $series (@{$figure->{series}}) {
        my (@own, %seen);
        push @own, series_points($figure, $series, $_) for sources($figure);
        die "$series->{at}: no report of '$figure->{reports}' has a number of ",
            join(' or ', @{$series->{patterns}}), "\n" if !@own;
        for (@own) {
            my $other = $seen{$_->{x}} //= $_;
            die "$series->{at}: $_->{case}{case} and $other->{case}{case} are both ",
                "'$series->{label}' at $figure->{x} $_->{x}: name one of them\n"
                if $other != $_;
        }
        @own = sort { $a->{x} <=> $b->{x} } @own if $figure->{draw} eq 'lines';
        push @points, @own;
    }
    die "$figure->{at}: the figure has no case\n" if !@points;
    return alike($figure, @points);
}

# What a caption says once must be so of all.
sub alike
{
    my ($figure, @points) = @_;
    my %of = (device => sub { join ', ', grep { defined }
            @{$_->{report}{device}}{qw(name driver)} },
        'source of times' => sub { $_->{case}{time}{source} });
    $of{'width of elements'} = sub { $_->{case}{problem}{elem} } if $figure->{x} ne 'width';
    for my $what (sort keys %of) {
        my %found = map { $of{$what}->() => 1 } @points;
        die "$figure->{at}: more than one $what: ", join('; ', sort keys %found), "\n"
            if keys %found > 1;
    }
    return @points;
}

# ---- words --------------------------------------------------------------------------------

sub x_title { return $axes{$_[0]{x}}[0] }
sub y_title { return $values{$_[0]{y}}[0] }
sub place_text { my ($figure, $x) = @_; return $axes{$figure->{x}}[2]->($x) }

# What all points have in common: "elements of 4 bytes", "8192 x 8192 elements"; or ''.
sub common
{
    my ($figure, @points) = @_;
    my $elem = $points[0]{case}{problem}{elem};
    return 'elements of ' . $axes{width}[2]->($elem) if $figure->{x} ne 'width';
    my %shapes = map { shape($_->{case}) => 1 } @points;
    return keys %shapes == 1 ? (keys %shapes)[0] . ' elements' : '';
}

# "NVIDIA H200, driver 580.159.04, 2026-11-30. Bars show ..."
sub caption
{
    my (@points) = @_;
    my ($device, $source) = ($points[0]{report}{device}, $points[0]{case}{time}{source});
    my %days = map { substr($_->{report}{timing}{date}, 0, 10) => 1 }
        grep { ($_->{report}{timing} // {})->{date} } @points;
    my @days = sort keys %days;
    my $when = @days > 1 ? "$days[0] to $days[-1]" : $days[0];
    my $what = join ', ', grep { defined } $device->{name},
        $device->{driver} && "driver $device->{driver}", $when;
    return $source eq 'predicted'
        ? "$what. Predicted by the rates of " . ($device->{rates} // 'no device') .
            ', not measured.'
        : "$what. Medians; error bars are 95 % intervals.";
}

# The data as text: a heading, and a line a point. It goes into the picture.
sub data_text
{
    my ($figure, @points) = @_;
    my @lines = ("figure $figure->{name}: x is $figure->{x}, y is $figure->{y}",
        join "\t", qw(label x y low high report case));
    for (@points) {
        my ($value, $low, $high) =
            map { defined $_ ? sprintf '%.6g', $_ : '-' } @{$_->{y}}[0 .. 2];
        push @lines, join "\t", $_->{label}, $_->{x}, $value, $low, $high, $_->{source},
            $_->{case}{case};
    }
    return join '', map { "$_\n" } @lines;
}

1;
