/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_paste.c - what to write for an access under a layout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bank/advise_read.h"
#include "base/text.h"

/* Element i of the tile: row i / P, column i % P. */
static void linear(const char *text, const struct bl_tile *tile, char **row, char **col)
{
    *row = bl_text_format("((%s) / %" PRIu32 ")", text, tile->elem * tile->pitch);
    if (tile->elem == 1)
        *col = bl_text_format("((%s) %% %" PRIu32 ")", text, tile->pitch);
    else
        *col = bl_text_format("((%s) / %" PRIu32 " %% %" PRIu32 ")", text, tile->elem,
                              tile->pitch);
}

/* Right for every address of the form row * P * elem + column * elem. */
static void by_values(const char *text, const char *pitch, uint32_t elem, char **row,
                      char **col)
{
    char *at0 = bl_advise_replace(text, pitch, "0");
    char *at1 = bl_advise_replace(text, pitch, "1");

    *row = *col = NULL;
    if (at0 && at1) {
        *row = bl_text_format("(((%s) - (%s)) / %" PRIu32 ")", at1, at0, elem);
        *col = bl_text_format("((%s) / %" PRIu32 ")", at0, elem);
    }
    free(at0);
    free(at1);
}

static char *word_for(const struct bl_advise_ask *ask,
                      const struct bl_advise_input *input, size_t i,
                      const struct bl_layout *layout)
{
    const char *text = bl_address_text(input->addresses[i]);
    const char *pitch = ask->constants->names[0];
    const bool is_linear = !bl_address_uses(input->addresses[i], 0);
    char *row = NULL, *col = NULL, *place = NULL, *out = NULL, number[16];

    if (!is_linear && layout->kind == BL_LAYOUT_PAD) {
        snprintf(number, sizeof number, "%" PRIu32, layout->pitch);
        return bl_advise_replace(text, pitch, number);
    }
    if (is_linear)
        linear(text, &input->tile, &row, &col);
    else if (!bl_advise_split(text, pitch, input->tile.elem, &row, &col))
        by_values(text, pitch, input->tile.elem, &row, &col);
    if (row && col)
        place = bl_layout_place_text(layout, input->tile.rows, row, col);
    if (place)
        out = input->tile.elem == 1
                  ? bl_text_format("%s", place)
                  : bl_text_format("(%s) * %" PRIu32, place, input->tile.elem);
    free(row);
    free(col);
    free(place);
    return out;
}

/* Every lane of every warp is where the layout has it. */
static bool is_right(const struct bl_advise_ask *ask, const struct bl_advise_input *input,
                     size_t i, const struct bl_layout *layout,
                     const struct bl_address *address)
{
    const struct bl_tile_access *access = &input->accesses[i];

    for (size_t j = 0; j < access->count; j++) {
        const struct bl_tile_lanes *lanes = &access->at[j];
        struct bl_warp_lanes at;
        struct bl_error why; /* of no interest */

        if (bl_address_lanes(address, &input->forms[i], ask->constants->values,
                             lanes->warp, &at, &why) != BL_OK ||
            at.mask != lanes->mask)
            return false;
        for (uint32_t m = lanes->mask; m != 0; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m);
            uint64_t place = bl_layout_place(layout, lanes->row[l], lanes->col[l]);
            if (at.address[l] != place * input->tile.elem)
                return false;
        }
    }
    return true;
}

enum bl_status bl_advise_paste(const struct bl_advise_ask *ask,
                               const struct bl_advise_input *input, size_t i,
                               const struct bl_layout *layout, char **out,
                               struct bl_error *err)
{
    struct bl_address *address = NULL;
    struct bl_error why;
    char *text = word_for(ask, input, i, layout);

    if (!text)
        return bl_error_nomem(err);
    if (bl_address_read(text, ask->constants, &address, &why) != BL_OK ||
        !is_right(ask, input, i, layout, address)) {
        free(text);
        text = NULL;
    }
    bl_address_free(address);
    *out = text;
    return BL_OK;
}
