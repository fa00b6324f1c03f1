/* SPDX-License-Identifier: Apache-2.0 */
#include "work/rates.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "load/ini_keys.h"

#define AT(member) offsetof(struct bl_rates, member), sizeof((struct bl_rates *)0)->member

static const struct bl_ini_key keys[] = {
    {"name", BL_INI_TEXT, AT(name), 0, 0, 0, 0, false, NULL},
    {"arch", BL_INI_TEXT, AT(arch), 0, 0, 0, 0, false, NULL},
    {"sms", BL_INI_U32, AT(sms), 1, 1, 1, 4096, false, NULL},
    {"clock_mhz", BL_INI_REAL, AT(clock_mhz), 0, 0, 1, 100000, false, NULL},
    {"dram_gbps", BL_INI_REAL, AT(dram_gbps), 0, 0, 0.1, 1e6, false, NULL},
    {"peak_gbps", BL_INI_REAL, AT(peak_gbps), 0, 0, 0.1, 1e6, false, NULL},
    {"partial_gsps", BL_INI_REAL, AT(partial_gsps), 0, 0, 0.001, 1e6, false, NULL},
    {"l2_bytes", BL_INI_U64, AT(l2_bytes), 0, 0, 0, 1e12, false, NULL},
    {"memory_bytes", BL_INI_U64, AT(memory_bytes), 0, 0, 1, 1e15, false, NULL},
    {"sm_threads", BL_INI_U32, AT(sm_threads), 1, 1, 32, 65536, false, NULL},
    {"sm_blocks", BL_INI_U32, AT(sm_blocks), 1, 1, 1, 4096, false, NULL},
    {"sm_shared", BL_INI_U64, AT(sm_shared), 0, 0, 1024, 1e9, false, NULL},
    {"block_shared", BL_INI_U64, AT(block_shared), 0, 0, 0, 1e6, false, NULL},
    {"sm_issue", BL_INI_U32, AT(sm_issue), 1, 1, 1, 64, false, NULL},
    {"launch_us", BL_INI_REAL, AT(launch_us), 0, 0, 0, 1000, false, NULL},
    {"latency_us", BL_INI_REAL, AT(latency_us), 0, 0, 0, 1000, false, NULL},
    {"overlap", BL_INI_REAL, AT(overlap), 0, 0, 1, 100, false, NULL},
};

enum bl_status bl_rates_read(const struct bl_paths *paths, const char *name,
                             struct bl_rates *out, struct bl_error *err)
{
    struct bl_rates rates = {0};
    char *path;
    enum bl_status status =
        bl_paths_conf_find(paths, "devices", "device file", name, &path, err);
    if (status != BL_OK)
        return status;
    status =
        bl_ini_keys_read(path, "device", keys, sizeof keys / sizeof keys[0], &rates, err);
    if (status == BL_OK)
        *out = rates;
    free(path);
    return status;
}

enum { ISSUE, STAGE, DRAM, PARTIAL, STATIONS };

/* The microseconds that each station is busy. MHz is cycles a microsecond, 1 GB/s is
 * 1e3 bytes a microsecond. Blocks are taken to spread evenly over `sms` SMs. */
static void busy(const struct bl_rates *rates, const struct bl_counts *counts, double sms,
                 double *us)
{
    const struct bl_global_counts *load = &counts->global_load;
    const struct bl_global_counts *store = &counts->global_store;
    /* Parts of a sector that are written apart meet in the L2 before they reach DRAM.
     * ideal is 0 where it is not known. */
    const bool scattered = store->ideal > 0 && store->ideal < store->sectors;
    const uint64_t whole = scattered ? store->ideal : store->sectors;

    us[ISSUE] = (double)counts->instructions / rates->sm_issue / sms / rates->clock_mhz;
    us[STAGE] = (double)counts->data_stage_cycles / sms / rates->clock_mhz;
    us[DRAM] = (double)(load->sectors + whole) * 32 / (rates->dram_gbps * 1e3);
    us[PARTIAL] = (double)(store->sectors - whole) / (rates->partial_gsps * 1e3);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* How many blocks an SM has at a time, of `share` that it gets in all; at least 1. */
static double resident(const struct bl_rates *rates, const struct bl_counts *counts,
                       double share)
{
    const uint64_t shared = counts->block_shared + rates->block_shared;
    double blocks = least(rates->sm_blocks, rates->sm_threads / counts->block_threads);

    if (counts->block_shared > 0)
        blocks = least(blocks, (double)(rates->sm_shared / shared));
    if (blocks < 1) /* a block that no such SM could hold */
        blocks = 1;
    return least(blocks, share);
}

static double predict(const struct bl_rates *rates, const struct bl_counts *counts)
{
    const double sms = least(rates->sms, (double)counts->blocks);
    const double share = (double)counts->blocks / sms;
    const double room = resident(rates, counts, share);
    double us[STATIONS], alone = share * rates->latency_us, sum = 0;

    busy(rates, counts, sms, us);
    for (int i = 0; i < STATIONS; i++) {
        alone += us[i];
        sum += pow((1 - 1 / room) * us[i], rates->overlap);
    }
    sum += pow(alone / room, rates->overlap);
    return counts->launches * rates->launch_us + pow(sum, 1 / rates->overlap);
}

void bl_rates_predict(const struct bl_rates *rates, const struct bl_counts *counts,
                      struct bl_time *out)
{
    *out = (struct bl_time){.source = BL_SRC_NONE};
    if (!rates || !counts->has_cycles || counts->blocks == 0 ||
        counts->block_threads == 0 || counts->global_source == BL_SRC_NONE)
        return;
    double us = predict(rates, counts);
    *out = (struct bl_time){
        .source = BL_SRC_PREDICTED, .median_us = us, .low_us = us, .high_us = us};
}
