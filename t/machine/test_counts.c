/* SPDX-License-Identifier: Apache-2.0
 *
 * test_counts.c - what is counted and where, the clock, special registers, moves, and
 * what a launch may be.
 */
#include "machine_test.h"

static struct machine open_counts(void)
{
    struct machine m;
    machine_open(&m, "counts.ptx", BUFFER);
    return m;
}

static void counted(void **state)
{
    struct machine m = open_counts();
    struct bl_model_profile profile;
    struct bl_counts *c = &m.counts;
    (void)state;
    machine_run(
        &m, (struct run){.kernel = "counted", .grid = 3, .n = 16, .profile = &profile});
    assert_int_equal(c->shared_source, BL_SRC_MODEL);
    assert_int_equal(c->global_source, BL_SRC_MODEL);
    assert_int_equal(c->blocks, 3);
    assert_int_equal(c->launches, 1);
    assert_int_equal(c->block_threads, 32);
    assert_int_equal(c->block_shared, 256);
    assert_int_equal(c->shared_store.requests, 3);
    assert_int_equal(c->shared_store.wavefronts, 6);
    assert_int_equal(c->shared_store.ideal, 3);
    assert_int_equal(c->shared_store.conflicts, 3);
    assert_int_equal(c->shared_store.ways, 2);
    assert_int_equal(c->shared_load.requests, 3);
    assert_int_equal(c->shared_load.wavefronts, 3);
    assert_int_equal(c->shared_load.ways, 1);
    assert_int_equal(c->global_load.requests, 3);
    assert_int_equal(c->global_load.sectors, 96);
    assert_int_equal(c->global_load.ideal, 12);
    assert_int_equal(c->global_store.sectors, 12);
    assert_true(c->has_cycles);
    /* An atomic of all lanes at one place: they take turns. */
    assert_int_equal(c->shared_atomic.requests, 3);
    assert_int_equal(c->shared_atomic.wavefronts, 96);
    assert_int_equal(c->shared_atomic.ideal, 3);
    assert_int_equal(c->shared_atomic.conflicts, 93);
    assert_int_equal(c->shared_atomic.ways, 32);
    assert_int_equal(c->shared_async.requests, 0);
    assert_int_equal(c->data_stage_cycles, 9 + 96);

    assert_int_equal(profile.count, 5);
    assert_true(profile.at[0].is_shared && profile.at[0].is_store);
    assert_int_equal(profile.at[0].insn->loc_line, 5);
    assert_int_equal(profile.at[0].executions, 3);
    assert_int_equal(profile.at[0].conflicts, 3);
    assert_string_equal(profile.at[0].file, "/somewhere/kernels/count.cu");
    assert_true(profile.at[1].is_shared && !profile.at[1].is_store);
    assert_true(!profile.at[2].is_shared && !profile.at[2].is_store);
    assert_int_equal(profile.at[2].sectors, 96);
    assert_true(profile.at[3].is_shared && profile.at[3].is_special);
    assert_int_equal(profile.at[3].wavefronts, 96);
    assert_true(profile.at[4].is_store && !profile.at[4].is_special);
    assert_true(profile.at[4].insn->line > profile.at[3].insn->line);
    bl_model_profile_free(&profile);

    machine_run(&m, (struct run){.kernel = "counted", .n = 0});
    assert_int_equal(c->shared_load.requests, 0);
    assert_int_equal(c->shared_load.ways, 0);
    machine_run(&m, (struct run){.kernel = "mixed"});
    assert_int_equal(c->shared_load.requests, 1);
    assert_int_equal(c->global_load.requests, 1);
    assert_int_equal(c->global_load.sectors, 4);
    assert_int_equal(c->global_load.ideal, 2);
    machine_close(&m);
}

static void workers(void **state)
{
    struct machine m = open_counts();
    struct bl_counts one;
    (void)state;
    machine_run(&m, (struct run){.kernel = "blocks", .grid = 5000, .threads = 1});
    one = m.counts;
    assert_int_equal(one.blocks, 5000);
    assert_int_equal(one.shared_store.conflicts, 5000);
    for (uint32_t threads = 2; threads <= 5; threads++) {
        machine_run(&m,
                    (struct run){.kernel = "blocks", .grid = 5000, .threads = threads});
        assert_memory_equal(&m.counts, &one, sizeof one);
        for (uint32_t i = 0; i < 1024; i++)
            assert_int_equal(out32(&m, i), i);
    }
    machine_close(&m);
}

/* Between the readings are 40 loads a warp: the last reading less the first is the sum
 * of all warps' cycles, exactly. */
static void clocks(void **state)
{
    static const uint32_t ways[] = {1, 32}, warps[] = {1, 2, 4};
    struct machine m = open_counts();
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int w = 0; w < 3; w++) {
            uint64_t first = UINT64_MAX, last = 0;
            uint32_t block = 32 * warps[w];
            machine_run(&m,
                        (struct run){.kernel = k ? "clock32" : "clock1", .block = block});
            for (uint32_t i = 0; i < warps[w]; i++) {
                first = out64(&m, 2 * i) < first ? out64(&m, 2 * i) : first;
                last = out64(&m, 2 * i + 1) > last ? out64(&m, 2 * i + 1) : last;
            }
            assert_int_equal(last - first, 40 * ways[k] * warps[w]);
        }
    machine_close(&m);
}

