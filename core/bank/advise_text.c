/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_text.c - an advice for people: a table of the layouts, what to write for each,
 * and what follows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/advise_report.h"
#include "base/text.h"
#include "report/report.h"
#include "work/rates.h"

enum { LABEL = 26, COLUMN = 13, PAGE = 80 };

typedef void cell_fn(const struct bl_advice_report *report, size_t access, int kind,
                     char text[32]);

/* Column -1 is the tile as it is. */
static const struct bl_tile_cost *cost_of(const struct bl_advice_report *report,
                                          size_t access, int kind)
{
    const struct bl_tile_cost *costs =
        kind < 0 ? report->advice->before : report->advice->at[kind].after;

    return costs ? &costs[access] : NULL;
}

static const struct bl_room *room_of(const struct bl_advice_report *report, int kind)
{
    if (kind < 0)
        return &report->advice->room;
    return report->advice->at[kind].after ? &report->advice->at[kind].room : NULL;
}

static void wavefronts(const struct bl_advice_report *report, size_t access, int kind,
                       char text[32])
{
    const struct bl_tile_cost *cost = cost_of(report, access, kind);

    if (cost)
        snprintf(text, 32, "%" PRIu64, cost->wavefronts);
}

static void ways(const struct bl_advice_report *report, size_t access, int kind,
                 char text[32])
{
    const struct bl_tile_cost *cost = cost_of(report, access, kind);

    if (cost)
        snprintf(text, 32, "%" PRIu32, cost->ways);
}

static void shared(const struct bl_advice_report *report, size_t access, int kind,
                   char text[32])
{
    const struct bl_room *room = room_of(report, kind);

    (void)access;
    if (room)
        snprintf(text, 32, "%" PRIu64, room->shared);
}

static void blocks(const struct bl_advice_report *report, size_t access, int kind,
                   char text[32])
{
    const struct bl_room *room = room_of(report, kind);

    (void)access;
    if (room && !room->fits)
        snprintf(text, 32, "too many");
    else if (room && room->blocks > 0)
        snprintf(text, 32, "%" PRIu32, room->blocks);
}

static void limits(const struct bl_advice_report *report, size_t access, int kind,
                   char text[32])
{
    const struct bl_room *room = room_of(report, kind);

    (void)access;
    if (room && room->limit)
        snprintf(text, 32, "%s",
                 strcmp(room->limit, "shared memory") == 0 ? "shared mem." : room->limit);
}

static void row(const struct bl_advice_report *report, FILE *out, const char *label,
                cell_fn *cell, size_t access)
{
    const int last = report->advice->clean ? -1 : BL_LAYOUTS - 1;

    fprintf(out, "%-*s", LABEL, label);
    for (int kind = -1; kind <= last; kind++) {
        char text[32] = "-";

        cell(report, access, kind, text);
        fprintf(out, "%*s", COLUMN, text);
    }
    fputc('\n', out);
}

static void heading(const struct bl_advice_report *report, size_t access, int kind,
                    char text[32])
{
    (void)report;
    (void)access;
    snprintf(text, 32, "%s",
             kind < 0 ? "as it is" : bl_layout_name((enum bl_layout_kind)kind));
}

static void table(const struct bl_advice_report *report, FILE *out)
{
    const struct bl_rates *rates = report->job->room.rates;

    row(report, out, "", heading, 0);
    for (size_t i = 0; i < report->job->count; i++) {
        char label[64];

        fprintf(out, "%s\n", report->job->accesses[i].name);
        snprintf(label, sizeof label, "    wavefronts of %" PRIu64,
                 report->advice->before[i].ideal);
        row(report, out, label, wavefronts, i);
        row(report, out, "    ways at worst", ways, i);
    }
    row(report, out, "shared bytes a block", shared, 0);
    if (rates && report->job->room.threads > 0) {
        row(report, out, "blocks an SM has room for", blocks, 0);
        row(report, out, "    limited by", limits, 0);
    }
}

/* ---- sentences ------------------------------------------------------------------- */

