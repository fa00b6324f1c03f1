/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic and conversions of whole numbers, by the PTX manual's words.
 */
#include "integer_test.h"

/* ---- C's operations, for any width --------------------------------------- */

/* Results of PLAIN(a, b), before they are stored. */
enum { PLAIN_OPS = 21 };
static void plain_value(int64_t a, int64_t b, int bits, bool is_signed,
                        uint64_t out[PLAIN_OPS])
{
    bool wide = bits == 64 && !is_signed; /* all others fit int64_t */
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    int64_t all_ones = narrowed(UINT64_MAX, bits, is_signed);
    int64_t d = b == 0 || b == all_ones ? 7 : b;
    bool less = wide ? ua < ub : a < b;
    int shift = (int)(ub & (uint64_t)(bits - 1));
    /* What C promotes to int is shifted as int. */
    uint64_t right = is_signed ? (uint64_t)(a >> shift) : ua >> shift;
    const uint64_t values[PLAIN_OPS] = {
        ua + ub,
        ua - ub,
        ua * ub,
        wide ? ua / (uint64_t)d : (uint64_t)(a / d),
        wide ? ua % (uint64_t)d : (uint64_t)(a % d),
        ua & ub,
        ua | ub,
        ua ^ ub,
        ~ua,
        0 - ua,
        ua << shift,
        right,
        less,
        less || a == b,
        a == b,
        less ? ub : ua,
        less ? ua : ub,
        is_signed && a < 0 ? 0 - ua : ua,
        wide ? ua / 10 : (uint64_t)(a / 10),
        wide ? ua % 1000 / 3 : (uint64_t)(a % 1000 / 3),
        ua * 5 + ub,
    };
    memcpy(out, values, sizeof values);
}

static void plain_of(struct run *run, const char *kernel, int bits, bool is_signed)
{
    uint64_t a[N], b[N], want[PLAIN_OPS];
    uint8_t in[N * 8], in2[N * 8], out[N * 8 * PLAIN_OPS] = {0};
    size_t bytes = (size_t)bits / 8;

    numbers(a, b);
    for (size_t i = 0; i < N; i++) {
        memcpy(in + i * bytes, &a[i], bytes);
        memcpy(in2 + i * bytes, &b[i], bytes);
    }
    pass_buffer(run, "out", out, N * bytes * PLAIN_OPS);
    pass_buffer(run, "in", in, N * bytes);
    pass_buffer(run, "in2", in2, N * bytes);
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (size_t i = 0; i < N; i++) {
        int64_t x = narrowed(a[i], bits, is_signed), y = narrowed(b[i], bits, is_signed);
        plain_value(x, y, bits, is_signed, want);
        for (size_t k = 0; k < PLAIN_OPS; k++)
            expect(run, memcmp(out + (k * N + i) * bytes, &want[k], bytes) == 0,
                   "%s: operation %zu of %lld and %lld should give 0x%llx", kernel, k,
                   (long long)x, (long long)y, (unsigned long long)want[k]);
    }
}

static void plain(struct run *run)
{
    plain_of(run, "plain_s8", 8, true);
    plain_of(run, "plain_u8", 8, false);
    plain_of(run, "plain_s16", 16, true);
    plain_of(run, "plain_u16", 16, false);
    plain_of(run, "plain_s32", 32, true);
    plain_of(run, "plain_u32", 32, false);
    plain_of(run, "plain_s64", 64, true);
    plain_of(run, "plain_u64", 64, false);
}

/* ---- single instructions ------------------------------------------------- */

static int64_t clamp(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

static uint32_t sat32(int64_t x)
{
    return (uint32_t)clamp(x, INT32_MIN, INT32_MAX);
}

/* c plus the products of 8-bit parts. */
static uint32_t dot4(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb)
{
    for (int k = 0; k < 32; k += 8)
        c += (uint32_t)(narrowed(a >> k, 8, sa) * narrowed(b >> k, 8, sb));
    return c;
}

/* c plus the products of 16-bit parts of a and two 8-bit parts of b. */
static uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb)
{
    for (int k = 0; k < 2; k++)
        c += (uint32_t)(narrowed(a >> (16 * k), 16, sa) * narrowed(b >> (8 * k), 8, sb));
    return c;
}

static uint32_t distance(int64_t a, int64_t b)
{
    return (uint32_t)(a > b ? a - b : b - a);
}

