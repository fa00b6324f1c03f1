/* SPDX-License-Identifier: Apache-2.0 */
#include "check/causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bl_cause *bl_causes_add(struct bl_causes *causes, enum bl_rule rule,
                               const char *key, const char *text, const char *label,
                               size_t number)
{
    struct bl_cause *cause = NULL, *more;

    for (size_t i = 0; i < causes->count && !cause; i++)
        if (causes->at[i].rule == rule && strcmp(causes->at[i].key, key) == 0)
            cause = &causes->at[i];
    if (!cause) {
        more = realloc(causes->at, (causes->count + 1) * sizeof *more);
        if (!more) {
            causes->lost = true;
            return NULL;
        }
        causes->at = more;
        cause = &more[causes->count];
        *cause = (struct bl_cause){.rule = rule,
                                   .key = strdup(key),
                                   .text = strdup(text),
                                   .label = strdup(label),
                                   .number = (size_t)-1};
        causes->count++;
        if (!cause->key || !cause->text || !cause->label) {
            causes->lost = true;
            free(cause->key);
            free(cause->text);
            free(cause->label);
            causes->count--;
            return NULL;
        }
    }
    if (cause->number != number)
        cause->count++;
    cause->number = number;
    return cause;
}

static void set(struct bl_causes *causes, char **to, const char *text)
{
    if (*to || !*text)
        return;
    *to = strdup(text);
    causes->lost |= !*to;
}

void bl_cause_hint(struct bl_causes *causes, struct bl_cause *cause, const char *hint)
{
    set(causes, &cause->hint, hint);
}

void bl_cause_common(struct bl_causes *causes, struct bl_cause *cause, const char *common)
{
    set(causes, &cause->common, common);
}

void bl_causes_free(struct bl_causes *causes)
{
    for (size_t i = 0; i < causes->count; i++) {
        free(causes->at[i].key);
        free(causes->at[i].text);
        free(causes->at[i].label);
        free(causes->at[i].hint);
        free(causes->at[i].common);
    }
    free(causes->at);
    *causes = (struct bl_causes){.at = NULL};
}

/* ---- points ------------------------------------------------------------------------ */

static const char *const rules[BL_RULES] = {
    [BL_RULE_MADE] = "can be planned and loaded",
    [BL_RULE_FAULT] = "keeps to its buffers and runs to its end",
    [BL_RULE_RIGHT] = "gives the right results",
    [BL_RULE_SHARED] = "has no races in shared memory",
    [BL_RULE_GLOBAL] = "has no races in global memory",
    [BL_RULE_OLD] = "takes nothing from an earlier run",
};

static bool has_failed(const struct bl_causes *causes, enum bl_rule rule)
{
    for (size_t i = 0; i < causes->count; i++)
        if (causes->at[i].rule == rule && !causes->at[i].note)
            return true;
    return false;
}

static void say_causes(const struct bl_causes *causes, enum bl_rule rule, size_t runs,
                       struct bl_points *points)
{
    for (size_t i = 0; i < causes->count; i++) {
        const struct bl_cause *cause = &causes->at[i];

        if (cause->rule != rule)
            continue;
        bl_points_say(points, "%s%s", cause->note ? "note: " : "", cause->text);
        if (cause->hint)
            bl_points_say(points, "  %s", cause->hint);
        if (cause->common)
            bl_points_say(points, "  %s", cause->common);
        bl_points_say(points, "  (%zu of %zu runs, first: %s)", cause->count, runs,
                      cause->label);
    }
}

void bl_causes_points(const struct bl_causes *causes, const char *plugin,
                      const char *device, size_t runs, size_t skipped,
                      const char *refusal, struct bl_points *points)
{
    const size_t made = runs - skipped;

    for (int i = 0; i < BL_RULES; i++) {
        const enum bl_rule rule = (enum bl_rule)i;
        const bool failed = has_failed(causes, rule);
        const bool none = made == 0 && !failed;

        /* Only the model is watched. */
        if (*device && rule >= BL_RULE_SHARED)
            break;
        bl_points_add(points,
                      failed ? BL_POINT_FAILED
                      : none ? BL_POINT_SKIPPED
                             : BL_POINT_OK,
                      "%s: %s%s%s", plugin, rules[i], *device ? " on " : "", device);
        if (none)
            bl_points_why(points, "every problem was refused: %s", refusal);
        say_causes(causes, rule, made, points);
    }
}

void bl_cause_fault_key(const char *text, char *out, size_t size)
{
    const char *what = strstr(text, ": "), *from = strstr(text, ", from ");
    const char *what_end, *from_end;

    /* "t.ptx:12: out of bounds: ... [st.f32, from t.cu:3, in k, by ...]" */
    if (!what || !from) {
        snprintf(out, size, "%.*s", (int)strcspn(text, "["), text);
        return;
    }
    what += 2;
    from += 2;
    what_end = what + strcspn(what, ":;[");
    from_end = from + strcspn(from, ",]");
    snprintf(out, size, "%.*s %.*s", (int)(what_end - what), what, (int)(from_end - from),
             from);
}
