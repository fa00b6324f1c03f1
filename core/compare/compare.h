/* SPDX-License-Identifier: Apache-2.0
 *
 * compare.h - two reports, or the cases of one, against each other.
 *
 * B is what is looked at, A what it is held against: of two files the second and the
 * first, case by case; of one file each case and the case `against`. Every ratio is B
 * over A: above 1 is slower.
 *
 * The ratio's interval. Of two files: from the low end of B's interval over the high end
 * of A's to the reverse ("medians"). It holds the true ratio whenever both intervals hold
 * their medians, which for 95 % intervals is at least 90 % of all runs; where errors are
 * independent and near normal it is at least 95 %, since w + v >= sqrt(w^2 + v^2). Of one
 * file, against its own baseline: the report's, which was formed in each round ("rounds")
 * and is narrower. Predicted times have no interval: low and high equal the ratio
 * ("exact").
 *
 * The verdict, with a tolerance T:
 *     same       the interval lies within 1/(1 + T) to 1 + T
 *     slower     it lies above
 *     faster     it lies below
 *     undecided  it lies across either end
 * so that A and B swapped swap faster and slower, and change nothing else.
 *
 * A measured time is never compared with a predicted one. Nothing is compared where the
 * problem differs, or, of two files, the kind. Where plugin, parameters or arch differ,
 * which is what one may want to compare, that is told.
 */
#ifndef BL_COMPARE_H
#define BL_COMPARE_H

#include <stdio.h>

#include "compare/saved.h"
#include "report/report.h"

enum bl_cmp_verdict {
    BL_CMP_NONE, /* no ratio */
    BL_CMP_FASTER,
    BL_CMP_SLOWER,
    BL_CMP_SAME,
    BL_CMP_UNDECIDED,
    BL_CMP_VERDICTS
};

enum bl_cmp_interval { BL_CMP_EXACT, BL_CMP_MEDIANS, BL_CMP_ROUNDS };

/* How the cases of a pair differ. */
enum {
    BL_CMP_PLUGIN = 1,
    BL_CMP_PARAMS = 2,
    BL_CMP_KIND = 4,
    BL_CMP_PROBLEM = 8,
    BL_CMP_ARCH = 16
};

/* What a run that must not get worse is failed for. */
enum { BL_CMP_BROKE = 1, BL_CMP_TOO_SLOW = 2, BL_CMP_COUNTS_ROSE = 4 };

/* A count that is not the same; `clock` instead of a count where field is NULL. */
struct bl_cmp_count {
    const char *space; /* "shared", "global", "model", "clock" */
    const struct bl_saved_field *field;
    struct bl_saved_count a, b;
    double clock_a, clock_b; /* cycles an access */
    bool worse;              /* B has more of a cost, by the same source and rules */
};

struct bl_cmp_pair {
    const struct bl_saved_case *a, *b; /* NULL: only in the other file */
    unsigned differs;
    bool has_ratio;
    enum bl_cmp_interval how;
    double ratio, low, high;
    enum bl_cmp_verdict verdict;
    char why[160]; /* without a ratio: why; may be empty where a side has no time */
    /* Whose counts were compared: "model", "counter", "mixed"; NULL: none. */
    const char *shared_source, *global_source;
    struct bl_cmp_count *changed;
    size_t changed_count;
    bool gated; /* counts of the same source and rules were compared */
    unsigned failed;
};

struct bl_cmp_options {
    double tolerance;    /* 0.01: 1 % */
    const char *against; /* of one file: the case's name; NULL: its baseline */
    bool has_fail_slower, has_fail_counts;
    double fail_slower; /* 0.02: fails if the interval's low end is above 1.02 */
};

struct bl_comparison {
    const struct bl_saved *a, *b;        /* the same: of one file */
    const struct bl_saved_case *against; /* of one file; else NULL */
    struct bl_cmp_options options;
    struct bl_cmp_pair *pairs; /* in A's order; then those only in B */
    size_t count;
    char **notes; /* what else a reader must know */
    size_t note_count;
    size_t both, only_a, only_b;        /* pairs */
    size_t verdicts[BL_CMP_VERDICTS];   /* pairs in both, by their verdict */
    size_t with_changes, broke, mended; /* pairs in both: with other counts; that passed
                                           in A alone; in B alone */
};

/* `b` NULL: the cases of `a` against each other. Both outlive the comparison. BL_E_INPUT:
 * there is no such case, or none to be compared. On BL_OK ends with bl_compare_free. */
enum bl_status bl_compare(const struct bl_saved *a, const struct bl_saved *b,
                          const struct bl_cmp_options *options, struct bl_comparison *out,
                          struct bl_error *err);
void bl_compare_free(struct bl_comparison *comparison);

/* Whether some pair fails what --fail-slower or --fail-counts ask for. */
bool bl_compare_failed(const struct bl_comparison *comparison);
/* BL_E_INPUT: an option asks for numbers that no pair has on both sides, so that it could
 * never fail. */
enum bl_status bl_compare_gates(const struct bl_comparison *comparison,
                                struct bl_error *err);

/* Inside: fills the pair's counts; its `differs` is there already. */
enum bl_status bl_compare_counts(struct bl_cmp_pair *pair, double tolerance,
                                 struct bl_error *err);

/* "faster", ...; of none "". */
const char *bl_cmp_verdict_name(enum bl_cmp_verdict verdict);
/* "exact", "medians", "rounds". */
const char *bl_cmp_interval_name(enum bl_cmp_interval how);
/* "shared.load.ways", as in the report. */
void bl_cmp_count_name(const struct bl_cmp_count *count, char *out, size_t size);
/* "plugin copy -> copy_rows, pad 0 -> 1, 64 x 64 x 4 -> 32 x 32 x 4", fresh; "" where
 * nothing differs. NULL: memory ran out. */
char *bl_cmp_differs_text(const struct bl_cmp_pair *pair);
/* Why the pair failed, "slower by more than 2 %: its interval begins at 1.031", fresh.
 * NULL: memory ran out. */
char *bl_cmp_failed_text(const struct bl_comparison *comparison,
                         const struct bl_cmp_pair *pair);

/* Views. Each writes all of it to `out` and flushes it. JSON: banklab.compare/1,
 * doc/compare.schema.json. CSV: a header, then one record a pair. */
enum bl_status bl_compare_table(const struct bl_comparison *comparison,
                                const struct bl_style *style, FILE *out,
                                struct bl_error *err);
enum bl_status bl_compare_json(const struct bl_comparison *comparison, FILE *out,
                               struct bl_error *err);
enum bl_status bl_compare_csv(const struct bl_comparison *comparison, FILE *out,
                              struct bl_error *err);

#endif
