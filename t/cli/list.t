# SPDX-License-Identifier: Apache-2.0
#
# list.t - banklab list, describe and devices.
use strict;
use warnings;
use Cwd qw(abs_path);
use Test::More;
use JSON::PP;
use Banklab;

my $built = abs_path($ENV{top_builddir}) . '/plugins';
my @plugins = sort map { m{([^/]+)/\1\.ini$} ? $1 : () } glob "$ENV{top_srcdir}/plugins/*/*.ini";
cmp_ok(scalar @plugins, '>=', 8, 'plugins to look for');

# ---- list --------------------------------------------------------------------------

my ($status, $out, $err) = banklab('list');
is($status, 0, 'list succeeds');
is($err, '', 'without a warning');
like($out, qr{^Plugins in \Q$built\E \(build tree\):$}m, 'where plugins are');
like($out, qr/^  \Q$_\E +(transpose|copy|pattern) +\S.*\S$/m, "$_ with kind and summary")
    for @plugins;
like($out, qr{^Profiles in \Q$ENV{top_srcdir}\E/conf:$}m, 'where profiles are');
like($out, qr/^  transpose +\S.*\S$/m, 'a profile with its title');
like($out, qr{^Profiles in \Q$ENV{top_srcdir}\E/plugins \(the plugins' own\):$}m,
    "where the plugins' profiles are");
unlike($out, qr/SPDX/, 'a licence is no title');

{
    mkdir "$folder/plugins" or die;
    spill("$folder/plugins/broken.so", "not a plugin\n");
    my ($status, $listed, $err) = banklab('list', '--plugin-dir', "$folder/plugins");
    is($status, 0, 'a bad plugin that is merely found does no harm');
    like($err, qr/^banklab: warning: .*broken\.so.*$/, 'and is one line of warning');
    is(scalar(my @lines = split /\n/, $err), 1, 'no more');
    is($listed, $out, 'the others are listed');

    my $copy = "$built/copy/.libs/copy.so";
    ok(-f $copy, 'a built plugin') or BAIL_OUT('the plugins are not built');
    unlink "$folder/plugins/broken.so";
    symlink $copy, "$folder/plugins/copy.so" or die;
    (undef, $listed) = banklab('-p', "$folder/plugins", 'list');
    like($listed, qr{^Plugins in \Q$folder\E/plugins \(--plugin-dir\):\n  copy }m,
        'a plugin of --plugin-dir, with where it is from');
    local $ENV{BANKLAB_PLUGIN_PATH} = "$folder/plugins";
    (undef, $listed) = banklab('list');
    like($listed, qr{\(BANKLAB_PLUGIN_PATH\):\n  copy }, 'and one of BANKLAB_PLUGIN_PATH');
}

# ---- describe ----------------------------------------------------------------------

# Runs the profile that describe prints, at a small size.
sub try_example {
    my ($name, $told) = @_;
    my ($example) = $told =~ /^A profile to start from:\n\n(.*)\z/ms;
    ok($example, "$name: an example") or return;
    my $path = profile('example.ini', $example);
    my ($status, $out, $err) = banklab('run', $path, '-d', 'model', '-f', 'json', '--set', 'rows=64', '--set', 'cols=64');
    is($status, 0, "$name: the example runs and passes") or diag(substr($out, 0, 2000), $err);
    my $cases = eval { decode_json($out)->{cases} } or return;
    is($cases->[0]{verdict}, 'pass', "$name: by doing it, not by skipping it");
    is($cases->[0]{plugin}, ($name =~ m{([^/.]+)(\.so)?$})[0], "$name: its own plugin");
}

for my $name (@plugins) {
    my ($status, $told, $err) = banklab('describe', $name);
    is($status, 0, "describe $name succeeds");
    is($err, '', "$name: nothing on standard error");
    like($told, qr/\A\Q$name\E - \S/, "$name: its summary");
    like($told, qr/^kind       (transpose|copy|pattern): \S/m, "$name: its kind");
    like($told, qr/^elements   [\d, ]+ bytes$/m, "$name: its widths");
    like($told, qr/^needs      \S/m, "$name: what it needs");
    like($told, qr/^code       PTX for compute capability \d+\.\d(, \d+\.\d)*$/m, "$name: its code");
    like($told, qr/^file       \S+\.so \(build tree\)$/m, "$name: its file");
    like($told, qr/^(Parameters:|No parameters\.)$/m, "$name: its parameters");
    unlike($told, qr/\(null\)/, "$name: nothing is missing");
    try_example($name, $told);
}

{
    my (undef, $told) = banklab('describe', 'transpose_tile');
    like($told, qr/^  name +takes +default +unit +meaning$/m, 'a head for parameters');
    like($told, qr/^  pad +0\.\.8 +0 +\S+ +\S/m, 'pad: domain, default, unit, help');
    like($told, qr/^  tile +16, 32 or 64 +32 /m, 'tile: a choice of numbers');
    like($told, qr/^twin       pad=1: /m, 'the twin');
    my $path = "$built/copy/.libs/copy.so";
    my ($status, $by_path) = banklab('describe', $path);
    is($status, 0, 'describe takes a path');
    try_example($path, $by_path);
}
for my $case (['transpose_tiel', qr/did you mean "transpose_tile"\?/],
    ["$folder/none.so", qr/none\.so/])
{
    my ($name, $reason) = @$case;
    my ($status, $out, $err) = banklab('describe', $name);
    is($status, 2, 'describe of what is not there: 2');
    is($out, '', 'nothing on standard output');
    like($err, qr/^banklab: /, 'a complaint');
    like($err, $reason, 'with its reason');
}

# ---- list --names --------------------------------------------------------------------

for my $case ([['plugins'], 'copy'], [['profiles'], 'claims/transpose'],
    [['archs'], 'cc90'], [['cases', 'transpose_tile'], 'tile16-padded'])
{
    my ($words, $name) = @$case;
    my ($what, @profile) = @$words;
    my ($status, $out, $err) = banklab('list', "--names=$what", @profile);
    is($status, 0, "list --names=@$words");
    is($err, '', 'nothing on standard error');
    like($out, qr/\A([\w\/.-]+\n)+\z/, 'names alone, one a line');
    like($out, qr/^\Q$name\E$/m, "$name is among them");
}
for my $case ([['--names=plugin'], qr/no names of "plugin"; did you mean "plugins"\?/],
    [['--names=cases'], qr/needs a PROFILE/], [['transpose'], qr/"transpose" is one too many/],
    [['--names=cases', 'a', 'b'], qr/"b" is one too many/],
    [['--names=cases', 'none'], qr/none: no such file/],
    [['--names=archs', 'transpose'], qr/one too many/])
{
    my ($words, $reason) = @$case;
    my ($status, $out, $err) = banklab('list', @$words);
    is($status, 2, "list @$words: 2");
    is($out, '', 'nothing on standard output');
    like($err, $reason, 'with its reason');
}

# ---- devices -----------------------------------------------------------------------

($status, $out, $err) = banklab('devices');
is($status, 0, 'devices succeeds');
is($err, '', 'nothing on standard error');
like($out, qr/^model +cc90 +model of cc 9\.0 +measured on an NVIDIA H200/m, 'a measured model');
like($out, qr/^model +cc80 +model of cc 8\.0 +documented, not measured/m, 'an unmeasured one says so');

done_testing();
