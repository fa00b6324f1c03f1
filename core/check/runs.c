/* SPDX-License-Identifier: Apache-2.0
 *
 * runs.c - the sample, run by run, on the model; what the runs show.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/causes.h"
#include "check/hints.h"
#include "check/moved.h"
#include "check/parts.h"
#include "work/stream.h"
#include "work/trial.h"

struct running {
    struct bl_check *check;
    struct bl_causes causes;
    enum bl_outcome *outcomes;
    uint64_t *effort;       /* by setting */
    size_t heavy;           /* runs left out, since their setting's took long */
    size_t number, skipped; /* of the run */
    char label[400], refusal[256];
    /* Of the run: */
    uint64_t seed;
    bool is_wrong; /* the kernel ended, and elements are wrong */
    struct bl_moved moved;
};

struct bl_run_options bl_check_run_options(const struct bl_check *check)
{
    struct bl_run_options run = check->options->run;

    run.threads = 1; /* as the race detector wants it */
    return run;
}

/* ---- one run ----------------------------------------------------------------------- */

static void look_into(void *ctx, const struct bl_kind *kind,
                      const struct banklab_problem *problem, struct bl_regions *regions)
{
    struct running *running = ctx;

    running->is_wrong = true;
    bl_moved_find(kind, problem, regions, running->seed, &running->moved);
}

static void run(struct running *running, const struct bl_sample_case *of, bool unwritten,
                struct bl_result *result)
{
    struct bl_check *check = running->check;
    const struct bl_run_options options = bl_check_run_options(check);
    const struct banklab_problem problem = bl_sample_problem(of);
    const struct bl_trial trial = {.label = running->label,
                                   .plugin = check->plugin,
                                   .problem = &problem,
                                   .params = of->params,
                                   .seed = running->seed,
                                   .watcher = bl_races_watcher(check->races),
                                   .unwritten = unwritten,
                                   .inspect = look_into,
                                   .inspect_ctx = running};

    running->moved = (struct bl_moved){.kind = BL_MOVED_UNKNOWN};
    running->is_wrong = false;
    bl_races_reset(check->races);
    memset(result, 0, sizeof *result);
    bl_trial_run(check->model, &options, &trial, result, NULL);
}

/* ---- what it shows ----------------------------------------------------------------- */

static enum bl_rule rule_of(const struct bl_hazard *hazard)
{
    switch (hazard->kind) {
    case BL_HAZARD_INPUT: return BL_RULE_FAULT;
    case BL_HAZARD_UNWRITTEN:
    case BL_HAZARD_STATE: return BL_RULE_OLD;
    default: return hazard->space == BL_SPACE_SHARED ? BL_RULE_SHARED : BL_RULE_GLOBAL;
    }
}

static void take_hazard(struct running *running, const struct bl_hazard *hazard)
{
    struct bl_cause *cause;
    char key[600], text[1000];
    const bool turned = strcmp(hazard->first.source, hazard->then.source) > 0;

    if (hazard->kind == BL_HAZARD_LEFT)
        return; /* no fault by itself */
    snprintf(key, sizeof key, "%d %d %d %s %s %s", (int)hazard->kind,
             hazard->between_blocks, hazard->same || hazard->unsure,
             turned ? hazard->then.source : hazard->first.source,
             turned ? hazard->first.source : hazard->then.source, hazard->buffer);
    bl_hazard_print(hazard, text, sizeof text);
    cause = bl_causes_add(&running->causes, rule_of(hazard), key, text, running->label,
                          running->number);
    if (cause)
        cause->note = hazard->unsure || hazard->same;
}

static void take_hazards(struct running *running)
{
    size_t count;
    const struct bl_hazard *found = bl_races_found(running->check->races, &count);

    for (size_t i = 0; i < count; i++)
        take_hazard(running, &found[i]);
}

/* Why a result may be wrong, of what the run showed: threads that left too early. */
static void hint_left(const struct running *running, char *out, size_t size)
{
    size_t count;
    const struct bl_hazard *found = bl_races_found(running->check->races, &count);

    for (size_t i = 0; i < count && !*out; i++)
        if (found[i].kind == BL_HAZARD_LEFT)
            bl_hazard_print(&found[i], out, size);
}

static bool has_race(const struct running *running)
{
    size_t count;
    const struct bl_hazard *found = bl_races_found(running->check->races, &count);

    for (size_t i = 0; i < count; i++)
        if ((found[i].kind == BL_HAZARD_RACE && !found[i].same) ||
            found[i].kind == BL_HAZARD_SAME)
            return true;
    return false;
}

