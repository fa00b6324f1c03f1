/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU worker on whatever CUDA driver there is: a right kernel, one that faults, one
 * that never ends; counters and timing of the right one. Without a driver: skipped.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cuda/worker.h"

/* Each thread stores its word to shared memory 8 bytes apart, which is 2 ways, reads
 * it back and copies it out; `bad` is added to the output's address, and a kernel with
 * `spin` set never ends. */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry twoways(.param .u64 out, .param .u64 in, .param .u64 bad,\n"
    "    .param .u32 spin)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<10>;\n"
    ".shared .align 4 .b8 room[256];\n"
    "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [bad];\n"
    "ld.param.u32 %r1, [spin];\n"
    "cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;\n"
    "add.s64 %rd1, %rd1, %rd3;\n"
    "setp.ne.u32 %p1, %r1, 0;\n"
    "AGAIN: ld.volatile.global.u32 %r3, [%rd2];\n"
    "@%p1 bra AGAIN;\n"
    "mov.u32 %r2, %tid.x; mul.wide.u32 %rd4, %r2, 4;\n"
    "add.s64 %rd2, %rd2, %rd4; ld.global.u32 %r3, [%rd2];\n"
    "mov.u32 %r4, room; mad.lo.s32 %r4, %r2, 8, %r4;\n"
    "st.volatile.shared.u32 [%r4], %r3; bar.sync 0;\n"
    "ld.volatile.shared.u32 %r5, [%r4];\n"
    "add.s64 %rd1, %rd1, %rd4; st.global.u32 [%rd1], %r5; ret;\n}\n";

struct bench {
    struct bl_worker *worker;
    struct banklab_plan plan;
    struct banklab_module module;
    struct bl_regions regions;
    struct bl_run_options options;
};

static void fill_plan(struct banklab_plan *plan, uint64_t bad, uint32_t spin)
{
    struct banklab_launch *launch;

    memset(plan, 0, sizeof *plan);
    plan->struct_size = sizeof *plan;
    launch = banklab_launch_add(plan, "twoways");
    launch->block[0] = 32;
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_u64(launch, bad);
    banklab_arg_u32(launch, spin);
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct bl_error err;

    if (!bench || bl_worker_new(0, 5, &bench->worker, &err) != BL_OK)
        return -1;
    bench->module = (struct banklab_module){.text = ptx, .length = sizeof ptx - 1};
    fill_plan(&bench->plan, 0, 0);
    *state = bench;
    return bl_regions_new(&bench->plan, 128, UINT64_MAX, NULL, &bench->regions, &err);
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    bl_worker_free(bench->worker);
    bl_regions_free(&bench->regions, NULL);
    free(bench);
    return 0;
}

static enum bl_status run(struct bench *bench, uint64_t bad, uint32_t spin,
                          struct bl_counts *counts, struct bl_error *err)
{
    const struct bl_job job = {
        .label = "two ways",
        .plugin_path = "test",
        .module = &bench->module,
        .plan = &bench->plan,
        .regions = &bench->regions,
        .options = &bench->options,
    };

    fill_plan(&bench->plan, bad, spin);
    bl_regions_fill(&bench->regions, 7);
    if (counts) {
        struct bl_count_card card;
        enum bl_status status = bl_worker_count(bench->worker, &job, &card, err);

        if (status != BL_OK)
            return status;
        *counts = card.counts;
        bl_worker_rest(bench->worker);
    }
    return bl_worker_run(bench->worker, &job, err);
}

static void assert_copied(struct bench *bench)
{
    assert_memory_equal(
        bl_region_payload(bl_regions_find(&bench->regions, BANKLAB_OUTPUT)),
        bl_region_payload(bl_regions_find(&bench->regions, BANKLAB_INPUT)), 128);
}

static void runs_and_counts(void **state)
{
    struct bl_counts counts = {0};
    struct bl_error err = {0};

    if (run(*state, 0, 0, &counts, &err) != BL_OK)
        fail_msg("%s", err.text);
    assert_copied(*state);
    if (counts.shared_source == BL_SRC_NONE) {
        print_message("# no hardware counters here\n");
        return;
    }
    assert_int_equal(counts.shared_load.requests, 1);
    assert_int_equal(counts.shared_load.wavefronts, 2);
    assert_int_equal(counts.shared_load.conflicts, 1);
    assert_int_equal(counts.shared_store.wavefronts, 2);
    assert_int_equal(counts.global_load.sectors, 5); /* the word of `spin` is one */
    assert_int_equal(counts.global_store.sectors, 4);
}

static void a_fault_is_lost_alone(void **state)
{
    struct bl_counts counts = {0};
    struct bl_error err = {0};

    assert_int_equal(run(*state, UINT64_C(1) << 46, 0, &counts, &err), BL_E_FAULT);
    print_message("# %s\n", err.text);
    assert_non_null(strstr(err.text, "ILLEGAL_ADDRESS"));
    assert_int_equal(run(*state, 0, 0, &counts, &err), BL_OK);
    assert_copied(*state);
}

static void a_hang_is_lost_alone(void **state)
{
    struct bl_counts counts = {0};
    struct bl_error err = {0};

    assert_int_equal(run(*state, 0, 1, &counts, &err), BL_E_FAULT);
    print_message("# %s\n", err.text);
    assert_non_null(strstr(err.text, "hangs"));
    assert_int_equal(run(*state, 0, 0, &counts, &err), BL_OK);
    assert_copied(*state);
}

static void times_in_rounds(void **state)
{
    const struct bl_ask_timing kernel = {.bytes = 128, .seed = 1, .most_us = 1e6};
    const struct bl_ask_timing copy = {
        .bytes = 1 << 24, .seed = 1, .reference = BL_REFERENCE_MEMCPY, .most_us = 1e6};
    struct bench *bench = *state;
    struct bl_timing_card card;
    struct bl_error err = {0};
    double us[2] = {0, 0};
    size_t lost;

    fill_plan(&bench->plan, 0, 0);
    if (bl_worker_time_add(bench->worker, "a", &bench->plan, &bench->module, &kernel,
                           &card, &err) != BL_OK ||
        bl_worker_time_add(bench->worker, "b", &bench->plan, NULL, &copy, &card, &err) !=
            BL_OK ||
        bl_worker_time_round(bench->worker, us, 2, &lost, &err) != BL_OK)
        fail_msg("%s", err.text);
    print_message("# kernel %.3f us, copy of 16 MiB %.3f us (%u sets, %u runs a batch)\n",
                  us[0], us[1], card.sets, card.runs);
    assert_true(us[0] > 0 && us[1] > 0);
    assert_int_equal(bl_worker_time_clear(bench->worker, &err), BL_OK);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs_and_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_fault_is_lost_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hang_is_lost_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_in_rounds, set_up, tear_down),
    };
    struct bl_worker *worker = NULL;
    struct bl_gpu_card card;
    struct bl_error err = {0};
    enum bl_status status = bl_worker_new(0, 30, &worker, &err);

    if (status == BL_OK)
        status = bl_worker_describe(worker, &card, &err);
    bl_worker_free(worker);
    if (status == BL_E_UNSUPPORTED) {
        printf("1..0 # SKIP %s\n", err.text);
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}
