/* SPDX-License-Identifier: Apache-2.0
 *
 * test_matrix.c - ldmatrix and stmatrix against their definition, cp.async and what waits
 * for it, and what these and atomics cost.
 */
#include "machine_test.h"

static struct machine open_matrix(void)
{
    struct machine m;
    machine_open(&m, "matrix.ptx", BUFFER);
    for (uint32_t i = 0; i < BUFFER / 2; i++) {
        uint16_t value = (uint16_t)(i * 2654435761u >> 9);
        memcpy(m.in + 2 * i, &value, 2);
    }
    return m;
}

static uint16_t half(const uint8_t *at, uint32_t i)
{
    uint16_t value;
    memcpy(&value, at + 2 * i, 2);
    return value;
}

/* Element (row, column) of matrix i is in lane t's half h. */
static void place(uint32_t row, uint32_t column, bool transposed, uint32_t *t,
                  uint32_t *h)
{
    uint32_t along = transposed ? column : row, across = transposed ? row : column;
    *t = 4 * along + across / 2;
    *h = across % 2;
}

static void check_load(struct machine *m, const char *kernel, uint32_t matrices,
                       bool transposed)
{
    uint32_t t, h;
    machine_run(m, (struct run){.kernel = kernel});
    for (uint32_t i = 0; i < matrices; i++)
        for (uint32_t row = 0; row < 8; row++)
            for (uint32_t column = 0; column < 8; column++) {
                place(row, column, transposed, &t, &h);
                if (half(m->out, 64 * i + 2 * t + h) !=
                    half(m->in, 8 * (8 * i + row) + column))
                    fail_msg("%s: matrix %u, row %u, column %u", kernel, i, row, column);
            }
    assert_int_equal(m->counts.shared_load.requests, 1);
    assert_int_equal(m->counts.shared_load.wavefronts, matrices);
    assert_int_equal(m->counts.shared_load.conflicts, 0);
}

static void check_store(struct machine *m, const char *kernel, uint32_t matrices,
                        bool transposed)
{
    uint32_t t, h;
    machine_run(m, (struct run){.kernel = kernel});
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t at = (5 * lane + 3) % 32, i = lane / 8, row = lane % 8;
        for (uint32_t column = 0; column < 8; column++) {
            uint16_t want = 0xffff;
            place(row, column, transposed, &t, &h);
            if (i < matrices)
                want = half(m->in, 64 * i + 2 * t + h);
            if (half(m->out, 8 * at + column) != want)
                fail_msg("%s: matrix %u, row %u, column %u", kernel, i, row, column);
        }
    }
    assert_int_equal(m->counts.shared_store.requests, 2); /* one fills the tile */
    assert_int_equal(m->counts.shared_store.wavefronts, 4 + matrices);
}

static void matrices(void **state)
{
    struct machine m = open_matrix();
    (void)state;
    for (uint32_t n = 1; n <= 4; n *= 2)
        for (int trans = 0; trans < 2; trans++) {
            char name[16];
            snprintf(name, sizeof name, "ldm%u%s", n, trans ? "t" : "");
            check_load(&m, name, n, trans);
            snprintf(name, sizeof name, "stm%u%s", n, trans ? "t" : "");
            check_store(&m, name, n, trans);
        }
    check_load(&m, "ldmgen", 4, false);
    machine_close(&m);
}

static void matrix_faults(void **state)
{
    struct machine m = open_matrix();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "ldmpart"}), "carried out by 31 lanes", "all 32");
    FAULTS(&m, ((struct run){.kernel = "ldmraw"}), "uninitialised: load of 16 bytes");
    FAULTS(&m, ((struct run){.kernel = "ldmodd"}), "misaligned", "multiple of 16");
    FAULTS(&m, ((struct run){.kernel = "ldmfar"}), "out of bounds", "lane 31");
    FAULTS(&m, ((struct run){.kernel = "ldmglob"}), "must be in shared memory");
    machine_fails(&m, (struct run){.kernel = "ldm8"}, BL_E_INPUT,
                  (const char *const[]){"ldmatrix", "m16n16", NULL});
    machine_close(&m);
}

/* ---- cp.async
 * -------------------------------------------------------------------------- */

static void copies(void **state)
{
    static const struct {
        const char *kernel;
        uint32_t bytes;
    } cases[] = {{"cpca4", 4}, {"cpca8", 8}, {"cpca16", 16}, {"cpcg16", 16}};
    struct machine m = open_matrix();
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        uint32_t bytes = cases[i].bytes, phases = bytes / 4;
        const struct bl_shared_counts *async = &m.counts.shared_async;
        memset(m.out, 0xee, BUFFER);
        machine_run(&m, (struct run){.kernel = cases[i].kernel});
        assert_memory_equal(m.out, m.in, 32 * bytes);
        assert_int_equal(async->requests, 1);
        /* Past the cache, no wavefront that is known of. */
        assert_int_equal(async->wavefronts, i == 3 ? 0 : phases);
        assert_int_equal(async->conflicts, 0);
        assert_int_equal(m.counts.global_load.requests, 1);
        assert_int_equal(m.counts.global_load.sectors, bytes);
        assert_int_equal(m.counts.shared_store.requests, 0);
    }
    machine_close(&m);
}

