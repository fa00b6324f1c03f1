# SPDX-License-Identifier: Apache-2.0
#
# errors.t - whatever is wrong in a case of `plugin = kernel' is told with its line, what
# is wrong, and what would be right; and nothing runs.
use strict;
use warnings;
use lib "$ENV{top_srcdir}/t/kernel";
use Test::More;
use Banklab;
use KernelTest;

# Four kernels, so that no compiler is needed.
my $params = sub {
    my ($name, @types) = @_;
    return join(",\n", map { "\t.param $types[$_] ${name}_param_$_" } 0 .. $#types);
};
my $ptx = ".version 7.0\n.target sm_75\n.address_size 64\n";
for (['_Z4copyPjPKjj', '.u64', '.u64', '.u32'], ['_Z5scalePfPKfifdm', '.u64', '.u64', '.u32', '.f32', '.f64', '.u64'],
    ['_ZN1a4tileIfLi16EEEvPT_S2_ii', '.u64', '.u64', '.u32', '.u32'],
    ['_ZN1a4tileIfLi32EEEvPT_S2_ii', '.u64', '.u64', '.u32', '.u32'],
    ['plain', '.u64', '.u64', '.u64'], ['flag', '.u64', '.u8'], ['whole', '.u64', '.align 4 .b8']) {
    my ($name, @types) = @$_;
    my $list = $params->($name, @types) =~ s/(\.b8 \w+)$/$1\[8]/r;
    $ptx .= ".visible .entry $name(\n$list\n)\n{\n\tret;\n}\n";
}
spill("$folder/k.ptx", $ptx);
spill("$folder/none.ptx", ".version 7.0\n.target sm_75\n.address_size 64\n.func f()\n{\n\tret;\n}\n");
spill("$folder/broken.ptx", ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(\n{\n");
spill("$folder/long.ptx", $ptx =~ s/\bplain\b/'p' . 'x' x 140/ger);
spill("$folder/empty.ptx", '');
spill("$folder/eight", 'x' x 8);

my %good = (%copy, file => 'k.ptx', entry => 'copy', args => 'out, in, rows*cols');
my $line = qr{^banklab: \Q$folder\E/refused\.ini:};

# The file's own line of a key: keys are sorted, the first stands on the tenth.
sub at {
    my ($key, %keys) = @_;
    my @keys = sort grep { defined $keys{$_} } keys %keys;
    my ($index) = grep { $keys[$_] eq $key } 0 .. $#keys;
    return 10 + $index;
}

# [what, changed keys, the key at whose line it is told (undef: the section's), message]
my @wrong = (
    ['no file', {file => undef}, undef, qr/the case "c" has no file; add a line file = NAME\.cu or NAME\.ptx/],
    ['a file of another kind', {file => 'k.cpp'}, 'file', qr/file takes a \.cu file, .* or a \.ptx file, not "k\.cpp"/],
    ['a file that is not there', {file => 'no.ptx'}, 'file', qr{/no\.ptx: No such file}],
    ['a source that is not there', {file => 'no.cu'}, 'file', qr{/no\.cu: No such file}],
    ['a folder', {file => '../../tmp/.ptx'}, 'file', qr/\.ptx: /],
    ['no PTX', {file => 'broken.ptx'}, 'file', qr/broken\.ptx:5: /],
    ['an empty file', {file => 'empty.ptx'}, 'file', qr/empty\.ptx/],
    ['no kernel', {file => 'none.ptx'}, 'entry', qr/none\.ptx has no kernel: a kernel is __global__, and a template becomes one where it is instantiated/],
    ['no entry of several', {entry => undef}, 'file', qr/has 7 kernels; name one: entry = NAME, of\n\s+copy\(unsigned int\*, unsigned int const\*, unsigned int\)\n/],
    ['a wrong entry', {entry => 'cpoy'}, 'entry', qr/has no kernel "cpoy"; did you mean "copy"\? It has\n\s+copy\(/],
    ['quite a wrong entry', {entry => 'transposed'}, 'entry', qr/has no kernel "transposed"\. It has\n.*\n\s+scale\(/],
    ['a template not said', {entry => 'tile'}, 'entry', qr/has 2 kernels "tile"; write out which of\n.*a::tile<float, 16>\(float\*, float\*, int, int\)/s],
    ['a template that is not there', {entry => 'a::tile<float, 64>'}, 'entry', qr/has no kernel "a::tile<float, 64>"; did you mean "tile<float,\d\d>"\?/],
    ['a name too long', {file => 'long.ptx', entry => 'p' . 'x' x 140}, 'entry', qr/has 141 bytes, and at most 127 can be launched/],
    ['no kind', {kind => undef}, undef, qr/does not say what its kernel does; add kind = transpose or copy, or expect_file/],
    ['an unknown kind', {kind => 'transpsoe'}, 'kind', qr/unknown kind "transpsoe"; did you mean "transpose"\?/],
    ['a pattern without bytes', {kind => 'pattern'}, 'kind', qr/kind = pattern says not what the output must hold; add expect_file/],
    ['expected bytes not there', {expect_file => 'no'}, 'expect_file', qr{expect_file: .*/no: No such file}],
    ['no grid', {grid => undef}, undef, qr/the case "c" has no grid; add a line as grid = ceil\(cols\/32\)/],
    ['no block', {block => undef}, undef, qr/has no block; add a line as block = 32, 8/],
    ['a grid of four', {grid => '1, 2, 3, 4'}, 'grid', qr/grid takes 1 to 3 expressions, for x, y and z: "4" is one too many/],
    ['a grid with a hole', {grid => '1,,3'}, 'grid', qr/grid has nothing beside a comma/],
    ['an unknown name', {grid => 'ceil(col/32)'}, 'grid', qr/grid: column 6: unknown name "col"; did you mean "cols"\?\n\s+ceil\(col\/32\)\n\s+\^~~/],
    ['a bad expression', {block => '32 *'}, 'block', qr/block: column 5: /],
    ['a comma in a function', {block => 'min(32, 64), min(1'}, 'block', qr/block: column/],
    ['bad shared bytes', {shared => 'SIZE'}, 'shared', qr/shared: column 1: unknown name "SIZE"/],
    ['no args', {args => undef}, undef, qr/has no args; copy\(unsigned int\*, unsigned int const\*, unsigned int\) takes 3: list them by comma/],
    ['too few args', {args => 'out, in'}, 'args', qr/args has 2 arguments, but copy\(.*\) takes 3/],
    ['too many args', {args => 'out, in, 1, 2'}, 'args', qr/args has 4 arguments, but copy\(.*\) takes 3/],
    ['far too many', {args => join ',', 1 .. 17}, 'args', qr/args has more than 16 arguments/],
    ['a hole in args', {args => 'out, , 3'}, 'args', qr/args has nothing beside a comma/],
    ['an unknown argument', {args => 'out, in, count'}, 'args', qr/args: argument 3: column 1: unknown name "count"/],
    ['an offset to a buffer', {args => 'out, in + 4, 3'}, 'args', qr/argument 2, "in \+ 4": a buffer stands alone/],
    ['a number for a buffer', {args => 'out, rows, 3'}, 'args', qr/argument 2, "rows", does not fit copy\(.*\): the parameter is unsigned int const\* \(\.u64\), and the argument a whole number: it takes in, out or scratch/],
    ['a buffer for a number', {args => 'out, in, in'}, 'args', qr/argument 3, "in", .* the parameter is unsigned int \(\.u32\), and the argument a buffer/],
    ['a fraction for a number', {args => 'out, in, 2.0'}, 'args', qr/argument 3, "2\.0", .* \(\.u32\), and the argument a number with a fraction/],
    ['a whole number for a float', {entry => 'scale', args => 'out, in, 1, 2, 3.0, 4'}, 'args', qr/argument 4, "2", .* the parameter is float \(\.f32\), and the argument a whole number; write it as 2\.0f/],
    ['a buffer for a size', {entry => 'scale', args => 'out, in, 1, 2., 3.0, in'}, 'args', qr/argument 6, "in", .* the parameter is unsigned long \(\.u64\), and the argument a buffer/],
    ['a bool', {entry => 'flag', args => 'out, 1'}, 'args', qr/argument 2, "1", does not fit flag: the parameter is \.u8, which no argument can be: those of 4 and 8 bytes/],
    ['a struct', {entry => 'whole', args => 'out, 1'}, 'args', qr/the parameter is \.b8, which no argument can be: give its parts one by one/],
    ['scratch without a size', {args => 'scratch1, in, 3'}, 'args', qr/argument 1: how large is scratch1\? Add a line as scratch1 = rows \* cols \* elem/],
    ['a constant that is no number', {'const.N' => 'x'}, 'const.N', qr/const\.N takes a whole number, not "x"; words are for define\.N/],
    ['a constant with a bad name', {'const.2N' => '1'}, 'const.2N', qr/a constant can't be called "2N"/],
    ['a constant called cols', {'const.cols' => '1'}, 'const.cols', qr/a constant can't be called cols: that is the lab's own/],
    ['a constant twice', {'const.N' => 1, 'define.N' => 2}, 'define.N', qr/there is a constant N already: const\.N/],
    ['a value twice', {'const.N' => '1, 1'}, 'const.N', qr/const\.N has the value 1 twice/],
    ['a later value that is no number', {'const.N' => '1, x'}, 'const.N', qr/const\.N takes a whole number/],
    ['a define for PTX', {'define.N' => '1'}, 'define.N', qr/define\.N is for the compiler, but .*k\.ptx is compiled already; const\.N/],
    ['flags for PTX', {flags => '-O2'}, 'flags', qr/flags is for the compiler, but/],
    ['a twin of nothing', {'const.PAD' => 0, 'twin.PDA' => '1'}, 'twin.PDA', qr/the case has no constant "PDA"; did you mean "PAD"\?/],
    ['a twin that sweeps', {'const.PAD' => 0, 'twin.PAD' => '1, 2'}, 'twin.PAD', qr/twin\.PAD takes one whole number, not "1, 2"/],
    ['a second launch without a grid', {'launch2.block' => 1}, undef, qr/has no launch2\.grid; add a line as launch2\.grid = /],
    ['a third launch without a second', {'launch3.block' => 1}, undef, qr/has no launch2\.grid/],
    ['a launch too many', {'launch17.block' => 1}, 'launch17.block', qr/unknown key "launch17\.block"/],
    ['an unknown key', {blcok => 1}, 'blcok', qr/unknown key "blcok" in \[case c\]: .*; did you mean "block"\?/],
);

for (@wrong) {
    my ($what, $changed, $key, $message) = @$_;
    my %keys = (%good, %$changed);
    my $said = refused(%keys);
    my $place = $key ? at($key, %keys) : 8;
    like($said, $message, $what) or next;
    like($said, qr/$line$place: /, "$what: at its line");
}

# What only the values make wrong is an error of the case, and of it alone.
my @cases = (
    ['an empty grid', {grid => 'cols/128'}, qr{grid: cols/128 is 0 where rows = 70, cols = 45; ceil\(a/b\) rounds up}],
    ['a block too large', {block => '64, 64'}, qr/4096 threads a block are over the device's 1024/, 'skip'],
    ['a division by zero', {grid => 'cols/(rows-70)'}, qr{grid = cols/\(rows-70\): column \d+: .*zero}],
    ['a number too large', {args => 'out, in, rows*cols << 30'}, qr/args: rows\*cols << 30 is 3382286745600, which unsigned int of 4 bytes does not hold/],
    ['a number below zero', {args => 'out, in, -1'}, qr/args: -1 is -1, which unsigned int of 4 bytes does not hold/],
    ['one below zero for a size_t', {entry => 'scale', args => 'out, in, -1, 0.f, 0., -2'}, qr/args: -2 is -2, which unsigned long of 8 bytes/],
    ['shared bytes below zero', {shared => 'rows - 71'}, qr/shared = rows - 71 is -1 bytes/],
    ['too much shared memory', {shared => '1 << 20'}, qr/1048576 bytes of dynamic shared memory are over the device's/, 'skip'],
    ['no scratch', {scratch => 'rows - 70', args => 'scratch, in, 3'}, qr/scratch = rows - 70 is 0 bytes/],
    ['expected bytes of another size', {expect_file => 'eight'}, qr/expect_file has 8 bytes, but 70 x 45 elements of 4 bytes are 12600/],
    ['input of another size', {in_file => 'eight'}, qr/in_file has 8 bytes, but/],
    ['a kernel that does nothing', {'expect.verdict' => 'fail'}, qr/^$/, 'pass'],
);
my $profile = kernel_profile('values.ini', map { kernel_case("c$_", %good, %{$cases[$_][1]}) } 0 .. $#cases);
my ($status, $document) = run_json($profile);
is($status, 2, 'cases in error');
for (0 .. $#cases) {
    my ($what, undef, $message, $verdict) = @{$cases[$_]};
    my $case = $document->{cases}[$_];
    is($case->{verdict}, $verdict // 'error', "$what: verdict");
    like($case->{detail}, $message, $what) if ($verdict // '') ne 'pass';
}

# Overrides.
my ($refused, undef, $err) = banklab('run', $profile, '--set=c0.const.N=1');
is($refused, 2, 'a constant that the case has not');
like($err, qr/--set c0\.const\.N=1: the case "c0" has no key "const\.N"/, 'is told of');
($refused, undef, $err) = banklab('run', $profile, '--set=c0.gird=1');
like($err, qr/the case "c0" has no key "gird"; did you mean "grid"\?/, 'and a key that no case has');
($refused, undef, $err) = banklab('run', $profile, '--set=c0.grid=nope');
like($err, qr/--set c0\.grid=nope: grid: column 1: unknown name "nope"/, 'a bad value is told by its --set');

# Nobody to compile.
spill("$folder/k.cu", "__global__ void copy(int *out, int *in, int n) {}\n");
my %source = (%good, file => 'k.cu');
{
    local $ENV{BANKLAB_NVCC} = "$folder/no-nvcc";
    like(refused(%source), qr{no-nvcc is no program that can be called; --nvcc or BANKLAB_NVCC names}, 'no such compiler');
    $ENV{BANKLAB_NVCC} = 'no-such-compiler';
    like(refused(%source), qr{no-such-compiler is no program}, 'nor in PATH');
    $ENV{BANKLAB_NVCC} = $folder;
    like(refused(%source), qr{is no program}, 'a folder is none');
    spill("$folder/nvcc", "#!/bin/sh\nexit 3\n");
    chmod 0755, "$folder/nvcc";
    $ENV{BANKLAB_NVCC} = "$folder/nvcc";
    like(refused(%source), qr{refused\.ini:\d+: nvcc refuses .*k\.cu, and says nothing; its exit status is 3}, 'one that fails in silence');
    spill("$folder/nvcc", "#!/bin/sh\nkill -9 \$\$\n");
    like(refused(%source), qr{its exit status is 137}, 'one that is killed');
    spill("$folder/nvcc", "#!/bin/sh\nexit 0\n");
    like(refused(%source), qr{kernel\.ptx: No such file}, 'one that makes nothing');
    spill("$folder/nvcc", "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30\ndo echo \"k.cu(\$i): error: this is the mistake number \$i\"; done\nexit 1\n");
    my $said = refused(%source);
    like($said, qr{refuses .*:\n\s+k\.cu\(1\): error: this is the mistake number 1\n\s+k\.cu\(2\)}, 'what a compiler says, as it says it');
    like($said, qr{\n\s+\(and \d+ more lines\)\n$}, 'the first of it');
}
{
    my ($status, undef, $err) = banklab('run', kernel_profile('own.ini', kernel_case('c', %source)), '--nvcc=/no/nvcc');
    is($status, 2, '--nvcc that is not there');
    like($err, qr{/no/nvcc is no program}, 'is told of');
}

my %compilers = compilers();
for my $name (sort keys %compilers) {
    local $ENV{BANKLAB_NVCC} = $compilers{$name};
    spill("$folder/bad.cu", "__global__ void copy(int *out, int *in, int n)\n{\n    out[0] = inn[0];\n}\n");
    like(refused(%good, file => 'bad.cu'), qr{refused\.ini:\d+: \S+ refuses .*bad\.cu:\n\s+\S*bad\.cu[:(]3.* error: .*inn}, "$name: its own words for a mistake");
    spill("$folder/template.cu", "template <typename T> __global__ void copy(T *out, T *in, int n) {}\n");
    like(refused(%good, file => 'template.cu'), qr/has no kernel: .*instantiated/, "$name: a template that nobody asked for");
    like(refused(%good, file => 'k.cu', cc => 'sm_75'), qr/cc takes a compute capability without its dot/, "$name: cc");
    like(refused(%good, file => 'k.cu', flags => '--no-such-option'), qr/no-such-option/, "$name: flags reach it");
}

like((banklab('describe', 'kernel'))[1], qr/^  $_ /m, "describe tells of $_")
    for qw(file entry kind grid block shared args const\.NAME define\.NAME twin\.NAME scratch expect_file in_file cc flags launch2\.KEY);
like((banklab('list'))[1], qr/^Built in:\n  kernel  a kernel of/m, 'list tells of it');

done_testing();
