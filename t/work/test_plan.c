/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "fake_device.h"

static struct fake_device fake;

static struct banklab_plan good_plan(void)
{
    struct banklab_plan plan = {.struct_size = sizeof plan};
    struct banklab_launch *launch = banklab_launch_add(&plan, "k");

    launch->grid[0] = 10;
    launch->block[0] = 48;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, 7);
    return plan;
}

static void refused(const struct banklab_plan *plan, const char *says)
{
    struct bl_error err = {.status = BL_OK};

    assert_int_equal(bl_plan_check(&fake_plugin, plan, &fake.dev.limits, &err),
                     BL_E_INPUT);
    assert_contains(err.text, "fake.so: plan: ");
    assert_contains(err.text, says);
}

static void too_much(const struct banklab_plan *plan, const char *says)
{
    struct bl_error err = {.status = BL_OK};

    assert_int_equal(bl_plan_check(&fake_plugin, plan, &fake.dev.limits, &err),
                     BL_E_UNSUPPORTED);
    assert_contains(err.text, says);
}

static void accepted(const struct banklab_plan *plan)
{
    struct bl_error err = {.text = ""};
    const enum bl_status status =
        bl_plan_check(&fake_plugin, plan, &fake.dev.limits, &err);
    if (status)
        fail_msg("refused: %s", err.text);
}

/* What is said of the good plan after `change` to its launch 0 (`l`) or the plan (`p`).
 */
#define CHANGED(change, check, says)                                                     \
    do {                                                                                 \
        struct banklab_plan p = good_plan();                                             \
        struct banklab_launch *l = &p.launches[0];                                       \
        (void)l;                                                                         \
        change;                                                                          \
        check(&p, says);                                                                 \
    } while (0)
#define REFUSED(change, says)  CHANGED(change, refused, says)
#define TOO_MUCH(change, says) CHANGED(change, too_much, says)

static void accepts_a_good_plan(void **state)
{
    struct banklab_plan plan = good_plan();

    (void)state;
    accepted(&plan);
    plan.launches[0].block[0] = 1024;
    plan.launches[0].grid[0] = 2147483647;
    plan.launches[0].shared_bytes = 232448;
    accepted(&plan);
}

static void checks_counts_and_names(void **state)
{
    (void)state;
    REFUSED(p.launch_count = 0, "0 launches");
    REFUSED(p.launch_count = BANKLAB_MAX_LAUNCHES + 1, "17 launches");
    REFUSED(p.struct_size = 8, "struct_size");
    REFUSED(l->kernel[0] = '\0', "no name");
    REFUSED(memset(l->kernel, 'k', sizeof l->kernel), "does not end");
    REFUSED(l->arg_count = BANKLAB_MAX_ARGS + 1, "17 arguments");
    REFUSED(l->reserved[2] = 1, "reserved");
}

static void checks_grid_and_block(void **state)
{
    (void)state;
    REFUSED(l->grid[2] = 0, "launch 0 (k): grid.z is 0");
    REFUSED(l->block[1] = 0, "block.y is 0");
    TOO_MUCH(l->grid[1] = 65536, "grid.y = 65536 is over the device's 65535");
    TOO_MUCH(l->block[2] = 65, "block.z = 65");
    TOO_MUCH((l->block[0] = 64, l->block[1] = 32), "2048 threads a block");
    TOO_MUCH(l->shared_bytes = 232449, "232449 bytes of dynamic shared memory");
}

/* A plugin may have counted no blocks: the plan is refused, not the plugin killed. */
static void checks_a_batch_of_no_blocks(void **state)
{
    const struct banklab_problem problem = {
        .struct_size = sizeof problem, .rows = 1, .cols = 1, .elem = 4, .batch = 2};

    (void)state;
    REFUSED((l->grid[0] = 0, banklab_grid_batch(l, &problem, NULL)),
            "launch 0 (k_batch): grid.x is 0");
}

static void checks_arguments(void **state)
{
    (void)state;
    REFUSED(l->args[2].type = 9, "argument 2 has the unknown type 9");
    REFUSED(l->args[2].value.u = UINT64_C(1) << 32, "does not fit in 32 bits");
    REFUSED(l->args[1].value.u = 4, "names the buffer 4");
    REFUSED(l->args[1].value.u = BANKLAB_CLOCK, "names the buffer 3");
    REFUSED(l->args[1].value.u = BANKLAB_SCRATCH0, "names the buffer 16");
    REFUSED(l->args[1].value.u = BANKLAB_SCRATCH0 + 4, "names the buffer 20");
    REFUSED(l->args[1].reserved = 1, "reserved field of argument 1");
}

