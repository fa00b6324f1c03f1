/* SPDX-License-Identifier: Apache-2.0
 *
 * pure.c - plan depends on its arguments alone.
 */
#include <stdlib.h>

#include "check/parts.h"

enum { MOST = 100 };

/* Every question once, then again in the opposite order: what plan remembers of the one
 * before is another one then. */
static void make_asks(const struct bl_sample *sample, size_t count,
                      struct bl_probe_ask *asks)
{
    for (size_t i = 0; i < count; i++) {
        /* From all over the sample. */
        const struct bl_sample_case *from = &sample->cases[i * sample->count / count];

        asks[i].params = from->params;
        asks[i].problem = bl_sample_problem(from);
        asks[2 * count - 1 - i] = asks[i];
    }
}

static void judge(struct bl_check *check, const struct bl_probe_ask *asks,
                  const struct bl_probe_answer *answers, size_t count)
{
    char how[400], label[400];

    for (size_t i = 0; i < count; i++) {
        const struct banklab_problem *problem = &asks[i].problem;

        if (!bl_probe_differ(&answers[i], &answers[2 * count - 1 - i], how, sizeof how))
            continue;
        bl_probe_label(check->plugin, problem, asks[i].params, label, sizeof label);
        bl_points_add(check->points, BL_POINT_FAILED, "%s: plan is pure",
                      check->plugin->abi.name);
        bl_points_say(check->points,
                      "plan is not pure: asked twice for %s, %s; it must depend on its "
                      "arguments alone, not on a static variable, a clock or a random "
                      "number",
                      label, how);
        return;
    }
    bl_points_add(check->points, BL_POINT_OK, "%s: plan is pure",
                  check->plugin->abi.name);
}

enum bl_status bl_check_pure(struct bl_check *check, struct bl_error *err)
{
    const size_t count = check->sample.count < MOST ? check->sample.count : MOST;
    struct bl_probe_ask *asks = calloc(2 * count + 1, sizeof *asks);
    struct bl_probe_answer *answers = NULL;
    enum bl_status status;

    if (!asks)
        return bl_error_nomem(err);
    make_asks(&check->sample, count, asks);
    status = bl_probe(check->plugin, asks, 2 * count, check->options->run.timeout,
                      &answers, err);
    if (status == BL_OK)
        judge(check, asks, answers, count);
    free(answers);
    free(asks);
    return status;
}
