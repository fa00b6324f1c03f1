#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Every profile that users get runs, is right, and what it expects holds, also with the
# settings that README and the manual suggest; and each expectation can fail: with another
# conflict put in, transpose.ini does.
use strict;
use warnings;
use JSON::PP;
use Test::More;

my $conf = "$ENV{top_srcdir}/conf";
my @profiles = glob "$conf/*.ini";

sub run_json
{
    my @arguments = @_;
    open my $pipe, '-|', $ENV{BANKLAB}, 'run', '--device=model', '--format=json', @arguments
        or die "$ENV{BANKLAB}: $!";
    my $text = do { local $/; <$pipe> };
    close $pipe;
    return ($? >> 8, eval { decode_json($text) } // {cases => []});
}

# Of this one a model runs the small problems, and has no time to expect.
my %part = ('fastest.ini' => ['--case=*-[25]*', 9]);

cmp_ok(scalar @profiles, '>=', 4, 'there are profiles');
for my $path (@profiles) {
    my ($name) = $path =~ m{([^/]+)$};
    my ($part, $least) = @{$part{$name} // ['--case=*', 5]};
    my ($status, $document) = run_json($part, $path);
    my @cases = @{$document->{cases}};
    is($status, 0, "$name: exit status");
    cmp_ok(scalar @cases, '>=', $least, "$name: it has cases");
    my @bad = grep { $_->{verdict} ne 'pass' } @cases;
    is(scalar @bad, 0, "$name: all pass");
    diag("$_->{case}: $_->{verdict}: $_->{detail}") for @bad;
    my $text = do { local (@ARGV, $/) = ($path); <> };
    like($text, qr/^expect\./m, "$name: it expects something") if !$part{$name};
}

# transpose.ini once expected counts that only its own size has, and so the commands that
# the documents tell failed.
my @told;
for my $file (qw(README.md doc/banklab.1)) {
    open my $page, '<', "$ENV{top_srcdir}/$file" or die "$file: $!";
    push @told, map { /banklab run (\w+) (--set [^#]*)/ ? [$1, $2] : () } <$page>;
}
cmp_ok(scalar @told, '>=', 2, 'README and the manual tell of --set');
for (@told) {
    my ($profile, $words) = @$_;
    $words =~ tr/'\n//d;
    my ($status, $document) = run_json("$conf/$profile.ini", split ' ', $words);
    is($status, 0, "$profile $words: exit status");
    diag("$_->{case}: $_->{detail}") for grep { $_->{detail} } @{$document->{cases}};
}

my ($status, $document) = run_json("$conf/transpose.ini", '--set=padded.pad=2');
my ($padded) = grep { $_->{case} eq 'padded' } @{$document->{cases}};
is($status, 1, 'an expectation that is not met: exit status');
is($padded->{verdict}, 'fail', 'it fails its case');
like($padded->{detail}, qr/transpose\.ini:\d+: expect\.shared_load_conflicts = 0 .* got \d/,
    'and is told with its line');

# Against the padded twin, which this profile holds, and against the baseline.
($status, $document) = run_json("$conf/transpose.ini");
my %cases = map { $_->{case} => $_ } @{$document->{cases}};
my ($twin, $baseline) = @{$cases{conflicted}{slowdown}}{qw(twin baseline)};
is($twin->{data_stage}, 16.5, 'slowdown against the twin: (32 + 1) / (1 + 1)');
is($baseline->{data_stage}, 16.5, 'and the same against the baseline');
cmp_ok($twin->{predicted}, '>', 1.5, 'the predicted time is longer');
cmp_ok($twin->{predicted}, '<', 16.5, 'but less so than the data stage');
ok(!$cases{naive}{slowdown}{twin}, 'no twin where the plugin has none');
ok(!defined $cases{naive}{slowdown}{baseline}{data_stage},
    'and no data stage where there is no shared memory');
is($cases{copy}{throughput}{percent_of_copy}, 100, 'a copy is 100 % of a copy');
done_testing();
