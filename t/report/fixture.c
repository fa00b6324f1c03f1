/* SPDX-License-Identifier: Apache-2.0
 *
 * fixture.c - reports made by hand, and comparing a view with a golden file.
 */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const ways_of[] = {"rows", "columns", NULL};
static const struct banklab_param tile_params[] = {
    {.name = "pad",
     .type = BANKLAB_PARAM_INT,
     .maximum = 8,
     .unit = "elements",
     .help = "elements added to each row of the tile"},
    {.name = "order",
     .type = BANKLAB_PARAM_CHOICE,
     .choices = ways_of,
     .help = "what a warp walks along"},
};
static const struct banklab_setting tile_twin[] = {{"pad", "1"}, {"order", "columns"}};

void fixture_begin(struct fixture *fix)
{
    memset(fix, 0, sizeof *fix);
    fix->tile.abi.name = "transpose_tile";
    fix->tile.abi.kind = "transpose";
    fix->tile.abi.params = tile_params;
    fix->tile.abi.param_count = 2;
    fix->tile.abi.twin = tile_twin;
    fix->tile.abi.twin_count = 2;
    fix->copy.abi.name = "copy";
    fix->copy.abi.kind = "copy";
    fix->profile.path = (char *)"conf/transpose.ini";
    fix->profile.baseline = -1;
    fix->profile.run.seed = UINT64_MAX;
    fix->profile.run.device = (char *)"model";
    fix->profile.cases = fix->cases;
    fix->report.profile = &fix->profile;
    fix->report.results = fix->results;
    strcpy(fix->report.device.backend, "model");
    strcpy(fix->report.device.name, "model of cc 9.0");
    strcpy(fix->report.device.arch, "cc90");
    strcpy(fix->report.device.rates, "h200");
}

struct bl_result *fixture_case(struct fixture *fix, const char *name, int pad)
{
    const size_t at = fix->report.count++;
    struct bl_case *of = &fix->cases[at];

    assert_true(at < FIXTURE_CASES);
    of->name = (char *)name;
    of->plugin = pad < 0 ? &fix->copy : &fix->tile;
    of->params = fix->params[at];
    of->params[0].i = pad;
    of->params[1].i = 1;
    of->problem.rows = 2048;
    of->problem.cols = 2048;
    of->problem.elem = 4;
    fix->results[at].of = of;
    fix->profile.case_count = fix->report.count;
    return &fix->results[at];
}

static void measure_shared(struct bl_shared_counts *counts, uint32_t ways)
{
    counts->requests = 131072;
    counts->ideal = counts->requests;
    counts->wavefronts = counts->requests * ways;
    counts->conflicts = counts->wavefronts - counts->requests;
    counts->ways = ways;
}

static void measure_slowdown(struct bl_slowdown *down, const char *against, uint32_t ways,
                             double slow)
{
    down->present = true;
    down->against = (char *)against;
    down->has_predicted = down->has_data_stage = true;
    down->predicted = slow;
    down->data_stage = (ways + 1) / 2.0;
}

void fixture_measure(struct bl_result *result, uint32_t ways, double slow)
{
    struct bl_counts *counts = &result->counts;

    counts->shared_source = counts->global_source = BL_SRC_MODEL;
    measure_shared(&counts->shared_load, ways);
    measure_shared(&counts->shared_store, 1);
    counts->global_load =
        (struct bl_global_counts){.requests = 131072, .sectors = 524288, .ideal = 524288};
    counts->global_store = (struct bl_global_counts){
        .requests = 131072, .sectors = 1048576, .ideal = 524288};
    counts->has_cycles = true;
    counts->data_stage_cycles = UINT64_C(131072) * (ways + 1);
    counts->blocks = 4096;
    counts->instructions = 3456789;
    counts->block_shared = 4224;
    result->time.source = BL_SRC_PREDICTED;
    result->time.median_us = result->time.low_us = result->time.high_us = 12.5 * slow;
    result->throughput.has_gbps = true;
    result->throughput.gbps = 33554432 / (12500 * slow);
    measure_slowdown(&result->baseline, "padded", ways, slow);
    measure_slowdown(&result->twin, "pad=1 order=columns", ways, slow);
}

void fixture_usual(struct fixture *fix)
{
    struct bl_result *copy;

    fixture_begin(fix);
    fix->profile.run.baseline = (char *)"padded";
    fixture_measure(fixture_case(fix, "conflicted", 0), 32, 2.23);
    fixture_measure(fixture_case(fix, "padded", 1), 1, 1);
    copy = fixture_case(fix, "copy", -1);
    fixture_measure(copy, 1, 0.9);
    memset(&copy->counts.shared_load, 0, sizeof copy->counts.shared_load);
    memset(&copy->counts.shared_store, 0, sizeof copy->counts.shared_store);
    copy->counts.data_stage_cycles = 0;
    copy->baseline.has_data_stage = false;
    copy->twin.present = false;
    fix->profile.baseline = 1;
}

char *fixture_view(const struct fixture *fix, enum bl_format format,
                   const struct bl_style *style)
{
    char *text = NULL;
    size_t size = 0;
    struct bl_error err;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(bl_report_write(&fix->report, format, style, out, &err), BL_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The whole file, or NULL. */
static char *slurp(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *in = fopen(path, "r");

    if (in && text)
        text[fread(text, 1, (1 << 20) - 1, in)] = '\0';
    if (in)
        fclose(in);
    if (!in) {
        free(text);
        return NULL;
    }
    return text;
}

static void spill(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* The program's version, which the golden files do not follow, made VERSION. Fresh. */
static char *without_version(const char *text)
{
    static const char key[] = "\"banklab\": \"";
    const char *at = strstr(text, key), *rest;
    char *copy;

    if (!at)
        return strdup(text);
    at += sizeof key - 1;
    rest = at + strcspn(at, "\"");
    copy = malloc(strlen(text) + sizeof "VERSION");
    assert_non_null(copy);
    sprintf(copy, "%.*sVERSION%s", (int)(at - text), text, rest);
    return copy;
}

void fixture_golden(const char *name, const char *view)
{
    const char *source = getenv("top_srcdir"), *build = getenv("top_builddir");
    char path[4096], got[4096], *wanted, *text = without_version(view);
    bool same;

    snprintf(path, sizeof path, "%s/t/report/golden/%s", source ? source : ".", name);
    snprintf(got, sizeof got, "%s/t/report/%s.got", build ? build : ".", name);
    if (getenv("UPDATE_GOLDEN"))
        spill(path, text);
    wanted = slurp(path);
    if (!wanted)
        fail_msg("no golden file %s", path);
    same = strcmp(wanted, text) == 0;
    free(wanted);
    if (!same) {
        spill(got, text);
        fail_msg("%s differs from %s", got, path);
    }
    free(text);
    remove(got);
}
