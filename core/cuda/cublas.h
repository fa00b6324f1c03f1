/* SPDX-License-Identifier: Apache-2.0
 *
 * cublas.h - cuBLAS's matrix transpose as a reference to time against. The library is
 * opened with dlopen; only its time counts here, its result is not checked.
 */
#ifndef BL_CUBLAS_H
#define BL_CUBLAS_H

#include <cuda.h>

#include "cuda/protocol.h"

struct bl_cublas;

/* BL_E_UNSUPPORTED, saying so, where there is no cuBLAS. The context must be current. */
enum bl_status bl_cublas_open(CUstream stream, struct bl_cublas **out,
                              struct bl_error *err);
void bl_cublas_close(struct bl_cublas *cublas);

/* Enqueues out = in transposed, by geam: elements of 4 (float), 8 (double) and 16 bytes
 * (double complex). BL_E_UNSUPPORTED for other widths, for sides past 2^31 - 1, and
 * for batches: it has no call for more than one. */
enum bl_status bl_cublas_transpose(struct bl_cublas *cublas,
                                   const struct bl_ask_timing *ask, CUdeviceptr in,
                                   CUdeviceptr out, struct bl_error *err);

#endif
