/* SPDX-License-Identifier: Apache-2.0
 *
 * What the vendor's guides say of single accesses, generation by generation, and what the
 * arch files make of it. "4.2" is NVIDIA's CUDA C Programming Guide 4.2, appendix F.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/access.h"
#include "rows.h"

#define ALL UINT32_MAX

/* Lane l accesses array[base + stride * l], elements of `width` bytes. */
static struct bl_shared_cost strided(const char *name, bool is_store, uint32_t width,
                                     uint32_t base, uint32_t stride)
{
    struct bl_shared_cost cost;
    struct bl_arch arch;
    uint32_t address[32];
    arch_of(name, &arch);
    for (uint32_t l = 0; l < 32; l++)
        address[l] = width * (base + stride * l);
    bl_access_shared(&arch, is_store, width, ALL, address, &cost);
    return cost;
}

static struct bl_shared_cost words(const char *name, bool is_store, uint32_t mask,
                                   const uint32_t word[32])
{
    struct bl_shared_cost cost;
    struct bl_arch arch;
    uint32_t address[32];
    arch_of(name, &arch);
    for (uint32_t l = 0; l < 32; l++)
        address[l] = 4 * word[l];
    bl_access_shared(&arch, is_store, 4, mask, address, &cost);
    return cost;
}

static void expect_ways(struct bl_shared_cost cost, uint32_t least, uint32_t most)
{
    if (cost.ways_least != least || cost.ways != most)
        fail_msg("%u to %u ways, not %u to %u", cost.ways_least, cost.ways, least, most);
}

/* 4.2, F.3.3.1: no conflict if and only if the stride is odd; threads tid and tid + n are
 * in one bank where stride * n is a multiple of 16. */
static void strides_on_1x(void **state)
{
    (void)state;
    for (uint32_t s = 1; s <= 33; s++)
        for (uint32_t base = 0; base < 7; base++) {
            const uint32_t divisor = s & -s, ways = divisor < 16 ? divisor : 16;
            struct bl_shared_cost load = strided("cc10", false, 4, base, s);
            struct bl_shared_cost store = strided("cc10", true, 4, base, s);
            expect_ways(load, ways, ways);
            expect_ways(store, ways, ways);
            assert_int_equal(load.wavefronts, 2 * ways); /* each half by itself */
            assert_int_equal(load.phases, 2);
            assert_int_equal(load.conflicts, 2 * ways - 2);
            assert_int_equal(load.cycles, 2 * 2 * ways); /* two clock cycles a step */
        }
}

/* 4.2, F.3.3: no conflict between a lane of the first half and one of the second. */
static void halves_on_1x(void **state)
{
    uint32_t word[32];
    (void)state;
    for (uint32_t l = 0; l < 32; l++)
        word[l] = l < 16 ? l : 160 + (l * 5) % 16;
    expect_ways(words("cc10", false, ALL, word), 1, 1);
    assert_int_equal(words("cc20", false, ALL, word).ways, 2);
}

/* 4.2, F.3.3.2: one word for all has no conflict. Which of several words is broadcast is
 * unspecified. */
static void broadcast_on_1x(void **state)
{
    uint32_t word[32];
    (void)state;
    for (uint32_t l = 0; l < 32; l++)
        word[l] = 3;
    expect_ways(words("cc10", false, ALL, word), 1, 1);
    /* Two words in two banks, each for 8 lanes: one broadcast a step. */
    for (uint32_t l = 0; l < 32; l++)
        word[l] = l % 2;
    expect_ways(words("cc10", false, ALL, word), 2, 2);
    assert_int_equal(words("cc20", false, ALL, word).ways, 1);
    /* Figure F-3, in the middle: five lanes at one word, the others in banks of their
     * own. Without conflict if that word is chosen first; else a step more. */
    for (uint32_t l = 0; l < 32; l++)
        word[l] = l % 16;
    word[3] = word[4] = word[6] = word[7] = word[9] = 5;
    expect_ways(words("cc10", false, 0xffff, word), 1, 2);
    /* Half of the lanes read their own word, the others the 15th: s[tid % 16 < 8 ? tid :
     * 15]. */
    for (uint32_t l = 0; l < 32; l++)
        word[l] = l / 16 * 16 + (l % 16 < 8 ? l % 16 : 15);
    expect_ways(words("cc10", false, ALL, word), 1, 2);
    assert_int_equal(words("cc10", false, ALL, word).wavefronts, 4);
    assert_int_equal(words("cc10", false, ALL, word).wavefronts_least, 2);
    assert_int_equal(words("cc20", false, ALL, word).ways, 1);
}

/* 4.2, F.3.3.3: char array[base + tid] has conflicts, array[base + 4 * tid] has none;
 * F.4.3: on 2.x neither has. */
