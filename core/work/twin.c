/* SPDX-License-Identifier: Apache-2.0
 *
 * twin.c - which conflict-free twin belongs to each case.
 */
#include "work/twin.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/param.h"
#include "work/kind.h"

static bool same_params(const struct bl_plugin *plugin, const banklab_value *a,
                        const banklab_value *b)
{
    for (uint32_t i = 0; i < plugin->abi.param_count; i++)
        if (a[i].i != b[i].i)
            return false;
    return true;
}

/* Puts the twin's settings into `params`; false if the plugin's are of no use. */
static bool apply(const struct bl_plugin *plugin, banklab_value *params)
{
    for (uint32_t i = 0; i < plugin->abi.twin_count; i++) {
        const struct banklab_setting *setting = &plugin->abi.twin[i];
        const int at = bl_plugin_param(plugin, setting->name);
        if (at < 0 || bl_param_parse(&plugin->abi.params[at], setting->value, &params[at],
                                     NULL) != BL_OK)
            return false;
    }
    return plugin->abi.twin_count > 0;
}

static bool same_arch(const struct bl_case *a, const struct bl_case *b)
{
    return a->arch == b->arch || (a->arch && b->arch && strcmp(a->arch, b->arch) == 0);
}

static struct bl_twin_link find(const struct bl_profile *profile,
                                const struct bl_twins *twins, const struct bl_case *of,
                                const banklab_value *params)
{
    for (size_t i = 0; i < profile->case_count; i++) {
        const struct bl_case *other = &profile->cases[i];
        if (other->plugin == of->plugin && same_arch(other, of) &&
            bl_problem_same(&other->problem, &of->problem) &&
            same_params(of->plugin, other->params, params))
            return (struct bl_twin_link){BL_TWIN_CASE, i};
    }
    for (size_t i = 0; i < twins->run_count; i++) {
        const struct bl_case *first = twins->runs[i].first;
        if (first->plugin == of->plugin && same_arch(first, of) &&
            bl_problem_same(&first->problem, &of->problem) &&
            same_params(of->plugin, twins->runs[i].params, params))
            return (struct bl_twin_link){BL_TWIN_RUN, i};
    }
    return (struct bl_twin_link){BL_TWIN_NONE, 0};
}

static enum bl_status link_case(const struct bl_profile *profile, size_t index,
                                struct bl_twins *twins, struct bl_error *err)
{
    const struct bl_case *of = &profile->cases[index];
    const uint32_t count = of->plugin->abi.param_count;
    banklab_value *params;

    if (!of->plugin->abi.twin_count || !count)
        return BL_OK;
    params = malloc(count * sizeof *params);
    if (!params)
        return bl_error_nomem(err);
    memcpy(params, of->params, count * sizeof *params);
    if (apply(of->plugin, params)) {
        twins->links[index] = find(profile, twins, of, params);
        if (twins->links[index].where == BL_TWIN_NONE) {
            twins->links[index] = (struct bl_twin_link){BL_TWIN_RUN, twins->run_count};
            twins->runs[twins->run_count].first = of;
            twins->runs[twins->run_count++].params = params;
            params = NULL;
        }
    }
    free(params);
    return BL_OK;
}

enum bl_status bl_twins_new(const struct bl_profile *profile, struct bl_twins *out,
                            struct bl_error *err)
{
    struct bl_twins twins = {.run_count = 0};
    enum bl_status status = BL_OK;

    twins.links = calloc(profile->case_count + 1, sizeof *twins.links);
    twins.runs = calloc(profile->case_count + 1, sizeof *twins.runs);
    if (!twins.links || !twins.runs)
        status = bl_error_nomem(err);
    for (size_t i = 0; i < profile->case_count && !status; i++)
        status = link_case(profile, i, &twins, err);
    if (status) {
        bl_twins_free(&twins);
        return status;
    }
    *out = twins;
    return BL_OK;
}

static void free_run(struct bl_twin_run *run)
{
    free(run->params);
    free(run->kept);
}

void bl_twins_free(struct bl_twins *twins)
{
    for (size_t i = 0; i < twins->run_count; i++)
        free_run(&twins->runs[i]);
    free(twins->runs);
    free(twins->links);
}

char *bl_twin_text(const struct bl_plugin *plugin)
{
    char *text = bl_text_format("%s", "");

    for (uint32_t i = 0; i < plugin->abi.twin_count && text; i++) {
        char *longer =
            bl_text_format("%s%s%s=%s", text, i ? "," : "", plugin->abi.twin[i].name,
                           plugin->abi.twin[i].value);
        free(text);
        text = longer;
    }
    return text;
}
