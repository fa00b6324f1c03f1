/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_case.c - the accesses of a profile's case: it is run on the model, and watched.
 */
#include "cli/cmd_advise.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/advise_watch.h"
#include "base/text.h"
#include "cli/profiles.h"
#include "work/rates.h"
#include "work/runner.h"

/* Of `house` and `args`; ended by close_run, also when opening failed. */
struct case_run {
    char *path, *set_arch, *set_rates;
    struct bl_profile *profile;
    struct bl_device *device;
    struct bl_gather *gather;
    struct bl_result result;
    size_t index;
};

static enum bl_status several(const struct bl_profile *profile, const char *name,
                              struct bl_error *err)
{
    char list[512] = "";
    size_t length = 0;

    for (size_t i = 0; i < profile->case_count; i++)
        if ((!name || fnmatch(name, profile->cases[i].name, 0) == 0) &&
            length + strlen(profile->cases[i].name) + 3 < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length ? ", " : "", profile->cases[i].name);
    return bl_error_set(err, BL_E_INPUT,
                        "%s: advise takes one case; name one of %s with --case",
                        profile->path, list);
}

/* The one that is called so, or the only one that matches. */
static enum bl_status choose(const struct bl_profile *profile, const char *name,
                             size_t *out, struct bl_error *err)
{
    size_t found = 0, at = 0;

    for (size_t i = 0; i < profile->case_count; i++) {
        if (name && strcmp(name, profile->cases[i].name) == 0) {
            *out = i;
            return BL_OK;
        }
        if (name && fnmatch(name, profile->cases[i].name, 0) != 0)
            continue;
        found++;
        at = i;
    }
    /* A name of a section whose cases are a sweep matches none of their names. */
    if (found != 1)
        return several(profile, found > 0 ? name : NULL, err);
    *out = at;
    return BL_OK;
}

/* --set and, behind it, --arch and --rates; the model, whatever the profile says. */
static enum bl_status read_profile(struct cli_house *house,
                                   const struct advise_args *args, struct case_run *run,
                                   struct bl_error *err)
{
    struct bl_override *sets = calloc(args->sets.count + 3, sizeof *sets);
    size_t count = args->sets.count;
    enum bl_status status = BL_OK;

    if (!sets)
        return bl_error_nomem(err);
    if (count > 0)
        memcpy(sets, args->sets.at, count * sizeof *sets);
    sets[count++].text = "device=model";
    if (args->arch) {
        run->set_arch = bl_text_format("arch=%s", args->arch);
        sets[count++].text = run->set_arch;
    }
    if (args->rates) {
        run->set_rates = bl_text_format("rates=%s", args->rates);
        sets[count++].text = run->set_rates;
    }
    if ((args->arch && !run->set_arch) || (args->rates && !run->set_rates))
        status = bl_error_nomem(err);
    if (status == BL_OK)
        status = bl_profile_read(run->path, house->registry, sets, count, args->case_name,
                                 &run->profile, err);
    free(sets);
    return status;
}

static enum bl_status open_run(struct cli_house *house, const struct advise_args *args,
                               struct case_run *run, struct bl_error *err)
{
    enum bl_status status =
        cli_profile_path(&house->paths, args->subject, &run->path, err);

    if (status != BL_OK && !args->case_name && strpbrk(args->subject, "*+()"))
        return bl_error_set(err, BL_E_INPUT,
                            "\"%s\" is no profile; if it is an expression, --op=load or "
                            "--op=store says so",
                            args->subject);
    if (status == BL_OK)
        status = read_profile(house, args, run, err);
    if (status == BL_OK)
        status = choose(run->profile, args->case_name, &run->index, err);
    if (status == BL_OK)
        status = bl_device_open(&house->paths, &run->profile->run, &run->device, err);
    if (status == BL_OK)
        status = bl_gather_new(&run->gather, err);
    /* --arch is for this case, whatever it asks for itself. */
    if (status == BL_OK && args->arch) {
        free(run->profile->cases[run->index].arch);
        run->profile->cases[run->index].arch = NULL;
    }
    return status;
}

static void close_run(struct case_run *run)
{
    bl_gather_free(run->gather);
    bl_device_close(run->device);
    bl_profile_free(run->profile);
    free(run->path);
    free(run->set_arch);
    free(run->set_rates);
}

static enum bl_status watch(struct case_run *run, struct advise_told *told,
                            struct bl_error *err)
{
    const struct banklab_module *module;
    const struct bl_case *of = &run->profile->cases[run->index];
    enum bl_status status =
        bl_runner_watch(run->profile, run->index, run->device,
                        bl_gather_watcher(run->gather), &run->result, &module, err);

