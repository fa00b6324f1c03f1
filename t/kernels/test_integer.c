/* SPDX-License-Identifier: Apache-2.0
 *
 * What each operation of integer.cu should give, by the PTX manual's words.
 */
#include "kernel_test.h"

#include <string.h>

enum { N = 128 };

/* Interesting numbers first, then any. */
static uint64_t number(int i, uint64_t *seed)
{
    static const uint64_t special[] = {0,
                                       1,
                                       UINT64_MAX,
                                       2,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       (uint64_t)INT64_MAX,
                                       (uint64_t)1 << 63,
                                       0x8000000080008080};
    uint64_t x = next_number(seed);
    if (i < 2 * (int)COUNT(special))
        return special[(size_t)i / 2 % COUNT(special)];
    return i % 3 == 0 ? x >> (x % 64) : i % 3 == 1 ? 0 - (x >> (x % 64)) : x;
}

static void numbers(uint64_t *a, uint64_t *b)
{
    uint64_t seed = 51;
    for (int i = 0; i < N; i++) {
        a[i] = number(i, &seed);
        b[i] = number((i * 37 + 11) % N, &seed);
    }
}

/* ---- C's operations, for any width --------------------------------------- */

static int64_t narrowed(uint64_t x, int bits, bool is_signed)
{
    if (bits == 64)
        return (int64_t)x;
    x &= ((uint64_t)1 << bits) - 1;
    if (is_signed && x >> (bits - 1))
        x -= (uint64_t)1 << bits;
    return (int64_t)x;
}

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

typedef void value32(uint32_t a, uint32_t b, uint32_t *out);
typedef void value64(uint64_t a, uint64_t b, uint64_t *out);

static void rows32(struct run *run, const char *kernel, value32 *value, size_t ops)
{
    static uint32_t out[40 * N];
    uint64_t a[N], b[N];
    uint32_t in[N], in2[N], want[40];
    memset(out, 0, sizeof out);
    numbers(a, b);
    for (int i = 0; i < N; i++) {
        in[i] = (uint32_t)a[i];
        in2[i] = (uint32_t)b[i];
    }
    pass_buffer(run, "out", out, ops * N * 4);
    pass_buffer(run, "in", in, sizeof in);
    pass_buffer(run, "in2", in2, sizeof in2);
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (size_t i = 0; i < N; i++) {
        value(in[i], in2[i], want);
        for (size_t k = 0; k < ops; k++)
            expect(run, out[k * N + i] == want[k],
                   "%s: operation %zu of 0x%x and 0x%x gives 0x%x, should be 0x%x",
                   kernel, k, in[i], in2[i], out[k * N + i], want[k]);
    }
}

static void rows64(struct run *run, const char *kernel, value64 *value, size_t ops,
                   bool second)
{
    static uint64_t out[40 * N];
    uint64_t a[N], b[N], want[40];
    memset(out, 0, sizeof out);
    numbers(a, b);
    pass_buffer(run, "out", out, ops * N * 8);
    pass_buffer(run, "in", a, sizeof a);
    if (second)
        pass_buffer(run, "in2", b, sizeof b);
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (size_t i = 0; i < N; i++) {
        value(a[i], b[i], want);
        for (size_t k = 0; k < ops; k++)
            expect(
                run, out[k * N + i] == want[k],
                "%s: operation %zu of 0x%llx and 0x%llx gives 0x%llx, should be 0x%llx",
                kernel, k, (unsigned long long)a[i], (unsigned long long)b[i],
                (unsigned long long)out[k * N + i], (unsigned long long)want[k]);
    }
}

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

static uint64_t reversed(uint64_t x, int bits)
{
    uint64_t r = 0;
    for (int i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

static uint32_t highest(uint64_t x, int bits) /* position, or all ones */
{
    for (int i = bits - 1; i >= 0; i--)
        if (x >> i & 1)
            return (uint32_t)i;
    return UINT32_MAX;
}

static uint64_t ones(uint64_t x)
{
    uint64_t n = 0;
    for (int i = 0; i < 64; i++)
        n += x >> i & 1;
    return n;
}

/* A field of `length` bits; beyond the word it is filled with the sign or with 0. */
static uint64_t field(uint64_t x, uint32_t at, uint32_t length, int bits, bool is_signed)
{
    uint64_t r = 0;
    int last = (int)(at + length) - 1;
    uint64_t sign;
    if (last > bits - 1)
        last = bits - 1;
    sign = is_signed && length > 0 ? x >> last & 1 : 0;
    for (uint32_t i = 0; i < (uint32_t)bits; i++) {
        bool inside = i < length && at + i < (uint32_t)bits;
        r |= (inside ? x >> (at + i) & 1 : sign) << i;
    }
    return r;
}

static uint64_t inserted(uint64_t a, uint64_t b, uint32_t at, uint32_t length, int bits)
{
    for (uint32_t i = 0; i < length && at + i < (uint32_t)bits; i++) {
        uint64_t bit = (uint64_t)1 << (at + i);
        b = (a >> i & 1) ? b | bit : b & ~bit;
    }
    return b;
}

static uint32_t funnel(uint32_t a, uint32_t b, uint32_t by, bool left)
{
    uint64_t both = (uint64_t)b << 32 | a;
    return (uint32_t)(left ? both << by >> 32 : both >> by);
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t pattern)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t pick = pattern >> (4 * i) & 15;
        uint32_t byte = (uint32_t)(both >> (8 * (pick & 7))) & 0xff;
        if (pick & 8)
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << (8 * i);
    }
    return r;
}

