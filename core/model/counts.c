/* SPDX-License-Identifier: Apache-2.0
 *
 * counts.c - sums over workers and instructions. All are sums and maxima of whole
 * numbers, so that they don't depend on which worker ran which block.
 */
#include <stdlib.h>

#include "model/counts.h"

void bl_insn_counts_add(struct bl_insn_counts *to, const struct bl_insn_counts *from)
{
    to->executions += from->executions;
    to->wavefronts += from->wavefronts;
    to->ideal += from->ideal;
    to->conflicts += from->conflicts;
    to->cycles += from->cycles;
    to->sectors += from->sectors;
    to->wavefronts_least += from->wavefronts_least;
    if (from->ways > to->ways)
        to->ways = from->ways;
    if (from->ways_least > to->ways_least)
        to->ways_least = from->ways_least;
}

void bl_sites_add(struct bl_site *to, const struct bl_site *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_insn_counts_add(&to[i].shared, &from[i].shared);
        bl_insn_counts_add(&to[i].global, &from[i].global);
        bl_insn_counts_add(&to[i].special, &from[i].special);
    }
}

static void add_shared(const struct bl_arch *arch, struct bl_counts *counts,
                       struct bl_shared_counts *to, const struct bl_insn_counts *from)
{
    to->requests += from->executions;
    to->wavefronts += from->wavefronts;
    to->ideal += from->ideal;
    to->conflicts += from->conflicts;
    if (from->ways > to->ways)
        to->ways = from->ways;
    if (bl_arch_is_open(arch)) {
        to->wavefronts_least += from->wavefronts_least;
        if (from->ways_least > to->ways_least)
            to->ways_least = from->ways_least;
    }
    counts->data_stage_cycles += from->cycles;
}

/* An atomic that is a loop has its loads besides: those count as loads. */
static bool counts_as_store(const struct bl_site_info *site)
{
    return site->is_store && (site->kind == BL_SITE_PLAIN || site->kind == BL_SITE_BULK);
}

void bl_sites_count(const struct bl_image *image, const struct bl_arch *arch,
                    const struct bl_site *sites, struct bl_counts *counts)
{
    counts->shared_source = counts->global_source = BL_SRC_MODEL;
    counts->has_cycles = true;
    for (size_t i = 0; i < image->site_count; i++) {
        bool store = counts_as_store(&image->sites[i]);
        const struct bl_insn_counts *g = &sites[i].global;
        struct bl_global_counts *global =
            store ? &counts->global_store : &counts->global_load;
        add_shared(arch, counts, store ? &counts->shared_store : &counts->shared_load,
                   &sites[i].shared);
        add_shared(arch, counts,
                   image->sites[i].kind == BL_SITE_ASYNC ? &counts->shared_async
                                                         : &counts->shared_atomic,
                   &sites[i].special);
        if (image->sites[i].kind == BL_SITE_BULK)
            counts->bulk_copies += g->executions;
        global->requests += g->executions;
        global->sectors += g->sectors;
        global->ideal += g->ideal;
    }
}

static int by_line(const void *a, const void *b)
{
    const struct bl_insn_counts *x = a, *y = b;
    if (x->insn->line != y->insn->line)
        return x->insn->line < y->insn->line ? -1 : 1;
    return (int)y->is_shared - (int)x->is_shared;
}

static void put(const struct bl_image *image, size_t site, bool is_shared,
                bool is_special, const struct bl_insn_counts *counts,
                struct bl_model_profile *profile)
{
    const struct bl_ptx_module *module = image->program->module;
    struct bl_insn_counts *to = &profile->at[profile->count];
    int file = image->sites[site].insn->loc_file;
    if (!counts->executions)
        return;
    *to = *counts;
    to->insn = image->sites[site].insn;
    to->is_shared = is_shared;
    to->is_store = counts_as_store(&image->sites[site]);
    to->is_special = is_special;
    to->file =
        file >= 0 && (size_t)file < module->file_count ? module->files[file] : NULL;
    profile->count++;
}

enum bl_status bl_sites_profile(const struct bl_image *image, const struct bl_site *sites,
                                struct bl_model_profile *out, struct bl_error *err)
{
    struct bl_model_profile profile = {.count = 0};
    profile.at = calloc(3 * image->site_count + 1, sizeof *profile.at);
    if (!profile.at)
        return bl_error_nomem(err);
    for (size_t i = 0; i < image->site_count; i++) {
        put(image, i, true, false, &sites[i].shared, &profile);
        put(image, i, true, true, &sites[i].special, &profile);
        put(image, i, false, false, &sites[i].global, &profile);
    }
    qsort(profile.at, profile.count, sizeof *profile.at, by_line);
    *out = profile;
    return BL_OK;
}

void bl_model_profile_free(struct bl_model_profile *profile)
{
    free(profile->at);
    profile->at = NULL;
    profile->count = 0;
}
