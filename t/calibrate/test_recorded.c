/* SPDX-License-Identifier: Apache-2.0
 *
 * test_recorded.c - the rules of atomics, matrices and cp.async against what an NVIDIA
 * H200 did: t/data/special-h200.csv, every row.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../rules/rows.h"
#include "calibrate/numbers.h"

struct recorded {
    const struct bl_operation *op;
    struct bl_pattern_args args;
    struct bl_numbers got;
};

static struct recorded *rows;
static size_t row_count;
static struct bl_arch arch;

static const struct bl_operation *find(const char *name)
{
    size_t count;
    const struct bl_operation *ops = bl_operation_all(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    fail_msg("no operation %s", name);
    return NULL;
}

static uint32_t number(char **rest)
{
    return (uint32_t)strtoul(strsep(rest, ","), NULL, 0);
}

static void read_row(char *text, struct recorded *out)
{
    char *rest = text;
    memset(out, 0, sizeof *out);
    out->op = find(strsep(&rest, ","));
    out->args.mask = number(&rest);
    for (int l = 0; l < 32; l++)
        out->args.near[l] = number(&rest);
    for (int i = 0; i < BL_NUMBERS; i++) {
        const char *field = strsep(&rest, ",");
        assert_non_null(field);
        out->got.at[i] = *field ? strtod(field, NULL) : (double)NAN;
    }
    for (int l = 0; l < 32 && rest; l++)
        out->args.far[l] = number(&rest);
}

static int read_all(void **state)
{
    char *path = source_path("t/data/special-h200.csv"), text[2048];
    FILE *file = fopen(path, "r");
    (void)state;
    if (!file)
        fail_msg("%s can't be opened", path);
    rows = calloc(4096, sizeof *rows);
    assert_non_null(rows);
    assert_non_null(fgets(text, sizeof text, file));
    while (fgets(text, sizeof text, file))
        read_row(text, &rows[row_count++]);
    fclose(file);
    free(path);
    arch_of("cc90", &arch);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    free(rows);
    return 0;
}

static void agrees(void **state)
{
    size_t exact = 0, least = 0, timed = 0;
    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        struct bl_numbers expected;
        bl_numbers_expect(&arch, rows[i].op, &rows[i].args, &expected);
        for (int n = 0; n < BL_NUMBERS; n++)
            if (!bl_number_agrees(rows[i].op, (enum bl_number)n, &expected, &rows[i].got))
                fail_msg("row %zu, %s: %s %g, recorded %g", i + 2, rows[i].op->name,
                         bl_number_name((enum bl_number)n), expected.at[n],
                         rows[i].got.at[n]);
        least += expected.least;
        exact += !expected.least && !isnan(expected.at[BL_NUMBER_WAVEFRONTS]);
        timed += !isnan(expected.at[BL_NUMBER_CYCLES]) &&
                 !isnan(rows[i].got.at[BL_NUMBER_CYCLES]);
    }
    print_message("# %zu rows: wavefronts of %zu exact, of %zu at least; %zu timed\n",
                  row_count, exact, least, timed);
    assert_int_equal(row_count, 1681);
    assert_int_equal(exact, 1377);
    assert_int_equal(least, 184);
    assert_int_equal(timed, 960);
}

/* ---- the data has teeth: rules close by, and the rows that refute them
 * ------------------- */

typedef double rival_fn(const struct recorded *row, struct bl_numbers *ours);

/* Lanes at one address are served together, as loads are. */
static double words(const struct recorded *row, struct bl_numbers *ours)
{
    struct bl_shared_cost cost;
    (void)ours;
    bl_access_shared(&arch, true, row->op->width, row->args.mask, row->args.near, &cost);
    return cost.wavefronts * (row->op->form == BL_ATOMIC_CAS ? 2.0 : 1.0);
}
/* cas goes through once. */
static double one_pass(const struct recorded *row, struct bl_numbers *ours)
{
    return ours->at[BL_NUMBER_WAVEFRONTS] / (row->op->form == BL_ATOMIC_CAS ? 2 : 1);
}
/* Rows of a matrix merge as 16-byte loads do. */
static double merged(const struct recorded *row, struct bl_numbers *ours)
{
    struct bl_shared_cost cost;
    (void)ours;
    bl_access_shared(&arch, false, 16, row->args.mask, row->args.near, &cost);
    return cost.wavefronts;
}
/* Only the banks that cp.async writes to count. */
static double target_alone(const struct recorded *row, struct bl_numbers *ours)
{
    struct bl_async_cost cost;
    uint64_t far[32];
    (void)ours;
    for (uint32_t l = 0; l < 32; l++)
        far[l] = l * row->op->width;
    bl_access_async(&arch, row->op->width, row->args.mask, row->args.near, far, &cost);
    return cost.shared.wavefronts;
}

static size_t refuted(enum bl_operation_kind kind, rival_fn *rival)
{
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++) {
        struct bl_numbers expected;
        if (rows[i].op->kind != kind || rows[i].op->form == BL_ATOMIC_LOOP ||
            rows[i].op->past_cache)
            continue;
        bl_numbers_expect(&arch, rows[i].op, &rows[i].args, &expected);
        count += !expected.least &&
                 rival(&rows[i], &expected) != rows[i].got.at[BL_NUMBER_WAVEFRONTS];
    }
    return count;
}

/* Of a loop: that each round serves all lanes of different words. */
static size_t loops_refuted(void)
{
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++) {
        struct bl_numbers expected;
        uint32_t most = 0;
        if (rows[i].op->form != BL_ATOMIC_LOOP)
            continue;
        bl_numbers_expect(&arch, rows[i].op, &rows[i].args, &expected);
        for (uint32_t a = 0; a < 32; a++) {
            uint32_t same = 0;
            for (uint32_t b = 0; b < 32; b++)
                same += (rows[i].args.mask >> a & rows[i].args.mask >> b & 1) &&
                        rows[i].args.near[a] == rows[i].args.near[b];
            most = same > most ? same : most;
        }
        count += most != rows[i].got.at[BL_NUMBER_ROUNDS];
    }
    return count;
}

static void rivals(void **state)
{
    (void)state;
    size_t by_words = refuted(BL_CAL_SHARED_ATOMIC, words);
    size_t passes = refuted(BL_CAL_SHARED_ATOMIC, one_pass);
    size_t loads = refuted(BL_CAL_LDMATRIX, merged);
    size_t targets = refuted(BL_CAL_CP_ASYNC, target_alone);
    size_t loops = loops_refuted();
    print_message("# refuted by: %zu, %zu, %zu, %zu, %zu rows\n", by_words, passes, loads,
                  targets, loops);
    assert_int_equal(by_words, 260);
    assert_int_equal(passes, 120);
    assert_int_equal(loads, 40);
    assert_int_equal(targets, 13);
    assert_int_equal(loops, 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees),
                                       cmocka_unit_test(rivals)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, read_all, free_all);
}
