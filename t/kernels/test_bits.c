/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits, fields, shifts and permutations, by the PTX manual's words, bit by bit.
 */
#include "integer_test.h"

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

static void bits32(struct run *run)
{
    rows32(run, "bits32", bits32_value, BITS32_OPS);
}

static void bits64(struct run *run)
{
    rows64(run, "bits64", bits64_value, BITS64_OPS, true);
}

int main(void)
{
    static const struct kernel_test tests[] = {TEST(bits32), TEST(bits64)};
    return kernel_tests("integer", tests, COUNT(tests));
}
