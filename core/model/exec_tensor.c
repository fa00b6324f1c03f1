/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_tensor.c - cp.async.bulk.tensor: copies of a box of one matrix or several, tile
 * mode. A box's rows are those of its first matrix, then those of the next.
 *
 * Of what lies outside of the tensor, nothing is read or written: a copy into shared
 * memory puts zeros there, and reports all bytes of the box to its mbarrier.
 */
#include <inttypes.h>
#include <string.h>

#include "model/bulk.h"
#include "model/fault.h"
#include "model/tensor.h"

/* One lane's copy. */
struct box {
    struct bl_tensor tensor;
    int64_t at[3];      /* its first element */
    uint64_t near;      /* in shared memory */
    uint32_t rows;      /* of the box, in all its matrices */
    uint32_t row_bytes; /* of the box */
    uint32_t bytes;
};

/* Dimensions that the instruction has coordinates for. */
static uint32_t rank_of(const struct bl_insn *in)
{
    return in->e == BL_NO_SLOT ? 2 : 3;
}

/* The map is in the kernel's parameters: anywhere else a GPU would want fences. */
static bool read_map(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                     struct bl_tensor *out)
{
    const uint64_t address = bl_bulk_far(warp, in, lane);
    const uint64_t at = address - bl_window_base(BL_WINDOW_PARAM);
    const struct bl_launch_state *launch = warp->block->launch;
    const struct bl_code *kernel = launch->image->codes[launch->image->kernel->order];
    if (address >> BL_WINDOW_SHIFT != BL_WINDOW_PARAM) {
        bl_fault(warp, in, (int)lane,
                 "the tensor map must be a parameter of the kernel (const "
                 "__grid_constant__) whose generic address is given");
        return false;
    }
    if (at % BL_TENSOR_ALIGN) {
        bl_access_misaligned(warp, in, "tensor map", BL_TENSOR_ALIGN, lane, at,
                             "parameter");
        return false;
    }
    if (at + BL_TENSOR_BYTES > kernel->uniform_end ||
        !bl_tensor_decode(launch->params + at, out)) {
        bl_fault(warp, in, (int)lane, "no tensor map at parameter memory + %" PRIu64, at);
        return false;
    }
    if (rank_of(in) != (out->dims[2] ? 3 : 2)) {
        bl_fault(warp, in, (int)lane,
                 "a copy by %" PRIu32 " coordinates, and a tensor map of %d dimensions",
                 rank_of(in), out->dims[2] ? 3 : 2);
        return false;
    }
    return true;
}

static bool find_box(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                     bool reads, struct box *box)
{
    const struct bl_tensor *t = &box->tensor;
    const char *rule = "";
    uint32_t align = BL_TENSOR_PLACE;
    if (!read_map(warp, in, lane, &box->tensor) ||
        !bl_bulk_near(warp, in, BL_BULK_NEAR, lane, &box->near))
        return false;
    box->at[0] = BL_SLOT(const int32_t, warp->frame, in->b)[lane];
    box->at[1] = BL_SLOT(const int32_t, warp->frame, in->c)[lane];
    box->at[2] =
        in->e == BL_NO_SLOT ? 0 : BL_SLOT(const int32_t, warp->frame, in->e)[lane];
    box->row_bytes = t->box[0] * t->elem;
    box->rows = t->box[1] * (t->dims[2] ? t->box[2] : 1);
    box->bytes = box->row_bytes * box->rows;
    if (box->near % BL_TENSOR_PLACE == 0 && box->near % bl_tensor_repeat(t->swizzle)) {
        align = bl_tensor_repeat(t->swizzle);
        rule = ", where the swizzle's pattern starts";
    }
    if (box->near % align) {
        bl_fault(warp, in, (int)lane,
                 "misaligned: a tensor's box at shared address 0x%" PRIx64
                 ", which must be a multiple of %" PRIu32 "%s",
                 box->near, align, rule);
        return false;
    }
    return bl_bulk_fits(warp, in, lane, box->near, box->bytes, align, reads);
}

/* The part of a row that is inside of the tensor, in bytes of the row, and the address of
 * its first byte. False: none. */
static bool inside(const struct box *box, uint32_t row, uint32_t *from, uint32_t *end,
                   uint64_t *far)
{
    const struct bl_tensor *t = &box->tensor;
    const int64_t y = box->at[1] + row % t->box[1], z = box->at[2] + row / t->box[1];
    const int64_t matrices = t->dims[2] ? (int64_t)t->dims[2] : 1;
    int64_t first = box->at[0] < 0 ? -box->at[0] : 0;
    int64_t last = (int64_t)t->dims[0] - box->at[0];
    if (y < 0 || y >= (int64_t)t->dims[1] || z < 0 || z >= matrices)
        return false;
    if (last > t->box[0])
        last = t->box[0];
    if (first >= last)
        return false;
    *from = (uint32_t)first * t->elem;
    *end = (uint32_t)last * t->elem;
    *far = t->address + (uint64_t)z * t->strides[1] + (uint64_t)y * t->strides[0] +
           (uint64_t)(box->at[0] * t->elem + *from);
    return true;
}

