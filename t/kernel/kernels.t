# SPDX-License-Identifier: Apache-2.0
#
# kernels.t - kernels as people have them run on the model as they are, by each compiler:
# the classic transposes, C++, cooperative groups, dynamic shared memory, several launches.
use strict;
use warnings;
use lib "$ENV{top_srcdir}/t/kernel";
use Test::More;
use Banklab;
use KernelTest;

my %compilers = compilers();
plan skip_all => 'no compiler of device code is here' if !%compilers;

sub by_case {
    my ($document) = @_;
    return map { $_->{case} => $_ } @{$document->{cases}};
}

# Numbers that are the same in both lists of bytes, for arithmetic without rounding.
my @numbers = map { $_ % 512 - 256 } 1 .. 70 * 45;
spill("$folder/numbers", pack 'f<*', @numbers);
spill("$folder/scaled", pack 'f<*', map { $_ * 1.5 - 2 } @numbers);
spill("$folder/scaled-badly", pack 'f<*', map { $_ * 1.5 - ($_ == 100 ? 3 : 2) } @numbers);

sub modern {
    my ($entry, %keys) = @_;
    return (file => "$kernels/modern.cu", entry => $entry, %keys);
}

my @modern = (
    kernel_case('plain', %copy, modern('plain'), args => 'out, in, rows*cols'),
    kernel_case('walk', %copy, modern('walk'), grid => 3, args => 'out, in, rows*cols'),
    kernel_case('template', %square, modern('transpose<float, TILE>'), 'const.TILE' => '16,32',
        grid => 'ceil(cols/TILE), ceil(rows/TILE)', block => 'TILE, 256/TILE'),
    kernel_case('bytes', %square, modern('lab::transpose<unsigned char,32>'), elem => 1),
    kernel_case('dynamic', %square, modern('dynamic'), block => '32, 32',
        'define.PITCH' => '32, 33', 'twin.PITCH' => 33, shared => '32 * PITCH * 4'),
    kernel_case('two', %copy, modern('stage'), scratch => 'rows*cols*elem',
        args => 'scratch, in, rows*cols', 'launch2.entry' => 'stage',
        'launch2.grid' => 'ceil(rows*cols/256)', 'launch2.block' => 256,
        'launch2.args' => 'out, scratch, rows*cols'),
    kernel_case('typed', %copy, modern('typed'), 'define.ELEMENT' => 'float, unsigned int',
        args => 'out, in, rows*cols'),
    kernel_case('scale', %copy, modern('scale'), kind => undef, in_file => 'numbers',
        expect_file => 'scaled', args => 'out, in, rows*cols, 1.5f, -2.0'),
    kernel_case('badly', %copy, modern('scale'), in_file => 'numbers',
        expect_file => 'scaled-badly', args => 'out, in, rows*cols, 1.5f, -2.0',
        'expect.verdict' => 'fail'),
);

