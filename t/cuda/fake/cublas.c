/* SPDX-License-Identifier: Apache-2.0
 *
 * cublas.c - a test double of cuBLAS; see fake.h. It transposes through the double of
 * the driver. FAKE_CUBLAS_FAIL names a call that fails.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasSetStream_v2(void *handle, CUstream stream);

enum { OK = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };

struct handle {
    CUstream stream;
};

static int enter(const char *call)
{
    const char *fail = getenv("FAKE_CUBLAS_FAIL");

    return fail && strcmp(fail, call) == 0 ? EXECUTION_FAILED : OK;
}

int cublasCreate_v2(void **handle)
{
    if (enter("cublasCreate_v2") != OK)
        return NOT_INITIALIZED;
    *handle = calloc(1, sizeof(struct handle));
    return *handle ? OK : NOT_INITIALIZED;
}

int cublasDestroy_v2(void *handle)
{
    free(handle);
    return enter("cublasDestroy_v2");
}

int cublasSetStream_v2(void *handle, CUstream stream)
{
    ((struct handle *)handle)->stream = stream;
    return enter("cublasSetStream_v2");
}

/* out(m x n) = transposed in, both by columns: what core/cuda asks for and no more. */
static int geam(struct handle *handle, uint32_t elem, int op_a, int op_b, int m, int n,
                const void *in, int lda, int ldb, void *out, int ldc)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *at = NULL;
    __typeof__(fake_cuda_geam) *run;
    int result = EXECUTION_FAILED;

    if (library && (at = dlsym(library, "fake_cuda_geam")) && op_a == 1 && op_b == 0 &&
        m > 0 && n > 0 && lda >= n && ldb >= m && ldc >= m) {
        memcpy(&run, &at, sizeof run);
        result = run(handle->stream, elem, (uint64_t)m, (uint64_t)n, (CUdeviceptr)in,
                     (CUdeviceptr)out);
    } else if (at) {
        result = INVALID_VALUE;
    }
    if (library)
        dlclose(library);
    return result;
}

#define GEAM(name, elem)                                                                 \
    int name(void *handle, int op_a, int op_b, int m, int n, const void *alpha,          \
             const void *a, int lda, const void *beta, const void *b, int ldb, void *c,  \
             int ldc);                                                                   \
    int name(void *handle, int op_a, int op_b, int m, int n, const void *alpha,          \
             const void *a, int lda, const void *beta, const void *b, int ldb, void *c,  \
             int ldc)                                                                    \
    {                                                                                    \
        (void)alpha;                                                                     \
        (void)beta;                                                                      \
        (void)b;                                                                         \
        if (enter(#name) != OK)                                                          \
            return EXECUTION_FAILED;                                                     \
        return geam(handle, elem, op_a, op_b, m, n, a, lda, ldb, c, ldc);                \
    }
GEAM(cublasSgeam, 4)
GEAM(cublasDgeam, 8)
GEAM(cublasZgeam, 16)
