/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_grid.c - the grid of a comparison's table.
 */
#include "compare/compare_grid.h"

#include <stdlib.h>
#include <string.h>

#include "report/figures.h"

enum { NAME, TIME_A, TIME_B, RATIO, INTERVAL, VERDICT, COUNTS, COLUMNS };
enum { CELL_MAX = 2 * BL_FIGURE_MAX + 8, GAP = 2 };

static const char *const heads[COLUMNS] = {"case",     "A us",    "B us",  "B/A",
                                           "interval", "verdict", "counts"};
/* In the order in which they are left out. */
static const int spare[] = {TIME_A, TIME_B, INTERVAL, COUNTS};

struct grid {
    const struct bl_cmp_view *view;
    char (*cells)[COLUMNS][CELL_MAX]; /* by pair; the name's cell is not used */
    bool shown[COLUMNS];
    int width[COLUMNS];
    int decimals; /* of times */
    int name_limit;
};

static bool has_row(const struct bl_cmp_pair *pair)
{
    return pair->a && pair->b;
}

/* ---- cells ------------------------------------------------------------------------ */

static void put_time(const struct grid *grid, const struct bl_saved_time *time,
                     char out[CELL_MAX])
{
    char figure[BL_FIGURE_MAX];

    if (!time->source) {
        strcpy(out, "-");
        return;
    }
    bl_figure_real(time->median_us, grid->decimals, figure);
    snprintf(out, CELL_MAX, "%s%s", strcmp(time->source, "predicted") == 0 ? "~" : "",
             figure);
}

/* Three decimals, or three digits of what is less. */
static int ratio_decimals(double value)
{
    const int decimals = bl_figure_decimals(value);

    return decimals < 3 ? 3 : decimals;
}

static void put_ratio(const struct bl_cmp_pair *pair, char ratio[CELL_MAX],
                      char interval[CELL_MAX])
{
    char low[BL_FIGURE_MAX], high[BL_FIGURE_MAX];

    strcpy(ratio, "-");
    strcpy(interval, "-");
    if (!pair->has_ratio)
        return;
    bl_figure_real(pair->ratio, ratio_decimals(pair->ratio), low);
    snprintf(ratio, CELL_MAX, "%s%s", pair->how == BL_CMP_EXACT ? "~" : "", low);
    if (pair->how == BL_CMP_EXACT)
        return;
    bl_figure_real(pair->low, ratio_decimals(pair->low), low);
    bl_figure_real(pair->high, ratio_decimals(pair->low), high);
    snprintf(interval, CELL_MAX, "%s - %s", low, high);
}

static void put_counts(const struct bl_cmp_pair *pair, char out[CELL_MAX])
{
    size_t worse = 0;

    for (size_t i = 0; i < pair->changed_count; i++)
        worse += pair->changed[i].worse;
    if (worse)
        snprintf(out, CELL_MAX, "%zu differ, %zu up", pair->changed_count, worse);
    else if (pair->changed_count)
        snprintf(out, CELL_MAX, "%zu differ", pair->changed_count);
    else
        strcpy(out, pair->shared_source || pair->global_source ? "same" : "-");
}

static void fill(struct grid *grid, const struct bl_cmp_pair *pair,
                 char cells[COLUMNS][CELL_MAX])
{
    const char *verdict = bl_cmp_verdict_name(pair->verdict);

    put_time(grid, &pair->a->time, cells[TIME_A]);
    put_time(grid, &pair->b->time, cells[TIME_B]);
    put_ratio(pair, cells[RATIO], cells[INTERVAL]);
    snprintf(cells[VERDICT], CELL_MAX, "%s", *verdict ? verdict : "-");
    put_counts(pair, cells[COUNTS]);
}

/* ---- layout ----------------------------------------------------------------------- */

static double lesser(double least, const struct bl_saved_case *of)
{
    const double time = of && of->time.source ? of->time.median_us : 0;

    return time > 0 && (least == 0 || time < least) ? time : least;
}

static int time_decimals(const struct bl_comparison *of)
{
    double least = 0;

    for (size_t i = 0; i < of->count; i++)
        if (has_row(&of->pairs[i]))
            least = lesser(lesser(least, of->pairs[i].a), of->pairs[i].b);
    return bl_figure_decimals(least) + 1; /* a per cent must show */
}

static int name_columns(const struct grid *grid, const char *name)
{
    const int columns = bl_text_columns(name);

    return grid->name_limit && columns > grid->name_limit ? grid->name_limit : columns;
}

static int measure(struct grid *grid)
{
    const struct bl_comparison *of = grid->view->of;
    int total = -GAP;

    for (int at = 0; at < COLUMNS; at++) {
        int width = bl_text_columns(heads[at]), here;

        for (size_t i = 0; i < of->count; i++) {
            if (!has_row(&of->pairs[i]))
                continue;
            here = at == NAME ? name_columns(grid, of->pairs[i].b->name)
                              : bl_text_columns(grid->cells[i][at]);
            width = here > width ? here : width;
        }
        grid->width[at] = width;
        total += grid->shown[at] ? width + GAP : 0;
    }
    return total;
}

