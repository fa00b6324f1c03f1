/* SPDX-License-Identifier: Apache-2.0
 *
 * answer.c - what an access costs, for people.
 */
#include "bank/question.h"

#include <inttypes.h>
#include <string.h>

#include "bank/picture.h"
#include "report/figures.h"
#include "report/table.h"

static void print_block(const uint32_t block[3], FILE *out)
{
    const int dimensions = block[2] > 1 ? 3 : block[1] > 1 ? 2 : 1;

    for (int i = 0; i < dimensions; i++)
        fprintf(out, "%s%" PRIu32, i ? "x" : "", block[i]);
}

static void print_preface(const struct bl_question *question,
                          const struct bl_address *address, const struct bl_arch *arch,
                          const struct bl_answer *answer, FILE *out)
{
    const struct bl_access_form *form = &question->form;

    fprintf(out, "access   %s of %" PRIu32 " byte%s a lane, %s memory\n",
            form->is_store ? "store" : "load", form->width, form->width == 1 ? "" : "s",
            form->is_global ? "global" : "shared");
    fputs("address  ", out);
    bl_text_write(out, bl_address_text(address), " ");
    for (size_t i = 0, shown = 0; i < question->constants.count; i++)
        if (bl_address_uses(address, i))
            fprintf(out, "%s%s = %" PRId64, shown++ ? ", " : ", where ",
                    question->constants.names[i], question->constants.values[i]);
    fputs("\nblock    ", out);
    print_block(form->block, out);
    if (question->all_warps)
        fprintf(out, ", all %" PRIu32 " warp%s\n", answer->warps,
                answer->warps == 1 ? "" : "s");
    else
        fprintf(out, ", warp %" PRIu32 " of %" PRIu32 "\n", answer->warp, answer->warps);
    fprintf(out, "rules    %s: %s\n\n", arch->name, arch->evidence);
}

static enum bl_tint tint_of(const struct bl_warp_cost *cost,
                            const struct bl_cost_number *number)
{
    const char *name = number->name;

    if (strcmp(name, "conflicts") == 0 || strcmp(name, "ways") == 0)
        return cost->shared.conflicts > 0 ? BL_BAD : BL_GOOD;
    if (strcmp(name, "sectors") == 0)
        return cost->global.sectors > cost->global.ideal ? BL_BAD : BL_GOOD;
    return BL_PLAIN;
}

/* "2", or "1-2" where the arch leaves it open. */
static void print_number(const struct bl_arch *arch, const struct bl_warp_cost *cost,
                         const struct bl_cost_number *number, FILE *out)
{
    const uint32_t most = bl_cost_number(cost, number);
    char text[32];

    if (bl_cost_has_least(arch, number) && bl_cost_least(cost, number) != most)
        snprintf(text, sizeof text, "%" PRIu32 "-%" PRIu32, bl_cost_least(cost, number),
                 most);
    else
        snprintf(text, sizeof text, "%" PRIu32, most);
    fprintf(out, "%9s", text);
}

static void print_numbers(const struct bl_question *question, const struct bl_arch *arch,
                          const struct bl_answer *answer, const struct bl_style *style,
                          FILE *out)
{
    const bool two = question->all_warps && answer->warps > 1;

    if (two)
        fprintf(out, "%-14s  %9s  %5s %3" PRIu32 "\n", "", "all warps", "warp",
                answer->warp);
    for (size_t i = 0; i < BL_COST_NUMBERS; i++) {
        const struct bl_cost_number *number = &bl_cost_numbers[i];
        const enum bl_tint tint = tint_of(&answer->cost, number);

        if (number->is_global != question->form.is_global)
            continue;
        fprintf(out, "%-14s  ",
                strcmp(number->name, "ideal_sectors") == 0 ? "ideal" : number->name);
        bl_tint_begin(out, style, tint);
        if (two)
            print_number(arch, &answer->sum, number, out);
        fputs(two ? "  " : "", out);
        print_number(arch, &answer->cost, number, out);
        bl_tint_end(out, style, tint);
        fprintf(out, "  %s\n", number->meaning);
    }
}

static void print_notes(const struct bl_question *question, const struct bl_arch *arch,
                        const struct bl_answer *answer, FILE *out)
{
    if (question->all_warps && answer->warps > 1)
        fprintf(out,
                "\nWarp %" PRIu32 " is the worst%s; %" PRIu32 " of %" PRIu32
                " warps cost as much.\n",
                answer->warp, answer->alike > 1 ? ", or one of them" : "", answer->alike,
                answer->warps);
    if (!question->form.is_global && answer->end > arch->max_shared)
        fprintf(out,
                "\nIt reaches to byte %" PRIu64 ": a block of %s has at most %" PRIu64
                " bytes of shared memory.\n",
                answer->end - 1, arch->name, arch->max_shared);
}

static void print_picture(const struct bl_question *question, const struct bl_arch *arch,
                          const struct bl_answer *answer, const struct bl_style *style,
                          FILE *out)
{
    const struct bl_warp_lanes *lanes = &answer->lanes;
    uint32_t near[32];

    fputc('\n', out);
    if (lanes->mask == 0) {
        fputs("No lane of this warp takes part.\n", out);
        return;
    }
    if (question->form.is_global) {
        bl_picture_global(out, style, arch, question->form.width, lanes->mask,
                          lanes->address);
        return;
    }
    for (int lane = 0; lane < 32; lane++)
        near[lane] = (uint32_t)lanes->address[lane];
    bl_picture_print(out, style, arch, question->form.is_store, question->form.width,
                     lanes->mask, near);
}

enum bl_status bl_answer_text(const struct bl_question *question,
                              const struct bl_address *address,
                              const struct bl_arch *arch, const struct bl_answer *answer,
                              const struct bl_style *style, FILE *out,
                              struct bl_error *err)
{
    print_preface(question, address, arch, answer, out);
    print_numbers(question, arch, answer, style, out);
    print_notes(question, arch, answer, out);
    print_picture(question, arch, answer, style, out);
    return bl_report_flush(out, err);
}
