/* SPDX-License-Identifier: Apache-2.0
 *
 * backends.c - the one place that knows which devices were built.
 */
#include <config.h>

#ifdef HAVE_CUDA
#include "cuda/cuda_device.h"
#endif
#include "model/model_device.h"
#include "work/device.h"

const struct bl_device_ops *const bl_device_backends[] = {
#ifdef HAVE_CUDA
    &bl_device_cuda,
#endif
    &bl_device_model, NULL};
