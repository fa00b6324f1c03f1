/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_tell.c - has an advice made, and prints it.
 */
#include "cli/cmd_advise.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"

enum bl_status advise_note(struct advise_told *told, char *note, struct bl_error *err)
{
    if (!note)
        return bl_error_nomem(err);
    if (told->note_count == ADVISE_NOTES_MAX)
        free(note);
    else
        told->notes[told->note_count++] = note;
    return BL_OK;
}

/* What holds of the layouts that were found. */
static enum bl_status note_layouts(const struct bl_advise_job *job,
                                   struct advise_told *told, struct bl_error *err)
{
    size_t stores = 0;
    enum bl_status status = BL_OK;

    if (told->of_pitch) {
        status = advise_note(told, told->of_pitch, err);
        told->of_pitch = NULL;
    }
    for (size_t i = 0; i < job->count; i++)
        stores += job->accesses[i].is_store;
    if (status == BL_OK)
        status = advise_note(
            told,
            bl_text_format(
                "who stores and who loads must use the same layout. A rotation of the "
                "loads alone, as one finds it in print, loads other elements than it "
                "should.%s",
                stores == 0            ? " Here no store to the tile was named."
                : stores == job->count ? " Here no load from the tile was named."
                                       : ""),
            err);
    return status;
}

static enum bl_status notes(const struct bl_advise_job *job,
                            const struct bl_advice *advice, struct advise_told *told,
                            struct bl_error *err)
{
    const struct bl_arch *arch = job->room.arch;
    uint64_t own = 0;
    enum bl_status status = advice->clean ? BL_OK : note_layouts(job, told, err);

    for (size_t i = 0; i < job->count; i++)
        own += advice->before[i].conflicts - advice->before[i].needless;
    if (status == BL_OK && own > 0)
        status = advise_note(
            told,
            bl_text_format("by the rules of %s such accesses have conflicts even where "
                           "lanes are side by side: those are not held against a layout.",
                           arch->name),
            err);
    if (status == BL_OK && bl_arch_is_open(arch))
        status = advise_note(
            told,
            bl_text_format("%s leaves open which words are broadcast first: counts are "
                           "the most that it may need.",
                           arch->name),
            err);
    if (status == BL_OK && !job->room.rates)
        status = advise_note(
            told,
            bl_text_format("no device file has the rules of %s: how many blocks an SM "
                           "has room for is not known.",
                           arch->name),
            err);
    if (status == BL_OK && !advice->room.fits)
        status = advise_note(told,
                             bl_text_format("a block of %s has at most %" PRIu64
                                            " bytes of shared memory.",
                                            arch->name, arch->max_shared),
                             err);
    return status;
}

static enum bl_status paste(const struct bl_advise_ask *ask,
                            const struct bl_advise_input *input,
                            const struct bl_advice *advice, char **pasted,
                            struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (int kind = 0; kind < BL_LAYOUTS && !advice->clean; kind++)
        for (size_t i = 0; i < input->count && status == BL_OK; i++)
            if (advice->at[kind].found == BL_FOUND_ALL)
                status = bl_advise_paste(ask, input, i, &advice->at[kind].layout,
                                         &pasted[(size_t)kind * input->count + i], err);
    return status;
}

enum bl_status advise_tell(const struct advise_args *args,
                           const struct bl_advise_job *job, const char *subject,
                           const struct bl_advise_ask *ask,
                           const struct bl_advise_input *input, struct advise_told *told,
                           struct bl_error *err)
{
    struct bl_advice advice;
    struct bl_advice_report report = {
        .job = job, .advice = &advice, .subject = subject, .wrong = told->wrong};
    enum bl_status status = bl_advise(job, &advice, err);

    if (status != BL_OK)
        return status;
    if (ask) {
        report.pasted = calloc(BL_LAYOUTS * job->count, sizeof *report.pasted);
        status = report.pasted ? paste(ask, input, &advice, report.pasted, err)
                               : bl_error_nomem(err);
    }
    if (status == BL_OK)
        status = notes(job, &advice, told, err);
    report.notes = (const char *const *)told->notes;
    report.note_count = told->note_count;
    if (status == BL_OK)
        status = args->json ? bl_advice_json(&report, stdout, err)
                            : bl_advice_text(&report, stdout, err);
    told->found = advice.clean;
    for (int kind = 0; kind < BL_LAYOUTS; kind++)
        told->found = told->found || (advice.at[kind].found == BL_FOUND_ALL &&
                                      advice.at[kind].room.fits);
    for (size_t i = 0; report.pasted && i < BL_LAYOUTS * job->count; i++)
        free(report.pasted[i]);
    free(report.pasted);
    bl_advice_free(&advice);
    return status;
}
