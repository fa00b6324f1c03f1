/* SPDX-License-Identifier: Apache-2.0
 *
 * The time model: its arithmetic, and how far below measured transposes it lies
 * (t/data/transpose-h200.csv).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rows.h"
#include "work/rates.h"

static struct bl_rates h200;

static int read_h200(void **state)
{
    struct bl_paths paths;
    struct bl_error err;
    (void)state;
    source_paths(&paths);
    enum bl_status status = bl_rates_read(&paths, "h200", &h200, &err);
    bl_paths_free(&paths);
    return status;
}

static void expect_us(const struct bl_counts *counts, double us)
{
    struct bl_time time;
    bl_rates_predict(&h200, counts, &time);
    assert_int_equal(time.source, BL_SRC_PREDICTED);
    assert_int_equal(time.samples, 0);
    if (fabs(time.median_us - us) > 1e-9 * us)
        fail_msg("%.12g us, not %.12g", time.median_us, us);
    assert_true(time.low_us == time.median_us && time.high_us == time.median_us);
}

static void test_arithmetic(void **state)
{
    struct bl_counts counts = {.shared_source = BL_SRC_MODEL,
                               .global_source = BL_SRC_MODEL,
                               .has_cycles = true,
                               .blocks = 1000,
                               .data_stage_cycles = 132 * 1980};
    (void)state;
    expect_us(&counts, 1);
    counts.blocks = 66; /* half of the SMs have none */
    expect_us(&counts, 2);
    counts.global_load.sectors = 42756 * 100; /* 32 us */
    expect_us(&counts, 32);
    counts.global_store.sectors = 42756 * 100;
    expect_us(&counts, 64);
    counts.data_stage_cycles *= 100;
    expect_us(&counts, 200);
}

static void test_absent(void **state)
{
    struct bl_counts all = {.shared_source = BL_SRC_MODEL,
                            .global_source = BL_SRC_MODEL,
                            .has_cycles = true,
                            .blocks = 1,
                            .data_stage_cycles = 1};
    struct bl_time time;
    struct bl_counts counts = all;
    (void)state;
    counts.has_cycles = false;
    bl_rates_predict(&h200, &counts, &time);
    assert_int_equal(time.source, BL_SRC_NONE);
    counts = all;
    counts.global_source = BL_SRC_NONE;
    bl_rates_predict(&h200, &counts, &time);
    assert_int_equal(time.source, BL_SRC_NONE);
    counts = all;
    counts.blocks = 0;
    bl_rates_predict(&h200, &counts, &time);
    assert_int_equal(time.source, BL_SRC_NONE);
    bl_rates_predict(NULL, &all, &time);
    assert_int_equal(time.source, BL_SRC_NONE);
    bl_rates_predict(&h200, &all, &time);
    assert_int_equal(time.source, BL_SRC_PREDICTED);
}

/* Measured GB/s of `kernel` at n. */
static double measured(int n, const char *kernel)
{
    char *path = source_path("t/data/transpose-h200.csv"), text[512];
    FILE *file = fopen(path, "r");
    double found = 0;
    assert_non_null(file);
    while (found == 0 && fgets(text, sizeof text, file)) {
        char name[64];
        int size;
        double gbps;
        if (sscanf(text, "%d,%63[^,],%lf", &size, name, &gbps) == 3 && size == n &&
            strcmp(name, kernel) == 0)
            found = gbps;
    }
    fclose(file);
    free(path);
    assert_true(found > 0);
    return found;
}

/* Predicted over measured time of an n x n float32 transpose through 32 x 32 tiles
 * whose warps take `load_wavefronts` to read a column. */
static double ratio(int n, const char *kernel, uint64_t load_wavefronts)
{
    uint64_t requests = (uint64_t)n * n / 32;
    struct bl_counts counts = {.shared_source = BL_SRC_MODEL,
                               .global_source = BL_SRC_MODEL,
                               .has_cycles = true,
                               .blocks = (uint64_t)n * n / 1024,
                               .data_stage_cycles = requests * (1 + load_wavefronts)};
    struct bl_time time;
    counts.global_load.sectors = counts.global_store.sectors = 4 * requests;
    bl_rates_predict(&h200, &counts, &time);
    return time.median_us / (8.0 * n * n / (measured(n, kernel) * 1e3));
}

static void expect_between(double low, double value, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%.3f is not in %.3f..%.3f", value, low, high);
}

/* The model leaves out latency, issue, L2 and write-backs: it is a floor. These are the
 * bounds that doc/model.md gives, from matrices that fill the GPU. */
static void test_transposes(void **state)
{
    const int sizes[] = {4096, 8192, 16384, 32768};
    (void)state;
    for (int i = 0; i < 4; i++) {
        int n = sizes[i];
        expect_between(0.75, ratio(n, "tile", 32), 0.82);
        expect_between(0.80, ratio(n, "pad", 1), 0.86);
        expect_between(0.80, ratio(n, "swizzle", 1), 0.86);
    }
    /* The slowdown of conflicts, which is what predictions are for. */
    double predicted = ratio(8192, "tile", 32) / measured(8192, "tile") /
                       (ratio(8192, "pad", 1) / measured(8192, "pad"));
    expect_between(2.05, predicted, 2.15);
    expect_between(2.20, measured(8192, "pad") / measured(8192, "tile"), 2.25);
}

/* The DRAM rate is the copy's in this file. */
static void test_provenance(void **state)
{
    (void)state;
    assert_true(h200.dram_gbps == measured(32768, "memcpyD2D"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_transposes),
        cmocka_unit_test(test_provenance),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, read_h200, NULL);
}
