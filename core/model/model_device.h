/* SPDX-License-Identifier: Apache-2.0
 *
 * model_device.h - the model GPU as a device of the lab.
 */
#ifndef BL_MODEL_DEVICE_H
#define BL_MODEL_DEVICE_H

#include "work/device.h"

extern const struct bl_device_ops bl_device_model;

#endif
