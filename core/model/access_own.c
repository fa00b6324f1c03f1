/* SPDX-License-Identifier: Apache-2.0
 *
 * access_own.c - what a lane has for itself (local memory, the parameters of functions)
 * and what never changes (constant memory, a kernel's parameters). None is counted.
 */
#include <inttypes.h>

#include "model/exec_memory.h"
#include "model/fault.h"

/* The fault of the first lane that is not within `bytes` or not aligned. */
static enum bl_flow fault(struct bl_warp *warp, const struct bl_insn *in,
                          const struct bl_mem_op *op, uint32_t mask,
                          const uint64_t address[BL_LANES], uint64_t bytes,
                          const char *space, const char *owner)
{
    const char *what = op->is_store ? "store" : "load";
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (bytes < op->width || address[l] > bytes - op->width)
            return bl_fault(warp, in, (int)l,
                            "out of bounds: %s of %" PRIu32
                            " bytes at %s memory + %" PRIu64 " (%s has %" PRIu64
                            " bytes)",
                            what, op->width, space, address[l], owner, bytes);
        if (address[l] & (op->width - 1))
            return bl_access_misaligned(warp, in, what, op->width, l, address[l], space);
    }
    return BL_FLOW_NEXT;
}

enum bl_flow bl_access_local_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                   const struct bl_mem_op *op, uint32_t mask,
                                   const uint64_t address[BL_LANES])
{
    uint64_t bytes = warp->local_at + warp->code->local_bytes, offset[BL_LANES];
    if (!bl_access_fits(address, 0, bytes, op->width, mask, offset))
        return fault(warp, in, op, mask, address, bytes, "local", "the thread");
    if (op->is_store)
        bl_lanes_store_own(warp->frame, op, warp->local, offset, mask);
    else
        bl_lanes_load_own(warp->frame, op, warp->local, offset, mask);
    return BL_FLOW_NEXT;
}

static enum bl_flow refuse_store(struct bl_warp *warp, const struct bl_insn *in,
                                 uint32_t mask, const char *where)
{
    return bl_fault(warp, in, __builtin_ctz(mask), "store to %s, which is read-only",
                    where);
}

enum bl_flow bl_access_const_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                   const struct bl_mem_op *op, uint32_t mask,
                                   const uint64_t address[BL_LANES])
{
    const struct bl_program *program = warp->block->launch->image->program;
    uint64_t offset[BL_LANES];
    if (op->is_store)
        return refuse_store(warp, in, mask, "constant memory");
    if (!bl_access_fits(address, 0, program->const_bytes, op->width, mask, offset))
        return fault(warp, in, op, mask, address, program->const_bytes, "constant",
                     "the module");
    bl_lanes_load(warp->frame, op, program->consts, offset, mask);
    return BL_FLOW_NEXT;
}

/* Addresses below uniform_bytes are the kernel's parameters, the same for all lanes;
 * the rest is the running function's parameter area. */
enum bl_flow bl_access_param_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                   const struct bl_mem_op *op, uint32_t mask,
                                   const uint64_t address[BL_LANES])
{
    const struct bl_code *code = warp->code;
    const struct bl_launch_state *launch = warp->block->launch;
    /* A generic address means the kernel's, from any function. */
    const struct bl_code *kernel =
        op->space == BL_SPACE_PARAM ? code : warp->calls[0].code;
    uint64_t uniform = kernel->uniform_bytes, offset[BL_LANES];
    if (bl_access_fits(address, 0, kernel->uniform_end, op->width, mask, offset)) {
        if (op->is_store)
            return refuse_store(warp, in, mask, "a kernel's parameter");
        bl_lanes_load(warp->frame, op, launch->params, offset, mask);
        return BL_FLOW_NEXT;
    }
    if (!bl_access_fits(address, uniform, code->param_bytes, op->width, mask, offset))
        return fault(warp, in, op, mask, address,
                     code->param_bytes ? uniform + code->param_bytes
                                       : kernel->uniform_end,
                     "parameter", "the function");
    if (op->is_store)
        bl_lanes_store_own(warp->frame, op, warp->frame + code->param_at, offset, mask);
    else
        bl_lanes_load_own(warp->frame, op, warp->frame + code->param_at, offset, mask);
    return BL_FLOW_NEXT;
}
