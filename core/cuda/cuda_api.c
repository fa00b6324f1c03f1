/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cuda_api.h"

#include <dlfcn.h>
#include <string.h>

/* cuda.h turns a call's plain name into its current version by a macro; two steps let
 * that happen before the name becomes text. */
#define TEXT_OF(call)   #call
#define SYMBOL_OF(call) TEXT_OF(call)

/* Drivers from before CUDA 12.8 have no cuEventElapsedTime_v2; the call under its plain
 * name does the same. The first versions of other calls do not: no name is cut at large.
 */
static void *find_call(void *library, const char *symbol)
{
    void *at = dlsym(library, symbol);

    if (!at && strcmp(symbol, "cuEventElapsedTime_v2") == 0)
        at = dlsym(library, "cuEventElapsedTime");
    return at;
}

static enum bl_status find_calls(struct bl_cuda_api *api, struct bl_error *err)
{
#define FIND(call)                                                                       \
    do {                                                                                 \
        void *at = find_call(api->library, SYMBOL_OF(call));                             \
        if (!at)                                                                         \
            return bl_error_set(err, BL_E_UNSUPPORTED,                                   \
                                "libcuda.so.1 has no %s: its driver is too old",         \
                                SYMBOL_OF(call));                                        \
        memcpy(&api->call, &at, sizeof at);                                              \
    } while (0);
    BL_CUDA_CALLS(FIND)
#undef FIND
#define FIND_OPTIONAL(call)                                                              \
    do {                                                                                 \
        void *at = dlsym(api->library, SYMBOL_OF(call));                                 \
        memcpy(&api->call, &at, sizeof at);                                              \
    } while (0);
    BL_CUDA_OPTIONAL_CALLS(FIND_OPTIONAL)
#undef FIND_OPTIONAL
    return BL_OK;
}

enum bl_status bl_cuda_api_open(struct bl_cuda_api *api, struct bl_error *err)
{
    enum bl_status status;
    CUresult result;

    memset(api, 0, sizeof *api);
    api->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!api->library)
        return bl_error_set(err, BL_E_UNSUPPORTED, "no NVIDIA driver here: %s",
                            dlerror());
    status = find_calls(api, err);
    if (status == BL_OK) {
        result = api->cuInit(0);
        status = bl_cuda_check(api, result, "cuInit", BL_E_UNSUPPORTED, err);
    }
    if (status != BL_OK)
        bl_cuda_api_close(api);
    return status;
}

void bl_cuda_api_close(struct bl_cuda_api *api)
{
    if (api->library)
        dlclose(api->library);
    memset(api, 0, sizeof *api);
}

enum bl_status bl_cuda_check(const struct bl_cuda_api *api, CUresult result,
                             const char *call, enum bl_status status,
                             struct bl_error *err)
{
    const char *name = NULL, *meaning = NULL;

    if (result == CUDA_SUCCESS)
        return BL_OK;
    if (api->cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
        name = "an error that the driver has no name for";
    if (api->cuGetErrorString(result, &meaning) != CUDA_SUCCESS || !meaning)
        return bl_error_set(err, status, "%s: %s (%d)", call, name, (int)result);
    return bl_error_set(err, status, "%s: %s (%s)", call, name, meaning);
}
