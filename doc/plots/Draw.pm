# SPDX-License-Identifier: Apache-2.0
#
# Draw.pm - draws a figure: a script for gnuplot, whose SVG is then made to suit a light and
# a dark page, and carries its numbers.
package Draw;

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use Figure;
use Layout;

our @EXPORT = qw(svg);

sub quoted { my ($text) = @_; $text =~ s/'/''/g; return "'$text'" }
sub colour { return quoted($colours{$_[0]}[0]) }

# ---- gnuplot's script ----------------------------------------------------------------------

sub place
{
    my ($at, $x, $y) = @_;
    return sprintf 'screen %.6f, screen %.6f', $x / $at->{wide}, 1 - $y / $at->{high};
}

sub words
{
    my ($at, $x, $y, $text, $size, $colour, $side) = @_;
    return 'set label ' . quoted($text) . ' at ' . place($at, $x, $y) . " $side front font " .
        quoted("sans-serif,$size") . ' textcolor rgb ' . colour($colour) . "\n";
}

sub head
{
    my ($figure, $at, @points) = @_;
    my ($muted, $paper) = map { colour($_) } qw(muted paper);
    return "set encoding utf8\n" .
        "set terminal svg size $at->{wide},$at->{high} dynamic noenhanced " .
        "font 'sans-serif,13' name 'f' background rgb $paper\n" .
        sprintf("set %smargin at screen %.6f\n" x 4, 'l', $at->{left} / $at->{wide},
        'r', $at->{right} / $at->{wide}, 't', 1 - $at->{top} / $at->{high},
        'b', 1 - $at->{bottom} / $at->{high}) .
        "unset key\nset border 0\nset errorbars small\n" .
        "set tics nomirror scale 0 textcolor rgb $muted\n" .
        words($at, 20, 28, $figure->{title}, 17, 'ink', 'left') .
        words($at, 20, $at->{high} - 18, caption(@points), 12, 'muted', 'left');
}

sub heading { return join '; ', grep { $_ } @_ }

# A grid across one axis; of per cent with the whole marked.
sub grid
{
    my ($figure, $axis) = @_;
    my $script = "set grid ${axis}tics back lt 1 lw 1 lc rgb " . colour('grid') . "\n";
    return $script if $figure->{y} ne '% of copy';
    my @ends = $axis eq 'y' ? ('graph 0, first 100', 'graph 1, first 100')
        : ('first 100, graph 0', 'first 100, graph 1');
    return $script . "set arrow from $ends[0] to $ends[1] nohead back lw 1 lc rgb " .
        colour('muted') . "\n";
}

sub ticks { return '(' . join(', ', map { quoted($_->[1]) . " $_->[0]" } @_) . ")\n" }

sub value_ticks
{
    my ($value) = @_;
    my $count = int(($value->{to} - $value->{from}) / $value->{step} + 0.5);
    my @ticks = map { $value->{from} + $_ * $value->{step} } 0 .. $count;
    return ticks(map { [$_, whole($_)] } @ticks);
}

sub whole { my ($text) = @_; 1 while $text =~ s/^(\d+)(\d{3})/$1,$2/; return $text }

sub ends
{
    my ($value, $low, $high) = @{$_[0]};
    return ($value, $low // $value, $high // $value);
}

# A line's data; a place that it has no number for parts it.
sub line_data
{
    my ($at, @own) = @_;
    my %at = map { $_->{x} => $_ } @own;
    return join '', map { $at{$_} ? join(' ', $_, ends($at{$_}{y})) . "\n" : "\n" }
        @{$at->{ticks}};
}

# Each beside its line's end.
sub line_labels
{
    my ($at, $looks, @points) = @_;
    my %last = map { $_->{label} => $_ } @points;
    my @labels = apart(16, $at->{bottom}, map { {text => $_, x => line_x($at, $last{$_}{x}),
        y => line_y($at, $last{$_}{y}[0])} } sort keys %last);
    my $script = '';
    for (@labels) {
        my $colour = $looks->{$_->{text}}{colour};
        $script .= words($at, $at->{right} + 30, $_->{at}, $_->{text}, 13, $colour, 'left');
        $script .= sprintf "set arrow from %s to %s nohead lw 0.7 lc rgb %s\n",
            place($at, $_->{x} + 7, $_->{y}), place($at, $at->{right} + 26, $_->{at}),
            colour($colour);
    }
    return $script;
}

sub script_lines
{
    my ($figure, @points) = @_;
    my $at = layout_lines($figure, @points);
    my @labels = unique(map { $_->{label} } @points);
    my %looks = looks(@labels);
    my $script = head($figure, $at, @points) .
        words($at, 20, 60, heading(y_title($figure), common($figure, @points)), 13, 'muted',
        'left') .
        words($at, ($at->{left} + $at->{right}) / 2, $at->{bottom} + 42, x_title($figure), 13,
        'muted', 'center') .
        "set logscale x 2\nset xrange [$at->{first}:$at->{last}]\n" .
        "set yrange [$at->{value}{from}:$at->{value}{to}]\n" .
        'set xtics ' . ticks(map { [$_, $_] } @{$at->{ticks}}) .
        'set ytics ' . value_ticks($at->{value}) . grid($figure, 'y') .
        line_labels($at, \%looks, @points);
    my @plots;
    for my $label (@labels) {
        my ($look, $data) = ($looks{$label}, '$d' . @plots);
        $script .= "$data << E\n" .
            line_data($at, grep { $_->{label} eq $label } @points) . "E\n";
        push @plots, "$data with yerrorlines lw $look->{width} pt $look->{point} ps 0.7 " .
            'lc rgb ' . colour($look->{colour}) . ($look->{dashed} ? ' dt (12,8)' : ' dt solid');
    }
    return $script . 'plot ' . join(', ', @plots) . "\n";
}

sub bar_text
{
    my ($figure, $point) = @_;
    my $value = $figure->{y} eq 'GB/s' ? whole(sprintf '%.0f', $point->{y}[0])
        : sprintf '%.1f', $point->{y}[0];
    return "$value  $point->{label}";
}

# The data of one label's bars, and how they are plotted.
sub bars
{
    my ($name, $colour, @rows) = @_;
    my $data = '';
    for (@rows) {
        my ($value, $low, $high) = ends($_->{point}{y});
        $data .= join(' ', $value, $_->{y}, 0, $value, $_->{top}, $_->{bottom}, $low, $high) .
            "\n";
    }
    return ("$name << E\n${data}E\n", "$name using 1:2:3:4:5:6 with boxxyerror lc rgb " .
        colour($colour) . ", $name using 1:2:7:8 with xerrorbars pt 0 lw 1.2 lc rgb " .
        colour('ink'));
}

sub script_bars
{
    my ($figure, @points) = @_;
    my $at = layout_bars($figure, @points);
    my @labels = unique(map { $_->{label} } @points);
    my %looks = looks(@labels);
    my $script = head($figure, $at, @points) .
        words($at, 20, 60, heading(y_title($figure), common($figure, @points)), 13, 'muted',
        'left') .
        "set xrange [0:$at->{value}{to}]\nset yrange [$at->{bottom}:$at->{top}]\n" .
        'set xtics ' . value_ticks($at->{value}) . "unset ytics\n" . grid($figure, 'x') .
        "set style fill solid noborder\n";
    $script .= words($at, $at->{left} - 10, $_->{y}, $_->{text}, 13, 'ink', 'right')
        for @{$at->{groups}};
    for (@{$at->{rows}}) {
        my (undef, undef, $high) = ends($_->{point}{y});
        $script .= words($at, bar_x($at, $high) + 6, $_->{y}, bar_text($figure, $_->{point}), 12,
            'ink', 'left');
    }
    my @plots;
    for my $label (@labels) {
        my ($data, $plot) = bars('$b' . @plots, $looks{$label}{colour},
            grep { $_->{point}{label} eq $label } @{$at->{rows}});
        $script .= $data;
        push @plots, $plot;
    }
    return $script . 'plot ' . join(', ', @plots) . "\n";
}

# ---- the picture -----------------------------------------------------------------------

sub xml
{
    my ($text) = @_;
    my %names = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;');
    return $text =~ s/([&<>])/$names{$1}/gr;
}

# Where the reader's page is dark the picture has the other colours, its ground among them:
# it can be read on any page, whatever that makes of it. Texts among the data, of 12, keep
# what is behind them at a distance.
sub style
{
    my $near = '[font-size="12.00"]';
    my @rules = "$near\{stroke:$colours{paper}[1]}";
    for (sort keys %colours) {
        my ($light, $dark) = @{$colours{$_}};
        push @rules, map { "[$_=\"$light\"]{$_:$dark}" } qw(fill stroke color);
    }
    return "<style>\n$near\{stroke:$colours{paper}[0];stroke-width:3;paint-order:stroke}\n" .
        "\@media (prefers-color-scheme: dark) {\n" . join("\n", @rules) . "\n}\n</style>";
}

# gnuplot's version, and what draws nothing, stay out.
sub polished
{
    my ($svg, $figure, @points) = @_;
    my $about = '<title>' . xml($figure->{title}) . "</title>\n<desc>" .
        xml(heading(y_title($figure), common($figure, @points)) . '. ' . caption(@points)) .
        "</desc>\n<metadata>\n" . xml(data_text($figure, @points)) . "</metadata>\n" . style();
    $svg =~ s{<title>.*?</title>\s*<desc>.*?</desc>}{$about}s
        or die "gnuplot's SVG has no <desc>\n";
    $svg =~ s{<filter.*?</filter>\s*}{}gs;
    $svg =~ s{rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)}{sprintf '#%02x%02x%02x', $1, $2, $3}ge;
    $svg =~ s{(["'])(#[0-9A-F]{6})\1}{$1 . lc($2) . $1}ge;
    $svg =~ s{<path\b[^>]*d='M[\d.]+,[\d.]+\s*'/>\s*}{}g;
    my @titles = map { $figure->{draw} eq 'bars' ? ($_, "$_: interval") : $_ }
        unique(map { $_->{label} } @points);
    $svg =~ s{<title>f_plot_(\d+)</title>}{'<title>' . xml($titles[$1 - 1]) . '</title>'}ge;
    1 while $svg =~ s{<g\b[^>]*>\s*</g>\s*}{}g;
    $svg =~ s/[ \t]+$//mg;
    $svg =~ s/\n{2,}/\n/g;
    return $svg;
}

# The figure as SVG, drawn by the gnuplot named.
sub svg
{
    my ($gnuplot, $figure, @points) = @_;
    my $script = tempdir(CLEANUP => 1) . '/script';
    open my $out, '>:encoding(UTF-8)', $script or die "$script: $!\n";
    print $out $figure->{draw} eq 'bars' ? script_bars($figure, @points)
        : script_lines($figure, @points);
    close $out or die "$script: $!\n";
    open my $in, '-|:encoding(UTF-8)', $gnuplot, $script
        or die "$gnuplot: $!: gnuplot draws the figures (apt install gnuplot-nox)\n";
    local $/;
    my $drawn = <$in>;
    close $in or die "$figure->{name}: $gnuplot failed\n";
    return polished($drawn, $figure, @points);
}

1;
