/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"

char *source_path(const char *format, ...)
{
    const char *top = getenv("top_srcdir");
    char tail[512];
    va_list ap;
    if (!top)
        fail_msg("top_srcdir is not set");
    va_start(ap, format);
    vsnprintf(tail, sizeof tail, format, ap);
    va_end(ap);
    char *path = bl_text_format("%s/%s", top, tail);
    assert_non_null(path);
    return path;
}

void source_paths(struct bl_paths *out)
{
    *out = (struct bl_paths){.conf_dir = source_path("conf"),
                             .plugin_profile_dir = source_path("plugins")};
}

void arch_of(const char *name, struct bl_arch *out)
{
    struct bl_paths paths;
    struct bl_error err;
    source_paths(&paths);
    if (bl_arch_read(&paths, name, out, &err) != BL_OK)
        fail_msg("%s", err.text);
    bl_paths_free(&paths);
}

static const char *field(char **rest, const char *name, int line)
{
    const char *text = strsep(rest, ",\r\n");
    if (!text || !*text)
        fail_msg("%s:%d: a field is missing", name, line);
    return text;
}

static void read_row(char *text, const char *name, int numbers, struct row *row)
{
    char *rest = text;
    row->is_store = strcmp(field(&rest, name, row->line), "store") == 0;
    row->width = (uint32_t)strtoul(field(&rest, name, row->line), NULL, 0);
    row->mask = (uint32_t)strtoul(field(&rest, name, row->line), NULL, 0);
    for (int l = 0; l < 32; l++)
        row->address[l] = (uint32_t)strtoul(field(&rest, name, row->line), NULL, 0);
    for (int i = 0; i < numbers; i++)
        row->number[i] = strtod(field(&rest, name, row->line), NULL);
}

int rows_read(const char *name, int numbers, void (*fn)(void *ctx, const struct row *row),
              void *ctx)
{
    char *path = source_path("t/data/%s", name), text[1024];
    FILE *file = fopen(path, "r");
    struct row row = {0};
    int count = 0;
    if (!file)
        fail_msg("%s can't be opened", path);
    for (row.line = 1; fgets(text, sizeof text, file); row.line++) {
        if (row.line == 1)
            continue; /* the header */
        read_row(text, name, numbers, &row);
        fn(ctx, &row);
        count++;
    }
    fclose(file);
    free(path);
    return count;
}
