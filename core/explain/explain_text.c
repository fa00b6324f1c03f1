/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_text.c - an explanation for people: two lists and two pictures.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/picture.h"
#include "explain/explain.h"
#include "load/param.h"
#include "report/figures.h"
#include "report/table.h"
#include "work/kind.h"

struct view {
    const struct bl_explain *explain;
    const struct bl_style *style;
    size_t top;
    FILE *out;
};

static void tinted(const struct view *view, enum bl_tint tint, const char *text)
{
    bl_tint_begin(view->out, view->style, tint);
    fputs(text, view->out);
    bl_tint_end(view->out, view->style, tint);
}

static const char *figure(uint64_t value, char out[BL_FIGURE_MAX])
{
    bl_figure_real((double)value, 0, out);
    return out;
}

/* ---- the case ---------------------------------------------------------------------- */

static void print_params(const struct view *view, const struct bl_case *of)
{
    const struct banklab_plugin *abi = &of->plugin->abi;
    char value[128];

    for (uint32_t i = 0; i < abi->param_count; i++) {
        bl_param_print(&abi->params[i], of->params[i], value, sizeof value);
        fprintf(view->out, " %s=%s", abi->params[i].name, value);
    }
}

static void print_case(const struct view *view)
{
    static const enum bl_tint tints[] = {BL_GOOD, BL_BAD, BL_WARN, BL_BAD};
    const struct bl_result *result = &view->explain->result;
    const struct bl_case *of = result->of;
    char shape[BL_SHAPE_MAX];

    tinted(view, BL_STRONG, of->name);
    fprintf(view->out, ": %s", of->plugin->abi.name);
    print_params(view, of);
    fprintf(view->out, ", %s elements of %" PRIu32 " byte%s",
            bl_problem_shape(&of->problem, " x ", shape, sizeof shape), of->problem.elem,
            of->problem.elem == 1 ? "" : "s");
    if (*view->explain->arch.name)
        fprintf(view->out, ", by the rules of %s", view->explain->arch.name);
    fputs(": ", view->out);
    tinted(view, tints[result->verdict], bl_verdict_name(result->verdict));
    fputc('\n', view->out);
    if (*result->detail) {
        bl_text_write(view->out, result->detail, "\n  ");
        fputc('\n', view->out);
    }
}

/* ---- lists ------------------------------------------------------------------------- */

enum { COLUMNS = 7, NUMBER = 0, SHARE = 1 };

struct cells {
    char text[COLUMNS][BL_FIGURE_MAX];
};

/* "12-16" where the arch leaves open which. */
static void range(uint64_t least, uint64_t most, bool open, char out[BL_FIGURE_MAX])
{
    char low[BL_FIGURE_MAX], high[BL_FIGURE_MAX];

    figure(most, high);
    if (open && least < most)
        snprintf(out, BL_FIGURE_MAX, "%.24s-%.24s", figure(least, low), high);
    else
        snprintf(out, BL_FIGURE_MAX, "%s", high);
}

static void row_cells(const struct bl_explain *explain,
                      const struct bl_explain_rows *rows, size_t place, struct cells *out)
{
    const struct bl_insn_counts *sum = &rows->places[place].sum;
    const uint64_t all = bl_explain_cost(&rows->sum), own = bl_explain_cost(sum);
    const bool is_open = sum->is_shared && bl_arch_is_open(&explain->arch);

    figure(place + 1, out->text[NUMBER]);
    snprintf(out->text[SHARE], BL_FIGURE_MAX, "-");
    if (all)
        snprintf(out->text[SHARE], BL_FIGURE_MAX, "%.1f%%",
                 100 * (double)own / (double)all);
    range(sum->wavefronts_least, own, is_open, out->text[2]);
    figure(sum->ideal, out->text[3]);
    if (sum->is_shared) {
        range(sum->ways_least, sum->ways, is_open, out->text[4]);
        figure(sum->cycles, out->text[5]);
    } else {
        bl_figure_real((double)own / (double)sum->executions, 1, out->text[4]);
        out->text[5][0] = '\0';
    }
    figure(sum->executions, out->text[6]);
}

