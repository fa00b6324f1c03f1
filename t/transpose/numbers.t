#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# numbers.t - what t/lib/Saved.pm and Tables.pm make of a report: numbers with their
# intervals, cells, and errors that tell where.
use strict;
use warnings;
use utf8;
use Encode;
use JSON::PP;
use Test::More;
use Banklab;
use Saved ();
use Tables ();

binmode $_, ':encoding(UTF-8)' for map { Test::More->builder->$_ } qw(output failure_output);

sub case_of
{
    my ($name, $plugin, $time, %more) = @_;
    my ($median, $low, $high) = @$time;
    return {case => $name, plugin => $plugin, kind => 'transpose', params => {}, detail => '',
        verdict => 'pass', problem => {rows => 100, cols => 10, elem => 4},
        time => {source => 'gpu', median_us => $median, low_us => $low, high_us => $high,
            samples => 9}, throughput => {gbps => 8 / $median, percent_of_copy => 500 / $median},
        %more};
}

my $shared = {source => 'model', load => {requests => 2, wavefronts => 64, conflicts => 62,
    ways => 32}, store => {requests => 2, wavefronts => 2, conflicts => 0, ways => 1}};
my $report = {schema => 'banklab.report/1', device => {backend => 'cuda', name => 'GPU',
    arch => 'cc90'}, cases => [
    case_of('slow', 'a', [20, 19, 22], shared => $shared,
        slowdown => {baseline => {case => 'base', ratio => 2, low => 1.95, high => 2.1}}),
    case_of('base', 'b', [10, 9.5, 11]),
    case_of('fast[pad=0]', 'c', [8, 7.75, 8.5],
        slowdown => {baseline => {case => 'base', ratio => 0.8, low => 0.75, high => 1}}),
    case_of('fast[pad=1]', 'c', [6, 5, 7]),
    case_of('failed', 'd', [1, 1, 1], verdict => 'fail'),
    case_of('memcpy[100 x 10 x 4]', 'memcpy', [5, 4.75, 5.5])]};
my ($slow, $base, $fast, $faster, $failed, $copy) = @{$report->{cases}};
spill("$folder/report.json", JSON::PP->new->canonical->encode($report));

# ---- numbers ------------------------------------------------------------------------
is_deeply(Saved::time_us($base), [10, 9.5, 11], 'a time and its interval');
is(Saved::time_us($failed), undef, 'none of a case that failed');
is_deeply(Saved::gbps($base), [0.8, 0.8 * 10 / 11, 0.8 * 10 / 9.5],
    'a rate: the ends change places');
is_deeply(Saved::gain($base, $slow), [2, 1.95, 2.1],
    'a gain over a case that it is the baseline of');
is_deeply(Saved::gain($slow, $base), [1 / 2, 1 / 2.1, 1 / 1.95],
    'over its baseline: turned over');
is_deeply(Saved::gain($faster, $slow), [20 / 6, 19 / 7, 22 / 5],
    'else from the ends of both times');
is_deeply(Saved::gain($slow, $slow), [1], 'over itself: one');
is(Saved::gain($slow, $failed), undef, 'over what failed: none');
is_deeply(Saved::percent_of_copy($base, $report), [50, 100 * 4.75 / 11, 100 * 5.5 / 9.5],
    'per cent of the copy in the same report');
is_deeply(Saved::percent_of_copy($copy, $report), [100], 'the copy is 100 and no interval');
my $predicted = case_of('p', 'a', [1, 1, 1], time => {source => 'predicted', median_us => 1,
    low_us => 1, high_us => 1, samples => 0});
is(Saved::gain($predicted, $base), undef, 'predicted over measured: none');
my $other = case_of('o', 'a', [1, 1, 1], problem => {rows => 7, cols => 10, elem => 4});
ok(!eval { Saved::gain($other, $base) }, 'no gain over another problem');
like($@, qr/o is of 7 x 10 x 4, base of 100 x 10 x 4/, 'and both are told');

# ---- names ----------------------------------------------------------------------------
is(Saved::one_case($report, 'memcpy'), $copy, 'a reference by its name alone');
is(Saved::one_case($report, 'fast[*1]')->{case}, 'fast[pad=1]', '* is any text');
is(Saved::one_case($report, 'fas'), undef, 'a part of a name is none');
ok(!eval { Saved::one_case($report, 'fast') }, 'a sweep is more than one');
like($@, qr/'fast' could be fast\[pad=0\], fast\[pad=1\]/, 'which are told');

