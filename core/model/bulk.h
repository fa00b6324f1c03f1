/* SPDX-License-Identifier: Apache-2.0
 *
 * bulk.h - what bulk copies share, those of plain bytes and those of a tensor's box. A
 * copy is one lane's; the lanes of a warp carry theirs out one after the other.
 */
#ifndef BL_BULK_H
#define BL_BULK_H

#include "model/decoder.h"
#include "model/exec_memory.h"

/* What an instruction's memory operands are; each has its place in code->mems behind
 * insn->extra, in this order. */
enum bl_bulk_operand {
    BL_BULK_NEAR,   /* shared memory */
    BL_BULK_FAR,    /* global memory, or the tensor map */
    BL_BULK_BARRIER /* of copies into shared memory */
};

/* The address, or offset in shared memory, of one lane's operand. False: not in shared
 * memory, and the fault is worded. */
bool bl_bulk_near(struct bl_warp *warp, const struct bl_insn *in,
                  enum bl_bulk_operand which, uint32_t lane, uint64_t *out);
uint64_t bl_bulk_far(const struct bl_warp *warp, const struct bl_insn *in, uint32_t lane);

/* `bytes` of shared memory at a multiple of `align` are there and, if they are read,
 * written. False: not so, and the fault is worded. */
bool bl_bulk_fits(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                  uint64_t offset, uint64_t bytes, uint32_t align, bool reads);

/* Host memory of `bytes` global ones, or NULL and the fault. */
uint8_t *bl_bulk_global(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                        uint64_t address, uint64_t bytes);

/* The copy has filled `bytes` of shared memory from `offset` on: reports so to the lane's
 * barrier object. */
enum bl_flow bl_bulk_filled(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                            uint64_t offset, uint32_t bytes);
/* The lane has one more copy out of shared memory to wait for, which reads these bytes.
 * False: memory ran out. */
bool bl_bulk_begun(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                   uint64_t offset, uint32_t bytes);
/* The lanes have waited for their copies, but for the last `groups` groups. False: what
 * one of them had to read has changed since, and the fault is worded. */
bool bl_bulk_waited(struct bl_warp *warp, uint32_t mask, uint64_t groups);
/* The same at the end of the warp's block, of copies that nobody waited for. */
bool bl_bulk_ended(struct bl_warp *warp);
/* For a warp's start and release. */
void bl_bulk_forget(struct bl_bulk *bulk);

/* Adds what one lane's copy moved to the instruction's counts. */
void bl_bulk_count(struct bl_warp *warp, const struct bl_insn *in, uint64_t sectors,
                   uint64_t bytes);

/* Decodes the memory operands `near`, `far` and, of a copy into shared memory, `barrier`:
 * indices. */
enum bl_status bl_bulk_operands(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                bool fills, uint32_t near, uint32_t far, uint32_t barrier,
                                struct bl_insn *out, struct bl_error *err);
/* True: into shared memory; false: out of it. BL_E_INPUT: neither. */
enum bl_status bl_bulk_direction(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 bool *fills, struct bl_error *err);

/* exec_tensor.c: cp.async.bulk.tensor. */
bl_decode_fn bl_decode_tensor;
/* exec_bulk.c: cp.async.bulk, all of them. */
bl_decode_fn bl_decode_bulk;

#endif
