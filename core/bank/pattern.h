/* SPDX-License-Identifier: Apache-2.0
 *
 * pattern.h - an access as one writes it, an address as an expression in the thread's
 * place, and the lanes' addresses that come of it.
 */
#ifndef BL_BANK_PATTERN_H
#define BL_BANK_PATTERN_H

#include "model/access.h"

/* ---- what is accessed, but for the address --------------------------------------------
 */

struct bl_access_form {
    bool is_store, is_global; /* else a load; of shared memory */
    uint32_t width;           /* bytes a lane: 1, 2, 4, 8, 16; global memory: 32 too */
    uint32_t block[3];        /* threads */
    uint32_t mask;            /* the lanes of each warp that take part */
};

/* Each reads one word of it; BL_E_INPUT, with what would be right, leaves *form as it
 * was. Op: "load" or "store". Space: "shared" or "global". Block: "256", "16x16",
 * "8x8x4". Mask: hexadecimal, with or without 0x. */
enum bl_status bl_form_set_op(struct bl_access_form *form, const char *text,
                              struct bl_error *err);
enum bl_status bl_form_set_space(struct bl_access_form *form, const char *text,
                                 struct bl_error *err);
enum bl_status bl_form_set_width(struct bl_access_form *form, const char *text,
                                 struct bl_error *err);
enum bl_status bl_form_set_block(struct bl_access_form *form, const char *text,
                                 struct bl_error *err);
enum bl_status bl_form_set_mask(struct bl_access_form *form, const char *text,
                                struct bl_error *err);

/* What one word doesn't tell: the width is one of the space's, and the arch can have such
 * a block. */
enum bl_status bl_form_check(const struct bl_access_form *form,
                             const struct bl_arch *arch, struct bl_error *err);

uint32_t bl_form_threads(const struct bl_access_form *form);
uint32_t bl_form_warps(const struct bl_access_form *form); /* the last may be partial */

/* ---- names with values
 * ------------------------------------------------------------------ */

enum { BL_CONSTANTS_MAX = 64 };

/* All zero has none. */
struct bl_constants {
    size_t count;
    char *names[BL_CONSTANTS_MAX];
    int64_t values[BL_CONSTANTS_MAX];
};

/* "NAME=EXPR": EXPR may use the constants that are there already. A name that an address
 * has anyway, or a second value for one, is BL_E_INPUT. */
enum bl_status bl_constants_add(struct bl_constants *constants, const char *text,
                                struct bl_error *err);
void bl_constants_free(struct bl_constants *constants);

/* ---- addresses
 * ------------------------------------------------------------------------------ */

/* A byte address as an expression (expr/expr.h) in
 *     t            the thread's number in its block: tx + bx * (ty + by * tz)
 *     tx ty tz     its place in the block; also threadIdx.x, .y, .z
 *     bx by bz     the block's dimensions; also blockDim.x, .y, .z
 *     warp lane    t / 32 and t % 32
 * and in constants. */
struct bl_address;

/* *out is fresh; the caller ends with bl_address_free. */
enum bl_status bl_address_read(const char *text, const struct bl_constants *constants,
                               struct bl_address **out, struct bl_error *err);
void bl_address_free(struct bl_address *address);
const char *bl_address_text(const struct bl_address *address);
/* Whether the constant of this index stands in it. */
bool bl_address_uses(const struct bl_address *address, size_t constant);
/* Whether it has a name that only a block of several dimensions gives a meaning to. */
bool bl_address_needs_shape(const struct bl_address *address);

struct bl_warp_lanes {
    uint32_t mask; /* 0: no lane takes part */
    uint64_t address[32];
};

/* What warp `warp` (below bl_form_warps) accesses where the constants have `values`,
 * which need not be those that the address was read with. Lanes beyond the block's
 * threads, and those not in form->mask, take no part and have address 0. BL_E_INPUT: the
 * expression has no value there, or it is negative, not a multiple of the width, or (in
 * shared memory) 2^32 or more; the lane is named. */
enum bl_status bl_address_lanes(const struct bl_address *address,
                                const struct bl_access_form *form, const int64_t *values,
                                uint32_t warp, struct bl_warp_lanes *out,
                                struct bl_error *err);

/* The same check for addresses from elsewhere. */
enum bl_status bl_lanes_check(const struct bl_access_form *form,
                              const struct bl_warp_lanes *lanes, struct bl_error *err);

/* ---- costs
 * ---------------------------------------------------------------------------------- */

/* Of one warp's access, or summed over several by bl_cost_add. Only what belongs to the
 * form's space is filled, the other is 0. */
struct bl_warp_cost {
    struct bl_shared_cost shared;
    struct bl_global_cost global;
};

/* By the arch's rules; all 0 where no lane takes part. */
void bl_lanes_cost(const struct bl_arch *arch, const struct bl_access_form *form,
                   const struct bl_warp_lanes *lanes, struct bl_warp_cost *out);
/* Adds `more` to `sum`: every count; of `ways` the greater is kept. */
void bl_cost_add(struct bl_warp_cost *sum, const struct bl_warp_cost *more);

#endif
