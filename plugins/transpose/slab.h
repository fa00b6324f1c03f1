/* SPDX-License-Identifier: Apache-2.0
 *
 * slab.h - parameters and plan of transpose_slab; the kernels are in slab.cuh.
 */
#ifndef TRANSPOSE_SLAB_H
#define TRANSPOSE_SLAB_H

#include "banklab/plugin.h"

static const char *const slab_threads[] = {"best", "128", "256", NULL};
static const char *const slab_pieces[] = {"16", "4", NULL};
enum { SLAB_THREADS, SLAB_PIECE };
static const struct banklab_param slab_params[] = {
    [SLAB_THREADS] = {.name = "threads",
                      .help = "of a block, whose slab has up to 80 bytes for each",
                      .type = BANKLAB_PARAM_CHOICE,
                      .choices = slab_threads},
    [SLAB_PIECE] = {.name = "piece",
                    .help =
                        "an access on the side with gaps, if its rows are aligned to it",
                    .unit = "bytes",
                    .type = BANKLAB_PARAM_CHOICE,
                    .choices = slab_pieces},
};

/* Bytes. */
enum {
    SLAB_ROOM = 48 << 10,  /* of shared memory, at most */
    SLAB_SMALL = 16 << 10, /* a matrix of which a block takes several */
    SLAB_SECTOR = 32,
    SLAB_BANKS = 128,    /* a row of all banks: what the XOR mixes, at most */
    SLAB_FLIGHT = 5 * 16 /* on their way at once, of a thread */
};

/* number / divisor = number * magic / 2^32, while number * divisor is below 2^32. */
static inline uint32_t slab_magic(uint64_t divisor)
{
    return (uint32_t)banklab_ceil_div(UINT64_C(1) << 32, divisor);
}

/* What all launches have, for slabs of so many bytes. */
static inline struct banklab_launch *slab_begin(struct banklab_launch *launch,
                                                uint32_t block, uint32_t bytes)
{
    launch->block[0] = block;
    launch->shared_bytes = (bytes + SLAB_BANKS - 1) / SLAB_BANKS * SLAB_BANKS;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    return launch;
}

/* What makes a Swizzle (slab.cuh), for groups of rows of `units` units. Lanes take 2^log
 * of them, and then the next of 2^columns columns. */
static inline void slab_swizzle(struct banklab_launch *launch, uint32_t elem,
                                uint64_t units, uint32_t log, uint32_t columns)
{
    const uint32_t banks = elem < 8 ? 5 : elem == 8 ? 4 : 3; /* 2^banks of them */
    const uint32_t same = banklab_at_most((uint32_t)__builtin_ctzll(units), banks);
    const uint32_t low = banklab_at_most(log < banks ? banks - log : 0, columns);

    banklab_arg_u32(launch, slab_magic(units));
    banklab_arg_u32(launch, (low + same - banks) % 32);
    banklab_arg_u32(launch, low < same ? (1u << same) - (1u << low) : 0);
}

static inline int slab_plan_side(const struct banklab_problem *problem,
                                 const banklab_value *values, struct banklab_plan *plan,
                                 struct banklab_error *error)
{
    const uint32_t elem = problem->elem, unit = elem < 4 ? 4 : elem;
    const int columns = problem->cols <= problem->rows;
    const uint64_t narrow = columns ? problem->cols : problem->rows;
    const uint64_t wide = columns ? problem->rows : problem->cols;
    const uint32_t block =
        values[SLAB_THREADS].i || columns ? 128u << (values[SLAB_THREADS].i == 2) : 256;
    uint32_t bytes = values[SLAB_PIECE].i ? unit : 16, log;
    struct banklab_launch *launch;

    if (narrow * SLAB_SECTOR + 16 > SLAB_ROOM)
        return banklab_unsupported(error,
                                   "the lesser side must be at most 1535, not %llu: a "
                                   "sector of each, 32 bytes, must fit into 48 KiB",
                                   (unsigned long long)narrow);
    while (bytes > elem && wide * elem % bytes)
        bytes = bytes > unit ? unit : elem;
    log = (uint32_t)__builtin_ctz(SLAB_SECTOR / bytes);
    while ((2u << log) <= block && (uint64_t)bytes << log < wide * elem &&
           narrow * (2 * bytes << log) <= SLAB_FLIGHT * block)
        log++;
    launch =
        slab_begin(banklab_launch_add(plan, "transpose_slab_%s_e%u_g%u",
                                      columns ? "columns" : "rows", elem, bytes / elem),
                   block, (uint32_t)narrow * (bytes << log) + 16); /* skipped, at most */
    launch->grid[0] = (uint32_t)banklab_ceil_div(wide * elem, bytes << log);
    banklab_arg_u64(launch, wide);
    banklab_arg_u32(launch, (uint32_t)narrow);
    banklab_arg_u32(launch, log);
    slab_swizzle(launch, elem, bytes > unit ? narrow * (bytes / unit) : narrow, log, 32);
    return banklab_grid_batch(launch, problem, error);
}

/* `whole` matrices begin and end at a vector's alignment. */
static inline int slab_plan_pack(const struct banklab_problem *problem,
                                 const banklab_value *values, struct banklab_plan *plan,
                                 uint32_t whole)
{
    const uint32_t elem = problem->elem, v = 16 / elem;
    const uint32_t block = 128u << (values[SLAB_THREADS].i == 2);
    const uint32_t rows = (uint32_t)problem->rows, cols = (uint32_t)problem->cols;
    const uint32_t bytes = whole * rows * cols * elem;
    const uint32_t fit = SLAB_FLIGHT * block / bytes, count = (fit ? fit : 1) * whole;
    struct banklab_launch *launch =
        slab_begin(banklab_launch_add(plan, "transpose_slab_pack_e%u", elem), block,
                   bytes / whole * count);

    launch->grid[0] = (uint32_t)banklab_ceil_div(banklab_batch(problem), count);
    banklab_arg_u32(launch, rows);
    banklab_arg_u32(launch, cols);
    banklab_arg_u64(launch, banklab_batch(problem));
    banklab_arg_u32(launch, count);
    banklab_arg_u32(launch, slab_magic(rows));
    banklab_arg_u32(launch, slab_magic(cols));
    slab_swizzle(launch, elem, (elem < 4 ? 4 : v) * cols,
                 31 - (uint32_t)__builtin_clz(rows / v | 1),
                 31 - (uint32_t)__builtin_clz(cols));
    return BANKLAB_OK;
}

static inline int slab_plan(const struct banklab_problem *problem,
                            const banklab_value *values, struct banklab_plan *plan,
                            struct banklab_error *error)
{
    const uint64_t matrix = problem->rows * problem->cols * problem->elem;
    const uint64_t bytes = banklab_batch(problem) * matrix;
    uint32_t whole = 1;

    if (bytes > UINT64_C(1) << 39) /* and slabs of 256, the least */
        return banklab_unsupported(error, "more than 2^39 bytes: a grid has no room");
    if (problem->rows == 1 || problem->cols == 1) {
        struct banklab_launch *launch =
            slab_begin(banklab_launch_add(plan, "transpose_slab_copy"), 256, 0);
        launch->grid[0] = (uint32_t)banklab_ceil_div(bytes, 16 * 256);
        banklab_arg_u64(launch, bytes);
        return BANKLAB_OK;
    }
    while (matrix * whole % 16)
        whole *= 2;
    if (bytes > matrix && matrix * whole <= SLAB_SMALL)
        return slab_plan_pack(problem, values, plan, whole);
    return slab_plan_side(problem, values, plan, error);
}

#endif /* TRANSPOSE_SLAB_H */
