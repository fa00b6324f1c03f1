# SPDX-License-Identifier: Apache-2.0
#
# output.t - where the report goes: files, pipes, full disks, terminals.
use strict;
use warnings;
use Test::More;
use Banklab;

my $small = profile('small.ini', <<'END');
[run]
device = model

[problem]
rows = 16
cols = 16

[case tile]
plugin = transpose_tile
tile = 16
END

sub entries {
    opendir my $dir, $_[0] or die;
    return sort grep { !/^\.(\.|out|err)?$/ } readdir $dir;
}

# ---- --output ----------------------------------------------------------------------

mkdir "$folder/out" or die;
{
    my ($status, $out, $err) = banklab('run', $small, '-f', 'tap', '--output', "$folder/out/new");
    is($status, 0, '--output to a new file');
    is($out, '', 'nothing on standard output');
    is($err, '', 'nothing on standard error');
    is(slurp("$folder/out/new"), "1..1\nok 1 - tile\n", 'the file has the report');
    is_deeply([entries("$folder/out")], ['new'], 'and nothing else is left');
}
{
    my ($status) = banklab('run', $small, '-f', 'json', '-o', "$folder/out/new");
    is($status, 0, '--output over a file');
    like(slurp("$folder/out/new"), qr/\A\{\n.*\}\n\z/s, 'replaces all of it');
}
{
    my ($status, $out) = banklab('run', $small, '-f', 'tap', '-o', '-');
    is($status, 0, '--output -');
    is($out, "1..1\nok 1 - tile\n", 'is standard output');
}
{
    my $before = slurp("$folder/out/new");
    my ($status) = banklab('run', $small, '-o', "$folder/out/new", '--set', 'tile=17');
    is($status, 2, 'a run that can not be made');
    is(slurp("$folder/out/new"), $before, 'leaves the old file as it was');
}
for my $path ("$folder/out", "$folder/none/file", "$folder/out/new/file") {
    my ($status, $out, $err) = banklab('run', $small, '-o', $path);
    (my $name = $path) =~ s/\Q$folder\E//;
    is($status, 2, "--output $name is refused");
    like($err, qr/^banklab: cannot write the report to \Q$path\E: /, 'with its reason');
    is_deeply([entries("$folder/out")], ['new'], 'and nothing is left behind');
}

# ---- pipes and full disks ----------------------------------------------------------

SKIP: {
    skip 'no /dev/full here', 1 unless -c '/dev/full' && -w '/dev/full';
    for my $words ("run '$small'", "run '$small' -f json", "run '$small' -f csv",
        "run '$small' -f tap", 'list', 'describe copy', 'devices', '--help', '--version',
        'run --help')
    {
        my ($status, undef, $err) = shell("\"\$BANKLAB\" $words >/dev/full");
        (my $name = $words) =~ s/\Q$folder\E//;
        is($status, 2, "$name on a full disk: 2");
        my @lines = $err =~ /^banklab: cannot write .*No space left on device$/mg;
        is(scalar @lines, 1, 'and says so, once') or diag($err);
    }
    my ($status, undef, $err) = shell("\"\$BANKLAB\" run '$small' -o /dev/full");
    is($status, 2, '--output to a full disk: 2');
    like($err, qr{/dev/full: No space left}, 'and says so');
}
{
    my ($status, $out, $err) = shell("\"\$BANKLAB\" list | head -n 1");
    is($status, 0, 'piped to head');
    like($out, qr/^Plugins in /, 'which gets its line');
    ($status, undef, $err) = shell(
        "{ \"\$BANKLAB\" run '$small'; echo \$? >'$folder/status'; } | exec true; sleep 0");
    ok(slurp("$folder/status") =~ /^[02]$/, 'a closed pipe does not kill it');
    ($status, undef, $err) = shell("\"\$BANKLAB\" run '$small' >&-");
    is($status, 2, 'a closed standard output: 2');
    like($err, qr/^banklab: cannot write/, 'and says so');
}

# ---- terminals ---------------------------------------------------------------------

SKIP: {
    my ($status, $out) = shell('script --version');
    skip 'util-linux script, which makes terminals, is not here', 1
        unless $status == 0 && $out =~ /util-linux/;

    # Standard output, and standard error if `$err`, on a terminal of that many columns.
    my $terminal = sub {
        my ($columns, $environment, $words) = @_;
        spill("$folder/line",
            "stty cols $columns rows 24 2>/dev/null; env $environment '$banklab' $words\n");
        my (undef, $shown) = shell("script -qec \"sh '$folder/line'\" /dev/null");
        $shown =~ s/\r\n/\n/g;
        return $shown;
    };
    my $run = "run '$small' 2>'$folder/stderr'";

    my $shown = $terminal->(200, 'TERM=xterm', $run);
    like($shown, qr/\033\[32m/, 'colour on a terminal');
    unlike($terminal->(200, 'TERM=xterm NO_COLOR=1', $run), qr/\033/, 'none with NO_COLOR');
    like($terminal->(200, 'TERM=xterm NO_COLOR=', $run), qr/\033/, 'an empty NO_COLOR is none');
    unlike($terminal->(200, 'TERM=dumb', $run), qr/\033/, 'none where TERM=dumb');
    unlike($terminal->(200, '-u TERM', $run), qr/\033/, 'none without TERM');
    unlike($terminal->(200, 'TERM=xterm', "run '$small' -f $_ 2>/dev/null"), qr/\033/,
        "none in $_") for qw(json csv tap);
    is(slurp("$folder/stderr"), '', 'no progress where standard error is a file');

    for my $columns (80, 100, 120) {
        my $plain = $terminal->($columns, 'TERM=dumb', $run);
        my ($grid) = $plain =~ /\n\n(.*?)\n\n/s;
        ok(defined $grid && !(grep { length > $columns } split /\n/, $grid),
            "the table fits $columns columns") or diag($plain);
    }

    $shown = $terminal->(80, 'TERM=xterm', "run '$small' >'$folder/report'");
    like($shown, qr{\r\033\[K\[1/\d+\] tile}, 'progress where standard error is a terminal');
    like($shown, qr/\r\033\[K\s*\z/, 'is erased at the end');
    unlike($shown, qr/\n./, 'and stays on its line');
    unlike(slurp("$folder/report"), qr/\033/, 'and is not in the report');
    is($terminal->(80, 'TERM=dumb', "run '$small' >/dev/null"), '', 'none where TERM=dumb');
}
{
    my (undef, $out) = shell("COLUMNS=100 \"\$BANKLAB\" run '$small'");
    my ($grid) = $out =~ /\n\n(.*?)\n\n/s;
    ok(!(grep { length > 100 } split /\n/, $grid), 'COLUMNS decides where there is no terminal');
}

done_testing();
