/* SPDX-License-Identifier: Apache-2.0
 *
 * test_calls.c - functions: arguments, results, recursion, calls by address.
 */
#include "machine_test.h"

static struct machine open_calls(void)
{
    struct machine m;
    machine_open(&m, "calls.ptx", BUFFER);
    return m;
}

static void direct(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "direct", .grid = 2, .block = 40});
    for (uint32_t i = 0; i < 80; i++)
        assert_int_equal(out32(&m, i), 2 * i);
    machine_close(&m);
}

static void early_return(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "early_return"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), i < 8 ? i + 501 : 1001);
    assert_int_equal(m.counts.global_store.requests, 1);
    machine_close(&m);
}

static void guarded(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "guarded"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), i < 4 ? 2 * i : 3);
    machine_close(&m);
}

static void recursive(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "recursive", .block = 64});
    for (uint32_t i = 0; i < 64; i++) {
        uint64_t want = 1;
        for (uint32_t k = 2; k <= (i & 15); k++)
            want *= k;
        assert_int_equal(out64(&m, i), want);
    }
    assert_int_equal(m.counts.global_store.requests, 2);
    FAULTS(&m, ((struct run){.kernel = "too_deep"}), "stack overflow", "forever",
           "512 calls");
    machine_close(&m);
}

static void room(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "heavy_calls", .n = 7});
    FAULTS(&m, ((struct run){.kernel = "heavy_calls", .n = 8}), "stack overflow", "heavy",
           "524288 bytes");
    machine_fails(&m, (struct run){.kernel = "big_local"}, BL_E_INPUT,
                  (const char *const[]){"calls.ptx:", "1099511627776 bytes of local",
                                        "at most 524288", NULL});
    machine_fails(&m, (struct run){.kernel = "big_param"}, BL_E_INPUT,
                  (const char *const[]){"bytes of parameters", "at most 524288", NULL});
    machine_close(&m);
}

static void indirect(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "indirect"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), !(i & 1) ? 2 * i : i < 8 ? i + 500 : 1000);
    assert_int_equal(m.counts.global_store.requests, 1);
    FAULTS(&m, ((struct run){.kernel = "nowhere"}), "no function", "address 0x0");
    machine_close(&m);
}

static void structure(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "structure"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), (i + 4) << 8 | i);
    machine_close(&m);
}

static void leaves(void **state)
{
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "leaves"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), i < 16 ? 0xeeeeeeee : 1);
    machine_close(&m);
}

static void cannot(void **state)
{
    static const char *const unknown[] = {"calls.ptx:", "frobnicate.u32", "not known",
                                          NULL};
    static const char *const library[] = {"calls.ptx:", "vprintf", NULL};
    struct machine m = open_calls();
    (void)state;
    machine_run(&m, (struct run){.kernel = "unknown", .n = 0});
    machine_fails(&m, (struct run){.kernel = "unknown", .n = 1}, BL_E_INPUT, unknown);
    machine_fails(&m, (struct run){.kernel = "library"}, BL_E_INPUT, library);
    FAULTS(&m, ((struct run){.kernel = "asserts"}), "assertion failed");
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(direct),   TEST(early_return), TEST(guarded), TEST(recursive), TEST(room),
        TEST(indirect), TEST(structure),    TEST(leaves),  TEST(cannot)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
