/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/advise_read.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The pitch is varied by a multiple of this, so that every address stays a multiple of
 * the width, whatever that is. */
enum { STEP = 16, STEPS = 3 };

/* ---- [width=16 block=32x8 mask=ff] EXPR -------------------------------------------- */

static enum bl_status set_word(struct bl_access_form *form, char *word,
                               struct bl_error *err)
{
    char *value = strchr(word, '=');

    if (value)
        *value++ = '\0';
    if (value && strcmp(word, "width") == 0)
        return bl_form_set_width(form, value, err);
    if (value && strcmp(word, "block") == 0)
        return bl_form_set_block(form, value, err);
    if (value && strcmp(word, "mask") == 0)
        return bl_form_set_mask(form, value, err);
    return bl_error_set(err, BL_E_INPUT,
                        "[width=N block=XxY mask=HEX] may stand before an expression, "
                        "not \"%.60s\"",
                        word);
}

/* Takes what stands in brackets into *form; *expr is the rest. */
static enum bl_status read_form(const char *text, struct bl_access_form *form,
                                const char **expr, struct bl_error *err)
{
    enum bl_status status = BL_OK;
    char *words, *rest, *word;
    const char *end;

    text += strspn(text, " \t");
    *expr = text;
    if (*text != '[')
        return BL_OK;
    end = strchr(text, ']');
    if (!end)
        return bl_error_set(err, BL_E_INPUT, "\"%.60s\" has no ] for its [", text);
    words = strndup(text + 1, (size_t)(end - text - 1));
    if (!words)
        return bl_error_nomem(err);
    for (word = strtok_r(words, " ,\t", &rest); word && status == BL_OK;
         word = strtok_r(NULL, " ,\t", &rest))
        status = set_word(form, word, err);
    free(words);
    *expr = end + 1 + strspn(end + 1, " \t");
    return status;
}

/* ---- row and column ------------------------------------------------------------------
 */

struct reader {
    const struct bl_advise_ask *ask;
    const struct bl_address *address;
    const struct bl_access_form *form;
    const struct bl_tile *tile;
    bool is_linear; /* the pitch does not stand in it */
};

static enum bl_status lanes_at(const struct reader *reader, uint32_t warp, uint32_t more,
                               struct bl_warp_lanes *out, struct bl_error *err)
{
    int64_t values[BL_CONSTANTS_MAX];

    memcpy(values, reader->ask->constants->values, sizeof values);
    values[0] += more;
    return bl_address_lanes(reader->address, reader->form, values, warp, out, err);
}

static enum bl_status not_affine(const struct reader *reader, uint32_t lane,
                                 uint32_t warp, struct bl_error *err)
{
    const char *name = reader->ask->constants->names[0];

    return bl_error_set(
        err, BL_E_INPUT,
        "lane %" PRIu32 " of warp %" PRIu32
        " has an address that does not grow with %s by "
        "a whole number of rows. (ROW*%s + COLUMN)*%" PRIu32
        " is expected, ROW and COLUMN "
        "without %s; what rotates or permutes columns is what will be looked for: "
        "leave it out",
        lane, warp, name, name, reader->tile->elem, name);
}

static enum bl_status place_of(const struct reader *reader, uint32_t warp, uint32_t lane,
                               const struct bl_warp_lanes at[STEPS],
                               struct bl_tile_lanes *out, struct bl_error *err)
{
    const uint32_t elem = reader->tile->elem, pitch = reader->tile->pitch;
    const int64_t first = (int64_t)at[0].address[lane];
    int64_t row = first / elem / pitch, col = first / elem % pitch;

