/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_advise.h - what the files of banklab advise share.
 */
#ifndef BL_CMD_ADVISE_H
#define BL_CMD_ADVISE_H

#include "bank/advise_read.h"
#include "bank/advise_report.h"
#include "cli/sets.h"

enum { ADVISE_NOTES_MAX = 12 };

struct advise_args {
    struct cli_common *common;
    struct bl_access_form form;
    struct bl_advise_said said[BL_ADVISE_ACCESSES_MAX];
    size_t said_count;
    const char *subject;   /* the argument: a profile, or an expression with --op */
    const char *op;        /* NULL: not given */
    const char *case_name; /* NULL: not given */
    const char *pitch;     /* "P=32", "32"; NULL: not given */
    const char *arch;      /* NULL: not given */
    const char *rates;     /* NULL: by arch */
    const char *defines[BL_CONSTANTS_MAX];
    size_t define_count;
    struct cli_sets sets;
    bool one_warp;
    uint32_t warp, bound, elem, rows;
    bool json;
};

/* What was found out, with what it refers to. */
struct advise_told {
    char *notes[ADVISE_NOTES_MAX];
    size_t note_count;
    char *of_pitch; /* a note of how rows came about, fresh, or NULL: only where it
                       matters */
    bool wrong;     /* the case's results are: what it accesses may be, too */
    bool found;     /* out: a layout without conflicts, or none is needed */
};

/* Takes a fresh note; NULL is want of memory. */
enum bl_status advise_note(struct advise_told *told, char *note, struct bl_error *err);

/* "32" or "P=32" as a number. */
enum bl_status advise_pitch(const char *text, uint32_t *out, struct bl_error *err);

/* Searches, adds the notes that hold for every subject, and prints. `ask` and `input`
 * NULL: there are no expressions to be written. */
enum bl_status advise_tell(const struct advise_args *args,
                           const struct bl_advise_job *job, const char *subject,
                           const struct bl_advise_ask *ask,
                           const struct bl_advise_input *input, struct advise_told *told,
                           struct bl_error *err);

/* The accesses of a profile's case, run on the model. */
enum bl_status advise_case(struct cli_house *house, const struct advise_args *args,
                           struct advise_told *told, struct bl_error *err);

#endif
