/* SPDX-License-Identifier: Apache-2.0
 *
 * test_bulk.c - mbarriers, bulk copies, tensor copies with each swizzle and over all
 * edges, and their faults.
 */
#include "machine_test.h"
#include "model/tensor.h"

static struct machine open_bulk(void)
{
    struct machine m;
    machine_open(&m, "bulk.ptx", 4 * BUFFER);
    return m;
}

/* ---- mbarriers ----------------------------------------------------------------------
 */

static void phases(void **state)
{
    struct machine m = open_bulk();
    (void)state;
    for (uint32_t n = 1; n <= 7; n++) {
        machine_run(&m, (struct run){.kernel = "phases", .block = 64, .n = n});
        for (uint32_t i = 0; i < 32 * n; i++)
            assert_int_equal(out32(&m, i), i / 32 * 100 + i % 32);
    }
    machine_run(&m, (struct run){.kernel = "divergent"});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), i ? 5 : 6);
    machine_run(&m, (struct run){.kernel = "token", .n = 42});
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out32(&m, i), 42);
    machine_close(&m);
}

/* Who polls for something else than the barrier learns that it is not complete. */
static void polls(void **state)
{
    struct machine m = open_bulk();
    (void)state;
    machine_run(&m, (struct run){.kernel = "patient", .block = 1, .n = 3});
    assert_int_equal(out32(&m, 0), 3);
    FAULTS(&m, ((struct run){.kernel = "patient", .block = 1, .n = 1000000}), "stuck at",
           "warp 0 waits for the one at shared memory + 0",
           "lacks 1 arrivals and 0 bytes");
    machine_close(&m);
}

static void barrier_faults(void **state)
{
    struct machine m = open_bulk();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "stuck", .block = 64}), "stuck at an mbarrier",
           "lacks 1 arrivals and 64 bytes", "0 of 2 warps have ended");
    FAULTS(&m, ((struct run){.kernel = "untold"}), "stuck at an mbarrier",
           "got 32 bytes that nobody told it of");
    FAULTS(&m, ((struct run){.kernel = "early"}), "uninitialised",
           "where a bulk copy is still writing");
    FAULTS(&m, ((struct run){.kernel = "peek"}), "where an mbarrier is");
    FAULTS(&m, ((struct run){.kernel = "never"}), "no mbarrier at shared memory + 0");
    FAULTS(&m, ((struct run){.kernel = "trampled"}), "no mbarrier", "written over");
    FAULTS(&m, ((struct run){.kernel = "crowded"}), "1 more arrivals", "lacks 0 of the 3",
           "lane 3");
    FAULTS(&m, ((struct run){.kernel = "heavy"}), "1200000 bytes pending", "1048575");
    FAULTS(&m, ((struct run){.kernel = "nobody"}), "for 0 arrivals");
    FAULTS(&m, ((struct run){.kernel = "crooked"}), "misaligned", "multiple of 8");
    FAULTS(&m, ((struct run){.kernel = "gone"}), "no mbarrier");
    machine_fails(&m, (struct run){.kernel = "drops"}, BL_E_INPUT,
                  (const char *const[]){"arrive_drop is not known", NULL});
    machine_close(&m);
}

/* ---- plain copies -------------------------------------------------------------------
 */

static void plain(void **state)
{
    struct machine m = open_bulk();
    (void)state;
    for (uint32_t n = 0; n <= 2048; n = n ? 2 * n : 16) {
        const uint32_t sectors = (n + 31) / 32;
        memset(m.out, 0xee, BUFFER);
        machine_run(&m, (struct run){.kernel = "plain", .n = n});
        assert_memory_equal(m.out, m.in, n);
        assert_int_equal(m.out[n], 0xee);
        assert_int_equal(m.counts.bulk_copies, 2);
        assert_int_equal(m.counts.global_load.requests, 1);
        assert_int_equal(m.counts.global_load.sectors, sectors);
        assert_int_equal(m.counts.global_store.requests, 1);
        assert_int_equal(m.counts.global_store.sectors, sectors);
        assert_int_equal(m.counts.shared_load.requests, 0);
        assert_int_equal(m.counts.shared_store.requests, 0);
    }
    machine_close(&m);
}

static void plain_faults(void **state)
{
    struct machine m = open_bulk();
    (void)state;
    FAULTS(&m, ((struct run){.kernel = "bad_size"}), "of 20 bytes", "multiple of 16");
    FAULTS(&m, ((struct run){.kernel = "bad_end"}),
           "bulk copy of 32 bytes at input + 4080");
    FAULTS(&m, ((struct run){.kernel = "bad_room"}), "out of bounds",
           "bulk copy of 32 bytes at shared memory + 4080");
    FAULTS(&m, ((struct run){.kernel = "bad_source"}), "uninitialised", "bulk copy");
    FAULTS(&m, ((struct run){.kernel = "bad_far"}), "misaligned", "multiple of 16");
    machine_fails(&m, (struct run){.kernel = "across"}, BL_E_INPUT,
                  (const char *const[]){"cp.async.bulk", "is known from .global", NULL});
    machine_close(&m);
}