    if (!reader->is_linear) {
        const int64_t grown = (int64_t)at[1].address[lane] - first;

        for (int i = 2; i < STEPS; i++)
            if ((int64_t)at[i].address[lane] - first != grown * i)
                return not_affine(reader, lane, warp, err);
        if (grown < 0 || grown % (STEP * elem) != 0)
            return not_affine(reader, lane, warp, err);
        row = grown / (STEP * elem);
        col = first / elem - row * pitch;
    }
    if (row >= BL_TILE_ROWS_MOST)
        return bl_error_set(err, BL_E_INPUT,
                            "lane %" PRIu32 " of warp %" PRIu32 " is in row %" PRId64
                            ": a tile has at most %d rows",
                            lane, warp, row, BL_TILE_ROWS_MOST);
    if (col < 0 || col >= pitch)
        return bl_error_set(err, BL_E_INPUT,
                            "lane %" PRIu32 " of warp %" PRIu32 " is in column %" PRId64
                            " of row %" PRId64 ", but a row has only 0 to %" PRIu32
                            ". Is the pitch right, and is the address counted from where "
                            "the tile begins?",
                            lane, warp, col, row, pitch - 1);
    out->row[lane] = (uint32_t)row;
    out->col[lane] = (uint32_t)col;
    return BL_OK;
}

static enum bl_status read_warp(const struct reader *reader, uint32_t warp,
                                struct bl_tile_lanes *out, struct bl_error *err)
{
    struct bl_warp_lanes at[STEPS];
    struct bl_tile_lanes lanes = {.warp = warp, .times = 1};
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; i < STEPS && status == BL_OK; i++)
        status = lanes_at(reader, warp, reader->is_linear ? 0 : i * STEP, &at[i], err);
    if (status != BL_OK)
        return status;
    lanes.mask = at[0].mask;
    for (uint32_t m = lanes.mask; m != 0 && status == BL_OK; m &= m - 1)
        status = place_of(reader, warp, (uint32_t)__builtin_ctz(m), at, &lanes, err);
    if (status == BL_OK)
        *out = lanes;
    return status;
}

static enum bl_status read_warps(const struct reader *reader,
                                 struct bl_tile_access *access, struct bl_error *err)
{
    const struct bl_advise_ask *ask = reader->ask;
    const uint32_t warps = bl_form_warps(reader->form);
    const uint32_t first = ask->all_warps ? 0 : ask->warp;
    const uint32_t last = ask->all_warps ? warps : ask->warp + 1;
    enum bl_status status = BL_OK;

    if (last > warps)
        return bl_error_set(err, BL_E_INPUT,
                            "there is no warp %" PRIu32 " in a block of %" PRIu32
                            " threads: 0 to %" PRIu32,
                            ask->warp, bl_form_threads(reader->form), warps - 1);
    access->at = calloc(last - first, sizeof *access->at);
    if (!access->at)
        return bl_error_nomem(err);
    for (uint32_t warp = first; warp < last && status == BL_OK; warp++) {
        status = read_warp(reader, warp, &access->at[access->count], err);
        /* The block's last warp may have no lane under the mask. */
        if (status == BL_OK && access->at[access->count].mask != 0)
            access->count++;
    }
    return status;
}

/* ---- all accesses
 * ---------------------------------------------------------------------- */

/* Forms and expressions: what a tile's element is depends on all of them. */
static enum bl_status read_said(const struct bl_advise_ask *ask,
                                struct bl_advise_input *input, struct bl_error *err)
{
    for (size_t i = 0; i < ask->count; i++) {
        struct bl_access_form *form = &input->forms[i];
        struct bl_tile_access *access = &input->accesses[i];
        const char *expr = NULL;
        enum bl_status status;

        *form = ask->form;
        form->is_store = ask->said[i].is_store;
        status = read_form(ask->said[i].text, form, &expr, err);
        if (status == BL_OK)
            status = bl_form_check(form, ask->arch, err);
        if (status != BL_OK)
            return bl_error_prefix(err, "%s '%s'", form->is_store ? "store" : "load",
                                   ask->said[i].text);
        status = bl_address_read(expr, ask->constants, &input->addresses[i], err);
        if (status != BL_OK)
            return status;
        access->is_store = form->is_store;
        access->width = form->width;
        access->name =
            bl_text_format("%s '%s', %" PRIu32 " bytes",
                           form->is_store ? "store" : "load", expr, form->width);
        input->count++;
        if (!access->name)
            return bl_error_nomem(err);
        if (bl_form_threads(form) > input->threads)
            input->threads = bl_form_threads(form);
    }
    return BL_OK;
}

