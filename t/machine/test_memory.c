/* SPDX-License-Identifier: Apache-2.0
 *
 * test_memory.c - loads and stores of every width and space, and their faults.
 */
#include "machine_test.h"

static struct machine open_memory(void)
{
    struct machine m;
    machine_open(&m, "memory.ptx", BUFFER);
    return m;
}

static void narrow(void **state)
{
    struct machine m = open_memory();
    (void)state;
    for (uint32_t i = 0; i < BUFFER; i++)
        m.in[i] = (uint8_t)(i * 7);
    machine_run(&m, (struct run){.kernel = "narrow"});
    for (uint32_t i = 0; i < 32; i++) {
        uint8_t byte = (uint8_t)((200 + i) * 7);
        int16_t half = (int16_t)(m.in[254] | m.in[255] << 8);
        assert_int_equal((int32_t)out32(&m, 5 * i), (int8_t)byte);
        assert_int_equal(out32(&m, 5 * i + 1), byte);
        assert_int_equal((int32_t)out32(&m, 5 * i + 2), (int8_t)byte);
        assert_int_equal(out32(&m, 5 * i + 3), byte);
        assert_int_equal((int32_t)out32(&m, 5 * i + 4), half);
    }
    machine_run(&m, (struct run){.kernel = "narrow_stores"});
    for (uint32_t i = 0; i < 32; i++)
        assert_true(out64(&m, i) == 0x556677887788cd78);
    machine_close(&m);
}

static void vectors(void **state)
{
    struct machine m = open_memory();
    (void)state;
    machine_run(&m, (struct run){.kernel = "vectors"});
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t first = 8 * i;
        const uint32_t want[] = {first + 6, first + 7, first + 4, first + 5,
                                 first + 2, first + 1, first,     9};
        assert_memory_equal(m.out + 32 * i, want, sizeof want);
    }
    assert_int_equal(m.counts.global_load.requests, 2);
    assert_int_equal(m.counts.global_load.sectors, 64);
    for (uint32_t i = 0; i < BUFFER; i++)
        m.in[i] = (uint8_t)(i * 5 + 1);
    machine_run(&m, (struct run){.kernel = "vectors_narrow"});
    for (uint32_t i = 0; i < 32; i++) {
        const uint8_t *in = m.in + 8 * i;
        const uint8_t want[] = {in[6], in[7], in[4], in[5], in[3], in[2], in[1], in[0]};
        assert_memory_equal(m.out + 8 * i, want, sizeof want);
    }
    machine_run(&m, (struct run){.kernel = "wide"});
    for (uint32_t i = 0; i < 32; i++) {
        assert_memory_equal(m.out + 16 * i, m.in + 16 * i + 8, 8);
        assert_memory_equal(m.out + 16 * i + 8, m.in + 16 * i, 8);
    }
    machine_close(&m);
}

static void shared(void **state)
{
    struct machine m = open_memory();
    (void)state;
    machine_run(&m, (struct run){.kernel = "shared_generic"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), i < 16 ? 3 * (31 - i) + 1000 : i + 2000);
    assert_int_equal(m.counts.shared_load.requests, 1);
    assert_int_equal(m.counts.global_load.requests, 1);
    assert_int_equal(m.counts.global_load.sectors, 2);
    /* 3 bytes, then 8 at a multiple of 8, then what is dynamic at a multiple of 16. */
    machine_run(&m, (struct run){.kernel = "two_tiles", .shared = 128});
    assert_int_equal(out32(&m, 0), 0 | 8 << 8 | 16 << 16);
    assert_int_equal(out32(&m, 32), 144);
    assert_int_equal(out32(&m, 33), 128);
    FAULTS(&m, ((struct run){.kernel = "two_tiles", .shared = 124}), "out of bounds",
           "store of 4 bytes at shared memory + 140", "140 bytes: 16 static, 124 dynamic",
           "lane 31");
    machine_close(&m);
}

