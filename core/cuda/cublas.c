/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cublas.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The calls as cuBLAS's documentation gives them: cublasStatus_t is an enum whose
 * success is 0; the operation 0 is "as it is", 1 is "transposed". */
enum { AS_IT_IS = 0, TRANSPOSED = 1 };
typedef int geam_fn(void *handle, int op_a, int op_b, int m, int n, const void *alpha,
                    const void *a, int lda, const void *beta, const void *b, int ldb,
                    void *c, int ldc);

struct bl_cublas {
    void *library, *handle;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, CUstream stream);
    geam_fn *geam4, *geam8, *geam16;
};

static bool find_calls(struct bl_cublas *cublas)
{
    const struct {
        const char *name;
        void *slot;
    } calls[] = {
        {"cublasCreate_v2", &cublas->create},
        {"cublasDestroy_v2", &cublas->destroy},
        {"cublasSetStream_v2", &cublas->set_stream},
        {"cublasSgeam", &cublas->geam4},
        {"cublasDgeam", &cublas->geam8},
        {"cublasZgeam", &cublas->geam16},
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *at = dlsym(cublas->library, calls[i].name);
        if (!at)
            return false;
        memcpy(calls[i].slot, &at, sizeof at);
    }
    return true;
}

enum bl_status bl_cublas_open(CUstream stream, struct bl_cublas **out,
                              struct bl_error *err)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                        "libcublas.so.11", "libcublas.so",
                                        "/usr/local/cuda/lib64/libcublas.so"};
    struct bl_cublas *cublas = calloc(1, sizeof *cublas);
    int result;

    if (!cublas)
        return bl_error_nomem(err);
    for (size_t i = 0; !cublas->library && i < sizeof names / sizeof *names; i++)
        cublas->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!cublas->library || !find_calls(cublas)) {
        bl_cublas_close(cublas);
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "cuBLAS was not found; put libcublas's folder on "
                            "LD_LIBRARY_PATH");
    }
    result = cublas->create(&cublas->handle);
    if (result == 0)
        result = cublas->set_stream(cublas->handle, stream);
    if (result != 0) {
        bl_cublas_close(cublas);
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "cuBLAS could not be started: status %d", result);
    }
    *out = cublas;
    return BL_OK;
}

void bl_cublas_close(struct bl_cublas *cublas)
{
    if (!cublas)
        return;
    if (cublas->handle)
        cublas->destroy(cublas->handle);
    if (cublas->library)
        dlclose(cublas->library);
    free(cublas);
}

enum bl_status bl_cublas_transpose(struct bl_cublas *cublas,
                                   const struct bl_ask_timing *ask, CUdeviceptr in,
                                   CUdeviceptr out, struct bl_error *err)
{
    /* One and zero in each type: its first bytes, or all. */
    static const float one4 = 1, zero4 = 0;
    static const double one8[2] = {1, 0}, zero8[2] = {0, 0};
    const int rows = (int)ask->rows, cols = (int)ask->cols;
    geam_fn *geam = ask->elem == 4    ? cublas->geam4
                    : ask->elem == 8  ? cublas->geam8
                    : ask->elem == 16 ? cublas->geam16
                                      : NULL;
    const void *one = ask->elem == 4 ? (const void *)&one4 : one8;
    const void *zero = ask->elem == 4 ? (const void *)&zero4 : zero8;
    int result;

    if (!geam)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "cuBLAS transposes elements of 4, 8 and 16 bytes, not of %u",
                            ask->elem);
    if (ask->batch > 1)
        return bl_error_set(
            err, BL_E_UNSUPPORTED,
            "cuBLAS transposes one matrix a call, not a batch of %" PRIu64, ask->batch);
    if (ask->rows > INT32_MAX || ask->cols > INT32_MAX)
        return bl_error_set(err, BL_E_UNSUPPORTED, "cuBLAS's sides end at 2^31 - 1");
    /* Our rows x cols by rows is its cols x rows by columns. */
    result = geam(cublas->handle, TRANSPOSED, AS_IT_IS, rows, cols, one,
                  (const void *)(uintptr_t)in, cols, zero, (const void *)(uintptr_t)out,
                  rows, (void *)(uintptr_t)out, rows);
    if (result != 0)
        return bl_error_set(err, BL_E_UNSUPPORTED, "cuBLAS's geam failed with status %d",
                            result);
    return BL_OK;
}
