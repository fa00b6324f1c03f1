/* SPDX-License-Identifier: Apache-2.0 */
#include "model/access.h"

enum { LANES = 32 };

static inline uint32_t first_lane(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

static inline uint32_t log2_of(uint32_t power_of_two)
{
    return (uint32_t)__builtin_ctz(power_of_two);
}

/* What one lane occupies: a word of a bank, or the neighbouring words of its access.
 * As accesses are aligned to their width, two of them meet in all of these words or in
 * none, and "distinct words in a bank" is "distinct units in a row of units". */
static inline uint32_t unit_bytes(const struct bl_arch *arch, uint32_t width)
{
    return width > arch->bank_bytes ? width : arch->bank_bytes;
}

/* Every active lane whose partner is active has its partner's address. */
static bool pairs_agree(uint32_t x, uint32_t mask, const uint32_t address[LANES])
{
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint32_t lane = first_lane(left), partner = lane ^ x;
        if ((mask >> partner & 1) && address[lane] != address[partner])
            return false;
    }
    return true;
}

static bool phases_merge(const struct bl_arch *arch, uint32_t mask,
                         const uint32_t address[LANES])
{
    for (size_t i = 0; i < 4 && arch->merge_xor[i] != 0; i++)
        if (pairs_agree(arch->merge_xor[i], mask, address))
            return true;
    return false;
}

/* The greatest number of distinct units in one place of the row, over the lanes in
 * `mask` (not 0). Units are chained by place, so that only units of the same place
 * are compared: a warp without conflicts costs one step a lane. */
static uint32_t phase_wavefronts(uint32_t unit_log2, uint32_t row_mask, uint32_t mask,
                                 const uint32_t address[LANES])
{
    uint32_t unit[LANES];
    uint8_t next[LANES], head[LANES] = {0}, depth[LANES] = {0}; /* indices + 1 */
    uint32_t count = 0, worst = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t u = address[first_lane(mask)] >> unit_log2, place = u & row_mask;
        uint32_t i = head[place];
        while (i != 0 && unit[i - 1] != u)
            i = next[i - 1];
        if (i != 0)
            continue;
        unit[count] = u;
        next[count] = head[place];
        head[place] = (uint8_t)++count;
        if (++depth[place] > worst)
            worst = depth[place];
    }
    return worst;
}

void bl_access_shared(const struct bl_arch *arch, bool is_store, uint32_t width,
                      uint32_t mask, const uint32_t address[32],
                      struct bl_shared_cost *out)
{
    uint32_t lanes = arch->phase_lanes[log2_of(width)];
    if (!is_store && lanes < arch->group && phases_merge(arch, mask, address))
        lanes *= 2;
    uint32_t unit = unit_bytes(arch, width), unit_log2 = log2_of(unit);
    uint32_t row = arch->banks * arch->bank_bytes / unit;
    struct bl_shared_cost cost = {.phases = LANES / lanes};
    uint32_t phase = lanes == LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    for (uint32_t i = 0; i < cost.phases; i++) {
        uint32_t active = mask & phase << i * lanes;
        if (active == 0)
            continue;
        uint32_t n = phase_wavefronts(unit_log2, row - 1, active, address);
        cost.ideal++;
        cost.wavefronts += n;
        if (n > cost.ways)
            cost.ways = n;
    }
    cost.conflicts = cost.wavefronts - cost.ideal;
    cost.cycles = cost.wavefronts > cost.phases ? cost.wavefronts : cost.phases;
    *out = cost;
}

/* Counts in one walk where addresses never fall; false where they do. */
static bool count_rising(uint32_t sector_log2, const uint64_t *address, uint32_t count,
                         uint32_t *sectors, uint32_t *places)
{
    uint32_t s = 1, p = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (address[i] < address[i - 1])
            return false;
        p += address[i] != address[i - 1];
        s += address[i] >> sector_log2 != address[i - 1] >> sector_log2;
    }
    *sectors = s;
    *places = p;
    return true;
}

static void sort(uint64_t *at, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t value = at[i];
        uint32_t j = i;
        for (; j > 0 && at[j - 1] > value; j--)
            at[j] = at[j - 1];
        at[j] = value;
    }
}

