/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/picture.h"

#include <inttypes.h>
#include <string.h>

#include "bank/lane_list.h"
#include "report/table.h"

enum { LANES = 32, COLUMNS = 32, LABEL = 7, CELL = 3 };

/* A phase: its words by column, from the top; a word is the lanes that want it. */
struct grid {
    uint32_t columns, banks_each; /* of a column */
    uint32_t rows;
    uint32_t word[LANES][COLUMNS];
    uint32_t lanes[LANES][COLUMNS];
};

static uint32_t first_lane(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

static uint32_t log2_of(uint32_t power_of_two)
{
    return (uint32_t)__builtin_ctz(power_of_two);
}

static void fill(struct grid *grid, const struct bl_arch *arch, uint32_t width,
                 uint32_t mask, const uint32_t address[32])
{
    const uint32_t unit = width > arch->bank_bytes ? width : arch->bank_bytes;

    memset(grid, 0, sizeof *grid);
    grid->columns = arch->banks * arch->bank_bytes / unit;
    grid->banks_each = unit / arch->bank_bytes;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = first_lane(mask), word = address[lane] >> log2_of(unit);
        const uint32_t column = word & (grid->columns - 1);
        uint32_t row = 0;

        while (grid->lanes[row][column] != 0 && grid->word[row][column] != word)
            row++;
        grid->word[row][column] = word;
        grid->lanes[row][column] |= UINT32_C(1) << lane;
        if (row >= grid->rows)
            grid->rows = row + 1;
    }
}

/* ---- the grid
 * --------------------------------------------------------------------------- */

static bool is_shared(uint32_t lanes)
{
    return (lanes & (lanes - 1)) != 0;
}

static bool row_has(const struct grid *grid, uint32_t row, uint32_t from, uint32_t to)
{
    for (uint32_t column = from; column < to; column++)
        if (grid->lanes[row][column] != 0)
            return true;
    return false;
}

static void print_head(FILE *out, const struct bl_style *style, const struct grid *grid,
                       uint32_t from, uint32_t to)
{
    bl_tint_begin(out, style, BL_STRONG);
    fprintf(out, "%-*s", LABEL, "  bank");
    for (uint32_t column = from; column < to; column++)
        fprintf(out, "%2" PRIu32 "%s", column * grid->banks_each,
                column + 1 < to ? " " : "");
    bl_tint_end(out, style, BL_STRONG);
    fputc('\n', out);
}

static void print_cell(FILE *out, const struct bl_style *style, uint32_t row,
                       uint32_t lanes, bool last)
{
    const enum bl_tint tint = lanes == 0 ? BL_FAINT : row == 0 ? BL_GOOD : BL_BAD;
    const char *mark = is_shared(lanes) ? "+" : last ? "" : " ";

    bl_tint_begin(out, style, tint);
    if (lanes == 0)
        fprintf(out, " .%s", mark);
    else
        fprintf(out, "%2" PRIu32 "%s", first_lane(lanes), mark);
    bl_tint_end(out, style, tint);
}

static void print_row(FILE *out, const struct bl_style *style, const struct grid *grid,
                      uint32_t row, uint32_t from, uint32_t to)
{
    fprintf(out, "%5" PRIu32 "  ", row + 1);
    for (uint32_t column = from; column < to; column++)
        print_cell(out, style, row, grid->lanes[row][column], column + 1 == to);
    fputc('\n', out);
}

static void print_idle(FILE *out, const struct grid *grid, uint32_t from, uint32_t to)
{
    fprintf(out, "  banks %" PRIu32 " to %" PRIu32 ": no lane\n", from * grid->banks_each,
            to * grid->banks_each - 1);
}

/* As many columns as fit, a power of two of them. */
static uint32_t part_columns(const struct bl_style *style, uint32_t columns)
{
    while (columns > 4 && style->width > 0 &&
           LABEL + CELL * columns > (uint32_t)style->width)
        columns /= 2;
    return columns;
}

