/* SPDX-License-Identifier: Apache-2.0
 *
 * nvml.c - a test double of NVML; see fake.h. It tells one state, and another when the
 * double of the driver has replayed FAKE_NVML_SWITCH graphs (12):
 *
 *   FAKE_NVML         "sm=1980 memory=2619 power=100000 throttle=0", these by default
 *   FAKE_NVML_AFTER   the same, later; FAKE_NVML where not set
 *   FAKE_NVML_FAIL    a call that fails
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, void **out);
int nvmlSystemGetDriverVersion(char *out, unsigned size);
int nvmlDeviceGetClockInfo(void *device, unsigned which, unsigned *mhz);
int nvmlDeviceGetMaxClockInfo(void *device, unsigned which, unsigned *mhz);
int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *celsius);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);

enum { OK = 0, FAILED = 999, CLOCK_OF_SM = 1 };

static int enter(const char *call)
{
    const char *fail = getenv("FAKE_NVML_FAIL");

    return fail && strcmp(fail, call) == 0 ? FAILED : OK;
}

/* 0 without the double of the driver. */
static uint64_t replays(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *at;
    uint64_t (*ask)(void);
    uint64_t count = 0;

    if (library && (at = dlsym(library, "fake_cuda_replays"))) {
        memcpy(&ask, &at, sizeof ask);
        count = ask();
    }
    if (library)
        dlclose(library);
    return count;
}

static unsigned value_of(const char *key, unsigned fallback)
{
    const char *limit = getenv("FAKE_NVML_SWITCH");
    const char *text = replays() >= (limit ? strtoul(limit, NULL, 10) : 12)
                           ? getenv("FAKE_NVML_AFTER")
                           : NULL;
    const char *at;

    if (!text)
        text = getenv("FAKE_NVML");
    at = text ? strstr(text, key) : NULL;
    return at && at[strlen(key)] == '=' ? (unsigned)strtoul(at + strlen(key) + 1, NULL, 0)
                                        : fallback;
}

int nvmlInit_v2(void)
{
    return enter("nvmlInit_v2");
}

int nvmlShutdown(void)
{
    return enter("nvmlShutdown");
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, void **out)
{
    static int device;

    *out = &device;
    return strncmp(bus_id, "0000:0", 6) == 0 ? enter("nvmlDeviceGetHandleByPciBusId_v2")
                                             : FAILED;
}

int nvmlSystemGetDriverVersion(char *out, unsigned size)
{
    snprintf(out, size, "0.0 (double)");
    return enter("nvmlSystemGetDriverVersion");
}

int nvmlDeviceGetClockInfo(void *device, unsigned which, unsigned *mhz)
{
    (void)device;
    *mhz = which == CLOCK_OF_SM ? value_of("sm", 1980) : value_of("memory", 2619);
    return enter("nvmlDeviceGetClockInfo");
}

int nvmlDeviceGetMaxClockInfo(void *device, unsigned which, unsigned *mhz)
{
    (void)device;
    *mhz = which == CLOCK_OF_SM ? 1980 : 2619;
    return enter("nvmlDeviceGetMaxClockInfo");
}

int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *celsius)
{
    (void)device;
    (void)sensor;
    *celsius = 40;
    return enter("nvmlDeviceGetTemperature");
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits)
{
    (void)device;
    *bits = value_of("throttle", 0);
    return enter("nvmlDeviceGetCurrentClocksThrottleReasons");
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = value_of("power", 100000);
    return enter("nvmlDeviceGetPowerUsage");
}
