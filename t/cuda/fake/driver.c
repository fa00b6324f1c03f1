/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.c - the double's devices, errors and log. See fake.h.
 */
#include "fake.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fake_driver fake;

enum { CALLS_MAX = 64 };
static struct {
    const char *name;
    unsigned long times;
} calls[CALLS_MAX];

void fake_log(const char *format, ...)
{
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    va_list ap;

    if (!log)
        return;
    va_start(ap, format);
    vfprintf(log, format, ap);
    va_end(ap);
    fputc('\n', log);
    fclose(log);
}

static uint64_t number(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, NULL, 10) : fallback;
}

static double real(const char *name)
{
    const char *text = getenv(name);

    return text ? strtod(text, NULL) : 0;
}

/* ---- calls --------------------------------------------------------------------- */

static unsigned long count_call(const char *call)
{
    for (size_t i = 0; i < CALLS_MAX; i++) {
        if (!calls[i].name)
            calls[i].name = call;
        if (strcmp(calls[i].name, call) == 0)
            return ++calls[i].times;
    }
    abort();
}

CUresult fake_enter(const char *call)
{
    const unsigned long times = count_call(call);
    const char *fail = getenv("FAKE_CUDA_FAIL");
    const size_t length = strlen(call);
    unsigned long n;
    char *end;

    if (!fail || strncmp(fail, call, length) != 0 || fail[length] != ':')
        return CUDA_SUCCESS;
    n = strtoul(fail + length + 1, &end, 10);
    if (n != times)
        return CUDA_SUCCESS;
    return *end == ':' ? (CUresult)strtol(end + 1, NULL, 10) : CUDA_ERROR_UNKNOWN;
}

CUresult fake_enter_context(const char *call)
{
    FAKE_BEGIN(fake_enter, call);
    if (!fake.up)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!fake.context)
        return CUDA_ERROR_INVALID_CONTEXT;
    return fake.sticky;
}

/* Whether the deed named by variable `name` is this execution of `kernel`. */
static bool deed(const char *name, const char *kernel, unsigned long times)
{
    const char *text = getenv(name);
    const size_t length = strlen(kernel);

    if (!text || strncmp(text, kernel, length) != 0)
        return false;
    if (text[length] == ':')
        return strtoul(text + length + 1, NULL, 10) == times;
    return text[length] == '\0' && times == 1;
}

void fake_deeds(const char *kernel)
{
    enum { KERNELS_MAX = 256, NAME_MAX_ = 64 };
    static struct {
        char name[NAME_MAX_];
        unsigned long times;
    } seen[KERNELS_MAX];
    unsigned long times = 0;

    for (size_t i = 0; i < KERNELS_MAX && !times; i++) {
        if (!*seen[i].name)
            snprintf(seen[i].name, sizeof seen[i].name, "%s", kernel);
        if (strcmp(seen[i].name, kernel) == 0)
            times = ++seen[i].times;
    }
    if (deed("FAKE_CUDA_KILL", kernel, times))
        abort();
    if (deed("FAKE_CUDA_HANG", kernel, times)) {
        fake_log("hang %ld", (long)getpid());
        for (;;)
            pause();
    }
    if (deed("FAKE_CUDA_FAULT", kernel, times))
        fake.sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
}

/* What is left then is no leak of the host's memory: the log says it. */
__attribute__((destructor)) static void end(void)
{
    unsigned long modules = 0;

    if (!fake.up)
        return;
    for (CUmodule module = fake.modules; module; module = module->next)
        modules++;
    for (size_t i = 0; i < CALLS_MAX && calls[i].name; i++)
        fake_log("calls %s %lu", calls[i].name, calls[i].times);
    fake_log("left blocks=%zu modules=%lu streams=%ld graphs=%ld execs=%ld events=%ld "
             "context=%d",
             fake.block_count, modules, fake.streams, fake.graphs, fake.execs,
             fake.events, fake.context);
    fake_memory_end();
    fake_modules_end();
}

/* ---- errors -------------------------------------------------------------------- */