static void print_grid(FILE *out, const struct bl_style *style, const struct grid *grid)
{
    const uint32_t step = part_columns(style, grid->columns);

    for (uint32_t from = 0; from < grid->columns; from += step) {
        bool some = false;

        for (uint32_t row = 0; row < grid->rows; row++) {
            if (!row_has(grid, row, from, from + step))
                continue;
            if (!some)
                print_head(out, style, grid, from, from + step);
            some = true;
            print_row(out, style, grid, row, from, from + step);
        }
        if (!some)
            print_idle(out, grid, from, from + step);
    }
}

/* "+ one word for several lanes: 0-15; 16-31", in lines that fit. */
static void print_shared_words(FILE *out, const struct bl_style *style,
                               const struct grid *grid)
{
    static const char head[] = "  + the same word for lanes";
    const int room = style->width > 0 && style->width < 80 ? style->width : 80;
    int used = 0;

    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            char list[BL_LANE_LIST_MAX];
            int length;

            if (!is_shared(grid->lanes[row][column]))
                continue;
            length = (int)bl_lane_list(grid->lanes[row][column], list);
            if (used == 0)
                used = fprintf(out, "%s", head);
            else
                used += fprintf(out, ";");
            if (used > 4 && used + 2 + length > room)
                used = fprintf(out, "\n    ") - 1;
            used += fprintf(out, " %s", list);
        }
    if (used > 0)
        fputc('\n', out);
}

/* ---- phases
 * --------------------------------------------------------------------------------- */

static void print_phase(FILE *out, const struct bl_style *style, const struct grid *grid,
                        uint32_t phase, uint32_t phases, uint32_t mask)
{
    char list[BL_LANE_LIST_MAX];

    bl_lane_list(mask, list);
    if (phases > 1)
        fprintf(out, "phase %" PRIu32 " of %" PRIu32 ", ", phase + 1, phases);
    fprintf(out, "lane%s %s: ", is_shared(mask) ? "s" : "", list);
    bl_tint_begin(out, style, grid->rows > 1 ? BL_BAD : BL_GOOD);
    fprintf(out, "%" PRIu32 " wavefront%s", grid->rows, grid->rows == 1 ? "" : "s");
    bl_tint_end(out, style, grid->rows > 1 ? BL_BAD : BL_GOOD);
    fputc('\n', out);
    print_grid(out, style, grid);
    print_shared_words(out, style, grid);
}

static void print_legend(FILE *out, const struct bl_style *style, const struct grid *grid,
                         bool conflict)
{
    bl_tint_begin(out, style, BL_FAINT);
    if (grid->banks_each > 1)
        fprintf(out,
                "A column is %" PRIu32 " banks side by side, which one lane's bytes take "
                "up.\n",
                grid->banks_each);
    if (conflict)
        fputs(
            "Below each other: different words of one bank, which wait for each other.\n"
            "Which of them goes first is not known; here they go by lanes.\n",
            out);
    bl_tint_end(out, style, BL_FAINT);
}

void bl_picture_print(FILE *out, const struct bl_style *style, const struct bl_arch *arch,
                      bool is_store, uint32_t width, uint32_t mask,
                      const uint32_t address[32])
{
    struct bl_shared_cost cost;
    bool conflict = false;
    struct grid grid = {.columns = 0};
    uint32_t lanes, part;

    bl_access_shared(arch, is_store, width, mask, address, &cost);
    lanes = LANES / cost.phases;
    part = lanes == LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    for (uint32_t phase = 0; phase < cost.phases; phase++) {
        const uint32_t active = mask & part << phase * lanes;

        if (active == 0)
            continue;
        fill(&grid, arch, width, active, address);
        conflict = conflict || grid.rows > 1;
        print_phase(out, style, &grid, phase, cost.phases, active);
    }
    print_legend(out, style, &grid, conflict);
}
