/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/question.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

const struct bl_question bl_question_default = {
    .form = {.width = 4, .block = {32, 1, 1}, .mask = UINT32_MAX}};

enum bl_status bl_question_set_warp(struct bl_question *question, const char *text,
                                    struct bl_error *err)
{
    uint64_t warp = 0;
    const bool all = strcmp(text, "all") == 0;

    if (!all && (!bl_text_uint(text, &warp) || warp > UINT32_MAX))
        return bl_error_set(err, BL_E_INPUT,
                            "a warp is a number from 0 on, or all, not \"%.60s\"", text);
    question->all_warps = all;
    question->warp = (uint32_t)warp;
    return BL_OK;
}

static enum bl_status check(const struct bl_question *question,
                            const struct bl_address *address, const struct bl_arch *arch,
                            struct bl_error *err)
{
    const uint32_t warps = bl_form_warps(&question->form);
    enum bl_status status = bl_form_check(&question->form, arch, err);

    if (status != BL_OK)
        return status;
    if (!question->block_given && bl_address_needs_shape(address))
        return bl_error_set(err, BL_E_INPUT,
                            "the address depends on the block's shape: give it, as in "
                            "--block 16x16");
    if (!question->all_warps && question->warp >= warps)
        return bl_error_set(err, BL_E_INPUT,
                            "warp %" PRIu32 " of a block of %" PRIu32
                            " threads, which has %" PRIu32 " warp%s, from 0 on",
                            question->warp, bl_form_threads(&question->form), warps,
                            warps == 1 ? "" : "s");
    return BL_OK;
}

static uint32_t weight(const struct bl_warp_cost *cost)
{
    return cost->shared.wavefronts + cost->global.sectors; /* one of them is 0 */
}

/* The warp's share of the answer. The first of the worst warps is kept. */
static void take(struct bl_answer *answer, const struct bl_question *question,
                 uint32_t warp, const struct bl_warp_lanes *lanes,
                 const struct bl_warp_cost *cost)
{
    for (int lane = 0; lane < 32; lane++)
        if ((lanes->mask >> lane & 1) &&
            lanes->address[lane] + question->form.width > answer->end)
            answer->end = lanes->address[lane] + question->form.width;
    bl_cost_add(&answer->sum, cost);
    if (answer->alike > 0 && weight(cost) == weight(&answer->cost))
        answer->alike++;
    if (answer->alike > 0 && weight(cost) <= weight(&answer->cost))
        return;
    answer->warp = warp;
    answer->alike = 1;
    answer->lanes = *lanes;
    answer->cost = *cost;
}

enum bl_status bl_question_answer(const struct bl_question *question,
                                  const struct bl_address *address,
                                  const struct bl_arch *arch, struct bl_answer *out,
                                  struct bl_error *err)
{
    struct bl_answer answer = {.warps = bl_form_warps(&question->form)};
    const uint32_t first = question->all_warps ? 0 : question->warp;
    const uint32_t last = question->all_warps ? answer.warps - 1 : question->warp;
    enum bl_status status = check(question, address, arch, err);

    for (uint32_t warp = first; status == BL_OK && warp <= last; warp++) {
        struct bl_warp_lanes lanes;
        struct bl_warp_cost cost;

        status = bl_address_lanes(address, &question->form, question->constants.values,
                                  warp, &lanes, err);
        if (status != BL_OK)
            return status;
        bl_lanes_cost(arch, &question->form, &lanes, &cost);
        take(&answer, question, warp, &lanes, &cost);
    }
    if (status == BL_OK)
        *out = answer;
    return status;
}

/* ---- numbers
 * ---------------------------------------------------------------------------- */

#define AT(member) offsetof(struct bl_warp_cost, member)

const struct bl_cost_number bl_cost_numbers[BL_COST_NUMBERS] = {
    {"wavefronts", NULL, false, AT(shared.wavefronts), AT(shared.wavefronts_least),
     "passes through the banks"},
    {"ideal", NULL, false, AT(shared.ideal), 0, "would do without conflicts"},
    {"conflicts", "bank_conflicts", false, AT(shared.conflicts),
     AT(shared.wavefronts_least), "wavefronts beyond that"},
    {"ways", NULL, false, AT(shared.ways), AT(shared.ways_least),
     "the most wavefronts of one phase"},
    {"phases", "beats", false, AT(shared.phases), 0, "in which the lanes are served"},
    {"cycles", NULL, false, AT(shared.cycles), 0, "of the data stage"},
    {"sectors", NULL, true, AT(global.sectors), 0, "that are moved"},
    {"ideal_sectors", NULL, true, AT(global.ideal), 0, "would hold the bytes"},
};

static uint32_t at_offset(const struct bl_warp_cost *cost, size_t offset)
{
    uint32_t value;

    memcpy(&value, (const char *)cost + offset, sizeof value);
    return value;
}

uint32_t bl_cost_number(const struct bl_warp_cost *cost,
                        const struct bl_cost_number *number)
{
    return at_offset(cost, number->offset);
}

bool bl_cost_has_least(const struct bl_arch *arch, const struct bl_cost_number *number)
{
    return number->least != 0 && bl_arch_is_open(arch);
}

uint32_t bl_cost_least(const struct bl_warp_cost *cost,
                       const struct bl_cost_number *number)
{
    if (number->offset == AT(shared.conflicts)) /* fewer by what there are fewer steps */
        return cost->shared.conflicts -
               (cost->shared.wavefronts - cost->shared.wavefronts_least);
    return at_offset(cost, number->least);
}
