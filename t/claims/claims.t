#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The claims hold as their profiles expect, doc/claims.md tells of every one of their
# cases, and its numbers are those that the profiles give.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Time::HiRes qw(time);
use Banklab;

plan skip_all => 'BANKLAB_QUICK is set' if $ENV{BANKLAB_QUICK};

my $top = $ENV{top_srcdir};
my $page = slurp("$top/doc/claims.md");
my @names = qw(transpose shared-memory);
my %statements = (transpose => [map {"T$_"} 1 .. 9], 'shared-memory' => [map {"S$_"} 1 .. 14]);

my $start = time;
for my $name (@names) {
    my ($status, $json, $said) = banklab('run', "claims/$name", '-d', 'model', '-f', 'json');
    is($status, 0, "claims/$name: what is expected holds") or diag($said);
    my @cases = @{(eval { decode_json($json) } // {})->{cases} // []};
    diag("$_->{case}: $_->{verdict}: $_->{detail}")
        for grep { $_->{verdict} !~ /^(pass|skip)$/ } @cases;
    my @missing = grep { index($page, "| `$_` |") < 0 } map { $_->{case} } @cases;
    is("@missing", '', "claims/$name: the page has every case");
    for my $statement (@{$statements{$name}}) {
        ok(scalar(grep { $_->{case} =~ /^\L$statement\E-/ } @cases), "$statement has a case");
        like($page, qr/^### $statement: /m, "$statement has its section");
        like($page, qr/^\| \[$statement\]\(#\S+\) \| [^|]+ \| \*\*(holds|held then|holds in part|does not hold)\*\* [^|]*\|$/m,
            "and its verdict");
    }
    my $text = slurp("$top/conf/claims/$name.ini");
    my @sections = split /^(?=\[case )/m, $text;
    shift @sections;
    my @idle = map { /^\[case (\S+)\]/ } grep { !/^expect\./m } @sections;
    is("@idle", '', "claims/$name: every case expects something");
}
my %anchors = map { my $slug = lc; $slug =~ s/[^\w\- ]//g; ($slug =~ tr/ /-/r => 1) }
    $page =~ /^#+ (.*)$/mg;
my @astray = grep { !$anchors{$_} } $page =~ /\]\(#([^)]*)\)/g;
is("@astray", '', 'every link leads to a section');
my $took = time - $start;
diag(sprintf 'both took %.1f s', $took);

# Numbers that rotted would show here.
my ($status, $fresh, $said) = shell(qq("$^X" "$top/t/claims/tables" "$top/doc/claims.md"));
is($status, 0, 'the page can be made again') or diag($said);
my @was = split /\n/, $page;
my @is = split /\n/, $fresh;
is(scalar @is, scalar @was, 'it is as long');
my @differ = grep { ($was[$_] // '') ne ($is[$_] // '') } 0 .. $#is;
SKIP: {
    skip "the page's numbers are of nvcc's device code", 1 if !nvcc_code();
    is(scalar @differ, 0, 'its numbers are those of today');
}
diag("line " . ($_ + 1) . ": $was[$_]\n now: $is[$_]") for @differ > 5 ? @differ[0 .. 4] : @differ;

# An SM issues four instructions a cycle: fewer cycles than a quarter an access were not
# spent on accesses, but the assembler has moved them out from between the clock's readings.
my ($read, @unspent) = (0);
for my $file (glob "$top/doc/evidence/h200/{claims-*,strides}.json") {
    for my $case (@{decode_json(slurp($file))->{cases}}) {
        my $cycles = ($case->{clock} // {})->{cycles_per_access} // next;
        $read++;
        push @unspent, "$case->{case}: $cycles" if $cycles < 0.25;
    }
}
cmp_ok($read, '>', 20, 'clock readings in the evidence');
is("@unspent", '', 'are none that no GPU can have');

# And the comparison can fail.
my $rotten = $page =~ s/^(\| `t1-now` \| cc90 \| )8 /${1}9 /mr;
isnt($rotten, $page, 'a number changed');
spill("$folder/rotten.md", $rotten);
(undef, $fresh) = shell(qq("$^X" "$top/t/claims/tables" "$folder/rotten.md"));
SKIP: {
    skip "the page's numbers are of nvcc's device code", 1 if !nvcc_code();
    is($fresh, $page, 'is put right');
}

# "claims/NAME" is found wherever one stands, and only there; a near name is told.
($status, undef, $said) = shell('cd / && "$BANKLAB" run claims/transpose --case t9-xor -d model');
is($status, 0, 'from another folder') or diag($said);
($status, undef, $said) = banklab('run', 'claims/transpos');
is($status, 2, 'an unknown one');
like($said, qr{did you mean "claims/transpose"\?}, 'and the nearest name');
my (undef, $listed) = banklab('list');
like($listed, qr/^  claims\/$_ +\S/m, "list tells of claims/$_") for @names;
done_testing();
