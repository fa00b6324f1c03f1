# SPDX-License-Identifier: Apache-2.0
#
# cache.t - compiled kernels are kept, by all that they are made of; what is damaged, or
# made of something else, is made anew; and without a place to keep them they run too.
use strict;
use warnings;
use lib "$ENV{top_srcdir}/t/kernel";
use Test::More;
use Banklab;
use KernelTest;

my %compilers = compilers();
my ($name) = sort keys %compilers;
plan skip_all => 'no compiler of device code is here' if !$name;

# The compiler, with a list of its calls.
my $compiler = "$folder/my-$name";
$ENV{TMPDIR} = "$folder/tmp";
mkdir $ENV{TMPDIR};
my $calls = "$folder/calls";
spill($compiler, "#!/bin/sh\necho call >> '$calls'\nexec '$compilers{$name}' \"\$@\"\n");
chmod 0755, $compiler;
$ENV{BANKLAB_NVCC} = $compiler;

sub calls {
    my $count = -e $calls ? () = slurp($calls) =~ /call/g : 0;
    unlink $calls;
    return $count;
}

spill("$folder/with space.h", "#define PLACE(i) (i)\n");
spill("$folder/copy.cu", <<'END');
#include "with space.h"
#ifndef FACTOR
#define FACTOR 1
#endif
extern "C" __global__ void copy(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[PLACE(i)] = in[i] * FACTOR;
}
END
my %keys = (%copy, file => 'copy.cu', args => 'out, in, rows*cols');
my $profile = kernel_profile('cached.ini', kernel_case('c', %keys));
my $cache = "$folder/cache/banklab";

sub verdict {
    my ($status, $document, $err) = run_json($profile, @_);
    return join ' ', map { $_->{verdict} } @{$document->{cases}};
}
sub entries { return grep { -f } glob "'$cache/*'" }

is(verdict(), 'pass', 'compiled');
is(calls(), 1, 'by one call');
is(scalar entries(), 1, 'and kept');
is(verdict(), 'pass', 'again');
is(calls(), 0, 'without a call');

# What it is made of.
spill("$folder/with space.h", "#define PLACE(i) (i - 1)\n");
is(verdict(), 'fail', 'a header that changed');
is(calls(), 1, 'is compiled');
spill("$folder/with space.h", "#define PLACE(i) (i)\n");
is(verdict(), 'pass', 'and back');
is(calls(), 1, 'again: what the header was is not kept');
spill("$folder/copy.cu", slurp("$folder/copy.cu") =~ s/\* FACTOR/+ 0/r);
is(verdict(), 'pass', 'a source that changed');
is(calls(), 1, 'is compiled');
spill("$folder/copy.cu", slurp("$folder/copy.cu") =~ s/\+ 0/* FACTOR/r);
is(verdict(), 'pass', 'one that is as before');
is(calls(), 0, 'is not');
is(verdict('--set=flags=-DFACTOR=3'), 'fail', 'other flags');
is(calls(), 1, 'are compiled');
$ENV{CPATH} = $folder;
is(verdict(), 'pass', 'other variables');
is(calls(), 1, 'too');
delete $ENV{CPATH};
utime 1000000000, 1000000000, $compiler;
is(verdict(), 'pass', 'another compiler');
is(calls(), 1, 'too');
is(verdict(), 'pass', 'the same one');
is(calls(), 0, 'not');

# Damage.
unlink entries();
verdict();
calls();
my ($entry) = entries();
my $whole = slurp($entry);
my $at = index $whole, '.entry';
my %damage = (
    'nothing' => '',
    'garbage' => "\0\xff" x 100,
    'its head' => substr($whole, 0, 17),
    'one without files' => ($whole =~ s/^file .*\n//mgr) . "\n",
    'its half' => substr($whole, 0, length($whole) / 2),
    'a byte less' => substr($whole, 0, -1),
    'a byte more' => "$whole ",
    'another byte in the PTX' => substr($whole, 0, $at) . '.Entry' . substr($whole, $at + 6),
    'another version' => $whole =~ s/^banklab-kernel 1/banklab-kernel 2/r,
    'a length that is none' => $whole =~ s/^(ptx \S+) \d+/$1 99999999999999999999/mr,
    'a hash that is none' => $whole =~ s/^ptx \S+/ptx xyz/mr,
    'a file that is gone' => $whole =~ s/^(file \S+ ).*/$1\/no\/such\/file/mr,
);
for (sort keys %damage) {
    spill($entry, $damage{$_});
    is(verdict(), 'pass', "an entry that is $_");
    is(calls(), 1, 'is made anew');
    ok(slurp($entry) eq $whole, 'and whole again');
}

# Places.
unlink $entry;
mkdir $entry;
my ($status, undef, $err) = run_json($profile);
is($status, 0, 'an entry that is a folder');
like($err, qr/^banklab: warning: compiled kernels can't be kept for the next run: .*\n\z/, 'is warned of');
rmdir $entry;
{
    spill("$folder/file", '');
    local $ENV{XDG_CACHE_HOME} = "$folder/file";
    my $two = kernel_profile('two.ini', kernel_case('c', %keys), kernel_case('d', %keys, flags => '-DX'));
    ($status, undef, $err) = run_json($two);
    is($status, 0, 'a cache that can\'t be');
    like($err, qr/^banklab: warning: compiled kernels can't be kept .*\n\z/, 'is warned of once');
    $ENV{XDG_CACHE_HOME} = 'relative/path';
    local $ENV{HOME} = "$folder/home";
    ($status, undef, $err) = run_json($profile);
    is("$status$err", '0', 'a relative path is ignored');
    ok(-d "$folder/home/.cache/banklab", 'for ~/.cache');
    delete $ENV{HOME};
    ($status, undef, $err) = run_json($profile);
    is("$status$err", '0', 'no place at all is no fault');
}
SKIP: {
    skip 'root may write everywhere', 2 if $> == 0;
    chmod 0500, $cache;
    ($status, undef, $err) = run_json($profile, '--set=flags=-DREADONLY');
    is($status, 0, 'a cache that is read-only');
    like($err, qr/warning: compiled kernels can't be kept/, 'is warned of');
    chmod 0700, $cache;
}

# Many at once.
unlink entries();
calls();
($status) = shell("for i in 1 2 3 4 5 6; do \$BANKLAB run '$profile' -f csv >'$folder/out'\$i 2>&1 & p=\"\$p \$!\"; done; "
        . 'r=0; for i in $p; do wait $i || r=1; done; exit $r');
is($status, 0, 'six at once');
is(scalar entries(), 1, 'leave one entry, and nothing half done');
ok(slurp((entries())[0]) eq $whole, 'which is whole');
calls();
is(verdict(), 'pass', 'and is used');
is(calls(), 0, 'by whoever comes later');
is_deeply([glob "$ENV{TMPDIR}/banklab-*"], [], 'no temporary folder is left');

done_testing();
