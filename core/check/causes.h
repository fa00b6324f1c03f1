/* SPDX-License-Identifier: Apache-2.0
 *
 * causes.h - what went wrong in many runs, once for each cause, by rule.
 */
#ifndef BL_CAUSES_H
#define BL_CAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "check/check.h"

/* The rules that runs are held against. */
enum bl_rule {
    BL_RULE_MADE,   /* a run could be planned, loaded and begun */
    BL_RULE_FAULT,  /* no fault: bounds, alignment, barriers, unwritten shared memory */
    BL_RULE_RIGHT,  /* every element is right */
    BL_RULE_SHARED, /* no race in shared memory */
    BL_RULE_GLOBAL, /* no race in global memory */
    BL_RULE_OLD,    /* nothing is taken from an earlier run */
    BL_RULES
};

struct bl_cause {
    enum bl_rule rule;
    bool note;     /* to be told, but no failure */
    char *key;     /* what makes it one cause */
    char *text;    /* of the first run that showed it */
    char *label;   /* of that run */
    char *hint;    /* of that run; NULL: none */
    char *common;  /* what all runs that failed have in common; NULL: nothing */
    size_t count;  /* runs */
    size_t number; /* of the run that showed it last */
};

struct bl_causes {
    struct bl_cause *at;
    size_t count;
    bool lost; /* memory ran out */
};

/* Adds a run to a cause. `number` is the run's: the same run counts once. The cause.
 * NULL: memory ran out. */
struct bl_cause *bl_causes_add(struct bl_causes *causes, enum bl_rule rule,
                               const char *key, const char *text, const char *label,
                               size_t number);
/* Sets a cause's hint, or what is common, if it has none. */
void bl_cause_hint(struct bl_causes *causes, struct bl_cause *cause, const char *hint);
void bl_cause_common(struct bl_causes *causes, struct bl_cause *cause,
                     const char *common);
void bl_causes_free(struct bl_causes *causes);

/* A point for each rule, and its causes. `runs` were made, `skipped` of them refused. */
void bl_causes_points(const struct bl_causes *causes, const char *plugin,
                      const char *device, size_t runs, size_t skipped,
                      const char *refusal, struct bl_points *points);

/* What of a fault's text makes it one cause: what it is, and at which source line. */
void bl_cause_fault_key(const char *text, char *out, size_t size);

#endif
