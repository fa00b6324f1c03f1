#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# figures.t - doc/plots/plot draws what a list of figures asks for, from reports that the
# model makes here, and tells what is wrong with a list.
use strict;
use warnings;
use Encode;
use Test::More;
use Banklab;
use Saved ();
use Picture; # finds Figure.pm, too
use Figure;

my $top = $ENV{top_srcdir};
my $gnuplot = $ENV{GNUPLOT} // '';
my $plot = qq("$^X" "$top/doc/plots/plot");

my $cases = "[case tile]\nplugin = transpose_tile\npad = 1\nROWS\n" .
    "[case copy]\nplugin = copy\nROWS\n";
sub report_of
{
    my ($name, $rows) = @_;
    my $profile = profile("$name.ini", "[problem]\nrows = 32\ncols = 32\n" .
        $cases =~ s/ROWS/$rows/gr);
    my ($status, undef, $said) = banklab('run', $profile, '-d', 'model', '-f', 'json', '-o',
        "$folder/$name.json");
    is($status, 0, "a report: $name") or diag($said);
}
report_of('32', 'cols = 32');
report_of('64', "rows = 64\ncols = 64");
report_of('widths', 'elem = 1,4,16');
report_of('shapes', "rows = 7,64\ncols = 33");
report_of('batch', "rows = 7\nbatch = 3");

sub list
{
    my ($name, $keys) = @_;
    spill("$folder/figures.ini", "[reports sizes]\n32 = $folder/32.json\n64 = $folder/64.json\n" .
        "[styles]\ntile_a^2 <&> 'b' = green square open dashed\n" .
        "[figure $name]\ntitle = A title <&> {/x} 'q'\n$keys\n");
    $Saved::list = "$folder/figures.ini";
}
my $two = "case tile_a^2 <&> 'b' = tile\ncase copy = no-such or copy\n";
my %lists = (
    sizes => "reports = sizes\nx = size\ny = GB/s\n$two",
    widths => "reports = $folder/widths.json\nx = width\ny = % of copy\nfrom = 50\n$two",
    shapes => "reports = $folder/shapes.json $folder/batch.json\nx = shape\ny = GB/s\n" .
        "draw = bars\n$two",
);

# ---- numbers, which need no gnuplot ------------------------------------------------------
my %points = (sizes => 4, widths => 6, shapes => 6);
for my $name (sort keys %lists) {
    list($name, $lists{$name});
    my ($status, $data, $said) = shell(qq($plot --list "$folder/figures.ini" --data $name));
    is($status, 0, "$name has numbers") or diag($said);
    my (undef, undef, @lines) = split /\n/, $data;
    is(scalar @lines, $points{$name}, 'as many as there are cases') or diag($data);
    for (@lines) {
        my (undef, $x, $y, undef, undef, $source, $case) = split /\t/;
        my $report = Saved::report($source);
        my ($of) = grep { $_->{case} eq $case } @{$report->{cases}};
        my $field = $name eq 'widths' ? 'percent_of_copy' : 'gbps';
        is($y, sprintf('%.6g', $of->{throughput}{$field}), "$name at $x: as in the report");
    }
}
list('shapes', $lists{shapes});
my ($figure) = figures();
like(data_text($figure, points($figure)), qr/\t3 of 7 x 32\t/, 'a batch is told');
like(caption(points($figure)), qr/Predicted by the rates of h200, not measured/,
    'and a prediction');

