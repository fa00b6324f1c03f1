/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cupti_library.h"

#include <dlfcn.h>
#include <string.h>

enum bl_status bl_cupti_library_open(struct bl_cupti_library *out, struct bl_error *err)
{
    static const char *const names[] = {
        "libcupti.so.13",
        "libcupti.so.12",
        "libcupti.so",
        "/usr/local/cuda/lib64/libcupti.so",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
    };
    void *handle = NULL, *at;

    for (size_t i = 0; !handle && i < sizeof names / sizeof *names; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: libcupti, a part of the CUDA Toolkit, "
                            "was not found; put its folder on LD_LIBRARY_PATH");
    if (!(at = dlsym(handle, "cuptiGetResultString")))
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: a broken libcupti");
    out->handle = handle;
    memcpy(&out->result_text, &at, sizeof at);
    return BL_OK;
}

enum bl_status bl_cupti_library_find(const struct bl_cupti_library *library,
                                     const char *symbol, const char *since, void **out,
                                     struct bl_error *err)
{
    void *at = dlsym(library->handle, symbol);

    if (!at)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: this libcupti has no %s; CUDA %s or "
                            "newer is needed",
                            symbol, since);
    *out = at;
    return BL_OK;
}

enum bl_status bl_cupti_library_failed(const struct bl_cupti_library *library,
                                       CUptiResult result, const char *call,
                                       struct bl_error *err)
{
    const char *text = NULL;

    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        return bl_error_set(
            err, BL_E_UNSUPPORTED,
            "no hardware counters: the driver lets only an administrator read them "
            "(ERR_NVGPUCTRPERM); run as root, or load the nvidia module with "
            "NVreg_RestrictProfilingToAdminUsers=0");
    library->result_text(result, &text);
    return bl_error_set(err, BL_E_UNSUPPORTED, "no hardware counters: %s: %s", call,
                        text ? text : "failed");
}
