/* SPDX-License-Identifier: Apache-2.0
 *
 * The time model: its arithmetic, and how far from measured transposes it lies
 * (t/data/transpose-h200.csv). times.t holds it against the plugins' times.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
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

static void expect_us(const struct bl_rates *rates, const struct bl_counts *counts,
                      double us)
{
    struct bl_time time;
    bl_rates_predict(rates, counts, &time);
    assert_int_equal(time.source, BL_SRC_PREDICTED);
    assert_int_equal(time.samples, 0);
    if (fabs(time.median_us - us) > 1e-9 * us)
        fail_msg("%.12g us, not %.12g", time.median_us, us);
    assert_true(time.low_us == time.median_us && time.high_us == time.median_us);
}

/* A GPU of round numbers: one SM of 1 GHz with room for four blocks of 256 threads. */
static const struct bl_rates round_gpu = {.sms = 1,
                                          .clock_mhz = 1000,
                                          .dram_gbps = 32,
                                          .partial_gsps = 0.5,
                                          .sm_threads = 1024,
                                          .sm_blocks = 8,
                                          .sm_shared = 10000,
                                          .block_shared = 1000,
                                          .sm_issue = 4,
                                          .launch_us = 3,
                                          .latency_us = 2,
                                          .overlap = 2};

static struct bl_counts counts_of(uint64_t blocks, uint32_t threads)
{
    return (struct bl_counts){.shared_source = BL_SRC_MODEL,
                              .global_source = BL_SRC_MODEL,
                              .has_cycles = true,
                              .launches = 1,
                              .blocks = blocks,
                              .block_threads = threads};
}

/* With room for one block everything adds up. */
static void test_alone(void **state)
{
    struct bl_counts counts = counts_of(10, 1024);
    (void)state;
    expect_us(&round_gpu, &counts, 3 + 10 * 2);
    counts.launches = 2;
    expect_us(&round_gpu, &counts, 2 * 3 + 10 * 2);
    counts.launches = 1;
    counts.data_stage_cycles = 5000; /* 5 us */
    expect_us(&round_gpu, &counts, 3 + 20 + 5);
    counts.instructions = 28000; /* 7 us */
    expect_us(&round_gpu, &counts, 3 + 20 + 5 + 7);
    counts.global_load.sectors = 11000; /* 11 us */
    expect_us(&round_gpu, &counts, 3 + 20 + 5 + 7 + 11);
    counts.global_store.sectors = counts.global_store.ideal = 13000; /* 13 us */
    expect_us(&round_gpu, &counts, 3 + 20 + 5 + 7 + 11 + 13);
    counts.global_store.sectors = 14000; /* 1,000 more than there need be: 2 us */
    expect_us(&round_gpu, &counts, 3 + 20 + 5 + 7 + 11 + 13 + 2);
    counts.global_store.ideal = 0; /* not known: 14 us, and none of them partial */
    expect_us(&round_gpu, &counts, 3 + 20 + 5 + 7 + 11 + 14);
}

/* With room for R blocks an Rth part is alone, and the rest overlaps. */
static void test_overlap(void **state)
{
    struct bl_counts counts = counts_of(40, 256);
    struct bl_rates gpu = round_gpu;
    const double alone = 40 * 2 + 100;
    (void)state;
    counts.data_stage_cycles = 100000; /* 100 us */
    expect_us(&gpu, &counts, 3 + hypot(alone / 4, 0.75 * 100));
    counts.block_shared = 2000; /* 3000 with what is reserved: 3 fit */
    expect_us(&gpu, &counts, 3 + hypot(alone / 3, 100 * 2 / 3.0));
    counts.block_shared = 0;
    gpu.sm_blocks = 2;
    expect_us(&gpu, &counts, 3 + hypot(alone / 2, 50));
    gpu.overlap = 1;
    expect_us(&gpu, &counts, 3 + alone / 2 + 50);
    counts.block_threads = 2048; /* more than there is room for: one at a time */
    expect_us(&gpu, &counts, 3 + alone);
}

/* Blocks spread over the SMs; with fewer blocks than there is room for, some of both
 * stays idle. */
static void test_few_blocks(void **state)
{
    struct bl_counts counts = counts_of(8, 256);
    struct bl_rates gpu = round_gpu;
    (void)state;
    gpu.sms = 4;
    counts.data_stage_cycles = 8000;
    expect_us(&gpu, &counts, 3 + hypot((2 * 2 + 2) / 2.0, 1)); /* two on each SM */
    counts.blocks = 2; /* two SMs have one, 4000 cycles each */
    expect_us(&gpu, &counts, 3 + 2 + 4);
}

