# SPDX-License-Identifier: Apache-2.0
#
# Picture.pm - looks into the figures that doc/plots/plot draws, for the tests of them.
package Picture;

use strict;
use warnings;
use Exporter qw(import);
use lib "$ENV{top_srcdir}/doc/plots";
use Layout;

our @EXPORT = qw(carried misplaced tangled);

# The numbers that a picture carries, as `plot --data` prints them.
sub carried
{
    my ($svg) = @_;
    my ($text) = $svg =~ m{<metadata>\n(.*?)</metadata>}s or return '';
    my %of = (amp => '&', lt => '<', gt => '>');
    return $text =~ s/&(amp|lt|gt);/$of{$1}/gr;
}

# Those of the figure's points that the picture does not show where they belong, to half a
# pixel: for a point there must be a mark, for a bar a rectangle that ends there.
sub misplaced
{
    my ($svg, $figure, @points) = @_;
    my @drawn = $figure->{draw} eq 'lines'
        ? map { [split /,/] } $svg =~ /<use [^>]*transform='translate\(([\d.]+,[\d.]+)\)/g
        : map { my @corners = /[\d.]+/g; [$corners[2], ($corners[1] + $corners[5]) / 2] }
            $svg =~ /<polygon [^>]*points = '([^']*)'/g;
    my @missing;
    for my $mark (marks($figure, @points)) {
        push @missing, "@$mark" if !grep { abs($_->[0] - $mark->[0]) < 0.5 &&
            abs($_->[1] - $mark->[1]) < 0.5 } @drawn;
    }
    return @missing;
}

# What is not well-formed of the picture's elements; '' of one that is.
sub tangled
{
    my ($svg) = @_;
    my @open;
    $svg =~ s/^<\?xml[^>]*\?>//;
    return "a bare & in '$1'" if $svg =~ /(&(?!amp;|lt;|gt;|quot;|#).{0,20})/s;
    my $attribute = qr{\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')};
    while ($svg =~ m{<(/?)([\w:]+)$attribute*\s*(/?)>|(<.{0,30})}gs) {
        return "no element: $4" if defined $4;
        next if $3;
        push @open, $2 if !$1;
        next if !$1;
        my $last = pop(@open) // 'none';
        return "</$2> where </$last> belongs" if $last ne $2;
    }
    return @open ? "not closed: @open" : '';
}

1;
