/* SPDX-License-Identifier: Apache-2.0
 *
 * access.h - what one warp's memory instruction costs: phases, wavefronts, conflicts,
 * cycles of the data stage; sectors. Pure functions of lanes' addresses.
 *
 * The rules are those of doc/model.md with the numbers of an arch file: measured on an
 * NVIDIA H200 (t/data), and as the vendor documents them for other generations.
 */
#ifndef BL_ACCESS_H
#define BL_ACCESS_H

#include "model/arch.h"

struct bl_shared_cost {
    uint32_t phases;     /* after merging, empty ones too */
    uint32_t ideal;      /* phases with an active lane */
    uint32_t wavefronts; /* sum over phases of the worst bank's distinct words */
    uint32_t conflicts;  /* wavefronts - ideal */
    uint32_t ways;       /* worst phase's wavefronts */
    uint32_t cycles;     /* max(write-back beats, wavefronts), in clock cycles */
    /* The numbers above are the most. Of loads and stores, where bl_arch_is_open; else
     * as above, and of the rest 0. */
    uint32_t wavefronts_least, ways_least;
};

struct bl_global_cost {
    uint32_t sectors; /* distinct sectors touched, of each request */
    uint32_t ideal;   /* distinct bytes over sector size, rounded up */
};

/* `address[l]` is lane l's byte address, aligned to `width` (1, 2, 4, 8, 16; global
 * memory 32 too), for the lanes in `mask` (not 0); what the others hold doesn't
 * matter. */
void bl_access_shared(const struct bl_arch *arch, bool is_store, uint32_t width,
                      uint32_t mask, const uint32_t address[32],
                      struct bl_shared_cost *out);
void bl_access_global(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                      const uint64_t address[32], struct bl_global_cost *out);

/* ldmatrix and stmatrix: each 8 lanes' addresses are the rows of one matrix, 16 bytes
 * each. `rows` is 8, 16 or 32; the addresses of further lanes don't matter. */
void bl_access_matrix(const struct bl_arch *arch, uint32_t rows,
                      const uint32_t address[32], struct bl_shared_cost *out);

/* How the machine does an atomic of shared memory. */
enum bl_atomic_form {
    BL_ATOMIC_UNKNOWN, /* not measured */
    BL_ATOMIC_ALU,     /* one instruction: add, min, inc, exch, ... of 32 bits */
    BL_ATOMIC_CAS,     /* one instruction: cas, in two passes: read, then write */
    BL_ATOMIC_LOOP     /* none: rounds of a load and a cas, until every lane has had its
                          turn: add of f32, f16x2, u64, f64 */
};

struct bl_atomic_cost {
    uint32_t rounds;              /* instructions of each kind */
    struct bl_shared_cost atomic; /* of all rounds; conflicts as the profiler counts */
    struct bl_shared_cost load;   /* a loop's loads; else all 0 */
};

/* Lanes at one address wait for each other as those in one bank do. `form` is not
 * BL_ATOMIC_UNKNOWN, `width` is 4 or 8. A loop's rounds are those of updates that change
 * the word: one of 8 bytes that does not may save a round. */
void bl_access_atomic(const struct bl_arch *arch, enum bl_atomic_form form,
                      uint32_t width, uint32_t mask, const uint32_t address[32],
                      struct bl_atomic_cost *out);

/* The shared side of cp.async.ca: `width` bytes (4, 8, 16) from far[l] to near[l]. Lanes
 * wait for each other that read from one bank or write to one. Where `exact` is false the
 * machine may need more wavefronts, for lanes that meet on both sides or whose sources
 * lie far from each other (doc/model.md). */
struct bl_async_cost {
    struct bl_shared_cost shared;
    bool exact;
};
void bl_access_async(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                     const uint32_t near[32], const uint64_t far[32],
                     struct bl_async_cost *out);

/* One remembered pattern: if kind, mask, width and the lanes' distances from the first
 * active lane are as before, and that lane's address is as far into its unit as before
 * (shared: the wider of access and bank, or all rows that a wavefront reaches; global:
 * the sector, or what a sequence is aligned to), the cost is as before: moving all lanes
 * by whole units turns the banks round and changes no count. One memo an instruction and
 * worker makes a loop's cost a compare. All zero is empty. */
enum bl_access_kind {
    BL_ACCESS_NONE,
    BL_ACCESS_SHARED_LOAD,
    BL_ACCESS_SHARED_STORE,
    BL_ACCESS_GLOBAL
};
struct bl_access_memo {
    enum bl_access_kind kind;
    uint32_t mask, width, phase; /* phase: the first address modulo the unit */
    union {
        uint32_t near[32];
        uint64_t far[32];
    } delta;
    union {
        struct bl_shared_cost shared;
        struct bl_global_cost global;
    } cost;
};

/* All lanes can be moved by multiples of so many bytes, a power of two, without a change
 * of what a load or store costs. */
uint32_t bl_access_shared_turn(const struct bl_arch *arch, uint32_t width);
uint32_t bl_access_global_turn(const struct bl_arch *arch);

/* As the functions above, through a memo that was only used with the same arch. */
void bl_access_shared_memo(struct bl_access_memo *memo, const struct bl_arch *arch,
                           bool is_store, uint32_t width, uint32_t mask,
                           const uint32_t address[32], struct bl_shared_cost *out);
void bl_access_global_memo(struct bl_access_memo *memo, const struct bl_arch *arch,
                           uint32_t width, uint32_t mask, const uint64_t address[32],
                           struct bl_global_cost *out);

#endif
