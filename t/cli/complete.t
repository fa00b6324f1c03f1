# SPDX-License-Identifier: Apache-2.0
#
# complete.t - what bash and zsh complete.
use strict;
use warnings;
use Test::More;
use Banklab;

my ($bash, $zsh) = map { "$ENV{top_srcdir}/completion/$_" } qw(banklab _banklab);
profile("mine.ini", "[case one]\nplugin = copy\n[case two]\nplugin = copy\nblock = 32,64\n");
mkdir "$folder/inner";
spill("$folder/$_", '') for qw(a.so b.json c.txt);
my (undef, $help) = banklab('--help');
my @commands = ($help =~ /^Commands:\n(.*?)^\n/ms)[0] =~ /^  ([a-z]+) /mg;
my @profiles = split ' ', (banklab(qw(list --names=profiles)))[1];
my @plugins = split ' ', (banklab(qw(list --names=plugins)))[1];
my @archs = split ' ', (banklab(qw(list --names=archs)))[1];
cmp_ok(scalar @$_, '>=', 5, "there is something to complete: $_->[0] ...")
    for \(@commands, @profiles, @plugins, @archs);

# The last word of each is the one at the cursor; what must be offered, and no other.
my @both = (
    [[''], [@commands, 'help']],
    [['--plugin-dir', 'x', ''], [@commands, 'help']],
    [['help', ''], [@commands, 'help']],
    [['run', 'mine.ini', '--case', ''], [qw(one two)]],
    [['run', 'mine.ini', '-c', ''], [qw(one two)]],
    [['-p', 'inner', 'run', 'transpose_tile', '-c', ''],
        [qw(conflicted padded pads tile16 tile16-padded)]],
    [['run', '--format', ''], [qw(csv json table tap)]],
    [['run', '-f', ''], [qw(csv json table tap)]],
    [['explain', '--format', ''], [qw(json text)]],
    [['access', '-a', ''], \@archs],
    [['access', '--op', ''], [qw(load store)]],
    [['list', '--names', ''], [qw(archs cases plugins profiles)]],
    [['access', '8', ''], []],
    [['run', 'no-such-profile', '--case', ''], []],
);

sub uniq { my %seen; return sort grep { length && !$seen{$_}++ } @_ }

# Offers of bash, for words as bash parts them.
sub bash_offers
{
    my @words = map { "'$_'" } @_;
    my ($status, $out, $err) = shell("cd '$folder' && bash -c '. \"\$0\"; compopt() { :; }; "
        . 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _banklab; '
        . "printf \"%s\\n\" \"\${COMPREPLY[@]}\"' '$bash' \"\$BANKLAB\" @words");
    diag($err) if $err;
    return [uniq(split /\n/, $out)];
}

# Of zsh, with its completion system's functions by ones that print what they are given.
sub zsh_offers
{
    my @words = map { "'$_'" } @_;
    spill("$folder/driver.zsh", <<'END');
compadd() { [[ $1 == -a ]] && { print -rl -- ${(P)2}; return }; print -rl -- "$@" }
_describe() { print -rl -- ${${(P)@[-1]}%%:*} }
_files() { [[ $1 == -g ]] && print -rl -- ${~2}(N) *(N/); [[ $1 == -/ ]] && print -rl -- *(N/) }
compset() { words[CURRENT]=${words[CURRENT]#*=} }
script=$1; shift
words=("$@") CURRENT=$#
set --
source $script
END
    my ($status, $out, $err) =
        shell("cd '$folder' && zsh -f driver.zsh '$zsh' \"\$BANKLAB\" @words");
    diag($err) if $err;
    return [uniq(split /\n/, $out)];
}

SKIP: {
    skip 'no bash of version 4 or later', 1 if system('bash -c "((BASH_VERSINFO >= 4))"');
    is((shell("bash -n '$bash'"))[0], 0, 'bash reads the script');
    is_deeply(bash_offers(@{$_->[0]}), [uniq(@{$_->[1]})], "bash: @{$_->[0]}") for @both;
    is_deeply(bash_offers('run', ''), [uniq(@profiles, 'mine.ini', 'inner')],
        'bash: profiles by name, files and folders');
    is_deeply(bash_offers('describe', ''), [uniq(@plugins, 'a.so', 'inner')],
        'bash: plugins by name and files');
    is_deeply(bash_offers('run', '--format', '=', 'j'), ['json'], 'bash: --format=j');
    is_deeply(bash_offers('run', '--format', '='), [qw(csv json table tap)], 'bash: --format=');
    is_deeply(bash_offers('ru'), ['run'], 'bash: ru');
    is_deeply(bash_offers('run', 'mine.ini', '--case', '=', 'o'), ['one'], 'bash: --case=o');
    is_deeply(bash_offers('--plugin-dir', ''), ['inner'], 'bash: folders of --plugin-dir');
    for my $command (@commands) {
        my %offered = map { $_ => 1 } @{bash_offers($command, '--')};
        my (undef, $text) = banklab($command, '--help');
        my %there = map { $_ => 1 } $text =~ /^ +(?:-\S, |    )(--[a-z-]+=?)/mg;
        is_deeply(\%offered, \%there, "bash: options of $command");
    }
}
SKIP: {
    skip 'no zsh', 1 if system('zsh -f -c true 2>/dev/null');
    is((shell("zsh -n '$zsh'"))[0], 0, 'zsh reads the script');
    is_deeply(zsh_offers(@{$_->[0]}), [uniq(@{$_->[1]})], "zsh: @{$_->[0]}") for @both;
    is_deeply(zsh_offers('run', ''), [uniq(@profiles, 'mine.ini', 'inner')],
        'zsh: profiles by name, files and folders');
    is_deeply(zsh_offers('describe', ''), [uniq(@plugins, 'a.so', 'inner')],
        'zsh: plugins by name and files');
    is_deeply(zsh_offers('run', '--format=j'), [qw(csv json table tap)], 'zsh: --format=');
    is_deeply(zsh_offers('--plugin-dir', ''), ['inner'], 'zsh: folders of --plugin-dir');
    for my $command (@commands) {
        my %offered = map { $_ => 1 } @{zsh_offers($command, '--')};
        my (undef, $text) = banklab($command, '--help');
        my %there = map { $_ => 1 } $text =~ /^ +(?:-\S, |    )(--[a-z-]+)/mg;
        is_deeply(\%offered, \%there, "zsh: options of $command");
    }
}
done_testing();
