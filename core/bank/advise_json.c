/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_json.c - an advice as one JSON document, banklab.advise/1.
 */
#include <config.h>
#include <jansson.h>
#include <stdlib.h>

#include "bank/advise_report.h"
#include "report/report.h"
#include "work/rates.h"

struct maker {
    bool failed;
};

static void add(struct maker *make, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        make->failed = true;
}

static void append(struct maker *make, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        make->failed = true;
}

static void add_count(struct maker *make, json_t *object, const char *key, uint64_t value)
{
    add(make, object, key,
        json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value));
}

/* Takes a fresh text. */
static void add_fresh(struct maker *make, json_t *object, const char *key, char *text)
{
    add(make, object, key, text ? json_string(text) : NULL);
    free(text);
}

static json_t *cost(struct maker *make, const struct bl_tile_cost *from)
{
    json_t *object = json_object();

    add_count(make, object, "wavefronts", from->wavefronts);
    add_count(make, object, "conflicts", from->conflicts);
    add_count(make, object, "needless", from->needless);
    add_count(make, object, "ways", from->ways);
    return object;
}

static json_t *tile(struct maker *make, const struct bl_advice *advice)
{
    json_t *object = json_object();

    add_count(make, object, "pitch", advice->tile.pitch);
    add_count(make, object, "elem", advice->tile.elem);
    add_count(make, object, "rows", advice->tile.rows);
    add_count(make, object, "bytes", advice->bytes);
    return object;
}

static void add_room(struct maker *make, json_t *object, const struct bl_room *room)
{
    add_count(make, object, "shared_bytes", room->shared);
    add(make, object, "fits", json_boolean(room->fits));
    if (room->blocks > 0) {
        add_count(make, object, "blocks_per_sm", room->blocks);
        add(make, object, "limited_by", json_string(room->limit));
    }
}

static json_t *accesses(struct maker *make, const struct bl_advice_report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < report->job->count; i++) {
        const struct bl_tile_access *access = &report->job->accesses[i];
        json_t *object = json_object();

        add(make, object, "access", json_string(access->name));
        add(make, object, "op", json_string(access->is_store ? "store" : "load"));
        add_count(make, object, "width", access->width);
        add_count(make, object, "requests", report->advice->before[i].requests);
        add_count(make, object, "ideal", report->advice->before[i].ideal);
        add(make, object, "now", cost(make, &report->advice->before[i]));
        append(make, array, object);
    }
    return array;
}

static void add_layout(struct maker *make, json_t *object,
                       const struct bl_advice_report *report,
                       const struct bl_proposal *from)
{
    const struct bl_layout *layout = &from->layout;
    json_t *array = json_array();

    add_count(make, object, "pitch", layout->pitch);
    add_fresh(make, object, "place",
              bl_layout_place_text(layout, report->job->tile.rows, "row", "col"));
    add_count(make, object, "bytes", from->bytes);
    add_count(make, object, "more_bytes", from->bytes - report->advice->bytes);
    add_room(make, object, &from->room);
    for (size_t i = 0; i < report->job->count; i++) {
        json_t *at = cost(make, &from->after[i]);
        const char *text =
            report->pasted ? report->pasted[(size_t)layout->kind * report->job->count + i]
                           : NULL;

        if (text)
            add(make, at, "address", json_string(text));
        append(make, array, at);
    }
    add(make, object, "accesses", array);
}

static json_t *proposals(struct maker *make, const struct bl_advice_report *report)
{
    json_t *array = json_array();

    for (int kind = 0; kind < BL_LAYOUTS && !report->advice->clean; kind++) {
        const struct bl_proposal *from = &report->advice->at[kind];
        json_t *object = json_object();

        add(make, object, "kind", json_string(bl_layout_name((enum bl_layout_kind)kind)));
        add(make, object, "found", json_boolean(from->found == BL_FOUND_ALL));
        add_count(make, object, "tried", from->tried);
        add(make, object, "all_tried", json_boolean(!from->cut));
        if (from->found == BL_FOUND_NONE)
            add(make, object, "why", json_string(from->why));
        else
            add_layout(make, object, report, from);
        append(make, array, object);
    }
    return array;
}

static json_t *questions(struct maker *make, const struct bl_advice_report *report)
{
    json_t *array = json_array();

    for (int q = 0; q < BL_QUESTIONS && !report->advice->clean; q++) {
        json_t *object = json_object();

        add(make, object, "question", json_string(bl_question_text((enum bl_question)q)));
        add_fresh(make, object, "answer", bl_advice_answer(report, (enum bl_question)q));
        append(make, array, object);
    }
    return array;
}

static json_t *verdict(struct maker *make, const struct bl_advice_report *report)
{
    const enum bl_layout_kind chosen = report->advice->chosen;
    json_t *object = json_object();

    if (chosen != BL_LAYOUTS)
        add(make, object, "choice", json_string(bl_layout_name(chosen)));
    add_fresh(make, object, "text", bl_advice_verdict(report));
    return object;
}

static json_t *document(struct maker *make, const struct bl_advice_report *report)
{
    const struct bl_rates *rates = report->job->room.rates;
    json_t *root = json_object(), *notes = json_array(), *now = json_object();

    add(make, root, "schema", json_string("banklab.advise/1"));
    add(make, root, "banklab", json_string(PACKAGE_VERSION));
    add(make, root, "subject", json_string(report->subject));
    add(make, root, "arch", json_string(report->job->room.arch->name));
    if (rates)
        add(make, root, "gpu", json_string(rates->name));
    add(make, root, "source", json_string("model"));
    add(make, root, "tile", tile(make, report->advice));
    add_count(make, root, "bound", report->advice->bound);
    add(make, root, "clean", json_boolean(report->advice->clean));
    add(make, root, "accesses", accesses(make, report));
    add_room(make, now, &report->advice->room);
    add(make, root, "now", now);
    add(make, root, "proposals", proposals(make, report));
    add(make, root, "questions", questions(make, report));
    add(make, root, "verdict", verdict(make, report));
    for (size_t i = 0; i < report->note_count; i++)
        append(make, notes, json_string(report->notes[i]));
    add(make, root, "notes", notes);
    return root;
}

enum bl_status bl_advice_json(const struct bl_advice_report *report, FILE *out,
                              struct bl_error *err)
{
    struct maker make = {.failed = false};
    json_t *root = document(&make, report);
    char *text = make.failed ? NULL : json_dumps(root, JSON_INDENT(2));

    json_decref(root);
    if (!text)
        return bl_error_nomem(err);
    fprintf(out, "%s\n", text);
    free(text);
    return bl_report_flush(out, err);
}
