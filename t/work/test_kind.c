/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "work/kind.h"
#include "work/stream.h"

static const uint32_t elems[] = {1, 2, 4, 8, 16};

/* The reference against the rule of the header, written byte by byte. */
static void check_transpose(uint64_t batch, uint64_t rows, uint64_t cols, uint32_t elem)
{
    const struct banklab_problem problem = {
        .rows = rows, .cols = cols, .elem = elem, .batch = batch};
    const uint64_t bytes = batch * rows * cols * elem;
    uint8_t *in = malloc(bytes), *out = malloc(bytes);

    bl_stream_fill(in, bytes, 3);
    memset(out, 0x55, bytes);
    bl_kind_find("transpose")->reference(&problem, in, out);
    for (uint64_t m = 0; m < batch * rows * cols; m += rows * cols)
        for (uint64_t r = 0; r < rows; r++)
            for (uint64_t c = 0; c < cols; c++)
                assert_memory_equal(out + (m + c * rows + r) * elem,
                                    in + (m + r * cols + c) * elem, elem);
    free(in);
    free(out);
}

static void transposes_every_shape_and_width(void **state)
{
    static const uint64_t shapes[][2] = {{1, 1},   {1, 7},    {7, 1},     {31, 33},
                                         {64, 64}, {100, 65}, {129, 257}, {32, 1000}};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t e = 0; e < 5; e++)
            for (uint64_t batch = 1; batch <= 3; batch += 2)
                check_transpose(batch, shapes[s][0], shapes[s][1], elems[e]);
}

static void copies(void **state)
{
    const struct banklab_problem problem = {.rows = 3, .cols = 5, .elem = 2};
    uint8_t in[30], out[32];

    (void)state;
    bl_stream_fill(in, sizeof in, 9);
    memset(out, 0x55, sizeof out);
    bl_kind_find("copy")->reference(&problem, in, out);
    assert_memory_equal(out, in, 30);
    assert_int_equal(out[30], 0x55);
}

static void knows_three_kinds(void **state)
{
    size_t count;
    const struct bl_kind *all = bl_kind_all(&count);

    (void)state;
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes;
        assert_ptr_equal(bl_kind_find(all[i].name), &all[i]);
        assert_int_equal(bl_kind_bytes(&all[i].defaults, &bytes, NULL), BL_OK);
    }
    assert_null(bl_kind_find("scan"));
    assert_null(bl_kind_find("pattern")->reference);
    assert_true(bl_kind_find("transpose")->transposed);
    assert_int_equal(bl_kind_find("pattern")->defaults.rows, 1);
}

static void counts_useful_bytes(void **state)
{
    const struct banklab_problem problem = {.rows = 10, .cols = 6, .elem = 8};
    const struct banklab_problem batched = {.rows = 10, .cols = 6, .elem = 8, .batch = 7};
    const struct banklab_problem widest = {
        .rows = UINT64_MAX, .cols = UINT64_MAX, .elem = 1, .batch = UINT64_MAX};
    char text[BL_SHAPE_MAX];
    uint64_t bytes;

    (void)state;
    assert_int_equal(bl_kind_find("copy")->useful_bytes(&problem), 960);
    assert_int_equal(bl_kind_find("transpose")->useful_bytes(&problem), 960);
    assert_int_equal(bl_kind_find("pattern")->useful_bytes(&problem), 0);
    assert_int_equal(bl_kind_find("copy")->useful_bytes(&batched), 7 * 960);
    assert_int_equal(bl_kind_find("transpose")->useful_bytes(&batched), 7 * 960);
    assert_int_equal(bl_kind_bytes(&batched, &bytes, NULL), BL_OK);
    assert_int_equal(bytes, 7 * 480);
    assert_false(bl_problem_same(&problem, &batched));
    assert_string_equal(bl_problem_shape(&problem, " x ", text, sizeof text), "10 x 6");
    assert_string_equal(bl_problem_shape(&batched, "x", text, sizeof text), "7x10x6");
    assert_string_equal(bl_problem_shape(&widest, " x ", text, sizeof text),
                        "18446744073709551615 x 18446744073709551615 x "
                        "18446744073709551615");
}

static void refuses_bad_problems(void **state)
{
    static const struct {
        struct banklab_problem problem;
        const char *says;
    } bad[] = {
        {{.rows = 1, .cols = 1, .elem = 3}, "elem = 3"},
        {{.rows = 1, .cols = 1, .elem = 0}, "elem = 0"},
        {{.rows = 0, .cols = 1, .elem = 4}, "rows = 0"},
        {{.rows = 1, .cols = 0, .elem = 4}, "cols = 0"},
        {{.rows = UINT64_MAX, .cols = 2, .elem = 1}, "more than an address"},
        {{.rows = UINT64_MAX / 8, .cols = 1, .elem = 16}, "more than an address"},
        {{.rows = 1 << 20, .cols = 1 << 20, .elem = 16, .batch = UINT64_C(1) << 60},
         "1152921504606846976 x 1048576 x 1048576 elements of 16 bytes are more than an "
         "address"},
        {{.rows = UINT64_C(1) << 61, .cols = 1, .elem = 1}, "more than an address"},
    };
    struct bl_error err;
    uint64_t bytes = 77;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(bl_kind_bytes(&bad[i].problem, &bytes, &err), BL_E_INPUT);
        assert_contains(err.text, bad[i].says);
    }
    assert_int_equal(bytes, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposes_every_shape_and_width),
        cmocka_unit_test(copies),
        cmocka_unit_test(knows_three_kinds),
        cmocka_unit_test(counts_useful_bytes),
        cmocka_unit_test(refuses_bad_problems),
    };
    return RUN_TAP(tests);
}
