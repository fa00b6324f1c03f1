/* SPDX-License-Identifier: Apache-2.0
 *
 * json_make.h - how JSON is made: one call a member, and failures asked for once, at the
 * end.
 *
 * Jansson's "_new" setters take the value over, also when they fail, and fail when the
 * value is NULL; so every add is one expression, and one flag gathers the failures,
 * which can only be want of memory.
 */
#ifndef BL_JSON_MAKE_H
#define BL_JSON_MAKE_H

#include <jansson.h>
#include <stdio.h>

#include "work/measure.h"

struct bl_json_make {
    bool failed;
};

/* Each takes `value` over; NULL is a failure. */
void bl_json_add(struct bl_json_make *make, json_t *object, const char *key,
                 json_t *value);
void bl_json_append(struct bl_json_make *make, json_t *array, json_t *value);
/* Adds the group, or drops it if nothing was put in. */
void bl_json_add_group(struct bl_json_make *make, json_t *object, const char *key,
                       json_t *group);

/* A name may be any bytes; JSON is UTF-8, so bytes that are not become '?'. NULL: memory
 * ran out. */
json_t *bl_json_text(const char *text);
void bl_json_add_text(struct bl_json_make *make, json_t *object, const char *key,
                      const char *text);
void bl_json_add_text_unless_empty(struct bl_json_make *make, json_t *object,
                                   const char *key, const char *text);
/* Takes a fresh text over; NULL is a failure. */
void bl_json_add_fresh(struct bl_json_make *make, json_t *object, const char *key,
                       char *text);
/* A count beyond INT64_MAX is cut. */
void bl_json_add_count(struct bl_json_make *make, json_t *object, const char *key,
                       uint64_t value);
/* A number that is none is left out, as if it had not been measured. */
void bl_json_add_real(struct bl_json_make *make, json_t *object, const char *key,
                      double value);

/* A warp's addresses, null for a lane that is not in the mask. */
json_t *bl_json_lanes(struct bl_json_make *make, uint32_t mask,
                      const uint64_t address[32]);

/* Writes the document, takes it over, and flushes `out`. BL_E_NOMEM: something before
 * failed, and nothing is written. */
enum bl_status bl_json_write(const struct bl_json_make *make, json_t *root, FILE *out,
                             struct bl_error *err);

/* json.c: of a case. */
json_t *bl_json_params(struct bl_json_make *make, const struct bl_case *of);
json_t *bl_json_problem(struct bl_json_make *make, const struct bl_case *of);

/* json_counts.c: groups of a case; empty where nothing was measured. */
json_t *bl_json_shared(struct bl_json_make *make, const struct bl_counts *counts);
json_t *bl_json_global(struct bl_json_make *make, const struct bl_counts *counts);
/* Whose numbers are the model's, beside counters'. */
json_t *bl_json_model(struct bl_json_make *make, const struct bl_counts *counts);

#endif