/* What a copy may still be reading must stay as it is until it was waited for. */
static void reuse(void **state)
{
    struct machine m = open_bulk();
    (void)state;
    for (uint32_t word = 0; word < 12; word++)
        for (uint32_t unwaited = 0; unwaited < 2; unwaited++) {
            const struct run run = {.kernel = "reuse", .n = 2 * word + unwaited};
            if (word < 4 || word >= 8)
                machine_run(&m, run);
            else
                FAULTS(&m, run, "bulk copy of 16 bytes at shared memory + 16",
                       "written over, first at + ", "lane 0");
        }
    FAULTS(&m, ((struct run){.kernel = "reuse", .n = 2 * 5}), "first at + 20,");
    machine_run(&m, (struct run){.kernel = "reuse", .n = 0});
    assert_int_equal(out32(&m, 7), 7);
    machine_run(&m, (struct run){.kernel = "heir", .block = 64, .n = 1});
    FAULTS(&m, ((struct run){.kernel = "heir", .block = 64, .n = 0}),
           "bulk copy of 16 bytes at shared memory + 0", "written over, first at + 4,",
           "lane 0");
    machine_close(&m);
}

/* ---- tensors ------------------------------------------------------------------------
 */

/* A matrix or several in the input (or, of unbox, in the output), a box and its place. */
struct tensor_run {
    const char *kernel;
    struct bl_tensor tensor;
    uint32_t base;
    int32_t x, y, z;
    bool no_map;
};

/* Rows of a box, in all its matrices. */
static uint32_t rows_of(const struct bl_tensor *t)
{
    return t->box[1] * (t->dims[2] ? t->box[2] : 1);
}

static enum bl_status try_tensor(struct machine *m, struct tensor_run run)
{
    const bool stores = run.kernel[0] == 'u';
    const uint32_t bytes = run.tensor.box[0] * rows_of(&run.tensor) * run.tensor.elem;
    uint8_t map[BL_TENSOR_BYTES] = {0};
    struct bl_model_arg args[] = {{.bits = m->spans[0].address, .size = 8},
                                  {.bits = m->spans[1].address, .size = 8},
                                  {.bits = bytes, .size = 4},
                                  {.bits = run.base, .size = 4},
                                  {.bits = (uint32_t)run.x, .size = 4},
                                  {.bits = (uint32_t)run.y, .size = 4},
                                  {.data = map, .size = sizeof map},
                                  {.bits = (uint32_t)run.z, .size = 4}};
    const struct bl_model_launch launch = {.kernel = run.kernel,
                                           .grid = {1, 1, 1},
                                           .block = {32, 1, 1},
                                           .args = args,
                                           .arg_count =
                                               strstr(run.kernel, "batch") ? 8 : 7};
    const struct bl_model_options options = {
        .arch = &test_arch, .threads = 1, .steps = 100000};
    run.tensor.address = m->spans[!stores].address;
    if (!run.no_map)
        bl_tensor_encode(&run.tensor, map);
    memset(&m->counts, 0, sizeof m->counts);
    return bl_model_run(m->program, m->memory, &launch, &options, &m->counts, NULL,
                        &m->err);
}

static void run_tensor(struct machine *m, struct tensor_run run)
{
    if (try_tensor(m, run) != BL_OK)
        fail_msg("%s: %s", run.kernel, m->err.text);
}

static void fails_tensor(struct machine *m, struct tensor_run run, const char *says)
{
    assert_int_equal(try_tensor(m, run), BL_E_FAULT);
    if (!strstr(m->err.text, says))
        fail_msg("%s: no \"%s\" in: %s", run.kernel, says, m->err.text);
}

/* Where the vendor's table puts piece `c` of row `r`, by the row's place alone: spans of
 * 128 bytes turn with every row, of 64 with every second, of 32 with every fourth. */
static uint32_t piece_at(uint32_t swizzle, uint32_t r, uint32_t c)
{
    switch (swizzle) {
    case 128: return c ^ r % 8;
    case 64: return c ^ r / 2 % 4;
    case 32: return c ^ r / 4 % 2;
    default: return c;
    }
}

