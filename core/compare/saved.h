/* SPDX-License-Identifier: Apache-2.0
 *
 * saved.h - a report, read back from its JSON (banklab.report/1).
 *
 * Members that this program doesn't know are passed over, since a minor change of the
 * format only adds some; what it knows must be as doc/report.schema.json says. Texts
 * belong to the document that is kept with them.
 */
#ifndef BL_SAVED_H
#define BL_SAVED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "work/measure.h"

/* A count by its place in the report: shared.load.ways, shared.cycles, model.blocks. */
struct bl_saved_field {
    const char *side; /* "load"; NULL: stands in the group itself */
    const char *name;
    bool needed; /* the format has it wherever its side is */
    bool cost;   /* more of it is worse */
};

enum { BL_SHARED_FIELDS = 29, BL_GLOBAL_FIELDS = 6, BL_MODEL_FIELDS = 3 };
extern const struct bl_saved_field bl_shared_fields[BL_SHARED_FIELDS];
extern const struct bl_saved_field bl_global_fields[BL_GLOBAL_FIELDS];
extern const struct bl_saved_field bl_model_fields[BL_MODEL_FIELDS];

struct bl_saved_count {
    bool has;
    uint64_t value;
};

/* One group of counts of one case, in the order of the tables above. Atomics and
 * cp.async, which a report tells only where there were any, are 0 if there were none. */
struct bl_saved_counts {
    const char *source;     /* "model", "counter"; NULL: the group is absent */
    const char *counted_by; /* "instructions", "hardware"; NULL: not told */
    struct bl_saved_count at[BL_SHARED_FIELDS];
};

struct bl_saved_time {
    const char *source; /* "gpu", "predicted"; NULL: absent */
    double median_us, low_us, high_us;
    uint64_t samples;
};

struct bl_saved_case {
    const char *name, *plugin, *kind;
    const json_t *params;
    uint64_t rows, cols, elem, batch;
    const char *arch; /* whose rules it was run by: its own, or the device's */
    enum bl_verdict verdict;
    const char *detail;
    struct bl_saved_counts shared, global;
    struct bl_saved_counts model; /* blocks, instructions, block_shared_bytes */
    struct bl_saved_counts beside_shared,
        beside_global; /* the model's, beside counters */
    struct bl_saved_time time;
    const char *clock_source; /* "model", "gpu", "predicted"; NULL: absent */
    double clock_cycles;      /* an access */
    const char *baseline;     /* the case that `ratio` is against; NULL: absent */
    double ratio, low, high;  /* of measured times, formed in each round */
};

struct bl_saved {
    char *path;
    json_t *root;
    const char *version, *profile, *seed;
    const char *baseline; /* NULL: none */
    const char *backend, *device, *arch;
    const char *rates, *driver, *date; /* each NULL: not told */
    const char **warnings;
    size_t warning_count;
    struct bl_saved_case *cases; /* in the report's order, no two of one name */
    size_t count;
    const struct bl_saved_case **by_name; /* sorted */
};

/* Reads a file, or standard input for "-". BL_E_IO; BL_E_INPUT with the file and its
 * line, or the member's place: "a.json: cases[3].time.low_us: must be ...". On BL_OK the
 * caller ends with bl_saved_free. */
enum bl_status bl_saved_read(const char *path, struct bl_saved *out,
                             struct bl_error *err);
/* The same from memory; `path` is what errors name. */
enum bl_status bl_saved_parse(const char *path, const char *text, size_t length,
                              struct bl_saved *out, struct bl_error *err);
void bl_saved_free(struct bl_saved *saved);

/* NULL: there is none of that name. */
const struct bl_saved_case *bl_saved_find(const struct bl_saved *saved, const char *name);

#endif
