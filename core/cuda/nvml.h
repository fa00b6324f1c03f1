/* SPDX-License-Identifier: Apache-2.0
 *
 * nvml.h - the state of a GPU that decides whether a measurement is worth anything:
 * clocks, temperature, throttle reasons. From libnvidia-ml.so.1, opened with dlopen;
 * read only, nothing is ever set.
 */
#ifndef BL_NVML_H
#define BL_NVML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct bl_gpu_state {
    bool present; /* false: no NVML, and nothing else here may be read */
    uint32_t sm_mhz, memory_mhz, max_sm_mhz;
    uint32_t temperature_c;
    uint64_t throttle; /* bits of nvmlClocksEventReasons; 0 and idle (bit 0) are fine */
    double watts;
    char driver[32]; /* "580.159.04" */
};

struct bl_nvml;

/* BL_E_UNSUPPORTED with the reason where there is no NVML. `bus_id` is the PCI bus id as
 * CUDA tells it. */
enum bl_status bl_nvml_open(const char *bus_id, struct bl_nvml **out,
                            struct bl_error *err);
void bl_nvml_close(struct bl_nvml *nvml);
void bl_nvml_state(struct bl_nvml *nvml, struct bl_gpu_state *out);

/* The throttle reasons that say a measurement was disturbed, as text ("power cap,
 * thermal"); empty if none. */
void bl_nvml_reasons(uint64_t throttle, char *out, uint32_t size);

#endif