static struct banklab_plan tensor_plan(void)
{
    struct banklab_plan plan = good_plan();
    struct banklab_tensor *tensor =
        banklab_arg_tensor(&plan, &plan.launches[0], BANKLAB_OUTPUT, 4, 100, 7, 400);

    tensor->box[0] = 32;
    tensor->box[1] = 8;
    tensor->swizzle = 128;
    return plan;
}

#define REFUSED_TENSOR(change, says)                                                     \
    do {                                                                                 \
        struct banklab_plan p = tensor_plan();                                           \
        struct banklab_tensor *t = &p.tensors[0];                                        \
        (void)t;                                                                         \
        change;                                                                          \
        refused(&p, says);                                                               \
    } while (0)

static void checks_tensors(void **state)
{
    struct banklab_plan plan = tensor_plan();

    (void)state;
    accepted(&plan);
    REFUSED_TENSOR(p.launches[0].args[3].value.u = 1,
                   "argument 3 is the tensor 1, of which the plan has 1");
    REFUSED_TENSOR(p.tensor_count = BANKLAB_MAX_TENSORS + 1, "9 tensors, at most 8");
    REFUSED_TENSOR(p.reserved1 = 1, "reserved");
    REFUSED_TENSOR(t->role = BANKLAB_SCRATCH0, "does not have the buffer 16");
    REFUSED_TENSOR(t->elem = 16, "tensor 0: elements of 16 bytes");
    REFUSED_TENSOR(t->offset = 8, "offset 8 is no multiple of 16");
    REFUSED_TENSOR(t->dims[1] = 0, "dims[1] = 0");
    REFUSED_TENSOR(t->dims[0] = UINT64_C(0x100000001), "dims[0] = 4294967297");
    REFUSED_TENSOR(t->strides[0] = 404, "stride 404");
    REFUSED_TENSOR(t->strides[0] = UINT64_C(1) << 40, "stride 1099511627776");
    REFUSED_TENSOR(t->strides[0] = 384, "shorter than a row of 400 bytes");
    REFUSED_TENSOR(t->strides[1] = 2800, "no stride and box beyond");
    REFUSED_TENSOR(t->box[2] = 1, "no stride and box beyond");
    REFUSED_TENSOR(t->box[1] = 257, "box[1] = 257");
    REFUSED_TENSOR(t->box[0] = 0, "box[0] = 0");
    REFUSED_TENSOR((t->swizzle = 0, t->box[0] = 3), "a box 12 bytes wide");
    REFUSED_TENSOR(t->swizzle = 16, "swizzle 16");
    REFUSED_TENSOR(t->swizzle = 64, "a box 128 bytes wide with a swizzle of 64");
    REFUSED_TENSOR(t->reserved = 1, "reserved");
}

static void checks_batches_of_tensors(void **state)
{
    struct banklab_plan plan = tensor_plan();

    (void)state;
    banklab_tensor_batch(&plan.tensors[0], 5);
    assert_int_equal(plan.tensors[0].strides[1], 2800);
    accepted(&plan);
    plan.tensors[0].box[2] = 2;
    plan.tensors[0].strides[1] = 3200; /* a row between */
    accepted(&plan);
    REFUSED_TENSOR((banklab_tensor_batch(t, 5), t->box[2] = 0), "box[2] = 0");
    REFUSED_TENSOR(banklab_tensor_batch(t, UINT64_C(0x100000001)),
                   "dims[2] = 4294967297");
    REFUSED_TENSOR((banklab_tensor_batch(t, 5), t->strides[1] = 2808), "stride 2808");
    REFUSED_TENSOR((banklab_tensor_batch(t, 5), t->strides[1] = 2816),
                   "2816 bytes; it must be a multiple of the 400");
    REFUSED_TENSOR((banklab_tensor_batch(t, 5), t->strides[1] = 2400),
                   "and 7 of them at least");
}