enum { MULTIPLY32_OPS = 19 };
static void multiply32_value(uint32_t a, uint32_t b, uint32_t *out)
{
    uint32_t c = a ^ (b >> 3);
    int64_t sa = (int32_t)a, sb = (int32_t)b, sc = (int32_t)c;
    int64_t low24 = narrowed(a, 24, true) * narrowed(b, 24, true);
    uint64_t ulow24 = (uint64_t)(a & 0xffffff) * (b & 0xffffff);
    const uint32_t values[MULTIPLY32_OPS] = {
        (uint32_t)((uint64_t)(sa * sb) >> 32),
        (uint32_t)((uint64_t)a * b >> 32),
        a * b,
        (uint32_t)low24,
        (uint32_t)(ulow24 >> 16),
        a * b + c,
        (uint32_t)((uint64_t)(sa * sb) >> 32) + c,
        (uint32_t)((uint64_t)a * b >> 32) + c,
        c + distance(sa, sb),
        c + distance(a, b),
        sat32(sa + sb),
        sat32(sa - sb),
        sat32((sa * sb >> 32) + sc),
        dot4(a, b, c, true, true),
        dot4(a, b, c, false, false),
        dot4(a, b, c, true, false),
        dot2(a, b, c, true, true),
        dot2(a, b >> 16, c, false, true),
        sa < 0 ? 0 - a : a,
    };
    memcpy(out, values, sizeof values);
}

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

enum { MULTIPLY64_OPS = 16 };
static void multiply64_value(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t c = a ^ (b >> 7);
    s128 signed_product = (s128)(int64_t)a * (int64_t)b;
    u128 product = (u128)a * b;
    int64_t sx = (int32_t)a, sy = (int32_t)b;
    uint64_t ux = (uint32_t)a, uy = (uint32_t)b;
    u128 sum = (u128)a + b;
    /* Words 2 and 3: c's low and a's low, c's high and b's high, and the carries. */
    uint64_t word2 = (uint64_t)(uint32_t)c + (uint32_t)a + (uint64_t)(sum >> 64);
    uint64_t word3 = (c >> 32) + (b >> 32) + (word2 >> 32);
    u128 whole = product + c;
    const uint64_t values[MULTIPLY64_OPS] = {
        (uint64_t)((u128)signed_product >> 64),
        (uint64_t)(product >> 64),
        a * b + c,
        (uint64_t)(product >> 64) + c,
        (uint64_t)(sx * sy),
        ux * uy,
        (uint64_t)(sx * sy) + c,
        ux * uy + c,
        (uint32_t)((int16_t)a * (int16_t)b),
        (uint32_t)((uint32_t)(uint16_t)a * (uint16_t)b + (uint32_t)a),
        (uint64_t)sum,
        (word2 & 0xffffffff) | word3 << 32,
        a - b,
        c - a - (a < b),
        (uint64_t)whole,
        (uint64_t)(whole >> 64),
    };
    memcpy(out, values, sizeof values);
}

enum { CONVERSION_OPS = 15 };
static void conversion_value(uint64_t a, uint64_t b, uint64_t *out)
{
    int64_t s = (int64_t)a;
    const int64_t values[CONVERSION_OPS] = {
        narrowed(a, 8, true),
        narrowed(a, 8, false),
        narrowed(a, 16, true),
        narrowed(a, 16, false),
        narrowed(a, 32, true),
        narrowed(a, 32, false),
        (int64_t)((uint64_t)narrowed(a, 32, true) >> 4),
        narrowed(a, 8, true) * narrowed((uint64_t)(s >> 9), 16, true),
        clamp(s, INT16_MIN, INT16_MAX),
        clamp(s, 0, UINT16_MAX),
        clamp(s, INT32_MIN, INT32_MAX),
        clamp(s, 0, UINT32_MAX),
        clamp(narrowed(a, 32, true), 0, 255),
        clamp(narrowed(a, 32, true), -128, 127),
        s < 0 ? INT64_MAX : s,
    };
    (void)b;
    memcpy(out, values, sizeof values);
}

enum { SELECT_OPS = 4 };
static void select_value(uint32_t a, uint32_t b, uint32_t *out)
{
    int32_t sa = (int32_t)a, sb = (int32_t)b;
    const uint32_t values[SELECT_OPS] = {
        (int32_t)(a - b) >= 0 ? a : b,
        sa < sb ? UINT32_MAX : 0,
        2u * ((sa < sb) != (sa > 0)) + ((sa >= sb) != (sa > 0)),
        a > b,
    };
    memcpy(out, values, sizeof values);
}

static void multiply32(struct run *run)
{
    rows32(run, "multiply32", multiply32_value, MULTIPLY32_OPS);
}

static void multiply64(struct run *run)
{
    rows64(run, "multiply64", multiply64_value, MULTIPLY64_OPS, true);
}

static void conversions(struct run *run)
{
    rows64(run, "conversions", conversion_value, CONVERSION_OPS, false);
}

static void select_and_set(struct run *run)
{
    rows32(run, "select_and_set", select_value, SELECT_OPS);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(plain),       TEST(multiply32),     TEST(multiply64),
        TEST(conversions), TEST(select_and_set),
    };
    return kernel_tests("integer", tests, COUNT(tests));
}
