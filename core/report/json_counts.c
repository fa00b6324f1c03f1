/* SPDX-License-Identifier: Apache-2.0
 *
 * json_counts.c - counts of shared and global memory in JSON.
 */
#include "report/json_make.h"

static json_t *shared_counts(struct bl_json_make *make,
                             const struct bl_shared_counts *counts)
{
    json_t *object = json_object();

    bl_json_add_count(make, object, "requests", counts->requests);
    bl_json_add_count(make, object, "wavefronts", counts->wavefronts);
    if (counts->ideal || !counts->wavefronts) /* else it is not known */
        bl_json_add_count(make, object, "ideal", counts->ideal);
    bl_json_add_count(make, object, "conflicts", counts->conflicts);
    if (counts->ways) /* else there is no worst one, or it is not known */
        bl_json_add_count(make, object, "ways", counts->ways);
    if (counts->ways_least) { /* the arch leaves it open: those above are the most */
        bl_json_add_count(make, object, "wavefronts_least", counts->wavefronts_least);
        bl_json_add_count(make, object, "ways_least", counts->ways_least);
    }
    return object;
}

static json_t *global_counts(struct bl_json_make *make,
                             const struct bl_global_counts *counts)
{
    json_t *object = json_object();

    bl_json_add_count(make, object, "requests", counts->requests);
    bl_json_add_count(make, object, "sectors", counts->sectors);
    if (counts->ideal || !counts->sectors)
        bl_json_add_count(make, object, "ideal", counts->ideal);
    return object;
}

/* What few kernels do is there only where it was done. */
static void add_rare(struct bl_json_make *make, json_t *object, const char *key,
                     const struct bl_shared_counts *counts)
{
    if (counts->requests)
        bl_json_add(make, object, key, shared_counts(make, counts));
}

/* What counted, where it was not the model. */
static void add_counted(struct bl_json_make *make, json_t *object, enum bl_source source,
                        enum bl_counted counted)
{
    if (source == BL_SRC_COUNTER && counted != BL_COUNTED_NOT)
        bl_json_add_text(make, object, "counted_by", bl_counted_name(counted));
}

json_t *bl_json_shared(struct bl_json_make *make, const struct bl_counts *counts)
{
    json_t *object = json_object();

    if (counts->shared_source != BL_SRC_NONE) {
        bl_json_add_text(make, object, "source", bl_source_name(counts->shared_source));
        add_counted(make, object, counts->shared_source, counts->counted);
        bl_json_add(make, object, "load", shared_counts(make, &counts->shared_load));
        bl_json_add(make, object, "store", shared_counts(make, &counts->shared_store));
        add_rare(make, object, "atomic", &counts->shared_atomic);
        add_rare(make, object, "async", &counts->shared_async);
        if (counts->has_cycles &&
            (counts->shared_source == BL_SRC_MODEL || !bl_counts_differ(counts)))
            bl_json_add_count(make, object, "cycles", counts->data_stage_cycles);
    }
    return object;
}

json_t *bl_json_global(struct bl_json_make *make, const struct bl_counts *counts)
{
    json_t *object = json_object();

    if (counts->global_source != BL_SRC_NONE) {
        bl_json_add_text(make, object, "source", bl_source_name(counts->global_source));
        add_counted(make, object, counts->global_source, counts->counted);
        bl_json_add(make, object, "load", global_counts(make, &counts->global_load));
        bl_json_add(make, object, "store", global_counts(make, &counts->global_store));
    }
    return object;
}

json_t *bl_json_model(struct bl_json_make *make, const struct bl_counts *counts)
{
    const struct bl_model_counts *beside = &counts->beside;
    json_t *object = json_object(), *group;

    if (counts->shared_source == BL_SRC_MODEL || counts->global_source == BL_SRC_MODEL ||
        beside->shared_source != BL_SRC_NONE || beside->global_source != BL_SRC_NONE) {
        bl_json_add_count(make, object, "blocks", counts->blocks);
        bl_json_add_count(make, object, "instructions", counts->instructions);
        if (counts->block_shared > 0)
            bl_json_add_count(make, object, "block_shared_bytes", counts->block_shared);
    }
    if (beside->shared_source != BL_SRC_NONE) {
        group = json_object();
        bl_json_add(make, group, "load", shared_counts(make, &beside->shared_load));
        bl_json_add(make, group, "store", shared_counts(make, &beside->shared_store));
        add_rare(make, group, "atomic", &beside->shared_atomic);
        add_rare(make, group, "async", &beside->shared_async);
        if (counts->has_cycles)
            bl_json_add_count(make, group, "cycles", counts->data_stage_cycles);
        bl_json_add(make, object, "shared", group);
    }
    if (beside->global_source != BL_SRC_NONE) {
        group = json_object();
        bl_json_add(make, group, "load", global_counts(make, &beside->global_load));
        bl_json_add(make, group, "store", global_counts(make, &beside->global_store));
        bl_json_add(make, object, "global", group);
    }
    return object;
}
