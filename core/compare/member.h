/* SPDX-License-Identifier: Apache-2.0
 *
 * member.h - members of a JSON document by the type that they must have, and errors that
 * name their place.
 */
#ifndef BL_MEMBER_H
#define BL_MEMBER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* An object, and how one gets there from the document: "cases[3]", then ".time". */
struct bl_place {
    const struct bl_place *up; /* NULL: the document itself */
    const char *key;           /* in `up` */
    bool is_element;           /* of the array up.key: at `index` */
    size_t index;
    const json_t *object;
    const char *file;
};

enum bl_need { BL_OPTIONAL, BL_NEEDED };

/* "FILE: PLACE.KEY: TEXT"; `key` NULL: of the place itself. */
__attribute__((format(printf, 4, 5))) enum bl_status
bl_member_error(const struct bl_place *at, const char *key, struct bl_error *err,
                const char *format, ...);

/* Each BL_E_INPUT if the member is not of its type, or absent though needed. A member
 * that is absent and may be leaves *out as it is. Texts are borrowed. */
enum bl_status bl_member_text(const struct bl_place *at, const char *key,
                              enum bl_need need, const char **out, struct bl_error *err);
/* A text that must be one of `words` (NULL-terminated). */
enum bl_status bl_member_word(const struct bl_place *at, const char *key,
                              enum bl_need need, const char *const *words,
                              const char **out, struct bl_error *err);
/* A whole number, `least` or more. */
enum bl_status bl_member_count(const struct bl_place *at, const char *key,
                               enum bl_need need, uint64_t least, uint64_t *out,
                               struct bl_error *err);
/* A number, 0 or more. */
enum bl_status bl_member_amount(const struct bl_place *at, const char *key,
                                enum bl_need need, double *out, struct bl_error *err);
/* An object, as a place to go on from; absent: out->object is NULL. */
enum bl_status bl_member_object(const struct bl_place *at, const char *key,
                                enum bl_need need, struct bl_place *out,
                                struct bl_error *err);
/* An array; absent: NULL. */
enum bl_status bl_member_array(const struct bl_place *at, const char *key,
                               enum bl_need need, const json_t **out,
                               struct bl_error *err);

#endif
