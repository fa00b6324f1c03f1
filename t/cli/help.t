# SPDX-License-Identifier: Apache-2.0
#
# help.t - what the program says of itself, and of arguments that it does not take.
use strict;
use warnings;
use Test::More;
use Banklab;

my @commands = qw(run list describe devices access advise explain compare new check calibrate);

for my $word ('--help', '-h', '-?', 'help') {
    my ($status, $out, $err) = banklab($word);
    is($status, 0, "$word succeeds");
    like($out, qr/^Usage: banklab \[OPTION\.\.\.\] COMMAND/, "$word: usage");
    like($out, qr/^  \Q$_\E /m, "$word names $_") for @commands;
    is($err, '', "$word: nothing on standard error");
    ok(!(grep { length > 80 } split /\n/, $out), "$word fits 80 columns");
}

for my $command (@commands) {
    for my $words ([$command, '--help'], ['help', $command]) {
        my ($status, $out, $err) = banklab(@$words);
        is($status, 0, "@$words succeeds");
        like($out, qr/^Usage: banklab $command \[OPTION/, "@$words: usage");
        like($out, qr/--plugin-dir=DIR/, "@$words has the common options");
        is($err, '', "@$words: nothing on standard error");
    }
    my ($status, $out) = banklab($command, '--usage');
    is($status, 0, "$command --usage succeeds");
    like($out, qr/^Usage: banklab $command /, "$command --usage");
}

my (undef, $run) = banklab('run', '--help');
like($run, qr/--$_\b/, "run --help names --$_")
    for qw(device format output case plugin-dir set help version);
like($run, qr/Exit status: 0 .* 1 .* 2 /s, 'run --help tells the exit status');

for my $words (['--version'], ['-V'], ['run', '--version'], ['list', '-V']) {
    my ($status, $out, $err) = banklab(@$words);
    is($status, 0, "@$words succeeds");
    like($out, qr/^banklab \d+\.\d+\.\d+\S*\n\z/, "@$words");
    is($err, '', "@$words: nothing on standard error");
}

# Wrong words: exit status 2, nothing on standard output, a reason.
my @wrong = (
    [[], qr/^Usage: banklab/],
    [['rnu'], qr/unknown command "rnu"; did you mean "run"\?/],
    [['frobnicate'], qr/unknown command "frobnicate"; it can be run, list/],
    [['help', 'lst'], qr/unknown command "lst"; did you mean "list"\?/],
    [['--bogus'], qr/--bogus/],
    [['run', '--bogus'], qr/--bogus/],
    [['run'], qr/needs a PROFILE/],
    [['run', 'a', 'b'], qr/"b" is one too many/],
    [['run', 'transpose', '--format'], qr/argument/],
    [['run', 'transpose', '--format', 'jsno'], qr/unknown format "jsno"; did you mean "json"\?/],
    [['run', 'transpose', '--format='], qr/unknown format ""/],
    [['run', 'transpose', '--set', 'pad'], qr/KEY=VALUE.*"pad"/],
    [['run', 'transpose', '--set', '=1'], qr/KEY=VALUE.*"=1"/],
    [['describe'], qr/needs a PLUGIN/],
    [['describe', 'copy', 'copy'], qr/one too many/],
    [['list', 'x'], qr/one too many/],
    [['devices', 'x'], qr/one too many/],
);
for my $case (@wrong) {
    my ($words, $reason) = @$case;
    my ($status, $out, $err) = banklab(@$words);
    is($status, 2, "(@$words) exits with 2");
    is($out, '', "(@$words) prints nothing on standard output");
    like($err, $reason, "(@$words) says why");
    like($err, qr/^(banklab( run)?|Usage): /, "(@$words) says who speaks");
    my $command = join '', map {"$_ "} grep { /^(run|describe|list|devices)\z/ } $words->[0] // ();
    like($err, qr/^Try `banklab $command--help' or `banklab $command--usage'/m, "(@$words) points to help")
        if $err =~ /^Try/m;
}

done_testing();
