/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/many_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { WORDS = 8, KNOWN_MAX = WORDS + 32 + 2 * BL_COST_NUMBERS };

/* A name with a meaning, and where its column is to be noted. */
struct known {
    const char *name;
    int *column;
};

static const char lane_names[32][4] = {
    "a0",  "a1",  "a2",  "a3",  "a4",  "a5",  "a6",  "a7",  "a8",  "a9",  "a10",
    "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21",
    "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31",
};

static size_t list_known(struct bl_many_columns *columns, struct known known[KNOWN_MAX])
{
    const struct known words[WORDS] = {
        {"id", &columns->id},       {"op", &columns->op},
        {"space", &columns->space}, {"width", &columns->width},
        {"block", &columns->block}, {"mask", &columns->mask},
        {"warp", &columns->warp},   {"address", &columns->address},
    };
    size_t count = WORDS;

    memcpy(known, words, sizeof words);
    for (int lane = 0; lane < 32; lane++)
        known[count++] = (struct known){lane_names[lane], &columns->lane[lane]};
    for (size_t i = 0; i < BL_COST_NUMBERS; i++) {
        known[count++] = (struct known){bl_cost_numbers[i].name, &columns->expected[i]};
        if (bl_cost_numbers[i].other)
            known[count++] =
                (struct known){bl_cost_numbers[i].other, &columns->expected[i]};
    }
    for (size_t i = 0; i < count; i++)
        *known[i].column = -1;
    return count;
}

/* A column that this lab adds. */
static bool is_ours(const char *name)
{
    if (strcmp(name, "agrees") == 0)
        return true;
    if (strncmp(name, "rule_", 5) != 0)
        return false;
    for (size_t i = 0; i < BL_COST_NUMBERS; i++) {
        const size_t length = strlen(bl_cost_numbers[i].name);
        const char *rest = name + 5 + length;

        if (strncmp(name + 5, bl_cost_numbers[i].name, length) == 0 &&
            (*rest == '\0' || (bl_cost_numbers[i].least && strcmp(rest, "_least") == 0)))
            return true;
    }
    return false;
}

static void warn_of_near(const struct bl_many *many, int line, const char *name,
                         const struct known *known, size_t count)
{
    const char *names[KNOWN_MAX], *nearest;
    char *text;

    for (size_t i = 0; i < count; i++)
        names[i] = known[i].name;
    nearest = strlen(name) > 2 ? bl_text_nearest(name, names, count) : NULL;
    if (!nearest)
        return;
    text = bl_text_format("%s:%d: column \"%s\" is passed on as it is; did you mean "
                          "\"%s\"?",
                          many->name, line, name, nearest);
    if (text)
        many->warn(many->ctx, text);
    free(text);
}

static enum bl_status read_name(const struct bl_many *many,
                                const struct bl_csv_record *header, int column,
                                const struct known *known, size_t count,
                                struct bl_error *err)
{
    const char *name = bl_text_trim(header->fields[column]);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, known[i].name) != 0)
            continue;
        if (*known[i].column >= 0)
            return bl_error_at(err, BL_E_INPUT, many->name, header->line,
                               "columns %d and %d both are \"%s\"", *known[i].column + 1,
                               column + 1, name);
        *known[i].column = column;
        return BL_OK;
    }
    warn_of_near(many, header->line, name, known, count);
    return BL_OK;
}

static enum bl_status check(const struct bl_many *many,
                            const struct bl_csv_record *header,
                            const struct bl_many_columns *columns, struct bl_error *err)
{
    int lanes = 0, missing = -1;

    for (int lane = 31; lane >= 0; lane--) {
        lanes += columns->lane[lane] >= 0;
        missing = columns->lane[lane] < 0 ? lane : missing;
    }
    if (lanes > 0 && lanes < 32)
        return bl_error_at(err, BL_E_INPUT, many->name, header->line,
                           "a0 to a31 are the lanes' addresses, and a%d is missing",
                           missing);
    if (lanes == 0 && columns->address < 0)
        return bl_error_at(err, BL_E_INPUT, many->name, header->line,
                           "the header has neither \"address\", an expression, nor a0 to "
                           "a31, the lanes' addresses");
    return BL_OK;
}

/* What follows from which columns there are. */
static void conclude(const struct bl_many *many, struct bl_many_columns *columns)
{
    bool expects[2] = {false, false};

    for (size_t i = 0; i < BL_COST_NUMBERS; i++)
        if (columns->expected[i] >= 0)
            expects[bl_cost_numbers[i].is_global] = true;
    columns->expects = expects[false] || expects[true];
    columns->is_global = many->question->form.is_global;
    if (!many->space_given && expects[true] && !expects[false])
        columns->is_global = true;
    for (size_t i = 0; i < BL_COST_NUMBERS; i++)
        columns->shown[i] =
            columns->space >= 0 || bl_cost_numbers[i].is_global == columns->is_global;
}

enum bl_status bl_many_columns_read(const struct bl_many *many,
                                    const struct bl_csv_record *header,
                                    struct bl_many_columns *out, struct bl_error *err)
{
    struct bl_many_columns columns = {.count = header->count};
    struct known known[KNOWN_MAX];
    const size_t count = list_known(&columns, known);
    enum bl_status status = BL_OK;

    for (size_t i = 0; status == BL_OK && i < header->count; i++) {
        columns.replaced[i] = is_ours(header->fields[i]);
        if (!columns.replaced[i])
            status = read_name(many, header, (int)i, known, count, err);
    }
    if (status == BL_OK)
        status = check(many, header, &columns, err);
    if (status != BL_OK)
        return status;
    conclude(many, &columns);
    *out = columns;
    return BL_OK;
}