/* A byte of row y of matrix z, or 0 outside. */
static uint8_t byte_of(const uint8_t *matrix, const struct bl_tensor *t, int64_t x_byte,
                       int64_t y, int64_t z)
{
    return x_byte < 0 || y < 0 || z < 0 || x_byte >= (int64_t)t->dims[0] * t->elem ||
                   y >= (int64_t)t->dims[1] || z >= (int64_t)(t->dims[2] ? t->dims[2] : 1)
               ? 0
               : matrix[z * (int64_t)t->strides[1] + y * (int64_t)t->strides[0] + x_byte];
}

static void check_box(struct machine *m, struct tensor_run run)
{
    const struct bl_tensor *t = &run.tensor;
    const uint32_t width = t->box[0] * t->elem;
    run.kernel = t->dims[2] ? "box_batch" : "box";
    run_tensor(m, run);
    for (uint32_t r = 0; r < rows_of(t); r++)
        for (uint32_t b = 0; b < width; b++) {
            const uint32_t at = r * width + piece_at(t->swizzle, r, b / 16) * 16 + b % 16;
            const uint8_t want =
                byte_of(m->in, t, (int64_t)run.x * t->elem + b,
                        (int64_t)run.y + r % t->box[1], (int64_t)run.z + r / t->box[1]);
            if (m->out[at] != want)
                fail_msg("swizzle %u, elem %u, box at (%d, %d, %d): row %u byte %u is "
                         "%u, not %u",
                         t->swizzle, t->elem, run.x, run.y, run.z, r, b, m->out[at],
                         want);
        }
}

/* Byte x of row y of matrix z, if the box that lies in the input went there. */
static uint8_t unboxed(const struct machine *m, const struct tensor_run *run, int64_t x,
                       int64_t y, int64_t z)
{
    const struct bl_tensor *t = &run->tensor;
    const int64_t width = t->box[0] * t->elem, matrices = t->dims[2] ? t->box[2] : 1;
    const int64_t r = y - run->y, b = x - (int64_t)run->x * t->elem, d = z - run->z;
    uint32_t row, place;
    if (d < 0 || d >= matrices || r < 0 || r >= t->box[1] || y >= (int64_t)t->dims[1] ||
        b < 0 || b >= width || x >= (int64_t)t->dims[0] * t->elem)
        return 0xee;
    row = (uint32_t)(d * t->box[1] + r);
    place = piece_at(t->swizzle, row, (uint32_t)b / 16);
    return m->in[row * (uint32_t)width + place * 16 + (uint32_t)b % 16];
}

static void check_unbox(struct machine *m, struct tensor_run run)
{
    const struct bl_tensor *t = &run.tensor;
    const int64_t row = (int64_t)t->strides[0];
    const int64_t rows = t->dims[2] ? (int64_t)t->strides[1] / row : (int64_t)t->dims[1];
    run.kernel = t->dims[2] ? "unbox_batch" : "unbox";
    memset(m->out, 0xee, BUFFER);
    run_tensor(m, run);
    for (int64_t z = 0; z < (int64_t)(t->dims[2] ? t->dims[2] : 1); z++)
        for (int64_t y = 0; y < rows; y++)
            for (int64_t x = 0; x < row; x++)
                if (m->out[(z * rows + y) * row + x] != unboxed(m, &run, x, y, z))
                    fail_msg("swizzle %u, elem %u, box to (%d, %d, %d): matrix %d row %d "
                             "byte %d",
                             t->swizzle, t->elem, run.x, run.y, run.z, (int)z, (int)y,
                             (int)x);
}

static void boxes(void **state)
{
    static const int32_t places[][2] = {{0, 0},  {4, 2},   {-3, 0}, {0, -5}, {9, 11},
                                        {-2, 9}, {20, -1}, {99, 0}, {0, 99}, {-99, -99}};
    struct machine m = open_bulk();
    (void)state;
    for (uint32_t i = 0; i < BUFFER; i++)
        m.in[i] = (uint8_t)(i * 7 + i / 251 + 1);
    for (uint32_t elem = 1; elem <= 8; elem *= 2)
        for (uint32_t swizzle = 0; swizzle <= 128; swizzle = swizzle ? 2 * swizzle : 32)
            for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                const struct tensor_run run = {
                    .tensor = {.dims = {144 / elem - 1, 20},
                               .strides = {160},
                               .box = {(swizzle ? swizzle : 48) / elem, 17},
                               .elem = elem,
                               .swizzle = swizzle},
                    .base = 1024,
                    .x = places[i][0],
                    .y = places[i][1]};
                check_box(&m, run);
                check_unbox(&m, run);
            }
    machine_close(&m);
}