static void bytes(void **state)
{
    (void)state;
    expect_ways(strided("cc10", false, 1, 0, 1), 4, 4);
    expect_ways(strided("cc10", false, 1, 0, 4), 1, 1);
    expect_ways(strided("cc10", false, 2, 0, 1), 2, 2);
    assert_int_equal(strided("cc20", false, 1, 0, 1).ways, 1);
    assert_int_equal(strided("cc20", true, 1, 0, 1).ways, 1);
    assert_int_equal(strided("cc50", true, 1, 0, 1).ways, 1);
    /* Stores: the guide says that one place is written once, not what a word costs. */
    expect_ways(strided("cc10", true, 1, 0, 1), 1, 4);
    expect_ways(strided("cc10", true, 1, 0, 0), 1, 1);
    expect_ways(strided("cc10", true, 1, 0, 4), 1, 1);
}

/* 4.2, F.3.3.4: doubles are two requests of stride 2, each with 2-way conflicts; F.4.3.2:
 * none on 2.x. */
static void doubles(void **state)
{
    struct bl_shared_cost cost = strided("cc10", false, 8, 1, 1);
    (void)state;
    expect_ways(cost, 2, 2);
    assert_int_equal(cost.phases, 4);
    assert_int_equal(cost.wavefronts, 8);
    cost = strided("cc10", true, 16, 0, 1);
    expect_ways(cost, 4, 4);
    assert_int_equal(cost.wavefronts, 4 * 2 * 4);
    cost = strided("cc20", false, 8, 1, 1);
    assert_int_equal(cost.wavefronts, 2);
    assert_int_equal(cost.conflicts, 0);
    assert_int_equal(cost.cycles, 4);
    assert_int_equal(strided("cc50", false, 8, 1, 1).conflicts, 0);
    /* F.5.3.1: 64-bit mode has fewer conflicts for 64 bits than 2.x. */
    assert_int_equal(strided("cc30-8", false, 8, 1, 1).wavefronts, 1);
    assert_int_equal(strided("cc30", false, 8, 1, 1).wavefronts, 2); /* base 1: 3 rows */
    assert_int_equal(strided("cc30", false, 8, 0, 1).wavefronts, 1);
}

/* 4.2, F.3.3.4: struct {float x, y, z;} is three reads without conflicts, since 3 is odd;
 * struct {float x, y;} two with. */
static void structures(void **state)
{
    (void)state;
    for (uint32_t member = 0; member < 3; member++) {
        expect_ways(strided("cc10", false, 4, member, 3), 1, 1);
        assert_int_equal(strided("cc20", false, 4, member, 3).ways, 1);
    }
    expect_ways(strided("cc10", false, 4, 1, 2), 2, 2);
}

/* 4.2, F.4.3.2: most 128-bit accesses have a 2-way conflict: to the greatest number of
 * lanes of a quarter that want different words of a bank, 1 must be added. */
static void quarters_on_2x(void **state)
{
    struct bl_shared_cost cost = strided("cc20", false, 16, 0, 1);
    (void)state;
    assert_int_equal(cost.phases, 4);
    assert_int_equal(cost.ways, 2);
    assert_int_equal(cost.wavefronts, 8);
    assert_int_equal(cost.conflicts, 4);
    assert_int_equal(strided("cc20", true, 16, 0, 2).ways, 3);
    assert_int_equal(strided("cc60", false, 16, 0, 1).ways, 1);
}

/* 4.2, F.4.3.1 and figure F-2: on 2.x odd strides have no conflict, 2 has; on 3.0 in
 * 32-bit mode 1, 2 and 3 have none. */
static void strides_later(void **state)
{
    /* Stride, ways. 6: lanes l and l + 16 are 96 words apart, in two segments. */
    static const uint32_t on_3x[][2] = {{4, 2},  {6, 2},   {8, 4},
                                        {16, 8}, {32, 16}, {64, 32}};
    (void)state;
    for (uint32_t s = 1; s <= 65; s++) {
        const uint32_t divisor = s & -s, ways = divisor < 32 ? divisor : 32;
        assert_int_equal(strided("cc20", false, 4, 0, s).ways, ways);
        assert_int_equal(strided("cc60", true, 4, 5, s).ways, ways);
        assert_int_equal(strided("cc90", false, 4, 5, s).ways, ways);
        assert_int_equal(strided("cc100", false, 4, 5, s).ways, ways);
    }
    for (size_t i = 0; i < sizeof on_3x / sizeof *on_3x; i++)
        assert_int_equal(strided("cc30", false, 4, 0, on_3x[i][0]).ways, on_3x[i][1]);
    for (uint32_t s = 1; s <= 3; s++)
        for (uint32_t base = 0; base < 200; base += 64)
            assert_int_equal(strided("cc30", false, 4, base, s).ways, 1);
}