static void tensors_need_a_device_and_room(void **state)
{
    struct bl_regions regions = {.at = {{.role = BANKLAB_OUTPUT, .name = "output"}},
                                 .count = 1};
    struct banklab_plan plan = tensor_plan();
    struct bl_device_limits old = fake.dev.limits;
    struct bl_error err;

    (void)state;
    old.cc = 89;
    assert_int_equal(bl_plan_check(&fake_plugin, &plan, &old, &err), BL_E_UNSUPPORTED);
    assert_contains(err.text, "need compute capability 9.0, this has 8.9");
    regions.at[0].bytes = 2800;
    assert_int_equal(bl_plan_tensors_fit(&fake_plugin, &plan, &regions, &err), BL_OK);
    regions.at[0].bytes = 2799;
    assert_int_equal(bl_plan_tensors_fit(&fake_plugin, &plan, &regions, &err),
                     BL_E_INPUT);
    assert_contains(err.text, "do not fit in the buffer output of 2799 bytes");
    banklab_tensor_batch(&plan.tensors[0], 3);
    regions.at[0].bytes = 3 * 2800;
    assert_int_equal(bl_plan_tensors_fit(&fake_plugin, &plan, &regions, &err), BL_OK);
    regions.at[0].bytes = 3 * 2800 - 1;
    assert_int_equal(bl_plan_tensors_fit(&fake_plugin, &plan, &regions, &err),
                     BL_E_INPUT);
    plan.tensors[0].dims[1] = plan.tensors[0].strides[0] = UINT64_C(1) << 39;
    assert_int_equal(bl_plan_tensors_fit(&fake_plugin, &plan, &regions, &err),
                     BL_E_INPUT);
    /* To an older lab it says that there is none. */
    plan.struct_size = offsetof(struct banklab_plan, tensor_count);
    assert_null(banklab_arg_tensor(&plan, &plan.launches[0], BANKLAB_INPUT, 4, 1, 1, 16));
}

static void knows_the_buffers_of_the_plan(void **state)
{
    struct banklab_plan plan = good_plan();

    (void)state;
    plan.scratch_bytes[3] = 1;
    plan.launches[0].args[0].value.u = BANKLAB_SCRATCH0 + 3;
    accepted(&plan);
    plan.clock = (struct banklab_clock){20, 2, 1}; /* 10 blocks of 48 threads */
    plan.launches[0].args[1].value.u = BANKLAB_CLOCK;
    accepted(&plan);
}

static void checks_the_clock(void **state)
{
    (void)state;
    REFUSED((p.clock = (struct banklab_clock){20, 0, 1}), "at least 1");
    REFUSED((p.clock = (struct banklab_clock){20, 2, 0}), "at least 1");
    REFUSED((p.clock = (struct banklab_clock){10, 1, 1}), "no launch has 10 warps");
    REFUSED((p.clock = (struct banklab_clock){18, 2, 1}), "no launch has 18 warps");
}

/* ---- modules ---------------------------------------------------------------- */

static enum bl_status choose(const struct banklab_module *modules, uint32_t count,
                             uint32_t cc, ptrdiff_t *at, struct bl_error *err)
{
    struct bl_plugin plugin = fake_plugin;
    const struct banklab_module *module;
    enum bl_status status;

    plugin.abi.modules = modules;
    plugin.abi.module_count = count;
    status =
        bl_job_module(&plugin, NULL, &(struct bl_device_limits){.cc = cc}, &module, err);
    if (!status)
        *at = module - modules;
    return status;
}

#define MODULE(ptx, number)                                                              \
    {                                                                                    \
        .text = (ptx), .length = sizeof(ptx) - 1, .cc = (number)                         \
    }

/* A device that runs any target takes the nearest: the newest that is not too new, else
 * the oldest; but not what is for one GPU alone. */
static void takes_any_target(void **state)
{
    static const struct banklab_module modules[] = {
        MODULE(".target sm_90a\n", 0),
        MODULE(".target sm_90\n", 0),
        MODULE(".target sm_75\n", 0),
        MODULE(".target sm_80\n", 0),
    };
    static const ptrdiff_t wanted[][2] = {{10, 2}, {75, 2}, {86, 3}, {90, 1}, {100, 1}};
    struct bl_plugin plugin = fake_plugin;
    const struct banklab_module *module;
    struct bl_error err;

    (void)state;
    plugin.abi.modules = modules;
    plugin.abi.module_count = 4;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct bl_device_limits limits = {.cc = (uint32_t)wanted[i][0],
                                                .any_target = true};
        assert_int_equal(bl_job_module(&plugin, NULL, &limits, &module, &err), BL_OK);
        if (limits.cc != 90) /* where sm_90a runs too, and is as new */
            assert_ptr_equal(module, &modules[wanted[i][1]]);
    }
    plugin.abi.module_count = 1;
    assert_int_equal(
        bl_job_module(&plugin, NULL,
                      &(struct bl_device_limits){.cc = 80, .any_target = true}, &module,
                      &err),
        BL_E_UNSUPPORTED);
}

