/* SPDX-License-Identifier: Apache-2.0
 *
 * test_atomic.c - atom and red. Lanes are served in ascending order.
 */
#include "machine_test.h"

static struct machine open_atomic(void)
{
    struct machine m;
    machine_open(&m, "atomic.ptx", 65536);
    return m;
}

/* What lane i saw, and what is left behind all 32. */
typedef int64_t seen_fn(int64_t i);
static void check(struct machine *m, const char *kernel, seen_fn *seen, int64_t last)
{
    machine_run(m, (struct run){.kernel = kernel});
    for (int64_t i = 0; seen && i < 32; i++)
        if (out32(m, (uint32_t)i) != (uint32_t)seen(i))
            fail_msg("%s: lane %d saw %d", kernel, (int)i, (int)out32(m, (uint32_t)i));
    if (out32(m, 256) != (uint32_t)last)
        fail_msg("%s: %d is left", kernel, (int)out32(m, 256));
}

static int64_t seen_add(int64_t i)
{
    return 5 + i * (i - 1) / 2;
}
static int64_t seen_min(int64_t i)
{
    return i == 0 ? 1000 : 10 - (i - 1);
}
/* 10 - i, unsigned: up to lane 10 it is small, then 2^32 - 1, then less. */
static int64_t seen_umax(int64_t i)
{
    return i < 12 ? 1000 : -1;
}
static int64_t seen_and(int64_t i)
{
    return i == 0 ? -1 : i == 1 ? 1 : 0;
}
static int64_t seen_exch(int64_t i)
{
    return i == 0 ? 77 : i - 1;
}
static int64_t seen_inc(int64_t i)
{
    return i % 10;
}
static int64_t seen_dec(int64_t i)
{
    return (10 - i % 10) % 10;
}
static int64_t seen_cas(int64_t i)
{
    return i;
}

static void in_shared(void **state)
{
    struct machine m = open_atomic();
    (void)state;
    check(&m, "s_add", seen_add, 5 + 31 * 16);
    check(&m, "s_min", seen_min, -21);
    check(&m, "s_umax", seen_umax, -1);
    check(&m, "s_land", seen_and, 0);
    check(&m, "s_lor", NULL, -1);
    check(&m, "s_lxor", NULL, -1);
    check(&m, "s_exch", seen_exch, 31);
    check(&m, "s_inc", seen_inc, 2);
    check(&m, "s_dec", seen_dec, 8);
    check(&m, "s_cas", seen_cas, 32);
    assert_int_equal(m.counts.shared_store.requests, 1);
    machine_close(&m);
}

static void in_global(void **state)
{
    enum { N = 64 * 128 };
    struct machine m = open_atomic();
    uint64_t sum = (uint64_t)N * (N - 1) / 2;
    double d;
    float f;
    (void)state;
    memset(m.out, 0, 1024);
    *(uint64_t *)(void *)(m.out + 16) = 5;
    machine_run(
        &m,
        (struct run){.kernel = "global_total", .grid = 64, .block = 128, .threads = 4});
    assert_true(out64(&m, 0) == sum);
    assert_int_equal(out64(&m, 1), N - 1);
    assert_int_equal(out64(&m, 2), 0);
    memcpy(&d, m.out + 24, 8);
    assert_true(d == N);
    memcpy(&f, m.out + 32, 4);
    assert_true(f == N / 2);
    /* Halves stop at 2048 + 1 = 2048 and at 4096 + 2 = 4096. */
    assert_int_equal(out32(&m, 10), 0x68006c00);
    assert_int_equal(out64(&m, 6), 99);
    assert_int_equal(out64(&m, 7), N - 1);
    machine_run(&m, (struct run){.kernel = "total_out"});
    assert_true(out64(&m, 0) == sum);
    machine_close(&m);
}

static void generic(void **state)
{
    struct machine m = open_atomic();
    (void)state;
    memset(m.out, 0, 8);
    machine_run(&m, (struct run){.kernel = "generic_parts"});
    assert_int_equal(out32(&m, 0), 16);
    assert_int_equal(out32(&m, 1), 116);
    machine_close(&m);
}

static void lock(void **state)
{
    struct machine m = open_atomic();
    (void)state;
    memset(m.out, 0, 8);
    machine_run(&m, (struct run){.kernel = "wait_turn",
                                 .grid = 10,
                                 .block = 64,
                                 .threads = 2,
                                 .steps = 100000000});
    assert_int_equal(out32(&m, 0), 0);
    assert_int_equal(out32(&m, 1), 640);
    machine_close(&m);
}

static void faults(void **state)
{
    struct machine m = open_atomic();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "past_end"}), "out of bounds",
           "atomic of 4 bytes at output + 65536");
    FAULTS(&m, ((struct run){.kernel = "crooked"}), "misaligned", "output + 2");
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(in_shared), TEST(in_global), TEST(generic),
                                       TEST(lock), TEST(faults)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
