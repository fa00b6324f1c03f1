/* SPDX-License-Identifier: Apache-2.0
 *
 * twin.h - which conflict-free twin belongs to each case of a profile.
 *
 * A twin is the case with its plugin's twin settings put in. Where a case of the
 * profile, maybe the case itself, is just that, it serves; else the twin is an extra
 * run, once for equal plugin, problem, arch and parameters.
 */
#ifndef BL_TWIN_H
#define BL_TWIN_H

#include "load/profile.h"
#include "work/measure.h"
#include "work/trial.h"

/* An extra run. */
struct bl_twin_run {
    const struct bl_case *first; /* the first case that wants it */
    banklab_value *params;
    bool wanted; /* by a case that passed */
    struct bl_result result;
    struct bl_trial_kept *kept; /* owned; NULL where nothing is timed */
};

enum bl_twin_where { BL_TWIN_NONE, BL_TWIN_CASE, BL_TWIN_RUN };
struct bl_twin_link {
    enum bl_twin_where where;
    size_t index; /* into the profile's cases, or into runs */
};

struct bl_twins {
    struct bl_twin_link *links; /* one a case */
    struct bl_twin_run *runs;
    size_t run_count;
};

/* Settles all links; nothing has run yet. On BL_OK end with bl_twins_free. */
enum bl_status bl_twins_new(const struct bl_profile *profile, struct bl_twins *out,
                            struct bl_error *err);
void bl_twins_free(struct bl_twins *twins);

/* The plugin's twin settings as text, "pad=1" or "pad=1,op=load"; fresh, NULL if
 * memory ran out. */
char *bl_twin_text(const struct bl_plugin *plugin);

#endif
