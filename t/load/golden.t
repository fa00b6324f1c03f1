# SPDX-License-Identifier: Apache-2.0
#
# Every golden/NAME.ini gives, word for word, the plan in NAME.plan or the error in
# NAME.err. The program says the same errors, ends with 2 and prints nothing else.
use strict;
use warnings;
use Test::More;
use File::Basename;
use File::Temp qw(tempdir);

my $src   = $ENV{top_srcdir}   || '.';
my $build = $ENV{top_builddir} || '.';
my $program = $ENV{BANKLAB} || "$build/core/banklab";
my $show  = "$build/t/load/show_profile";
my @dirs  = map { "$build/t/load/$_" } qw(good bad);
my $scratch = tempdir(CLEANUP => 1);

sub slurp {
    my ($path) = @_;
    open my $in, '<', $path or return undef;
    local $/;
    my $text = <$in>;
    return defined $text ? $text : '';
}

# Runs in the folder of the profiles, so that messages show the bare name.
sub capture {
    my @command = @_;
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        chdir "$src/t/load/golden" or die "golden: $!";
        open STDOUT, '>', "$scratch/out" or die;
        open STDERR, '>', "$scratch/err" or die;
        exec @command or exit 127;
    }
    waitpid $pid, 0;
    my ($out, $err) = map { slurp("$scratch/$_") } qw(out err);
    s/\Q$build\E/BUILD/g for $out, $err;
    return ($?, $out, $err);
}

my @names = map { basename($_, '.ini') } sort glob "$src/t/load/golden/*.ini";
cmp_ok(scalar @names, '>', 50, 'the profiles are there');

for my $name (@names) {
    my ($plan, $error) = map { slurp("$src/t/load/golden/$name.$_") } qw(plan err);
    my ($status, $out, $err) = capture($show, "$name.ini", @dirs);
    if (defined $plan) {
        is("$status\n$err\n$out", "0\n\n$plan", "$name: the plan");
        next;
    }
    is($status, 2 << 8, "$name: refused");
    is($err, $error, "$name: the error");
    is($out, '', "$name: nothing on stdout");
    next unless -x $program;
    ($status, $out, $err) =
        capture($program, 'run', (map { ('--plugin-dir', $_) } @dirs), "$name.ini");
    $err =~ s/, [^,()]+ \((build tree|installed)\)//g; # it looks there too
    is($status, 2 << 8, "$name: the program ends with 2");
    is($err, "banklab: $error", "$name: the program says the same");
    is($out, '', "$name: the program prints nothing");
}

# Not a file that can be read.
my ($status, $out, $err) = capture($show, 'missing.ini', @dirs);
is($err, "missing.ini: No such file or directory\n", 'a missing profile');
is($status, 2 << 8, 'a missing profile is refused');
($status, $out, $err) = capture($show, '.', @dirs);
is($err, ".: not a regular file\n", 'a folder');

done_testing;
