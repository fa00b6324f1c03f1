/* SPDX-License-Identifier: Apache-2.0
 *
 * ptx_test.h - what the tests of the PTX reader share.
 */
#ifndef PTX_TEST_H
#define PTX_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "model/ptx.h"

#define HEAD    ".version 7.5\n.target sm_75\n.address_size 64\n"
#define TEST(f) cmocka_unit_test(f)

/* A module of that text, which must be good. */
static inline struct bl_ptx_module *good(const char *text)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_ptx_module *module = NULL;

    if (bl_ptx_read("m.ptx", text, strlen(text), &module, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    return module;
}

/* A kernel with that body. */
static inline struct bl_ptx_module *good_body(const char *body)
{
    char *text = bl_text_format(HEAD ".visible .entry k(.param .u64 k_param_0)\n{\n"
                                     ".reg .pred %%p<9>; .reg .b16 %%rs<9>;"
                                     ".reg .b32 %%r<99>; .reg .b64 %%rd<9>;"
                                     ".reg .f32 %%f<9>;\n%s\n}\n",
                                body);
    struct bl_ptx_module *module;

    assert_non_null(text);
    module = good(text);
    free(text);
    return module;
}

/* A file beside the tests. */
static inline char *test_file(const char *name, size_t *length)
{
    const char *top = getenv("top_srcdir");
    char *path = bl_text_format("%s/t/ptx/data/%s", top ? top : ".", name), *text = NULL;
    struct bl_error err = {BL_OK, ""};

    assert_non_null(path);
    if (bl_text_read_file(path, 1 << 24, &text, length, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
    free(path);
    return text;
}

#endif
