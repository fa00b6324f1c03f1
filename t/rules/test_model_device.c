/* SPDX-License-Identifier: Apache-2.0
 *
 * The model GPU as a device: opening, limits, arguments, counts, faults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/model_device.h"
#include "rows.h"

static const char ptx[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    /* out[i] = in[i], 32-bit elements, through shared memory, 32 threads a block; the
       shared addresses are `stride` bytes apart. */
    ".visible .entry copy(.param .u64 pin, .param .u64 pout, .param .u32 pstride)\n"
    "{\n"
    "  .reg .b32 %r<9>;\n"
    "  .reg .b64 %d<6>;\n"
    "  .shared .align 16 .b8 tile[4096];\n"
    "  ld.param.u64 %d1, [pin];\n"
    "  ld.param.u64 %d2, [pout];\n"
    "  ld.param.u32 %r8, [pstride];\n"
    "  mov.u32 %r1, %ctaid.x;\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  mad.lo.s32 %r3, %r1, 32, %r2;\n"
    "  mul.wide.u32 %d3, %r3, 4;\n"
    "  add.s64 %d4, %d1, %d3;\n"
    "  add.s64 %d5, %d2, %d3;\n"
    "  ld.global.u32 %r4, [%d4];\n"
    "  mov.u32 %r5, tile;\n"
    "  mad.lo.s32 %r6, %r2, %r8, %r5;\n"
    "  st.shared.u32 [%r6], %r4;\n"
    "  bar.sync 0;\n"
    "  ld.shared.u32 %r7, [%r6];\n"
    "  st.global.u32 [%d5], %r7;\n"
    "  ret;\n"
    "}\n"
    /* Stores its arguments to out. */
    ".visible .entry tell(.param .u64 pout, .param .u32 a, .param .u64 b, .param .f32 "
    "c,\n"
    "    .param .f64 d)\n"
    "{\n"
    "  .reg .b32 %r<2>;\n"
    "  .reg .b64 %d<3>;\n"
    "  .reg .f32 %f<2>;\n"
    "  .reg .f64 %e<2>;\n"
    "  ld.param.u64 %d1, [pout];\n"
    "  ld.param.u32 %r1, [a];\n"
    "  ld.param.u64 %d2, [b];\n"
    "  ld.param.f32 %f1, [c];\n"
    "  ld.param.f64 %e1, [d];\n"
    "  st.global.u64 [%d1], %d2;\n"
    "  st.global.f64 [%d1+8], %e1;\n"
    "  st.global.u32 [%d1+16], %r1;\n"
    "  st.global.f32 [%d1+20], %f1;\n"
    "  ret;\n"
    "}\n";

enum { ELEMENTS = 128, BYTES = 4 * ELEMENTS };

struct bench {
    struct bl_paths paths;
    struct bl_run_options run;
    struct bl_device *dev;
    struct banklab_module module;
    struct banklab_plan plan;
    struct bl_regions regions;
    struct bl_job job;
};

static int open_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct bl_error err;
    if (!b)
        return 1;
    source_paths(&b->paths);
    b->run = (struct bl_run_options){.device = strdup("model"),
                                     .arch = strdup("cc90"),
                                     .rates = strdup("h200"),
                                     .steps = 100000};
    b->module = (struct banklab_module){.text = ptx, .length = sizeof ptx - 1, .cc = 70};
    b->plan.struct_size = sizeof b->plan;
    b->job = (struct bl_job){.label = "a case",
                             .plugin_path = "/some/where/hand.so",
                             .module = &b->module,
                             .plan = &b->plan,
                             .regions = &b->regions,
                             .options = &b->run};
    *state = b;
    if (bl_regions_new(&b->plan, BYTES, 1 << 20, NULL, &b->regions, &err) != BL_OK)
        return 1;
    bl_regions_fill(&b->regions, 1);
    if (bl_device_model.open(&b->paths, &b->run, &b->dev, &err) != BL_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    bl_device_model.close(b->dev);
    bl_regions_free(&b->regions, NULL);
    bl_paths_free(&b->paths);
    free(b->run.device);
    free(b->run.arch);
    free(b->run.rates);
    free(b);
    return 0;
}

