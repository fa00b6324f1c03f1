/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine against the rules said slowly: byte by byte, word by word, for random
 * patterns; and with a memo against without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/access.h"
#include "rows.h"

/* The last arch has rules that are not said here: see test_generations.c. */
enum { PATTERNS = 100000, ARCHS = 9, OPEN = ARCHS - 1 };

static struct bl_arch archs[ARCHS];

static int make_archs(void **state)
{
    (void)state;
    arch_of("cc90", &archs[0]);
    arch_of("cc80", &archs[1]);
    /* Rules as older generations have them: half-warps over 16 banks... */
    archs[2] = archs[0];
    archs[2].banks = archs[2].group = 16;
    const uint32_t halves[5] = {16, 16, 16, 8, 4};
    const uint32_t beats[5] = {2, 2, 2, 4, 8};
    memcpy(archs[2].phase_lanes, halves, sizeof halves);
    memcpy(archs[2].beats, beats, sizeof beats);
    archs[2].merge_xor[0] = archs[2].merge_xor[1] = 0;
    /* ... and banks of 8 bytes. */
    archs[3] = archs[0];
    archs[3].bank_bytes = 8;
    archs[3].sector_bytes = 128;
    arch_of("cc20", &archs[4]);
    arch_of("cc30", &archs[5]);
    arch_of("cc30-8", &archs[6]);
    archs[7] = archs[2];
    archs[7].access_bytes = 4;
    arch_of("cc10", &archs[OPEN]);
    return 0;
}

/* ---- the rules, slowly --------------------------------------------------------- */

static bool all_agree(uint32_t x, uint32_t mask, const uint32_t *address)
{
    for (uint32_t a = 0; a < 32; a++)
        for (uint32_t b = 0; b < 32; b++)
            if (b == (a ^ x) && (mask >> a & 1) && (mask >> b & 1) &&
                address[a] != address[b])
                return false;
    return true;
}

/* Words of a bank in rows that go together count as one. Distinct ones in `bank` over the
 * lanes from..to. */
static uint32_t words_in_bank(const struct bl_arch *arch, uint32_t bank, uint32_t width,
                              uint32_t mask, uint32_t from, uint32_t to,
                              const uint32_t *address)
{
    uint32_t words[32 * 16], count = 0;
    for (uint32_t l = from; l < to; l++)
        for (uint32_t b = 0; b < width && (mask >> l & 1); b++) {
            uint32_t word = (address[l] + b) / arch->bank_bytes, i = 0;
            if (word % arch->banks != bank)
                continue;
            word /= arch->banks * arch->bank_rows;
            while (i < count && words[i] != word)
                i++;
            if (i == count)
                words[count++] = word;
        }
    return count;
}

static void slow_access(const struct bl_arch *arch, uint32_t width, uint32_t lanes,
                        uint32_t mask, const uint32_t *address,
                        struct bl_shared_cost *cost)
{
    for (uint32_t from = 0; from < 32; from += lanes) {
        uint32_t worst = 0;
        for (uint32_t bank = 0; bank < arch->banks; bank++) {
            uint32_t n =
                words_in_bank(arch, bank, width, mask, from, from + lanes, address);
            worst = n > worst ? n : worst;
        }
        if (worst > 0 && width == 16)
            worst += arch->extra_wavefronts[4];
        cost->phases++;
        cost->ideal += worst > 0;
        cost->wavefronts += worst;
        cost->ways = worst > cost->ways ? worst : cost->ways;
    }
}

static struct bl_shared_cost slow_shared(const struct bl_arch *arch, bool is_store,
                                         uint32_t width, uint32_t mask,
                                         const uint32_t *address)
{
    struct bl_shared_cost cost = {0};
    uint32_t k = 0, part = width, lanes, beats, moved[32];
    while (1u << k < width)
        k++;
    beats = arch->beats[k];
    while (part > arch->access_bytes) {
        part /= 2;
        k--;
    }
    lanes = arch->phase_lanes[k];
    for (int i = 0; i < 4 && !is_store && arch->merge_xor[i]; i++)
        if (lanes == arch->phase_lanes[k] && lanes < arch->group &&
            all_agree(arch->merge_xor[i], mask, address)) {
            lanes = 2 * lanes;
            beats /= 2;
        }
    for (uint32_t at = 0; at < width; at += part) {
        for (uint32_t l = 0; l < 32; l++)
            moved[l] = address[l] + at;
        slow_access(arch, part, lanes, mask, moved, &cost);
    }
    cost.conflicts = cost.wavefronts - cost.ideal;
    cost.cycles =
        (cost.wavefronts > beats ? cost.wavefronts : beats) * arch->wavefront_cycles;
    cost.wavefronts_least = cost.wavefronts;
    cost.ways_least = cost.ways;
    return cost;
}

