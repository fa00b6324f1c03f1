/* SPDX-License-Identifier: Apache-2.0
 *
 * effect.c - a parameter that is declared changes something that a kernel sees.
 *
 * A value is compared with another one, all else the same, under several settings of the
 * other parameters: some have a say only where another is set so.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/parts.h"
#include "model/ptx.h"

enum { BASES = 12, VALUES = 10, SHAPES = 2, WIDTHS = 5 };

enum effect { NOTHING, UNREAD, SHARED_SIZE, SEEN };

/* ---- arguments that a kernel reads ------------------------------------------------- */

static bool names_var(const struct bl_ptx_operand *operand, const struct bl_ptx_var *var)
{
    if (operand->var == var &&
        (operand->kind == BL_OPND_VAR ||
         (operand->kind == BL_OPND_MEM && operand->base_kind == BL_OPND_VAR)))
        return true;
    for (uint32_t i = 0; i < operand->count; i++)
        if (operand->list && names_var(&operand->list[i], var))
            return true;
    return false;
}

static bool reads_arg(const struct bl_ptx_module *module, const char *kernel,
                      uint32_t index)
{
    const struct bl_ptx_func *func = bl_ptx_func_find(module, kernel);

    if (!func || index >= func->param_count)
        return true; /* another point tells */
    for (size_t i = 0; i < func->insn_count; i++)
        for (uint32_t o = 0; o < func->insns[i].operand_count; o++)
            if (names_var(&func->insns[i].operands[o], func->params[index]))
                return true;
    return false;
}

/* ---- one parameter ----------------------------------------------------------------- */

struct asking {
    struct bl_check *check;
    const struct bl_ptx_module *module; /* NULL: it can't be read */
    struct bl_probe_ask *asks;
    banklab_value *values; /* of the asks */
    size_t count, groups;  /* asks come in groups of `per`, which differ by the value */
    size_t per;
};

struct finding {
    enum effect effect;
    char kernel[BANKLAB_MAX_NAME];
    uint32_t arg;
};

static enum effect launch_effect(const struct asking *asking,
                                 const struct banklab_launch *a,
                                 const struct banklab_launch *b, struct finding *out)
{
    struct banklab_launch rest = *b;
    enum effect effect = NOTHING;

    /* What is left different behind these is seen. */
    rest.shared_bytes = a->shared_bytes;
    memcpy(rest.args, a->args, sizeof rest.args);
    if (memcmp(&rest, a, sizeof rest) != 0)
        return SEEN;
    for (uint32_t i = 0; i < BANKLAB_MAX_ARGS; i++) {
        if (memcmp(&a->args[i], &b->args[i], sizeof a->args[i]) == 0)
            continue;
        if (!asking->module || reads_arg(asking->module, a->kernel, i))
            return SEEN;
        effect = UNREAD;
        out->arg = i;
        memcpy(out->kernel, a->kernel, sizeof out->kernel);
    }
    return effect == NOTHING && a->shared_bytes != b->shared_bytes ? SHARED_SIZE : effect;
}

static enum effect effect_of(const struct asking *asking, const struct bl_probe_answer *a,
                             const struct bl_probe_answer *b, struct finding *out)
{
    enum effect most = NOTHING;
    struct banklab_plan rest;

    if (a->said != b->said)
        return SEEN;
    if (a->said != BANKLAB_OK)
        return NOTHING;
    rest = b->plan;
    memcpy(rest.launches, a->plan.launches, sizeof rest.launches);
    if (memcmp(&rest, &a->plan, sizeof rest) != 0)
        return SEEN;
    for (uint32_t i = 0; i < a->plan.launch_count && i < BANKLAB_MAX_LAUNCHES; i++) {
        const enum effect effect =
            launch_effect(asking, &a->plan.launches[i], &b->plan.launches[i], out);

        most = effect > most ? effect : most;
    }
    return most;
}

