/* SPDX-License-Identifier: Apache-2.0
 *
 * kind.c - the kinds of plugins.
 */
#include "work/kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An element of 16 bytes, moved as a whole. */
struct elem16 {
    uint64_t low, high;
};

/* A tile is gathered into a local buffer by rows and written back by rows, so that
 * both sides touch whole cache lines once: with a power of two as the row's length,
 * a column of lines would otherwise fall into one set of the cache. Its side is a line
 * of 64 bytes, at least 16 elements. Whole tiles have constant bounds, for speed. */
#define SIDE(type) (sizeof(type) < 4 ? 64 / sizeof(type) : 16)
#define MOVE_TILE(r_count, c_count)                                                      \
    do {                                                                                 \
        for (uint64_t r = 0; r < (r_count); r++)                                         \
            for (uint64_t c = 0; c < (c_count); c++)                                     \
                tile[c][r] = in[(r0 + r) * cols + c0 + c];                               \
        for (uint64_t c = 0; c < (c_count); c++)                                         \
            memcpy(&out[(c0 + c) * rows + r0], tile[c], (r_count) * sizeof *out);        \
    } while (0)
#define TRANSPOSE(type)                                                                  \
    static void transpose_##type(const struct banklab_problem *problem, const type *in,  \
                                 type *out)                                              \
    {                                                                                    \
        const uint64_t rows = problem->rows, cols = problem->cols;                       \
        const uint64_t side = SIDE(type);                                                \
        type tile[SIDE(type)][SIDE(type)];                                               \
                                                                                         \
        for (uint64_t r0 = 0; r0 < rows; r0 += side)                                     \
            for (uint64_t c0 = 0; c0 < cols; c0 += side) {                               \
                const uint64_t r_left = rows - r0, c_left = cols - c0;                   \
                if (r_left >= side && c_left >= side)                                    \
                    MOVE_TILE(side, side);                                               \
                else                                                                     \
                    MOVE_TILE(r_left < side ? r_left : side,                             \
                              c_left < side ? c_left : side);                            \
            }                                                                            \
    }

typedef struct elem16 elem16_t;
TRANSPOSE(uint8_t)
TRANSPOSE(uint16_t)
TRANSPOSE(uint32_t)
TRANSPOSE(uint64_t)
TRANSPOSE(elem16_t)

static void transpose_one(const struct banklab_problem *problem, const void *in,
                          void *out)
{
    switch (problem->elem) {
    case 1: transpose_uint8_t(problem, in, out); break;
    case 2: transpose_uint16_t(problem, in, out); break;
    case 4: transpose_uint32_t(problem, in, out); break;
    case 8: transpose_uint64_t(problem, in, out); break;
    default: transpose_elem16_t(problem, in, out); break;
    }
}

static void reference_transpose(const struct banklab_problem *problem, const void *in,
                                void *out)
{
    const uint64_t matrix = problem->rows * problem->cols * problem->elem;

    for (uint64_t m = 0; m < bl_problem_batch(problem); m++)
        transpose_one(problem, (const char *)in + m * matrix, (char *)out + m * matrix);
}

static void reference_copy(const struct banklab_problem *problem, const void *in,
                           void *out)
{
    memcpy(out, in, bl_problem_elements(problem) * problem->elem);
}

static uint64_t useful_read_and_written(const struct banklab_problem *problem)
{
    return 2 * bl_problem_elements(problem) * problem->elem;
}

static uint64_t useful_none(const struct banklab_problem *problem)
{
    (void)problem;
    return 0;
}

#define DEFAULTS(r, c)                                                                   \
    {                                                                                    \
        .struct_size = sizeof(struct banklab_problem), .rows = (r), .cols = (c),         \
        .elem = 4, .batch = 1                                                            \
    }

static const struct bl_kind kinds[] = {
    {
        .name = "transpose",
        .summary = "out[c * rows + r] = in[r * cols + c], for each matrix of a batch",
        .defaults = DEFAULTS(1024, 1024),
        .transposed = true,
        .reference = reference_transpose,
        .useful_bytes = useful_read_and_written,
    },
    {
        .name = "copy",
        .summary = "out[i] = in[i]",
        .defaults = DEFAULTS(1024, 1024),
        .reference = reference_copy,
        .useful_bytes = useful_read_and_written,
    },
    {
        .name = "pattern",
        .summary = "what the plugin's own reference says",
        .defaults = DEFAULTS(1, 1024),
        .useful_bytes = useful_none,
    },
};

const struct bl_kind *bl_kind_all(size_t *count)
{
    *count = sizeof kinds / sizeof *kinds;
    return kinds;
}

const struct bl_kind *bl_kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

bool bl_problem_same(const struct banklab_problem *a, const struct banklab_problem *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->elem == b->elem &&
           bl_problem_batch(a) == bl_problem_batch(b);
}

const char *bl_problem_shape(const struct banklab_problem *problem, const char *times,
                             char *out, size_t size)
{
    char batch[BL_SHAPE_MAX] = "";

    if (bl_problem_batch(problem) != 1)
        snprintf(batch, sizeof batch, "%" PRIu64 "%s", problem->batch, times);
    snprintf(out, size, "%s%" PRIu64 "%s%" PRIu64, batch, problem->rows, times,
             problem->cols);
    return out;
}

uint64_t bl_problem_elements(const struct banklab_problem *problem)
{
    return bl_problem_batch(problem) * problem->rows * problem->cols;
}

enum bl_status bl_kind_bytes(const struct banklab_problem *problem, uint64_t *out,
                             struct bl_error *err)
{
    const uint32_t elem = problem->elem;
    char shape[BL_SHAPE_MAX];
    uint64_t bytes;

    if (elem != 1 && elem != 2 && elem != 4 && elem != 8 && elem != 16)
        return bl_error_set(err, BL_E_INPUT,
                            "elem = %" PRIu32 ": an element has 1, 2, 4, 8 or 16 bytes",
                            elem);
    if (problem->rows < 1 || problem->cols < 1)
        return bl_error_set(err, BL_E_INPUT,
                            "rows = %" PRIu64 ", cols = %" PRIu64
                            ": each must be at least 1",
                            problem->rows, problem->cols);
    if (__builtin_mul_overflow(problem->rows, problem->cols, &bytes) ||
        __builtin_mul_overflow(bytes, bl_problem_batch(problem), &bytes) ||
        __builtin_mul_overflow(bytes, elem, &bytes) || bytes > UINT64_C(1) << 60)
        return bl_error_set(err, BL_E_INPUT,
                            "%s elements of %" PRIu32
                            " bytes are more than an address can reach",
                            bl_problem_shape(problem, " x ", shape, sizeof shape), elem);
    *out = bytes;
    return BL_OK;
}
