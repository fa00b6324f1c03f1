/* SPDX-License-Identifier: Apache-2.0
 *
 * test_barrier.c - barriers, blocks that get stuck, loops without end, whose fault
 * counts.
 */
#include "machine_test.h"

static struct machine open_barrier(void)
{
    struct machine m;
    machine_open(&m, "barrier.ptx", BUFFER);
    return m;
}

static void exchange(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    for (uint32_t block = 1; block <= 256; block += 51) {
        machine_run(&m, (struct run){.kernel = "exchange", .grid = 3, .block = block});
        for (uint32_t i = 0; i < 3 * block; i++)
            assert_int_equal(out32(&m, i), block - 1 - i % block);
    }
    machine_close(&m);
}

static void reductions(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    for (uint32_t n = 0; n <= 96; n += 32) {
        machine_run(&m, (struct run){.kernel = "reductions", .block = 96, .n = n});
        for (uint32_t i = 0; i < 96; i++)
            assert_int_equal(out32(&m, i), n + (96 - n) * 10000 + (n == 96 ? 1000 : 0) +
                                               (n < 96 ? 2000 : 0));
    }
    machine_run(&m, (struct run){.kernel = "reductions", .block = 64, .n = 17});
    assert_int_equal(out32(&m, 40), 17 + 47 * 10000 + 2000);
    machine_close(&m);
}

static void producer(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    machine_run(&m, (struct run){.kernel = "producer", .block = 64});
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(out32(&m, i), i < 32 ? 1 : i - 32 + 5);
    machine_close(&m);
}

static void spin(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    machine_run(&m, (struct run){.kernel = "spin", .block = 64});
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(out32(&m, i), 8);
    machine_close(&m);
}

static void parts(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    machine_run(&m, (struct run){.kernel = "warp_sync"});
    assert_int_equal(out32(&m, 20), 4);
    machine_run(&m, (struct run){.kernel = "half_ends", .block = 96});
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(out32(&m, i), i & 1 ? (i < 16 ? 2 : 1) : (i < 16 ? 4 : 3));
    machine_close(&m);
}

static void stuck(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "stuck", .block = 64}), "stuck at a barrier",
           "warp 0 waits at barrier 1", "meet.cu:12", "warp 1 waits at barrier 0",
           "meet.cu:10", "0 of 2 warps have ended");
    FAULTS(&m, ((struct run){.kernel = "too_few", .block = 64}), "stuck at a barrier");
    machine_run(&m, (struct run){.kernel = "too_few", .block = 96});
    FAULTS(&m, ((struct run){.kernel = "divergent"}), "barrier in divergent code",
           "lanes 0xffffffe0 are here", "lanes 0x0000001f");
    machine_run(&m, (struct run){.kernel = "divergent", .block = 5});
    FAULTS(&m, ((struct run){.kernel = "guarded"}), "divergent");
    machine_run(&m, (struct run){.kernel = "guarded", .block = 5});
    FAULTS(&m, ((struct run){.kernel = "no_such"}), "barrier 16", "0 to 15");
    FAULTS(&m, ((struct run){.kernel = "odd_count", .n = 33}), "33 threads",
           "multiple of 32");
    FAULTS(&m, ((struct run){.kernel = "counts_differ", .block = 96}), "thread counts");
    for (uint32_t n = 0; n < 2; n++)
        FAULTS(&m, ((struct run){.kernel = "mixed", .block = 64, .n = n}),
               "barrier 0 is used by different instructions");
    machine_close(&m);
}

static void endless(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "endless", .block = 64, .steps = 5000}),
           "step limit", "5000 warp instructions", "meet.cu:20", "endless loop");
    machine_close(&m);
}

/* Of several faults the lowest block's is told, however many workers there are. */
static void lowest(void **state)
{
    struct machine m = open_barrier();
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        FAULTS(&m, ((struct run){.kernel = "trap_late", .grid = 64, .threads = threads}),
               "trap", "block (3, 0, 0)");
        FAULTS(
            &m,
            ((struct run){.kernel = "traps", .grid = 40, .n = 700, .threads = threads}),
            "trap", "block (21, 0, 0)", "lane 28");
        machine_run(
            &m,
            (struct run){.kernel = "traps", .grid = 40, .n = 9999, .threads = threads});
    }
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(exchange), TEST(reductions), TEST(producer),
                                       TEST(spin),     TEST(parts),      TEST(stuck),
                                       TEST(endless),  TEST(lowest)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
