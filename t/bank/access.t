# SPDX-License-Identifier: Apache-2.0
#
# access.t - banklab access: one access by its address, and tables of them.
use strict;
use warnings;
use Test::More;
use JSON::PP;
use Banklab;

my $data = "$ENV{top_srcdir}/t/data";

# ---- one access ----------------------------------------------------------------------------

sub numbers_of {
    my ($out) = @_;
    my %n;
    $n{$1} = $2 while $out =~ /^(wavefronts|ideal|conflicts|ways|phases|cycles|sectors) +(\d+)  /mg;
    return \%n;
}

my ($status, $out, $err) = banklab('access', '4*(16*tx+ty)', '--block=16x16');
is($status, 0, 'a conflict is no failure');
is($err, '', 'nothing on standard error');
is_deeply(numbers_of($out),
    {wavefronts => 8, ideal => 1, conflicts => 7, ways => 8, phases => 1, cycles => 8},
    'a column of a 16 x 16 tile: 8 ways');
like($out, qr/^access   load of 4 bytes a lane, shared memory$/m, 'what was asked');
like($out, qr/^address  4\*\(16\*tx\+ty\)$/m, 'the address');
like($out, qr/^block    16x16, warp 0 of 8$/m, 'the warp');
like($out, qr/^rules    cc90: measured on an NVIDIA H200/m, 'the rules and their evidence');
like($out, qr/^lanes 0-31: 8 wavefronts\n  bank  0 .*31\n    1   0 16  \./m, 'the picture');

($status, $out) = shell(q(COLUMNS=80 "$BANKLAB" access '16*(17*tx+ty)' -w 16 -b 16x16 -o store));
ok(!(grep { length > 80 && !/^rules/ } split /\n/, $out), '80 columns are enough');
is(numbers_of($out)->{phases}, 4, 'a wide store has 4 phases');

for (['8*(t%4)', 2, '-w', 8], ['16*(t/2)', 2, '-w', 16], ['4*33*t', 1], ['4*(P*tx+ty)', 1, '-D', 'P=33', '-b', '32x32'],
    ['4*(Q*tx+ty)', 32, '-D', 'P=4', '-D', 'Q=P*8', '-b', '32x32', '--warp', 3],
    ['4*2*t', 1, '--mask', 'ffff'], ['2*64*t', 4, '-w2', '-m', '0xf'],
    ['4*(t < 20 ? t : 1/0)', 1, '-b', 20])
{
    my ($address, $expected, @options) = @$_;
    ($status, $out) = banklab('access', $address, @options);
    is(numbers_of($out)->{wavefronts}, $expected, "$address @options: $expected wavefronts");
}

($status, $out) = banklab('access', '4*t*(1+warp%2)', '--block=128', '--warp=all');
is($status, 0, 'all warps');
like($out, qr/^block    128, all 4 warps$/m, 'are told');
like($out, qr/^ +all warps +warp +1\nwavefronts +6 +2 /m, 'their sum, and the worst');
like($out, qr/^Warp 1 is the worst, or one of them; 2 of 4 warps cost as much\.$/m, 'which is named');

