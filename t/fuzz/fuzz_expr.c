/* SPDX-License-Identifier: Apache-2.0
 *
 * Any text as an expression: read or refused, with a value or without, the same each
 * time, and a mark below the text in every error. As a libFuzzer target: clang
 * -fsanitize=fuzzer,address,undefined with this file and the core, without fuzz_main.c.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "fuzz.h"

const char *const fuzz_seeds[] = {
    "4*((t%16)*33+t/16)",
    "4*(32*t+(5^(t&7)))<<2>>1|~3",
    "tx==5&&ty!=3||!t?min(t,tx)-max(1,2):abs(-t)",
    "ceil(t/32)+floor(tx/3)*ceil_div(t,7)%0x1f<=017u",
    "((((-(-(+(~(!t))))))))>=9223372036854775807",
    NULL,
};

static void check_error(const char *text, const struct bl_error *err)
{
    const char *mark = strrchr(err->text, '\n');

    if (err->status != BL_E_INPUT || !*err->text)
        abort();
    if (strncmp(err->text, "column ", 7) == 0 && (!mark || !strchr(mark, '^')) &&
        strlen(err->text) + 4 < sizeof err->text)
        abort();
    (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"t", "tx", "ty"};
    static const int64_t values[][3] = {
        {0, 0, 0}, {37, 5, 2}, {-1, INT64_MIN, INT64_MAX}};
    char *text = malloc(size + 1);
    struct bl_expr *expr = NULL;
    struct bl_error err = {BL_OK, ""};

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (bl_expr_read(text, names, 3, &expr, &err) != BL_OK)
        check_error(text, &err);
    for (size_t i = 0; expr && i < 3; i++) {
        int64_t value = 1, again = 2;
        enum bl_status status = bl_expr_value(expr, values[i], &value, &err);

        if (status != BL_OK)
            check_error(text, &err);
        else if (bl_expr_value(expr, values[i], &again, &err) != BL_OK || value != again)
            abort();
    }
    bl_expr_free(expr);
    free(text);
    return 0;
}
