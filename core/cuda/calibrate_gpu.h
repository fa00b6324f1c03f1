/* SPDX-License-Identifier: Apache-2.0
 *
 * calibrate_gpu.h - a real GPU as the one that measures access patterns.
 */
#ifndef BL_CALIBRATE_GPU_H
#define BL_CALIBRATE_GPU_H

#include "calibrate/calibrate.h"

/* GPU `ordinal`; the rules are those of the arch file of its compute capability, or of
 * `arch` if that is not NULL. BL_E_UNSUPPORTED: no driver or GPU here. */
enum bl_status bl_cal_gpu_open(const struct bl_paths *paths, int ordinal,
                               const char *arch, struct bl_cal_device *out,
                               struct bl_error *err);

#endif
