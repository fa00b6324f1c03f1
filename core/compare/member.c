/* SPDX-License-Identifier: Apache-2.0
 *
 * member.c - members of a JSON document by the type that they must have.
 */
#include "compare/member.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MAX = 240, VALUE_MAX = 80 };

/* Appends; what does not fit is cut. */
static void put(char out[PLACE_MAX], const char *text)
{
    const size_t used = strlen(out);

    snprintf(out + used, PLACE_MAX - used, "%s", text);
}

static void print_place(const struct bl_place *at, char out[PLACE_MAX])
{
    char index[32];

    if (!at->up)
        return;
    print_place(at->up, out);
    put(out, *out ? "." : "");
    put(out, at->key);
    if (at->is_element) {
        snprintf(index, sizeof index, "[%zu]", at->index);
        put(out, index);
    }
}

enum bl_status bl_member_error(const struct bl_place *at, const char *key,
                               struct bl_error *err, const char *format, ...)
{
    char place[PLACE_MAX] = "", text[400];
    va_list ap;

    print_place(at, place);
    if (key) {
        put(place, *place ? "." : "");
        put(place, key);
    }
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    return bl_error_set(err, BL_E_INPUT, "%s: %s%s%s", at->file, place,
                        *place ? ": " : "", text);
}

static const char *print_value(const json_t *value, char out[VALUE_MAX])
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING:
        snprintf(out, VALUE_MAX, "\"%.60s\"", json_string_value(value));
        return out;
    case JSON_INTEGER:
        snprintf(out, VALUE_MAX, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return out;
    case JSON_REAL: snprintf(out, VALUE_MAX, "%g", json_real_value(value)); return out;
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: break;
    }
    return "null";
}

static enum bl_status wrong(const struct bl_place *at, const char *key,
                            const char *wanted, const json_t *value, struct bl_error *err)
{
    char buffer[VALUE_MAX];

    return bl_member_error(at, key, err, "must be %s, not %s", wanted,
                           print_value(value, buffer));
}

/* *out NULL: it is absent and may be. */
static enum bl_status get(const struct bl_place *at, const char *key, enum bl_need need,
                          const json_t **out, struct bl_error *err)
{
    *out = json_object_get(at->object, key);
    if (!*out && need == BL_NEEDED)
        return bl_member_error(at, key, err, "is missing");
    return BL_OK;
}

enum bl_status bl_member_text(const struct bl_place *at, const char *key,
                              enum bl_need need, const char **out, struct bl_error *err)
{
    const json_t *value;

    if (get(at, key, need, &value, err) != BL_OK)
        return BL_E_INPUT;
    if (value && !json_is_string(value))
        return wrong(at, key, "a text", value, err);
    if (value)
        *out = json_string_value(value);
    return BL_OK;
}

enum bl_status bl_member_word(const struct bl_place *at, const char *key,
                              enum bl_need need, const char *const *words,
                              const char **out, struct bl_error *err)
{
    char wanted[120] = "";
    const json_t *value;

    if (get(at, key, need, &value, err) != BL_OK)
        return BL_E_INPUT;
    if (!value)
        return BL_OK;
    for (size_t i = 0; words[i]; i++) {
        const size_t used = strlen(wanted);

        if (json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0) {
            *out = words[i];
            return BL_OK;
        }
        snprintf(wanted + used, sizeof wanted - used, "%s\"%s\"",
                 i == 0         ? ""
                 : words[i + 1] ? ", "
                                : " or ",
                 words[i]);
    }
    return wrong(at, key, wanted, value, err);
}

enum bl_status bl_member_count(const struct bl_place *at, const char *key,
                               enum bl_need need, uint64_t least, uint64_t *out,
                               struct bl_error *err)
{
    const json_t *value;
    char wanted[64];

    if (get(at, key, need, &value, err) != BL_OK)
        return BL_E_INPUT;
    if (!value)
        return BL_OK;
    if (!json_is_integer(value) || json_integer_value(value) < (json_int_t)least) {
        snprintf(wanted, sizeof wanted, "a whole number, %u or more", (unsigned)least);
        return wrong(at, key, wanted, value, err);
    }
    *out = (uint64_t)json_integer_value(value);
    return BL_OK;
}

enum bl_status bl_member_amount(const struct bl_place *at, const char *key,
                                enum bl_need need, double *out, struct bl_error *err)
{
    const json_t *value;

    if (get(at, key, need, &value, err) != BL_OK)
        return BL_E_INPUT;
    if (!value)
        return BL_OK;
    if (!json_is_number(value) || !(json_number_value(value) >= 0))
        return wrong(at, key, "a number, 0 or more", value, err);
    *out = json_number_value(value);
    return BL_OK;
}

enum bl_status bl_member_object(const struct bl_place *at, const char *key,
                                enum bl_need need, struct bl_place *out,
                                struct bl_error *err)
{
    const json_t *value;

    if (get(at, key, need, &value, err) != BL_OK)
        return BL_E_INPUT;
    if (value && !json_is_object(value))
        return wrong(at, key, "an object", value, err);
    *out = (struct bl_place){.up = at, .key = key, .object = value, .file = at->file};
    return BL_OK;
}

enum bl_status bl_member_array(const struct bl_place *at, const char *key,
                               enum bl_need need, const json_t **out,
                               struct bl_error *err)
{
    const json_t *value;

    if (get(at, key, need, &value, err) != BL_OK)
        return BL_E_INPUT;
    if (value && !json_is_array(value))
        return wrong(at, key, "an array", value, err);
    *out = value;
    return BL_OK;
}