static void expect_none(const struct bl_rates *rates, const struct bl_counts *counts)
{
    struct bl_time time;
    bl_rates_predict(rates, counts, &time);
    assert_int_equal(time.source, BL_SRC_NONE);
}

static void test_absent(void **state)
{
    const struct bl_counts all = counts_of(1, 32);
    struct bl_time time;
    struct bl_counts counts = all;
    (void)state;
    counts.has_cycles = false;
    expect_none(&h200, &counts);
    counts = all;
    counts.global_source = BL_SRC_NONE;
    expect_none(&h200, &counts);
    counts = all;
    counts.blocks = 0;
    expect_none(&h200, &counts);
    counts = all;
    counts.block_threads = 0;
    expect_none(&h200, &counts);
    expect_none(NULL, &all);
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

/* Predicted over measured time of an n x n float32 transpose through 32 x 32 tiles by
 * blocks of 256 threads, whose warps take `load_wavefronts` to read a column. How many
 * instructions the measured kernels have is not known: as many as transpose_tile. */
static double ratio(int n, const char *kernel, uint64_t load_wavefronts)
{
    uint64_t requests = (uint64_t)n * n / 32;
    struct bl_counts counts = counts_of((uint64_t)n * n / 1024, 256);
    struct bl_time time;
    counts.data_stage_cycles = requests * (1 + load_wavefronts);
    counts.instructions = counts.blocks * 632;
    counts.block_shared = 4096;
    counts.global_load.sectors = 4 * requests;
    counts.global_store.sectors = counts.global_store.ideal = 4 * requests;
    bl_rates_predict(&h200, &counts, &time);
    return time.median_us / (8.0 * n * n / (measured(n, kernel) * 1e3));
}

static void expect_between(double low, double value, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%.3f is not in %.3f..%.3f", value, low, high);
}

/* Other kernels of the same kind as those that the model was fitted to. */
static void test_transposes(void **state)
{
    const int sizes[] = {4096, 8192, 16384, 32768};
    (void)state;
    for (int i = 0; i < 4; i++) {
        int n = sizes[i];
        expect_between(0.91, ratio(n, "tile", 32), 0.99);
        expect_between(0.94, ratio(n, "pad", 1), 1.0);
        expect_between(0.94, ratio(n, "swizzle", 1), 1.0);
    }
}

/* The device file with `from` turned into `to` is refused with `want`. */
static void spoil(const char *from, const char *to, const char *want)
{
    char *path = source_path("conf/devices/h200.ini"), text[8192], name[128];
    char folder[] = "/tmp/banklab-rates-XXXXXX";
    struct bl_paths paths = {.conf_dir = folder};
    struct bl_error err = {0};
    struct bl_rates rates;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    free(path);
    const char *at = strstr(text, from);
    assert_non_null(at);
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/devices", folder);
    assert_int_equal(mkdir(name, 0700), 0);
    snprintf(name, sizeof name, "%s/devices/h200.ini", folder);
    file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
    enum bl_status status = bl_rates_read(&paths, "h200", &rates, &err);
    unlink(name);
    *strrchr(name, '/') = '\0';
    rmdir(name);
    rmdir(folder);
    assert_int_equal(status, BL_E_INPUT);
    if (!strstr(err.text, want))
        fail_msg("'%s' instead of '%s'", err.text, want);
}

static void test_bad_file(void **state)
{
    (void)state;
    spoil("\noverlap = 1.5", "\noverlap = 0.5",
          "'overlap': '0.5' is not a number in 1..");
    spoil("\nlaunch_us = 1.6", "\nlaunch_us = -1", "'launch_us': '-1' is not");
    spoil("\npartial_gsps = 61.1", "\npartial_gsps = 0", "'partial_gsps': '0' is not");
    spoil("\nlatency_us = 0.4", "", "lacks the key 'latency_us'");
    spoil("\nsm_threads = 2048", "\nsm_threads = 0", "'sm_threads': '0' is not");
    spoil("\nsm_blocks = 32", "\nsm_blocks = 0", "'sm_blocks': '0' is not");
    spoil("\nsm_shared = 233472", "\nsm_share = 233472", "did you mean 'sm_shared'?");
    spoil("\nblock_shared = 1024", "\nblock_shared = x", "'block_shared': 'x' is not");
    spoil("\nsm_issue = 4", "\nsm_issue = 0", "'sm_issue': '0' is not");
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
        cmocka_unit_test(test_alone),      cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_few_blocks), cmocka_unit_test(test_absent),
        cmocka_unit_test(test_transposes), cmocka_unit_test(test_provenance),
        cmocka_unit_test(test_bad_file),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, read_h200, NULL);
}
