/* SPDX-License-Identifier: Apache-2.0
 *
 * Where every member of the plugin interface's structs lies, and its numbers: what
 * plugins that are built already rely on. Compiled twice, with the header as it is and
 * with that of ABI 1.0.
 *
 * A minor version adds members at the end of a struct that carries its size (GROWS
 * below), with rows of their own here. A row that must change says that it is a new
 * major.
 */
#include "banklab/plugin.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#if defined(__x86_64__) && defined(__LP64__)

#define SIZE(type, bytes)                                                                \
    {                                                                                    \
#type, NULL, 0, 0, bytes, sizeof(struct type)                                    \
    }
#define MEMBER(type, member, offset, bytes)                                              \
    {                                                                                    \
#type, #member, offset, offsetof(struct type, member), bytes,                    \
            sizeof(((struct type *)NULL)->member)                                        \
    }

static const struct row {
    const char *type, *member; /* no member: the whole struct */
    size_t offset, offset_here, size, size_here;
} rows[] = {
    SIZE(banklab_error, 256),
    MEMBER(banklab_error, text, 0, 256),
    SIZE(banklab_problem, 32),
    MEMBER(banklab_problem, struct_size, 0, 8),
    MEMBER(banklab_problem, rows, 8, 8),
    MEMBER(banklab_problem, cols, 16, 8),
    MEMBER(banklab_problem, elem, 24, 4),
    MEMBER(banklab_problem, reserved, 28, 4),
    SIZE(banklab_value, 8),
    MEMBER(banklab_value, i, 0, 8),
    SIZE(banklab_param, 64),
    MEMBER(banklab_param, name, 0, 8),
    MEMBER(banklab_param, help, 8, 8),
    MEMBER(banklab_param, unit, 16, 8),
    MEMBER(banklab_param, choices, 24, 8),
    MEMBER(banklab_param, minimum, 32, 8),
    MEMBER(banklab_param, maximum, 40, 8),
    MEMBER(banklab_param, default_value, 48, 8),
    MEMBER(banklab_param, type, 56, 4),
    MEMBER(banklab_param, reserved, 60, 4),
    SIZE(banklab_setting, 16),
    MEMBER(banklab_setting, name, 0, 8),
    MEMBER(banklab_setting, value, 8, 8),
    SIZE(banklab_module, 24),
    MEMBER(banklab_module, text, 0, 8),
    MEMBER(banklab_module, length, 8, 8),
    MEMBER(banklab_module, cc, 16, 4),
    MEMBER(banklab_module, reserved, 20, 4),
    SIZE(banklab_arg, 16),
    MEMBER(banklab_arg, type, 0, 4),
    MEMBER(banklab_arg, reserved, 4, 4),
    MEMBER(banklab_arg, value, 8, 8),
    SIZE(banklab_launch, 448),
    MEMBER(banklab_launch, kernel, 0, 128),
    MEMBER(banklab_launch, grid, 128, 12),
    MEMBER(banklab_launch, block, 140, 12),
    MEMBER(banklab_launch, shared_bytes, 152, 4),
    MEMBER(banklab_launch, arg_count, 156, 4),
    MEMBER(banklab_launch, args, 160, 256),
    MEMBER(banklab_launch, reserved, 416, 32),
    SIZE(banklab_clock, 16),
    MEMBER(banklab_clock, warps, 0, 8),
    MEMBER(banklab_clock, warps_per_block, 8, 4),
    MEMBER(banklab_clock, accesses_per_warp, 12, 4),
    SIZE(banklab_plan, 7232),
    MEMBER(banklab_plan, struct_size, 0, 8),
    MEMBER(banklab_plan, launch_count, 8, 4),
    MEMBER(banklab_plan, reserved, 12, 4),
    MEMBER(banklab_plan, scratch_bytes, 16, 32),
    MEMBER(banklab_plan, clock, 48, 16),
    MEMBER(banklab_plan, launches, 64, 7168),
    SIZE(banklab_plugin, 120),
    MEMBER(banklab_plugin, magic, 0, 8),
    MEMBER(banklab_plugin, abi_major, 8, 4),
    MEMBER(banklab_plugin, abi_minor, 12, 4),
    MEMBER(banklab_plugin, struct_size, 16, 8),
    MEMBER(banklab_plugin, name, 24, 8),
    MEMBER(banklab_plugin, kind, 32, 8),
    MEMBER(banklab_plugin, summary, 40, 8),
    MEMBER(banklab_plugin, min_cc, 48, 4),
    MEMBER(banklab_plugin, elems, 52, 4),
    MEMBER(banklab_plugin, params, 56, 8),
    MEMBER(banklab_plugin, param_count, 64, 4),
    MEMBER(banklab_plugin, param_size, 68, 4),
    MEMBER(banklab_plugin, modules, 72, 8),
    MEMBER(banklab_plugin, module_count, 80, 4),
    MEMBER(banklab_plugin, module_size, 84, 4),
    MEMBER(banklab_plugin, twin, 88, 8),
    MEMBER(banklab_plugin, twin_count, 96, 4),
    MEMBER(banklab_plugin, twin_size, 100, 4),
    MEMBER(banklab_plugin, plan, 104, 8),
    MEMBER(banklab_plugin, reference, 112, 8),
#if BANKLAB_ABI_MINOR >= 1
    MEMBER(banklab_problem, batch, 32, 8),
    MEMBER(banklab_plugin, flags, 120, 8),
    MEMBER(banklab_plan, tensor_count, 7232, 4),
    MEMBER(banklab_plan, reserved1, 7236, 4),
    MEMBER(banklab_plan, tensors, 7240, 640),
    SIZE(banklab_tensor, 80),
    MEMBER(banklab_tensor, role, 0, 4),
    MEMBER(banklab_tensor, elem, 4, 4),
    MEMBER(banklab_tensor, offset, 8, 8),
    MEMBER(banklab_tensor, dims, 16, 24),
    MEMBER(banklab_tensor, strides, 40, 16),
    MEMBER(banklab_tensor, box, 56, 12),
    MEMBER(banklab_tensor, swizzle, 68, 4),
    MEMBER(banklab_tensor, reserved, 72, 8),
#endif
};