/* Each group: one setting, shape and width, and all values of the parameter. */
static enum bl_status make_asks(struct asking *asking, uint32_t p, const int64_t *values,
                                size_t value_count, struct bl_error *err)
{
    static const uint64_t shapes[SHAPES][2] = {{100, 260}, {64, 64}};
    const struct bl_sample *sample = &asking->check->sample;
    const struct banklab_plugin *abi = &asking->check->plugin->abi;
    const uint32_t params = abi->param_count;
    const size_t bases = sample->settings < BASES ? sample->settings : BASES;
    size_t at = 0;

    asking->per = value_count;
    asking->count = bases * SHAPES * WIDTHS * value_count;
    asking->asks = calloc(asking->count, sizeof *asking->asks);
    asking->values = calloc(asking->count * params, sizeof *asking->values);
    if (!asking->asks || !asking->values)
        return bl_error_nomem(err);
    for (size_t group = 0; group < bases * SHAPES * WIDTHS; group++) {
        /* The last settings are those at random. */
        const size_t base = sample->settings - 1 - group % bases;
        const uint32_t elem = 1u << group / bases / SHAPES;

        if (abi->elems && !(abi->elems & BANKLAB_ELEM(elem)))
            continue;
        for (size_t v = 0; v < value_count; v++, at++) {
            banklab_value *own = asking->values + at * params;

            memcpy(own, sample->values + base * params, params * sizeof *own);
            own[p].i = values[v];
            asking->asks[at].params = own;
            asking->asks[at].problem =
                (struct banklab_problem){.rows = shapes[group / bases % SHAPES][0],
                                         .cols = shapes[group / bases % SHAPES][1],
                                         .elem = elem};
        }
    }
    asking->count = at;
    return BL_OK;
}

static void say_effect(struct bl_check *check, const char *param,
                       const struct finding *finding)
{
    const bool fails = finding->effect == NOTHING || finding->effect == UNREAD;

    bl_points_add(check->points, fails ? BL_POINT_FAILED : BL_POINT_OK,
                  "%s: parameter %s changes something", check->plugin->abi.name, param);
    if (finding->effect == NOTHING)
        bl_points_say(check->points,
                      "parameter %s is declared but unused: whatever its value, the plan "
                      "is the same; use it in plan, or take it out of the table",
                      param);
    else if (finding->effect == UNREAD)
        bl_points_say(check->points,
                      "parameter %s is passed but unused: of all that it changes, "
                      "argument %" PRIu32 " of %s, the kernel never reads",
                      param, finding->arg, finding->kernel);
    else if (finding->effect == SHARED_SIZE)
        bl_points_say(check->points,
                      "note: all that parameter %s changes is how much shared memory a "
                      "block has",
                      param);
}

static enum bl_status check_param(struct asking *asking, uint32_t p, struct bl_error *err)
{
    struct bl_check *check = asking->check;
    const struct banklab_param *param = &check->plugin->abi.params[p];
    struct finding most = {.effect = NOTHING};
    struct bl_probe_answer *answers = NULL;
    int64_t values[VALUES];
    const size_t count = bl_sample_values(param, values, VALUES);
    enum bl_status status;

    if (count < 2) {
        bl_points_add(check->points, BL_POINT_SKIPPED,
                      "%s: parameter %s changes something", check->plugin->abi.name,
                      param->name);
        bl_points_why(check->points, "it has one value");
        return BL_OK;
    }
    status = make_asks(asking, p, values, count, err);
    if (status == BL_OK)
        status = bl_probe(check->plugin, asking->asks, asking->count,
                          check->options->run.timeout, &answers, err);
    for (size_t i = 0; i < asking->count && status == BL_OK; i++) {
        struct finding own = {.effect = NOTHING};

        own.effect = effect_of(asking, &answers[i - i % count], &answers[i], &own);
        if (own.effect > most.effect)
            most = own;
    }
    if (status == BL_OK)
        say_effect(check, param->name, &most);
    free(answers);
    free(asking->asks);
    free(asking->values);
    asking->asks = NULL;
    asking->values = NULL;
    return status;
}

enum bl_status bl_check_effects(struct bl_check *check, struct bl_error *err)
{
    struct asking asking = {.check = check};
    const struct banklab_module *code;
    struct bl_ptx_module *module = NULL;
    enum bl_status status = BL_OK;

    if (bl_job_module(check->plugin, check->sample.values, &check->model->limits, &code,
                      NULL) == BL_OK &&
        bl_ptx_read(check->plugin->abi.name, code->text, code->length, &module, NULL) ==
            BL_OK)
        asking.module = module;
    for (uint32_t p = 0; p < check->plugin->abi.param_count && status == BL_OK; p++)
        status = check_param(&asking, p, err);
    bl_ptx_free(module);
    return status;
}
