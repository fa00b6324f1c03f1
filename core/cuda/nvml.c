/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The few calls used, as NVIDIA's NVML API reference gives them; nvmlReturn_t is an
 * enum whose success is 0, nvmlDevice_t a pointer. Declared here because nvml.h is not
 * part of a toolkit's minimal installation. */
enum { NVML_OK = 0, NVML_CLOCK_OF_SM = 1, NVML_CLOCK_OF_MEMORY = 2 };
typedef void *nvml_device;

struct bl_nvml {
    void *library;
    nvml_device device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*find)(const char *bus_id, nvml_device *out);
    int (*driver)(char *out, unsigned size);
    int (*clock)(nvml_device, unsigned which, unsigned *mhz);
    int (*max_clock)(nvml_device, unsigned which, unsigned *mhz);
    int (*temperature)(nvml_device, unsigned sensor, unsigned *celsius);
    int (*reasons)(nvml_device, unsigned long long *bits);
    int (*power)(nvml_device, unsigned *milliwatts);
};

static bool find_calls(struct bl_nvml *nvml)
{
    const struct {
        const char *name;
        void *slot;
    } calls[] = {
        {"nvmlInit_v2", &nvml->init},
        {"nvmlShutdown", &nvml->shutdown},
        {"nvmlDeviceGetHandleByPciBusId_v2", &nvml->find},
        {"nvmlSystemGetDriverVersion", &nvml->driver},
        {"nvmlDeviceGetClockInfo", &nvml->clock},
        {"nvmlDeviceGetMaxClockInfo", &nvml->max_clock},
        {"nvmlDeviceGetTemperature", &nvml->temperature},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", &nvml->reasons},
        {"nvmlDeviceGetPowerUsage", &nvml->power},
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *at = dlsym(nvml->library, calls[i].name);
        if (!at)
            return false;
        memcpy(calls[i].slot, &at, sizeof at);
    }
    return true;
}

enum bl_status bl_nvml_open(const char *bus_id, struct bl_nvml **out,
                            struct bl_error *err)
{
    struct bl_nvml *nvml = calloc(1, sizeof *nvml);

    if (!nvml)
        return bl_error_nomem(err);
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library || !find_calls(nvml) || nvml->init() != NVML_OK) {
        if (nvml->library)
            dlclose(nvml->library);
        free(nvml);
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no NVML: clocks and throttling are not known");
    }
    if (nvml->find(bus_id, &nvml->device) != NVML_OK) {
        bl_nvml_close(nvml);
        return bl_error_set(err, BL_E_UNSUPPORTED, "NVML does not know the GPU at %s",
                            bus_id);
    }
    *out = nvml;
    return BL_OK;
}

void bl_nvml_close(struct bl_nvml *nvml)
{
    if (!nvml)
        return;
    nvml->shutdown();
    dlclose(nvml->library);
    free(nvml);
}

void bl_nvml_state(struct bl_nvml *nvml, struct bl_gpu_state *out)
{
    unsigned sm = 0, memory = 0, max_sm = 0, celsius = 0, milliwatts = 0;
    unsigned long long reasons = 0;

    memset(out, 0, sizeof *out);
    if (!nvml || nvml->clock(nvml->device, NVML_CLOCK_OF_SM, &sm) != NVML_OK ||
        nvml->clock(nvml->device, NVML_CLOCK_OF_MEMORY, &memory) != NVML_OK ||
        nvml->max_clock(nvml->device, NVML_CLOCK_OF_SM, &max_sm) != NVML_OK ||
        nvml->temperature(nvml->device, 0, &celsius) != NVML_OK ||
        nvml->reasons(nvml->device, &reasons) != NVML_OK ||
        nvml->power(nvml->device, &milliwatts) != NVML_OK ||
        nvml->driver(out->driver, sizeof out->driver) != NVML_OK)
        return;
    out->present = true;
    out->sm_mhz = sm;
    out->memory_mhz = memory;
    out->max_sm_mhz = max_sm;
    out->temperature_c = celsius;
    out->throttle = reasons;
    out->watts = milliwatts / 1000.0;
}

void bl_nvml_reasons(uint64_t throttle, char *out, uint32_t size)
{
    /* nvmlClocksThrottleReasons in the NVML API reference. Idle (bit 0), application
     * clocks (bit 1) and display clocks (bit 8) are settings, not disturbances. */
    static const struct {
        uint64_t bit;
        const char *name;
    } reasons[] = {
        {0x04, "software power cap"},
        {0x08, "hardware slowdown"},
        {0x10, "sync boost"},
        {0x20, "software thermal slowdown"},
        {0x40, "hardware thermal slowdown"},
        {0x80, "hardware power brake"},
    };
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if ((throttle & reasons[i].bit) && used < size) {
            int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                             reasons[i].name);
            used += n > 0 ? (size_t)n : 0;
        }
}
