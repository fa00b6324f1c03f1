/* SPDX-License-Identifier: Apache-2.0
 *
 * profile.h - reads a profile into a plan of cases.
 *
 * The grammar is in banklab-profile's manual: [run], [problem], [case NAME]. Every
 * error names file:line, what was wrong, and the nearest right name.
 */
#ifndef BL_PROFILE_H
#define BL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "load/registry.h"

enum bl_op { BL_LT, BL_LE, BL_GT, BL_GE, BL_EQ, BL_NE };

/* expect.FIELD = [op] value. `field` is a name of measure_fields.h, checked there.
 * Where the field is text (verdict), `text` is compared; else `number`. */
struct bl_expect {
    char *field;
    enum bl_op op;
    double number;
    char *text; /* the value as written, without the operator */
    int line;
};

/* One case, everything decided: sweeps expanded, defaults filled in. */
struct bl_case {
    char *name; /* "strides" or, of a sweep, "strides[stride=3]" */
    const struct bl_plugin *plugin;
    struct banklab_problem problem;
    banklab_value *params;     /* plugin->abi.param_count values */
    char *arch;                /* whose rules the case asks for; NULL: the run's */
    char *arch_at;             /* where, as in struct bl_run_options */
    struct bl_expect *expects; /* shared by the cases of one section */
    size_t expect_count;
    int line; /* of the section */
};

/* What a profile may ask to be timed beside its cases, on a GPU. */
enum { BL_REFERENCE_MEMCPY = 1, BL_REFERENCE_CUBLAS = 2 };

/* Whose counts a GPU's cases carry. */
enum bl_counts_from {
    BL_COUNTS_AUTO,
    BL_COUNTS_MODEL,
    BL_COUNTS_NONE,
    BL_COUNTS_HARDWARE
};

struct bl_run_options {
    char *device;     /* "auto", "model", "cuda", "cuda:1" */
    char *arch;       /* "cc90": conf/arch/cc90.ini */
    char *rates;      /* "h200": conf/devices/h200.ini, for predicted times */
    char *baseline;   /* a case's name, or NULL */
    uint64_t seed;    /* of the inputs */
    uint64_t steps;   /* most warp instructions that one block may execute */
    uint32_t threads; /* worker threads of the model; 0: all cores */
    char *arch_at;    /* where arch and rates are set, "FILE:LINE" or "--set TEXT"; */
    char *rates_at;   /* NULL: nowhere, they are the defaults */
    /* The rest is for a GPU. */
    uint32_t references; /* BL_REFERENCE_* */
    uint32_t counts;     /* enum bl_counts_from */
    double timeout;      /* seconds of silence that mean a case hangs */
    double precision;    /* per cent: the width of an interval that ends timing */
    double max_time;     /* seconds of timing at the most */
    bool warm;           /* one set of buffers instead of a cold cache */
};

struct bl_profile {
    char *path;
    struct bl_run_options run;
    struct bl_case *cases;
    size_t case_count;
    ptrdiff_t baseline; /* index into cases, -1: none */
};

/* --set [CASE.]KEY=VALUE. KEY is a key of [run], of [problem], or a parameter. The last
 * two are set in every case (whose plugin has the parameter: at least one must), or in
 * CASE alone, a section's name; they replace what the case says, and may be a sweep. A
 * parameter called like a key of [run] needs the CASE, and so does a case's own arch. */
struct bl_override {
    const char *text;
};

/* Reads, checks and expands. `only` (NULL: all) is a case's name, or a glob on the names
 * of cases or of their sections; at least one must match; the baseline is kept even when
 * it does not match. BL_E_INPUT says "path:line: ...", or "--set TEXT: ...". */
enum bl_status bl_profile_read(const char *path, struct bl_registry *reg,
                               const struct bl_override *sets, size_t set_count,
                               const char *only, struct bl_profile **out,
                               struct bl_error *err);
void bl_profile_free(struct bl_profile *profile);

/* Whether `only`, as above, means the case of this name. */
bool bl_case_matches(const char *name, const char *only);

#endif