/* Those that carry their size, or whose size stands beside them. */
static const char *const grows[] = {"banklab_problem", "banklab_param", "banklab_setting",
                                    "banklab_module",  "banklab_plan",  "banklab_plugin"};

static int may_grow(const char *type)
{
    for (size_t i = 0; i < sizeof grows / sizeof *grows; i++)
        if (strcmp(type, grows[i]) == 0)
            return BANKLAB_ABI_MINOR > 0;
    return 0;
}

static void test_structs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const char *dot = row->member ? "." : "",
                   *member = row->member ? row->member : "";

        if (row->offset_here != row->offset)
            fail_msg("%s%s%s is at %zu, not at %zu: a new major version", row->type, dot,
                     member, row->offset_here, row->offset);
        if (row->size_here == row->size ||
            (!row->member && row->size_here > row->size && may_grow(row->type)))
            continue;
        fail_msg("%s%s%s has %zu bytes, not %zu: %s", row->type, dot, member,
                 row->size_here, row->size,
                 row->member ? "a new major version" : "a new minor or major version");
    }
}

static void test_numbers(void **state)
{
    (void)state;
    assert_int_equal(BANKLAB_ABI_MAJOR, 1);
    assert_true(BANKLAB_PLUGIN_MAGIC == UINT64_C(0x3142414c4b4e4142));
    assert_int_equal(BANKLAB_OK, 0);
    assert_int_equal(BANKLAB_UNSUPPORTED, 1);
    assert_int_equal(BANKLAB_FAILED, -1);
    assert_int_equal(BANKLAB_PARAM_INT, 1);
    assert_int_equal(BANKLAB_PARAM_CHOICE, 2);
    assert_int_equal(BANKLAB_MAX_LAUNCHES, 16);
    assert_int_equal(BANKLAB_MAX_ARGS, 16);
    assert_int_equal(BANKLAB_MAX_SCRATCH, 4);
    assert_int_equal(BANKLAB_MAX_NAME, 128);
    assert_int_equal(BANKLAB_INPUT, 1);
    assert_int_equal(BANKLAB_OUTPUT, 2);
    assert_int_equal(BANKLAB_CLOCK, 3);
    assert_int_equal(BANKLAB_SCRATCH0, 16);
    assert_int_equal(BANKLAB_ARG_BUFFER, 1);
    assert_int_equal(BANKLAB_ARG_U32, 2);
    assert_int_equal(BANKLAB_ARG_U64, 3);
    assert_int_equal(BANKLAB_ARG_F32, 4);
    assert_int_equal(BANKLAB_ARG_F64, 5);
    assert_int_equal(BANKLAB_ELEM(16), 1 << 16);
#if BANKLAB_ABI_MINOR >= 1
    assert_int_equal(BANKLAB_MAX_TENSORS, 8);
    assert_int_equal(BANKLAB_ARG_TENSOR_MAP, 6);
    assert_int_equal(BANKLAB_BATCHES, 1);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_numbers),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}

#else

int main(void)
{
    puts("1..0 # SKIP the numbers are those of x86-64 with 64-bit pointers");
    return 0;
}

#endif