# ---- cells ----------------------------------------------------------------------------
my $top = "<!-- numbers: $folder/report.json -->\n";
sub table
{
    my ($heading, @names) = @_;
    my $page = ref $heading ? "<!-- numbers: $$heading -->\n" : $top;
    $heading = shift @names if ref $heading;
    spill("$folder/page.md", Encode::encode('UTF-8', $page . "| case | $heading |\n|---|---|\n" .
        join('', map { "| `$_` | old |\n" } @names)));
    my $filled = eval { Tables::filled("$folder/page.md") } // return $@;
    return join '; ', map { /^\| `[^`]+` \| (.*) \|$/ ? $1 : () } split /\n/, $filled;
}
is(table('time, us ±', 'base', 'fast[pad=0]', 'failed'), '10.00 ± 1.00; 8.000 ± 0.500; –',
    'times, ± the farther end');
is(table('GB/s ±', 'base'), '1 ± 1', 'rounded up, so that both ends are within');
is(table('% of copy', 'base', 'memcpy'), '50.0 ± 7.9; 100.0', 'per cent');
is(table('gain over the step above', 'slow', 'base', 'memcpy'), '–; 2.000 ± 0.100; –',
    'steps: the first and references have none');
is(table('gain over fast[pad=1]', 'slow'), '0.300 ± 0.073', 'over any case');
is(table('wavefronts', 'slow', 'base'), '66; –',
    'sums over loads and stores, absent is absent');
is(table('ways', 'slow'), '32', 'the most ways');
is(table('problem | time, us', 'base'), '100 x 10 x 4 | 10.00', 'more columns');
spill("$folder/page.md", "$top| case | why | ways |\n|---|---|---|\n" .
    "| the `slow` one | words | |\n");
like(Tables::filled("$folder/page.md"), qr/^\| the `slow` one \| words \| 32 \|$/m,
    "a writer's columns stay, and words around a name");

# ---- sets, and several sources ------------------------------------------------------------
my $counts = {%$report, cases => [case_of('base', 'b', [1, 1, 1], time => undef,
    shared => $shared)]};
spill("$folder/counts.json", JSON::PP->new->canonical->encode($counts));
my $small = {%$report, cases => [case_of('base', 'b', [3, 3, 3], shared => $shared,
    problem => {rows => 1, cols => 1, elem => 4})]};
spill("$folder/small.json", JSON::PP->new->canonical->encode($small));
spill("$folder/figures.ini", "[reports sizes]\n10 = $folder/report.json ; a comment\n" .
    "1 = $folder/small.json\n");
{
    local $Saved::list = "$folder/figures.ini";
    is(table(\'sizes, time, us ±', '10 | 1', 'base'), '10.00 ± 1.00 | 3.000',
        'a member a column');
    is(table(\'sizes/1', 'time, us ± | time, us ±, 10', 'base'),
        "$folder/page.md:4: '10' is no member of a set of reports: sizes/1 is none\n",
        'a member is no set');
    like(table(\'sizes/2', 'ways', 'base'),
        qr/page\.md:4: sizes\/2: the reports 'sizes' .* are 10, 1$/, 'members are told');
    is(table(\"$folder/report.json $folder/counts.json", 'ways | time, us ±', 'base'),
        '32 | 10.00 ± 1.00', 'each cell of the first source that has it');
    like(table(\"$folder/report.json $folder/small.json", 'ways', 'base'),
        qr/numbers of 100 x 10 x 4, and of 1 x 1 x 4 by .*small\.json, in one row/,
        'but of one problem');
}

# ---- errors ---------------------------------------------------------------------------
like(table('way', 'base'), qr/page\.md:4: unknown heading 'way': Tables.pm knows .*'ways'/,
    'an unknown heading');
like(table('ways', 'bass'), qr/page\.md:4: .*report\.json has no case 'bass'/,
    'an unknown case');
spill("$folder/bad.ini", "[reports a]\nnonsense\n");
ok(!eval { Saved::sections("$folder/bad.ini") }, 'a bad list');
like($@, qr/bad\.ini:2: 'nonsense' is neither/, 'says where');
done_testing();
