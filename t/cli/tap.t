# SPDX-License-Identifier: Apache-2.0
#
# tap.t - prove can run a profile.
use strict;
use warnings;
use Test::More;
use Banklab;

my $prove = $ENV{PROVE} || 'prove';
if ((shell("$prove --version"))[0] != 0) {
    plan(skip_all => 'prove is not here');
}

my $passing = profile('passing.ini', <<'END');
[run]
device = model

[problem]
rows = 16
cols = 16

[case first]
plugin = copy

[case second]
plugin = transpose_naive

[case widths]
plugin = copy
elem = 1, 2, 4
END

my $failing = profile('failing.ini', <<'END');
[run]
device = model

[problem]
rows = 16
cols = 16

[case good]
plugin = copy

[case bad]
plugin = copy
expect.global_load_requests = 12345
END

my ($status, $out) = shell("$prove --exec \"\$BANKLAB run --format tap\" '$passing' 2>&1");
is($status, 0, 'prove accepts a profile that passes') or diag($out);
like($out, qr/^Files=1, Tests=5,/m, 'and counts its cases');
like($out, qr/^Result: PASS$/m, 'as passed');

($status, $out) = shell("$prove -e \"\$BANKLAB run --format tap\" '$failing' 2>&1");
isnt($status, 0, 'prove sees one that fails');
like($out, qr/Failed test:?\s+2$/m, 'and which case');
like($out, qr/^Result: FAIL$/m, 'as failed');
unlike($out, qr/Parse errors/, 'without a word of what it could not read');

($status, $out) = banklab('run', '-f', 'tap', $failing);
like($out, qr/\A1\.\.2\nok 1 - good\nnot ok 2 - bad\n# fail: .*expect\.global_load_requests.*12345.*\n\z/,
    'plan first, one point a case, and the reason as a comment');

done_testing();
