/* SPDX-License-Identifier: Apache-2.0
 *
 * answer_json.c - what an access costs, for programs.
 */
#include <config.h>

#include "bank/question.h"

#include <stdio.h>

#include "report/json_make.h"

static json_t *cost(struct bl_json_make *make, const struct bl_arch *arch, bool is_global,
                    const struct bl_warp_cost *of)
{
    json_t *object = json_object();

    for (size_t i = 0; i < BL_COST_NUMBERS; i++) {
        const struct bl_cost_number *number = &bl_cost_numbers[i];
        char least[64];

        if (number->is_global != is_global)
            continue;
        bl_json_add_count(make, object, number->name, bl_cost_number(of, number));
        snprintf(least, sizeof least, "%s_least", number->name);
        if (bl_cost_has_least(arch, number))
            bl_json_add_count(make, object, least, bl_cost_least(of, number));
    }
    return object;
}

static void add_form(struct bl_json_make *make, json_t *root,
                     const struct bl_question *question)
{
    const struct bl_access_form *form = &question->form;
    json_t *constants = json_object(), *block = json_array();

    bl_json_add_text(make, root, "op", form->is_store ? "store" : "load");
    bl_json_add_text(make, root, "space", form->is_global ? "global" : "shared");
    bl_json_add_count(make, root, "width", form->width);
    for (int i = 0; i < 3; i++)
        bl_json_append(make, block, json_integer(form->block[i]));
    bl_json_add(make, root, "block", block);
    for (size_t i = 0; i < question->constants.count; i++)
        bl_json_add(make, constants, question->constants.names[i],
                    json_integer(question->constants.values[i]));
    bl_json_add(make, root, "constants", constants);
}

enum bl_status bl_answer_json(const struct bl_question *question,
                              const struct bl_address *address,
                              const struct bl_arch *arch, const struct bl_answer *answer,
                              FILE *out, struct bl_error *err)
{
    const bool is_global = question->form.is_global;
    struct bl_json_make make = {.failed = false};
    json_t *root = json_object();

    bl_json_add_text(&make, root, "schema", "banklab.access/1");
    bl_json_add_text(&make, root, "banklab", PACKAGE_VERSION);
    bl_json_add_text(&make, root, "source", "model");
    bl_json_add_text(&make, root, "address", bl_address_text(address));
    add_form(&make, root, question);
    bl_json_add_text(&make, root, "arch", arch->name);
    bl_json_add_text(&make, root, "evidence", arch->evidence);
    bl_json_add_count(&make, root, "warps", answer->warps);
    if (question->all_warps) {
        bl_json_add(&make, root, "all", cost(&make, arch, is_global, &answer->sum));
        bl_json_add_count(&make, root, "alike", answer->alike);
    }
    bl_json_add_count(&make, root, "warp", answer->warp);
    bl_json_add(&make, root, "cost", cost(&make, arch, is_global, &answer->cost));
    bl_json_add(&make, root, "lanes",
                bl_json_lanes(&make, answer->lanes.mask, answer->lanes.address));
    return bl_json_write(&make, root, out, err);
}