/* 4.2, F.5.3: which two words of one bank don't conflict. */
static void pairs_on_3x(void **state)
{
    static const struct {
        uint32_t a, b, four, eight; /* words; ways in 32-bit and 64-bit mode */
    } pairs[] = {{0, 32, 1, 1},     /* j = i + 32 in one segment of 64 */
                 {31, 63, 1, 1},  {32, 64, 2, 1}, /* two segments */
                 {0, 64, 2, 2},   {0, 1, 1, 1},   /* one 64-bit word */
                 {64, 96, 1, 1},  {5, 37, 1, 1},
                 {5, 69, 2, 2},   {0, 65, 1, 2}, /* banks 0 and 1, or one bank */
                 {100, 100, 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint32_t word[32] = {pairs[i].a, pairs[i].b};
        assert_int_equal(words("cc30", false, 3, word).ways, pairs[i].four);
        assert_int_equal(words("cc30", true, 3, word).ways, pairs[i].four);
        assert_int_equal(words("cc30-8", false, 3, word).ways, pairs[i].eight);
    }
}

/* 4.2, F.5.3.2: the same pattern has as many or fewer conflicts than on 2.x. */
static void no_worse_than_2x(void **state)
{
    uint64_t seed = 1;
    uint32_t fewer = 0;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint32_t word[32], two, three;
        for (uint32_t l = 0; l < 32; l++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            word[l] = (uint32_t)(seed >> 33) % 512;
        }
        two = words("cc20", false, ALL, word).wavefronts;
        three = words("cc30", false, ALL, word).wavefronts;
        assert_true(three <= two);
        fewer += three < two;
    }
    assert_true(fewer > 100);
}

/* ---- global memory ---------------------------------------------------------------- */

static uint32_t sectors(const char *name, uint32_t width, uint32_t mask, uint64_t base,
                        uint32_t stride)
{
    struct bl_global_cost cost;
    struct bl_arch arch;
    uint64_t address[32];
    arch_of(name, &arch);
    for (uint32_t l = 0; l < 32; l++)
        address[l] = base + (uint64_t)stride * width * l;
    bl_access_global(&arch, width, mask, address, &cost);
    return cost.sectors;
}

/* 4.2, F.3.2.1: half a warp in sequence and aligned is one transaction of 64 or 128
 * bytes, or two of 128, whoever is active; else 32 bytes a lane. */
static void sequences_on_1x(void **state)
{
    (void)state;
    assert_int_equal(sectors("cc10", 4, ALL, 0, 1), 2 * 2);
    assert_int_equal(sectors("cc10", 8, ALL, 4096, 1), 2 * 4);
    assert_int_equal(sectors("cc10", 16, ALL, 1280, 1), 2 * 8);
    assert_int_equal(sectors("cc10", 4, ALL, 64, 1), 2 * 2);
    assert_int_equal(sectors("cc10", 4, ALL, 32, 1), 32); /* not aligned to 64 */
    assert_int_equal(sectors("cc10", 4, ALL, 4, 1), 32);
    assert_int_equal(sectors("cc10", 8, ALL, 64, 1), 32);
    assert_int_equal(sectors("cc10", 4, ALL, 0, 2), 32); /* not in sequence */
    assert_int_equal(sectors("cc10", 4, ALL, 0, 0), 32);
    assert_int_equal(sectors("cc10", 1, ALL, 0, 1), 32); /* bytes never */
    assert_int_equal(sectors("cc10", 2, ALL, 0, 1), 32);
    assert_int_equal(sectors("cc10", 4, 0x00010008, 0, 1), 2 * 2); /* as if all were */
    assert_int_equal(sectors("cc10", 4, 0x00070000, 4, 1), 3);
    assert_int_equal(sectors("cc10", 4, 0x0000000f, 0, 1), 2);
}

/* 4.2, F.4.2: 8 bytes a lane are two requests, 16 bytes four; 9.0, measured: one. */
static void requests_later(void **state)
{
    (void)state;
    assert_int_equal(sectors("cc20", 4, ALL, 0, 1), 4);
    assert_int_equal(sectors("cc20", 4, ALL, 4, 1), 5);
    assert_int_equal(sectors("cc20", 8, ALL, 0, 0), 2);
    assert_int_equal(sectors("cc20", 16, ALL, 0, 0), 4);
    assert_int_equal(sectors("cc30", 16, ALL, 0, 1), 16);
    assert_int_equal(sectors("cc90", 16, ALL, 0, 0), 1);
    assert_int_equal(sectors("cc50", 16, ALL, 0, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_on_1x),   cmocka_unit_test(halves_on_1x),
        cmocka_unit_test(broadcast_on_1x), cmocka_unit_test(bytes),
        cmocka_unit_test(doubles),         cmocka_unit_test(structures),
        cmocka_unit_test(quarters_on_2x),  cmocka_unit_test(strides_later),
        cmocka_unit_test(pairs_on_3x),     cmocka_unit_test(no_worse_than_2x),
        cmocka_unit_test(sequences_on_1x), cmocka_unit_test(requests_later),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
