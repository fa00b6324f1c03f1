/* SPDX-License-Identifier: Apache-2.0
 *
 * protocol.h - what the lab asks of its GPU worker and what it answers (wire.h carries
 * it). Every answer starts with struct bl_answer; the rest follows only if its status
 * is BL_OK.
 */
#ifndef BL_PROTOCOL_H
#define BL_PROTOCOL_H

#include "banklab/plugin.h"
#include "calibrate/pattern.h"
#include "cuda/nvml.h"
#include "work/device.h"

enum bl_op_code {
    BL_OP_HELLO = 0,  /* -> nothing: the GPU is open */
    BL_OP_DESCRIBE,   /* -> struct bl_gpu_card */
    BL_OP_COUNTERS,   /* uint32_t, enum bl_counted: makes counters ready, which may take
                         seconds -> nothing */
    BL_OP_RUN,        /* struct bl_ask_code, PTX, bl_ask_region... -> nothing: the images
                         lie on the shelf (shelf.h), before and after */
    BL_OP_COUNT,      /* the same -> struct bl_count_card; the images stay as they are */
    BL_OP_TIME_ADD,   /* struct bl_ask_code, PTX, struct bl_ask_timing
                         -> struct bl_timing_card */
    BL_OP_TIME_ROUND, /* -> one double a case added: microseconds a run */
    BL_OP_TIME_CLEAR, /* forgets the cases added */
    BL_OP_STATE,      /* -> struct bl_gpu_state: clocks, temperature, throttling */
    BL_OP_PATTERNS    /* struct bl_ask_patterns, PTX, metric names, struct
                         bl_pattern_args...
                         -> struct bl_patterns_card, values, cycles (doubles) */
};

struct bl_answer {
    int32_t status; /* enum bl_status */
    char text[1024];
};

struct bl_count_card {
    struct bl_counts counts;
    char no_counters[512]; /* why nothing counted; empty: it did */
    uint32_t spent;        /* this process can count no more */
    uint32_t reserved;
};

struct bl_gpu_card {
    struct bl_device_desc desc;
    struct bl_device_limits limits;
    uint64_t l2_bytes;
    uint64_t memory_bytes;
    uint32_t sms;
    char driver[32];
};

/* A plan and the length of the PTX behind it (which has no NUL). */
struct bl_ask_code {
    char label[128];
    struct banklab_plan plan;
    uint64_t ptx_bytes;
    uint32_t regions; /* how many bl_ask_region follow the PTX */
    uint32_t reserved;
};

struct bl_ask_region {
    uint32_t role;
    uint32_t reserved;
    char name[16];
    uint64_t bytes; /* of the payload; the image has two guards more */
    uint64_t place; /* of the image on the shelf, as bl_shelf_place says */
};

/* What a case being timed works on: sets of input and output are rotated. */
struct bl_ask_timing {
    uint64_t bytes; /* of the input, and of the output */
    uint64_t seed;
    uint64_t rows, cols, batch; /* of a reference */
    uint32_t elem;
    uint32_t warm;      /* 1: one set only */
    uint32_t reference; /* one BL_REFERENCE_* in place of a kernel; 0: the kernel */
    uint32_t reserved;
    double most_us; /* that a batch may last */
};

struct bl_timing_card {
    uint32_t sets;    /* of buffers that rotate */
    uint32_t runs;    /* in one batch, between two events */
    uint64_t rotated; /* bytes of these sets */
    double first_us;  /* of the warm-up, a run */
};

/* Access patterns of one operation (gpu_patterns.h). */
enum { BL_METRIC_BYTES = 96 }; /* of a metric's name, NUL included */
struct bl_ask_patterns {
    char op[32];
    uint64_t ptx_bytes;
    uint32_t count;   /* of patterns */
    uint32_t metrics; /* counted for each; 0: none */
    uint32_t passes;  /* timed, of which the best is taken; 0: none */
    uint32_t ranges;  /* counted in one pass of the profiler; 0: its usual number */
};

struct bl_patterns_card {
    char no_counters[1024]; /* why there are no values; empty: there are */
};

#endif
