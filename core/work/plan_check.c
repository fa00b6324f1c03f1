/* SPDX-License-Identifier: Apache-2.0
 *
 * plan_check.c - a plugin's plan against the ABI's and the device's limits.
 */
#include <inttypes.h>
#include <string.h>

#include "work/device.h"
#include "work/number.h"

/* What a check is about, for its message. */
struct subject {
    const struct bl_plugin *plugin;
    const struct banklab_plan *plan;
    const struct bl_device_limits *limits;
    uint32_t index;                      /* of the launch */
    const struct banklab_launch *launch; /* name known to be whole */
    struct bl_error *err;
};

#define REFUSE(s, format, ...)                                                           \
    bl_error_at((s)->err, BL_E_INPUT, (s)->plugin->path, 0,                              \
                "plan: launch %" PRIu32 " (%s): " format, (s)->index,                    \
                (s)->launch->kernel, __VA_ARGS__)

/* What is whole, but more than this device can. `plan` does not know the device, and
 * other devices can: the case is skipped, and the plugin not blamed. */
#define TOO_MUCH(s, format, ...)                                                         \
    bl_error_set((s)->err, BL_E_UNSUPPORTED, "launch %" PRIu32 " (%s): " format,         \
                 (s)->index, (s)->launch->kernel, __VA_ARGS__)

static enum bl_status check_shape(const struct subject *s)
{
    static const char axis[] = "xyz";
    const struct banklab_launch *launch = s->launch;
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        if (launch->grid[i] < 1 || launch->block[i] < 1)
            return REFUSE(s, "%s.%c is 0", launch->grid[i] < 1 ? "grid" : "block",
                          axis[i]);
        if (launch->grid[i] > s->limits->max_grid[i])
            return TOO_MUCH(s, "grid.%c = %" PRIu32 " is over the device's %" PRIu32,
                            axis[i], launch->grid[i], s->limits->max_grid[i]);
        if (launch->block[i] > s->limits->max_block[i])
            return TOO_MUCH(s, "block.%c = %" PRIu32 " is over the device's %" PRIu32,
                            axis[i], launch->block[i], s->limits->max_block[i]);
        threads *= launch->block[i];
    }
    if (threads > s->limits->max_threads)
        return TOO_MUCH(s, "%" PRIu64 " threads a block are over the device's %" PRIu32,
                        threads, s->limits->max_threads);
    if (launch->shared_bytes > s->limits->max_shared)
        return TOO_MUCH(s,
                        "%" PRIu32 " bytes of dynamic shared memory are over the "
                        "device's %" PRIu64,
                        launch->shared_bytes, s->limits->max_shared);
    return BL_OK;
}

bool bl_plan_has_role(const struct banklab_plan *plan, uint64_t role)
{
    if (role == BANKLAB_INPUT || role == BANKLAB_OUTPUT)
        return true;
    if (role == BANKLAB_CLOCK)
        return plan->clock.warps > 0;
    return role >= BANKLAB_SCRATCH0 && role < BANKLAB_SCRATCH0 + BANKLAB_MAX_SCRATCH &&
           plan->scratch_bytes[role - BANKLAB_SCRATCH0] > 0;
}

static enum bl_status check_args(const struct subject *s)
{
    if (s->launch->arg_count > BANKLAB_MAX_ARGS)
        return REFUSE(s, "%" PRIu32 " arguments, at most %d", s->launch->arg_count,
                      BANKLAB_MAX_ARGS);
    for (uint32_t i = 0; i < s->launch->arg_count; i++) {
        const struct banklab_arg *arg = &s->launch->args[i];
        if (arg->type < BANKLAB_ARG_BUFFER || arg->type > BANKLAB_ARG_TENSOR_MAP)
            return REFUSE(s, "argument %" PRIu32 " has the unknown type %" PRIu32, i,
                          arg->type);
        if (arg->type == BANKLAB_ARG_U32 && arg->value.u > UINT32_MAX)
            return REFUSE(s, "argument %" PRIu32 " does not fit in 32 bits", i);
        if (arg->type == BANKLAB_ARG_BUFFER && !bl_plan_has_role(s->plan, arg->value.u))
            return REFUSE(s,
                          "argument %" PRIu32 " names the buffer %" PRIu64
                          ", which the plan does not have",
                          i, arg->value.u);
        if (arg->type == BANKLAB_ARG_TENSOR_MAP && arg->value.u >= s->plan->tensor_count)
            return REFUSE(s,
                          "argument %" PRIu32 " is the tensor %" PRIu64
                          ", of which the plan has %" PRIu32,
                          i, arg->value.u, s->plan->tensor_count);
        if (arg->reserved)
            return REFUSE(s, "the reserved field of argument %" PRIu32 " is not 0", i);
    }
    return BL_OK;
}

static enum bl_status check_launch(const struct subject *s)
{
    enum bl_status status;

    if (!*s->launch->kernel)
        return REFUSE(s, "%s", "the kernel has no name");
    status = check_shape(s);
    if (!status)
        status = check_args(s);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof s->launch->reserved / sizeof *s->launch->reserved; i++)
        if (s->launch->reserved[i])
            return REFUSE(s, "%s", "a reserved field is not 0");
    return BL_OK;
}

static uint64_t warps_of_block(const struct banklab_launch *launch)
{
    return ((uint64_t)launch->block[0] * launch->block[1] * launch->block[2] + 31) / 32;
}

/* The clock's warps must be those of a launch, or readings would go astray. */
static enum bl_status check_clock(const struct bl_plugin *plugin,
                                  const struct banklab_plan *plan, struct bl_error *err)
{
    const struct banklab_clock *clock = &plan->clock;

    if (!clock->warps)
        return BL_OK;
    if (!clock->warps_per_block || !clock->accesses_per_warp)
        return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                           "plan: clock: warps_per_block and accesses_per_warp must be "
                           "at least 1");
    for (uint32_t i = 0; i < plan->launch_count; i++) {
        const struct banklab_launch *launch = &plan->launches[i];
        const uint64_t warps = warps_of_block(launch);
        uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1], all;
        if (__builtin_mul_overflow(blocks, launch->grid[2], &blocks) ||
            __builtin_mul_overflow(blocks, warps, &all))
            continue;
        if (warps == clock->warps_per_block && all == clock->warps)
            return BL_OK;
    }
    return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                       "plan: clock: no launch has %" PRIu64 " warps, %" PRIu32
                       " a block",
                       clock->warps, clock->warps_per_block);
}

enum bl_status bl_plan_check(const struct bl_plugin *plugin,
                             const struct banklab_plan *plan,
                             const struct bl_device_limits *limits, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    if (plan->struct_size != sizeof *plan)
        return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                           "plan: struct_size was changed: it is the lab's");
    if (plan->launch_count < 1 || plan->launch_count > BANKLAB_MAX_LAUNCHES)
        return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                           "plan: %" PRIu32 " launches; it takes 1 to %d",
                           plan->launch_count, BANKLAB_MAX_LAUNCHES);
    for (uint32_t i = 0; i < plan->launch_count && !status; i++) {
        const struct subject subject = {plugin, plan, limits, i, &plan->launches[i], err};
        if (!memchr(plan->launches[i].kernel, '\0', sizeof plan->launches[i].kernel))
            return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                               "plan: launch %" PRIu32 ": the kernel's name does not end",
                               i);
        status = check_launch(&subject);
    }
    if (!status)
        status = bl_plan_check_tensors(plugin, plan, limits, err);
    return status ? status : check_clock(plugin, plan, err);
}
