/* SPDX-License-Identifier: Apache-2.0 */
#include "model/access.h"

#include "model/access_steps.h"

enum {
    LANES = 32,
    SEQUENCE_ALIGN = 128, /* the most that BL_COALESCE_SEQUENCE aligns to */
};

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

static inline uint32_t turn_bytes(const struct bl_arch *arch, uint32_t width)
{
    return arch->bank_rows > 1 ? arch->banks * arch->bank_bytes * arch->bank_rows
                               : unit_bytes(arch, width);
}

static inline uint32_t far_turn_bytes(const struct bl_arch *arch)
{
    return arch->coalescing == BL_COALESCE_SEQUENCE ? SEQUENCE_ALIGN : arch->sector_bytes;
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

/* The greatest number of distinct keys in one place of the row, over the lanes in `mask`
 * (not 0). Keys are chained by place, so that only those of the same place are compared:
 * a warp without conflicts costs one step a lane. */
static uint32_t most_in_a_place(const struct bl_access_row *row, uint32_t key_log2,
                                uint32_t mask, const uint32_t address[LANES])
{
    uint32_t keys[LANES];
    uint8_t next[LANES], head[LANES] = {0}, depth[LANES] = {0}; /* indices + 1 */
    uint32_t count = 0, worst = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t a = address[first_lane(mask)], key = a >> key_log2;
        uint32_t place = a >> row->unit_log2 & row->mask, i = head[place];
        while (i != 0 && keys[i - 1] != key)
            i = next[i - 1];
        if (i != 0)
            continue;
        keys[count] = key;
        next[count] = head[place];
        head[place] = (uint8_t)++count;
        if (++depth[place] > worst)
            worst = depth[place];
    }
    return worst;
}

/* What one phase takes. */
static struct bl_access_steps phase_steps(const struct bl_arch *arch, bool is_store,
                                          const struct bl_access_row *row, uint32_t mask,
                                          const uint32_t address[LANES])
{
    struct bl_access_steps steps;
    if (!is_store && arch->broadcast == BL_BROADCAST_ONE)
        return bl_access_one_broadcast(row, mask, address);
    steps.least = steps.most = most_in_a_place(row, row->row_log2, mask, address);
    if (is_store && arch->store == BL_STORE_OPEN)
        steps.most = most_in_a_place(row, 0, mask, address);
    return steps;
}

static inline uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* One access of at most arch->access_bytes a lane, in phases of `lanes`. */
static void add_access(const struct bl_arch *arch, bool is_store, uint32_t width,
                       uint32_t lanes, uint32_t mask, const uint32_t address[LANES],
                       struct bl_shared_cost *cost)
{
    const uint32_t unit = unit_bytes(arch, width),
                   extra = arch->extra_wavefronts[log2_of(width)];
    const uint32_t units = arch->banks * arch->bank_bytes / unit;
    const uint32_t phase = lanes == LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    struct bl_access_row row = {.unit_log2 = log2_of(unit), .mask = units - 1};
    row.row_log2 = row.unit_log2 + log2_of(units) + log2_of(arch->bank_rows);
    for (uint32_t i = 0; i < LANES; i += lanes) {
        const uint32_t active = mask & phase << i;
        cost->phases++;
        if (active == 0)
            continue;
        struct bl_access_steps steps = phase_steps(arch, is_store, &row, active, address);
        steps.least += extra;
        steps.most += extra;
        cost->ideal++;
        cost->wavefronts += steps.most;
        cost->wavefronts_least += steps.least;
        cost->ways = greater(steps.most, cost->ways);
        cost->ways_least = greater(steps.least, cost->ways_least);
    }
}

