#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Plugins that are wrong in one thing each: check finds each, and what it says names the
# cause, and the line of the source where there is one.
use strict;
use warnings;
use Test::More;
use Banklab;

my $bad = "$ENV{top_builddir}/t/check/bad";
my $claims = "$ENV{top_builddir}/t/claims/bad";

# The points that a plugin fails, by name, and what is said below each.
sub failures {
    my ($out) = @_;
    my (%said, $name);
    for (split /\n/, $out) {
        if (/^(not )?ok \d+ - \w+: (.*)/) { $name = $1 ? $2 : undef; $said{$2} = '' if $1; }
        elsif (defined $name && /^# *(.*)/) { $said{$name} .= "$1\n"; }
    }
    return \%said;
}

my $line = qr/bad\.cu:\d+/;
my $shared = 'has no races in shared memory';
my $global = 'has no races in global memory';
my $ends = 'keeps to its buffers and runs to its end';
my $right = 'gives the right results';
my $old = 'takes nothing from an earlier run';
my $far = 'indexes more than 2^32 elements';

# Plugin, then points that must fail and what they must say. Others may fail too.
my @wrong = (
    [no_barrier => {$shared => qr/race in shared memory.*$line.*$line.*__syncthreads\(\) missing/}],
    [no_reuse_barrier => {$shared => qr/race in shared memory.*$line.*$line.*__syncthreads\(\) missing/}],
    [no_warp_sync => {$shared => qr/race in shared memory.*$line.*__syncwarp\(\) missing/}],
    [same_place => {$shared => qr/race in shared memory.*$line has lanes that store different values to one byte/}],
    [two_blocks => {$global => qr/race in global memory.*$line.*of two blocks.*byte \d+ of output/}],
    [swapped => {$right => qr/only where there are not as many rows as columns.*swapped in the grid/s}],
    [edge => {$ends => qr/out of bounds.*$line.*only where a tile hangs over an edge/s}],
    [early_return => {$right => qr/never written.*threads had ended before the barrier in $line/s}],
    [one_side => {$right => qr/elements change places within a tile.*rotated, swizzled or padded on one side/s}],
    [divergent => {$ends => qr/barrier in divergent code.*$line/}],
    [unwritten => {$ends => qr/uninitialised: load .*$line/}],
    [guard => {$ends => qr/out of bounds: store .* at output \+ \d+ .*$line/}],
    [input_writer => {$ends => qr/the input is written to: \S+ in $line/}],
    [leftover => {$old => qr/output is read before it was written: \S+ in $line/}],
    # clang's PTX does not tell where a header's line was called from.
    [counter => {$old => qr/the variable drawn keeps what a run leaves: \S+ in ($line|device\.h:\d+)/}],
    [impure => {'plan is pure' => qr/plan is not pure.*grid\.y of launch 0 \(right\) is \d+, then \d+/}],
    [pad_unused => {'parameter pad changes something' => qr/parameter pad is declared but unused/}],
    [pad_unread => {'parameter pad changes something' => qr/argument 4 of pad_unread, the kernel never reads/}],
    [index_overflow => {$far => qr/index overflow.*more than 2\^31 and than 2\^32.*$line/s}],
    [copy_overflow => {$far => qr/index overflow.*of two blocks.*$line|index overflow.*$line.*of two blocks/s}],
    [size_cut => {$far => qr/index overflow.*write nothing.*a size computed in 32 bits/s}],
    [crash => {'plan answers' => qr/plan was killed by signal/}],
);

my ($status, $out, $err) = banklab('check', "$bad/right.so");
is($status, 0, 'what they would all be passes') or diag($out);
is($err, '', 'and nothing more is said');
unlike($out, qr/^not ok|^# /m, 'not even in notes');

for (@wrong) {
    my ($plugin, $points) = @$_;
    my ($status, $out, $err) = banklab('check', '--quick', "$bad/$plugin.so");
    is($status, 1, "$plugin fails") or diag($err);
    my $said = failures($out);
    for my $point (sort keys %$points) {
        SKIP: {
            skip "$plugin: no address space for it here", 1 if $out =~ /$point # SKIP there is not enough/;
            like($said->{$point} // '(it passed)', $points->{$point}, "$plugin: $point")
                or diag($out);
        }
    }
}

# A race is told once for a pair of lines, not once for each element.
($status, $out) = banklab('check', '--quick', "$bad/no_reuse_barrier.so");
my @races = $out =~ /^# race in shared memory/mg;
is(scalar @races, 1, 'one pair of lines is told once');
like($out, qr/lane \d+ of warp (\d+) \w+ byte \d+ of shared memory, lane \d+ of warp (?!\1 )\d+ of block \(\d+, \d+, \d+\)/,
    'with lanes, warps, byte and block');
like($out, qr/and so [\d,]+ times in no_reuse_barrier/, 'and how often');
# Which race it is, not that something races: stores of the next tile against loads.
like($races[0] && $out, qr/(ld\S* in bad\.cu:\d+ and st\S*|st\S* in bad\.cu:\d+ and ld\S*) in bad\.cu/,
    'a load and a store');

# The wrong kernels of an article.
for (["$claims/rotate_reader.so", qr/elements change places within a tile/],
     ["$claims/vector_indices.so", qr/misaligned.*only with indices=misaligned|misaligned/s]) {
    my ($path, $what) = @$_;
    my ($status, $out, $err) = banklab('check', '--quick', $path);
    is($status, 1, "$path fails") or diag($err);
    like($out, $what, 'and it is said why');
}

done_testing();