/* A column in which no case has anything is none. */
static bool column_has_some(const struct grid *grid, int at)
{
    const struct bl_comparison *of = grid->view->of;

    for (size_t i = 0; i < of->count; i++)
        if (at == NAME ||
            (has_row(&of->pairs[i]) && strcmp(grid->cells[i][at], "-") != 0))
            return true;
    return false;
}

static void lay_out(struct grid *grid, bool left_out[COLUMNS])
{
    const int room = grid->view->style->width;

    for (int at = 0; at < COLUMNS; at++)
        grid->shown[at] = column_has_some(grid, at);
    if (grid->view->of->against) /* one time for all, told above */
        grid->shown[TIME_A] = false;
    if (measure(grid) <= room || room <= 0)
        return;
    grid->name_limit = room / 4 < 16 ? 16 : room / 4;
    for (size_t i = 0; i < sizeof spare / sizeof *spare && measure(grid) > room; i++) {
        left_out[spare[i]] = grid->shown[spare[i]];
        grid->shown[spare[i]] = false;
    }
}

/* ---- printing --------------------------------------------------------------------- */

/* Words to the left, numbers to the right; no line ends in spaces. */
static void put(const struct grid *grid, int at, const char *text, int *pending)
{
    const int pad = grid->width[at] - bl_text_columns(text);
    const bool left = at == NAME || at == VERDICT || at == COUNTS;

    *pending += left ? 0 : pad;
    fprintf(grid->view->out, "%*s", *pending, "");
    bl_text_write(grid->view->out, text, " ");
    *pending = (left ? pad : 0) + GAP;
}

/* A name that is too long, with its middle left out. */
static void put_name(const struct grid *grid, const char *name, int *pending)
{
    const size_t length = strlen(name), limit = (size_t)grid->name_limit;
    char cut[BL_FIGURE_MAX];
    size_t front;

    if (limit == 0 || length <= limit || limit >= sizeof cut) {
        put(grid, NAME, name, pending);
        return;
    }
    front = (limit - 2) / 2;
    snprintf(cut, sizeof cut, "%.*s..%s", (int)front, name,
             name + length - (limit - 2 - front));
    put(grid, NAME, cut, pending);
}

static enum bl_tint tint_of(const struct bl_cmp_pair *pair)
{
    static const enum bl_tint tints[BL_CMP_VERDICTS] = {BL_FAINT, BL_GOOD, BL_BAD,
                                                        BL_PLAIN, BL_WARN};

    return tints[pair->verdict];
}

static void print_row(const struct grid *grid, size_t row)
{
    const struct bl_cmp_pair *pair = &grid->view->of->pairs[row];
    int pending = 0;

    for (int at = 0; at < COLUMNS; at++) {
        const enum bl_tint tint = at == VERDICT ? tint_of(pair) : BL_PLAIN;

        if (!grid->shown[at])
            continue;
        bl_tint_begin(grid->view->out, grid->view->style, tint);
        if (at == NAME)
            put_name(grid, pair->b->name, &pending);
        else
            put(grid, at, grid->cells[row][at], &pending);
        bl_tint_end(grid->view->out, grid->view->style, tint);
    }
    fputc('\n', grid->view->out);
}

static void print_heads(const struct grid *grid)
{
    int pending = 0;

    fputc('\n', grid->view->out);
    bl_tint_begin(grid->view->out, grid->view->style, BL_STRONG);
    for (int at = 0; at < COLUMNS; at++)
        if (grid->shown[at])
            put(grid, at, heads[at], &pending);
    bl_tint_end(grid->view->out, grid->view->style, BL_STRONG);
    fputc('\n', grid->view->out);
}

static void print_left_out(const struct grid *grid, const bool left_out[COLUMNS])
{
    const char *separator = "\nnot shown, as the terminal is narrow: ";

    for (int at = 0; at < COLUMNS; at++) {
        if (!left_out[at])
            continue;
        fprintf(grid->view->out, "%s%s", separator, heads[at]);
        separator = ", ";
    }
    if (*separator == ',')
        fputc('\n', grid->view->out);
}

bool bl_cmp_grid(const struct bl_cmp_view *view)
{
    const struct bl_comparison *of = view->of;
    struct grid grid = {.view = view, .decimals = time_decimals(of)};
    bool left_out[COLUMNS] = {false};

    grid.cells = calloc(of->count ? of->count : 1, sizeof *grid.cells);
    if (!grid.cells)
        return false;
    for (size_t i = 0; i < of->count; i++)
        if (has_row(&of->pairs[i]))
            fill(&grid, &of->pairs[i], grid.cells[i]);
    lay_out(&grid, left_out);
    print_heads(&grid);
    for (size_t i = 0; i < of->count; i++)
        if (has_row(&of->pairs[i]))
            print_row(&grid, i);
    print_left_out(&grid, left_out);
    free(grid.cells);
    return true;
}
