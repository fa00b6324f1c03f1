# SPDX-License-Identifier: Apache-2.0
#
# new.t - what `banklab new' makes builds at once against the installed lab, is right, and
# never costs anyone a file.
use strict;
use warnings;
use Test::More;
use Banklab;
use Installed;

my @kinds = qw(transpose copy pattern);
my $why_not = install_here();
plan skip_all => $why_not if $why_not;
mkdir "$folder/w";

sub here { my ($line) = @_; return shell("cd '$folder/w' && $line") }

# All files in the folder, hidden ones too.
sub files
{
    my ($where) = @_;
    return (shell("cd '$where' && find . | LC_ALL=C sort"))[1];
}

# ---- alone ---------------------------------------------------------------------------

for my $kind (@kinds) {
    my $name = "my_$kind";
    my $option = $kind eq 'transpose' ? '' : " --kind $kind";
    my ($status, $out, $err) = here("banklab new $name$option");
    is($status, 0, "new $name");
    is($err, '', 'nothing on standard error');
    is($out, "$name: Makefile README.md $name.c $name.cu $name.ini\n"
        . "Next: cd $name && make && make check\n", 'it tells what it made');
    is(files("$folder/w/$name"), join('', map { "$_\n" } '.',
            map { "./$_" } 'Makefile', 'README.md', map { "$name.$_" } qw(c cu ini)),
        'and made it');
    my $all = join '', map { slurp($_) } glob("$folder/w/$name/*");
    unlike($all, qr/\@(NAME|KIND|PLUGIN)\@|\bNAME\b/, 'no placeholder is left');
    is((stat "$folder/w/$name")[2] & 0777, 0777 & ~umask, 'others may read it, by umask');

    SKIP: {
        skip 'no device compiler', 1 if !$ENV{NVCC} && !$ENV{DEVICE_CLANG};
        ($status, $out, $err) = here("cd $name && make CFLAGS='-O2 -Wall -Wextra "
            . "-Wshadow -Wconversion -Wno-sign-conversion -Werror -std=c11'");
        is($status, 0, 'it builds, without a warning') or diag($out, $err);
        ($status, $out, $err) = here("cd $name && make check");
        is($status, 0, 'make check passes') or diag($out, $err);
        like($out, qr/^\d+ cases: \d+ passed$/m, 'its profile passes');
        ($status, $out) = here("cd $name && make");
        like($out, qr/up to date/, 'nothing is built twice');
        ($status, $out) = here("banklab describe $name/$name.so");
        like($out, qr/^\Q$name\E - \w.*\n\nkind       $kind: /, 'it describes itself');
        ($status) = here("cd $name && make clean");
        is(files("$folder/w/$name") =~ tr/\n//, 6, 'make clean leaves the sources');
    }
}

SKIP: {
    skip 'no device compiler', 1 if !$ENV{NVCC} && !$ENV{DEVICE_CLANG};
    my ($status, $out, $err) = here('cd my_copy && make install');
    is($status, 0, 'make install') or diag($err);
    ok(-f "$root/lib/banklab/plugins/my_copy.so" || (glob("$root/lib/*/banklab/plugins/my_copy.so"))[0],
        'into the folder of plugins');
    ($status, $out) = shell('cd / && banklab list --names=plugins');
    like($out, qr/^my_copy$/m, 'where banklab finds it');
    for my $with (grep { $_->[1] } ['nvcc', $ENV{NVCC}], ['clang', $ENV{DEVICE_CLANG}]) {
        my ($which, $path) = @$with;
        my $ptx = $which eq 'nvcc' ? "$path -ptx -arch=compute_80"
            : "$path -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 "
            . '-O3 -Wno-unknown-cuda-version -S';
        ($status, $out, $err) =
            here("cd my_pattern && make clean && make DEVICE_PTX='$ptx' && banklab run my_pattern.ini");
        is($status, 0, "$which as DEVICE_PTX") or diag($out, $err);
    }
    ($status, $out, $err) = here("cd my_copy && make -B DEVICE_PTX=");
    like($err, qr/without a device compiler: set DEVICE_PTX/, 'no device compiler: a reason');
    ($status, $out, $err) = here('cd my_copy && make clean && make DEVICE_PTX=false');
    isnt($status, 0, 'a device compiler that fails');
    ok(!-e "$folder/w/my_copy/my_copy.ptx", 'leaves no PTX');
    ($status, $out, $err) =
        here('cd my_copy && make PKG_CONFIG="pkg-config --define-variable=x=y nosuch"');
    like($err, qr/pkg-config does not know banklab/, 'no banklab.pc: a reason');
}

# The commands that banklab-plugin(7) has for doing it by hand.
SKIP: {
    skip 'no device compiler', 1 if !$ENV{NVCC} && !$ENV{DEVICE_CLANG};
    my ($text) = slurp("$ENV{top_srcdir}/doc/banklab-plugin.7") =~
        /^By hand:\n\.Bd[^\n]*\n(.*?)^\.Ed/ms;
    $text =~ s/\\e/\\/g;
    $text =~ s/pkg-config/$ENV{PKG_CONFIG}/g;
    shell("cd '$folder' && banklab new mine && cd mine && rm Makefile");
    my ($status, $out, $err) = shell("cd '$folder/mine' && set -e\n$text");
    is($status, 0, 'by hand, as the manual has it') or diag($text, $out, $err);
    ($status, $out, $err) = shell("cd '$folder/mine' && banklab run mine.ini --device model");
    is($status, 0, 'and it runs') or diag($out, $err);
}

# ---- in the tree -----------------------------------------------------------------------

# A source tree, as far as it matters.
sub tree
{
    my ($name, $list) = @_;
    shell("mkdir -p '$folder/$name/plugins' '$folder/$name/core/include/banklab' "
        . "'$folder/$name/deep/er'");
    spill("$folder/$name/$_", '') for qw(configure.ac core/include/banklab/plugin.h);
    spill("$folder/$name/plugins/Makefile.inc", $list);
    return "$folder/$name";
}

my $list = "# One line a plugin.\ninclude plugins/copy/Makefile.inc\n";
my $tree = tree('tree', $list);
{
    chmod 0640, "$tree/plugins/Makefile.inc";
    my ($status, $out, $err) = shell("cd '$tree/deep/er' && banklab new --in-tree mine");
    is($status, 0, 'new --in-tree, from a folder within') or diag($err);
    like($out, qr{^\Q$tree\E/plugins/mine: Makefile\.inc mine\.c mine\.cu mine\.ini\n},
        'it tells what it made');
    is(slurp("$tree/plugins/Makefile.inc"), "${list}include plugins/mine/Makefile.inc\n",
        'one line for it');
    is((stat "$tree/plugins/Makefile.inc")[2] & 0777, 0640, 'whose file may be read by the same');
    is(files("$tree/plugins"), join('', map { "$_\n" } '.', './Makefile.inc', './mine',
            map { "./mine/$_" } qw(Makefile.inc mine.c mine.cu mine.ini)), 'nothing else is there');
    like(slurp("$tree/plugins/mine/mine.ini"), qr/^plugin = mine$/m, 'found by its name');
    my $before = files($tree);
    ($status, $out, $err) = shell("cd '$tree' && banklab new --in-tree mine -k copy");
    is($status, 2, 'the same once more: refused');
    like($err, qr{plugins/mine is there already; nothing is overwritten}, 'with a reason');
    is(files($tree), $before, 'nothing has changed');
    is(slurp("$tree/plugins/Makefile.inc"), "${list}include plugins/mine/Makefile.inc\n",
        'nor in the list');
}
# What is made for the name of a plugin of the tree is what that plugin has.
{
    my $other = tree('other', 'include plugins/one/Makefile.inc');
    for my $name (qw(copy stride transpose_tile)) {
        my ($status) = shell("cd '$other' && banklab new --in-tree $name");
        is($status, 0, "$name in another tree");
        is(slurp("$other/plugins/$name/Makefile.inc"),
            slurp("$ENV{top_srcdir}/plugins/$name/Makefile.inc"),
            "Makefile.inc is as that of banklab's own $name");
    }
    is(slurp("$other/plugins/Makefile.inc"), join('',
            map { "include plugins/$_/Makefile.inc\n" } qw(one copy stride transpose_tile)),
        'a list without an end of line gets one');
    my $alone = slurp("$folder/w/my_transpose/my_transpose.cu") =~ s/my_transpose/copy/gr;
    is(slurp("$other/plugins/copy/copy.cu"), $alone, 'the kernel is as that of one that stands alone');
}
{
    my ($status, $out, $err) = here('banklab new --in-tree mine');
    is($status, 2, '--in-tree outside of a tree');
    like($err, qr/not its source tree/, 'with a reason');
}
SKIP: {
    skip 'root may write anywhere', 2 if $> == 0;
    my $locked = tree('locked', $list);
    chmod 0555, "$locked/plugins";
    my ($status, $out, $err) = shell("cd '$locked' && banklab new --in-tree mine");
    is($status, 2, 'a tree that may not be written');
    chmod 0755, "$locked/plugins";
    is(files("$locked/plugins"), ".\n./Makefile.inc\n", 'nothing is left behind');
}
{
    # The list can't be read when the folder is made already.
    my $broken = tree('broken', 'x' x (2 << 20));
    my ($status, $out, $err) = shell("cd '$broken' && banklab new --in-tree mine");
    is($status, 2, 'a list that can not be');
    is(files("$broken/plugins"), ".\n./Makefile.inc\n", 'nothing is left behind');
}

# ---- what can't be -----------------------------------------------------------------------

mkdir "$folder/w/empty_folder";
spill("$folder/w/a_file", "precious\n");
symlink 'nowhere', "$folder/w/a_link";
my $before = files("$folder/w");
my @wrong = (
    ["''", qr/needs a name/],
    ['my-plugin', qr/"my-plugin" can't be .*; try "my_plugin"$/],
    ['2nd', qr/no digit first; try "p2nd"$/],
    ['../x', qr/"\.\.\/x" can't be /],
    ["'a b'", qr/try "a_b"$/],
    ["'\xc3\xa4'", qr/can't be /],
    ['x' x 64, qr/64 letters; at most 63/],
    ['x --kind tranpose', qr/there is no kind "tranpose"; did you mean "transpose"\?/],
    ["x --kind ''", qr/there is no kind ""/],
    ['x --kind ../copy', qr/there is no kind/],
    ['x y', qr/"y" is one too many/],
    ['', qr/needs a NAME/],
    ['my_copy', qr/my_copy is there already; nothing is overwritten/],
    ['empty_folder', qr/is there already/],
    ['a_file', qr/is there already/],
    ['a_link', qr/is there already/],
);
for my $case (@wrong) {
    my ($words, $reason) = @$case;
    my ($status, $out, $err) = here("banklab new $words");
    is($status, 2, "new $words: 2");
    is($out, '', 'nothing on standard output');
    like($err, $reason, 'with a reason');
}
is(files("$folder/w"), $before, 'and nothing was made');
is(slurp("$folder/w/a_file"), "precious\n", 'nor lost');

# An installation without its templates.
{
    my ($conf) = glob("$root/share/banklab");
    rename "$conf/templates/folder/Makefile", "$conf/kept";
    rename "$conf/templates/folder/README.md", "$conf/kept2";
    my ($status, $out, $err) = here('banklab new lost');
    is($status, 2, 'a template that is not there');
    like($err, qr{templates/folder is empty; the templates come with banklab}, 'is named');
    is(files("$folder/w"), $before, 'nothing half made is left');
}
done_testing();
