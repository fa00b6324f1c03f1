# SPDX-License-Identifier: Apache-2.0
#
# automake.t - a project of somebody else's, with Automake, Libtool and the macro
# BANKLAB_PLUGIN, builds a plugin against the installed lab, out of its source folder.
use strict;
use warnings;
use Test::More;
use Banklab;
use Installed;

plan skip_all => 'no device compiler' if !$ENV{NVCC} && !$ENV{DEVICE_CLANG};
plan skip_all => "no $_" for grep { !has_tool($_) } qw(autoreconf automake libtoolize);
my $why_not = install_here();
plan skip_all => $why_not if $why_not;

my $project = "$folder/mine";
$ENV{ACLOCAL_PATH} = "$root/share/aclocal";
my ($status, $out, $err) = shell("cd '$folder' && banklab new mine && rm mine/Makefile && "
    . "mkdir mine/m4 mine/build-aux mine/build && "
    . "cp '$ENV{top_srcdir}/t/new/automake/'* mine && cd mine && autoreconf -i");
is($status, 0, 'autoreconf') or diag($out, $err);
like(slurp("$project/aclocal.m4"), qr/AC_DEFUN\(\[BANKLAB_PLUGIN\]/, 'finds the macro');

chomp(my $flags = qx($ENV{PKG_CONFIG} --variable=deviceflags banklab));
($status, $out, $err) =
    shell("cd '$project/build' && ../configure -q BANKLAB_DEVICE_FLAGS='$flags -DCHOSEN'");
is($status, 0, 'configure') or diag($out, $err);
like(slurp("$project/build/Makefile"), qr/^BANKLAB_DEVICE_PTX = .* -DCHOSEN$/m,
    'device flags can be chosen');
($status, $out, $err) = shell("cd '$project/build' && make");
is($status, 0, 'make') or diag($out, $err);
chomp(my $symbols = qx(nm -D --defined-only '$project/build/.libs/mine.so' | sed 's/.* //'));
is($symbols, 'banklab_plugin', 'it exports one symbol');
($status, $out, $err) = shell("cd '$project/build' && make install");
is($status, 0, 'make install') or diag($out, $err);
profile('mine.ini', "[case c]\nplugin = mine\npad = 1\nexpect.shared_load_ways = 1\n");
($status, $out, $err) = shell("cd / && banklab run '$folder/mine.ini' --device model");
is($status, 0, 'the installed lab runs it') or diag($out, $err);

# What can't be.
my %wrong = (
    'of version 99 or later' => [99, ''],
    'built without a device compiler; set BANKLAB_DEVICE_PTX' => ['0.1', 'devicecompiler='],
);
for my $reason (sort keys %wrong) {
    my ($version, $variable) = @{$wrong{$reason}};
    my $config = "$ENV{PKG_CONFIG}" . ($variable ? " --define-variable=$variable" : '');
    spill("$project/configure", slurp("$project/configure") =~ s/banklab >= 0\.1/banklab >= $version/gr
        =~ s/of version 0\.1 or later/of version $version or later/r);
    ($status, $out, $err) = shell("cd '$project/build' && PKG_CONFIG='$config' ../configure -q -C");
    isnt($status, 0, 'configure stops');
    like($err, qr/$reason/, 'and says why');
    spill("$project/configure", slurp("$project/configure") =~ s/banklab >= 99/banklab >= 0.1/gr);
}
done_testing();
