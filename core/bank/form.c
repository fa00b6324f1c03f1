/* SPDX-License-Identifier: Apache-2.0
 *
 * form.c - struct bl_access_form from words.
 */
#include "bank/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"

/* *out is whether `text` is the second of both names. */
static enum bl_status one_of_two(const char *what, const char *text,
                                 const char *const names[2], bool *out,
                                 struct bl_error *err)
{
    char hint[BL_HINT_SIZE];

    for (int i = 0; i < 2; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = i == 1;
            return BL_OK;
        }
    bl_hint_print(text, names, 2, hint, sizeof hint);
    return bl_error_set(err, BL_E_INPUT, "unknown %s \"%.60s\"%s", what, text, hint);
}

enum bl_status bl_form_set_op(struct bl_access_form *form, const char *text,
                              struct bl_error *err)
{
    static const char *const names[2] = {"load", "store"};

    return one_of_two("op", text, names, &form->is_store, err);
}

enum bl_status bl_form_set_space(struct bl_access_form *form, const char *text,
                                 struct bl_error *err)
{
    static const char *const names[2] = {"shared", "global"};

    return one_of_two("space", text, names, &form->is_global, err);
}

enum bl_status bl_form_set_width(struct bl_access_form *form, const char *text,
                                 struct bl_error *err)
{
    uint64_t width;

    if (!bl_text_uint(text, &width) || width == 0 || width > 32 ||
        (width & (width - 1)) != 0)
        return bl_error_set(err, BL_E_INPUT,
                            "a width is 1, 2, 4, 8 or 16 bytes (global memory: 32 too), "
                            "not \"%.60s\"",
                            text);
    form->width = (uint32_t)width;
    return BL_OK;
}

/* "16x16": the dimensions that aren't there are 1. */
static bool read_block(const char *text, uint32_t block[3])
{
    char buffer[64], *rest = buffer, *word;
    int count = 0;
    uint64_t number;

    if (strlen(text) >= sizeof buffer)
        return false;
    strcpy(buffer, text);
    while ((word = strsep(&rest, "x")) != NULL) {
        if (count == 3 || *word == '\0' || strlen(word) > 9 ||
            strspn(word, "0123456789") != strlen(word) || !bl_text_uint(word, &number) ||
            number == 0)
            return false;
        block[count++] = (uint32_t)number;
    }
    while (count < 3)
        block[count++] = 1;
    return true;
}

enum bl_status bl_form_set_block(struct bl_access_form *form, const char *text,
                                 struct bl_error *err)
{
    uint32_t block[3];

    if (!read_block(text, block))
        return bl_error_set(err, BL_E_INPUT,
                            "a block is X, XxY or XxYxZ threads, as in 16x16, not "
                            "\"%.60s\"",
                            text);
    memcpy(form->block, block, sizeof block);
    return BL_OK;
}

enum bl_status bl_form_set_mask(struct bl_access_form *form, const char *text,
                                struct bl_error *err)
{
    const char *digits = text;
    uint32_t mask;

    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        digits += 2;
    if (*digits == '\0' || strlen(digits) > 8 ||
        strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
        return bl_error_set(err, BL_E_INPUT,
                            "a mask is up to 8 hexadecimal digits, a bit a lane, as in "
                            "0x0000ffff, not \"%.60s\"",
                            text);
    mask = (uint32_t)strtoul(digits, NULL, 16);
    if (mask == 0)
        return bl_error_set(err, BL_E_INPUT, "the mask %.60s leaves no lane", text);
    form->mask = mask;
    return BL_OK;
}

enum bl_status bl_form_check(const struct bl_access_form *form,
                             const struct bl_arch *arch, struct bl_error *err)
{
    uint64_t threads = 1;

    if (form->width > 16 && !form->is_global)
        return bl_error_set(err, BL_E_INPUT,
                            "%" PRIu32 " bytes a lane is global memory's; shared "
                            "memory's widest access has 16",
                            form->width);
    for (int i = 0; i < 3; i++) {
        if (form->block[i] > arch->max_block[i])
            return bl_error_set(err, BL_E_INPUT,
                                "a block of %" PRIu32 " threads in %c; %s has at most "
                                "%" PRIu32,
                                form->block[i], "xyz"[i], arch -> name,
                                arch -> max_block[i]);
        threads *= form->block[i];
    }
    if (threads > arch->max_threads)
        return bl_error_set(err, BL_E_INPUT,
                            "a block of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " = %" PRIu64
                            " threads; %s has at most %" PRIu32,
                            form->block[0], form->block[1], form->block[2], threads,
                            arch->name, arch->max_threads);
    return BL_OK;
}

uint32_t bl_form_threads(const struct bl_access_form *form)
{
    return form->block[0] * form->block[1] * form->block[2];
}

uint32_t bl_form_warps(const struct bl_access_form *form)
{
    return (bl_form_threads(form) + 31) / 32;
}
