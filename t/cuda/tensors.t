# SPDX-License-Identifier: Apache-2.0
#
# tensors.t - tensor maps as arguments: encoded by the driver, for each buffer of a timed
# case anew; counts that no counter has; drivers that know none, or refuse.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Banklab;
use FakeGpu;

my $text = <<'END';
[run]
max_time = 5
[problem]
rows = 80
cols = 96
[case bulk]
plugin = transpose_bulk
elem = 1,2,4,8,16
swizzle = none,32,64,128
[case batch]
plugin = transpose_bulk
elem = 1,2,4,8,16
batch = 3
[case stream]
plugin = transpose_stream
elem = 1,2,4,8,16
blocks = 3
batch = 3
[case tile]
plugin = transpose_tile
END
my $profile = profile('bulk.ini', $text);
my $one = profile('one.ini', "[problem]\nrows = 80\ncols = 96\n[case bulk]\nplugin = transpose_bulk\n");

my ($status, $report) = report({}, $profile);
is($status, 0, 'all are right');
my @bulk = grep { $_->{plugin} =~ /^transpose_(?:bulk|stream)$/ } @{$report->{cases}};
is(scalar(grep { $_->{verdict} eq 'pass' } @bulk), 30, 'every width and swizzle, and batches');
is(scalar(grep { $_->{time}{source} eq 'gpu' } @bulk), 30, 'timed');
is(scalar(grep { $_->{global}{source} eq 'model' } @bulk), 30, 'the global counts are the model\'s');
SKIP: {
    skip 'no counters', 3 unless has_counters();
    is(scalar(grep { $_->{shared}{source} eq 'counter' } @bulk), 30, 'the shared counts are counted');
    is(case_of($report, 'tile')->{global}{source}, 'counter', 'others\' global counts too');
    unlike(join("\n", @{$report->{warnings} // []}), qr/differ/, 'nothing is said to differ');
}

my ($code, $out, $err) = fake({FAKE_CUDA_FAIL => 'cuTensorMapEncodeTiled:1'}, 'run', $one);
like($out . $err, qr/cuTensorMapEncodeTiled: CUDA_ERROR_UNKNOWN/, 'an error of the driver is told');
isnt($code, 0, 'and is one');

($code, $out, $err) = fake({FAKE_CUDA_CC => 80}, 'run', $one);
is($code, 0, 'compute capability 8.0: a skip');
like($out . $err, qr/skip/, 'which says so');

done_testing();
