/* SPDX-License-Identifier: Apache-2.0
 *
 * test_flow.c - branches: results by lane, and that lanes meet again: what stands behind
 * a join is carried out once a warp.
 */
#include "machine_test.h"

static void nested(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "nested", .block = 50});
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t want = i & 1 ? (i & 2 ? 13 : 11) : (i & 4 ? 4 : 0);
        assert_int_equal(out32(&m, i), want + 100);
    }
    assert_int_equal(out32(&m, 50), 0xeeeeeeee);
    assert_int_equal(m.counts.global_store.requests, 2);
    machine_close(&m);
}

static void trips(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "trips", .block = 64});
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 1; k <= i && k <= 20; k++)
            sum += k % 2 ? 0 : k;
        assert_int_equal(out32(&m, i), sum);
    }
    assert_int_equal(m.counts.global_store.requests, 2);
    machine_close(&m);
}

/* The instructions of a warp, by hand: 9 at the start, then as the loop goes. */
static void loop_in_branch(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "loop_in_branch"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), i & 1 ? i * i : 0);
    assert_int_equal(m.counts.global_store.requests, 1);
    /* 5 before the loop, 31 turns of 4 at the most lanes' pace, store and ret. */
    assert_int_equal(m.counts.instructions, 10 + 5 + 31 * 4 + 2);
    machine_close(&m);
}

static void early(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    for (uint32_t n = 1; n <= 64; n += 9) {
        memset(m.out, 0xee, BUFFER);
        machine_run(&m, (struct run){.kernel = "early", .block = 64, .n = n});
        for (uint32_t i = 0; i < 64; i++)
            assert_int_equal(out32(&m, i), i < n ? i + 7 : 0xeeeeeeee);
        machine_run(&m, (struct run){.kernel = "early_write", .block = 64, .n = n});
        for (uint32_t i = 0; i < 64; i++)
            assert_int_equal(out32(&m, i), i < n ? i + 7 : 9);
    }
    machine_close(&m);
}

static void guards(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "guards", .block = 31});
    for (uint32_t i = 0; i < 31; i++)
        assert_int_equal(out32(&m, i), i < 8 ? 2 : i < 16 ? 51 : 3);
    machine_close(&m);
}

static void table(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "table"});
    for (uint32_t i = 0; i < 32; i++) {
        static const uint32_t want[] = {10, 11, 12, 11};
        assert_int_equal(out32(&m, i), i > 27 ? 99 : want[i & 3]);
    }
    assert_int_equal(m.counts.global_store.requests, 1);
    FAULTS(&m, ((struct run){.kernel = "table_wrong"}), "index 2", "2 targets", "lane 2");
    machine_close(&m);
}

static void no_end(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "no_end"});
    assert_int_equal(out32(&m, 31), 5);
    machine_close(&m);
}

/* A register that is never set reads as 0 in every block, whatever ran before. */
static void unset(void **state)
{
    struct machine m;
    (void)state;
    machine_open(&m, "flow.ptx", BUFFER);
    machine_run(&m, (struct run){.kernel = "unset", .grid = 8});
    for (uint32_t i = 0; i < 8 * 32; i++)
        assert_int_equal(out32(&m, i), i < 32 ? 77 : 0);
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(nested), TEST(trips),  TEST(loop_in_branch),
                                       TEST(early),  TEST(guards), TEST(table),
                                       TEST(no_end), TEST(unset)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
