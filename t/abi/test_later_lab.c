/* SPDX-License-Identifier: Apache-2.0
 *
 * A lab of a later minor, whose structs have grown, and plugins of ABI 1.0 and its own:
 * this program and all of core/load that knows the structs are compiled with that header.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/plugin_calls.h"
#include "load/registry.h"

static struct bl_plugin *open_fixture(const char *name)
{
    struct bl_plugin *plugin = NULL;
    struct bl_error err;
    char path[4096];

    snprintf(path, sizeof path, "%s/t/abi/%s.so", getenv("top_builddir"), name);
    if (bl_plugin_open(path, "test", &plugin, &err) != BL_OK)
        fail_msg("%s", err.text);
    return plugin;
}

/* What both say alike, from a struct, tables and a plan in this lab's layout. */
static void check_known(const struct bl_plugin *plugin, struct banklab_plan *plan)
{
    const struct banklab_problem problem = {
        .struct_size = sizeof problem, .rows = 1000, .cols = 3, .elem = 4};
    const banklab_value values[] = {{4}, {0}};
    const struct banklab_plugin *abi = &plugin->abi;
    struct banklab_error error = {""};

    assert_int_equal(abi->struct_size, sizeof *abi);
    assert_int_equal(abi->param_count, 2);
    assert_string_equal(abi->params[0].name, "warps");
    assert_string_equal(abi->params[1].choices[1], "two");
    assert_int_equal(abi->params[1].default_value, 1);
    assert_int_equal(abi->module_count, 1);
    assert_int_equal(abi->modules[0].cc, 70);
    assert_int_equal(abi->twin_count, 2);
    assert_string_equal(abi->twin[1].name, "unit");
    assert_string_equal(abi->twin[1].value, "one");

    *plan = (struct banklab_plan){.struct_size = sizeof *plan};
    assert_int_equal(bl_plugin_plan(plugin, &problem, values, plan, &error), BANKLAB_OK);
    assert_int_equal(plan->launch_count, 1);
    assert_string_equal(plan->launches[0].kernel, "copy_words");
    assert_int_equal(plan->launches[0].grid[0], 24);
    assert_int_equal(plan->launches[0].arg_count, 3);
    assert_int_equal(plan->launches[0].args[2].value.u, 3000);
}

static void check_added(const struct bl_plugin *plugin, const struct banklab_plan *plan,
                        uint64_t in_tables, uint64_t in_plan)
{
    assert_int_equal(plugin->abi.added, in_tables);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(plugin->abi.params[i].added, in_tables);
        assert_int_equal(plugin->abi.twin[i].added, in_tables);
    }
    assert_int_equal(plugin->abi.modules[0].added, in_tables);
    assert_int_equal(plan->added, in_plan);
}

static void test_first(void **state)
{
    struct bl_plugin *plugin = open_fixture("first");
    struct banklab_plan plan;

    (void)state;
    assert_int_equal(plugin->abi.abi_minor, 0);
    check_known(plugin, &plan);
    check_added(plugin, &plan, 0, 0); /* it can't say it: absent */
    bl_plugin_close(plugin);
}

static void test_later(void **state)
{
    struct bl_plugin *plugin = open_fixture("later");
    struct banklab_plan plan;

    (void)state;
    assert_int_equal(plugin->abi.abi_minor, BANKLAB_ABI_MINOR);
    check_known(plugin, &plan);
    check_added(plugin, &plan, 7, 1);
    bl_plugin_close(plugin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_later),
    };

    _Static_assert(BANKLAB_ABI_MINOR == 900, "compiled with a later minor's header");
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("later lab", tests, NULL, NULL);
}