static void takes_the_newest_that_runs(void **state)
{
    static const struct banklab_module modules[] = {
        MODULE(".version 8.0\n.target sm_75\n", 0),
        MODULE("", 90),
        MODULE("// .target sm_20\n  .target\tsm_80, debug\n", 0),
    };
    struct bl_error err;
    ptrdiff_t at = -1;

    (void)state;
    assert_int_equal(choose(modules, 3, 75, &at, NULL), BL_OK);
    assert_int_equal(at, 0);
    assert_int_equal(choose(modules, 3, 89, &at, NULL), BL_OK);
    assert_int_equal(at, 2);
    assert_int_equal(choose(modules, 3, 120, &at, NULL), BL_OK);
    assert_int_equal(at, 1);
    assert_int_equal(choose(modules, 3, 70, &at, &err), BL_E_UNSUPPORTED);
    assert_string_equal(err.text, "the device code is for compute capability 7.5 or "
                                  "later, the device has 7.0");
}

static void special_targets_run_at_home_only(void **state)
{
    static const struct banklab_module modules[] = {
        MODULE(".target sm_75\n", 0),
        MODULE(".target sm_90a\n", 0),
        MODULE(".target sm_100f\n", 0),
    };
    ptrdiff_t at = -1;

    (void)state;
    assert_int_equal(choose(modules, 3, 90, &at, NULL), BL_OK);
    assert_int_equal(at, 1);
    assert_int_equal(choose(modules, 3, 95, &at, NULL), BL_OK);
    assert_int_equal(at, 0);
    assert_int_equal(choose(modules, 3, 103, &at, NULL), BL_OK);
    assert_int_equal(at, 2);
    assert_int_equal(choose(modules, 3, 120, &at, NULL), BL_OK);
    assert_int_equal(at, 0);
}

static void a_module_without_target_is_bad(void **state)
{
    static const char *const bad[] = {"", ".target", ".target \n", ".target sm_\n",
                                      "garbage\n.target sm"};
    struct bl_error err;
    ptrdiff_t at = -1;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct banklab_module module = {.text = bad[i], .length = strlen(bad[i])};
        assert_int_equal(choose(&module, 1, 90, &at, &err), BL_E_INPUT);
        assert_contains(err.text, "fake.so: module 0 has no line '.target sm_NN'");
    }
}

/* ---- choosing a device ------------------------------------------------------- */

static void an_unknown_device_is_told(void **state)
{
    static const struct {
        const char *name, *says;
    } bad[] = {
        {"modell", "no device 'modell' (did you mean 'model'?)"},
        {"fpga", "no device 'fpga'; this program knows auto, "},
        {"", "no device ''"},
        {":1", "no device ':1'"},
    };
    struct bl_device *dev = NULL;
    struct bl_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct bl_run_options run = {.device = (char *)(uintptr_t)bad[i].name};
        assert_int_equal(bl_device_open(NULL, &run, &dev, &err), BL_E_INPUT);
        assert_contains(err.text, bad[i].says);
        assert_contains(err.text, "model");
    }
    assert_null(dev);
    bl_device_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_good_plan),
        cmocka_unit_test(checks_counts_and_names),
        cmocka_unit_test(checks_grid_and_block),
        cmocka_unit_test(checks_a_batch_of_no_blocks),
        cmocka_unit_test(checks_arguments),
        cmocka_unit_test(checks_tensors),
        cmocka_unit_test(checks_batches_of_tensors),
        cmocka_unit_test(tensors_need_a_device_and_room),
        cmocka_unit_test(knows_the_buffers_of_the_plan),
        cmocka_unit_test(checks_the_clock),
        cmocka_unit_test(takes_any_target),
        cmocka_unit_test(takes_the_newest_that_runs),
        cmocka_unit_test(special_targets_run_at_home_only),
        cmocka_unit_test(a_module_without_target_is_bad),
        cmocka_unit_test(an_unknown_device_is_told),
    };
    fake_device_init(&fake);
    return RUN_TAP(tests);
}