/* What the addresses of an access grow by as the pitch does, all bits together. */
static enum bl_status growth_of(const struct bl_advise_ask *ask,
                                const struct bl_address *address,
                                const struct bl_access_form *form, uint64_t *bits,
                                struct bl_error *err)
{
    const struct reader reader = {.ask = ask, .address = address, .form = form};
    const uint32_t warps = bl_form_warps(form);
    enum bl_status status = BL_OK;

    for (uint32_t warp = 0; warp < warps && status == BL_OK; warp++) {
        struct bl_warp_lanes at, grown;

        if (!ask->all_warps && warp != ask->warp)
            continue;
        status = lanes_at(&reader, warp, 0, &at, err);
        if (status == BL_OK)
            status = lanes_at(&reader, warp, STEP, &grown, err);
        for (uint32_t l = 0; l < 32 && status == BL_OK; l++)
            if (at.mask >> l & 1)
                *bits |= (grown.address[l] - at.address[l]) / STEP;
    }
    return status;
}

static enum bl_status set_tile(const struct bl_advise_ask *ask,
                               struct bl_advise_input *input, struct bl_error *err)
{
    uint32_t elem = 16;
    uint64_t bits = 0;

    for (size_t i = 0; i < input->count; i++)
        if (input->forms[i].width < elem)
            elem = input->forms[i].width;
    if (ask->elem > elem)
        return bl_error_set(err, BL_E_INPUT,
                            "elements of %" PRIu32 " bytes, but an access of %" PRIu32
                            " bytes: an element is no wider than the narrowest access",
                            ask->elem, elem);
    for (size_t i = 0; i < input->count && ask->elem == 0; i++) {
        enum bl_status status =
            growth_of(ask, input->addresses[i], &input->forms[i], &bits, err);

        if (status != BL_OK)
            return bl_error_prefix(err, "%s", input->accesses[i].name);
    }
    while (bits % elem != 0)
        elem /= 2;
    input->tile.elem = ask->elem ? ask->elem : elem;
    input->tile.pitch = (uint32_t)ask->constants->values[0];
    return BL_OK;
}

static void count_rows(const struct bl_advise_ask *ask, struct bl_advise_input *input)
{
    uint32_t rows = 1;

    for (size_t i = 0; i < input->count; i++)
        for (size_t j = 0; j < input->accesses[i].count; j++) {
            const struct bl_tile_lanes *lanes = &input->accesses[i].at[j];
            for (uint32_t m = lanes->mask; m != 0; m &= m - 1)
                if (lanes->row[__builtin_ctz(m)] >= rows)
                    rows = lanes->row[__builtin_ctz(m)] + 1;
        }
    input->tile.rows = ask->rows ? ask->rows : rows;
}

enum bl_status bl_advise_read(const struct bl_advise_ask *ask,
                              struct bl_advise_input *out, struct bl_error *err)
{
    struct bl_advise_input input = {.count = 0};
    enum bl_status status = read_said(ask, &input, err);

    if (status == BL_OK)
        status = set_tile(ask, &input, err);
    for (size_t i = 0; i < input.count && status == BL_OK; i++) {
        struct reader reader = {.ask = ask,
                                .address = input.addresses[i],
                                .form = &input.forms[i],
                                .tile = &input.tile,
                                .is_linear = !bl_address_uses(input.addresses[i], 0)};

        status = read_warps(&reader, &input.accesses[i], err);
        input.any_linear = input.any_linear || reader.is_linear;
        if (status != BL_OK)
            bl_error_prefix(err, "%s", input.accesses[i].name);
    }
    count_rows(ask, &input);
    if (status == BL_OK)
        *out = input;
    else
        bl_advise_input_free(&input);
    return status;
}

void bl_advise_input_free(struct bl_advise_input *input)
{
    for (size_t i = 0; i < BL_ADVISE_ACCESSES_MAX; i++) {
        free(input->accesses[i].name);
        free(input->accesses[i].at);
        bl_address_free(input->addresses[i]);
    }
    *input = (struct bl_advise_input){.count = 0};
}
