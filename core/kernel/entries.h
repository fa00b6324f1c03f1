/* SPDX-License-Identifier: Apache-2.0
 *
 * entries.h - the kernels of a PTX module, by the names that C++ has for them.
 */
#ifndef BL_KERNEL_ENTRIES_H
#define BL_KERNEL_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "banklab/plugin.h"
#include "base/error.h"

/* A parameter of a kernel: what PTX tells of it, and C++ where the name is mangled. */
struct bl_entry_param {
    uint32_t type;   /* enum banklab_arg_type; 0: none that a launch can be given */
    const char *ptx; /* ".u64", ".b8"; constant */
    uint64_t bytes;
    bool known;      /* the next three are */
    bool is_pointer; /* or a reference */
    bool is_unsigned, is_signed;
    char *cxx; /* "float const*"; NULL: not known */
};

struct bl_kernel_entry {
    char *name;  /* in the PTX */
    char *shown; /* "transpose<float, 32>(float*, float const*, int, int)"; where it is
                    not mangled, or nobody demangles here, the name */
    struct bl_entry_param *params;
    size_t param_count;
};

struct bl_kernel_entries {
    struct bl_kernel_entry *at;
    size_t count;
};

/* Reads the module, whose `file` is for messages. BL_E_INPUT where it is no PTX. The
 * caller ends with bl_kernel_entries_free. */
enum bl_status bl_kernel_entries_read(const char *file, const char *text, size_t length,
                                      struct bl_kernel_entries *out,
                                      struct bl_error *err);
void bl_kernel_entries_free(struct bl_kernel_entries *entries);

/* The kernel that `wanted` means: its name in the PTX, or in C++ with or without the
 * parameters, the template's arguments, and the namespace, as far as it means one only.
 * NULL: the only kernel that there is. Blanks, and the u and l behind a template's
 * numbers, don't matter. BL_E_INPUT listing the kernels of `file` if there is none, or
 * several. */
enum bl_status bl_kernel_entries_find(const struct bl_kernel_entries *entries,
                                      const char *file, const char *wanted,
                                      const struct bl_kernel_entry **out,
                                      struct bl_error *err);

#endif
