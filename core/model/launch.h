/* SPDX-License-Identifier: Apache-2.0
 *
 * launch.h - checks a launch and makes it ready.
 */
#ifndef BL_LAUNCH_H
#define BL_LAUNCH_H

#include "model/program.h"

struct bl_launch_setup {
    struct bl_image *image;
    uint8_t *params;       /* the kernel's, laid out; caller frees */
    uint64_t shared_bytes; /* static and dynamic */
};

/* BL_E_INPUT: no such kernel, wrong arguments, or a limit of `arch` that is broken. */
enum bl_status bl_launch_prepare(struct bl_program *program,
                                 const struct bl_model_launch *launch,
                                 const struct bl_arch *arch, struct bl_launch_setup *out,
                                 struct bl_error *err);

#endif
