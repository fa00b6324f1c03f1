/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a text without a NUL, up to the last byte of the plugin's memory.
 */
#include "banklab/plugin.h"

/* The linker's name for the end of a shared object. */
extern char _end[] __attribute__((visibility("hidden")));

static char text[64];

__attribute__((constructor)) static void fill(void)
{
    for (volatile char *at = text; at < (char *)_end; at++)
        *at = 'a';
}

static const struct banklab_param table[] = {
    {.name = "pad", .help = text, .type = BANKLAB_PARAM_INT},
};

#define NAME   "text_endless"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
