/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_read.h - accesses of a tile from expressions in its pitch, and back: what to
 * write for a layout.
 *
 * An address is row * P * elem + column * elem for a P that has a name. Row and column
 * are read off its values: what grows with P is the row. An address in which the pitch
 * does not stand is that of element i of the tile: row i / P, column i % P.
 */
#ifndef BL_ADVISE_READ_H
#define BL_ADVISE_READ_H

#include "bank/advise.h"
#include "bank/pattern.h"

enum { BL_ADVISE_ACCESSES_MAX = 32 };

struct bl_advise_said {
    const char *text; /* "EXPR" or "[width=16 block=32x8 mask=ff] EXPR" */
    bool is_store;
};

struct bl_advise_ask {
    const struct bl_arch *arch;
    struct bl_access_form form;           /* what an access doesn't say itself */
    const struct bl_constants *constants; /* the pitch first */
    const struct bl_advise_said *said;
    size_t count;
    bool all_warps; /* else `warp` */
    uint32_t warp;
    /* 0: the greatest power of two up to the narrowest access of which every address
     * grows by a multiple as P grows by one. */
    uint32_t elem;
    uint32_t rows; /* 0: up to the last that is touched */
};

struct bl_advise_input {
    struct bl_tile tile;
    uint32_t threads; /* of the greatest block */
    bool any_linear;  /* the pitch stands not in every address */
    size_t count;
    struct bl_tile_access accesses[BL_ADVISE_ACCESSES_MAX];
    struct bl_address *addresses[BL_ADVISE_ACCESSES_MAX];
    struct bl_access_form forms[BL_ADVISE_ACCESSES_MAX];
};

/* BL_E_INPUT, with the access and the column: no expression, or not of the form above. */
enum bl_status bl_advise_read(const struct bl_advise_ask *ask,
                              struct bl_advise_input *out, struct bl_error *err);
void bl_advise_input_free(struct bl_advise_input *input);

/* The address of access `i` under the layout, as text; read again and evaluated for every
 * lane, it was found to be just that. Fresh. *out NULL: it could not be put into words.
 */
enum bl_status bl_advise_paste(const struct bl_advise_ask *ask,
                               const struct bl_advise_input *input, size_t i,
                               const struct bl_layout *layout, char **out,
                               struct bl_error *err);

/* Row and column of an address that reads like (ROW * P + COLUMN) * elem, as text in
 * parentheses where need be; false, with both NULL, if it reads otherwise or memory ran
 * out. For advise_read.c. */
bool bl_advise_split(const char *text, const char *pitch, uint32_t elem, char **row,
                     char **col);
/* The text with `value` for the name; NULL if memory ran out. */
char *bl_advise_replace(const char *text, const char *name, const char *value);

#endif