/* Between a row as it lies in global memory and its places in shared memory, in pieces
 * that a swizzle leaves together. */
static void move_row(uint8_t *shared, const struct box *box, uint32_t row, uint32_t from,
                     uint32_t end, uint8_t *host, bool fills)
{
    const uint64_t start = box->near + (uint64_t)row * box->row_bytes;
    uint32_t next;
    for (uint32_t at = from; at < end; at = next) {
        uint8_t *near = shared + bl_tensor_swizzled(box->tensor.swizzle, start + at);
        next = (at / 16 + 1) * 16;
        if (next > end)
            next = end;
        if (!host)
            memset(near, 0, next - at);
        else if (fills)
            memcpy(near, host + (at - from), next - at);
        else
            memcpy(host + (at - from), near, next - at);
    }
}

static bool move_box(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                     const struct box *box, bool fills)
{
    const uint32_t sector = warp->block->launch->arch->sector_bytes;
    uint8_t *shared = warp->block->shared, *host;
    uint64_t sectors = 0, bytes = 0, last = 0;
    for (uint32_t row = 0; row < box->rows; row++) {
        uint32_t from = 0, end = 0;
        uint64_t far = 0;
        if (fills)
            move_row(shared, box, row, 0, box->row_bytes, NULL, true);
        if (!inside(box, row, &from, &end, &far))
            continue;
        if (!(host = bl_bulk_global(warp, in, lane, far, end - from)))
            return false;
        move_row(shared, box, row, from, end, host, fills);
        /* Neighbouring rows may share a sector: it is counted once. */
        sectors += (far + end - from - 1) / sector - far / sector +
                   (bytes == 0 || far / sector != last);
        last = (far + end - from - 1) / sector;
        bytes += end - from;
    }
    bl_bulk_count(warp, in, sectors, bytes);
    return true;
}

static enum bl_flow step_tensor(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask)
{
    const uint32_t site = warp->code->mems[in->extra + BL_BULK_FAR].site;
    const bool fills = in->flag != 0;
    warp->block->sites[site].global.executions++;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        struct box box;
        if (!find_box(warp, in, l, !fills, &box) || !move_box(warp, in, l, &box, fills))
            return BL_FLOW_FAULT;
        if (fills ? bl_bulk_filled(warp, in, l, box.near, box.bytes) != BL_FLOW_NEXT
                  : !bl_bulk_begun(warp, in, l, box.near, box.bytes))
            return BL_FLOW_FAULT;
    }
    return BL_FLOW_NEXT;
}

static enum bl_status coordinates(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  const struct bl_ptx_operand *place, uint32_t rank,
                                  struct bl_insn *out, struct bl_error *err)
{
    uint32_t *const slots[] = {&out->b, &out->c, &out->e};
    enum bl_status st = BL_OK;
    if (place->kind != BL_OPND_VEC || place->count != rank)
        return bl_dec_unknown(dec, src,
                              rank == 2 ? "needs two coordinates, [map, {x, y}]"
                                        : "needs three coordinates, [map, {x, y, z}]",
                              err);
    for (uint32_t i = 0; i < rank && st == BL_OK; i++)
        st = bl_dec_source_of(dec, src, &place->list[i], BL_T_S32, false, slots[i], err);
    return st;
}

enum bl_status bl_decode_tensor(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"async",
                                        "bulk",
                                        "tensor",
                                        "2d",
                                        "3d",
                                        "tile",
                                        "global",
                                        "shared::cta",
                                        "shared::cluster",
                                        "bulk_group",
                                        "L2::cache_hint",
                                        "mbarrier::complete_tx::bytes",
                                        NULL};
    const uint32_t hints = bl_dec_has(src, "L2::cache_hint") ? 1 : 0;
    const uint32_t rank = bl_dec_has(src, "3d") ? 3 : 2;
    bool fills = false;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK && rank == 2 && !bl_dec_has(src, "2d"))
        st = bl_dec_unknown(dec, src, "is known with .2d and .3d only", err);
    if (st == BL_OK)
        st = bl_bulk_direction(dec, src, &fills, err);
    if (st == BL_OK)
        st =
            bl_dec_count(dec, src, (fills ? 4 : 3) + hints, (fills ? 4 : 3) + hints, err);
    if (st)
        return st;
    /* [near], [map, {x, y}], [barrier], or [map, {x, y}], [near] */
    st = coordinates(dec, src, &src->operands[fills ? 2 : 1], rank, out, err);
    if (st == BL_OK)
        st = bl_bulk_operands(dec, src, fills, fills ? 0 : 2, fills ? 1 : 0, 3, out, err);
    out->step = step_tensor;
    return st;
}
