/* SPDX-License-Identifier: Apache-2.0
 *
 * model.h - the model GPU: load a PTX module, launch a kernel over memory regions, get
 * exact counts. Knows nothing of plugins or profiles.
 */
#ifndef BL_MODEL_H
#define BL_MODEL_H

#include "model/arch.h"
#include "model/ptx.h"
#include "work/measure.h"

struct bl_program; /* a module decoded: functions, constants, module variables */

/* `name` is for messages. Decodes every function; what can't be decoded in a function
 * that is never reached from the launched kernel does no harm: its error is kept and
 * returned when that function is launched or called. */
enum bl_status bl_program_new(const char *name, const char *text, size_t length,
                              struct bl_program **out, struct bl_error *err);
void bl_program_free(struct bl_program *program);

/* A piece of global memory, the caller's. Kernels may touch the payload only: an access
 * that reaches into the guards around it is out of bounds, named by buffer and offset. */
struct bl_span {
    const char *name; /* "input" */
    uint8_t *payload;
    uint64_t bytes;
    uint64_t address; /* out of bl_memory_map: the address that kernels see */
};

struct bl_memory; /* an address space: spans, and the program's own .global variables */

/* Gives each span an address aligned to 256, far from its neighbours. Reading .global
 * variables needs the program; NULL: none. Spans are copied, payloads are not. */
enum bl_status bl_memory_map(struct bl_program *program, struct bl_span *spans,
                             size_t count, struct bl_memory **out, struct bl_error *err);
void bl_memory_unmap(struct bl_memory *memory);

/* Raw argument of a kernel: `size` bytes, little-endian, in `bits`, or where `data`
 * points if that is not NULL (a struct by value); must match the entry's parameter in
 * size. */
struct bl_model_arg {
    uint64_t bits;
    uint32_t size;
    const void *data;
};

struct bl_model_launch {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* dynamic */
    const struct bl_model_arg *args;
    size_t arg_count;
};

struct bl_watcher; /* watch.h */

struct bl_model_options {
    const struct bl_arch *arch;
    uint32_t threads;                 /* workers; 0: one a core */
    uint64_t steps;                   /* most warp instructions a block; 0: no limit */
    const struct bl_watcher *watcher; /* who looks on; NULL: nobody */
    /* Reads of shared memory that was not written yet give what an earlier block left, or
     * 0, instead of being a fault: for a watcher that looks for the reason. */
    bool unwritten;
    /* The numbers of the only blocks to run, rising; NULL: all. The rest of the grid is
     * left out, and so are its counts. */
    const uint64_t *only;
    size_t only_count;
};

/* Per-instruction counts, for "which line conflicts". */
struct bl_insn_counts {
    const struct bl_ptx_insn *insn; /* owned by the program */
    const char *file;               /* CUDA source file of its .loc, or NULL */
    bool is_shared, is_store;
    bool is_special; /* an atomic's, or the shared side of cp.async */
    uint64_t executions, wavefronts, ideal, conflicts, cycles, sectors;
    uint64_t wavefronts_least; /* as in struct bl_shared_cost */
    uint32_t ways, ways_least;
};
/* Adds `from` to the counts of `to`; of ways the greater is kept. */
void bl_insn_counts_add(struct bl_insn_counts *to, const struct bl_insn_counts *from);

struct bl_model_profile {
    struct bl_insn_counts *at; /* memory instructions that were executed, by PTX line */
    size_t count;
};
void bl_model_profile_free(struct bl_model_profile *profile);

/* Atomics of global memory are carried out but not counted, and so are those of shared
 * memory whose rules were not measured (doc/model.md).
 *
 * A program may run one launch at a time. Payloads must be aligned to 16 bytes.
 *
 * Runs the launch; adds to *counts (so that several launches sum up; ways: maximum).
 * Counts don't depend on the number of threads. `profile` may be NULL. Errors:
 *   BL_E_INPUT   no such kernel (the error lists those there are), wrong arguments,
 *                too much shared memory or too many threads, unknown instruction
 *   BL_E_FAULT   out of bounds, misaligned, uninitialised shared read, stuck barrier,
 *                step limit, trap: with the lane, block, PTX line and source line. With
 *                several faults, the one of the lowest block.
 * or what the watcher returns. */
enum bl_status bl_model_run(struct bl_program *program, struct bl_memory *memory,
                            const struct bl_model_launch *launch,
                            const struct bl_model_options *options,
                            struct bl_counts *counts, struct bl_model_profile *profile,
                            struct bl_error *err);

/* The kernels in the module, for messages and lists. */
size_t bl_program_kernels(const struct bl_program *program, const char *const **out);

/* Bytes of its .global variables, for which bl_memory_map makes room. */
uint64_t bl_program_variables(const struct bl_program *program);

#endif
