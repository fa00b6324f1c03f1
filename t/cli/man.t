# SPDX-License-Identifier: Apache-2.0
#
# man.t - the manual page and the program know of the same options.
use strict;
use warnings;
use Test::More;
use Banklab;

my $page = slurp("$ENV{top_srcdir}/doc/banklab.1");
my %in_help;
for my $words (['--help'], map { [$_, '--help'] } qw(run list describe devices access advise explain compare new check calibrate)) {
    my (undef, $help) = banklab(@$words);
    $in_help{$_} = 1 for $help =~ /^ +(?:-\S, |    )--([a-z-]+)/mg;
}
my %in_page = map { $_ => 1 } $page =~ /Fl -([a-z-]+)/g;
cmp_ok(scalar keys %in_help, '>=', 9, 'options in the help texts');
is_deeply([sort keys %in_page], [sort keys %in_help], 'the manual has all of them and no other');
like($page, qr/^\.It Cm $_\b/m, "the manual has the command $_")
    for qw(run list describe devices access advise explain compare new check calibrate help);
like($page, qr/^\.It Cm $_$/m, "and the format $_") for qw(table json csv tap);
like($page, qr/^\.It Ev $_$/m, "and the variable $_")
    for qw(BANKLAB_PLUGIN_PATH BANKLAB_NVCC XDG_CACHE_HOME NO_COLOR TERM COLUMNS);
like($page, qr/^\.It $_$/m, "and the exit status $_") for 0 .. 2;

my @pages = map { "$ENV{top_srcdir}/doc/$_" } qw(banklab.1 banklab-profile.5 banklab-plugin.7);
SKIP: {
    my ($missing) = shell('groff --version');
    skip 'groff is not here', scalar @pages if $missing;
    for my $path (@pages) {
        my (undef, $out, $err) = shell("groff -mdoc -Kutf8 -Tutf8 -ww -z '$path'");
        is($out . $err, '', "groff has nothing to say against $path");
    }
}

# banklab-plugin(7) has what plugin.h has: functions and macros for authors, the members of
# struct banklab_plugin, and the installed variables.
{
    my $page = slurp($pages[2]);
    my $header = slurp("$ENV{top_srcdir}/core/include/banklab/plugin.h") =~ s{/\*.*?\*/}{}gsr;
    my @names = ($header =~ /\b(banklab_\w+)\((?:const )?(?:struct|uint64_t)/g,
        $header =~ /^#define (BANKLAB_(?:ELEM|PARAMS|MODULES|TWIN|PLUGIN_HEAD|EXPORT))\b/mg,
        $header =~ /\b(BANKLAB_(?:INPUT|OUTPUT|CLOCK|SCRATCH0|OK|UNSUPPORTED|FAILED|PARAM_\w+)) =/g);
    cmp_ok(scalar @names, '>=', 20, 'names in plugin.h');
    my %not_for_authors = map { $_ => 1 } qw(banklab_arg_add BANKLAB_UNSUPPORTED);
    my @lacking = grep { !$not_for_authors{$_} && $page !~ /\b\Q$_\E\b/ } @names;
    is("@lacking", '', 'the page has them all');
    my ($struct) = $header =~ /^struct banklab_plugin \{(.*?)^\}/ms;
    my @members = grep { !/^(?:magic|abi_\w+|struct_size|\w+_(?:count|size))$/ }
        $struct =~ /(?:\(\*|[ *])(\w+)(?:;|\)\()/g;
    my %by_macro = (params => 'PARAMS', modules => 'MODULES', twin => 'TWIN');
    for my $member (@members) {
        like($page, $by_macro{$member} ? qr/^\.It Fn BANKLAB_$by_macro{$member} /m
            : qr/^\.It Fa \.$member$/m, "and the member $member");
    }
    my $pc = slurp("$ENV{top_srcdir}/banklab.pc.in");
    like($page, qr/^\.It Cm $_$/m, "and banklab.pc's $_") for $pc =~ /^#   (\w+) /mg;
    my ($project) = $page =~ /\.Pa Makefile\.am\nis\n\.Bd[^\n]*\n(.*?)\.Ed/s;
    my $tried = slurp("$ENV{top_srcdir}/t/new/automake/Makefile.am") =~ s/^(?:#|ACLOCAL).*\n//mgr;
    is($project, $tried, 'its Makefile.am is the one that is tried');
}

done_testing();
