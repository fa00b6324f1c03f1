/* SPDX-License-Identifier: Apache-2.0
 *
 * verify.c - compares every element of the output, bit for bit.
 */
#include "work/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "work/number.h"
#include "work/stream.h"

/* An element as one number, in hexadecimal: its bytes from the highest to the lowest. */
static void print_element(const uint8_t *element, uint32_t size, char *out)
{
    out += sprintf(out, "0x");
    for (uint32_t i = size; i-- > 0;)
        out += sprintf(out, "%02x", element[i]);
}

static void tell(const struct banklab_problem *problem, const uint8_t *expected,
                 const uint8_t *got, bool first_unwritten, struct bl_verdict_detail *out)
{
    char wrong[BL_NUMBER_MAX], all[BL_NUMBER_MAX], unwritten[BL_NUMBER_MAX];
    char want[40], is[40], never[64] = "", matrix[32] = "";

    print_element(expected, problem->elem, want);
    print_element(got, problem->elem, is);
    if (out->unwritten)
        snprintf(never, sizeof never, " (%s never written)",
                 bl_number_group(out->unwritten, unwritten));
    if (problem->batch > 1)
        snprintf(matrix, sizeof matrix, "matrix %" PRIu64 " ", out->matrix);
    snprintf(out->text, sizeof out->text,
             "%s of %s elements wrong%s, first at %srow %" PRIu64 " column %" PRIu64
             ": expected %s, got %s%s",
             bl_number_group(out->wrong, wrong),
             bl_number_group(bl_problem_elements(problem), all), never, matrix, out->row,
             out->col, want, is, first_unwritten ? " (never written)" : "");
}

void bl_verify(const struct bl_kind *kind, const struct banklab_problem *problem,
               const void *expected, const void *got, uint64_t seed,
               struct bl_verdict_detail *out)
{
    const uint64_t rows = kind->transposed ? problem->cols : problem->rows;
    const uint64_t cols = kind->transposed ? problem->rows : problem->cols;
    const uint32_t elem = problem->elem;
    const uint8_t *want = expected, *is = got;
    const uint64_t poison = bl_regions_poison_seed(seed);
    uint64_t first = 0;

    memset(out, 0, sizeof *out);
    for (uint64_t r = 0; r < bl_problem_batch(problem) * rows; r++) {
        const uint64_t row = r * cols;
        if (memcmp(want + row * elem, is + row * elem, cols * elem) == 0)
            continue;
        for (uint64_t i = row; i < row + cols; i++) {
            if (memcmp(want + i * elem, is + i * elem, elem) == 0)
                continue;
            if (out->wrong++ == 0)
                first = i;
            out->unwritten += bl_poison_intact(is, want, i, elem, poison);
        }
    }
    out->ok = out->wrong == 0;
    if (out->ok)
        return;
    out->matrix = first / cols / rows;
    out->row = first / cols % rows;
    out->col = first % cols;
    tell(problem, want + first * elem, is + first * elem,
         bl_poison_intact(is, want, first, elem, poison), out);
}
