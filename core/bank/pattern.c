/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"

enum { LANES = 32 };

/* ---- names --------------------------------------------------------------------------
 */

enum place { T, TX, TY, TZ, BX, BY, BZ, WARP, LANE, OTHER_NAMES, PLACES = 15 };

/* The names behind LANE are others for TX to BZ. */
static const char *const place_names[PLACES] = {
    "t",           "tx",          "ty",         "tz",         "bx",
    "by",          "bz",          "warp",       "lane",       "threadIdx.x",
    "threadIdx.y", "threadIdx.z", "blockDim.x", "blockDim.y", "blockDim.z",
};

static void list_names(const struct bl_constants *constants,
                       const char *names[PLACES + BL_CONSTANTS_MAX])
{
    memcpy(names, place_names, sizeof place_names);
    for (size_t i = 0; i < constants->count; i++)
        names[PLACES + i] = constants->names[i];
}

/* ---- constants ------------------------------------------------------------------------
 */

static enum bl_status check_name(const struct bl_constants *constants, const char *name,
                                 struct bl_error *err)
{
    if (!bl_expr_is_name(name))
        return bl_error_set(err, BL_E_INPUT, "\"%s\" can't be a name", name);
    for (size_t i = 0; i < PLACES; i++)
        if (strcmp(name, place_names[i]) == 0)
            return bl_error_set(err, BL_E_INPUT, "%s has a meaning in addresses already",
                                name);
    for (size_t i = 0; i < constants->count; i++)
        if (strcmp(name, constants->names[i]) == 0)
            return bl_error_set(err, BL_E_INPUT, "%s has a value already: %" PRId64, name,
                                constants->values[i]);
    if (constants->count == BL_CONSTANTS_MAX)
        return bl_error_set(err, BL_E_INPUT, "%s would be one too many: at most %d", name,
                            BL_CONSTANTS_MAX);
    return BL_OK;
}

enum bl_status bl_constants_add(struct bl_constants *constants, const char *text,
                                struct bl_error *err)
{
    const char *equals = strchr(text, '=');
    struct bl_expr *expr = NULL;
    enum bl_status status;
    char *name;
    int64_t value;

    if (!equals)
        return bl_error_set(err, BL_E_INPUT, "NAME=VALUE is expected, not \"%s\"", text);
    name = strndup(text, (size_t)(equals - text));
    if (!name)
        return bl_error_nomem(err);
    status = check_name(constants, name, err);
    if (status != BL_OK)
        goto out;
    status = bl_expr_read(equals + 1, (const char *const *)constants->names,
                          constants->count, &expr, err);
    if (status == BL_OK)
        status = bl_expr_value(expr, constants->values, &value, err);
    if (status != BL_OK) {
        bl_error_prefix(err, "the value of %s", name);
        goto out;
    }
    constants->values[constants->count] = value;
    constants->names[constants->count++] = name;
    name = NULL;
out:
    bl_expr_free(expr);
    free(name);
    return status;
}

void bl_constants_free(struct bl_constants *constants)
{
    for (size_t i = 0; i < constants->count; i++)
        free(constants->names[i]);
    *constants = (struct bl_constants){.count = 0};
}

/* ---- addresses
 * ---------------------------------------------------------------------------- */

struct bl_address {
    struct bl_expr *expr;
    size_t constants;
};

enum bl_status bl_address_read(const char *text, const struct bl_constants *constants,
                               struct bl_address **out, struct bl_error *err)
{
    const char *names[PLACES + BL_CONSTANTS_MAX];
    struct bl_address *address = calloc(1, sizeof *address);
    enum bl_status status;

    if (!address)
        return bl_error_nomem(err);
    list_names(constants, names);
    address->constants = constants->count;
    status = bl_expr_read(text, names, PLACES + constants->count, &address->expr, err);
    if (status != BL_OK)
        free(address);
    else
        *out = address;
    return status;
}

void bl_address_free(struct bl_address *address)
{
    if (!address)
        return;
    bl_expr_free(address->expr);
    free(address);
}

const char *bl_address_text(const struct bl_address *address)
{
    return bl_expr_text(address->expr);
}

bool bl_address_uses(const struct bl_address *address, size_t constant)
{
    return bl_expr_uses(address->expr, PLACES + constant);
}

bool bl_address_needs_shape(const struct bl_address *address)
{
    for (size_t i = 0; i < PLACES; i++)
        if ((i == TY || i == TZ || (i >= BX && i <= BZ) || i > OTHER_NAMES) &&
            bl_expr_uses(address->expr, i))
            return true;
    return false;
}

