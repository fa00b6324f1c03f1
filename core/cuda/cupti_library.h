/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti_library.h - libcupti, opened with dlopen, and its failures in words.
 */
#ifndef BL_CUPTI_LIBRARY_H
#define BL_CUPTI_LIBRARY_H

#include <cupti_result.h>

#include "base/error.h"

struct bl_cupti_library {
    void *handle;
    CUptiResult (*result_text)(CUptiResult, const char **);
};

/* BL_E_UNSUPPORTED with the remedy: no such library, or a broken one. It is never
 * closed: CUPTI does not take being unloaded under a live context. */
enum bl_status bl_cupti_library_open(struct bl_cupti_library *out, struct bl_error *err);

/* The function `symbol`; BL_E_UNSUPPORTED with the version that has it, `since`. */
enum bl_status bl_cupti_library_find(const struct bl_cupti_library *library,
                                     const char *symbol, const char *since, void **out,
                                     struct bl_error *err);

/* BL_E_UNSUPPORTED: `call` gave `result`; without permission, how to get it. */
enum bl_status bl_cupti_library_failed(const struct bl_cupti_library *library,
                                       CUptiResult result, const char *call,
                                       struct bl_error *err);

#endif