/* Words, broken before the page's end; further lines are indented by `indent`. */
static void wrapped(FILE *out, const char *text, int indent, int at)
{
    while (*text) {
        const int length = (int)strcspn(text, " ");

        if (at > indent && at + 1 + length > PAGE) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", length, text);
        at += length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static bool said(FILE *out, const char *label, char *text)
{
    if (!text)
        return false;
    fprintf(out, "%s ", label);
    wrapped(out, text, (int)strlen(label) + 1, (int)strlen(label) + 1);
    free(text);
    return true;
}

/* ---- the proposals --------------------------------------------------------------- */

static uint64_t needless_now(const struct bl_advice_report *report)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < report->job->count; i++)
        sum += report->advice->before[i].needless;
    return sum;
}

static bool proposal(const struct bl_advice_report *report, enum bl_layout_kind kind,
                     FILE *out)
{
    const struct bl_proposal *at = &report->advice->at[kind];
    const char *rest = at->cut ? " (there are more)" : "";
    char label[16], *place, *text;

    snprintf(label, sizeof label, "%-9s", bl_layout_name(kind));
    if (at->found == BL_FOUND_NONE)
        return said(out, label, bl_text_format("none: %s", at->why));
    place = bl_layout_place_text(&at->layout, report->job->tile.rows, "row", "col");
    if (!place)
        return false;
    if (at->found == BL_FOUND_ALL)
        text = bl_text_format("element %s", place);
    else if (at->needless >= needless_now(report))
        text =
            bl_text_format("none of %" PRIu64 " tried%s, and none is better than it is",
                           at->tried, rest);
    else
        text = bl_text_format("none of %" PRIu64 " tried%s; the best, with %" PRIu64
                              " wavefront%s too many: element %s",
                              at->tried, rest, at->needless, at->needless == 1 ? "" : "s",
                              place);
    free(place);
    if (!said(out, label, text))
        return false;
    for (size_t i = 0; i < report->job->count && report->pasted; i++) {
        const char *address = report->pasted[(size_t)kind * report->job->count + i];

        if (address)
            fprintf(out, "    %-5s '%s'\n",
                    report->job->accesses[i].is_store ? "store" : "load", address);
        else if (at->found == BL_FOUND_ALL)
            fprintf(out, "    %-5s to be written by row and column\n",
                    report->job->accesses[i].is_store ? "store" : "load");
    }
    return true;
}

static bool questions(const struct bl_advice_report *report, FILE *out)
{
    bool whole = true;

    fputs("\nWhat to choose:\n", out);
    for (int q = 0; q < BL_QUESTIONS && whole; q++) {
        char label[48];

        snprintf(label, sizeof label, "  %-27s", bl_question_text((enum bl_question)q));
        whole = said(out, label, bl_advice_answer(report, (enum bl_question)q));
    }
    return whole;
}

static void about(const struct bl_advice_report *report, FILE *out)
{
    const struct bl_tile *tile = &report->job->tile;
    const struct bl_rates *rates = report->job->room.rates;

    fprintf(out, "%s\n", report->subject);
    if (!report->advice->clean)
        fprintf(out,
                "tile: %" PRIu32 " rows of %" PRIu32 " elements of %" PRIu32 " byte%s; ",
                tile->rows, tile->pitch, tile->elem, tile->elem == 1 ? "" : "s");
    fprintf(out, "rules of %s", report->job->room.arch->name);
    if (rates && report->job->room.threads > 0)
        fprintf(out, ", room of an %s", rates->name);
    fputs("\n\n", out);
}

enum bl_status bl_advice_text(const struct bl_advice_report *report, FILE *out,
                              struct bl_error *err)
{
    bool whole = true;

    about(report, out);
    table(report, out);
    fputc('\n', out);
    for (int kind = 0; kind < BL_LAYOUTS && whole && !report->advice->clean; kind++)
        whole = proposal(report, (enum bl_layout_kind)kind, out);
    if (!report->advice->clean)
        whole = whole && questions(report, out);
    for (size_t i = 0; i < report->note_count; i++) {
        fputs(i == 0 && !report->advice->clean ? "\nNote: " : "Note: ", out);
        wrapped(out, report->notes[i], 6, 6);
    }
    if (!report->advice->clean || report->note_count > 0)
        fputc('\n', out);
    whole = whole && said(out, "Verdict:", bl_advice_verdict(report));
    return whole ? bl_report_flush(out, err) : bl_error_nomem(err);
}