/* Distinct blocks of `size` bytes that lanes touch. */
static uint32_t slow_blocks(uint32_t size, uint32_t width, uint32_t mask,
                            const uint64_t *address)
{
    uint64_t seen[32 * 32];
    uint32_t count = 0;
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t b = 0; b < width && (mask >> l & 1); b++) {
            uint64_t block = (address[l] + b) / size;
            uint32_t i = 0;
            while (i < count && seen[i] != block)
                i++;
            if (i == count)
                seen[count++] = block;
        }
    return count;
}

/* ---- random patterns ----------------------------------------------------------- */

static uint64_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

struct pattern {
    bool is_store;
    uint32_t width, mask;
    uint32_t near[32];
    uint64_t far[32];
};

static uint32_t any_mask(void)
{
    uint32_t mask;
    switch (any(4)) {
    case 0: mask = (1u << any(32)) - 1; break;
    case 1: mask = any(1u << 31) << 1 | any(2); break;
    case 2: mask = 0xffu << 8 * any(4); break;
    default: mask = UINT32_MAX; break;
    }
    return mask ? mask : 1u << any(32);
}

/* Strides, windows that repeat words, pairs that merge, rows of a tile, falling. */
static uint32_t any_element(uint32_t shape, uint32_t lane, uint32_t stride)
{
    switch (shape) {
    case 0: return lane * stride;
    case 1: return any(stride + 1);
    case 2: return (lane >> 1) * stride;
    case 3: return (lane & ~2u) * stride;
    case 4: return lane % 8 * stride + lane / 8;
    case 5: return (31 - lane) * stride;
    case 6: return (lane < 16 ? lane >> 1 : lane & ~2u) * stride;
    default: return any(2048);
    }
}

static void any_pattern(struct pattern *p)
{
    uint32_t shape = any(8), stride = any(40), base = any(64);
    p->is_store = any(2);
    p->width = 1u << any(5);
    p->mask = any_mask();
    for (uint32_t l = 0; l < 32; l++) {
        p->near[l] = (base + any_element(shape, l, stride)) * p->width;
        if (any(200) == 0)
            p->near[l] = any(4096) * p->width;
        p->far[l] = UINT64_C(0x7ffffffff000) + p->near[l];
    }
}

static void expect_same(const struct bl_shared_cost *a, const struct bl_shared_cost *b,
                        const struct pattern *p)
{
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("%s of %u bytes, mask %#x: phases %u/%u ideal %u/%u wavefronts %u/%u "
                 "conflicts %u/%u ways %u/%u cycles %u/%u",
                 p->is_store ? "store" : "load", p->width, p->mask, a->phases, b->phases,
                 a->ideal, b->ideal, a->wavefronts, b->wavefronts, a->conflicts,
                 b->conflicts, a->ways, b->ways, a->cycles, b->cycles);
}

static void test_shared_is_slow(void **state)
{
    struct pattern p;
    (void)state;
    for (int i = 0; i < PATTERNS; i++) {
        const struct bl_arch *arch = &archs[i % OPEN];
        struct bl_shared_cost fast, slow;
        any_pattern(&p);
        bl_access_shared(arch, p.is_store, p.width, p.mask, p.near, &fast);
        slow = slow_shared(arch, p.is_store, p.width, p.mask, p.near);
        expect_same(&fast, &slow, &p);
    }
}

static void test_global_is_slow(void **state)
{
    struct pattern p;
    (void)state;
    for (int i = 0; i < PATTERNS; i++) {
        const struct bl_arch *arch = &archs[i % OPEN];
        struct bl_global_cost fast;
        any_pattern(&p);
        if (p.width == 16 && any(2)) { /* global memory has 32-byte accesses */
            p.width = 32;
            for (int l = 0; l < 32; l++)
                p.far[l] &= ~UINT64_C(31);
        }
        bl_access_global(arch, p.width, p.mask, p.far, &fast);
        uint32_t bytes = slow_blocks(1, p.width, p.mask, p.far), sectors = 0;
        uint32_t lanes = arch->global_lanes[p.width >= 16 ? 4 : p.width == 8 ? 3 : 0];
        for (uint32_t l = 0; l < 32; l += lanes)
            sectors += slow_blocks(arch->sector_bytes, p.width,
                                   p.mask & (uint32_t)(((UINT64_C(1) << lanes) - 1) << l),
                                   p.far);
        assert_int_equal(fast.sectors, sectors);
        assert_int_equal(fast.ideal,
                         (bytes + arch->sector_bytes - 1) / arch->sector_bytes);
    }
}

