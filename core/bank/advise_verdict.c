/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_verdict.c - what follows from an advice: a sentence, and answers to the
 * questions that people ask when they choose.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bank/advise_report.h"
#include "base/text.h"

const char *bl_question_text(enum bl_question question)
{
    static const char *const texts[BL_QUESTIONS] = {
        "short of shared memory?", "most speed?", "tile or block size fixed?",
        "none of these?"};

    return texts[question];
}

static bool found(const struct bl_advice *advice, enum bl_layout_kind kind)
{
    return advice->at[kind].found == BL_FOUND_ALL && advice->at[kind].room.fits;
}

/* "128 bytes (3.1 %) more, and leaves 8 blocks an SM as before" */
static char *cost_of(const struct bl_advice *advice, const struct bl_proposal *proposal)
{
    const uint64_t more = proposal->bytes - advice->bytes;
    const double percent = 100.0 * (double)more / (double)advice->bytes;
    const uint32_t before = advice->room.blocks, after = proposal->room.blocks;

    if (!proposal->room.fits)
        return bl_text_format("%" PRIu64 " bytes more, and no block may have as many",
                              more);
    if (after == 0)
        return bl_text_format("%" PRIu64 " bytes (%.1f %%) more", more, percent);
    if (after == before)
        return bl_text_format("%" PRIu64 " bytes (%.1f %%) more, and an SM has room for "
                              "%" PRIu32 " block%s as before",
                              more, percent, after, after == 1 ? "" : "s");
    return bl_text_format("%" PRIu64 " bytes (%.1f %%) more, and an SM has room for "
                          "%" PRIu32 " block%s instead of %" PRIu32,
                          more, percent, after, after == 1 ? "" : "s", before);
}

static char *on_memory(const struct bl_advice *advice)
{
    const bool rotate = found(advice, BL_LAYOUT_ROTATE),
               xor = found(advice, BL_LAYOUT_XOR);
    const struct bl_proposal *pad = &advice->at[BL_LAYOUT_PAD];
    char *cost, *text;

    if (pad->found != BL_FOUND_ALL)
        return bl_text_format(rotate || xor? "%s: no byte more" : "nothing was found%s",
                              rotate && xor ? "rotation or xor"
                              : rotate      ? "rotation"
                              : xor         ? "xor"
                                            : "");
    cost = cost_of(advice, pad);
    if (!cost)
        return NULL;
    if (rotate || xor)
        text = bl_text_format("%s: no byte more; padding takes %s",
                              rotate && xor? "rotation or xor"
                              : rotate     ? "rotation"
                                           : "xor",
                              cost);
    else
        text = bl_text_format("nothing without more memory was found; padding takes %s",
                              cost);
    free(cost);
    return text;
}

static char *on_speed(const struct bl_advice_report *report)
{
    uint32_t narrowest = 16;

    for (size_t i = 0; i < report->job->count; i++)
        if (report->job->accesses[i].width < narrowest)
            narrowest = report->job->accesses[i].width;
    if (narrowest == 16)
        return bl_text_format("accesses are 16 bytes wide already, and without conflict "
                              "no layout is faster than another");
    return bl_text_format("without conflict no layout is faster than another. Wider "
                          "accesses move the same bytes in as many wavefronts, but in "
                          "fewer instructions: another kernel, to be asked about with "
                          "its own expressions and widths above %" PRIu32,
                          narrowest);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static char *on_fixed(const struct bl_advice_report *report)
{
    const struct bl_advice *advice = report->advice;
    const uint32_t pitch = advice->tile.pitch, banks = report->job->room.arch->banks;
    const uint32_t common = common_divisor(pitch, banks);
    const bool rotate = found(advice, BL_LAYOUT_ROTATE);

    if (!rotate && !found(advice, BL_LAYOUT_XOR))
        return bl_text_format("neither a rotation nor an xor keeps the %" PRIu32
                              " columns and has no conflict",
                              pitch);
    if (common == 1)
        return bl_text_format("%s keeps the %" PRIu32 " columns",
                              rotate ? "rotation" : "xor", pitch);
    return bl_text_format("%s keeps the %" PRIu32 " columns; that %" PRIu32 " and the "
                          "%" PRIu32 " banks share the factor %" PRIu32 " does no harm",
                          rotate ? "rotation" : "xor", pitch, pitch, banks, common);
}

static char *on_else(const struct bl_advice *advice)
{
    const struct bl_proposal *pad = &advice->at[BL_LAYOUT_PAD];

    if (pad->found == BL_FOUND_ALL)
        return bl_text_format("padding to %" PRIu32 ": no arithmetic at all",
                              pad->layout.pitch);
    return bl_text_format("no padding of up to %" PRIu32 " elements will do",
                          advice->bound);
}

char *bl_advice_answer(const struct bl_advice_report *report, enum bl_question question)
{
    switch (question) {
    case BL_Q_MEMORY: return on_memory(report->advice);
    case BL_Q_SPEED: return on_speed(report);
    case BL_Q_FIXED: return on_fixed(report);
    default: return on_else(report->advice);
    }
}

static char *nothing_found(const struct bl_advice *advice)
{
    const struct bl_proposal *best = NULL;
    uint64_t least = UINT64_MAX;
    bool cut = false;

    for (int kind = 0; kind < BL_LAYOUTS; kind++) {
        const struct bl_proposal *at = &advice->at[kind];

        cut = cut || at->cut;
        if (at->found == BL_FOUND_BEST && at->needless < least) {
            least = at->needless;
            best = at;
        }
    }
    if (!best)
        return bl_text_format("no layout was found that keeps the accesses whole");
    return bl_text_format(
        "none found: no padding or rotation by up to %" PRIu32
        " elements, and no xor, takes all conflicts away%s; the best "
        "is a %s, with %" PRIu64 " wavefront%s too many",
        advice->bound, cut ? ", of those that there was time to try" : "",
        bl_layout_name(best->layout.kind), least, least == 1 ? "" : "s");
}

static bool own_conflicts(const struct bl_advice *advice, size_t count)
{
    uint64_t conflicts = 0;

    for (size_t i = 0; i < count; i++)
        conflicts += advice->before[i].conflicts;
    return conflicts > 0;
}

char *bl_advice_verdict(const struct bl_advice_report *report)
{
    const struct bl_advice *advice = report->advice;
    char *cost, *text;

    if (advice->clean && report->wrong)
        return bl_text_format("there is no conflict, but neither is the result right");
    if (advice->clean)
        return bl_text_format("leave it: there is no conflict%s",
                              own_conflicts(advice, report->job->count)
                                  ? " that a layout could take away"
                                  : "");
    if (advice->chosen == BL_LAYOUTS)
        return nothing_found(advice);
    if (advice->chosen == BL_LAYOUT_PAD) {
        cost = cost_of(advice, &advice->at[BL_LAYOUT_PAD]);
        text = cost ? bl_text_format("pad: %s", cost) : NULL;
        free(cost);
        return text;
    }
    return bl_text_format("%s: no byte more, and %s", bl_layout_name(advice->chosen),
                          advice->at[BL_LAYOUT_PAD].found == BL_FOUND_ALL
                              ? "padding would cost room"
                              : "no padding will do");
}
