/* SPDX-License-Identifier: Apache-2.0
 *
 * show_profile PROFILE PLUGIN-DIR... [-- GLOB [KEY=VALUE...]] - prints the plan that a
 * profile makes, or on stderr why it makes none, with status 2. GLOB "" stands for all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/param.h"
#include "load/profile.h"

enum { DIRS_MAX = 8, SETS_MAX = 16 };

static void print_warning(void *ctx, const char *text)
{
    fprintf(ctx, "warning: %s\n", text);
}

static void print_case(const struct bl_case *of)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "=", "!="};
    char text[64];
    printf("%s: line %d, %s, %llu x %llu of %u", of->name, of->line, of->plugin->abi.name,
           (unsigned long long)of->problem.rows, (unsigned long long)of->problem.cols,
           of->problem.elem);
    if (of->problem.batch != 1)
        printf(", batch %llu", (unsigned long long)of->problem.batch);
    if (of->arch)
        printf(", arch %s (%s)", of->arch, of->arch_at);
    for (uint32_t i = 0; i < of->plugin->abi.param_count; i++) {
        bl_param_print(&of->plugin->abi.params[i], of->params[i], text, sizeof text);
        printf(", %s %s", of->plugin->abi.params[i].name, text);
    }
    putchar('\n');
    for (size_t i = 0; i < of->expect_count; i++) {
        const struct bl_expect *expect = &of->expects[i];
        printf("  line %d: %s %s %g \"%s\"\n", expect->line, expect->field,
               ops[expect->op], expect->number, expect->text);
    }
}

static void print_plan(const struct bl_profile *profile)
{
    const struct bl_run_options *run = &profile->run;
    printf("device %s, arch %s, rates %s, baseline %s, seed %llu, steps %llu, "
           "threads %u\n",
           run->device, run->arch, run->rates, run->baseline ? run->baseline : "none",
           (unsigned long long)run->seed, (unsigned long long)run->steps, run->threads);
    printf("baseline %td of %zu\n", profile->baseline, profile->case_count);
    for (size_t i = 0; i < profile->case_count; i++)
        print_case(&profile->cases[i]);
}

int main(int argc, char **argv)
{
    static const char *origins[DIRS_MAX] = {
        "--plugin-dir", "--plugin-dir", "--plugin-dir", "--plugin-dir",
        "--plugin-dir", "--plugin-dir", "--plugin-dir", "--plugin-dir"};
    struct bl_paths paths = {.plugin_dirs = argv + 2, .plugin_origins = origins};
    struct bl_override sets[SETS_MAX];
    struct bl_registry *reg = NULL;
    struct bl_profile *profile = NULL;
    struct bl_error err = {BL_OK, ""};
    const char *only = NULL;
    size_t set_count = 0;
    int at = 2, status = 2;
    while (at < argc && strcmp(argv[at], "--") != 0)
        at++;
    if (argc < 2 || at > 2 + DIRS_MAX || argc - at > 2 + SETS_MAX) {
        fputs("show_profile PROFILE PLUGIN-DIR... [-- GLOB [KEY=VALUE...]]\n", stderr);
        return 64;
    }
    paths.plugin_dir_count = (size_t)(at - 2);
    if (at + 1 < argc && *argv[at + 1])
        only = argv[at + 1];
    for (int i = at + 2; i < argc; i++)
        sets[set_count++].text = argv[i];
    if (bl_registry_new(&paths, print_warning, stderr, &reg, &err) == BL_OK &&
        bl_profile_read(argv[1], reg, sets, set_count, only, &profile, &err) == BL_OK) {
        print_plan(profile);
        status = 0;
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    bl_profile_free(profile);
    bl_registry_free(reg);
    return status;
}