static uint32_t mask_of(uint32_t at, uint32_t length)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 32; i++)
        r |= (uint32_t)(i >= at && i < at + length) << i;
    return r;
}

/* Bit by bit: row 4 a + 2 b + c of the table. */
static uint32_t looked_up(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) {
        uint32_t row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
        r |= (table >> row & 1) << i;
    }
    return r;
}

enum { BITS32_OPS = 29 };
static void bits32_value(uint32_t a, uint32_t b, uint32_t *out)
{
    static const uint32_t forward[] = {0x3210, 0x4321, 0x5432, 0x6543};
    static const uint32_t backward[] = {0x5670, 0x6701, 0x7012, 0x0123};
    static const uint32_t copies[] = {0x0000, 0x1111, 0x2222, 0x3333};
    static const uint32_t clamp_left[] = {0x3210, 0x3211, 0x3222, 0x3333};
    static const uint32_t clamp_right[] = {0x0000, 0x1110, 0x2210, 0x3210};
    static const uint32_t halves[] = {0x1010, 0x3232, 0x1010, 0x3232};
    uint32_t at = b & 31, length = b >> 5 & 31, by = b & 63, c = a * b;
    uint32_t top = highest(a >> at, 32), low = a << at;
    int32_t s = (int32_t)a >> at;
    const uint32_t values[BITS32_OPS] = {
        (uint32_t)ones(a),
        31 - top,
        (uint32_t)reversed(a, 32),
        low ? 32 - highest(reversed(low, 32), 32) : 0,
        top,
        highest((uint32_t)(s < 0 ? ~s : s), 32),
        top == UINT32_MAX ? top : 31 - top,
        (uint32_t)field(a, at, length, 32, false),
        (uint32_t)field(a, at, length, 32, true),
        (uint32_t)inserted(a, b, at, length, 32),
        by > 31 ? 0 : a << by,
        by > 31 ? 0 : a >> by,
        (uint32_t)((int32_t)a >> (by > 31 ? 31 : by)),
        funnel(a, b, by & 31, true),
        funnel(a, b, by & 31, false),
        funnel(a, b, by > 32 ? 32 : by, true),
        funnel(a, b, by > 32 ? 32 : by, false),
        permuted(a, b, a ^ b),
        permuted(a, b, forward[b & 3]),
        permuted(a, b, backward[b & 3]),
        permuted(a, b, copies[b & 3]),
        permuted(a, b, clamp_left[b & 3]),
        permuted(a, b, clamp_right[b & 3]),
        permuted(a, b, halves[b & 3]),
        looked_up(a, b, c, 0xe8),
        looked_up(a, b, c, 0x1d),
        (a & 1) == 0,
        mask_of(by, length),
        by >= 32  ? a
        : by == 0 ? 0
                  : (uint32_t)narrowed(a, (int)by, true),
    };
    memcpy(out, values, sizeof values);
}

enum { BITS64_OPS = 11 };
static void bits64_value(uint64_t a, uint64_t b, uint64_t *out)
{
    uint32_t at = b & 63, length = b >> 6 & 63;
    uint32_t top = highest(a >> at, 64);
    int64_t s = (int64_t)a >> at;
    const uint64_t values[BITS64_OPS] = {
        ones(a),
        63 - top,
        reversed(a, 64),
        highest((uint64_t)(s < 0 ? ~s : s), 64),
        field(a, at, length, 64, false),
        field(a, at, length, 64, true),
        inserted(a, b, at, length, 64),
        at > 31 ? 0 : a << (2 * at),
        (uint64_t)((int64_t)a >> (at > 31 ? 63 : 2 * at)),
        a << 32 | a >> 32,
        a >> 48 | (a & 0xffff) << 16 | (a >> 32 & 0xffff) << 32 |
            (a >> 16 & 0xffff) << 48,
    };
    memcpy(out, values, sizeof values);
    if (top == UINT32_MAX)
        out[1] = 64;
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

static void bits32(struct run *run)
{
    rows32(run, "bits32", bits32_value, BITS32_OPS);
}

static void bits64(struct run *run)
{
    rows64(run, "bits64", bits64_value, BITS64_OPS, true);
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
        TEST(plain),  TEST(multiply32),  TEST(multiply64),     TEST(bits32),
        TEST(bits64), TEST(conversions), TEST(select_and_set),
    };
    return kernel_tests("integer", tests, COUNT(tests));
}
