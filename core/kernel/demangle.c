/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/demangle.h"

/* The demangler of the Itanium C++ ABI, which compilers and PTX follow: GNU's, LLVM's. */
static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};

void bl_demangler_open(struct bl_demangler *out)
{
    *out = (struct bl_demangler){NULL, NULL};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !out->library; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
        if (symbol) {
            out->library = library;
            memcpy(&out->function, &symbol, sizeof symbol);
        } else if (library) {
            dlclose(library);
        }
    }
}

void bl_demangler_close(struct bl_demangler *demangler)
{
    if (demangler->library)
        dlclose(demangler->library);
}

char *bl_demangle(const struct bl_demangler *demangler, const char *name)
{
    char *text;
    int status = -1;
    if (!demangler->library || strncmp(name, "_Z", 2) != 0)
        return NULL;
    text = demangler->function(name, NULL, NULL, &status);
    if (status != 0 || !text) {
        free(text);
        return NULL;
    }
    /* Templates are told with what they return; a kernel returns nothing else. */
    if (strncmp(text, "void ", 5) == 0)
        memmove(text, text + 5, strlen(text + 5) + 1);
    return text;
}
