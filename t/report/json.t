# SPDX-License-Identifier: Apache-2.0
#
# json.t - the JSON that the program prints is what doc/report.schema.json says: by a
# validator of JSON Schema where there is one (python3-jsonschema), and by our own eyes.
use strict;
use warnings;
use Test::More;
use JSON::PP;
use Banklab;

my $schema = "$ENV{top_srcdir}/doc/report.schema.json";
my $every = profile('every.ini', <<'END');
[run]
device = model
baseline = padded

[problem]
rows = 33
cols = 65

[case copy]
plugin = copy

[case naive]
plugin = transpose_naive

[case conflicted]
plugin = transpose_tile
pad = 0, 2

[case padded]
plugin = transpose_tile
pad = 1

[case stride]
plugin = stride

[case broadcast]
plugin = broadcast

[case wrong]
plugin = copy
expect.global_load_requests = 1
END

my ($status, $text, $err) = banklab('run', $every, '--format', 'json');
is($status, 1, 'a run with a case that fails');
is($err, '', 'nothing on standard error');
spill("$folder/report.json", $text);

# ---- by a validator ----------------------------------------------------------------

my @documents = ("$folder/report.json", glob "$ENV{top_srcdir}/t/report/golden/*.json");
SKIP: {
    my ($missing) = shell('python3 -c "import jsonschema; jsonschema.Draft7Validator"');
    skip 'python3-jsonschema is not here', 1 + @documents if $missing;
    spill("$folder/validate.py", <<'END');
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
bad = False
for path in sys.argv[2:]:
    for error in jsonschema.Draft7Validator(schema).iter_errors(json.load(open(path))):
        bad = True
        print(path, "/".join(map(str, error.path)), error.message)
sys.exit(bad)
END
    for my $document (@documents) {
        my ($status, $out, $err) = shell("python3 '$folder/validate.py' '$schema' '$document'");
        (my $name = $document) =~ s{.*/}{};
        is($status, 0, "$name keeps to the schema") or diag($out, $err);
    }
    # A validator that lets all pass would prove nothing.
    (my $spoilt = $text) =~ s/"verdict": "pass"/"verdict": "perhaps"/;
    isnt($spoilt, $text, 'a spoilt report');
    spill("$folder/spoilt.json", $spoilt);
    my ($status, $out) = shell("python3 '$folder/validate.py' '$schema' '$folder/spoilt.json'");
    is($status, 1, 'is refused');
    like($out, qr/perhaps/, 'by its fault');
}

# ---- by eye ------------------------------------------------------------------------

my $report = decode_json($text);
is($report->{schema}, 'banklab.report/1', 'its name');
like($report->{banklab}, qr/^\d+\.\d+/, 'the version');
is($report->{profile}, $every, 'the profile');
is($report->{device}{backend}, 'model', 'the device');
is($report->{run}{baseline}, 'padded', 'the baseline');
my %case = map { $_->{case} => $_ } @{$report->{cases}};
is_deeply([map { $_->{case} } @{$report->{cases}}],
    ['copy', 'naive', 'conflicted[pad=0]', 'conflicted[pad=2]', 'padded', 'stride', 'broadcast', 'wrong'],
    'the cases, in order');

sub whole { return defined $_[0] && $_[0] =~ /^\d+\z/ }

for my $case (@{$report->{cases}}) {
    my $name = $case->{case};
    like($case->{verdict}, qr/^(pass|fail|skip|error)\z/, "$name: verdict");
    ok(length $case->{detail}, "$name: a reason") if $case->{verdict} ne 'pass';
    for my $side (qw(load store)) {
        my ($shared, $global) = ($case->{shared}{$side}, $case->{global}{$side});
        ok(whole($shared->{$_}), "$name: shared $side $_") for qw(requests wavefronts ideal conflicts);
        ok(whole($global->{$_}), "$name: global $side $_") for qw(requests sectors ideal);
        cmp_ok($shared->{wavefronts}, '>=', $shared->{ideal}, "$name: no better than ideal");
        cmp_ok($global->{sectors}, '>=', $global->{ideal}, "$name: no better than ideal");
        is(exists $shared->{ways} ? 1 : 0, $shared->{requests} ? 1 : 0,
            "$name: ways where there is a request");
    }
    is($case->{shared}{source}, 'model', "$name: source of counts");
    is($case->{time}{source}, 'predicted', "$name: source of time") if $case->{time};
    unlike(encode_json($case), qr/null|nan|inf/i, "$name: nothing is null");
}
is($case{wrong}{verdict}, 'fail', 'the wrong one fails');
is($case{'conflicted[pad=0]'}{shared}{load}{ways}, 32, '32 ways');
is($case{padded}{shared}{load}{ways}, 1, '1 way');
is($case{padded}{slowdown}{baseline}{data_stage}, 1, 'the baseline against itself');

done_testing();