static void print_cells(const struct view *view, const struct cells *cells,
                        const int width[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++)
        if (width[c])
            fprintf(view->out, "%s%*s", c ? "  " : "", width[c], cells->text[c]);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* "  transpose_tile.cu:67  out[i] = tile[j];" */
static void print_line(const struct view *view, const char *before, const char *file,
                       int line, const char *text)
{
    char where[160];

    snprintf(where, sizeof where, "%s%s:%d", before, base_name(file), line);
    fputs("     ", view->out);
    if (text) {
        fprintf(view->out, "%-26s ", where);
        bl_text_write(view->out, text, " ");
    } else {
        bl_text_write(view->out, where, " ");
    }
    fputc('\n', view->out);
}

/* "3297, 3302, ...": the PTX lines of the place's further rows. */
static void print_further(const struct view *view, const struct bl_explain_rows *rows,
                          const struct bl_explain_place *place)
{
    enum { SOME = 8 };

    if (place->count == 1)
        return;
    fprintf(view->out, "     and %zu more like it, in lines", place->count - 1);
    for (size_t i = 1; i < place->count && i <= SOME; i++)
        fprintf(view->out, "%s %d", i > 1 ? "," : "",
                rows->at[place->from + i].counts->insn->line);
    fputs(place->count - 1 > SOME ? ", ...\n" : "\n", view->out);
}

static void print_place(const struct view *view, const struct bl_explain_rows *rows,
                        const struct bl_explain_place *place)
{
    const struct bl_explain_row *row = &rows->at[place->from];

    fprintf(view->out, "  %s of %" PRIu32 " byte%s\n", bl_explain_op(row),
            row->seen->width, row->seen->width == 1 ? "" : "s");
    for (size_t i = 0; i < row->line_count; i++)
        print_line(view, i ? "called at " : "", row->lines[i].file, row->lines[i].line,
                   row->lines[i].text);
    bl_tint_begin(view->out, view->style, BL_FAINT);
    print_line(view, "", row->seen->module->name, row->counts->insn->line, row->ptx);
    print_further(view, rows, place);
    bl_tint_end(view->out, view->style, BL_FAINT);
}

static void print_rest(const struct view *view, const struct bl_explain_rows *rows,
                       size_t from)
{
    const uint64_t all = bl_explain_cost(&rows->sum);
    uint64_t left = 0;

    if (from >= rows->place_count)
        return;
    for (size_t i = from; i < rows->place_count; i++)
        left += bl_explain_cost(&rows->places[i].sum);
    fprintf(view->out, "%zu more", rows->place_count - from);
    if (all)
        fprintf(view->out, ", with %.1f%%", 100 * (double)left / (double)all);
    fputs("; --top 0 lists all\n", view->out);
}

static void print_places(const struct view *view, const struct bl_explain_rows *rows)
{
    static const struct cells heads[] = {
        {{"", "share", "sectors", "ideal", "each", "", "executions"}},
        {{"", "share", "wavefronts", "ideal", "ways", "cycles", "executions"}}};
    const struct cells *head = &heads[rows->sum.is_shared];
    const size_t shown =
        view->top && view->top < rows->place_count ? view->top : rows->place_count;
    int width[COLUMNS] = {0};
    struct cells cells;

    for (int c = 0; c < COLUMNS; c++)
        width[c] = (int)strlen(head->text[c]);
    for (size_t i = 0; i < shown; i++) {
        row_cells(view->explain, rows, i, &cells);
        for (int c = 0; c < COLUMNS; c++)
            if ((int)strlen(cells.text[c]) > width[c])
                width[c] = (int)strlen(cells.text[c]);
    }
    bl_tint_begin(view->out, view->style, BL_STRONG);
    print_cells(view, head, width);
    bl_tint_end(view->out, view->style, BL_STRONG);
    fputc('\n', view->out);
    for (size_t i = 0; i < shown; i++) {
        row_cells(view->explain, rows, i, &cells);
        print_cells(view, &cells, width);
        print_place(view, rows, &rows->places[i]);
    }
    print_rest(view, rows, shown);
}

/* ---- the worst one ----------------------------------------------------------------- */

static void print_likes(const struct view *view, const struct bl_seen *seen)
{
    char a[BL_FIGURE_MAX], b[BL_FIGURE_MAX];

    if (!seen->patterns) {
        fprintf(view->out,
                "Warps do it in more than %d patterns; this is the first of the "
                "costliest.\n",
                BL_SEEN_PATTERNS);
        return;
    }
    if (seen->patterns == 1) {
        fprintf(view->out, "Every warp does it in this pattern: %s warps, %s times.\n",
                figure(seen->warps, a), figure(seen->executions, b));
        return;
    }
    fprintf(view->out, "%s of %s warps do it in this pattern",
            figure(seen->warps_like_worst, a), figure(seen->warps, b));
    fprintf(view->out, ", %s of %s times; there are %zu.\n", figure(seen->like_worst, a),
            figure(seen->executions, b), seen->patterns);
}

static void print_worst_head(const struct view *view, const struct bl_explain_rows *rows,
                             const char *space, const char *shape)
{
    const struct bl_explain_row *row = &rows->at[rows->worst];
    const struct bl_seen_access *at = &row->seen->worst;

    fprintf(view->out,
            "\n%zu of %s: %s, by warp %" PRIu32 " of block (%" PRIu32 ", %" PRIu32
            ", %" PRIu32 ")",
            row->place + 1, space, shape, at->warp, at->index[0], at->index[1],
            at->index[2]);
    if (view->explain->launches > 1)
        fprintf(view->out, " of launch %" PRIu32, at->launch + 1);
    fputc('\n', view->out);
}

static void print_shared_worst(const struct view *view)
{
    const struct bl_explain_rows *rows = &view->explain->shared;
    const struct bl_seen *seen = rows->at[rows->worst].seen;
    uint32_t address[32];

    print_worst_head(view, rows, "shared memory", "lanes on banks");
    print_likes(view, seen);
    if (seen->op == BL_WATCH_ATOMIC || seen->form == BL_WATCH_ASYNC) {
        fputs(
            "No picture: of an atomic, and of an asynchronous copy, lanes also wait for "
            "each\nother that are at one word.\n",
            view->out);
        return;
    }
    for (int l = 0; l < 32; l++)
        address[l] = (uint32_t)seen->worst.address[l];
    /* Rows of matrices go as 16-byte stores do, which never merge. */
    bl_picture_print(view->out, view->style, &view->explain->arch,
                     seen->op == BL_WATCH_STORE || seen->form == BL_WATCH_MATRIX,
                     seen->width, seen->worst.mask, address);
}

/* Addresses from the start of the lowest lane's sector on, or from before it where
 * more than a sector's alignment matters. */
static void print_global_worst(const struct view *view)
{
    const struct bl_explain_rows *rows = &view->explain->global;
    const struct bl_seen *seen = rows->at[rows->worst].seen;
    uint64_t address[32], least = UINT64_MAX;

    for (uint32_t m = seen->worst.mask; m; m &= m - 1)
        if (seen->worst.address[__builtin_ctz(m)] < least)
            least = seen->worst.address[__builtin_ctz(m)];
    least -= least % bl_access_global_turn(&view->explain->arch);
    for (int l = 0; l < 32; l++)
        address[l] = seen->worst.address[l] - least;
    print_worst_head(view, rows, "global memory", "lanes on sectors, from the lowest on");
    print_likes(view, seen);
    bl_picture_global(view->out, view->style, &view->explain->arch, seen->width,
                      seen->worst.mask, address);
}

/* ---- all --------------------------------------------------------------------------- */

static void print_shared(const struct view *view)
{
    const struct bl_explain_rows *rows = &view->explain->shared;
    char a[BL_FIGURE_MAX], b[BL_FIGURE_MAX];

    if (!rows->count) {
        fputs("\nShared memory is not used.\n", view->out);
        return;
    }
    fputc('\n', view->out);
    tinted(view, BL_STRONG, "Shared memory");
    range(rows->sum.wavefronts_least, rows->sum.wavefronts,
          bl_arch_is_open(&view->explain->arch), a);
    fprintf(view->out, ": %s wavefronts, ideal %s\n", a, figure(rows->sum.ideal, b));
    print_places(view, rows);
    print_shared_worst(view);
}

static void print_global(const struct view *view)
{
    const struct bl_explain_rows *rows = &view->explain->global;
    char a[BL_FIGURE_MAX], b[BL_FIGURE_MAX];

    if (!rows->count) {
        fputs("\nGlobal memory is not used.\n", view->out);
        return;
    }
    fputc('\n', view->out);
    tinted(view, BL_STRONG, "Global memory");
    fprintf(view->out, ": %s sectors, ideal %s\n", figure(rows->sum.sectors, a),
            figure(rows->sum.ideal, b));
    print_places(view, rows);
    if (rows->sum.sectors > rows->sum.ideal)
        print_global_worst(view);
}

void bl_explain_text(const struct bl_explain *explain, const struct bl_style *style,
                     size_t top, FILE *out)
{
    const struct view view = {explain, style, top, out};
    char figures[BL_FIGURE_MAX];

    print_case(&view);
    if (!*explain->arch.name)
        return;
    print_shared(&view);
    print_global(&view);
    if (explain->uncounted)
        fprintf(out,
                "\n%s executions of atomics are not counted: what they cost is not "
                "known.\n",
                figure(explain->uncounted, figures));
}
