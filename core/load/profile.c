/* SPDX-License-Identifier: Apache-2.0 */
#include "load/profile.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "load/hint.h"
#include "load/profile_parts.h"

/* The length of the name of the section that the case comes from: sweeps add "[...". */
static size_t base_length(const char *name)
{
    return strcspn(name, "[");
}

/* The names of the first cases, for a hint. */
static size_t offer_names(const struct bl_profile *profile, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < profile->case_count && count < BL_PROFILE_KEYS_MAX; i++)
        names[count++] = profile->cases[i].name;
    return count;
}

/* A baseline that names a sweep of several cases. */
static enum bl_status baseline_is_sweep(const struct bl_raw *raw,
                                        const struct bl_entry *entry, const char *example,
                                        struct bl_error *err)
{
    return bl_entry_error(raw, entry, err,
                          "the baseline \"%.80s\" is a sweep; name one of its cases, as "
                          "%.120s",
                          entry->value, example);
}

static enum bl_status find_baseline(const struct bl_raw *raw, struct bl_profile *profile,
                                    struct bl_error *err)
{
    const char *wanted = profile->run.baseline;
    const struct bl_entry *entry = bl_section_find(&raw->run, "baseline");
    const char *names[BL_PROFILE_KEYS_MAX];
    char hint[BL_HINT_SIZE];
    profile->baseline = -1;
    if (!wanted)
        return BL_OK;
    for (size_t i = 0; i < profile->case_count; i++) {
        if (strcmp(profile->cases[i].name, wanted) == 0) {
            profile->baseline = (ptrdiff_t)i;
            return BL_OK;
        }
    }
    for (size_t i = 0; i < profile->case_count; i++) {
        const char *name = profile->cases[i].name;
        if (base_length(name) == strlen(wanted) &&
            strncmp(name, wanted, strlen(wanted)) == 0)
            return baseline_is_sweep(raw, entry, name, err);
    }
    bl_hint_print(wanted, names, offer_names(profile, names), hint, sizeof hint);
    return bl_entry_error(raw, entry, err, "the baseline \"%.80s\" is no case%s", wanted,
                          hint);
}

/* A sweep's brackets mean something else in a glob, so a name as it is matches too, and
 * so does a glob on the section's name. */
bool bl_case_matches(const char *name, const char *glob)
{
    bool match = strcmp(name, glob) == 0 || fnmatch(glob, name, 0) == 0;
    if (!match) {
        char *base = strndup(name, base_length(name));
        match = base && fnmatch(glob, base, 0) == 0;
        free(base);
    }
    return match;
}

/* Keeps those of the cases from..end-1, all of one section, that match or are the
 * baseline; returns the new count of kept ones. The section's expects, which they share,
 * go with the last of them. */
static size_t keep_matching(struct bl_profile *profile, size_t from, size_t end,
                            size_t kept, const char *glob)
{
    struct bl_expect *expects = profile->cases[from].expects;
    size_t expect_count = profile->cases[from].expect_count, before = kept;
    for (size_t i = from; i < end; i++) {
        struct bl_case *at = &profile->cases[i];
        bool is_baseline = profile->baseline == (ptrdiff_t)i;
        if (!is_baseline && !bl_case_matches(at->name, glob)) {
            bl_case_free(at);
            continue;
        }
        if (is_baseline)
            profile->baseline = (ptrdiff_t)kept;
        profile->cases[kept++] = *at;
    }
    if (kept == before) {
        bl_expect_free(expects, expect_count);
        free(expects);
    }
    return kept;
}

/* The end of the run of cases that share the expects of the one at `from`. */
static size_t section_end(const struct bl_profile *profile, size_t from)
{
    size_t end = from + 1;
    while (end < profile->case_count &&
           profile->cases[end].expects == profile->cases[from].expects)
        end++;
    return end;
}

static enum bl_status filter(const struct bl_raw *raw, struct bl_profile *profile,
                             const char *glob, struct bl_error *err)
{
    const char *names[BL_PROFILE_KEYS_MAX];
    char hint[BL_HINT_SIZE];
    size_t kept = 0, end;
    bool any = false;
    for (size_t i = 0; !any && i < profile->case_count; i++)
        any = bl_case_matches(profile->cases[i].name, glob);
    if (!any) {
        bl_hint_print(glob, names, offer_names(profile, names), hint, sizeof hint);
        return bl_error_at(err, BL_E_INPUT, raw->path, 0, "no case matches \"%.80s\"%s",
                           glob, hint);
    }
    for (size_t from = 0; from < profile->case_count; from = end) {
        end = section_end(profile, from);
        kept = keep_matching(profile, from, end, kept, glob);
    }
    profile->case_count = kept;
    return BL_OK;
}

enum bl_status bl_profile_read(const char *path, struct bl_registry *reg,
                               const struct bl_override *sets, size_t set_count,
                               const char *only, struct bl_profile **out,
                               struct bl_error *err)
{
    struct bl_profile *profile = calloc(1, sizeof *profile);
    struct banklab_problem defaults = {0};
    struct bl_raw raw = {0};
    enum bl_status st = BL_E_NOMEM;
    if (!profile || !(profile->path = strdup(path))) {
        bl_error_nomem(err);
        goto out;
    }
    st = bl_raw_read(path, &raw, err);
    if (st == BL_OK)
        st = bl_raw_plugins(&raw, reg, err);
    if (st == BL_OK)
        st = bl_raw_override(&raw, sets, set_count, err);
    if (st == BL_OK)
        st = bl_raw_forms(&raw, reg, err);
    if (st == BL_OK)
        st = bl_run_read(&raw, &profile->run, err);
    if (st == BL_OK)
        st = bl_problem_read(&raw, &defaults, err);
    if (st == BL_OK)
        st = bl_cases_make(&raw, &defaults, profile, err);
    if (st == BL_OK)
        st = find_baseline(&raw, profile, err);
    if (st == BL_OK && only)
        st = filter(&raw, profile, only, err);
    if (st == BL_OK) {
        *out = profile;
        profile = NULL;
    }
out:
    bl_raw_free(&raw);
    bl_profile_free(profile);
    return st;
}

void bl_profile_free(struct bl_profile *profile)
{
    size_t end;
    if (!profile)
        return;
    for (size_t from = 0; from < profile->case_count; from = end) {
        end = section_end(profile, from);
        bl_expect_free(profile->cases[from].expects, profile->cases[from].expect_count);
        free(profile->cases[from].expects);
        for (size_t i = from; i < end; i++)
            bl_case_free(&profile->cases[i]);
    }
    free(profile->cases);
    bl_run_free(&profile->run);
    free(profile->path);
    free(profile);
}