# ---- pictures ------------------------------------------------------------------------------
SKIP: {
    skip 'no gnuplot', 1 if !$gnuplot;
    for my $name (sort keys %lists) {
        list($name, $lists{$name});
        my ($figure) = figures();
        my $draw = qq($plot --list "$folder/figures.ini" --gnuplot "$gnuplot" ) .
            qq(--out "$folder" $name);
        my ($status, $out, $said) = shell($draw);
        is($status, 0, "$name is drawn") or diag($said);
        is($said, '', 'without a word');
        my $bytes = slurp("$folder/$name.svg");
        my $svg = decode('UTF-8', $bytes);
        is(tangled($svg), '', 'it is well-formed');
        my @points = points($figure);
        is(carried($svg), data_text($figure, @points), 'it carries its numbers');
        is(join('; ', misplaced($svg, $figure, @points)), '', 'and shows them');
        my ($least) = sort { $a->{y}[0] <=> $b->{y}[0] } @points;
        $least->{y}[0] *= 0.9;
        is(scalar misplaced($svg, $figure, @points), 1, 'one that it does not show is found');
        like($svg, qr{<text>A title &lt;&amp;(>|&gt;) \{/x\} 'q'</text>},
            'its title is written as it is');
        like($svg, qr/tile_a\^2 &lt;&amp;(>|&gt;) 'b'/, 'and labels');
        shell($draw);
        is(slurp("$folder/$name.svg"), $bytes, 'drawn again it is the same');
    }
}

# ---- what goes wrong -------------------------------------------------------------------------
sub complains
{
    my ($keys, $like, $what) = @_;
    list('f', $keys);
    my ($status, undef, $said) = shell(qq($plot --list "$folder/figures.ini" --data));
    isnt($status, 0, $what);
    like($said, $like, "$what: is told");
}
my $axes = "x = size\ny = GB/s\n";
complains("reports = sizes\nx = size\ny = GBs\n$two",
    qr/figures\.ini:6: y = GBs: it is one of % of copy, GB\/s/, 'an unknown y');
complains("reports = sizes\n$axes", qr/figures\.ini:6: the figure has no case/,
    'a figure without cases');
complains("reports = sizes\n${axes}case a = tiles\n",
    qr/figures\.ini:11: no report of 'sizes' has a number of tiles/, 'a case that no report has');
complains("reports = $folder/absent.json\n$axes$two", qr/absent\.json: No such file/,
    'a missing report');
complains("reports = $folder/shapes.json\n$axes$two",
    qr/is of 7 x 33 x 4: x = size takes one square/, 'another shape as a size');
complains("reports = sizes $folder/32.json\n$axes$two",
    qr/figures\.ini:11: tile and tile are both 'tile_a\S+ .*' at size 32/, 'two numbers at one place');
complains("reports = $folder/widths.json\n$axes$two",
    qr/are both .* at size 32|more than one width/, 'widths beside each other over sizes');
complains("reports = sizes\nx = shape\ny = GB/s\n$two", qr/lines need x = size or x = width/,
    'lines over shapes');
complains("reports = sizes\n$axes${two}draw = bars\nfrom = 5\n", qr/bars begin at 0/,
    'bars from elsewhere');
complains("reports = sizes\n$axes${two}colour = red\n", qr/and no 'colour'/, 'an unknown key');
complains("reports = sizes\n${axes}$two\n[styles]\nx\n", qr/figures\.ini:\d+: 'x' is neither/,
    'no INI');
{
    list('f', $lists{sizes});
    my ($status, undef, $said) = shell(qq($plot --list "$folder/figures.ini" ) .
        qq(--out "$folder" --gnuplot /no/gnuplot));
    isnt($status, 0, 'without gnuplot nothing is drawn');
    like($said, qr{/no/gnuplot: .*gnuplot draws the figures \(apt install gnuplot-nox\)},
        'and that is told');
    ok(!-e "$folder/f.svg", 'and no picture is there');
    ($status, undef, $said) = shell(qq($plot --list "$folder/figures.ini" --data g));
    like($said, qr/has no \[figure g\]; it has: f/, 'an unknown figure is told');
    my $make = $ENV{MAKE_PROGRAM} // 'make';
    ($status, undef, $said) = shell(qq($make -C "$ENV{top_builddir}" figures GNUPLOT=));
    isnt($status, 0, '`make figures` without gnuplot');
    like($said, qr/figures are drawn by gnuplot.*apt install gnuplot-nox/, 'tells so');
}
done_testing();