    if (status != BL_OK)
        return status;
    if (run->result.verdict == BL_FAIL) {
        told->wrong = true;
        return advise_note(
            told, bl_text_format("the case fails as it is: %s", run->result.detail), err);
    }
    if (run->result.verdict != BL_PASS)
        return bl_error_at(err, BL_E_INPUT, run->path, of->line, "case %s: %s", of->name,
                           run->result.detail);
    return BL_OK;
}

static enum bl_status case_notes(const struct bl_gathered *gathered,
                                 const struct bl_tile *tile, enum bl_pitch_from from,
                                 struct advise_told *told, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    told->of_pitch = bl_text_format(
        "all of shared memory is taken as one tile, and element i as row i / %" PRIu32
        ", column i %% %" PRIu32 "%s",
        tile->pitch, tile->pitch,
        from == BL_PITCH_GIVEN ? "."
        : from == BL_PITCH_LANES
            ? ". The pitch was guessed from lanes' distances: --pitch sets another."
            : ". What a row is does not show: as many elements were taken as one turn "
              "through the banks has; --pitch sets others.");
    if (!told->of_pitch)
        return bl_error_nomem(err);
    if (gathered->others > 0)
        status = advise_note(
            told,
            bl_text_format("%" PRIu64 " atomics, cp.async or matrix instructions on "
                           "shared memory were not looked at: they would need the same "
                           "layout.",
                           gathered->others),
            err);
    if (status == BL_OK && gathered->launches > 1)
        status = advise_note(told,
                             bl_text_format("the accesses of %" PRIu32
                                            " launches are taken together.",
                                            gathered->launches),
                             err);
    return status;
}

static enum bl_status tell(const struct bl_paths *paths, const struct advise_args *args,
                           struct case_run *run, struct bl_gathered *gathered,
                           struct advise_told *told, struct bl_error *err)
{
    const struct bl_case *of = &run->profile->cases[run->index];
    struct bl_device_view view;
    struct bl_arch arch;
    struct bl_advise_job job = {.tile = {.elem = args->elem, .rows = args->rows},
                                .accesses = gathered->accesses,
                                .count = gathered->count,
                                .bound = args->bound};
    enum bl_pitch_from from;
    char *subject;
    int64_t tile_bytes;
    enum bl_status status = bl_device_view(run->device, of->arch, &view, err);

    if (status == BL_OK)
        status = bl_arch_read(paths, view.arch, &arch, err);
    if (status == BL_OK && args->pitch)
        status = advise_pitch(args->pitch, &job.tile.pitch, err);
    if (status == BL_OK)
        status = bl_gathered_tile(gathered, &arch, &job.tile, &from, err);
    if (status == BL_OK)
        status = case_notes(gathered, &job.tile, from, told, err);
    if (status != BL_OK)
        return status;
    tile_bytes = (int64_t)job.tile.rows * job.tile.pitch * job.tile.elem;
    job.room = (struct bl_room_of){&arch, view.rates, gathered->threads,
                                   (int64_t)gathered->shared_bytes - tile_bytes};
    subject = bl_text_format("case %s of %s", of->name, run->path);
    if (!subject)
        return bl_error_nomem(err);
    status = advise_tell(args, &job, subject, NULL, NULL, told, err);
    free(subject);
    return status;
}

enum bl_status advise_case(struct cli_house *house, const struct advise_args *args,
                           struct advise_told *told, struct bl_error *err)
{
    struct case_run run = {.path = NULL};
    struct bl_gathered gathered = {.count = 0};
    enum bl_status status = open_run(house, args, &run, err);

    if (status == BL_OK)
        status = watch(&run, told, err);
    if (status == BL_OK)
        status = bl_gather_take(run.gather, &gathered, err);
    if (status == BL_OK && gathered.count == 0 && told->wrong)
        status = bl_error_set(err, BL_E_INPUT, "%s: case %s: %s", run.path,
                              run.profile->cases[run.index].name, run.result.detail);
    else if (status == BL_OK && gathered.count == 0)
        status =
            bl_error_set(err, BL_E_INPUT,
                         "%s: case %s neither loads from shared memory nor stores to "
                         "it: it has no bank conflict",
                         run.path, run.profile->cases[run.index].name);
    if (status == BL_OK)
        status = tell(&house->paths, args, &run, &gathered, told, err);
    bl_gathered_free(&gathered);
    close_run(&run);
    return status;
}
