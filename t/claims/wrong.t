#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Kernels as an article printed them, wrong: the verifier catches each, and says where. A
# table of bank conflicts alone would praise them.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Banklab;

my $bad = "$ENV{top_builddir}/t/claims/bad";
my $path = profile('wrong.ini', <<"END");
[problem]
rows = 64
cols = 96

[case rotate-32]
plugin = $bad/rotate_reader.so
tile = 32

[case rotate-16]
plugin = $bad/rotate_reader.so
tile = 16

[case misaligned]
plugin = $bad/vector_indices.so
indices = misaligned

[case overlapping]
plugin = $bad/vector_indices.so
indices = overlapping

[case right]
plugin = $bad/vector_indices.so
indices = right

[case rotated-by-both]
plugin = transpose_rotate
END
my ($status, $json, $said) = banklab('run', $path, '-d', 'model', '-f', 'json');
is($status, 1, 'the run fails') or diag($said);
my %cases = map { $_->{case} => $_ } @{decode_json($json)->{cases}};

# Output row 0 is column 0 of the input: its first element is in place whichever way, the
# next one comes from a column further.
for (['rotate-32', 32], ['rotate-16', 16]) {
    my ($name, $tile) = @$_;
    my $case = $cases{$name};
    is($case->{verdict}, 'fail', "$name fails");
    like($case->{detail}, qr/row 0 column 1\b.*expected .*got /, 'by its second element');
    is($case->{shared}{load}{conflicts}, 0, 'though without a conflict');
    ok(!$case->{time}, 'and what is wrong has no time');
}

is($cases{misaligned}{verdict}, 'fail', 'misaligned fails');
like($cases{misaligned}{detail}, qr/align/i, 'by its fault');
like($cases{misaligned}{detail}, qr/vector_indices\.cu:\d+/, 'at a line of the source');
is($cases{overlapping}{verdict}, 'fail', 'overlapping fails');
like($cases{overlapping}{detail}, qr/row 0 column 4\b/,
    'by the first element that a neighbour has overwritten');
is($cases{$_}{verdict}, 'pass', "$_ passes") for qw(right rotated-by-both);

# The counts of the wrong rotation are those of the right one: they don't tell.
is($cases{'rotated-by-both'}{shared}{load}{conflicts}, 0, 'both sides rotated: no conflict');
done_testing();
