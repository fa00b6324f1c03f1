/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an INI file: read or refused, with sane lines and names. As a libFuzzer
 * target: clang -fsanitize=fuzzer,address with this file and the core, without
 * fuzz_main.c.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "load/ini_read.h"

const char *const fuzz_seeds[] = {
    "[run]\ndevice = auto ; here\narch=cc90\n\n[case a]\nplugin = copy\n",
    "\xef\xbb\xbf[a]\r\nx : 1\r\n# no\r\n ; no\r\n[b c]\r\nexpect.ways = <= 32",
    "[a]\nfoo\n[b\n] c\n = 3\n\ty = 2\n[]\nx=\n",
    NULL,
};

static enum bl_status check(void *ctx, const char *file, int line, const char *section,
                            const char *name, const char *value, struct bl_error *err)
{
    int *last = ctx;
    (void)file;
    (void)err;
    if (line <= *last || !*section || strlen(section) > BL_INI_NAME_MAX)
        abort();
    if ((name == NULL) != (value == NULL))
        abort();
    if (name && (!*name || strlen(name) > BL_INI_NAME_MAX || strpbrk(name, "=\n\r") ||
                 strpbrk(value, "\n\r")))
        abort();
    *last = line;
    return BL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_error err = {BL_OK, ""};
    int last = 0;
    enum bl_status status =
        bl_ini_read_text("fuzz", (const char *)data, size, check, &last, &err);
    if (status != BL_OK && strncmp(err.text, "fuzz:", 5) != 0)
        abort();
    return 0;
}
