/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_head.c - what stands above a comparison's table: which reports, how to read it.
 */
#include "compare/compare_grid.h"

#include <string.h>

#include "report/figures.h"

void bl_cmp_tinted(const struct bl_cmp_view *view, enum bl_tint tint, const char *text)
{
    bl_tint_begin(view->out, view->style, tint);
    bl_text_write(view->out, text, " ");
    bl_tint_end(view->out, view->style, tint);
}

static void print_report(const struct bl_cmp_view *view, const char *which,
                         const struct bl_saved *of)
{
    bl_cmp_tinted(view, BL_STRONG, which);
    bl_text_write(view->out, of->path, " ");
    fputs(": ", view->out);
    bl_text_write(view->out, of->profile, " ");
    fputs(" on ", view->out);
    bl_text_write(view->out, of->device, " ");
    fputs(" (", view->out);
    bl_text_write(view->out, of->arch, " ");
    fputc(')', view->out);
    if (of->date) {
        fputs(", ", view->out);
        bl_text_write(view->out, of->date, " ");
    }
    fputc('\n', view->out);
}

static void print_its_time(const struct bl_cmp_view *view,
                           const struct bl_saved_time *time)
{
    char figure[BL_FIGURE_MAX];

    if (!time->source)
        return;
    bl_figure_real(time->median_us, bl_figure_decimals(time->median_us) + 1, figure);
    fprintf(view->out, ", %s%s us", strcmp(time->source, "gpu") == 0 ? "" : "~", figure);
}

/* As the marks in the grid have it. */
static void print_sources(const struct bl_cmp_view *view)
{
    bool gpu = false, predicted = false;

    for (size_t i = 0; i < view->of->count; i++) {
        const struct bl_cmp_pair *pair = &view->of->pairs[i];
        const char *a = pair->a ? pair->a->time.source : NULL;
        const char *b = pair->b ? pair->b->time.source : NULL;

        gpu |= (a && strcmp(a, "gpu") == 0) || (b && strcmp(b, "gpu") == 0);
        predicted |= (a && strcmp(a, "gpu") != 0) || (b && strcmp(b, "gpu") != 0);
    }
    if (gpu || predicted)
        fprintf(view->out, "times    %s%s%s\n", gpu ? "measured on a GPU" : "",
                gpu && predicted ? "; " : "",
                predicted ? "~ predicted from counts, without an interval" : "");
}

void bl_cmp_head(const struct bl_cmp_view *view)
{
    const struct bl_comparison *of = view->of;
    char limit[BL_FIGURE_MAX];

    bl_figure_plain(of->options.tolerance * 100, limit);
    if (of->against) {
        print_report(view, "report   ", of->a);
        bl_cmp_tinted(view, BL_STRONG, "A        ");
        bl_text_write(view->out, of->against->name, " ");
        print_its_time(view, &of->against->time);
        fputs("; B: each other case\n", view->out);
    } else {
        print_report(view, "A        ", of->a);
        print_report(view, "B        ", of->b);
    }
    fprintf(view->out,
            "B/A      above 1 is slower; same: within %s %%; undecided: the interval "
            "crosses that limit\n",
            limit);
    print_sources(view);
    for (size_t i = 0; i < of->note_count; i++) {
        bl_cmp_tinted(view, BL_WARN, i ? "         " : "note     ");
        bl_cmp_tinted(view, BL_WARN, of->notes[i]);
        fputc('\n', view->out);
    }
}
