#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Every plugin brings a profile that shows its point, and what that profile expects holds.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use PluginTest;

my $plugins = "$ENV{top_srcdir}/plugins";
my @names = map { m{([^/]+)/[^/]+\.c$} } glob "$plugins/*/*.c";
plan tests => 3 * @names;

for my $name (@names) {
    my $text = do { local (@ARGV, $/) = ("$plugins/$name/$name.ini"); <> } // '';
    like($text, qr/\A; \S.{10,}\n/, "$name.ini starts with its title");
    like($text, qr/^expect\./m, "$name.ini expects something");
    my ($status, $document, $said) = run_profile($text);
    my @bad = grep { $_->{verdict} ne 'pass' } @{($document // {})->{cases} // []};
    ok($document && $status == 0 && !@bad, "$name.ini: all cases pass") or do {
        diag($said) unless $document;
        diag("$_->{case}: $_->{verdict}: $_->{detail}") for @bad;
    };
}
