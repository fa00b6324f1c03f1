/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.h - what is known of a case after it ran: the one structure behind the
 * table, the JSON, the CSV and the TAP.
 *
 * Every group carries its source. BL_SRC_NONE: the group was not measured, and no
 * number in it may be read or printed.
 */
#ifndef BL_MEASURE_H
#define BL_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "load/profile.h"

enum bl_source {
    BL_SRC_NONE = 0,
    BL_SRC_MODEL,    /* counted by the model GPU: exact */
    BL_SRC_COUNTER,  /* read from hardware counters */
    BL_SRC_GPU,      /* timed on a GPU */
    BL_SRC_PREDICTED /* computed by the time model from counts */
};
/* "model", "counter", "gpu", "predicted"; NULL for none. */
const char *bl_source_name(enum bl_source source);

/* Shared memory, accesses of one kind, of a whole case (all launches, all blocks).
 * Loads with ldmatrix, and the loads of an atomic that is a loop; stores with stmatrix;
 * atomics; the writes of cp.async, whose reads are global loads. A compare-and-swap takes
 * two wavefronts where others take one, of which conflicts count one. */
struct bl_shared_counts {
    uint64_t requests;   /* warp instructions executed with an active lane */
    uint64_t wavefronts; /* design rule 3 */
    uint64_t ideal;      /* wavefronts if no phase had a conflict */
    uint64_t conflicts;  /* wavefronts - phases with an active lane: rule 4 */
    uint32_t ways;       /* worst wavefronts of one phase; 1: none; 0: no request, or
                            not known (see struct bl_counts) */
    /* Where the arch's rules leave choices open, the above are the most, and these the
     * least. ways_least is 0, and neither means anything, where nothing is open. */
    uint64_t wavefronts_least;
    uint32_t ways_least;
};

/* Global memory, loads or stores. */
struct bl_global_counts {
    uint64_t requests;
    uint64_t sectors; /* distinct 32-byte sectors, by instruction */
    uint64_t ideal;   /* distinct bytes touched, by instruction, over 32, rounded up */
};

/* What the model says where hardware counted too. Sources: MODEL or NONE. */
struct bl_model_counts {
    enum bl_source shared_source, global_source;
    struct bl_shared_counts shared_load, shared_store, shared_atomic, shared_async;
    struct bl_global_counts global_load, global_store;
};

/* What counted where a source is COUNTER: the instructions themselves, whose machine code
 * was rewritten for it, or the hardware's counters, which on a busy SM also read what
 * accesses wait for each other (doc/model.md, "What counters add"). */
enum bl_counted { BL_COUNTED_NOT, BL_COUNTED_INSTRUCTIONS, BL_COUNTED_HARDWARE };
/* "instructions", "hardware"; NULL for not. */
const char *bl_counted_name(enum bl_counted counted);

/* Nothing counts the worst ways, and hardware's counters not the ideal. In a group with
 * source COUNTER these are the model's, if its other numbers are the same as the counted;
 * else they are 0. The data stage's cycles are always the model's. */
struct bl_counts {
    enum bl_source shared_source, global_source;
    enum bl_counted counted;
    struct bl_shared_counts shared_load, shared_store, shared_atomic, shared_async;
    struct bl_global_counts global_load, global_store;
    bool has_cycles;
    uint64_t data_stage_cycles; /* sum over instructions of rule 5, all blocks */
    uint64_t blocks;            /* executed, all launches */
    uint64_t instructions;      /* warp instructions executed; model only, else 0 */
    uint32_t launches;          /* model only, as are the next two; else 0 */
    uint32_t block_threads;     /* threads of a block, the greatest of all launches */
    uint64_t block_shared;      /* bytes, static and dynamic, likewise */
    /* Bulk copies executed (cp.async.bulk), by instruction; model only, else 0. Their
     * global side is among global_load and global_store; their shared side is counted
     * nowhere, since what it costs was not measured. Counters see neither (on an H200:
     * 0), so that where there are any, the global group is the model's. */
    uint64_t bulk_copies;
    struct bl_model_counts beside;
};
/* Whether there are both counters' and the model's numbers, and they differ. */
bool bl_counts_differ(const struct bl_counts *counts);

