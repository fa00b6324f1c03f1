/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* 15 digits: what every double keeps of a decimal number, so 2.23 is not printed as
 * 2.2299999999999999. */
#define DUMP_FLAGS (JSON_INDENT(2) | JSON_REAL_PRECISION(15))

void bl_json_add(struct bl_json_make *make, json_t *object, const char *key,
                 json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        make->failed = true;
}

void bl_json_append(struct bl_json_make *make, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        make->failed = true;
}

void bl_json_add_group(struct bl_json_make *make, json_t *object, const char *key,
                       json_t *group)
{
    if (group && json_object_size(group) == 0)
        json_decref(group);
    else
        bl_json_add(make, object, key, group);
}

json_t *bl_json_text(const char *text)
{
    json_t *value = json_string(text);

    if (!value) {
        char *ascii = strdup(text);

        for (char *at = ascii; at && *at; at++)
            *at = (unsigned char)*at < 0x80 ? *at : '?';
        value = ascii ? json_string(ascii) : NULL;
        free(ascii);
    }
    return value;
}

void bl_json_add_text(struct bl_json_make *make, json_t *object, const char *key,
                      const char *text)
{
    bl_json_add(make, object, key, bl_json_text(text));
}

void bl_json_add_text_unless_empty(struct bl_json_make *make, json_t *object,
                                   const char *key, const char *text)
{
    if (text && *text)
        bl_json_add_text(make, object, key, text);
}

/* JSON has no other integers here than jansson's: a count beyond them is beyond any
 * run, and is cut rather than wrapped. */
void bl_json_add_fresh(struct bl_json_make *make, json_t *object, const char *key,
                       char *text)
{
    bl_json_add(make, object, key, text ? bl_json_text(text) : NULL);
    free(text);
}

void bl_json_add_count(struct bl_json_make *make, json_t *object, const char *key,
                       uint64_t value)
{
    const json_int_t most = INT64_MAX;

    bl_json_add(make, object, key,
                json_integer(value > INT64_MAX ? most : (json_int_t)value));
}

void bl_json_add_real(struct bl_json_make *make, json_t *object, const char *key,
                      double value)
{
    if (isfinite(value))
        bl_json_add(make, object, key, json_real(value));
}

json_t *bl_json_lanes(struct bl_json_make *make, uint32_t mask,
                      const uint64_t address[32])
{
    json_t *array = json_array();

    for (int l = 0; l < 32; l++)
        bl_json_append(make, array,
                       mask >> l & 1 ? json_integer((json_int_t)address[l])
                                     : json_null());
    return array;
}

enum bl_status bl_json_write(const struct bl_json_make *make, json_t *root, FILE *out,
                             struct bl_error *err)
{
    enum bl_status status;

    if (!root || make->failed ||
        (json_dumpf(root, out, DUMP_FLAGS) != 0 && !ferror(out))) {
        status = bl_error_nomem(err);
    } else {
        fputc('\n', out);
        status = bl_report_flush(out, err);
    }
    json_decref(root);
    return status;
}
