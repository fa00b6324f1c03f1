# SPDX-License-Identifier: Apache-2.0
#
# Tables.pm - fills the tables of a page with numbers of reports: those of doc/claims.md
# and doc/transpose.md.
#
# A line `<!-- numbers: SOURCE... -->` stands before a table; Saved.pm tells what a source
# is. A row is that of the case whose name its first cell has in `backquotes`; the other
# columns are filled by their headings, which %columns below knows. Of several sources each
# cell is of the first that has the number; in one row they must be of one problem.
#
# A heading "..., KEY" takes the number from the member KEY of the table's set of reports,
# and "..., H200" from doc/evidence/h200/claims-NAME.json, a report of the table's profile
# claims/NAME made on a GPU. `<!-- numbers: SET, HEADING -->` stands before a table of that
# one number, whose headings are keys of the set alone.
package Tables;

use strict;
use warnings;
use Exporter qw(import);
use POSIX qw(ceil);
use Saved;

our @EXPORT = qw(filled);

my $none = "\x{2013}";
my $plus_minus = "\x{b1}";

# ---- how numbers look ---------------------------------------------------------------

sub whole
{
    my ($number) = @_;
    return undef if !defined $number;
    1 while $number =~ s/^(\d+)(\d{3})/$1,$2/;
    return $number;
}
sub real { defined $_[0] ? sprintf '%.2f', $_[0] : undef }