void bl_access_shared(const struct bl_arch *arch, bool is_store, uint32_t width,
                      uint32_t mask, const uint32_t address[32],
                      struct bl_shared_cost *out)
{
    struct bl_shared_cost cost = {0};
    uint32_t part = width, lanes, beats = arch->beats[log2_of(width)];
    if (part > arch->access_bytes)
        part = arch->access_bytes;
    lanes = arch->phase_lanes[log2_of(part)];
    if (!is_store && lanes < arch->group && phases_merge(arch, mask, address)) {
        lanes *= 2;
        beats /= 2;
    }
    add_access(arch, is_store, part, lanes, mask, address, &cost);
    for (uint32_t at = part; at < width; at += part) {
        uint32_t further[LANES];
        for (uint32_t l = 0; l < LANES; l++)
            further[l] = address[l] + at;
        add_access(arch, is_store, part, lanes, mask, further, &cost);
    }
    cost.conflicts = cost.wavefronts - cost.ideal;
    cost.cycles = greater(cost.wavefronts, beats) * arch->wavefront_cycles;
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

/* The distinct sectors of the active lanes, and in *places their distinct addresses. */
static uint32_t count_sectors(uint32_t sector_log2, uint32_t mask,
                              const uint64_t address[LANES], uint32_t *places)
{
    uint64_t active[LANES];
    uint32_t count = 0, sectors = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1)
        active[count++] = address[first_lane(left)];
    if (count_rising(sector_log2, active, count, &sectors, places))
        return sectors;
    if (active[0] > active[count - 1]) /* falling: the sort's worst case, and common */
        for (uint32_t i = 0, j = count - 1; i < j; i++, j--) {
            uint64_t swap = active[i];
            active[i] = active[j];
            active[j] = swap;
        }
    sort(active, count);
    count_rising(sector_log2, active, count, &sectors, places);
    return sectors;
}

/* BL_COALESCE_SEQUENCE, for the lanes of one request from `first` on. */
static uint32_t sequence_sectors(const struct bl_arch *arch, uint32_t width,
                                 uint32_t first, uint32_t lanes, uint32_t mask,
                                 const uint64_t address[LANES])
{
    const uint32_t some = first_lane(mask), bytes = lanes * width;
    const uint64_t start = address[some] - (uint64_t)(some - first) * width;
    const uint32_t align = bytes < SEQUENCE_ALIGN ? bytes : SEQUENCE_ALIGN;
    bool in_sequence = width >= 4 && start % align == 0;
    for (uint32_t left = mask; left != 0 && in_sequence; left &= left - 1)
        in_sequence = address[first_lane(left)] ==
                      start + (uint64_t)(first_lane(left) - first) * width;
    return in_sequence ? bytes / arch->sector_bytes : (uint32_t)__builtin_popcount(mask);
}

/* The sectors of the requests that an instruction is split into. */
static uint32_t split_sectors(const struct bl_arch *arch, uint32_t width, uint32_t lanes,
                              uint32_t mask, const uint64_t address[LANES])
{
    const uint32_t all = lanes == LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    uint32_t sum = 0, ignored;
    for (uint32_t first = 0; first < LANES; first += lanes) {
        const uint32_t active = mask & all << first;
        if (active == 0)
            continue;
        sum +=
            arch->coalescing == BL_COALESCE_SEQUENCE
                ? sequence_sectors(arch, width, first, lanes, active, address)
                : count_sectors(log2_of(arch->sector_bytes), active, address, &ignored);
    }
    return sum;
}

void bl_access_global(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                      const uint64_t address[32], struct bl_global_cost *out)
{
    const uint32_t lanes = arch->global_lanes[log2_of(width < 16 ? width : 16)];
    uint32_t places = 0;
    out->sectors = count_sectors(log2_of(arch->sector_bytes), mask, address, &places);
    if (lanes < LANES || arch->coalescing != BL_COALESCE_SECTORS)
        out->sectors = split_sectors(arch, width, lanes, mask, address);
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
    uint32_t phase = base & (turn_bytes(arch, width) - 1);
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
    uint32_t phase = (uint32_t)(base & (far_turn_bytes(arch) - 1));
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

uint32_t bl_access_shared_turn(const struct bl_arch *arch, uint32_t width)
{
    return turn_bytes(arch, width);
}

uint32_t bl_access_global_turn(const struct bl_arch *arch)
{
    return far_turn_bytes(arch);
}