static void registers(void **state)
{
    struct machine m = open_counts();
    (void)state;
    machine_run(&m, (struct run){.kernel = "registers", .grid = 2, .block = 50});
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t tid = i % 50, lane = tid % 32;
        const uint32_t want[] = {lane,        tid / 32, 2,   (1u << lane) - 1,
                                 ~0u << lane, 2,        tid, 32};
        assert_memory_equal(m.out + 32 * i, want, sizeof want);
    }
    machine_close(&m);
}

static void moves(void **state)
{
    struct machine m = open_counts();
    (void)state;
    machine_run(&m, (struct run){.kernel = "moves"});
    for (uint32_t i = 0; i < 32; i++) {
        uint64_t packed = (uint64_t)i << 32 | 0xab000000 | i, turned = 0;
        for (int k = 0; k < 4; k++)
            turned = turned << 16 | (packed >> 16 * k & 0xffff);
        assert_true(out64(&m, 4 * i) == packed);
        assert_true(out64(&m, 4 * i + 1) == turned);
        assert_int_equal(out32(&m, 8 * i + 4), i);
        assert_int_equal(out32(&m, 8 * i + 5), i == 3 ? 0 : 0x3f800000);
    }
    machine_close(&m);
}

static void active(void **state)
{
    struct machine m = open_counts();
    (void)state;
    machine_run(&m, (struct run){.kernel = "active", .block = 20});
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(out32(&m, 2 * i), i == 3 ? 0xeeeeeeee : 0xffff7);
        assert_int_equal(out32(&m, 2 * i + 1), i == 3 ? 0xeeeeeeee : 0xffff7);
    }
    machine_close(&m);
}

static void refuses(struct machine *m, struct run run, const char *text)
{
    const char *const texts[] = {text, NULL};
    machine_fails(m, run, BL_E_INPUT, texts);
}

static void launches(void **state)
{
    struct machine m = open_counts();
    struct bl_model_arg arg = {.size = 4};
    struct bl_model_launch launch = {.kernel = "moves",
                                     .grid = {1, 1, 1},
                                     .block = {32, 1, 1},
                                     .args = &arg,
                                     .arg_count = 1};
    struct bl_model_options options = {.arch = &test_arch};
    static const char *const too_much[] = {
        "240000 bytes of shared memory a block (40000 static, 200000 dynamic), cc90 has "
        "232448",
        NULL};
    const char *const *names;
    (void)state;
    refuses(&m, (struct run){.kernel = "movse"}, "did you mean \"moves\"");
    refuses(&m, (struct run){.kernel = "zzz"}, "it has counted, mixed");
    refuses(&m, (struct run){.kernel = "moves", .block = 1025}, "block.x is 1025");
    refuses(&m, (struct run){.kernel = "exact", .block = 32}, "requires 64x1x1");
    machine_run(&m, (struct run){.kernel = "exact", .block = 64});
    refuses(&m, (struct run){.kernel = "most", .block = 65}, "at most 64");
    machine_run(&m, (struct run){.kernel = "most", .block = 33});
    machine_fails(&m, (struct run){.kernel = "big", .shared = 200000}, BL_E_UNSUPPORTED,
                  too_much);
    machine_run(&m, (struct run){.kernel = "big", .shared = 192448});
    assert_int_equal(m.counts.block_shared, 232448);
    launch.block[1] = 40;
    assert_int_equal(
        bl_model_run(m.program, m.memory, &launch, &options, &m.counts, NULL, &m.err),
        BL_E_INPUT);
    assert_non_null(strstr(m.err.text, "1280 threads"));
    launch.block[1] = 1;
    launch.grid[2] = 0;
    assert_int_equal(
        bl_model_run(m.program, m.memory, &launch, &options, &m.counts, NULL, &m.err),
        BL_E_INPUT);
    assert_non_null(strstr(m.err.text, "grid.z is 0"));
    launch.grid[2] = 1;
    assert_int_equal(
        bl_model_run(m.program, m.memory, &launch, &options, &m.counts, NULL, &m.err),
        BL_E_INPUT);
    assert_non_null(strstr(m.err.text, "1 arguments, takes 3"));
    launch.arg_count = 3;
    launch.args = (struct bl_model_arg[]){{.size = 8}, {.size = 4}, {.size = 4}};
    assert_int_equal(
        bl_model_run(m.program, m.memory, &launch, &options, &m.counts, NULL, &m.err),
        BL_E_INPUT);
    assert_non_null(strstr(m.err.text, "argument 1 has 4 bytes, its parameter has 8"));
    assert_int_equal(bl_program_kernels(m.program, &names), 11);
    assert_string_equal(names[0], "counted");
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(counted),   TEST(workers), TEST(clocks),
                                       TEST(registers), TEST(moves),   TEST(active),
                                       TEST(launches)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
