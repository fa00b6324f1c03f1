/* SPDX-License-Identifier: Apache-2.0
 *
 * access_special.c - the rules of what is more than a load or a store: matrices, atomics,
 * asynchronous copies.
 */
#include <string.h>

#include "model/access.h"

enum { LANES = 32 };

static inline uint32_t log2_of(uint32_t power_of_two)
{
    return (uint32_t)__builtin_ctz(power_of_two);
}

static inline uint32_t at_least(uint32_t value, uint32_t least)
{
    return value > least ? value : least;
}

/* The lanes of each phase. */
struct phases {
    uint32_t count, lanes;
};

static struct phases phases_of(const struct bl_arch *arch, uint32_t width)
{
    uint32_t lanes = arch->phase_lanes[log2_of(width)];
    return (struct phases){LANES / lanes, lanes};
}

static uint32_t phase_mask(struct phases phases, uint32_t i)
{
    uint32_t all = phases.lanes == LANES ? UINT32_MAX : (UINT32_C(1) << phases.lanes) - 1;
    return all << i * phases.lanes;
}

/* A lane's place in the row of banks, in units of its width (or a bank's). */
struct row {
    uint32_t unit_log2, mask;
};

static struct row row_of(const struct bl_arch *arch, uint32_t width)
{
    uint32_t unit = width > arch->bank_bytes ? width : arch->bank_bytes;
    return (struct row){log2_of(unit), arch->banks * arch->bank_bytes / unit - 1};
}

static uint32_t place_of(struct row row, uint64_t address)
{
    return (uint32_t)(address >> row.unit_log2) & row.mask;
}

/* ---- matrices ------------------------------------------------------------------------
 */

/* Rows go as 16-byte stores do, which never merge; the matrices that are not there have
 * no beats. */
void bl_access_matrix(const struct bl_arch *arch, uint32_t rows,
                      const uint32_t address[32], struct bl_shared_cost *out)
{
    uint32_t mask = rows == LANES ? UINT32_MAX : (UINT32_C(1) << rows) - 1;
    bl_access_shared(arch, true, 16, mask, address, out);
    out->phases = rows / 8;
    out->cycles = at_least(out->wavefronts, out->phases) * arch->wavefront_cycles;
}

/* ---- atomics -------------------------------------------------------------------------
 */

/* The most lanes of `mask` (not 0) in one bank. */
static uint32_t most_in_a_bank(struct row row, uint32_t mask,
                               const uint32_t address[LANES])
{
    uint8_t lanes[LANES] = {0};
    uint32_t most = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t n = ++lanes[place_of(row, address[__builtin_ctz(mask)])];
        most = at_least(n, most);
    }
    return most;
}

static void one_atomic(const struct bl_arch *arch, uint32_t passes, uint32_t width,
                       uint32_t mask, const uint32_t address[LANES],
                       struct bl_shared_cost *out)
{
    struct phases phases = phases_of(arch, width);
    struct row row = row_of(arch, width);
    uint32_t turns = 0, active = 0, ways = 0;
    for (uint32_t i = 0; i < phases.count; i++) {
        uint32_t lanes = mask & phase_mask(phases, i), n;
        if (lanes == 0)
            continue;
        n = most_in_a_bank(row, lanes, address);
        turns += n;
        ways = at_least(n, ways);
        active++;
    }
    *out = (struct bl_shared_cost){.phases = passes * phases.count,
                                   .ideal = passes * active,
                                   .wavefronts = passes * turns,
                                   .conflicts = turns - active,
                                   .ways = ways,
                                   .cycles = passes * at_least(turns, phases.count)};
}

/* The lanes of `left` whose compare-and-swap succeeds: of each bank's, in each phase, the
 * first one tries; it fails if an earlier phase has changed its word since it was
 * loaded. */
static uint32_t winners(struct phases phases, struct row row, uint32_t left,
                        const uint32_t address[LANES])
{
    uint32_t won = 0;
    for (uint32_t i = 0; i < phases.count; i++) {
        uint32_t tried[LANES] = {0}, before = won;
        for (uint32_t m = left & phase_mask(phases, i); m != 0; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m), place = place_of(row, address[l]);
            bool stale = false;
            if (tried[place])
                continue;
            tried[place] = 1;
            for (uint32_t b = before; b != 0 && !stale; b &= b - 1)
                stale = address[__builtin_ctz(b)] == address[l];
            if (!stale)
                won |= UINT32_C(1) << l;
        }
    }
    return won;
}

