/* SPDX-License-Identifier: Apache-2.0
 *
 * profile_parts.h - what the files of the profile reader share.
 *
 * A profile is read in three steps: its sections as text (profile_raw.c), the --set
 * overrides worked into them (profile_set.c), then cases made of them
 * (profile_case.c, profile_expect.c).
 */
#ifndef BL_PROFILE_PARTS_H
#define BL_PROFILE_PARTS_H

#include "load/profile.h"

enum {
    BL_PROFILE_CASES_MAX = 65536,  /* sections, and cases after the sweeps */
    BL_PROFILE_ENTRIES_MAX = 1024, /* keys in a section */
    BL_PROFILE_KEYS_MAX = 256      /* names offered in a hint */
};

/* One `key = value`. */
struct bl_entry {
    char *key;
    char *value;
    int line;
    const char *set; /* the --set that it comes from (the caller's text), or NULL */
};

struct bl_section {
    char *name; /* "run", "problem", or the case's */
    int line;   /* 0: not in the file */
    struct bl_entry *entries;
    size_t count, capacity;
    const struct bl_plugin *plugin;    /* of a case, once it is known */
    const struct bl_plugin_form *form; /* what the plugin was made of, or will be; NULL */
};

/* A profile as text. */
struct bl_raw {
    const char *path;
    struct bl_section run, problem;
    struct bl_section *cases;
    size_t case_count, case_capacity;
};

/* ---- profile_raw.c ---- */

/* Reads the sections; keys are not yet checked, but twins of names and keys are. `raw`
 * ends with bl_raw_free even after a failure. */
enum bl_status bl_raw_read(const char *path, struct bl_raw *raw, struct bl_error *err);
void bl_raw_free(struct bl_raw *raw);

/* The path of a file that a profile names from its own folder, wherever the lab runs;
 * fresh, NULL if memory ran out. */
char *bl_profile_file(const char *profile, const char *value);

/* The entry called `key`, or NULL. */
struct bl_entry *bl_section_find(const struct bl_section *section, const char *key);
/* Appends an entry; copies key and value. */
enum bl_status bl_section_add(struct bl_section *section, const char *key,
                              const char *value, int line, const char *set,
                              struct bl_error *err);

/* BL_E_INPUT, said of the place of an entry: "file:line: " or "--set TEXT: ". */
__attribute__((format(printf, 4, 5))) enum bl_status
bl_entry_error(const struct bl_raw *raw, const struct bl_entry *entry,
               struct bl_error *err, const char *format, ...);
/* The place itself; fresh, NULL if memory ran out. */
char *bl_entry_place(const struct bl_raw *raw, const struct bl_entry *entry);
/* Puts that place before the error that is there; returns its status. Not before
 * BL_E_NOMEM, which has no place. */
enum bl_status bl_entry_prefix(const struct bl_raw *raw, const struct bl_entry *entry,
                               struct bl_error *err);

/* ---- profile_run.c ---- */

/* Defaults, then the entries of [run]. `out` ends with bl_run_free even after a
 * failure. */
enum bl_status bl_run_read(const struct bl_raw *raw, struct bl_run_options *out,
                           struct bl_error *err);
void bl_run_free(struct bl_run_options *run);

/* ---- profile_problem.c ---- */

struct bl_problem_key {
    const char *name;
    const char *help;
};
/* rows, cols, elem or batch; NULL: not such a key. A plugin made when there were no
 * batches may have a parameter of that name, which goes first. */
const struct bl_problem_key *bl_problem_key_find(const char *key);
/* Reads a value that the key takes, worded without a place if it does not. */
enum bl_status bl_problem_parse(const struct bl_problem_key *key, const char *text,
                                uint64_t *out, struct bl_error *err);
/* Sets the key's field to such a value. */
void bl_problem_put(const struct bl_problem_key *key, uint64_t value,
                    struct banklab_problem *problem);

/* The entries of [problem]; fields that it leaves open stay 0. */
enum bl_status bl_problem_read(const struct bl_raw *raw, struct banklab_problem *out,
                               struct bl_error *err);

/* ---- profile_set.c ---- */

/* Works the overrides into `raw`, whose cases know their plugins. */
enum bl_status bl_raw_override(struct bl_raw *raw, const struct bl_override *sets,
                               size_t count, struct bl_error *err);

/* ---- profile_expect.c ---- */

/* "expect.FIELD" and its value. Fills `out`, to be freed with bl_expect_free. */
enum bl_status bl_expect_parse(const struct bl_raw *raw, const struct bl_entry *entry,
                               struct bl_expect *out, struct bl_error *err);
void bl_expect_free(struct bl_expect *expects, size_t count);
bool bl_expect_is_key(const char *key);

/* ---- profile_case.c ---- */

/* Finds the plugin of every case. */
enum bl_status bl_raw_plugins(struct bl_raw *raw, struct bl_registry *reg,
                              struct bl_error *err);
/* Then, with the overrides worked in, makes the plugins of cases whose plugin is a form.
 */
enum bl_status bl_raw_forms(struct bl_raw *raw, struct bl_registry *reg,
                            struct bl_error *err);

/* Appends the cases of every section to `profile`. */
enum bl_status bl_cases_make(const struct bl_raw *raw,
                             const struct banklab_problem *defaults,
                             struct bl_profile *profile, struct bl_error *err);
/* Frees what one case owns alone: all but the expects. */
void bl_case_free(struct bl_case *of);

#endif
