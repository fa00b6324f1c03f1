/* SPDX-License-Identifier: Apache-2.0
 *
 * Any text as an access of a tile: refused, or searched; and what is put into words is
 * that layout, or nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "bank/advise_read.h"
#include "fuzz.h"

#include "../lib/cc90.h"

const char *const fuzz_seeds[] = {
    "(ty*P + tx)*4",
    "4*(P*tx + (ty%8)*2)",
    "[width=16 block=32x8 mask=ff00ff00] (t/8*P + t%8*4)*4",
    "[width=2,block=16x16](tx*P+ty<<1)",
    "ty*P*4+(tx^3)*4-0*P",
    NULL,
};

static const struct bl_arch arch = CC90_ARCH;

static void search(const struct bl_advise_ask *ask, const struct bl_advise_input *input)
{
    const struct bl_advise_job job = {.tile = input->tile,
                                      .accesses = input->accesses,
                                      .count = input->count,
                                      .bound = 4,
                                      .room = {&arch, NULL, input->threads, 0}};
    struct bl_advice advice;
    struct bl_error err;
    char *text = NULL;
    enum bl_status status = bl_advise(&job, &advice, &err);

    if (status == BL_E_INTERNAL)
        abort();
    if (status != BL_OK)
        return;
    for (int kind = 0; kind < BL_LAYOUTS; kind++) {
        const struct bl_proposal *at = &advice.at[kind];

        if (at->after && (at->found == BL_FOUND_ALL) != (at->needless == 0))
            abort();
        if (at->after &&
            bl_advise_paste(ask, input, 0, &at->layout, &text, &err) == BL_OK)
            free(text);
    }
    bl_advice_free(&advice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_constants constants = {.count = 0};
    char *text = malloc(size + 1);
    struct bl_advise_said said = {text, size % 2};
    struct bl_advise_ask ask = {
        .arch = &arch,
        .form = {.width = 4, .block = {32, 4, 1}, .mask = UINT32_MAX},
        .constants = &constants,
        .said = &said,
        .count = 1,
        .all_warps = true};
    struct bl_advise_input input;
    struct bl_error err = {BL_OK, ""};
    char *row, *col;

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (bl_advise_split(text, "P", 4, &row, &col)) {
        free(row);
        free(col);
    }
    if (bl_constants_add(&constants, "P=16", &err) == BL_OK) {
        if (bl_advise_read(&ask, &input, &err) == BL_OK) {
            search(&ask, &input);
            bl_advise_input_free(&input);
        } else if (err.status == BL_OK || !*err.text) {
            abort();
        }
    }
    bl_constants_free(&constants);
    free(text);
    return 0;
}