static uint8_t *payload(struct bench *b, uint32_t role)
{
    return bl_region_payload(bl_regions_find(&b->regions, role));
}

static struct banklab_launch *add_copy(struct bench *b, uint32_t blocks, uint32_t stride)
{
    struct banklab_launch *launch = banklab_launch_add(&b->plan, "copy");
    launch->grid[0] = blocks;
    launch->block[0] = 32;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, stride);
    return launch;
}

static void run_well(struct bench *b, struct bl_counts *counts)
{
    struct bl_error err;
    memset(counts, 0xa5, sizeof *counts); /* all of it is set */
    if (bl_device_model.run(b->dev, &b->job, counts, &err) != BL_OK)
        fail_msg("%s", err.text);
    b->plan.launch_count = 0;
}

static void test_desc(void **state)
{
    struct bench *b = *state;
    assert_ptr_equal(b->dev->ops, &bl_device_model);
    assert_string_equal(b->dev->desc.backend, "model");
    assert_string_equal(b->dev->desc.name, "model of cc 9.0");
    assert_string_equal(b->dev->desc.arch, "cc90");
    assert_string_equal(b->dev->desc.rates, "h200");
    assert_string_equal(b->dev->desc.driver, "");
    assert_non_null(b->dev->rates);
    assert_int_equal(b->dev->limits.cc, 90);
    assert_int_equal(b->dev->limits.max_shared, 232448);
    assert_int_equal(b->dev->limits.max_threads, 1024);
    assert_int_equal(b->dev->limits.max_block[2], 64);
    assert_true(b->dev->limits.memory > 1 << 24);
}

static void test_copy(void **state)
{
    struct bench *b = *state;
    struct bl_counts counts;
    add_copy(b, 4, 4);
    run_well(b, &counts);
    assert_memory_equal(payload(b, BANKLAB_INPUT), payload(b, BANKLAB_OUTPUT), BYTES);
    assert_int_equal(counts.shared_source, BL_SRC_MODEL);
    assert_int_equal(counts.global_source, BL_SRC_MODEL);
    assert_true(counts.has_cycles);
    assert_int_equal(counts.shared_load.requests, 4);
    assert_int_equal(counts.shared_load.wavefronts, 4);
    assert_int_equal(counts.shared_load.ways, 1);
    assert_int_equal(counts.shared_store.wavefronts, 4);
    assert_int_equal(counts.global_load.sectors, 16);
    assert_int_equal(counts.global_store.ideal, 16);
    assert_int_equal(counts.data_stage_cycles, 8);
    assert_int_equal(counts.blocks, 4);
    assert_true(counts.instructions >= 4 * 15);
}

/* A second job on the same device, and two launches whose counts sum up. */
static void test_launches(void **state)
{
    struct bench *b = *state;
    struct bl_counts counts;
    add_copy(b, 4, 128);
    add_copy(b, 2, 8);
    run_well(b, &counts);
    assert_int_equal(counts.shared_load.requests, 6);
    assert_int_equal(counts.shared_load.wavefronts, 4 * 32 + 2 * 2);
    assert_int_equal(counts.shared_load.conflicts, 4 * 31 + 2);
    assert_int_equal(counts.shared_load.ways, 32);
    assert_int_equal(counts.data_stage_cycles, 2 * (4 * 32 + 2 * 2));
    assert_int_equal(counts.blocks, 6);
}

static void test_arguments(void **state)
{
    struct bench *b = *state;
    struct banklab_launch *launch = banklab_launch_add(&b->plan, "tell");
    struct bl_counts counts;
    uint64_t wide;
    double real;
    uint32_t narrow;
    float single;
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, 0xfedcba98);
    banklab_arg_u64(launch, UINT64_C(0x0123456789abcdef));
    banklab_arg_add(launch, BANKLAB_ARG_F32, 0);
    launch->args[3].value.f = 0.1;
    banklab_arg_add(launch, BANKLAB_ARG_F64, 0);
    launch->args[4].value.f = 0.1;
    run_well(b, &counts);
    const uint8_t *out = payload(b, BANKLAB_OUTPUT);
    memcpy(&wide, out, 8);
    memcpy(&real, out + 8, 8);
    memcpy(&narrow, out + 16, 4);
    memcpy(&single, out + 20, 4);
    assert_int_equal(wide, UINT64_C(0x0123456789abcdef));
    assert_true(real == 0.1);
    assert_int_equal(narrow, 0xfedcba98);
    assert_true(single == 0.1f);
}

