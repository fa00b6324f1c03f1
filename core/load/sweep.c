/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/param.h"

struct sweep {
    const char *whole; /* the text as written, for messages */
    char **list;       /* NULL-terminated once it exists */
    size_t count;
    size_t capacity;
};

/* Takes over `value`, NULL if memory ran out. */
static enum bl_status sweep_add(struct sweep *sweep, char *value, struct bl_error *err)
{
    if (!value)
        return bl_error_nomem(err);
    if (sweep->count == BL_SWEEP_MAX) {
        free(value);
        return bl_error_set(err, BL_E_INPUT,
                            "\"%.80s\" has more than %d values; use a greater step",
                            sweep->whole, BL_SWEEP_MAX);
    }
    if (sweep->count + 1 >= sweep->capacity) {
        size_t capacity = sweep->capacity ? sweep->capacity * 2 : 8;
        char **list = realloc(sweep->list, capacity * sizeof *list);
        if (!list) {
            free(value);
            return bl_error_nomem(err);
        }
        sweep->list = list;
        sweep->capacity = capacity;
    }
    sweep->list[sweep->count++] = value;
    sweep->list[sweep->count] = NULL;
    return BL_OK;
}

static enum bl_status add_steps(struct sweep *sweep, int64_t low, int64_t high,
                                int64_t step, struct bl_error *err)
{
    for (int64_t v = low;; v += step) {
        enum bl_status st = sweep_add(sweep, bl_text_format("%" PRId64, v), err);
        /* The rest is compared, not the next value, which might not fit. */
        if (st != BL_OK || (uint64_t)high - (uint64_t)v < (uint64_t)step)
            return st;
    }
}

static enum bl_status add_powers(struct sweep *sweep, int64_t low, int64_t high,
                                 int64_t factor, struct bl_error *err)
{
    for (int64_t v = low;; v *= factor) {
        enum bl_status st = sweep_add(sweep, bl_text_format("%" PRId64, v), err);
        if (st != BL_OK || v > high / factor)
            return st;
    }
}

/* `dots` points at the ".." in `item`; both are written over. */
static enum bl_status expand_range(struct sweep *sweep, char *item, char *dots,
                                   struct bl_error *err)
{
    char *shown = bl_text_format("%.80s", item);
    char *upper, *step_text = NULL, op = '+';
    int64_t low, high, step = 1;
    enum bl_status st = BL_E_INPUT;
    if (!shown)
        return bl_error_nomem(err);
    *dots = '\0';
    upper = bl_text_trim(dots + 2);
    if (*upper) /* its first character may be a sign */
        step_text = strpbrk(upper + 1, "+*");
    if (step_text) {
        op = *step_text;
        *step_text++ = '\0';
    }
    if (!bl_text_int(bl_text_trim(item), &low) ||
        !bl_text_int(bl_text_trim(upper), &high) ||
        (step_text && !bl_text_int(bl_text_trim(step_text), &step)))
        bl_error_set(err, st,
                     "\"%s\" is not a range of whole numbers; write LOW..HIGH, "
                     "LOW..HIGH+STEP or LOW..HIGH*FACTOR",
                     shown);
    else if (low > high)
        bl_error_set(err, st, "the range \"%s\" is empty: %" PRId64 " is above %" PRId64,
                     shown, low, high);
    else if (op == '+' && step < 1)
        bl_error_set(err, st, "the step of \"%s\" must be at least 1", shown);
    else if (op == '*' && (step < 2 || low < 1))
        bl_error_set(err, st,
                     "\"%s\" does not grow; LOW..HIGH*FACTOR needs LOW of at least 1 "
                     "and FACTOR of at least 2",
                     shown);
    else if (op == '+')
        st = add_steps(sweep, low, high, step, err);
    else
        st = add_powers(sweep, low, high, step, err);
    free(shown);
    return st;
}

static enum bl_status expand_item(struct sweep *sweep, char *item, struct bl_error *err)
{
    char *dots = strstr(item, "..");
    if (*item == '\0') {
        if (strchr(sweep->whole, ','))
            return bl_error_set(err, BL_E_INPUT,
                                "\"%.80s\" has an empty value beside a comma",
                                sweep->whole);
        return bl_error_set(err, BL_E_INPUT, "the value is empty");
    }
    if (dots)
        return expand_range(sweep, item, dots, err);
    return sweep_add(sweep, strdup(item), err);
}

enum bl_status bl_sweep_expand(const char *text, char ***out_list, size_t *out_count,
                               struct bl_error *err)
{
    struct sweep sweep = {.whole = text};
    enum bl_status st = BL_OK;
    char *copy = strdup(text), *rest = copy, *item;
    if (!copy)
        return bl_error_nomem(err);
    while (st == BL_OK && (item = strsep(&rest, ",")) != NULL)
        st = expand_item(&sweep, bl_text_trim(item), err);
    free(copy);
    if (st != BL_OK) {
        bl_sweep_free(sweep.list);
        return st;
    }
    *out_list = sweep.list;
    *out_count = sweep.count;
    return BL_OK;
}

void bl_sweep_free(char **list)
{
    if (!list)
        return;
    for (size_t i = 0; list[i]; i++)
        free(list[i]);
    free(list);
}
