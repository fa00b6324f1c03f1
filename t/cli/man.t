# SPDX-License-Identifier: Apache-2.0
#
# man.t - the manual page and the program know of the same options.
use strict;
use warnings;
use Test::More;
use Banklab;

my $page = slurp("$ENV{top_srcdir}/doc/banklab.1");
my %in_help;
for my $words (['--help'], map { [$_, '--help'] } qw(run list describe devices access advise explain compare new calibrate)) {
    my (undef, $help) = banklab(@$words);
    $in_help{$_} = 1 for $help =~ /^ +(?:-\S, |    )--([a-z-]+)/mg;
}
my %in_page = map { $_ => 1 } $page =~ /Fl -([a-z-]+)/g;
cmp_ok(scalar keys %in_help, '>=', 9, 'options in the help texts');
is_deeply([sort keys %in_page], [sort keys %in_help], 'the manual has all of them and no other');
like($page, qr/^\.It Cm $_\b/m, "the manual has the command $_")
    for qw(run list describe devices access advise explain compare new calibrate help);
like($page, qr/^\.It Cm $_$/m, "and the format $_") for qw(table json csv tap);
like($page, qr/^\.It Ev $_$/m, "and the variable $_")
    for qw(BANKLAB_PLUGIN_PATH BANKLAB_NVCC XDG_CACHE_HOME NO_COLOR TERM COLUMNS);
like($page, qr/^\.It $_$/m, "and the exit status $_") for 0 .. 2;

SKIP: {
    my ($missing) = shell('groff --version');
    skip 'groff is not here', 1 if $missing;
    my (undef, $out, $err) = shell("groff -mdoc -Kutf8 -Tutf8 -ww -z '$ENV{top_srcdir}/doc/banklab.1'");
    is($out . $err, '', 'groff has nothing to say against it');
}

done_testing();