static void expect_failure(struct bench *b, enum bl_status want, const char *part)
{
    struct bl_counts counts = {.blocks = 77};
    struct bl_error err;
    assert_int_equal(bl_device_model.run(b->dev, &b->job, &counts, &err), want);
    if (!strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
    assert_int_equal(counts.blocks, 77); /* an output, set on success alone */
    b->plan.launch_count = 0;
}

/* After each the device is as good as before. */
static void test_failures(void **state)
{
    static const char vast[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".global .b8 vast[1099511627776];\n"
                               ".visible .entry copy() { ret; }\n";
    struct bench *b = *state;
    struct bl_counts counts;
    add_copy(b, 5, 4); /* one block too many */
    expect_failure(b, BL_E_FAULT, "hand.ptx:");
    add_copy(b, 4, 4)->kernel[0] = 'k';
    expect_failure(b, BL_E_INPUT, "kopy");
    add_copy(b, 4, 4)->arg_count = 2;
    expect_failure(b, BL_E_INPUT, "copy");
    b->module = (struct banklab_module){.text = "nonsense", .length = 8, .cc = 70};
    add_copy(b, 4, 4);
    expect_failure(b, BL_E_INPUT, "hand.ptx:1");
    /* Once it was tried, and took the machine's memory. */
    b->module = (struct banklab_module){.text = vast, .length = sizeof vast - 1};
    add_copy(b, 4, 4);
    expect_failure(b, BL_E_INPUT,
                   "hand.ptx: needs 1099511627776 bytes of memory for its .global");
    b->module = (struct banklab_module){.text = ptx, .length = sizeof ptx - 1, .cc = 70};
    add_copy(b, 4, 4);
    run_well(b, &counts);
    assert_int_equal(counts.blocks, 4);
}

static void test_open(void **state)
{
    struct bench *b = *state;
    char other[16] = "cc80", wrong[16] = "cc81", none[16] = "", number[16] = "model:1",
         any[16] = "auto";
    struct bl_run_options run = b->run;
    struct bl_device *dev = NULL;
    struct bl_error err;
    /* Rates of another GPU are none. */
    run.arch = other;
    run.device = any;
    assert_int_equal(bl_device_model.open(&b->paths, &run, &dev, &err), BL_OK);
    assert_int_equal(dev->limits.cc, 80);
    assert_null(dev->rates);
    assert_string_equal(dev->desc.rates, "");
    bl_device_model.close(dev);
    run.arch = b->run.arch;
    run.rates = none;
    assert_int_equal(bl_device_model.open(&b->paths, &run, &dev, &err), BL_OK);
    assert_null(dev->rates);
    bl_device_model.close(dev);
    run.rates = wrong;
    assert_int_equal(bl_device_model.open(&b->paths, &run, &dev, &err), BL_E_INPUT);
    run.rates = none;
    run.arch = wrong;
    assert_int_equal(bl_device_model.open(&b->paths, &run, &dev, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "cc81"));
    run.arch = other;
    run.device = number;
    assert_int_equal(bl_device_model.open(&b->paths, &run, &dev, &err), BL_E_INPUT);
}

static void hear_line(void *ctx, const struct bl_device_desc *desc, const char *details)
{
    int *seen = ctx;
    assert_string_equal(desc->backend, "model");
    if (strcmp(desc->arch, "cc90") == 0) {
        assert_string_equal(desc->name, "model of cc 9.0");
        assert_non_null(strstr(details, "measured on"));
        *seen += 100;
    }
    ++*seen;
}

static void test_list(void **state)
{
    struct bench *b = *state;
    struct bl_error err;
    int seen = 0;
    assert_int_equal(bl_device_model.list(&b->paths, hear_line, &seen, &err), BL_OK);
    assert_true(seen >= 106);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_desc),     cmocka_unit_test(test_copy),
        cmocka_unit_test(test_launches), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_open),
        cmocka_unit_test(test_list),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