struct bl_time {
    enum bl_source source; /* GPU or PREDICTED */
    double median_us, low_us, high_us;
    uint32_t samples; /* 0 when predicted: then low = high = median */
};

struct bl_throughput {
    bool has_gbps, has_percent;
    double gbps;            /* useful bytes over the median time, 1e9 bytes/s; its
                               source is the time's */
    double percent_of_copy; /* of a copy of the same bytes in the same run: on a GPU the
                               driver's; else the fastest passing case of kind "copy" */
};

/* In-kernel clock (struct banklab_clock). */
struct bl_clock_result {
    enum bl_source source;
    double cycles_per_access;
};

/* Against one other case or setting. Each ratio is this over the other: above 1 is
 * slower. A ratio is absent when either side is absent or zero: a kernel without
 * shared memory has no data stage to compare. Nothing is compared across rules of
 * different archs: a cycle of one data stage is not a cycle of the other. */
struct bl_slowdown {
    bool present;
    char *against; /* a case's name, or the twin's settings "pad=1" */
    bool has_ratio;
    double ratio, low, high; /* measured, with a 95 % interval */
    bool has_predicted;
    double predicted; /* ratio of predicted times of the whole case, both from counts */
    bool has_data_stage;
    double data_stage; /* ratio of data-stage cycles of shared memory */
};

enum bl_verdict { BL_PASS, BL_FAIL, BL_SKIP, BL_ERROR };
/* "pass", "fail", "skip", "error". */
const char *bl_verdict_name(enum bl_verdict verdict);

struct bl_result {
    const struct bl_case *of;
    const char *arch; /* whose rules the case asks for, if not the device's; else NULL */
    enum bl_verdict verdict;
    char detail[1024]; /* why not pass; empty for pass, but for a case that failed as
                          its profile expects: "failed as expected: ..." */
    /* What was planned, launch by launch; none if it came to no plan. */
    char kernels[BANKLAB_MAX_LAUNCHES][BANKLAB_MAX_NAME];
    uint32_t kernel_count;
    struct bl_counts counts;
    struct bl_time time;
    struct bl_throughput throughput;
    struct bl_clock_result clock;
    struct bl_slowdown baseline, twin;
};

/* Sets verdict and detail; what does not fit is cut. The old detail may be among the
 * arguments. */
__attribute__((format(printf, 3, 4))) void
bl_result_say(struct bl_result *result, enum bl_verdict verdict, const char *format, ...);

struct bl_device_desc {
    char backend[16]; /* "model", "cuda" */
    char name[128];   /* "model of cc 9.0", "NVIDIA H200" */
    char arch[16];    /* "cc90" */
    char rates[64];   /* the device file behind predicted times; "" none */
    char driver[32];  /* "" none */
};

/* The state of a device around a measurement, of which only what is `present` may be
 * read. */
struct bl_device_state {
    bool present;
    uint32_t sm_mhz, max_sm_mhz, memory_mhz, temperature_c;
    double watts;
    char throttled[128]; /* why, in words; empty: not */
};

/* Why timing stopped: every interval was narrow; max_time was over; so many rounds. */
enum bl_timing_end { BL_END_PRECISE, BL_END_TIME, BL_END_ROUNDS };

/* How the cases were timed; only where `present`. */
struct bl_timing_note {
    bool present;
    uint32_t rounds;
    enum bl_timing_end end;
    int64_t when; /* seconds since 1970, UTC; 0: not told */
    struct bl_device_state before, after;
};

struct bl_report {
    const struct bl_profile *profile;
    struct bl_device_desc device;
    struct bl_result *results; /* one a case, in the profile's order; then references */
    size_t count;
    struct bl_case *references; /* owned cases of the reference rows */
    size_t reference_count;
    struct bl_timing_note timing;
    char **warnings; /* owned; what a reader must know before believing a number */
    size_t warning_count;
};

/* Adds a warning to the report. */
__attribute__((format(printf, 3, 4))) enum bl_status
bl_report_warn(struct bl_report *report, struct bl_error *err, const char *format, ...);

void bl_report_free(struct bl_report *report);
/* 0 all pass or skip; 1 some case failed; 2 some case could not be run (error). */
int bl_report_exit_status(const struct bl_report *report);

#endif
