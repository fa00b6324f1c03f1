# SPDX-License-Identifier: Apache-2.0
#
# Saved.pm - reports (`banklab run ... --format json`) and their numbers with intervals,
# for the scripts that make the tables of doc/claims.md and doc/transpose.md, and figures.
#
# A source of numbers is
#     h200/times-8192.json     a report in doc/evidence
#     claims/transpose         a profile in conf, which is run on the model; words behind
#                              it, "transpose rows=512", are --set's
#     sizes/4096               a member of a set: doc/plots/figures.ini lists them
#
# A number is [value, low, high]. Intervals are 95 % where one was measured: of a ratio,
# that of the rounds where the report has it, which is so against its baseline, and else
# from the ends of both times, as core/compare/compare.h tells. A number that there is not
# is undef.
package Saved;

use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(dirname);
use JSON::PP;

our @EXPORT = qw(sections report_set resolve report cases_like one_case problem_text
    time_us gbps percent_of_copy gain);

our $top = $ENV{top_srcdir} // dirname(__FILE__) . '/../..';
our $list = "$top/doc/plots/figures.ini";
my $banklab = $ENV{BANKLAB} // 'banklab';

sub slurp
{
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

# The sections of an INI file in their order: {name, line, keys => [[key, value, line], ...]}.
sub sections
{
    my ($path) = @_;
    my @sections;
    my $number = 0;
    for (split /\n/, slurp($path)) {
        $number++;
        next if /^\s*(;|$)/;
        s/\s+;\s.*//;
        if (/^\[(.+)\]\s*$/) {
            push @sections, {name => $1, line => $number, keys => []};
        } elsif (@sections && /^\s*(.*?)\s*=\s*(.*?)\s*$/) {
            push @{$sections[-1]{keys}}, [$1, $2, $number];
        } else {
            die "$path:$number: '$_' is neither [section], key = value nor ; comment\n";
        }
    }
    return @sections;
}

# ---- where reports are -------------------------------------------------------------

my %sets;
# A set's members in their order: [key, source], ...; nothing, if there is no such set.
sub report_set
{
    my ($name) = @_;
    my $sets = $sets{$list} //= {map { $_->{name} =~ /^reports (.+)$/
            ? ($1 => $_->{keys}) : () } sections($list)};
    return @{$sets->{$name} // []};
}

# A source with the name of a set's member is replaced by what the list says.
sub resolve
{
    my ($source) = @_;
    my ($set, $key) = $source =~ m{^([^/]+)/(.+)$} or return $source;
    my @members = report_set($set) or return $source;
    my ($member) = grep { $_->[0] eq $key } @members;
    return $member->[1] if $member;
    die "$source: the reports '$set' in $list are ", join(', ', map { $_->[0] } @members), "\n";
}

my %reports;
sub report
{
    my ($source) = @_;
    my $name = resolve($source);
    return $reports{$name} //= decode_json(
        $name =~ m{^/.*\.json$} ? slurp($name)
        : $name =~ /\.json$/ ? slurp("$top/doc/evidence/$name") : run_on_model($name));
}

sub run_on_model
{
    my ($profile, @set) = split ' ', $_[0];
    my @words = ($banklab, 'run', "$top/conf/$profile.ini", '--device', 'model', '--format',
        'json', map { ('--set', $_) } @set);
    # Exit status 1 is a case that fails, which the report tells of.
    open my $out, '-|', @words or die "$banklab: $!\n";
    local $/;
    my $json = <$out>;
    close $out;
    return $json || die "@words: no report\n";
}

# ---- cases ------------------------------------------------------------------------

# Those whose name is the pattern, in which * is any text; if none, those of the sweep or
# the reference of that name: "memcpy" is "memcpy[64 x 64 x 4]", too.
sub cases_like
{
    my ($report, $pattern) = @_;
    my $regex = join '.*', map { quotemeta } split /\*/, $pattern, -1;
    my @cases = grep { $_->{case} =~ /^$regex$/ } @{$report->{cases}};
    return @cases ? @cases : grep { $_->{case} =~ /^$regex\[/ } @{$report->{cases}};
}

# undef if there is none.
sub one_case
{
    my ($report, $pattern) = @_;
    my @cases = cases_like($report, $pattern);
    return $cases[0] if @cases < 2;
    die "'$pattern' could be ", join(', ', map { $_->{case} } @cases), ": name one of them\n";
}

# "1000 x 2041 x 4"; of a batch of 8 "8 x 1000 x 2041 x 4".
sub problem_text
{
    my ($case) = @_;
    return join ' x ', grep { defined } @{$case->{problem}}{qw(batch rows cols elem)};
}

sub bytes
{
    my $problem = $_[0]{problem};
    return $problem->{rows} * $problem->{cols} * $problem->{elem} * ($problem->{batch} // 1);
}

# ---- numbers ----------------------------------------------------------------------

# Of a case that did not pass no time is told.
sub time_us
{
    my ($case) = @_;
    return undef if $case->{verdict} ne 'pass' || !$case->{time};
    return [@{$case->{time}}{qw(median_us low_us high_us)}];
}

sub gbps
{
    my ($case) = @_;
    my $time = time_us($case) // return undef;
    my $rate = ($case->{throughput} // {})->{gbps} // return undef;
    return [$rate, $rate * $time->[0] / $time->[2], $rate * $time->[0] / $time->[1]];
}

# Of a copy of as many bytes by the driver, in the same run. The copy itself is 100 by
# definition, and what has no such copy beside it, as predicted times, has no interval.
sub percent_of_copy
{
    my ($case, $report) = @_;
    my $time = time_us($case) // return undef;
    my $percent = ($case->{throughput} // {})->{percent_of_copy} // return undef;
    my ($copy) = grep { $_->{plugin} eq 'memcpy' && $_->{verdict} eq 'pass' &&
            bytes($_) == bytes($case) } @{$report->{cases}};
    return [$percent] if !$copy || $copy == $case;
    my $other = time_us($copy);
    return around($percent, 100 * $other->[1] / $time->[2], 100 * $other->[2] / $time->[1]);
}

# How many times as fast the case is as the other one.
sub gain
{
    my ($case, $other) = @_;
    my ($time, $long) = (time_us($case), time_us($other));
    return undef if !$time || !$long;
    return [1] if $case == $other;
    die "$case->{case} is of ", problem_text($case), ", $other->{case} of ",
        problem_text($other), ": their times are no gain\n" if bytes($case) != bytes($other);
    return undef if $case->{time}{source} ne $other->{time}{source};
    my $ratio = rounds($other, $case);
    return $ratio if $ratio;
    $ratio = rounds($case, $other);
    return [1 / $ratio->[0], 1 / $ratio->[2], 1 / $ratio->[1]] if $ratio;
    return [$long->[0] / $time->[0], $long->[1] / $time->[2], $long->[2] / $time->[1]];
}

# The case's time over its baseline's, if that is the other one.
sub rounds
{
    my ($case, $other) = @_;
    my $against = ($case->{slowdown} // {})->{baseline} // return undef;
    return undef if $against->{case} ne $other->{case} || !$against->{ratio};
    return [@{$against}{qw(ratio low high)}];
}

# A ratio that was formed in the rounds may lie a little outside of what the times' ends
# give: the interval is then as wide as to hold it.
sub around
{
    my ($value, $low, $high) = @_;
    return [$value, $low < $value ? $low : $value, $high > $value ? $high : $value];
}

1;