static void others(void **state)
{
    struct machine m = open_memory();
    (void)state;
    machine_run(&m, (struct run){.kernel = "constants"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), (5 + i % 4) * 101 + (3 * 40 + 6 * 1000) * 10000);
    machine_run(&m, (struct run){.kernel = "locals", .grid = 3, .block = 64});
    for (uint32_t i = 0; i < 192; i++) {
        uint32_t tid = i % 64;
        uint32_t sum = (10 * tid + 6) + (10 * tid + 7) + (10 * tid + 3) + 0;
        assert_int_equal(out32(&m, i), sum * 1000 + 10 * tid + tid % 8);
    }
    assert_int_equal(m.counts.global_load.requests, 0);
    machine_run(&m, (struct run){.kernel = "param_address", .n = 21});
    assert_int_equal(out32(&m, 3), 42);
    machine_close(&m);
}

static void global_faults(void **state)
{
    struct machine m = open_memory();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "bad_store_after"}), "memory.ptx:",
           "out of bounds: store of 4 bytes at output + 4096 (output is 4096 bytes long)",
           "st.global.u32", "in bad_store_after", "thread (0, 0, 0)", "block (0, 0, 0)");
    FAULTS(&m, ((struct run){.kernel = "bad_load_before"}),
           "load of 4 bytes at input - 4 (input is 4096 bytes long)");
    FAULTS(&m, ((struct run){.kernel = "bad_null"}), "null pointer");
    FAULTS(&m, ((struct run){.kernel = "bad_nowhere"}), "0x123456789abc (in no buffer)");
    FAULTS(&m, ((struct run){.kernel = "bad_straddle"}),
           "load of 8 bytes at input + 4092");
    FAULTS(&m, ((struct run){.kernel = "bad_crooked"}), "misaligned", "input + 2",
           "multiple of 4");
    FAULTS(&m, ((struct run){.kernel = "bad_one_lane"}), "output + 8212", "lane 5",
           "thread (5, 0, 0)");
    FAULTS(&m, ((struct run){.kernel = "bad_variable"}),
           "counter + 4 (counter is 4 bytes long)");
    FAULTS(&m, ((struct run){.kernel = "bad_const_end"}), "constant memory + 4096");
    FAULTS(&m, ((struct run){.kernel = "bad_const_store"}), "read-only");
    FAULTS(&m, ((struct run){.kernel = "bad_wrong_window"}), "in shared memory");
    FAULTS(&m, ((struct run){.kernel = "local_end"}), "local memory + 16", "16 bytes");
    FAULTS(&m, ((struct run){.kernel = "param_end"}), "parameter memory + 20",
           "the function has 20 bytes");
    machine_close(&m);
}

static void shared_faults(void **state)
{
    struct machine m = open_memory();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "shared_end"}), "shared memory + 128",
           "128 bytes: 128 static, 0 dynamic");
    FAULTS(&m, ((struct run){.kernel = "shared_crooked"}), "misaligned", "shared");
    FAULTS(&m, ((struct run){.kernel = "shared_unwritten"}), "uninitialised",
           "shared memory + 36", "lane 9", "tile.cu:42");
    FAULTS(&m, ((struct run){.kernel = "shared_half_written"}), "uninitialised");
    FAULTS(&m, ((struct run){.kernel = "shared_unwritten_generic"}), "uninitialised",
           "load of 16 bytes");
    FAULTS(&m, ((struct run){.kernel = "shared_unwritten_atomic"}), "uninitialised",
           "atomic");
    machine_close(&m);
}

/* What no GPU takes, though the whole block's limit would allow it. */
static void too_much(void **state)
{
    static const char constants[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n.const .b8 table[65537];\n";
    struct machine m = open_memory();
    struct bl_program *program = NULL;
    (void)state;
    machine_fails(
        &m, (struct run){.kernel = "static_much"}, BL_E_INPUT,
        (const char *const[]){"49153 bytes of static shared memory", "49152", NULL});
    assert_int_equal(bl_program_new("constants.ptx", constants, sizeof constants - 1,
                                    &program, &m.err),
                     BL_E_INPUT);
    assert_non_null(strstr(m.err.text, "constants.ptx: has 65537 bytes of constant"));
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(narrow),        TEST(vectors),       TEST(shared),  TEST(others),
        TEST(global_faults), TEST(shared_faults), TEST(too_much)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