/* Of several matrices: a box that hangs over the edge of one leaves the next alone. */
static void batches(void **state)
{
    static const int32_t places[][3] = {{0, 0, 0}, {2, 3, 1},  {-1, -2, 0}, {4, 5, 2},
                                        {0, 0, 3}, {0, 0, -1}, {0, 7, 1},   {9, 1, -9}};
    struct machine m = open_bulk();
    (void)state;
    for (uint32_t i = 0; i < BUFFER; i++)
        m.in[i] = (uint8_t)(i * 7 + i / 251 + 1);
    for (uint32_t deep = 1; deep <= 3; deep++)
        for (uint32_t gap = 0; gap <= 2; gap++)
            for (uint32_t swizzle = 0; swizzle <= 128;
                 swizzle = swizzle ? 2 * swizzle : 32)
                for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                    const struct tensor_run run = {
                        .tensor = {.dims = {19, 7, 4},
                                   .strides = {80, 80 * (7 + gap)},
                                   .box = {(swizzle ? swizzle : 48) / 4, 5, deep},
                                   .elem = 4,
                                   .swizzle = swizzle},
                        .base = 1024,
                        .x = places[i][0],
                        .y = places[i][1],
                        .z = places[i][2]};
                    check_box(&m, run);
                    check_unbox(&m, run);
                }
    machine_close(&m);
}

/* Sectors of what is inside: rows of 160 bytes start in the middle of none. */
static void tensor_counts(void **state)
{
    struct machine m = open_bulk();
    struct tensor_run run = {
        .kernel = "box",
        .tensor = {.dims = {36, 20}, .strides = {160}, .box = {16, 4}, .elem = 4}};
    (void)state;
    run_tensor(&m, run);
    assert_int_equal(m.counts.bulk_copies, 1);
    assert_int_equal(m.counts.global_load.requests, 1);
    assert_int_equal(m.counts.global_load.sectors, 4 * 2);
    assert_int_equal(m.counts.global_load.ideal, 8);
    run.x = 4; /* 16 bytes on: each row touches one more */
    run_tensor(&m, run);
    assert_int_equal(m.counts.global_load.sectors, 4 * 3);
    run.x = 28; /* 8 elements are inside, of 112 to 144 bytes */
    run_tensor(&m, run);
    assert_int_equal(m.counts.global_load.sectors, 4 * 2);
    assert_int_equal(m.counts.global_load.ideal, 4);
    run.x = 0, run.y = 18; /* two rows */
    run_tensor(&m, run);
    assert_int_equal(m.counts.global_load.sectors, 2 * 2);
    run.y = 30;
    run_tensor(&m, run);
    assert_int_equal(m.counts.global_load.sectors, 0);
    /* Rows of 48 bytes without a gap share every second border's sector. */
    run = (struct tensor_run){
        .kernel = "box",
        .tensor = {.dims = {12, 20}, .strides = {48}, .box = {12, 4}, .elem = 4}};
    run_tensor(&m, run);
    assert_int_equal(m.counts.global_load.sectors, 6);
    machine_close(&m);
}

static void tensor_faults(void **state)
{
    struct machine m = open_bulk();
    struct tensor_run run = {
        .kernel = "box",
        .tensor = {.dims = {32, 20}, .strides = {128}, .box = {32, 8}, .elem = 4}};
    (void)state;
    run.base = 64;
    fails_tensor(&m, run, "address 0x40, which must be a multiple of 128");
    run.base = 128;
    run_tensor(&m, run);
    run.tensor.swizzle = 128;
    fails_tensor(&m, run,
                 "must be a multiple of 1024, where the swizzle's pattern starts");
    run.tensor.swizzle = 0;
    run.base = 15872;
    fails_tensor(&m, run, "bulk copy of 1024 bytes at shared memory + 15872");
    run.base = 0;
    run.tensor.dims[1] = 2000; /* more than the buffer has */
    run.y = 30;
    fails_tensor(&m, run, "bulk copy of 128 bytes at input + 4096");
    run.y = 0;
    run.kernel = "box_batch";
    fails_tensor(&m, run, "a copy by 3 coordinates, and a tensor map of 2 dimensions");
    run.kernel = "box";
    run.tensor.dims[2] = run.tensor.box[2] = 1;
    fails_tensor(&m, run, "a copy by 2 coordinates, and a tensor map of 3 dimensions");
    run.tensor.dims[2] = 0;
    run.no_map = true;
    fails_tensor(&m, run, "no tensor map at parameter memory");
    run.no_map = false;
    run.kernel = "box_between";
    fails_tensor(&m, run, "no tensor map");
    run.kernel = "box_elsewhere";
    fails_tensor(&m, run, "must be a parameter of the kernel");
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(phases),        TEST(polls),        TEST(barrier_faults), TEST(plain),
        TEST(plain_faults),  TEST(reuse),        TEST(boxes),          TEST(batches),
        TEST(tensor_counts), TEST(tensor_faults)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
