/* SPDX-License-Identifier: Apache-2.0
 *
 * saved.c - a report, read back from its JSON.
 */
#include "compare/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/saved_case.h"

/* A million cases would be less. */
enum { SIZE_LIMIT = 1 << 30, CHUNK = 1 << 16 };

#define SCHEMA "banklab.report/"

/* ---- the document
 * ---------------------------------------------------------------------- */

static enum bl_status check_schema(const struct bl_place *root, struct bl_error *err)
{
    const char *schema = NULL;

    if (!json_object_get(root->object, "schema"))
        return bl_member_error(root, NULL, err,
                               "no report: \"schema\" is missing; `banklab run --format "
                               "json' writes one");
    if (bl_member_text(root, "schema", BL_NEEDED, &schema, err) != BL_OK)
        return BL_E_INPUT;
    if (strcmp(schema, SCHEMA "1") == 0)
        return BL_OK;
    if (strncmp(schema, SCHEMA, sizeof SCHEMA - 1) == 0)
        return bl_member_error(
            root, "schema", err,
            "\"%.40s\" is a format that this banklab does not know; it "
            "reads \"" SCHEMA "1\"",
            schema);
    return bl_member_error(root, "schema", err,
                           "must be \"" SCHEMA
                           "1\", not \"%.40s\"; `banklab run --format "
                           "json' writes one",
                           schema);
}

static enum bl_status read_run(const struct bl_place *root, struct bl_saved *out,
                               struct bl_error *err)
{
    struct bl_place run;
    enum bl_status status = bl_member_object(root, "run", BL_NEEDED, &run, err);

    if (status == BL_OK)
        status = bl_member_text(&run, "seed", BL_NEEDED, &out->seed, err);
    if (status == BL_OK)
        status = bl_member_text(&run, "baseline", BL_OPTIONAL, &out->baseline, err);
    return status;
}

static enum bl_status read_device(const struct bl_place *root, struct bl_saved *out,
                                  struct bl_error *err)
{
    struct bl_place device, timing;
    enum bl_status status = bl_member_object(root, "device", BL_NEEDED, &device, err);

    if (status == BL_OK)
        status = bl_member_text(&device, "backend", BL_NEEDED, &out->backend, err);
    if (status == BL_OK)
        status = bl_member_text(&device, "name", BL_NEEDED, &out->device, err);
    if (status == BL_OK)
        status = bl_member_text(&device, "arch", BL_NEEDED, &out->arch, err);
    if (status == BL_OK)
        status = bl_member_text(&device, "rates", BL_OPTIONAL, &out->rates, err);
    if (status == BL_OK)
        status = bl_member_text(&device, "driver", BL_OPTIONAL, &out->driver, err);
    if (status == BL_OK)
        status = bl_member_object(root, "timing", BL_OPTIONAL, &timing, err);
    if (status == BL_OK && timing.object)
        status = bl_member_text(&timing, "date", BL_OPTIONAL, &out->date, err);
    return status;
}

static enum bl_status read_warnings(const struct bl_place *root, struct bl_saved *out,
                                    struct bl_error *err)
{
    const json_t *array = NULL;
    enum bl_status status = bl_member_array(root, "warnings", BL_OPTIONAL, &array, err);
    const size_t count = json_array_size(array);

    if (status != BL_OK || count == 0)
        return status;
    out->warnings = calloc(count, sizeof *out->warnings);
    if (!out->warnings)
        return bl_error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        out->warnings[i] = json_string_value(json_array_get(array, i));
        if (!out->warnings[i])
            return bl_member_error(root, "warnings", err, "must be an array of texts");
    }
    out->warning_count = count;
    return BL_OK;
}

/* ---- cases
 * ------------------------------------------------------------------------------ */

static int by_name(const void *left, const void *right)
{
    const struct bl_saved_case *a = *(const struct bl_saved_case *const *)left;
    const struct bl_saved_case *b = *(const struct bl_saved_case *const *)right;
    const int order = strcmp(a->name, b->name);

    return order ? order : (a > b) - (a < b);
}

/* Cases are told apart by their names. */
static enum bl_status sort_names(const struct bl_place *root, struct bl_saved *out,
                                 struct bl_error *err)
{
    out->by_name = calloc(out->count ? out->count : 1, sizeof *out->by_name);
    if (!out->by_name)
        return bl_error_nomem(err);
    for (size_t i = 0; i < out->count; i++)
        out->by_name[i] = &out->cases[i];
    qsort(out->by_name, out->count, sizeof *out->by_name, by_name);
    for (size_t i = 1; i < out->count; i++) {
        const struct bl_saved_case *before = out->by_name[i - 1], *of = out->by_name[i];
        const size_t at = (size_t)(of - out->cases);
        const struct bl_place place = {root, "cases", true, at, NULL, root->file};

        if (strcmp(before->name, of->name) == 0)
            return bl_member_error(&place, "case", err,
                                   "\"%.80s\" is the name of cases[%zu] too", of->name,
                                   (size_t)(before - out->cases));
    }
    return BL_OK;
}