static void take_wrong(struct running *running, const struct bl_result *result)
{
    struct bl_cause *cause;
    char hint[600] = "";

    if (has_race(running))
        snprintf(hint, sizeof hint, "it has races, told below, which may be why");
    else if (running->moved.kind == BL_MOVED_UNWRITTEN)
        hint_left(running, hint, sizeof hint);
    else
        bl_hint_moved(&running->moved, hint, sizeof hint);
    cause = bl_causes_add(&running->causes, BL_RULE_RIGHT, "wrong", result->detail,
                          running->label, running->number);
    if (cause)
        bl_cause_hint(&running->causes, cause, hint);
}

/* The kernel was cut short: what would have come to light behind the fault? Shared memory
 * that is read too early is the first sign of a barrier that is missing. */
static void take_fault(struct running *running, const struct bl_sample_case *of,
                       const struct bl_result *result)
{
    struct bl_result again;
    char key[300];

    bl_cause_fault_key(result->detail, key, sizeof key);
    bl_causes_add(&running->causes, BL_RULE_FAULT, key, result->detail, running->label,
                  running->number);
    if (!strstr(result->detail, "uninitialised"))
        return;
    run(running, of, true, &again);
    take_hazards(running);
}

static enum bl_outcome take(struct running *running, const struct bl_sample_case *of,
                            const struct bl_result *result)
{
    switch (result->verdict) {
    case BL_PASS: return BL_OUTCOME_PASS;
    case BL_SKIP:
        if (running->skipped++ == 0)
            snprintf(running->refusal, sizeof running->refusal, "%.250s", result->detail);
        return BL_OUTCOME_OTHER;
    case BL_ERROR:
        bl_causes_add(&running->causes, BL_RULE_MADE, result->detail, result->detail,
                      running->label, running->number);
        return BL_OUTCOME_OTHER;
    case BL_FAIL: break;
    }
    if (running->is_wrong) {
        take_wrong(running, result);
        return BL_OUTCOME_WRONG;
    }
    take_fault(running, of, result);
    return BL_OUTCOME_FAULT;
}

/* ---- all --------------------------------------------------------------------------- */

enum { AGAIN = 8 }; /* every so manieth run is made again with another input */
static const uint64_t effort_most = 10000000; /* of one setting, in bl_races_effort */

/* A setting may make a kernel repeat itself a thousand times: a few of its runs will do.
 */
static bool is_heavy(struct running *running, size_t i)
{
    if (running->effort[running->check->sample.cases[i].setting] < effort_most)
        return false;
    running->outcomes[i] = BL_OUTCOME_OTHER;
    running->heavy++;
    return true;
}

static void run_case(struct running *running, size_t i)
{
    const struct bl_check *check = running->check;
    const struct bl_sample_case *of = &check->sample.cases[i];
    const struct banklab_problem problem = bl_sample_problem(of);
    struct bl_result result;
    enum bl_outcome outcome;

    const uint64_t before = bl_races_effort(check->races);

    if (is_heavy(running, i))
        return;
    running->number = i;
    bl_probe_label(check->plugin, &problem, of->params, running->label,
                   sizeof running->label);
    if (check->progress)
        check->progress(check->ctx, i, check->sample.count, running->label);
    running->seed = bl_stream_seed(check->options->run.seed, i);
    run(running, of, false, &result);
    take_hazards(running);
    outcome = take(running, of, &result);
    if (outcome == BL_OUTCOME_PASS && i % AGAIN == 0) {
        running->seed = bl_stream_seed(running->seed, 1);
        run(running, of, false, &result);
        outcome = take(running, of, &result);
    }
    running->outcomes[i] = outcome;
    running->effort[of->setting] += bl_races_effort(check->races) - before;
}

/* What the failures have in common goes to all of them that it may explain. */
static void give_hint(struct running *running)
{
    char hint[400];

    bl_hint_common(running->check->plugin, &running->check->sample, running->outcomes,
                   hint, sizeof hint);
    for (size_t i = 0; i < running->causes.count; i++) {
        struct bl_cause *cause = &running->causes.at[i];

        if (cause->rule == BL_RULE_FAULT || cause->rule == BL_RULE_RIGHT)
            bl_cause_common(&running->causes, cause, hint);
    }
}

enum bl_status bl_check_runs(struct bl_check *check, struct bl_error *err)
{
    struct running running = {.check = check};
    const size_t count = check->sample.count;
    bool lost;

    running.outcomes = calloc(count + 1, sizeof *running.outcomes);
    running.effort = calloc(check->sample.settings, sizeof *running.effort);
    if (!running.outcomes || !running.effort) {
        free(running.outcomes);
        free(running.effort);
        return bl_error_nomem(err);
    }
    for (size_t i = 0; i < count; i++)
        run_case(&running, i);
    give_hint(&running);
    bl_causes_points(&running.causes, check->plugin->abi.name, "", count - running.heavy,
                     running.skipped, running.refusal, check->points);
    lost = running.causes.lost;
    bl_causes_free(&running.causes);
    free(running.outcomes);
    free(running.effort);
    return lost ? bl_error_nomem(err) : BL_OK;
}
