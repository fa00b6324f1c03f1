/* SPDX-License-Identifier: Apache-2.0 */
#include "check/probe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "load/param.h"
#include "load/plugin_calls.h"
#include "work/aside.h"

struct asking {
    const struct bl_plugin *plugin;
    const struct bl_probe_ask *asks;
    size_t count;
    struct bl_probe_answer *answers;
};

static int ask_all(void *ctx)
{
    struct asking *asking = ctx;

    for (size_t i = 0; i < asking->count; i++) {
        struct bl_probe_answer *answer = &asking->answers[i];
        struct banklab_problem problem = asking->asks[i].problem;

        problem.struct_size = sizeof problem;
        answer->plan.struct_size = sizeof answer->plan;
        answer->said = bl_plugin_plan(asking->plugin, &problem, asking->asks[i].params,
                                      &answer->plan, &answer->reason);
    }
    return 0;
}

enum bl_status bl_probe(const struct bl_plugin *plugin, const struct bl_probe_ask *asks,
                        size_t count, double timeout_s, struct bl_probe_answer **out,
                        struct bl_error *err)
{
    struct bl_probe_answer *answers = calloc(count + 1, sizeof *answers);
    struct asking asking = {plugin, asks, count, answers};
    const struct bl_aside_part part = {answers, count * sizeof *answers};
    enum bl_status status;
    int said;

    if (!answers)
        return bl_error_nomem(err);
    status = bl_aside_call("plan", ask_all, &asking, &part, 1, timeout_s, &said, err);
    if (status != BL_OK) {
        free(answers);
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        struct banklab_plan *plan = &answers[i].plan;

        answers[i].reason.text[sizeof answers[i].reason.text - 1] = '\0';
        for (int k = 0; k < BANKLAB_MAX_LAUNCHES; k++)
            plan->launches[k].kernel[BANKLAB_MAX_NAME - 1] = '\0';
    }
    *out = answers;
    return BL_OK;
}

/* ---- differences ------------------------------------------------------------------- */

static bool dims_differ(const char *what, const uint32_t a[3], const uint32_t b[3],
                        uint32_t index, const char *kernel, char *out, size_t size)
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i]) {
            snprintf(out, size,
                     "%s.%c of launch %" PRIu32 " (%s) is %" PRIu32 ", then %" PRIu32,
                     what, "xyz"[i], index, kernel, a[i], b[i]);
            return true;
        }
    return false;
}

static bool launches_differ(const struct banklab_launch *a,
                            const struct banklab_launch *b, uint32_t index, char *out,
                            size_t size)
{
    if (strcmp(a->kernel, b->kernel) != 0) {
        snprintf(out, size, "launch %" PRIu32 " is of %s, then of %s", index, a->kernel,
                 b->kernel);
        return true;
    }
    if (dims_differ("grid", a->grid, b->grid, index, a->kernel, out, size) ||
        dims_differ("block", a->block, b->block, index, a->kernel, out, size))
        return true;
    if (a->shared_bytes != b->shared_bytes) {
        snprintf(out, size,
                 "launch %" PRIu32 " (%s) has %" PRIu32
                 " bytes of dynamic shared memory, then %" PRIu32,
                 index, a->kernel, a->shared_bytes, b->shared_bytes);
        return true;
    }
    for (uint32_t i = 0; i < BANKLAB_MAX_ARGS; i++)
        if (memcmp(&a->args[i], &b->args[i], sizeof a->args[i]) != 0) {
            snprintf(out, size,
                     "argument %" PRIu32 " of launch %" PRIu32 " (%s) is %" PRIu64
                     ", then %" PRIu64,
                     i, index, a->kernel, a->args[i].value.u, b->args[i].value.u);
            return true;
        }
    return false;
}

bool bl_probe_differ(const struct bl_probe_answer *a, const struct bl_probe_answer *b,
                     char *out, size_t size)
{
    if (a->said != b->said) {
        snprintf(out, size, "it returns %d, then %d", a->said, b->said);
        return true;
    }
    if (a->said != BANKLAB_OK || memcmp(&a->plan, &b->plan, sizeof a->plan) == 0)
        return false;
    if (a->plan.launch_count != b->plan.launch_count) {
        snprintf(out, size, "there are %" PRIu32 " launches, then %" PRIu32,
                 a->plan.launch_count, b->plan.launch_count);
        return true;
    }
    for (uint32_t i = 0; i < a->plan.launch_count && i < BANKLAB_MAX_LAUNCHES; i++)
        if (launches_differ(&a->plan.launches[i], &b->plan.launches[i], i, out, size))
            return true;
    snprintf(out, size, "the plans differ in scratch buffers, clock or reserved fields");
    return true;
}

/* ---- tile -------------------------------------------------------------------------- */

enum { FAR = 129, UNKNOWN = 32 };

static uint64_t blocks_of(const struct bl_probe_answer *answer)
{
    uint64_t blocks = 0;

    if (answer->said != BANKLAB_OK)
        return 0;
    for (uint32_t i = 0; i < answer->plan.launch_count && i < BANKLAB_MAX_LAUNCHES; i++) {
        const uint32_t *grid = answer->plan.launches[i].grid;

        blocks += (uint64_t)grid[0] * grid[1] * grid[2];
    }
    return blocks;
}

static uint32_t step_of(const struct bl_probe_answer *answers)
{
    const uint64_t least = blocks_of(&answers[0]);

    for (uint32_t i = 1; i < FAR; i++)
        if (blocks_of(&answers[i]) > least)
            return i;
    return UNKNOWN;
}

enum bl_status bl_probe_tile(const struct bl_plugin *plugin, const banklab_value *params,
                             uint32_t elem, double timeout_s, uint32_t *rows,
                             uint32_t *cols, struct bl_error *err)
{
    struct bl_probe_ask *asks = calloc((size_t)2 * FAR, sizeof *asks);
    struct bl_probe_answer *answers;
    enum bl_status status;

    if (!asks)
        return bl_error_nomem(err);
    for (uint32_t i = 0; i < 2 * FAR; i++) {
        const uint64_t n = i % FAR + 1;

        asks[i].params = params;
        asks[i].problem = (struct banklab_problem){
            .rows = i < FAR ? n : 1, .cols = i < FAR ? 1 : n, .elem = elem};
    }
    status = bl_probe(plugin, asks, (size_t)2 * FAR, timeout_s, &answers, err);
    free(asks);
    if (status != BL_OK)
        return status;
    *rows = step_of(answers);
    *cols = step_of(answers + FAR);
    free(answers);
    return BL_OK;
}

void bl_probe_label(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                    const banklab_value *params, char *out, size_t size)
{
    char matrices[40] = "";
    size_t used;

    if (problem->batch > 1)
        snprintf(matrices, sizeof matrices, "%" PRIu64 " times ", problem->batch);
    used = (size_t)snprintf(
        out, size, "%s%" PRIu64 " x %" PRIu64 " elements of %" PRIu32 " byte%s", matrices,
        problem->rows, problem->cols, problem->elem, problem->elem == 1 ? "" : "s");
    for (uint32_t i = 0; i < plugin->abi.param_count && used < size; i++) {
        char value[128];

        bl_param_print(&plugin->abi.params[i], params[i], value, sizeof value);
        used += (size_t)snprintf(out + used, size - used, "%s%s=%s", i ? " " : ", ",
                                 plugin->abi.params[i].name, value);
    }
}