static enum bl_status read_cases(const struct bl_place *root, struct bl_saved *out,
                                 struct bl_error *err)
{
    const json_t *array = NULL;
    enum bl_status status = bl_member_array(root, "cases", BL_NEEDED, &array, err);
    const size_t count = json_array_size(array);

    if (status != BL_OK)
        return status;
    out->cases = calloc(count ? count : 1, sizeof *out->cases);
    if (!out->cases)
        return bl_error_nomem(err);
    for (; status == BL_OK && out->count < count; out->count++) {
        const struct bl_place place = {
            root,      "cases", true, out->count, json_array_get(array, out->count),
            root->file};

        if (!json_is_object(place.object))
            return bl_member_error(&place, NULL, err, "must be an object");
        status = bl_saved_case_read(&place, out->arch, &out->cases[out->count], err);
    }
    return status == BL_OK ? sort_names(root, out, err) : status;
}

const struct bl_saved_case *bl_saved_find(const struct bl_saved *saved, const char *name)
{
    size_t from = 0, to = saved->count;

    while (from < to) {
        const size_t at = from + (to - from) / 2;
        const struct bl_saved_case *of = saved->by_name[at];
        const int order = strcmp(name, of->name);

        if (order == 0)
            return of;
        if (order < 0)
            to = at;
        else
            from = at + 1;
    }
    return NULL;
}

/* ---- all of it
 * --------------------------------------------------------------------------- */

static enum bl_status read_root(const struct bl_place *root, struct bl_saved *out,
                                struct bl_error *err)
{
    enum bl_status status;

    if (!json_is_object(root->object))
        return bl_member_error(root, NULL, err, "no report: a report is one JSON object");
    status = check_schema(root, err);
    if (status == BL_OK)
        status = bl_member_text(root, "banklab", BL_NEEDED, &out->version, err);
    if (status == BL_OK)
        status = bl_member_text(root, "profile", BL_NEEDED, &out->profile, err);
    if (status == BL_OK)
        status = read_run(root, out, err);
    if (status == BL_OK)
        status = read_device(root, out, err);
    if (status == BL_OK)
        status = read_warnings(root, out, err);
    if (status == BL_OK)
        status = read_cases(root, out, err);
    return status;
}

enum bl_status bl_saved_parse(const char *path, const char *text, size_t length,
                              struct bl_saved *out, struct bl_error *err)
{
    struct bl_saved made = {.path = strdup(path)};
    struct bl_place root = {.file = path};
    enum bl_status status;
    json_error_t error;

    if (!made.path)
        return bl_error_nomem(err);
    made.root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    root.object = made.root;
    if (made.root)
        status = read_root(&root, &made, err);
    else if (json_error_code(&error) == json_error_out_of_memory)
        status = bl_error_nomem(err);
    else if (length == 0)
        status = bl_error_set(err, BL_E_INPUT, "%s: empty, no report", path);
    else
        status =
            bl_error_at(err, BL_E_INPUT, path, error.line,
                        "column %d: not JSON: %s; `banklab run --format json' writes "
                        "what can be compared",
                        error.column, error.text);
    if (status == BL_OK)
        *out = made;
    else
        bl_saved_free(&made);
    return status;
}

/* Pipes too, so that a report need not be a file. */
static enum bl_status read_all(FILE *in, const char *path, char **text_out,
                               size_t *length_out, struct bl_error *err)
{
    size_t length = 0, room = 0, got;
    char *text = NULL;

    do {
        if (room - length < CHUNK) {
            char *more = realloc(text, room = room * 2 + CHUNK);

            if (!more) {
                free(text);
                return bl_error_nomem(err);
            }
            text = more;
        }
        got = fread(text + length, 1, room - length, in);
        length += got;
    } while (got > 0 && length <= SIZE_LIMIT);
    if (ferror(in) || length > SIZE_LIMIT) {
        free(text);
        return ferror(in) ? bl_error_set(err, BL_E_IO, "%s: %s", path, strerror(errno))
                          : bl_error_set(err, BL_E_INPUT,
                                         "%s: more than %d bytes, which "
                                         "is no report",
                                         path, SIZE_LIMIT);
    }
    *text_out = text;
    *length_out = length;
    return BL_OK;
}

enum bl_status bl_saved_read(const char *path, struct bl_saved *out, struct bl_error *err)
{
    const bool is_input = strcmp(path, "-") == 0;
    FILE *in = is_input ? stdin : fopen(path, "rb");
    const char *name = is_input ? "standard input" : path;
    char *text = NULL;
    size_t length = 0;
    struct stat info;
    enum bl_status status;

    if (!in)
        return bl_error_set(err, BL_E_IO, "%s: %s", name, strerror(errno));
    if (fstat(fileno(in), &info) == 0 && S_ISDIR(info.st_mode))
        status = bl_error_set(err, BL_E_IO, "%s: a folder, no report", name);
    else
        status = read_all(in, name, &text, &length, err);
    if (status == BL_OK)
        status = bl_saved_parse(name, text, length, out, err);
    free(text);
    if (!is_input)
        fclose(in);
    return status;
}

void bl_saved_free(struct bl_saved *saved)
{
    json_decref(saved->root);
    free(saved->path);
    free(saved->warnings);
    free(saved->cases);
    free(saved->by_name);
}
