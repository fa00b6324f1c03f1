/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/picture.h"

#include <inttypes.h>
#include <string.h>

#include "bank/lane_list.h"
#include "report/table.h"

enum { LANES = 32, COLUMNS = 32, LABEL = 7, CELL = 3 };

/* A phase: what its banks have to give, from the top; a cell is the lanes that get it in
 * one wavefront. */
struct grid {
    const struct bl_arch *arch;
    uint32_t columns, banks_each; /* of a column */
    uint32_t rows;
    uint32_t key[LANES][COLUMNS];
    uint32_t lanes[LANES][COLUMNS];
};

static uint32_t first_lane(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

/* Lanes of one column share a cell if their words are in one row of the banks, or in
 * rows that one wavefront reaches. */
static void fill(struct grid *grid, const struct bl_arch *arch, uint32_t width,
                 uint32_t mask, const uint32_t address[32])
{
    const uint32_t unit = width > arch->bank_bytes ? width : arch->bank_bytes;
    const uint32_t row_bytes = arch->banks * arch->bank_bytes;

    memset(grid, 0, sizeof *grid);
    grid->arch = arch;
    grid->columns = row_bytes / unit;
    grid->banks_each = unit / arch->bank_bytes;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = first_lane(mask);
        const uint32_t column = address[lane] / unit % grid->columns;
        const uint32_t key = address[lane] / row_bytes / arch->bank_rows;
        uint32_t row = 0;

        while (grid->lanes[row][column] != 0 && grid->key[row][column] != key)
            row++;
        grid->key[row][column] = key;
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
    const char *head = grid->arch->bank_rows > 1 ? "  + within a bank's reach: lanes"
                                                 : "  + the same word for lanes";
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

/* What is drawn: an access, or one of the parts that the arch makes of it. */
struct part {
    bool is_store;
    uint32_t width, lanes; /* of a phase */
    uint32_t address[32];
};

static void print_count(FILE *out, const struct bl_style *style, uint32_t least,
                        uint32_t most)
{
    const enum bl_tint tint = most > 1 ? BL_BAD : BL_GOOD;

    bl_tint_begin(out, style, tint);
    if (least != most)
        fprintf(out, "%" PRIu32 " to ", least);
    fprintf(out, "%" PRIu32 " wavefront%s", most, most == 1 ? "" : "s");
    bl_tint_end(out, style, tint);
    fputc('\n', out);
}

/* The rules, asked of a phase alone, give its wavefronts. */
static void print_phase(FILE *out, const struct bl_style *style, const struct grid *grid,
                        const struct part *part, uint32_t phase, uint32_t mask)
{
    const uint32_t phases = LANES / part->lanes;
    char list[BL_LANE_LIST_MAX];
    struct bl_shared_cost cost;

    bl_access_shared(grid->arch, part->is_store, part->width, mask, part->address, &cost);
    bl_lane_list(mask, list);
    if (phases > 1)
        fprintf(out, "phase %" PRIu32 " of %" PRIu32 ", ", phase + 1, phases);
    fprintf(out, "lane%s %s: ", is_shared(mask) ? "s" : "", list);
    print_count(out, style,
                bl_arch_is_open(grid->arch) ? cost.wavefronts_least : cost.wavefronts,
                cost.wavefronts);
    print_grid(out, style, grid);
    print_shared_words(out, style, grid);
}

/* What there was to see in all phases. */
struct seen {
    uint32_t banks_each;
    bool conflict, shared;
};

static void see(const struct grid *grid, struct seen *seen)
{
    seen->banks_each = grid->banks_each;
    seen->conflict = seen->conflict || grid->rows > 1;
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++)
            seen->shared = seen->shared || is_shared(grid->lanes[row][column]);
}

static void print_part(FILE *out, const struct bl_style *style,
                       const struct bl_arch *arch, const struct part *part, uint32_t mask,
                       struct seen *seen)
{
    const uint32_t all =
        part->lanes == LANES ? UINT32_MAX : (UINT32_C(1) << part->lanes) - 1;
    struct grid grid;

    for (uint32_t phase = 0; phase < LANES / part->lanes; phase++) {
        const uint32_t active = mask & all << phase * part->lanes;

        if (active == 0)
            continue;
        fill(&grid, arch, part->width, active, part->address);
        see(&grid, seen);
        print_phase(out, style, &grid, part, phase, active);
    }
}

static void print_legend(FILE *out, const struct bl_style *style,
                         const struct bl_arch *arch, const struct part *part,
                         const struct seen *seen)
{
    uint32_t extra = 0;

    for (int i = 0; i < 5; i++)
        if (part->width == 1u << i)
            extra = arch->extra_wavefronts[i];
    bl_tint_begin(out, style, BL_FAINT);
    if (seen->banks_each > 1)
        fprintf(out,
                "A column is %" PRIu32 " banks side by side, which one lane's bytes take "
                "up.\n",
                seen->banks_each);
    if (extra > 0)
        fprintf(out,
                "An access of %" PRIu32 " bytes takes %" PRIu32
                " wavefront%s more than there are lines.\n",
                part->width, extra, extra == 1 ? "" : "s");
    if (seen->conflict)
        fputs(
            "Below each other: different words of one bank, which wait for each other.\n"
            "Which of them goes first is not known; here they go by lanes.\n",
            out);
    if (seen->shared && !part->is_store && arch->broadcast == BL_BROADCAST_ONE)
        fputs(
            "A wavefront gives one word to all its lanes, and one lane its word in each\n"
            "other bank; which, is not documented.\n",
            out);
    if (seen->shared && part->is_store && arch->store == BL_STORE_OPEN)
        fputs(
            "Whether lanes that store to different bytes of a word wait for each other\n"
            "is not documented.\n",
            out);
    bl_tint_end(out, style, BL_FAINT);
}

void bl_picture_print(FILE *out, const struct bl_style *style, const struct bl_arch *arch,
                      bool is_store, uint32_t width, uint32_t mask,
                      const uint32_t address[32])
{
    struct part part = {.is_store = is_store, .width = width};
    struct bl_shared_cost cost;
    struct seen seen = {.banks_each = 1};
    uint32_t parts;

    if (part.width > arch->access_bytes)
        part.width = arch->access_bytes;
    parts = width / part.width;
    bl_access_shared(arch, is_store, width, mask, address, &cost);
    part.lanes = LANES * parts / cost.phases;
    for (uint32_t i = 0; i < parts; i++) {
        for (int lane = 0; lane < LANES; lane++)
            part.address[lane] = address[lane] + i * part.width;
        if (parts > 1)
            fprintf(out, "bytes %" PRIu32 "-%" PRIu32 " of each lane:\n", i * part.width,
                    (i + 1) * part.width - 1);
        print_part(out, style, arch, &part, mask, &seen);
    }
    print_legend(out, style, arch, &part, &seen);
}