void bl_access_global(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                      const uint64_t address[32], struct bl_global_cost *out)
{
    uint64_t active[LANES];
    uint32_t count = 0, sectors = 0, places = 0,
             sector_log2 = log2_of(arch->sector_bytes);
    for (uint32_t left = mask; left != 0; left &= left - 1)
        active[count++] = address[first_lane(left)];
    if (!count_rising(sector_log2, active, count, &sectors, &places)) {
        if (active[0] >
            active[count - 1]) /* falling: the sort's worst case, and common */
            for (uint32_t i = 0, j = count - 1; i < j; i++, j--) {
                uint64_t swap = active[i];
                active[i] = active[j];
                active[j] = swap;
            }
        sort(active, count);
        count_rising(sector_log2, active, count, &sectors, &places);
    }
    out->sectors = sectors;
    out->ideal = (places * width + arch->sector_bytes - 1) / arch->sector_bytes;
}

static bool memo_fits(const struct bl_access_memo *memo, enum bl_access_kind kind,
                      uint32_t width, uint32_t mask, uint32_t phase)
{
    return memo->kind == kind && memo->mask == mask && memo->width == width &&
           memo->phase == phase;
}

static void memo_set(struct bl_access_memo *memo, enum bl_access_kind kind,
                     uint32_t width, uint32_t mask, uint32_t phase)
{
    memo->kind = kind;
    memo->width = width;
    memo->mask = mask;
    memo->phase = phase;
}

/* All ones where the lane is active. */
static inline uint32_t lane_ones(uint32_t mask, uint32_t lane)
{
    return 0 - (mask >> lane & 1);
}

/* Whole warps, by far the most, have a loop of their own: it becomes vector code, which
 * the one with a shift for each lane does not on every machine. */
static bool near_as_before(const struct bl_access_memo *memo, uint32_t mask,
                           const uint32_t address[LANES], uint32_t base)
{
    uint32_t differ = 0;
    if (mask == UINT32_MAX)
        for (uint32_t l = 0; l < LANES; l++)
            differ |= (address[l] - base) ^ memo->delta.near[l];
    else
        for (uint32_t l = 0; l < LANES; l++)
            differ |= ((address[l] - base) ^ memo->delta.near[l]) & lane_ones(mask, l);
    return differ == 0;
}

static bool far_as_before(const struct bl_access_memo *memo, uint32_t mask,
                          const uint64_t address[LANES], uint64_t base)
{
    uint64_t differ = 0;
    if (mask == UINT32_MAX)
        for (uint32_t l = 0; l < LANES; l++)
            differ |= (address[l] - base) ^ memo->delta.far[l];
    else
        for (uint32_t l = 0; l < LANES; l++)
            differ |= mask >> l & 1 ? (address[l] - base) ^ memo->delta.far[l] : 0;
    return differ == 0;
}

void bl_access_shared_memo(struct bl_access_memo *memo, const struct bl_arch *arch,
                           bool is_store, uint32_t width, uint32_t mask,
                           const uint32_t address[32], struct bl_shared_cost *out)
{
    enum bl_access_kind kind = is_store ? BL_ACCESS_SHARED_STORE : BL_ACCESS_SHARED_LOAD;
    uint32_t base = address[first_lane(mask)];
    uint32_t phase = base & (unit_bytes(arch, width) - 1);
    if (memo_fits(memo, kind, width, mask, phase) &&
        near_as_before(memo, mask, address, base)) {
        *out = memo->cost.shared;
        return;
    }
    bl_access_shared(arch, is_store, width, mask, address, out);
    memo_set(memo, kind, width, mask, phase);
    for (uint32_t l = 0; l < LANES; l++)
        memo->delta.near[l] = address[l] - base;
    memo->cost.shared = *out;
}

void bl_access_global_memo(struct bl_access_memo *memo, const struct bl_arch *arch,
                           uint32_t width, uint32_t mask, const uint64_t address[32],
                           struct bl_global_cost *out)
{
    uint64_t base = address[first_lane(mask)];
    uint32_t phase = (uint32_t)(base & (arch->sector_bytes - 1));
    if (memo_fits(memo, BL_ACCESS_GLOBAL, width, mask, phase) &&
        far_as_before(memo, mask, address, base)) {
        *out = memo->cost.global;
        return;
    }
    bl_access_global(arch, width, mask, address, out);
    memo_set(memo, BL_ACCESS_GLOBAL, width, mask, phase);
    for (uint32_t l = 0; l < LANES; l++)
        memo->delta.far[l] = address[l] - base;
    memo->cost.global = *out;
}
