# SPDX-License-Identifier: Apache-2.0
#
# Installed.pm - banklab as `make install' leaves it, under a folder of the test's own, for
# tests of what others build against it. $root is that folder; PATH, PKG_CONFIG and the
# like are set so that the installed program and its banklab.pc are found, and nothing of
# the build tree.
package Installed;

use strict;
use warnings;
use Banklab;
use Exporter qw(import);

our @EXPORT = qw(install_here has_tool $root);
our $root;

sub has_tool
{
    my ($tool) = @_;
    return $tool && !system("command -v '$tool' >/dev/null 2>&1");
}

# Installs; why it can't be done, or nothing.
sub install_here
{
    my $make = $ENV{MAKE_PROGRAM} || 'make';
    return 'no make' if !has_tool($make);
    return 'no pkg-config' if !has_tool('pkg-config');
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS)};
    # What the caller has set for builds of his own.
    delete @ENV{qw(CPPFLAGS CFLAGS LDFLAGS DEVICE_PTX DESTDIR PKG_CONFIG)};
    my $to = "$folder/root";
    my ($status, undef, $err) =
        shell("cd '$ENV{top_builddir}' && '$make' -s install DESTDIR='$to'");
    die "make install failed:\n$err" if $status;
    chomp(my $pc = qx(find '$to' -name banklab.pc));
    my ($prefix) = slurp($pc) =~ /^prefix=(.*)$/m;
    $root = "$to$prefix";
    $ENV{PKG_CONFIG_PATH} = $pc =~ s{/[^/]*\z}{}r;
    $ENV{PKG_CONFIG} = "pkg-config --define-variable=prefix=$root";
    chomp(my $program = qx($ENV{PKG_CONFIG} --variable=program banklab));
    $ENV{PATH} = ($program =~ s{/[^/]*\z}{}r) . ":$ENV{PATH}";
    $Banklab::banklab = $program;
    delete $ENV{BANKLAB};
    return;
}

1;
