/* SPDX-License-Identifier: Apache-2.0
 *
 * compile.h - PTX of a .cu file, by nvcc or clang, kept between runs.
 */
#ifndef BL_KERNEL_COMPILE_H
#define BL_KERNEL_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "load/plugin_form.h"

struct bl_compile {
    const char *source;           /* the .cu file */
    const struct bl_paths *paths; /* of banklab/device.h, and of what stands in for a
                                     toolkit's headers where clang has none */
    const char *compiler;         /* nvcc or clang, a path or a name to be found in PATH;
                                     NULL: what configure found, else one that is in PATH */
    const char *flags;            /* more options, parted by blanks */
    char *const *defines;         /* "-DTILE=32"; NULL-terminated */
    uint32_t cc;                  /* 75: compute capability 7.5 */
};

/* The PTX, fresh and NUL-terminated, *length bytes without the NUL. It is kept in
 * $XDG_CACHE_HOME/banklab, else ~/.cache/banklab, by content: it is taken from there
 * only if the compiler, its options and variables, the source and all files that it
 * included are as they were. Where nothing can be kept, env->warn is told, once.
 * BL_E_INPUT: there is no compiler, or what the compiler says. */
enum bl_status bl_compile(const struct bl_compile *job, struct bl_form_env *env,
                          char **text, size_t *length, struct bl_error *err);

#endif
