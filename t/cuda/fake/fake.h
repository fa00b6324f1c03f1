/* SPDX-License-Identifier: Apache-2.0
 *
 * fake.h - a test double of the CUDA driver, for tests of core/cuda where no GPU is.
 *
 * libcuda.so.1, libnvidia-ml.so.1, libcublas.so.13 and libcupti.so.13 in this folder
 * answer the calls that core/cuda makes. They are built by `make check`, found by tests
 * through LD_LIBRARY_PATH, and never installed. Kernels run on the model GPU; times come
 * from the model's counts by a made-up formula. The device is called "fake GPU (test
 * double)", so that no report of it can pass for a measurement.
 *
 * Environment, read when the driver is opened; DEED is KERNEL or KERNEL:N, the N-th
 * execution of that kernel in the process (1 where left out; replays of graphs count):
 *
 *   FAKE_CUDA_FAIL    CALL:N[:CODE]: the N-th CALL returns CODE (999, "unknown")
 *   FAKE_CUDA_FAULT   DEED faults: illegal address, which then sticks to the context
 *   FAKE_CUDA_HANG    DEED never ends
 *   FAKE_CUDA_KILL    DEED aborts the process
 *   FAKE_CUDA_DEVICES how many GPUs there are (1)
 *   FAKE_CUDA_CC      their compute capability (90): rules of conf/arch/ccNN.ini
 *   FAKE_CUDA_MEMORY  bytes of memory (1 GiB)
 *   FAKE_CUDA_L2      bytes of L2 cache (256 KiB)
 *   FAKE_CUDA_NOISE   per cent by which each batch's time may be off
 *   FAKE_CUDA_DRIFT   per cent by which batches become slower, one after another
 *   FAKE_CUDA_SLOW    times as long that kernels take (1)
 *   FAKE_CUDA_LEFT    microseconds more of a kernel whose predecessor was another one
 *   FAKE_CUDA_LOG     file to which lines are added: "alloc BYTES", "run KERNEL",
 *                     "graph OPS", "hang PID", at an orderly end "calls CALL N" and "left
 * ..."
 */
#ifndef FAKE_H
#define FAKE_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

#define FAKE_NAME "fake GPU (test double)"

struct fake_block {
    CUdeviceptr address;
    uint64_t bytes;
    uint8_t *host;
};

struct CUmod_st {
    struct bl_program *program;
    CUmodule next;
    CUfunction functions;
};

/* What a launch costs, by its shape. */
struct fake_cost {
    uint32_t grid[3], block[3], shared;
    double us;
    struct fake_cost *next;
};

struct CUfunc_st {
    CUmodule module;
    const char *name; /* the program's */
    uint32_t dynamic; /* bytes of shared memory opted in to */
    struct fake_cost *costs;
    CUfunction next;
};

/* An operation recorded. */
struct fake_op {
    const char *kernel; /* NULL: a copy, a fill, cuBLAS; owned */
    double us;
};

struct CUgraph_st {
    struct fake_op *ops;
    size_t count, cap;
};

struct CUgraphExec_st {
    struct CUgraph_st copy;
};

struct CUstream_st {
    CUgraph capturing; /* NULL: not */
};

struct CUevent_st {
    double at_us;
    bool recorded;
};

/* The whole driver. */
struct fake_driver {
    bool up, context;
    CUresult sticky;
    double now_us;
    uint64_t random;
    uint64_t total, used, l2, next_address;
    int devices, cc;
    double noise, drift, slow, left;
    char last[128]; /* kernel that ran; "": none */
    struct bl_arch arch;
    struct bl_counts counts; /* of all kernels that ran: what hardware would count */
    uint64_t replays;
    struct fake_block *blocks;
    size_t block_count;
    CUmodule modules;
    long streams, graphs, execs, events; /* that live */
};
extern struct fake_driver fake;

/* What a copy from the host still has on its way arrives. */
void fake_land(void);

/* Begins a call: counts it, and says whether it is to fail, and how. */
CUresult fake_enter(const char *call);
/* The same, and fails in a context that an error has spoilt. */
CUresult fake_enter_context(const char *call);
#define FAKE_BEGIN(enter, call)                                                          \
    do {                                                                                 \
        CUresult begun_ = enter(call);                                                   \
        if (begun_ != CUDA_SUCCESS)                                                      \
            return begun_;                                                               \
    } while (0)

/* A line of the log. */
__attribute__((format(printf, 1, 2))) void fake_log(const char *format, ...);

/* Carries out what the environment says that a kernel does now. */
void fake_deeds(const char *kernel);

/* Free what is left. */
void fake_memory_end(void);
void fake_modules_end(void);

/* Where `bytes` at `address` lie, or NULL. */
uint8_t *fake_at(CUdeviceptr address, uint64_t bytes);

/* Records an operation if the stream captures, else lets its time pass. */
CUresult fake_did(CUstream stream, const char *kernel, double us);
void fake_graph_clear(CUgraph graph);
/* Lets `us` pass, with the drift and the noise asked for. */
void fake_pass(double us);

/* For the other doubles, which find these with dlsym. */
void fake_cuda_counts(struct bl_counts *out);
uint64_t fake_cuda_replays(void);
int fake_cuda_geam(CUstream stream, uint32_t elem, uint64_t rows, uint64_t cols,
                   CUdeviceptr in, CUdeviceptr out);

#endif