($status, $out) = banklab('access', '8*t', '--space=global');
is(numbers_of($out)->{sectors}, 8, 'sectors of global memory');
like($out, qr/^     32  ####\.\.\.\.####\.\.\.\.####\.\.\.\.####\.\.\.\.  4-7$/m, 'their picture');
($status, $out) = banklab('access', '32*t', '-s', 'global', '-w', '32');
is(numbers_of($out)->{sectors}, 32, '32 bytes a lane');

($status, $out) = banklab('access', '4*t', '--arch=cc75');
like($out, qr/^rules    cc75: documented, not measured/m, 'other rules');
($status, $out) = banklab('access', '16384*t');
like($out, qr/^It reaches to byte 507907: a block of cc90 has at most 232448 bytes/m, 'too far');

# Where the rules leave it open.
my $half = '4*(t%16 < 8 ? t : 15)';
($status, $out) = banklab('access', $half, '--arch=cc10');
like($out, qr/^wavefronts +2-4  .*^conflicts +0-2  .*^ways +1-2  /ms, 'a least and a most');
like($out, qr/^phase 1 of 2, lanes 0-15: 1 to 2 wavefronts$/m, 'in the picture too');
(undef, $out) = banklab('access', $half, '--arch=cc10', '-f', 'json');
is_deeply([@{decode_json($out)->{cost}}{map { ("${_}_least", $_) } qw(wavefronts conflicts ways)}],
    [2, 4, 0, 2, 1, 2], 'and in JSON');
(undef, $out) = banklab('access', $half, '-f', 'json');
ok(!exists decode_json($out)->{cost}{ways_least}, 'else there is one number');
($status, $out) = banklab('access', '4*t+4', '--arch=cc10', '-s', 'global');
like($out, qr/^5 sectors are touched, 32 are moved: /m, 'sectors that are moved besides');

# ---- JSON ---------------------------------------------------------------------------------------

($status, $out, $err) = banklab('access', '4*(P*tx+ty)', '-D', 'P=32', '-b', '32x2', '-o', 'store',
    '--warp=all', '-f', 'json');
my $json = eval { decode_json($out) };
is($@, '', 'JSON that parses');
my $cost = {wavefronts => 32, ideal => 1, conflicts => 31, ways => 32, phases => 1, cycles => 32};
my $all = {wavefronts => 64, ideal => 2, conflicts => 62, ways => 32, phases => 2, cycles => 64};
is_deeply([map { 128 * $_ } 0 .. 31], delete $json->{lanes}, 'the lanes');
like(delete $json->{evidence}, qr/^measured on/, 'the evidence');
like(delete $json->{banklab}, qr/^\d+\.\d+\.\d+/, 'the version');
is_deeply($json,
    {schema => 'banklab.access/1', source => 'model', address => '4*(P*tx+ty)', op => 'store', space => 'shared',
        width => 4, block => [32, 2, 1], constants => {P => 32}, arch => 'cc90', warps => 2,
        warp => 0, alike => 2, cost => $cost, all => $all},
    'and all the rest');
(undef, $out) = banklab('access', '4*t', '-m', '5', '-s', 'global', '-f', 'json');
$json = decode_json($out);
is_deeply($json->{cost}, {sectors => 1, ideal_sectors => 1}, 'of global memory');
is_deeply([@{$json->{lanes}}[0 .. 3]], [0, undef, 8, undef], 'no address where no lane is');
ok(!exists $json->{all}, 'no sum of one warp');

# ---- what can't be done --------------------------------------------------------------------------

for (
    [['4*(tv+1)'], qr/column 4: unknown name "tv"; did you mean "t"\?\n +4\*\(tv\+1\)\n +\^~$/m],
    [['4*ty'], qr/depends on the block's shape.*--block 16x16/],
    [['t'], qr/lane 1 of warp 0 \(tx 1, ty 0, tz 0\): address 1 is not a multiple of the width, 4/],
    [['4*(t-1)'], qr/lane 0 .*address -4 is negative/],
    [['4*(t+0/(3-t))'], qr/lane 3 .*column 7: 0 is divided by zero here\n/],
    [['4*t', '--warp=1'], qr/warp 1 of a block of 32 threads, which has 1 warp/],
    [['4*t', '--warp=x'], qr/--warp: a warp is a number from 0 on, or all/],
    [['4*t', '-w', '3'], qr/--width: a width is 1, 2, 4, 8 or 16/],
    [['4*t', '-w', '32'], qr/32 bytes a lane is global memory's/],
    [['4*t', '-o', 'laod'], qr/--op: unknown op "laod"; did you mean "load"\?/],
    [['4*t', '-b', '2048'], qr/cc90 has at most 1024/],
    [['4*t', '-b', '16,16'], qr/--block: a block is X, XxY or XxYxZ/],
    [['4*t', '-m', '0'], qr/--mask: the mask 0 leaves no lane/],
    [['4*t', '-D', 'tx=1'], qr/-D: tx has a meaning in addresses already/],
    [['4*t', '-D', 'P=1/0'], qr/-D: the value of P: column 2: 1 is divided by zero/],
    [['4*t', '-a', 'cc91'], qr/cc91.*cc90/],
    [['4*t', '-f', 'jsno'], qr/unknown format "jsno"; did you mean "json"\?/],
    [['4*t', '4*t'], qr/takes one EXPR/],
    [[], qr/needs an EXPR/],
    [['4*t', '--csv=x'], qr/with --csv the file has the addresses/],
    [['--csv=x', '-f', 'json'], qr/--csv writes CSV/],
    [['--csv', "$folder/none"], qr{none: No such file}],
    )
{
    my ($words, $reason) = @$_;
    ($status, $out, $err) = banklab('access', @$words);
    is($status, 2, "(@$words) can't be done");
    is($out, '', "(@$words): nothing on standard output");
    like($err, qr/^banklab: /, "(@$words): who speaks");
    like($err, $reason, "(@$words): why");
}

# ---- tables -----------------------------------------------------------------------------------------

my %rows = ('bank-cases' => 23, 'shared-counters-h200' => 200, 'shared-patterns-h200' => 4000,
    'global-counters-h200' => 120);
for my $name (sort keys %rows) {
    ($status, $out, $err) = banklab('access', '--csv', "$data/$name.csv");
    is($status, 0, "$name is as the rules say");
    like($err, qr/^banklab: \S+$name\.csv: $rows{$name} accesses, $rows{$name} compared: 0 differ\n\z/,
        'all of it');
    my @lines = split /\n/, $out;
    is(scalar @lines, 1 + $rows{$name}, 'a row for each');
    like($lines[0], $name =~ /global/ ? qr/,rule_sectors,rule_ideal_sectors,agrees$/
        : qr/,rule_wavefronts,rule_ideal,rule_conflicts,rule_ways,rule_phases,rule_cycles,agrees$/,
        'the columns that are added');
    is(scalar(grep { !/,yes$/ } @lines[1 .. $#lines]), 0, 'they agree');
}

# Feeds a table; returns status, output, errors.
sub table {
    my ($text, @options) = @_;
    spill("$folder/table.csv", $text);
    return banklab('access', '--csv', "$folder/table.csv", @options);
}

($status, $out, $err) = table("id,address,wavefronts,ways,cycles\nfirst,4*t,1,1,1.03\nsecond,8*t,1,2,9.9\nthird,4*P*t,,,\n",
    '-D', 'P=4');
is($status, 1, 'a number that is not as expected');
like($err, qr{^banklab: \S+table\.csv:3: second: wavefronts 1 expected, 2 by the rules of cc90$}m,
    'is told with its line and name');
like($err, qr/: 3 accesses, 2 compared: 1 differ\n\z/, 'and counted; times are no counts');
is($out, "id,address,wavefronts,ways,cycles,rule_wavefronts,rule_ideal,rule_conflicts,rule_ways,rule_phases,rule_cycles,agrees\n"
    . "first,4*t,1,1,1.03,1,1,0,1,1,1,yes\nsecond,8*t,1,2,9.9,2,1,1,2,1,2,no\n"
    . "third,4*P*t,,,,4,1,3,4,1,4,\n", 'and written');
my $before = $out;
spill("$folder/again.csv", $out);
($status, $out) = banklab('access', '-c', "$folder/again.csv", '-DP=4');
is($out, $before, 'what was written can be read again');

($status, $out, $err) = table("address,ways\n$half,1\n$half,2\n$half,3\n", '-a', 'cc10');
is($status, 1, 'what is open is compared with both ends');
like($err, qr/csv:4: ways 3 expected, 1 to 2 by the rules of cc10\n.*: 3 accesses, 3 compared: 1 differ/,
    'which are told');
like($out, qr/,rule_wavefronts,rule_wavefronts_least,.*,rule_conflicts,rule_conflicts_least,rule_ways,rule_ways_least,.*\n.*,4,2,2,2,0,2,1,2,8,yes\n/,
    'and written');
(undef, undef, $err) = table("address,bank_conflicts\n$half,0\n$half,2\n$half,3\n", '-a', 'cc10');
like($err, qr/conflicts 3 expected, 0 to 2 by .*\n.*: 1 differ/, 'conflicts too');
my $open = $out;
spill("$folder/again.csv", $out);
is((banklab('access', '-c', "$folder/again.csv", '-a', 'cc10'))[1], $open, 'and can be read again');

($status, $out, $err) = table("cycles,address\n3,4*t\n");
like($err, qr/cycles 3 expected, 1 by/, 'whole cycles are compared');

($status, $out, $err) = table("# of a file\naddress,space,width,note\r\n8*t,global,4,\"a, \"\"b\"\"\"\r\n\r\n16*t,,16,\r\n");
is($status, 0, 'both spaces, line ends of two bytes, quotes, comments');
is($err, '', 'nothing was expected');
is($out, "# of a file\naddress,space,width,note,rule_wavefronts,rule_ideal,rule_conflicts,rule_ways,rule_phases,rule_cycles,rule_sectors,rule_ideal_sectors\r\n"
    . "8*t,global,4,\"a, \"\"b\"\"\",,,,,,,8,4\r\n16*t,,16,,4,4,0,1,4,4,,\r\n", 'are kept');

($status, $out, $err) = table("address,block,warp\n4*(16*tx+ty),16x16,all\n");
like($out, qr/all,64,8,56,8,8,64$/m, 'all warps');
($status, $out) = shell(qq(printf 'address\\n4*ty\\n' | "\$BANKLAB" access --csv - -b 8x8 -o store));
is($out, "address,rule_wavefronts,rule_ideal,rule_conflicts,rule_ways,rule_phases,rule_cycles\n4*ty,1,1,0,1,1,1\n",
    'standard input, and what options say');
($status, $out, $err) = table("address,withd\n4*t,4\n");
is($status, 0, 'a column of no meaning');
like($err, qr/^banklab: warning: \S+:1: column "withd" is passed on as it is; did you mean "width"\?$/m,
    'whose name is near one that has');

my $lanes = join ',', map { "a$_" } 0 .. 31;
my $places = join ',', map { 4 * $_ } 0 .. 31;
for (
    ["", qr/table\.csv: a header is expected/],
    ["op,width\nload,4\n", qr/csv:1: the header has neither "address".*nor a0 to a31/],
    ["address,op,op\n", qr/csv:1: columns 2 and 3 both are "op"/],
    ["address,conflicts,bank_conflicts\n", qr/csv:1: columns 2 and 3 both are "bank_conflicts"/],
    ["a0,a1\n1,2\n", qr/csv:1: a0 to a31 .* a2 is missing/],
    ["address\n4*t\n4*t,5\n", qr/csv:3: 2 fields; the header has 1/],
    ["address,op\n4*t,lod\n", qr/csv:2: unknown op "lod"; did you mean "load"\?/],
    ["address,width\n\n4*t,5\n", qr/csv:3: a width is 1, 2/],
    ["address,warp\n4*t,2\n", qr/csv:2: warp 2 of a block of 32/],
    ["address\n4*ty\n", qr/csv:2: the address depends on the block's shape/],
    ["address\n4*(t\n", qr/csv:2: column 5: .*\n +4\*\(t\n +\^$/m],
    ["address,ways\n4*t,one\n", qr/csv:2: ways: a whole number is expected, not "one"/],
    ["address,op\n,load\n", qr/csv:2: the address is missing/],
    ["$lanes\n$places\n${places}0x\n", qr/csv:3: a31 is lane 31's address/],
    ["$lanes\n3$places\n" =~ s/^(.*\n)3/${1}3/r, qr/csv:2: lane 0: address 30 is not a multiple/],
    ["address\n\"4*t\n", qr/csv:2: the quote that begins here has no end/],
    )
{
    my ($text, $reason) = @$_;
    ($status, $out, $err) = table($text);
    is($status, 2, 'a bad table: ' . join ' ', map { substr $_, 0, 30 } split /\n/, $text);
    like($err, $reason, 'why');
}
is((table("$lanes,mask\n" . join(',', 0, ('') x 31) . ",1\n"))[0], 0,
    'lanes outside of the mask need no address');

# What the output can't take is an error.
SKIP: {
    skip 'there is no /dev/full', 2 if !-e '/dev/full';
    ($status, $out, $err) = shell(qq("\$BANKLAB" access '4*t' > /dev/full));
    is($status, 2, 'a full disk');
    like($err, qr/^banklab: .*No space left/, 'is told');
}

done_testing();
