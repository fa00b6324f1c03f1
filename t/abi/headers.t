# SPDX-License-Identifier: Apache-2.0
#
# headers.t - each installed header compiles alone, by every compiler that is here, and the
# test of the layout knows every member.
use strict;
use warnings;
use Test::More;
use Banklab;

my $include = "$ENV{top_srcdir}/core/include";
is_deeply([map { s{.*/}{}r } glob("$include/banklab/*")], [qw(bulk.h device.h plugin.h)],
    'these are the installed headers');

sub has_tool { return !system("'$_[0]' --version >/dev/null 2>&1") }

# Compiles a line; nothing is to be said of it.
sub compiles
{
    my ($what, $compiler, $text, $file) = @_;
    spill("$folder/$file", $text);
    my ($status, $out, $err) =
        shell("cd '$folder' && $compiler -I'$include' -o out.o $file");
    is($status . $out . $err, '0', $what);
}

# ---- plugin.h ---------------------------------------------------------------------------

my $strict = '-Wall -Wextra -Wshadow -Wconversion -Werror -pedantic -c';
for my $case (['gcc', 'c11', 'c'], ['clang', 'c11', 'c'], ['gcc', 'gnu11', 'c'],
    ['gcc', 'c17', 'c'], ['g++', 'c++17', 'cc'], ['clang++', 'c++17', 'cc'],
    ['g++', 'c++20', 'cc'], ['clang++', 'c++20', 'cc'])
{
    my ($compiler, $standard, $suffix) = @$case;
    SKIP: {
        skip "no $compiler", 1 if !has_tool($compiler);
        compiles("plugin.h alone, $compiler -std=$standard", "$compiler -std=$standard $strict",
            "#include <banklab/plugin.h>\n#include <banklab/plugin.h>\nint here;\n",
            "alone.$suffix");
    }
}
for my $compiler (qw(g++ clang++)) {
    SKIP: {
        skip "no $compiler", 3 if !has_tool($compiler);
        my ($status, $out, $err) = shell("$compiler -std=c++17 -Wall -Wextra -Werror "
            . "-Wno-missing-field-initializers "
            . ($compiler eq 'clang++' ? '-Wno-c++20-designator -Wno-c++20-extensions ' : '')
            . "-I'$include' -fPIC -shared -fvisibility=hidden -o '$folder/plugin.so' "
            . "'$ENV{top_srcdir}/t/abi/plugin.cc'");
        is($status, 0, "$compiler compiles a plugin in C++17") or diag($err);
        ($status, $out, $err) = banklab('describe', "$folder/plugin.so");
        is($status, 0, 'which the lab loads') or diag($err);
        profile('cc.ini', "[case c]\nplugin = ./plugin.so\n");
        ($status, $out, $err) = banklab('run', "$folder/cc.ini", '--device', 'model');
        like($out, qr/\d+ rows are not the point/, 'and calls') or diag($err);
    }
}

# ---- device.h ---------------------------------------------------------------------------

my @device;
push @device, map { ["nvcc -std=$_", "$ENV{NVCC} -ptx -arch=compute_75 -std=$_"] } qw(c++14 c++17)
    if $ENV{NVCC};
push @device, map {
    ["clang -std=$_", "$ENV{DEVICE_CLANG} -x cuda --cuda-device-only -nocudainc -nocudalib "
        . "--cuda-gpu-arch=sm_75 -Wall -Werror -Wno-unknown-cuda-version -S -std=$_"]
} qw(c++14 c++17) if $ENV{DEVICE_CLANG};
for my $case (@device) {
    compiles("device.h alone, $case->[0]", $case->[1],
        "#include <banklab/device.h>\n#include <banklab/device.h>\n", 'alone.cu');
    compiles("bulk.h alone, $case->[0]", $case->[1],
        "#include <banklab/bulk.h>\n#include <banklab/bulk.h>\n", 'alone.cu');
}
SKIP: {
    skip 'no gcc', 1 if !has_tool('gcc');
    spill("$folder/host.c", "#include <banklab/device.h>\n");
    my ($status, $out, $err) = shell("gcc -c -I'$include' -o '$folder/out.o' '$folder/host.c'");
    like($err, qr/error: .*is for kernels: compile with nvcc, or with clang -x cuda/,
        'device.h says so when a compiler of host code reads it');
}

# ---- the layout's test is complete --------------------------------------------------------

for my $path ("$include/banklab/plugin.h", "$ENV{top_srcdir}/t/abi/v1.0/banklab/plugin.h") {
    my $text = slurp($path) =~ s{/\*.*?\*/}{}gsr;
    my $table = slurp("$ENV{top_srcdir}/t/abi/test_layout.c");
    my (@public, @lacking);
    while ($text =~ /^(?:typedef )?struct (banklab_\w+) \{(.*?)^\}/msg) {
        my ($type, $body) = ($1, $2);
        push @public, $type;
        push @lacking, $type if $table !~ /SIZE\($type, \d+\)/;
        $body =~ s/union \{.*?\} (\w+);/int $1;/s;
        for my $member (map { /\(\*(\w+)\)/ || /(\w+)(?:\[\w+\])*\s*\z/ ? $1 : () } split /;/, $body) {
            push @lacking, "$type.$member" if $table !~ /MEMBER\($type, $member, \d+, \d+\)/;
        }
    }
    cmp_ok(scalar @public, '>=', 11, "structs in $path");
    is("@lacking", '', 'each with all members has its row in test_layout.c');
}
done_testing();
