/* SPDX-License-Identifier: Apache-2.0
 *
 * backends.c - the one place that knows which devices were built.
 */
#include "model/model_device.h"
#include "work/device.h"

const struct bl_device_ops *const bl_device_backends[] = {&bl_device_model, NULL};
