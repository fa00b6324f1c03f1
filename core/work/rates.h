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
    double clock_mhz; /* of an SM under load */
    double peak_gbps; /* the memory's, by its datasheet: what no kernel can pass */
    double dram_gbps; /* reached by a large device-to-device copy, read + written */
    uint64_t l2_bytes;
    uint64_t memory_bytes;
};

enum bl_status bl_rates_read(const struct bl_paths *paths, const char *name,
                             struct bl_rates *out, struct bl_error *err);

/* Predicted time of a case: the larger of the data stage (data_stage_cycles spread
 * over the SMs that have a block, at the SM's clock) and of DRAM (sectors * 32 over
 * the rate). What it leaves out is in doc/model.md. BL_SRC_NONE if the counts lack
 * what it needs. */
void bl_rates_predict(const struct bl_rates *rates, const struct bl_counts *counts,
                      struct bl_time *out);

#endif
