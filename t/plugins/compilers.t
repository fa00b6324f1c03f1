#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The PTX of nvcc and the PTX of clang count alike: the plugins are built once with each,
# outside the build tree as anybody would, and run over one profile.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use PluginTest;

my $top = $ENV{top_srcdir};
my %compiler = (
    nvcc => [$ENV{NVCC}, qw(-ptx -arch=compute_75 -O3 -lineinfo -std=c++14)],
    clang => [$ENV{DEVICE_CLANG}, qw(-x cuda --cuda-device-only -nocudainc -nocudalib
        --cuda-gpu-arch=sm_75 -O3 -gline-tables-only -std=c++14
        -Wno-unknown-cuda-version -S)],
);
for my $name (sort keys %compiler) {
    plan skip_all => "no $name" if !$compiler{$name}[0];
}
plan skip_all => 'no cc' if system('cc --version >/dev/null 2>&1');

my $include = "-I$top/core/include";
my @sources = glob "$top/plugins/*/*.cu";
my @names = map { m{([^/]+)\.cu$} } @sources;

sub build
{
    my ($name, $source, $folder, @command) = @_;
    my $ptx = "$folder/$name.ptx";
    system(@command, $include, '-o', $ptx, $source) == 0 or return 0;
    my $text = do { local (@ARGV, $/) = ($ptx); <> };
    open my $out, '>', "$folder/$name.ptx.inc" or die "$folder: $!";
    print $out join(',', unpack 'C*', $text), "\n";
    close $out;
    return system('cc', '-shared', '-fPIC', '-fvisibility=hidden', $include,
        "-I$folder", '-o', "$folder/$name.so", $source =~ s/\.cu$/.c/r) == 0;
}

my %report;
for my $name (sort keys %compiler) {
    my $folder = "$PluginTest::temp/$name";
    mkdir $folder;
    my $built = grep { build($names[$_], $sources[$_], $folder, @{$compiler{$name}}) }
        0 .. $#names;
    is($built, @names, "$name builds every plugin");
    my $profile = do { local (@ARGV, $/) = ("$top/t/plugins/counts.ini"); <> };
    my ($status, undef, $said) = run_profile($profile, '--plugin-dir', $folder);
    is($status, 0, "$name: every case passes or is skipped") or diag($said);
    $report{$name} = "$PluginTest::temp/$name.json";
    rename "$PluginTest::temp/p.json", $report{$name};
}
my $said = qx{"$^X" "$top/t/plugins/compare-counts" $report{nvcc} $report{clang}};
is($?, 0, 'both count alike') or diag(join "\n", (split /\n/, $said)[0 .. 19]);
diag($said) if !$?;

# The comparison can fail: one count changed is one difference.
my $text = do { local (@ARGV, $/) = ($report{clang}); <> };
$text =~ s/"wavefronts": (\d+)/'"wavefronts": ' . ($1 + 1)/e;
open my $out, '>', "$PluginTest::temp/changed.json" or die $!;
print $out $text;
close $out;
$said = qx{"$^X" "$top/t/plugins/compare-counts" $report{nvcc} $PluginTest::temp/changed.json};
is($? >> 8, 1, 'a changed count is found') or diag($said);

done_testing();
