/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_device.h - a real NVIDIA GPU as a device of the lab.
 */
#ifndef BL_CUDA_DEVICE_H
#define BL_CUDA_DEVICE_H

#include "work/device.h"

extern const struct bl_device_ops bl_device_cuda;

#endif
