/* SPDX-License-Identifier: Apache-2.0
 *
 * plan_tensors.c - the tensors of a plan against the ABI's rules, and their buffers.
 */
#include <inttypes.h>

#include "work/buffers.h"
#include "work/device.h"

enum { TENSOR_MAPS_CC = 90, BOX_MOST = 256, PIECE = 16 };
#define DIM_MOST    (UINT64_C(1) << 32)
#define STRIDE_MOST (UINT64_C(1) << 40)

struct subject {
    const struct bl_plugin *plugin;
    uint32_t index; /* of the tensor */
    const struct banklab_tensor *tensor;
    struct bl_error *err;
};

#define REFUSE(s, format, ...)                                                           \
    bl_error_at((s)->err, BL_E_INPUT, (s)->plugin->path, 0,                              \
                "plan: tensor %" PRIu32 ": " format, (s)->index, __VA_ARGS__)

/* Dimensions; those beyond are all 0. */
static int rank_of(const struct banklab_tensor *t)
{
    return t->dims[2] ? 3 : 2;
}

static enum bl_status check_stride(const struct subject *s, uint64_t stride)
{
    if (stride % PIECE || stride >= STRIDE_MOST)
        return REFUSE(s,
                      "stride %" PRIu64 "; it must be a multiple of %d below 2^40 bytes",
                      stride, PIECE);
    return BL_OK;
}

static enum bl_status check_strides(const struct subject *s)
{
    const struct banklab_tensor *t = s->tensor;
    const uint64_t row = t->strides[0], matrix = t->strides[1];

    if (check_stride(s, row) != BL_OK || check_stride(s, matrix) != BL_OK)
        return BL_E_INPUT;
    if (row < t->dims[0] * t->elem)
        return REFUSE(s, "stride %" PRIu64 " is shorter than a row of %" PRIu64 " bytes",
                      row, t->dims[0] * t->elem);
    if (rank_of(t) == 3 && (matrix % row || matrix / row < t->dims[1]))
        return REFUSE(s,
                      "from matrix to matrix %" PRIu64 " bytes; it must be a multiple of "
                      "the %" PRIu64 " from row to row, and %" PRIu64 " of them at least",
                      matrix, row, t->dims[1]);
    if (rank_of(t) == 2 && (matrix || t->box[2]))
        return REFUSE(s, "%s",
                      "dims[2] = 0 is a matrix, which has no stride and box beyond");
    return BL_OK;
}

static enum bl_status check_matrix(const struct subject *s)
{
    const struct banklab_tensor *t = s->tensor;

    if (t->elem != 1 && t->elem != 2 && t->elem != 4 && t->elem != 8)
        return REFUSE(s, "elements of %" PRIu32 " bytes; they may have 1, 2, 4 or 8",
                      t->elem);
    if (t->offset % PIECE)
        return REFUSE(s, "offset %" PRIu64 " is no multiple of %d", t->offset, PIECE);
    for (int i = 0; i < rank_of(t); i++)
        if (t->dims[i] < 1 || t->dims[i] > DIM_MOST)
            return REFUSE(s, "dims[%d] = %" PRIu64 "; it must be 1 to 2^32", i,
                          t->dims[i]);
    return check_strides(s);
}

static enum bl_status check_box(const struct subject *s)
{
    const struct banklab_tensor *t = s->tensor;
    uint32_t row;

    for (int i = 0; i < rank_of(t); i++)
        if (t->box[i] < 1 || t->box[i] > BOX_MOST)
            return REFUSE(s, "box[%d] = %" PRIu32 "; it must be 1 to %d", i, t->box[i],
                          BOX_MOST);
    row = t->box[0] * t->elem;
    if (row % PIECE)
        return REFUSE(s, "a box %" PRIu32 " bytes wide; it must be a multiple of %d", row,
                      PIECE);
    if (t->swizzle != 0 && t->swizzle != 32 && t->swizzle != 64 && t->swizzle != 128)
        return REFUSE(s, "swizzle %" PRIu32 "; there are 0, 32, 64 and 128", t->swizzle);
    if (t->swizzle && row != t->swizzle)
        return REFUSE(s,
                      "a box %" PRIu32 " bytes wide with a swizzle of %" PRIu32
                      ": it must be as wide",
                      row, t->swizzle);
    if (t->reserved)
        return REFUSE(s, "%s", "its reserved field is not 0");
    return BL_OK;
}

enum bl_status bl_plan_check_tensors(const struct bl_plugin *plugin,
                                     const struct banklab_plan *plan,
                                     const struct bl_device_limits *limits,
                                     struct bl_error *err)
{
    if (plan->tensor_count > BANKLAB_MAX_TENSORS)
        return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                           "plan: %" PRIu32 " tensors, at most %d", plan->tensor_count,
                           BANKLAB_MAX_TENSORS);
    if (plan->reserved1)
        return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                           "plan: a reserved field is not 0");
    if (plan->tensor_count && limits->cc < TENSOR_MAPS_CC)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "tensor maps need compute capability 9.0, this has %" PRIu32
                            ".%" PRIu32,
                            limits->cc / 10, limits->cc % 10);
    for (uint32_t i = 0; i < plan->tensor_count; i++) {
        const struct subject s = {plugin, i, &plan->tensors[i], err};
        enum bl_status status;
        if (!bl_plan_has_role(plan, s.tensor->role))
            return REFUSE(&s, "the plan does not have the buffer %" PRIu32,
                          s.tensor->role);
        status = check_matrix(&s);
        if (!status)
            status = check_box(&s);
        if (status)
            return status;
    }
    return BL_OK;
}

/* Bytes up to the end of the last row of the last matrix. False: too many. */
static bool bytes_of(const struct banklab_tensor *t, uint64_t *out)
{
    const uint64_t matrices = t->dims[2] ? t->dims[2] : 1;
    uint64_t rows, behind;

    return !__builtin_mul_overflow(t->dims[1] - 1, t->strides[0], &rows) &&
           !__builtin_mul_overflow(matrices - 1, t->strides[1], &behind) &&
           !__builtin_add_overflow(rows, behind, out) &&
           !__builtin_add_overflow(*out, t->dims[0] * t->elem, out) &&
           !__builtin_add_overflow(*out, t->offset, out);
}

enum bl_status bl_plan_tensors_fit(const struct bl_plugin *plugin,
                                   const struct banklab_plan *plan,
                                   struct bl_regions *regions, struct bl_error *err)
{
    for (uint32_t i = 0; i < plan->tensor_count; i++) {
        const struct banklab_tensor *t = &plan->tensors[i];
        const struct bl_region *region = bl_regions_find(regions, t->role);
        const struct subject s = {plugin, i, t, err};
        uint64_t end;

        if (!bytes_of(t, &end) || !region || end > region->bytes)
            return REFUSE(
                &s,
                "%" PRIu64 " x %" PRIu64 " rows of %" PRIu64 " elements of %" PRIu32
                " bytes, %" PRIu64 " bytes apart, do not fit in the buffer %s of %" PRIu64
                " bytes",
                t->dims[2] ? t->dims[2] : 1, t->dims[1], t->dims[0], t->elem,
                t->strides[0], region ? region->name : "", region ? region->bytes : 0);
    }
    return BL_OK;
}