static const struct {
    CUresult code;
    const char *name, *text;
} errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

CUresult cuGetErrorName(CUresult code, const char **out)
{
    FAKE_BEGIN(fake_enter, "cuGetErrorName");
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) {
            *out = errors[i].name;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult code, const char **out)
{
    FAKE_BEGIN(fake_enter, "cuGetErrorString");
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) {
            *out = errors[i].text;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

/* ---- devices ------------------------------------------------------------------- */

CUresult cuInit(unsigned flags)
{
    struct bl_paths paths = {.conf_dir = (char *)FAKE_CONF_DIR};
    struct bl_error err;
    char arch[16];

    (void)flags;
    FAKE_BEGIN(fake_enter, "cuInit");
    fake.devices = (int)number("FAKE_CUDA_DEVICES", 1);
    fake.cc = (int)number("FAKE_CUDA_CC", 90);
    fake.total = number("FAKE_CUDA_MEMORY", UINT64_C(1) << 30);
    fake.l2 = number("FAKE_CUDA_L2", 256 << 10);
    fake.noise = real("FAKE_CUDA_NOISE") / 100;
    fake.drift = real("FAKE_CUDA_DRIFT") / 100;
    fake.slow = getenv("FAKE_CUDA_SLOW") ? real("FAKE_CUDA_SLOW") : 1;
    fake.left = real("FAKE_CUDA_LEFT");
    fake.random = 1;
    snprintf(arch, sizeof arch, "cc%d", fake.cc);
    if (bl_arch_read(&paths, arch, &fake.arch, &err) != BL_OK)
        return CUDA_ERROR_INVALID_VALUE;
    fake.up = true;
    return fake.devices ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int *out)
{
    FAKE_BEGIN(fake_enter, "cuDriverGetVersion");
    *out = 13000;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *out)
{
    FAKE_BEGIN(fake_enter, "cuDeviceGetCount");
    *out = fake.devices;
    return fake.up ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuDeviceGet(CUdevice *out, int ordinal)
{
    FAKE_BEGIN(fake_enter, "cuDeviceGet");
    if (ordinal < 0 || ordinal >= fake.devices)
        return CUDA_ERROR_INVALID_DEVICE;
    *out = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *out, int size, CUdevice device)
{
    (void)device;
    FAKE_BEGIN(fake_enter, "cuDeviceGetName");
    snprintf(out, (size_t)size, FAKE_NAME);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *out, int size, CUdevice device)
{
    FAKE_BEGIN(fake_enter, "cuDeviceGetPCIBusId");
    snprintf(out, (size_t)size, "0000:0%d:00.0", device);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *out, CUdevice device)
{
    (void)device;
    FAKE_BEGIN(fake_enter, "cuDeviceTotalMem");
    *out = fake.total;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *out, CUdevice_attribute which, CUdevice device)
{
    const struct bl_arch *arch = &fake.arch;
    const struct {
        CUdevice_attribute which;
        uint64_t value;
    } values[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, (uint64_t)fake.cc / 10},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, (uint64_t)fake.cc % 10},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, fake.l2},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, arch->max_threads},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, arch->max_block[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, arch->max_block[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, arch->max_block[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, arch->max_grid[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, arch->max_grid[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, arch->max_grid[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, arch->max_shared},
    };

    (void)device;
    FAKE_BEGIN(fake_enter, "cuDeviceGetAttribute");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].which == which) {
            *out = (int)values[i].value;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

/* ---- the context --------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device)
{
    (void)device;
    FAKE_BEGIN(fake_enter, "cuDevicePrimaryCtxRetain");
    fake.context = true;
    *out = (CUcontext)&fake;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    FAKE_BEGIN(fake_enter, "cuDevicePrimaryCtxRelease");
    fake.context = false;
    return fake.sticky;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    (void)context;
    FAKE_BEGIN(fake_enter_context, "cuCtxSetCurrent");
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    FAKE_BEGIN(fake_enter_context, "cuCtxSynchronize");
    fake_land();
    return CUDA_SUCCESS;
}