static void set_places(const struct bl_access_form *form, uint32_t t, int64_t *values)
{
    const uint32_t *block = form->block;

    values[T] = t;
    values[TX] = t % block[0];
    values[TY] = t / block[0] % block[1];
    values[TZ] = t / block[0] / block[1];
    values[BX] = block[0];
    values[BY] = block[1];
    values[BZ] = block[2];
    values[WARP] = t / LANES;
    values[LANE] = t % LANES;
    memcpy(values + OTHER_NAMES, values + TX, (PLACES - OTHER_NAMES) * sizeof *values);
}

static enum bl_status check_address(const struct bl_access_form *form, uint64_t address,
                                    struct bl_error *err)
{
    if (address % form->width != 0)
        return bl_error_set(err, BL_E_INPUT,
                            "address %" PRIu64 " is not a multiple of the width, %" PRIu32
                            " bytes",
                            address, form->width);
    if (!form->is_global && address > UINT32_MAX)
        return bl_error_set(err, BL_E_INPUT,
                            "address %" PRIu64 " is none of shared memory", address);
    return BL_OK;
}

/* Values of any place and sign become an address, or a reason why not. */
static enum bl_status lane_address(const struct bl_address *address,
                                   const struct bl_access_form *form,
                                   const int64_t *values, uint64_t *out,
                                   struct bl_error *err)
{
    int64_t value;
    enum bl_status status = bl_expr_value(address->expr, values, &value, err);

    if (status == BL_OK && value < 0)
        status = bl_error_set(err, BL_E_INPUT, "address %" PRId64 " is negative", value);
    if (status == BL_OK)
        status = check_address(form, (uint64_t)value, err);
    if (status == BL_OK)
        *out = (uint64_t)value;
    else
        bl_error_prefix(err,
                        "lane %" PRId64 " of warp %" PRId64 " (tx %" PRId64
                        ", ty %" PRId64 ", tz %" PRId64 ")",
                        values[LANE], values[WARP], values[TX], values[TY], values[TZ]);
    return status;
}

enum bl_status bl_address_lanes(const struct bl_address *address,
                                const struct bl_access_form *form, const int64_t *values,
                                uint32_t warp, struct bl_warp_lanes *out,
                                struct bl_error *err)
{
    const uint32_t threads = bl_form_threads(form);
    int64_t all[PLACES + BL_CONSTANTS_MAX];
    struct bl_warp_lanes lanes = {.mask = 0};

    if (address->constants > 0)
        memcpy(all + PLACES, values, address->constants * sizeof *all);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t t = warp * LANES + lane;
        enum bl_status status;

        if (t >= threads || !(form->mask >> lane & 1))
            continue;
        set_places(form, t, all);
        status = lane_address(address, form, all, &lanes.address[lane], err);
        if (status != BL_OK)
            return status;
        lanes.mask |= UINT32_C(1) << lane;
    }
    *out = lanes;
    return BL_OK;
}

enum bl_status bl_lanes_check(const struct bl_access_form *form,
                              const struct bl_warp_lanes *lanes, struct bl_error *err)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if ((lanes->mask >> lane & 1) &&
            check_address(form, lanes->address[lane], err) != BL_OK)
            return bl_error_prefix(err, "lane %" PRIu32, lane);
    }
    return BL_OK;
}

/* ---- costs
 * ---------------------------------------------------------------------------------- */

void bl_lanes_cost(const struct bl_arch *arch, const struct bl_access_form *form,
                   const struct bl_warp_lanes *lanes, struct bl_warp_cost *out)
{
    struct bl_warp_cost cost = {.shared.phases = 0};
    uint32_t near[LANES];

    if (lanes->mask != 0 && form->is_global) {
        bl_access_global(arch, form->width, lanes->mask, lanes->address, &cost.global);
    } else if (lanes->mask != 0) {
        for (int lane = 0; lane < LANES; lane++)
            near[lane] = (uint32_t)lanes->address[lane];
        bl_access_shared(arch, form->is_store, form->width, lanes->mask, near,
                         &cost.shared);
    }
    *out = cost;
}

void bl_cost_add(struct bl_warp_cost *sum, const struct bl_warp_cost *more)
{
    sum->shared.phases += more->shared.phases;
    sum->shared.ideal += more->shared.ideal;
    sum->shared.wavefronts += more->shared.wavefronts;
    sum->shared.conflicts += more->shared.conflicts;
    sum->shared.cycles += more->shared.cycles;
    sum->shared.wavefronts_least += more->shared.wavefronts_least;
    if (more->shared.ways_least > sum->shared.ways_least)
        sum->shared.ways_least = more->shared.ways_least;
    if (more->shared.ways > sum->shared.ways)
        sum->shared.ways = more->shared.ways;
    sum->global.sectors += more->global.sectors;
    sum->global.ideal += more->global.ideal;
}
