#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# doc.t - doc/plugin.md is carried out as it stands, against an installed banklab in a
# folder of its own: files are written where it shows them, commands are run one after
# the other, and each must print what the page says. "..." stands for anything.
use strict;
use warnings;
use Test::More;
use Banklab;

use Installed;

plan skip_all => 'no device compiler' if !$ENV{NVCC} && !$ENV{DEVICE_CLANG};
my $why_not = install_here();
plan skip_all => $why_not if $why_not;
$ENV{COLUMNS} = 110;

my $cwd = "$folder/w";
mkdir $cwd;
# What "a clone of banklab" has that is looked at.
shell("mkdir -p '$cwd/banklab/plugins' '$cwd/banklab/core/include/banklab'");
spill("$cwd/banklab/$_", '')
    for qw(configure.ac core/include/banklab/plugin.h plugins/Makefile.inc);

# Runs a command where the last one has left off; all that it printed.
sub command
{
    my ($line) = @_;
    my (undef, $out) = shell("cd '$cwd' && { $line\n} 2>&1; pwd > '$folder/.cwd'");
    chomp($cwd = slurp("$folder/.cwd"));
    return $out;
}

# Whether a command printed what it is to. Predicted times, behind "~", follow how many
# instructions the device compiler made of the kernels: within 2 % by nvcc, whose the
# page's are, and 10 % by another.
my $most_off = nvcc_code() ? 0.02 : 0.10;
sub prints
{
    my ($line, $wanted) = @_;
    my $out = command($line);
    my @times = $wanted =~ /~([\d.,]+)/g;
    my $pattern = join '.*', map { quotemeta } split /\.\.\.\n|\.\.\./, $wanted, -1;
    $pattern =~ s/(?:\\ )*\\~[\d.,\\]+\d/ *~([\\d.,]+)/g;
    my @got = $out =~ /\A$pattern\n*\z/s or return is($out, $wanted, "\$ $line");
    # What is left out must not say the opposite.
    return fail("\$ $line: $out") if $line =~ /^banklab (?:check|run)/ && $wanted !~ /not ok|fail/
        && $out =~ /^not ok|\bFAIL\b/m;
    return pass("\$ $line") if !@times;
    tr/,//d for @got, @times;
    my @off = grep { abs($got[$_] / $times[$_] - 1) > $most_off } 0 .. $#times;
    return ok(!@off, "\$ $line") || diag(map { "~$got[$_], not ~$times[$_]\n" } @off);
}

my $page = slurp("$ENV{top_srcdir}/doc/plugin.md") =~ s/^## The rules.*//msr;
my %blocks;
while ($page =~ /^([^\n]+)\n\n```(\w+)\n(.*?)^```$|^```(console)\n(.*?)^```$/msg) {
    my ($before, $language, $text) = $4 ? ('', $4, $5) : ($1, $2, $3);
    $blocks{$language}++;
    if ($language eq 'console') {
        while ($text =~ /^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)/mg) {
            my ($line, $said) = ($1, $2);
            prints($line, $said);
        }
    } elsif ($before =~ /^`([\w.]+)`, /) {
        spill("$cwd/$1", $text);
        pass("$1, as the page has it");
    } elsif ($before =~ /, in `([\w.]+)`:$/) {
        like(slurp("$cwd/$1"), qr/^\Q$text\E/m, "$1 has what the page shows of it");
    } else {
        fail("the page says what this is: $before");
    }
}
is_deeply([map { $_ >= 2 } @blocks{qw(console cuda c ini)}], [(1) x 4], 'the page has blocks of all sorts');
is(() = $page =~ /^```\w/mg, eval { my $sum = 0; $sum += $_ for values %blocks; $sum },
    'and each was looked at');
is(command('git --version >/dev/null; cat plugins/Makefile.inc'),
    "include plugins/turn/Makefile.inc\n", 'the new plugin is in the list');
done_testing();
