/* SPDX-License-Identifier: Apache-2.0 */
#include "work/rates.h"

#include <stddef.h>
#include <stdlib.h>

#include "load/ini_keys.h"

#define AT(member) offsetof(struct bl_rates, member), sizeof((struct bl_rates *)0)->member

static const struct bl_ini_key keys[] = {
    {"name", BL_INI_TEXT, AT(name), 0, 0, 0, 0, false},
    {"arch", BL_INI_TEXT, AT(arch), 0, 0, 0, 0, false},
    {"sms", BL_INI_U32, AT(sms), 1, 1, 1, 4096, false},
    {"clock_mhz", BL_INI_REAL, AT(clock_mhz), 0, 0, 1, 100000, false},
    {"dram_gbps", BL_INI_REAL, AT(dram_gbps), 0, 0, 0.1, 1e6, false},
    {"peak_gbps", BL_INI_REAL, AT(peak_gbps), 0, 0, 0.1, 1e6, false},
    {"l2_bytes", BL_INI_U64, AT(l2_bytes), 0, 0, 0, 1e12, false},
    {"memory_bytes", BL_INI_U64, AT(memory_bytes), 0, 0, 1, 1e15, false},
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

/* MHz is cycles a microsecond. Blocks are taken to spread evenly over the SMs, and an
 * SM's data stage to serve one wavefront a cycle. */
static double data_stage_us(const struct bl_rates *rates, const struct bl_counts *counts)
{
    uint64_t busy = counts->blocks < rates->sms ? counts->blocks : rates->sms;
    return (double)counts->data_stage_cycles / (double)busy / rates->clock_mhz;
}

/* 1 GB/s is 1e3 bytes a microsecond. */
static double dram_us(const struct bl_rates *rates, const struct bl_counts *counts)
{
    uint64_t sectors = counts->global_load.sectors + counts->global_store.sectors;
    return (double)sectors * 32 / (rates->dram_gbps * 1e3);
}

void bl_rates_predict(const struct bl_rates *rates, const struct bl_counts *counts,
                      struct bl_time *out)
{
    *out = (struct bl_time){.source = BL_SRC_NONE};
    if (!rates || !counts->has_cycles || counts->blocks == 0 ||
        counts->global_source == BL_SRC_NONE)
        return;
    double stage = data_stage_us(rates, counts), dram = dram_us(rates, counts);
    double us = stage > dram ? stage : dram;
    *out = (struct bl_time){
        .source = BL_SRC_PREDICTED, .median_us = us, .low_us = us, .high_us = us};
}
