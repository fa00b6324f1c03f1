/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_layout.c - where a layout puts an element, as a number and as text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/advise.h"
#include "base/text.h"

const char *bl_layout_name(enum bl_layout_kind kind)
{
    static const char *const names[BL_LAYOUTS] = {"padding", "rotation", "xor"};

    return names[kind];
}

uint32_t bl_layout_place(const struct bl_layout *layout, uint32_t row, uint32_t col)
{
    uint32_t place = col;

    if (layout->kind == BL_LAYOUT_ROTATE)
        place = (uint32_t)((col + (uint64_t)(row / layout->every) * layout->step) %
                           layout->pitch);
    for (uint32_t i = 0; layout->kind == BL_LAYOUT_XOR && i < layout->terms; i++)
        place ^= (row / layout->term[i].every & layout->term[i].mask)
                 << layout->term[i].left;
    return row * layout->pitch + place;
}

/* "row", "row / 4" */
static char *divided(const char *row, uint32_t every)
{
    return every == 1 ? bl_text_format("%s", row)
                      : bl_text_format("%s / %" PRIu32, row, every);
}

static char *rotation(const struct bl_layout *layout, const char *row, const char *col)
{
    char *part = divided(row, layout->every), *text = NULL;

    if (part && layout->step == 1)
        text = bl_text_format("(%s + %s) %% %" PRIu32, col, part, layout->pitch);
    else if (part)
        text = bl_text_format("(%s + %s * %" PRIu32 ") %% %" PRIu32, col, part,
                              layout->step, layout->pitch);
    free(part);
    return text;
}

/* "row", "row & 7", "(row / 4 & 7) << 2", with parentheses that compilers like. */
static char *term(const struct bl_layout_term *term, uint32_t rows, const char *row)
{
    const bool masked = (rows - 1) / term->every > term->mask;
    char *part = divided(row, term->every), *text = NULL, *whole = NULL;

    if (part && masked && term->every > 1)
        text = bl_text_format("((%s) & %" PRIu32 ")", part, term->mask);
    else if (part && masked)
        text = bl_text_format("(%s & %" PRIu32 ")", part, term->mask);
    else if (part && term->every > 1)
        text = bl_text_format("(%s)", part);
    else if (part)
        text = bl_text_format("%s", part);
    if (text && term->left > 0)
        whole = bl_text_format("(%s << %" PRIu32 ")", text, term->left);
    free(part);
    if (term->left == 0)
        return text;
    free(text);
    return whole;
}

static char *exclusive(const struct bl_layout *layout, uint32_t rows, const char *row,
                       const char *col)
{
    char *text = bl_text_format("%s", col);

    for (uint32_t i = 0; i < layout->terms && text; i++) {
        char *part = term(&layout->term[i], rows, row), *longer = NULL;

        if (part)
            longer = bl_text_format("%s ^ %s", text, part);
        free(part);
        free(text);
        text = longer;
    }
    return text;
}

char *bl_layout_column_text(const struct bl_layout *layout, uint32_t rows,
                            const char *row, const char *col)
{
    switch (layout->kind) {
    case BL_LAYOUT_ROTATE: return rotation(layout, row, col);
    case BL_LAYOUT_XOR: return exclusive(layout, rows, row, col);
    default: return bl_text_format("%s", col);
    }
}

char *bl_layout_place_text(const struct bl_layout *layout, uint32_t rows, const char *row,
                           const char *col)
{
    const bool enclosed = layout->kind == BL_LAYOUT_XOR;
    char *column = bl_layout_column_text(layout, rows, row, col), *text = NULL;

    if (column)
        text = bl_text_format("%s * %" PRIu32 " + %s%s%s", row, layout->pitch,
                              enclosed ? "(" : "", column, enclosed ? ")" : "");
    free(column);
    return text;
}