for my $name (sort keys %compilers) {
    my @with = ("--nvcc=$compilers{$name}", '--device=model');

    my ($status, $document) = run_json("$ENV{top_srcdir}/conf/kernels/transpose.ini", @with);
    my %case = by_case($document);
    is($status, 0, "$name: the classics of conf/kernels");
    is($case{$_}{verdict}, 'pass', "$name: $_") for sort keys %case;
    is($case{tiled}{shared}{load}{ways}, 32, "$name: the tile has conflicts");
    is($case{padded}{shared}{load}{conflicts}, 0, "$name: the padded one has none");
    is($case{naive}{global}{store}{sectors}, 8 * $case{padded}{global}{store}{sectors},
        "$name: the naive one writes sectors eight times");
    cmp_ok($case{doubles}{slowdown}{twin}{data_stage}, '>', 8, "$name: a twin is told of");
    is($case{'any[const.TILE=32,const.PAD=0]'}{shared}{load}{conflicts},
        $case{tiled}{shared}{load}{conflicts}, "$name: a template counts as the plain one");

    my $profile = kernel_profile('modern.ini', @modern);
    ($status, $document) = run_json($profile, @with);
    %case = by_case($document);
    is($status, 0, "$name: modern kernels");
    is($case{$_}{verdict}, 'pass', "$name: $_") for grep { $_ ne 'badly' } sort keys %case;
    is(scalar keys %case, 12, "$name: all of them");
    like($case{badly}{detail}, qr/\b6 of 3,?150 elements wrong/, "$name: expect_file is looked at");
    is_deeply($case{'typed[define.ELEMENT=unsigned int]'}{params}, {'define.ELEMENT' => 'unsigned int'},
        "$name: constants are parameters in the report");
    is($case{'dynamic[define.PITCH=32]'}{shared}{load}{ways}, 32, "$name: a define changes the code");
    is_deeply($case{'dynamic[define.PITCH=32]'}{slowdown}{twin}{params}, {'define.PITCH' => 33},
        "$name: and has a twin");
    is($case{two}{global}{load}{sectors}, 2 * $case{plain}{global}{load}{sectors},
        "$name: both launches count");
    is($case{scale}{kind}, 'pattern', "$name: with expect_file no kind need be said");

    # --set reaches all of it.
    ($status, $document) = run_json($profile, @with, '--case=dynamic', '--set=define.PITCH=34,35');
    is_deeply([map { "$_->{case} $_->{verdict}" } @{$document->{cases}}],
        ['dynamic[define.PITCH=34] pass', 'dynamic[define.PITCH=35] pass'], "$name: a define is set");
    ($status, $document) = run_json($profile, @with, '--case=template', '--set=template.const.TILE=16');
    is_deeply([map { $_->{params} } @{$document->{cases}}], [{'const.TILE' => 16}],
        "$name: and a constant of one case");
    ($status, $document) = run_json($profile, @with, '--case=plain', '--set=plain.block=256');
    is($document->{cases}[0]{verdict}, 'pass', "$name: and a block");
    ($status, $document) = run_json($profile, @with, '--case=plain', '--set=rows=128', '--set=cols=99');
    is($document->{cases}[0]{verdict}, 'pass', "$name: and a problem");

    # explain, which is told nothing of where a case comes from.
    my ($explained, $out) = banklab('explain', $profile, $with[0], '--case=dynamic[[]define.PITCH=32]');
    is($explained, 0, "$name: explain");
    like($out, qr{modern\.cu:\d+ .*tile\[threadIdx\.x \* PITCH \+ threadIdx\.y\]}, "$name: with the source");

    # The other way in: what was compiled here is read there.
    my ($ptx) = grep { slurp($_) =~ /\bplain\b/ } glob "$folder/cache/banklab/*.ptx";
    spill("$folder/own.ptx", slurp($ptx) =~ s/\A.*?^ptx \S+ \d+\n//msr);
    ($status, $document) = run_json(kernel_profile('ptx.ini',
        kernel_case('of-ptx', %copy, file => 'own.ptx', entry => 'plain', args => 'out, in, rows*cols'),
        kernel_case('mangled', %copy, file => 'own.ptx', entry => '_Z4walkPfPKfx', grid => 3,
            args => 'out, in, rows*cols'),
        kernel_case('chosen', %square, file => 'own.ptx', entry => 'transpose<float, N>',
            'const.N' => '16, 32', grid => 'ceil(cols/N), ceil(rows/N)', block => 'N, 256/N')));
    is($status, 0, "$name: a .ptx file");
    is_deeply([map { $_->{verdict} } @{$document->{cases}}], [('pass') x 4], "$name: its kernels");
    is($document->{cases}[0]{global}{load}{sectors}, $case{plain}{global}{load}{sectors},
        "$name: count as before");
    unlink glob "$folder/cache/banklab/*";
}

SKIP: {
    my $header = $ENV{NVCC} ? $ENV{NVCC} =~ s{/bin/nvcc$}{/include/cooperative_groups.h}r : '';
    skip 'cooperative groups need a CUDA toolkit', 2 if !$header || !-e $header;
    my %groups = (file => "$kernels/groups.cu");
    my ($status, $document, $err) = run_json(kernel_profile('groups.ini',
        kernel_case('block', %groups, %square, entry => 'transpose', block => '32, 32'),
        kernel_case('warps', %groups, %copy, entry => 'warps', args => 'out, in, rows*cols'),
        kernel_case('reduce', %groups, %copy, entry => 'reduce', args => 'out, in, rows*cols')),
        "--nvcc=$ENV{NVCC}");
    is($status, 0, 'cooperative groups');
    diag($err) if $err;
    is_deeply([map { $_->{verdict} } @{$document->{cases}}], [('pass') x 3], 'their kernels');
}

done_testing();
