# SPDX-License-Identifier: Apache-2.0
#
# versions.t - this lab runs a plugin of ABI 1.0, and one of a minor that is not there yet.
use strict;
use warnings;
use Test::More;
use Banklab;

for my $name (qw(first later)) {
    my $path = "$ENV{top_builddir}/t/abi/$name.so";
    my ($status, $out, $err) = banklab('describe', $path);
    is($status, 0, "$name: described") or diag($err);
    like($out, qr/^  warps +1\.\.32 +8 /m, 'its parameters');
    like($out, qr/^  unit +one or two +two /m, 'all of them');
    like($out, qr/^twin       warps=4 unit=one: /m, 'its twin');
    profile("$name.ini", "[problem]\nrows = 100\ncols = 33\n[case c]\nplugin = $path\n"
        . "warps = 1..8\nunit = one\nexpect.global_load_sectors = 413\n");
    ($status, $out, $err) = banklab('run', "$folder/$name.ini", '--device', 'model');
    is($status, 0, 'it runs') or diag($out, $err);
    like($out, qr/^8 cases: 8 passed$/m, 'and is right');
}

# Who was made before batches is not asked for one.
profile('batch.ini', "[case c]\nplugin = $ENV{top_builddir}/t/abi/first.so\nbatch = 1, 2\n");
my ($status, $out) = banklab('run', "$folder/batch.ini", '--device', 'model');
is($status, 0, 'a batch: no error');
like($out, qr/^skip c\[batch=2\]: batch = 2: this plugin knows no batches$/m, 'but skipped');
like($out, qr/^2 cases: 1 passed, 1 skipped$/m, 'and one matrix is right');
done_testing();
