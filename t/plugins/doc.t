#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The plugin that doc/plugin.md makes from nothing is made and run as the page says.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(abs_path);
use Test::More;
use PluginTest;

my $top = abs_path($ENV{top_srcdir});
my $page = do { local (@ARGV, $/) = ("$top/doc/plugin.md"); <> };
my %file;
$file{$1} = $2 while $page =~ /^`([\w.]+)`,[^\n]*\n\n```\w+\n(.*?)^```$/msg;
is_deeply([sort keys %file], [qw(build scatter.c scatter.cu scatter.ini)],
    'the page has the four files');

SKIP: {
    skip 'no nvcc and no clang', 3 if !$ENV{NVCC} && !$ENV{DEVICE_CLANG};
    skip 'no gcc', 3 if system('gcc --version >/dev/null 2>&1');
    if (!$ENV{NVCC}) {
        # The page's other way.
        my ($clang) = $file{build} =~ /^#   (clang .*?\n#\s.*?)$/ms;
        $clang =~ s/\\\n#//;
        $clang =~ s/^clang/$ENV{DEVICE_CLANG}/;
        $file{build} =~ s/^nvcc .*$/$clang/m;
    } else {
        $file{build} =~ s/^nvcc /$ENV{NVCC} /m;
    }
    my $folder = "$PluginTest::temp/scatter";
    mkdir $folder;
    for my $name (keys %file) {
        open my $out, '>', "$folder/$name" or die "$name: $!";
        print $out $file{$name};
        close $out;
    }
    is(system("cd '$folder' && CPPFLAGS='-I$top/core/include' sh build >&2"), 0,
        'it builds');
    my ($status, $document, $said) = run_profile($file{'scatter.ini'}, '--plugin-dir',
        $folder);
    is($status, 0, 'its profile passes') or diag($said);
    is(join(' ', map { $_->{shared}{load}{ways} } @{($document // {})->{cases} // []}),
        '1 2 4 8 16 32 32', 'ways double with the stride');
}
done_testing();
