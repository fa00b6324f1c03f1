/* SPDX-License-Identifier: Apache-2.0
 *
 * demangle.h - C++ names, read by the C++ library where there is one. It is looked for
 * when it is needed, so that the lab does not need it to start.
 */
#ifndef BL_KERNEL_DEMANGLE_H
#define BL_KERNEL_DEMANGLE_H

#include <stddef.h>

struct bl_demangler {
    void *library; /* NULL: there is none */
    char *(*function)(const char *name, char *out, size_t *size, int *status);
};

void bl_demangler_open(struct bl_demangler *out);
void bl_demangler_close(struct bl_demangler *demangler);

/* The name in C++, without a function's return type; fresh. NULL: not mangled, or nobody
 * knows. */
char *bl_demangle(const struct bl_demangler *demangler, const char *name);

#endif
