# SPDX-License-Identifier: Apache-2.0
#
# Banklab.pm - runs the program, for the tests of its command line.
package Banklab;

use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Temp qw(tempdir);

our @EXPORT = qw(banklab shell profile slurp spill nvcc_code $banklab $folder);

# The program, and a folder for what a test writes.
our $banklab = $ENV{BANKLAB} or die "BANKLAB, the program to test, is not set\n";
our $folder = abs_path(tempdir(CLEANUP => 1));

# Nothing of the caller's shall decide what the program prints.
delete @ENV{qw(NO_COLOR COLUMNS BANKLAB_PLUGIN_PATH ARGP_HELP_FMT)};

# Runs the program; returns exit status (128 + signal), standard output and error.
sub banklab { return shell(join ' ', map { quoted($_) } $banklab, @_) }

# Runs a line of shell, in which $BANKLAB is the program.
sub shell {
    my ($line) = @_;
    my ($out, $err) = ("$folder/.out", "$folder/.err");
    local $ENV{BANKLAB} = $banklab;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', $out or die;
        open STDERR, '>', $err or die;
        exec '/bin/sh', '-c', $line or die;
    }
    waitpid $pid, 0;
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    return ($status, slurp($out), slurp($err));
}

sub quoted {
    my ($word) = @_;
    $word =~ s/'/'\\''/g;
    return "'$word'";
}

# Whether the plugins' device code is nvcc's. Other compilers take other instructions, and
# lines of the source for them.
sub nvcc_code {
    my ($ptx) = grep { -e } map { "$_/plugins/transpose_naive/transpose_naive.ptx" }
        grep { defined } @ENV{qw(top_builddir top_srcdir)};
    return $ptx && slurp($ptx) =~ /NVIDIA NVVM Compiler/;
}

# Writes a profile into the folder; returns its path.
sub profile {
    my ($name, $text) = @_;
    spill("$folder/$name", $text);
    return "$folder/$name";
}

sub slurp {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    local $/;
    return scalar(<$in>) // '';
}

sub spill {
    my ($path, $text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
}

1;
