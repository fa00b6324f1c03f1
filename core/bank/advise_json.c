/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_json.c - an advice as one JSON document, banklab.advise/1.
 */
#include <config.h>

#include "bank/advise_report.h"
#include "report/json_make.h"
#include "work/rates.h"

static json_t *cost(struct bl_json_make *make, const struct bl_tile_cost *from)
{
    json_t *object = json_object();

    bl_json_add_count(make, object, "wavefronts", from->wavefronts);
    bl_json_add_count(make, object, "conflicts", from->conflicts);
    bl_json_add_count(make, object, "needless", from->needless);
    bl_json_add_count(make, object, "ways", from->ways);
    return object;
}

static json_t *tile(struct bl_json_make *make, const struct bl_advice *advice)
{
    json_t *object = json_object();

    bl_json_add_count(make, object, "pitch", advice->tile.pitch);
    bl_json_add_count(make, object, "elem", advice->tile.elem);
    bl_json_add_count(make, object, "rows", advice->tile.rows);
    bl_json_add_count(make, object, "bytes", advice->bytes);
    return object;
}

static void add_room(struct bl_json_make *make, json_t *object,
                     const struct bl_room *room)
{
    bl_json_add_count(make, object, "shared_bytes", room->shared);
    bl_json_add(make, object, "fits", json_boolean(room->fits));
    if (room->blocks > 0) {
        bl_json_add_count(make, object, "blocks_per_sm", room->blocks);
        bl_json_add_text(make, object, "limited_by", room->limit);
    }
}

static json_t *accesses(struct bl_json_make *make, const struct bl_advice_report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < report->job->count; i++) {
        const struct bl_tile_access *access = &report->job->accesses[i];
        json_t *object = json_object();

        bl_json_add_text(make, object, "access", access->name);
        bl_json_add_text(make, object, "op", access->is_store ? "store" : "load");
        bl_json_add_count(make, object, "width", access->width);
        bl_json_add_count(make, object, "requests", report->advice->before[i].requests);
        bl_json_add_count(make, object, "ideal", report->advice->before[i].ideal);
        bl_json_add(make, object, "now", cost(make, &report->advice->before[i]));
        bl_json_append(make, array, object);
    }
    return array;
}

static void add_layout(struct bl_json_make *make, json_t *object,
                       const struct bl_advice_report *report,
                       const struct bl_proposal *from)
{
    const struct bl_layout *layout = &from->layout;
    json_t *array = json_array();

    bl_json_add_count(make, object, "pitch", layout->pitch);
    bl_json_add_fresh(make, object, "place",
                      bl_layout_place_text(layout, report->job->tile.rows, "row", "col"));
    bl_json_add_count(make, object, "bytes", from->bytes);
    bl_json_add_count(make, object, "more_bytes", from->bytes - report->advice->bytes);
    add_room(make, object, &from->room);
    for (size_t i = 0; i < report->job->count; i++) {
        json_t *at = cost(make, &from->after[i]);
        const char *text =
            report->pasted ? report->pasted[(size_t)layout->kind * report->job->count + i]
                           : NULL;

        if (text)
            bl_json_add_text(make, at, "address", text);
        bl_json_append(make, array, at);
    }
    bl_json_add(make, object, "accesses", array);
}

static json_t *proposals(struct bl_json_make *make, const struct bl_advice_report *report)
{
    json_t *array = json_array();

    for (int kind = 0; kind < BL_LAYOUTS && !report->advice->clean; kind++) {
        const struct bl_proposal *from = &report->advice->at[kind];
        json_t *object = json_object();

        bl_json_add_text(make, object, "kind", bl_layout_name((enum bl_layout_kind)kind));
        bl_json_add(make, object, "found", json_boolean(from->found == BL_FOUND_ALL));
        bl_json_add_count(make, object, "tried", from->tried);
        bl_json_add(make, object, "all_tried", json_boolean(!from->cut));
        if (from->found == BL_FOUND_NONE)
            bl_json_add_text(make, object, "why", from->why);
        else
            add_layout(make, object, report, from);
        bl_json_append(make, array, object);
    }
    return array;
}

static json_t *questions(struct bl_json_make *make, const struct bl_advice_report *report)
{
    json_t *array = json_array();

    for (int q = 0; q < BL_QUESTIONS && !report->advice->clean; q++) {
        json_t *object = json_object();

        bl_json_add_text(make, object, "question", bl_question_text((enum bl_question)q));
        bl_json_add_fresh(make, object, "answer",
                          bl_advice_answer(report, (enum bl_question)q));
        bl_json_append(make, array, object);
    }
    return array;
}

static json_t *verdict(struct bl_json_make *make, const struct bl_advice_report *report)
{
    const enum bl_layout_kind chosen = report->advice->chosen;
    json_t *object = json_object();

    if (chosen != BL_LAYOUTS)
        bl_json_add_text(make, object, "choice", bl_layout_name(chosen));
    bl_json_add_fresh(make, object, "text", bl_advice_verdict(report));
    return object;
}

static json_t *document(struct bl_json_make *make, const struct bl_advice_report *report)
{
    const struct bl_rates *rates = report->job->room.rates;
    json_t *root = json_object(), *notes = json_array(), *now = json_object();

    bl_json_add_text(make, root, "schema", "banklab.advise/1");
    bl_json_add_text(make, root, "banklab", PACKAGE_VERSION);
    bl_json_add_text(make, root, "subject", report->subject);
    bl_json_add_text(make, root, "arch", report->job->room.arch->name);
    if (rates)
        bl_json_add_text(make, root, "gpu", rates->name);
    bl_json_add_text(make, root, "source", "model");
    bl_json_add(make, root, "tile", tile(make, report->advice));
    bl_json_add_count(make, root, "bound", report->advice->bound);
    bl_json_add(make, root, "clean", json_boolean(report->advice->clean));
    bl_json_add(make, root, "accesses", accesses(make, report));
    add_room(make, now, &report->advice->room);
    bl_json_add(make, root, "now", now);
    bl_json_add(make, root, "proposals", proposals(make, report));
    bl_json_add(make, root, "questions", questions(make, report));
    bl_json_add(make, root, "verdict", verdict(make, report));
    for (size_t i = 0; i < report->note_count; i++)
        bl_json_append(make, notes, bl_json_text(report->notes[i]));
    bl_json_add(make, root, "notes", notes);
    return root;
}

enum bl_status bl_advice_json(const struct bl_advice_report *report, FILE *out,
                              struct bl_error *err)
{
    struct bl_json_make make = {false};

    return bl_json_write(&make, document(&make, report), out, err);
}
