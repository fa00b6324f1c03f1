#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# page.t - doc/transpose.md has the numbers that its reports have, and shows figures that do.
use strict;
use warnings;
use Encode;
use Test::More;
use Banklab;
use Saved ();
use Picture; # finds Figure.pm, too
use Figure;

my $top = $ENV{top_srcdir};
my $page = slurp("$top/doc/transpose.md");

# ---- tables -----------------------------------------------------------------------------
my $tables = qq("$^X" "$top/t/transpose/tables");
my ($status, $fresh, $said) = shell(qq($tables "$top/doc/transpose.md"));
is($status, 0, 'the page can be made again') or diag($said);
my @was = split /\n/, $page;
my @is = split /\n/, $fresh;
is(scalar @is, scalar @was, 'it is as long');
my @differ = grep { ($was[$_] // '') ne ($is[$_] // '') } 0 .. $#is;
# A source that is no report is run on the model, whose counts are of the device code.
my $profiles = grep { Saved::resolve($_) !~ /\.json$/ && !Saved::report_set($_) }
    map { s/, .*//r =~ /\S+/g } $page =~ /^<!-- numbers: (.+) -->$/mg;
SKIP: {
    skip "the page's numbers are of nvcc's device code", 1 if $profiles && !nvcc_code();
    is(scalar @differ, 0, 'its numbers are those of its reports');
}
diag("line " . ($_ + 1) . ": $was[$_]\n now: $is[$_]") for @differ > 5 ? @differ[0 .. 4] : @differ;

# Every table that looks as if it had a case's numbers says whose they are.
my ($orphans, $named) = (0, 0);
for my $block (split /\n{2,}/, $page) {
    next if $block !~ /^\| .*`/m;
    $block =~ /^<!-- numbers: / ? $named++ : $orphans++;
}
is($orphans, 0, 'no table of cases without a source');
cmp_ok($named, '>', 0, 'and some with one');

# The comparison can fail: a digit changed in each row is put right. (The last: words may
# have digits, too.)
my $rotten = $page =~ s/^(\| `[^|]*\|.*)(\d)(?=[^|`]*\|)/$1 . (9 - $2)/mger;
isnt($rotten, $page, 'numbers changed');
spill("$folder/rotten.md", $rotten);
(undef, $fresh) = shell(qq($tables "$folder/rotten.md"));
SKIP: {
    skip "the page's numbers are of nvcc's device code", 1 if $profiles && !nvcc_code();
    is($fresh, $page, 'are put right');
}
($status, undef, $said) = shell($tables);
isnt($status, 0, 'without a page');
like($said, qr/^usage: tables PAGE$/m, 'its usage is told');

# ---- figures ------------------------------------------------------------------------------
my %figures = map { $_->{name} => $_ } figures();
my @shown = $page =~ m{!\[[^\]]+\]\(plots/([\w-]+)\.svg\)}g;
my @links = $page =~ /!\[/g;
is(scalar @shown, scalar @links, 'every picture of the page is a figure of ours, and has a text');
is(join(' ', sort @shown), join(' ', sort keys %figures), 'it shows all figures, and each once');
my @there = map { m{([^/]+)\.svg$} } glob "$top/doc/plots/*.svg";
is(join(' ', sort @there), join(' ', sort keys %figures), 'no picture but those');
for my $name (@shown) {
    my $figure = $figures{$name} // next;
    my $svg = eval { decode('UTF-8', slurp("$top/doc/plots/$name.svg")) };
    ok(defined $svg, "$name is drawn") or diag($@) or next;
    my @points = points($figure);
    is(carried($svg), data_text($figure, @points), "$name: its numbers are its reports'")
        or diag('`make figures` draws them again');
    is(join('; ', misplaced($svg, $figure, @points)), '',
        "$name: and it shows them where they belong");
    is(tangled($svg), '', "$name: it is well-formed");
    unlike($svg, qr/<script|https?:(?!\/\/www\.w3\.org\/)|gnuplot [\d.]+|<desc>Produced/i,
        "$name: and has neither a program nor a link in it, nor whose version drew it");
}
done_testing();
