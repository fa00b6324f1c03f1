# SPDX-License-Identifier: Apache-2.0
#
# PluginTest.pm - what the plugins' tests share: run a profile, get the JSON.
package PluginTest;
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use JSON::PP ();

our @EXPORT = qw(banklab built_plugins run_profile case_label counts_of);

our $temp = tempdir(CLEANUP => 1);

sub banklab
{
    return $ENV{BANKLAB} // die "BANKLAB is not set: run by make check or make prove\n";
}

# Plugins that the program finds: {name => {kind, elems => [...], sets => [[k, v], ...]}}.
sub built_plugins
{
    my $lister = "$ENV{top_builddir}/t/plugins/plugin_settings";
    my (%plugins, $last);
    for (split /\n/, qx{"$lister" "$ENV{BANKLAB}"}) {
        my ($word, @rest) = split / /;
        if ($word eq 'plugin') {
            $last = $rest[0];
            $plugins{$last} = {
                kind => $rest[1], elems => [split /,/, $rest[2]], sets => [],
            };
        } else {
            push @{$plugins{$last}{sets}}, [@rest];
        }
    }
    die "$lister failed\n" if $?;
    return %plugins;
}

# Runs a profile, given as text, on the model: (exit status, document or undef, what was
# said on standard error).
sub run_profile
{
    my ($text, @options) = @_;
    my ($profile, $json, $errors) = map {"$temp/$_"} qw(p.ini p.json p.err);
    open my $out, '>', $profile or die "$profile: $!";
    print $out $text;
    close $out;
    unlink $json;
    my $status = system(join ' ', map({"'$_'"} banklab(), 'run', $profile, '--device',
            'model', '--format', 'json', '--output', $json, @options), ">'$errors'", '2>&1');
    my $said = do { local (@ARGV, $/) = ($errors); <> };
    my $document;
    if (open my $in, '<', $json) {
        local $/;
        $document = JSON::PP->new->decode(<$in>);
    }
    return ($status >> 8, $document, $said // '');
}

# "stride 4 x 5, 16 bytes, op=store": a case in words.
sub case_label
{
    my ($case) = @_;
    my ($problem, $params) = @$case{qw(problem params)};
    return join ' ', $case->{plugin}, "$problem->{rows}x$problem->{cols}",
        "elem=$problem->{elem}", map {"$_=$params->{$_}"} sort keys %$params;
}

# The counts of a case as one flat hash: {shared_load_requests => 1, ...}.
sub counts_of
{
    my ($case) = @_;
    my %counts;
    for my $space (qw(shared global)) {
        for my $side (qw(load store)) {
            my $group = $case->{$space}{$side} // {};
            $counts{"${space}_${side}_$_"} = $group->{$_} for keys %$group;
        }
    }
    $counts{cycles} = $case->{clock}{cycles_per_access} if $case->{clock};
    return \%counts;
}

1;
