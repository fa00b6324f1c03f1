/* SPDX-License-Identifier: Apache-2.0
 *
 * access_space.c - a load or store: its lanes' addresses, and which space they are in.
 * The spaces: access_shared.c, access_global.c, access_own.c.
 */
#include "model/exec_memory.h"

void bl_access_addresses(const struct bl_warp *warp, const struct bl_mem_op *op,
                         uint64_t address[BL_LANES])
{
    uint64_t disp = (uint64_t)op->disp + (op->in_locals ? warp->local_at : 0);
    if (op->address == BL_NO_SLOT) {
        for (int l = 0; l < BL_LANES; l++)
            address[l] = disp;
    } else if (op->address64) {
        const uint64_t *base = BL_SLOT(const uint64_t, warp->frame, op->address);
        for (int l = 0; l < BL_LANES; l++)
            address[l] = base[l] + disp;
    } else {
        const uint32_t *base = BL_SLOT(const uint32_t, warp->frame, op->address);
        for (int l = 0; l < BL_LANES; l++)
            address[l] = (uint32_t)(base[l] + (uint32_t)disp);
    }
}

/* A space's own step: addresses, then lanes. */
#define STEP(space)                                                                      \
    static enum bl_flow step_##space(struct bl_warp *warp, const struct bl_insn *in,     \
                                     uint32_t mask)                                      \
    {                                                                                    \
        const struct bl_mem_op *op = &warp->code->mems[in->extra];                       \
        uint64_t address[BL_LANES];                                                      \
        bl_access_addresses(warp, op, address);                                          \
        return bl_access_##space##_lanes(warp, in, op, mask, address);                   \
    }

STEP(shared)
STEP(global)
STEP(local)
STEP(const)
STEP(param)

/* The lanes of `mask` whose address is in `window`; own[l] becomes the space's form. */
static uint32_t lanes_in(uint32_t mask, enum bl_window window,
                         const uint64_t address[BL_LANES], uint64_t own[BL_LANES])
{
    uint32_t in = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (address[l] >> BL_WINDOW_SHIFT == window) {
            own[l] = address[l] - bl_window_base(window);
            in |= m & -m;
        }
    }
    return in;
}

typedef enum bl_flow lanes_fn(struct bl_warp *warp, const struct bl_insn *in,
                              const struct bl_mem_op *op, uint32_t mask,
                              const uint64_t address[BL_LANES]);

/* Lanes of a generic access may point to different spaces: one after the other. */
static enum bl_flow step_generic(struct bl_warp *warp, const struct bl_insn *in,
                                 uint32_t mask)
{
    static const struct {
        enum bl_window window;
        lanes_fn *access;
    } windows[] = {{BL_WINDOW_SHARED, bl_access_shared_lanes},
                   {BL_WINDOW_LOCAL, bl_access_local_lanes},
                   {BL_WINDOW_PARAM, bl_access_param_lanes},
                   {BL_WINDOW_CONST, bl_access_const_lanes}};
    const struct bl_mem_op *op = &warp->code->mems[in->extra];
    uint64_t address[BL_LANES], own[BL_LANES];
    bl_access_addresses(warp, op, address);
    for (size_t w = 0; w < sizeof windows / sizeof *windows && mask; w++) {
        uint32_t lanes = lanes_in(mask, windows[w].window, address, own);
        if (lanes && windows[w].access(warp, in, op, lanes, own) == BL_FLOW_FAULT)
            return BL_FLOW_FAULT;
        mask &= ~lanes;
    }
    return mask ? bl_access_global_lanes(warp, in, op, mask, address) : BL_FLOW_NEXT;
}

bl_step_fn *bl_access_step(enum bl_ptx_space space)
{
    switch (space) {
    case BL_SPACE_GLOBAL: return step_global;
    case BL_SPACE_SHARED: return step_shared;
    case BL_SPACE_LOCAL: return step_local;
    case BL_SPACE_CONST: return step_const;
    case BL_SPACE_PARAM: return step_param;
    default: return step_generic;
    }
}
