/* SPDX-License-Identifier: Apache-2.0
 *
 * rates.h - a GPU model's rates (conf/devices/NAME.ini) and the time model over them.
 */
#ifndef BL_RATES_H
#define BL_RATES_H

#include "base/paths.h"
#include "work/measure.h"

/* conf/devices/NAME.ini, section [device]; every key says its source in a comment. */
struct bl_rates {
    char name[64]; /* "NVIDIA H200" */
    char arch[16]; /* "cc90" */
    uint32_t sms;
    double clock_mhz;    /* of an SM under load */
    double peak_gbps;    /* the memory's, by its datasheet: what no kernel can pass */
    double dram_gbps;    /* reached by a large device-to-device copy, read + written */
    double partial_gsps; /* 1e9 sectors/s of stores that fill only a part of each */
    uint64_t l2_bytes;
    uint64_t memory_bytes;
    /* What an SM holds at a time. */
    uint32_t sm_threads, sm_blocks;
    uint64_t sm_shared;    /* bytes */
    uint64_t block_shared; /* bytes that a block takes besides what it asks for */
    uint32_t sm_issue;     /* warp instructions a cycle */
    double launch_us;      /* of a launch, whatever the kernel does */
    double latency_us;     /* of a block, from its start to its end, if nothing but the
                              way to the memory and back cost time */
    double overlap;        /* see bl_rates_predict */
};

enum bl_status bl_rates_read(const struct bl_paths *paths, const char *name,
                             struct bl_rates *out, struct bl_error *err);

/* Predicted time of a case. Four stations serve its blocks:
 *
 *     issue     instructions, sm_issue a cycle on every SM that has a block
 *     stage     data_stage_cycles of shared memory, likewise
 *     dram      sectors read, and the bytes written as whole sectors, at dram_gbps
 *     partial   stores' sectors beyond those that their bytes fill, at partial_gsps
 *
 * Were S the time that each is busy, and had an SM room for one block only, the blocks
 * would go through one after the other: alone = latency_us * blocks / SMs + the sum of S.
 * It has room for R blocks (by threads, shared memory and their number; no more than
 * there are), whose ways overlap, but not wholly. With p = overlap (1: not at all; the
 * greater, the more):
 *
 *     launches * launch_us + ((alone / R)^p + the sum of ((1 - 1 / R) * S)^p)^(1 / p)
 *
 * What it leaves out, and how far it is from what was measured, is in doc/model.md.
 * BL_SRC_NONE if the counts lack what it needs. */
void bl_rates_predict(const struct bl_rates *rates, const struct bl_counts *counts,
                      struct bl_time *out);

#endif