/* Often near to the pattern before: moved, with other words in idle lanes, with one
 * lane elsewhere, with another mask, kind or width. */
static void next_pattern(struct pattern *p)
{
    uint32_t by = any(70) * p->width, lane = any(32);
    switch (any(7)) {
    case 0: any_pattern(p); return;
    case 1: p->near[lane] += p->width; break;
    case 2: p->mask ^= p->mask == 1u << lane ? 0 : 1u << lane; break;
    case 3: p->is_store = !p->is_store; break;
    case 4: p->width = p->width > 1 ? p->width / 2 : 1; break;
    default: break;
    }
    for (uint32_t l = 0; l < 32; l++) {
        p->near[l] = p->mask >> l & 1 ? p->near[l] + by : any(1u << 30);
        if (!(p->mask >> l & 1))
            p->near[l] &= ~(p->width - 1);
        p->far[l] = UINT64_C(0x7ffffffff000) + p->near[l];
    }
}

static void test_memo(void **state)
{
    (void)state;
    for (int a = 0; a < ARCHS; a++) {
        struct bl_access_memo shared = {0}, both = {0};
        struct pattern p;
        any_pattern(&p);
        for (int i = 0; i < PATTERNS; i++, next_pattern(&p)) {
            struct bl_shared_cost with, without;
            struct bl_global_cost far_with, far_without;
            bl_access_shared(&archs[a], p.is_store, p.width, p.mask, p.near, &without);
            bl_access_shared_memo(&shared, &archs[a], p.is_store, p.width, p.mask, p.near,
                                  &with);
            expect_same(&with, &without, &p);
            /* One memo for an instruction that reaches both memories. */
            if (any(3) == 0) {
                bl_access_shared_memo(&both, &archs[a], p.is_store, p.width, p.mask,
                                      p.near, &with);
                expect_same(&with, &without, &p);
            }
            bl_access_global(&archs[a], p.width, p.mask, p.far, &far_without);
            bl_access_global_memo(&both, &archs[a], p.width, p.mask, p.far, &far_with);
            assert_memory_equal(&far_with, &far_without, sizeof far_with);
        }
    }
}

/* A memo that never fits would pass all of the above. */
static void test_memo_is_used(void **state)
{
    struct bl_access_memo memo = {0};
    struct bl_shared_cost cost;
    struct bl_global_cost far_cost;
    uint32_t near[32];
    uint64_t far[32];
    (void)state;
    for (uint32_t l = 0; l < 32; l++)
        near[l] = 33 * 4 * l;
    bl_access_shared_memo(&memo, &archs[0], false, 4, UINT32_MAX, near, &cost);
    assert_int_equal(cost.wavefronts, 1);
    memo.cost.shared.wavefronts = 77; /* shows whether the memo answered */
    for (uint32_t l = 0; l < 32; l++)
        near[l] += 20;
    bl_access_shared_memo(&memo, &archs[0], false, 4, UINT32_MAX, near, &cost);
    assert_int_equal(cost.wavefronts, 77);
    for (uint32_t l = 0; l < 32; l++)
        far[l] = 4096 + 4 * l;
    bl_access_global_memo(&memo, &archs[0], 4, UINT32_MAX, far, &far_cost);
    assert_int_equal(far_cost.sectors, 4);
    memo.cost.global.sectors = 77;
    for (uint32_t l = 0; l < 32; l++)
        far[l] += 64;
    bl_access_global_memo(&memo, &archs[0], 4, UINT32_MAX, far, &far_cost);
    assert_int_equal(far_cost.sectors, 77);
    for (uint32_t l = 0; l < 32; l++)
        far[l] += 4; /* elsewhere in the sector */
    bl_access_global_memo(&memo, &archs[0], 4, UINT32_MAX, far, &far_cost);
    assert_int_equal(far_cost.sectors, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_is_slow),
        cmocka_unit_test(test_global_is_slow),
        cmocka_unit_test(test_memo),
        cmocka_unit_test(test_memo_is_used),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_archs, NULL);
}
