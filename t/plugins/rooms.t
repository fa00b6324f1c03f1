# SPDX-License-Identifier: Apache-2.0
#
# rooms.t - each plugin's folder is short, and reads alone: it can be copied and made one's
# own. What plugins of one kind share, kernels and plans, is in a folder of headers, named
# as the kind.
use strict;
use warnings;
use Test::More;
use Banklab;

my @shared = glob("$ENV{top_srcdir}/plugins/transpose/*");
my @rooms = grep { -d && !m{/transpose\z} } glob("$ENV{top_srcdir}/plugins/*");
my %listed = map { $_ => 1 }
    slurp("$ENV{top_srcdir}/plugins/Makefile.inc") =~ m{^include plugins/(\w+)/Makefile\.inc$}mg;
cmp_ok(scalar @rooms, '>=', 14, 'plugins');
is_deeply([sort map { s{.*/}{}r } @rooms], [sort keys %listed], 'each has its line');

for my $room (@rooms) {
    my ($name) = $room =~ m{([^/]*)\z};
    my %files = map { s{.*/}{}r => 1 } grep { !/\.(?:ptx|ptx\.inc|lo|o|la)\z|~\z/ } glob("$room/*");
    is_deeply([sort keys %files], ['Makefile.inc', map { "$name.$_" } qw(c cu ini)],
        "$name: four files");
    my ($c, $cu) = map { slurp("$room/$name.$_") } qw(c cu);
    cmp_ok($c =~ tr/\n//, '<=', 150, "$name.c has at most 150 lines");
    like(join(' ', $c =~ /^#\s*include\s*("\S+)/mg),
        qr{^(?:"banklab/plugin\.h"|"\.\./transpose/\w+\.h"(?: "\.\./transpose/\w+\.h")*) "$name\.ptx\.inc"$},
        'it includes the interface, or what extends it, and its own device code');
    like(join(' ', $cu =~ /^#\s*include\s*(\S+)/mg),
        qr{^"(?:banklab/(?:device|bulk)\.h|\.\./transpose/\w+\.cuh)"(?: "\.\./transpose/\w+\.cuh")*$},
        'the kernel includes what kernels have');
    like($c, qr{\A/\* SPDX-.*?\n \*\n \* $name - \w}s, 'it begins by saying what it is');
    like($cu, qr{\A/\* SPDX-.*?\n \*\n \* $name\.cu - }s, 'and so does the kernel');
    like(slurp("$room/$name.ini"), qr/\A; \w/, 'and the profile');
}

my $rules = slurp("$ENV{top_srcdir}/plugins/Makefile.inc");
for my $header (@shared) {
    my ($name) = $header =~ m{([^/]*)\z};
    like($name, qr/\A\w+\.(?:cuh|h)\z/, "$name: a header");
    like(slurp($header), qr{\A/\* SPDX-.*?\n \*\n \* \Q$name\E - }s, 'says what it is');
    for my $user (map { m{(\w+)\.cu\z} } grep { slurp($_) =~ m{/\Q$name\E"} }
        glob("$ENV{top_srcdir}/plugins/*/*.cu")) {
        like($rules, qr{^plugins/$user/$user\.ptx\b.*:.*plugins/transpose/\Q$name\E}m,
            "$user.ptx is made again when it changes");
    }
}
done_testing();
