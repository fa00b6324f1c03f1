/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_device.h"

#include <stdio.h>
#include <string.h>

static void write_clock(struct bl_regions *regions)
{
    struct bl_region *clock = bl_regions_find(regions, BANKLAB_CLOCK);
    const uint64_t readings[] = {100, 140, 110, 150, 1000, 1060, 1000, 1100};
    if (clock)
        memcpy(bl_region_payload(clock), readings, sizeof readings);
}

static void act(enum fake_deed deed, struct bl_regions *regions, uint32_t elem)
{
    struct bl_region *in = bl_regions_find(regions, BANKLAB_INPUT);
    struct bl_region *out = bl_regions_find(regions, BANKLAB_OUTPUT);
    uint8_t *to = bl_region_payload(out);

    if (deed == FAKE_IDLE)
        return;
    memcpy(to, bl_region_payload(in), out->bytes - (deed == FAKE_UNWRITTEN ? elem : 0));
    if (deed == FAKE_WRONG)
        to[5 * elem] ^= 0x10;
    if (deed == FAKE_GUARD)
        to[out->bytes + 3] ^= 1;
    if (deed == FAKE_GUARD_BEFORE)
        in->image[BL_GUARD_BYTES - 8] ^= 1;
    if (deed == FAKE_INPUT_CHANGED)
        bl_region_payload(in)[7] ^= 0x80;
}

static enum bl_status fake_run(struct bl_device *dev, const struct bl_job *job,
                               struct bl_counts *counts, struct bl_error *err)
{
    struct fake_device *fake = (struct fake_device *)dev;
    const struct banklab_arg *args = job->plan->launches[0].args;
    const enum fake_deed deed = (enum fake_deed)args[2].value.u;
    const uint64_t ways = args[3].value.u;
    const uint32_t elem = (uint32_t)args[4].value.u;
    const struct bl_region *in = bl_regions_find(job->regions, BANKLAB_INPUT);

    if (fake->runs < 16) {
        snprintf(fake->labels[fake->runs], sizeof fake->labels[0], "%s", job->label);
        memcpy(&fake->first_input[fake->runs], bl_region_payload(in), 8);
    }
    fake->runs++;
    if (deed == FAKE_FAULT)
        return bl_error_set(err, BL_E_FAULT, "out of bounds by the fake");
    if (deed == FAKE_BAD_PTX)
        return bl_error_set(err, BL_E_INPUT, "no such kernel, says the fake");
    if (deed == FAKE_UNSUPPORTED)
        return bl_error_set(err, BL_E_UNSUPPORTED, "not here, says the fake");
    act(deed, job->regions, elem);
    write_clock(job->regions);
    counts->shared_source = counts->global_source = BL_SRC_MODEL;
    counts->shared_load.requests = 10;
    counts->shared_load.wavefronts = 10 * ways;
    counts->shared_load.ideal = 10;
    counts->shared_load.conflicts = 10 * (ways - 1);
    counts->shared_load.ways = (uint32_t)ways;
    counts->has_cycles = true;
    counts->data_stage_cycles = 1000000 * ways;
    counts->blocks = 1;
    counts->launches = 1;
    counts->block_threads = 32;
    return BL_OK;
}

static void fake_close(struct bl_device *dev)
{
    (void)dev;
}

static const struct bl_device_ops fake_ops = {
    .backend = "fake",
    .clock_source = BL_SRC_GPU,
    .close = fake_close,
    .run = fake_run,
};

void fake_device_init(struct fake_device *fake)
{
    memset(fake, 0, sizeof *fake);
    fake->dev.ops = &fake_ops;
    snprintf(fake->dev.desc.backend, sizeof fake->dev.desc.backend, "fake");
    fake->dev.limits = (struct bl_device_limits){
        .cc = 90,
        .max_threads = 1024,
        .max_block = {1024, 1024, 64},
        .max_grid = {2147483647, 65535, 65535},
        .max_shared = 232448,
        .memory = 1 << 20,
    };
}

static int fake_plan(const struct banklab_problem *problem, const banklab_value *params,
                     struct banklab_plan *plan, struct banklab_error *error)
{
    struct banklab_launch *launch;

    if (problem->rows == 13)
        return banklab_unsupported(error, "13 rows bring bad luck");
    launch = banklab_launch_add(plan, "fake_%u", problem->elem);
    launch->block[0] = 64;
    launch->grid[0] = 2;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, (uint32_t)params[FAKE_DEED].i);
    banklab_arg_u32(launch, (uint32_t)params[FAKE_WAYS].i);
    banklab_arg_u32(launch, problem->elem);
    if (params[FAKE_CLOCKED].i)
        plan->clock = (struct banklab_clock){4, 2, 5};
    return BANKLAB_OK;
}

static const struct banklab_param fake_params[] = {
    {.name = "deed", .type = BANKLAB_PARAM_INT, .maximum = FAKE_UNSUPPORTED},
    {.name = "ways",
     .type = BANKLAB_PARAM_INT,
     .minimum = 1,
     .maximum = 32,
     .default_value = 1},
    {.name = "clocked", .type = BANKLAB_PARAM_INT, .maximum = 1},
};
static const struct banklab_setting fake_twin[] = {{"ways", "1"}};
static const char fake_ptx[] = ".version 7.0\n.target sm_75\n";
static const struct banklab_module fake_modules[] = {
    {.text = fake_ptx, .length = sizeof fake_ptx - 1}};

const struct bl_plugin fake_plugin = {
    .abi =
        {
            BANKLAB_PLUGIN_HEAD,
            .name = "fake",
            .kind = "copy",
            .min_cc = 70,
            .elems = BANKLAB_ELEM(1) | BANKLAB_ELEM(4) | BANKLAB_ELEM(16),
            BANKLAB_PARAMS(fake_params),
            BANKLAB_MODULES(fake_modules),
            BANKLAB_TWIN(fake_twin),
            .plan = fake_plan,
        },
    .path = (char *)"fake.so",
};

struct bl_case fake_case(const char *name, banklab_value *params, enum fake_deed deed,
                         int64_t ways)
{
    params[FAKE_DEED].i = (int64_t)deed;
    params[FAKE_WAYS].i = ways;
    params[FAKE_CLOCKED].i = 0;
    return (struct bl_case){
        .name = (char *)(uintptr_t)name,
        .plugin = &fake_plugin,
        .problem = {.struct_size = sizeof(struct banklab_problem),
                    .rows = 8,
                    .cols = 16,
                    .elem = 4},
        .params = params,
    };
}
