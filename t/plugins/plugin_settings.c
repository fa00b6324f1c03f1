/* SPDX-License-Identifier: Apache-2.0
 *
 * plugin_settings - lists every plugin that a program at a given path finds, with a
 * sample of settings for each of its parameters, for contract-*.t:
 *
 *     plugin NAME KIND ELEM,ELEM,...
 *     set PARAMETER VALUE
 *
 * All values of a choice and of a short range; of a long range both ends, the default,
 * the powers of two, and a few that are none.
 */
#include <inttypes.h>
#include <stdio.h>

#include "load/param.h"
#include "load/registry.h"

enum { SHORT_RANGE = 9 };

static void print_set(const struct banklab_param *param, int64_t value)
{
    char text[128];

    bl_param_print(param, (banklab_value){value}, text, sizeof text);
    printf("set %s %s\n", param->name, text);
}

/* Whether a value of a long range is in the sample. */
static int is_sample(const struct banklab_param *param, int64_t value)
{
    const int is_power = value > 0 && (value & (value - 1)) == 0;

    return value == param->minimum || value == param->maximum ||
           value == param->default_value || is_power || value == 3 || value == 31 ||
           value == 33;
}

static void print_param(const struct banklab_param *param)
{
    const int64_t range = param->maximum - param->minimum;

    if (param->choices) {
        for (int64_t i = 0; param->choices[i]; i++)
            printf("set %s %s\n", param->name, param->choices[i]);
        return;
    }
    for (int64_t value = param->minimum; value <= param->maximum; value++)
        if (range < SHORT_RANGE || is_sample(param, value))
            print_set(param, value);
}

static void print_plugin(const struct bl_plugin *plugin)
{
    const char *comma = "";

    printf("plugin %s %s ", plugin->abi.name, plugin->abi.kind);
    for (uint32_t elem = 1; elem <= 16; elem *= 2)
        if (plugin->abi.elems == 0 || (plugin->abi.elems & BANKLAB_ELEM(elem))) {
            printf("%s%" PRIu32, comma, elem);
            comma = ",";
        }
    printf("\n");
    for (uint32_t i = 0; i < plugin->abi.param_count; i++)
        print_param(&plugin->abi.params[i]);
}

static void warn(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "%s\n", text);
}

/* plugin_settings BANKLAB */
int main(int argc, char **argv)
{
    struct bl_error err = {0};
    struct bl_paths paths = {0};
    struct bl_registry *registry = NULL;

    if (argc != 2) {
        fprintf(stderr, "plugin_settings: the path of banklab is needed\n");
        return 2;
    }
    if (bl_paths_find_from(argv[1], NULL, NULL, 0, &paths, &err) ||
        bl_registry_new(&paths, warn, NULL, &registry, &err) ||
        bl_registry_scan(registry, &err)) {
        fprintf(stderr, "plugin_settings: %s\n", err.text);
        bl_registry_free(registry);
        bl_paths_free(&paths);
        return 2;
    }
    for (size_t i = 0; i < bl_registry_count(registry); i++)
        print_plugin(bl_registry_at(registry, i));
    bl_registry_free(registry);
    bl_paths_free(&paths);
    return 0;
}