# "1-2" where the rules leave it open.
sub range
{
    my ($side, $field) = @_;
    my ($most, $least) = @{$side // {}}{$field, "${field}_least"};
    return defined $least && $least != $most ? whole($least) . $none . whole($most)
        : whole($most);
}

# "33.38 ± 0.05": the interval's farther end, rounded up so that both ends are within.
sub spread
{
    my ($number, $digits) = @_;
    my ($value, $low, $high) = @{$number // return undef};
    my $text = sprintf '%.*f', $digits, $value;
    my $shown = whole($text =~ s/\..*//r) . ($text =~ /(\..*)/ ? $1 : '');
    return $shown if !defined $low || $low == $high;
    my $far = $high - $text > $text - $low ? $high - $text : $text - $low;
    my $unit = 10**$digits;
    return sprintf "%s $plus_minus %.*f", $shown, $digits, ceil($far * $unit - 1e-9) / $unit;
}

# As many digits as tell a short time's interval.
sub spread_us
{
    my ($number) = @_;
    return $number && spread($number, $number->[0] < 10 ? 3 : 2);
}

# ---- sums over loads and stores --------------------------------------------------------

sub sides
{
    my ($memory) = @_;
    return grep { defined } @{$memory // {}}{qw(load store atomic async)};
}
sub sum
{
    my ($memory, $field) = @_;
    my @counts = map { $_->{$field} // return undef } sides($memory) or return undef;
    my $sum = 0;
    $sum += $_ for @counts;
    return $sum;
}
sub most
{
    my ($memory, $field) = @_;
    my ($most) = sort { $b <=> $a } grep { defined } map { $_->{$field} } sides($memory);
    return $most;
}

# Of the report's case of the plugin copy that has the same problem.
sub percent_of_kernel
{
    my ($case, $report) = @_;
    my ($copy) = grep { $_->{plugin} eq 'copy' && problem_text($_) eq problem_text($case) }
        @{$report->{cases}};
    my $gain = $copy && $copy != $case ? gain($case, $copy) : undef;
    return $gain && [map { defined $_ ? 100 * $_ : undef } @$gain];
}

# ---- columns -------------------------------------------------------------------------

# Heading => cell of (case, first case of the table, report, case of the row above); undef
# where there is no such number.
my %columns = (
    'rules' => sub { $_[0]{arch} // $_[2]{device}{arch} },
    'problem' => sub { problem_text($_[0]) },
    # shared memory
    'load ways' => sub { range($_[0]{shared}{load}, 'ways') },
    'store ways' => sub { range($_[0]{shared}{store}, 'ways') },
    'ways' => sub { whole(most($_[0]{shared}, 'ways')) },
    'loads' => sub { whole($_[0]{shared}{load}{requests}) },
    'load wavefronts' => sub { range($_[0]{shared}{load}, 'wavefronts') },
    'wavefronts' => sub { whole(sum($_[0]{shared}, 'wavefronts')) },
    'conflicts' => sub { whole(sum($_[0]{shared}, 'conflicts')) },
    'bytes a block' => sub { whole($_[0]{model}{block_shared_bytes}) },
    'cycles an access' => sub { real($_[0]{clock}{cycles_per_access}) },
    'data stage, times its twin' => sub { real($_[0]{slowdown}{twin}{data_stage}) },
    # global memory
    'sectors loaded' => sub { whole($_[0]{global}{load}{sectors}) },
    'ideal' => sub { whole($_[0]{global}{load}{ideal}) },
    'sectors stored' => sub { whole($_[0]{global}{store}{sectors}) },
    'sectors' => sub { whole(sum($_[0]{global}, 'sectors')) },
    'requests' => sub { whole(sum($_[0]{global}, 'requests')) },
    'sectors over ideal' => sub {
        my ($sectors, $ideal) = map { sum($_[0]{global}, $_) } qw(sectors ideal);
        real($ideal && $sectors / $ideal) },
    # time
    'time, times its twin' =>
        sub { real($_[0]{slowdown}{twin}{ratio} // $_[0]{slowdown}{twin}{predicted}) },
    'time, us' => sub { real($_[0]{time}{median_us}) },
    'GB/s' => sub { defined $_[0]{throughput}{gbps}
            ? whole(sprintf '%.0f', $_[0]{throughput}{gbps}) : undef },
    'times as fast' => sub { my ($time, $first) = map { $_->{time}{median_us} } @_[0, 1];
        real($time && $first ? $first / $time : undef) },
    # time with its interval
    "time, us $plus_minus" => sub { spread_us(time_us($_[0])) },
    "GB/s $plus_minus" => sub { spread(gbps($_[0]), 0) },
    '% of copy' => sub { spread(percent_of_copy(@_[0, 2]), 1) },
    '% of the copy kernel' => sub { spread(percent_of_kernel(@_[0, 2]), 1) },
    'gain over the step above' => sub {
        my ($case, $above) = @_[0, 3];
        return undef if !$above || grep { $_->{plugin} =~ /^(memcpy|cublas)$/ } $case, $above;
        spread(gain($case, $above), 3) },
);

# Columns that the page's writer fills.
my %prose = map { $_ => 1 } 'idea', 'what it is', 'why';

sub column
{
    my ($heading) = @_;
    return $columns{$heading} if $columns{$heading};
    my ($other) = $heading =~ /^gain over (.+)$/ or return undef;
    return sub {
        my ($case, undef, $report) = @_;
        my $base = one_case($report, $other);
        return $base && spread(gain($case, $base), 3);
    };
}

# ---- cells ---------------------------------------------------------------------------

# Where "..., LABEL" has its numbers; undef: nowhere yet.
sub labelled
{
    my ($source, $label) = @_;
    return "$source/$label" if report_set($source);
    die "'$label' is no member of a set of reports: $source is none\n" if $label ne 'H200';
    my $file = $source =~ s{^claims/(.*)}{h200/claims-$1.json}r;
    return -f "$Saved::top/doc/evidence/$file" ? $file : undef;
}

# The column of a heading, and its sources.
sub column_and_sources
{
    my ($table, $heading) = @_;
    my ($name, @sources) = ($table->{only} // $heading, @{$table->{sources}});
    my $label = $table->{only} && $heading;
    ($name, $label) = ($1, $2)
        if !$table->{only} && !column($heading) && $heading =~ /^(.*), (.*)$/;
    @sources = grep { defined } map { labelled($_, $label) } @sources if defined $label;
    return (column($name) // die("unknown heading '$heading': Tables.pm knows ",
            join(', ', map { "'$_'" } sort keys %columns), " and 'gain over CASE'\n"), @sources);
}

sub cell
{
    my ($table, $heading, $name) = @_;
    my ($column, @sources) = column_and_sources($table, $heading);
    my ($found, $problem) = (@sources == 0);
    for my $source (@sources) {
        my $report = report($source);
        my $case = one_case($report, $name) // next;
        $found = 1;
        $problem //= problem_text($case);
        die "$name: numbers of $problem, and of ", problem_text($case),
            " by $source, in one row\n" if $problem ne problem_text($case);
        next if $case->{verdict} eq 'skip';
        my ($first, $above) = map { defined $_ ? one_case($report, $_) : undef }
            @{$table}{qw(first above)};
        my $text = $column->($case, $first, $report, $above);
        return $text if defined $text;
    }
    die join(', ', @sources), " has no case '$name'\n" if !$found;
    return $none;
}

sub row
{
    my ($table, @cells) = @_;
    my ($name) = $cells[0] =~ /`([^`]+)`/;
    my $headings = $table->{headings};
    $table->{first} //= $name;
    my @filled = map { $prose{$headings->[$_]} ? $cells[$_] // ''
            : cell($table, $headings->[$_], $name) } 1 .. $#$headings;
    $table->{above} = $name;
    return '| ' . join(' | ', $cells[0], @filled) . " |\n";
}

# `numbers:` of a comment.
sub table_of
{
    my ($text) = @_;
    my ($sources, $only) = $text =~ /^(\S+), (.+)$/ ? ($1, $2) : ($text);
    return {sources => [split ' ', $sources], only => $only};
}

# The page with the numbers of its tables as they are now. Dies with the place of what can't
# be filled.
sub filled
{
    my ($path) = @_;
    open my $in, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    my ($table, @lines);
    while (my $line = <$in>) {
        if ($line =~ /^<!-- numbers: (.+) -->$/) {
            $table = table_of($1);
        } elsif ($table && $line =~ /^\|/) {
            my (undef, @cells) = map { s/^\s+|\s+$//gr } split /\|/, $line;
            pop @cells if $cells[-1] eq '';
            if (!$table->{headings}) {
                $table->{headings} = \@cells;
            } elsif ($cells[0] =~ /`[^`]+`/) {
                $line = eval { row($table, @cells) } // die "$path:$.: $@";
            }
        } elsif ($line !~ /^$/) {
            $table = undef;
        }
        push @lines, $line;
    }
    return join '', @lines;
}

1;