static void add_cost(struct bl_shared_cost *to, const struct bl_shared_cost *from)
{
    to->phases += from->phases;
    to->ideal += from->ideal;
    to->wavefronts += from->wavefronts;
    to->conflicts += from->conflicts;
    to->cycles += from->cycles;
    to->ways = at_least(from->ways, to->ways);
}

/* What a round's compare-and-swap costs: two passes for each phase with a lane left. */
static struct bl_shared_cost swap_cost(struct phases phases, uint32_t left)
{
    struct bl_shared_cost cost = {
        .phases = 2 * phases.count, .ways = 1, .cycles = 2 * phases.count};
    for (uint32_t i = 0; i < phases.count; i++)
        cost.ideal += (left & phase_mask(phases, i)) != 0 ? 2 : 0;
    cost.wavefronts = cost.ideal;
    return cost;
}

static void loop(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                 const uint32_t address[LANES], struct bl_atomic_cost *out)
{
    struct phases phases = phases_of(arch, width);
    struct row row = row_of(arch, width);
    memset(out, 0, sizeof *out);
    while (mask != 0) {
        struct bl_shared_cost load, swap = swap_cost(phases, mask);
        bl_access_shared(arch, false, width, mask, address, &load);
        add_cost(&out->load, &load);
        add_cost(&out->atomic, &swap);
        out->rounds++;
        mask &= ~winners(phases, row, mask, address);
    }
}

void bl_access_atomic(const struct bl_arch *arch, enum bl_atomic_form form,
                      uint32_t width, uint32_t mask, const uint32_t address[32],
                      struct bl_atomic_cost *out)
{
    struct bl_atomic_cost cost = {.rounds = 1};
    if (form == BL_ATOMIC_LOOP)
        loop(arch, width, mask, address, &cost);
    else
        one_atomic(arch, form == BL_ATOMIC_CAS ? 2 : 1, width, mask, address,
                   &cost.atomic);
    *out = cost;
}

/* ---- asynchronous copies -------------------------------------------------------------
 */

/* The most lanes of `mask` in one bank of the cache that they read from. */
static uint32_t most_at_source(struct row row, uint32_t mask, const uint64_t far[LANES])
{
    uint32_t low[LANES] = {0};
    for (uint32_t m = mask; m != 0; m &= m - 1)
        low[__builtin_ctz(m)] = (uint32_t)far[__builtin_ctz(m)];
    return most_in_a_bank(row, mask, low);
}

enum {
    LINE = 128, /* bytes of a line of the cache */
    /* Four lines that are neighbours, aligned, are looked up at once. Others may be
     * looked up one after another, by a rule that is not known, and what lies in one
     * phase then comes in several. */
    LINES_AT_ONCE = 4 * LINE
};

/* Whether all sources lie in one aligned block of so many bytes. */
static bool together(uint64_t bytes, uint32_t mask, const uint64_t far[LANES])
{
    uint64_t first = far[__builtin_ctz(mask)] / bytes;
    for (; mask != 0; mask &= mask - 1)
        if (far[__builtin_ctz(mask)] / bytes != first)
            return false;
    return true;
}

void bl_access_async(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                     const uint32_t near[32], const uint64_t far[32],
                     struct bl_async_cost *out)
{
    struct phases phases = phases_of(arch, width);
    struct row row = row_of(arch, width);
    struct bl_async_cost cost = {.exact = true};
    bool at_once = together(LINES_AT_ONCE, mask, far);
    cost.shared.phases = phases.count;
    for (uint32_t i = 0; i < phases.count; i++) {
        uint32_t lanes = mask & phase_mask(phases, i), to, from, n;
        if (lanes == 0)
            continue;
        to = most_in_a_bank(row, lanes, near);
        from = most_at_source(row, lanes, far);
        n = at_least(to, from);
        cost.shared.wavefronts += n;
        cost.shared.ways = at_least(n, cost.shared.ways);
        cost.shared.ideal++;
        if ((to > 1 && from > 1) || !(at_once || together(LINE, lanes, far)))
            cost.exact = false;
    }
    cost.shared.conflicts = cost.shared.wavefronts - cost.shared.ideal;
    cost.shared.cycles =
        at_least(cost.shared.wavefronts, phases.count) * arch->wavefront_cycles;
    *out = cost;
}
