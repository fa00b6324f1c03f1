/* SPDX-License-Identifier: Apache-2.0
 *
 * calibrate_model.h - the model GPU as the one that measures: whether what the emulator
 * counts of the kernels is what the rules say of the patterns.
 */
#ifndef BL_CALIBRATE_MODEL_H
#define BL_CALIBRATE_MODEL_H

#include "calibrate/calibrate.h"

/* End with device->close. */
enum bl_status bl_cal_model_open(const struct bl_arch *arch, struct bl_cal_device *out,
                                 struct bl_error *err);

#endif