static void short_sources(void **state)
{
    struct machine m = open_matrix();
    (void)state;
    machine_run(&m, (struct run){.kernel = "cpzero"});
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t b = 0; b < 16; b++)
            assert_int_equal(m.out[16 * l + b], b < l % 17 ? m.in[16 * l + b] : 0);
    /* Lane 0 and lane 17 read nothing. */
    assert_int_equal(m.counts.global_load.sectors, 16);
    machine_run(&m, (struct run){.kernel = "cpnone"});
    assert_int_equal(out32(&m, 5), 0);
    assert_int_equal(m.counts.global_load.requests, 0);
    assert_int_equal(m.counts.shared_async.requests, 1);
    machine_close(&m);
}

static void waiting(void **state)
{
    struct machine m = open_matrix();
    const char *const missing[] = {"still writing", "wait_group", NULL};
    (void)state;
    machine_fails(&m, (struct run){.kernel = "cpearly"}, BL_E_FAULT, missing);
    /* The first of two groups has arrived, the second has not. */
    machine_run(&m, (struct run){.kernel = "cpgroups", .n = 0});
    assert_int_equal(out32(&m, 3), *(const uint32_t *)(const void *)(m.in + 48));
    machine_fails(&m, (struct run){.kernel = "cpgroups", .n = 1}, BL_E_FAULT, missing);
    /* A block's copies are not the next one's. */
    machine_run(&m, (struct run){.kernel = "cpgroups", .n = 0, .grid = 3});
    /* The lanes that don't wait must not read. */
    machine_run(&m, (struct run){.kernel = "cplanes", .n = 2});
    machine_fails(&m, (struct run){.kernel = "cplanes", .n = 1}, BL_E_FAULT, missing);
    machine_close(&m);
}

static void copy_faults(void **state)
{
    struct machine m = open_matrix();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "cpbig"}), "17 bytes for a copy of 16");
    FAULTS(&m, ((struct run){.kernel = "cpout"}), "out of bounds", "copy of 16 bytes",
           "lane 1");
    FAULTS(&m, ((struct run){.kernel = "cpskew"}), "misaligned");
    machine_fails(&m, (struct run){.kernel = "cpmbarrier"}, BL_E_INPUT,
                  (const char *const[]){"cp.async", "mbarrier", NULL});
    machine_close(&m);
}

/* ---- what atomics cost
 * -------------------------------------------------------------------- */

struct cost {
    const char *kernel;
    uint32_t n;                               /* words that the lanes share */
    uint64_t requests, wavefronts, conflicts; /* of the atomics */
    uint64_t loads, load_wavefronts;          /* of a loop */
    uint32_t ways;
};

static void atomics(void **state)
{
    static const struct cost costs[] = {
        {"at_add", 32, 1, 1, 0, 0, 0, 1},
        {"at_add", 8, 1, 4, 3, 0, 0, 4},
        {"at_red", 1, 1, 32, 31, 0, 0, 32},
        /* cas goes through twice; half a warp a phase for 8 bytes. */
        {"at_cas", 8, 1, 8, 3, 0, 0, 4},
        {"at_exch64", 16, 1, 2, 0, 0, 0, 1},
        {"at_exch64", 4, 1, 8, 6, 0, 0, 4},
        {"at_cas64", 4, 1, 16, 6, 0, 0, 4},
        /* Loops: a lane of each bank a round, each round a load and a cas. */
        {"at_addf", 32, 1, 2, 0, 1, 1, 1},
        {"at_addf", 8, 4, 8, 0, 4, 4, 1},
        {"at_addf", 1, 32, 64, 0, 32, 32, 1},
        /* In both halves of the warp: the second finds its word changed by the first. */
        {"at_add64", 32, 1, 4, 0, 1, 2, 1},
        {"at_add64", 16, 2, 6, 0, 2, 3, 1},
        /* Not measured: carried out, not counted. */
        {"at_min64", 4, 0, 0, 0, 0, 0, 0},
    };
    struct machine m = open_matrix();
    (void)state;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        const struct cost *want = &costs[i];
        const struct bl_shared_counts *got = &m.counts.shared_atomic;
        machine_run(&m, (struct run){.kernel = want->kernel, .n = want->n});
        if (got->requests != want->requests || got->wavefronts != want->wavefronts ||
            got->conflicts != want->conflicts || got->ways != want->ways ||
            m.counts.shared_load.requests != want->loads ||
            m.counts.shared_load.wavefronts != want->load_wavefronts)
            fail_msg("%s, %u words: %u requests, %u wavefronts, %u conflicts, %u ways; "
                     "loads: %u requests, %u wavefronts",
                     want->kernel, want->n, (unsigned)got->requests,
                     (unsigned)got->wavefronts, (unsigned)got->conflicts, got->ways,
                     (unsigned)m.counts.shared_load.requests,
                     (unsigned)m.counts.shared_load.wavefronts);
    }
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(matrices), TEST(matrix_faults), TEST(copies), TEST(short_sources),
        TEST(waiting),  TEST(copy_faults),   TEST(atomics)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
