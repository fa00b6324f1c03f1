/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a profile: a plan that keeps its promises, or an error in words. Lines at
 * the start that begin with '+' are --set texts. The plugins are those of t/load/good
 * below $top_builddir. As a libFuzzer target: as fuzz_ini.c.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "fuzz.h"
#include "load/param.h"
#include "load/profile.h"

enum { SETS_MAX = 4 };

const char *const fuzz_seeds[] = {
    "[run]\ndevice = auto\nbaseline = one[pad=1]\n[case one]\nplugin = probe\n"
    "pad = -2..2\nstride=1..64*2\n",
    "[problem]\nrows = 64\nelem = 8\n[case a]\nplugin = probe\nop = load,store\n"
    "tile = 16, 32\nexpect.shared_load_ways = <= 32\nexpect.verdict = fail\n"
    "[case b]\nplugin = newer\ncols = 0..9+3\n",
    "+rows = 1..3\n+a.first=1\n+seed=2\n[case a]\nplugin = newer\nsecond = 1,2\n",
    "+pad=3\n+pda=3\n[run]\nsteps=9\n[case one]\nplugin = ./good/probe.so\n",
    NULL,
};

/* Opened once for all rounds. */
static struct bl_registry *registry(void)
{
    static const char *origin = "--plugin-dir";
    static char *dir;
    static struct bl_paths paths = {
        .plugin_dirs = &dir, .plugin_origins = &origin, .plugin_dir_count = 1};
    static struct bl_registry *reg;
    const char *top = getenv("top_builddir");
    struct bl_error err = {BL_OK, ""};
    if (reg)
        return reg;
    dir = bl_text_format("%s/t/load/good", top ? top : ".");
    if (!dir || bl_registry_new(&paths, NULL, NULL, &reg, &err) != BL_OK ||
        bl_registry_scan(reg, &err) != BL_OK || bl_registry_count(reg) == 0) {
        printf("Bail out! no plugin under %s: %s\n", dir, err.text);
        exit(1);
    }
    return reg;
}

/* Reads every part of the plan, so that the sanitizers see it. */
static void check_plan(const struct bl_profile *profile)
{
    char text[64];
    if (profile->case_count == 0 || profile->baseline >= (ptrdiff_t)profile->case_count)
        abort();
    for (size_t i = 0; i < profile->case_count; i++) {
        const struct bl_case *of = &profile->cases[i];
        if (!of->name[0] || of->problem.rows < 1 || of->problem.cols < 1 ||
            of->problem.elem < 1 || of->problem.elem > 16)
            abort();
        for (uint32_t p = 0; p < of->plugin->abi.param_count; p++) {
            const struct banklab_param *param = &of->plugin->abi.params[p];
            banklab_value again;
            bl_param_print(param, of->params[p], text, sizeof text);
            if (bl_param_parse(param, text, &again, NULL) != BL_OK ||
                again.i != of->params[p].i)
                abort();
        }
        for (size_t e = 0; e < of->expect_count; e++)
            if (!of->expects[e].field[0] || of->expects[e].line < 1)
                abort();
    }
}

/* Takes the --set lines off the front of `text`; returns what follows them. */
static char *take_sets(char *text, struct bl_override *sets, size_t *count)
{
    while (*text == '+' && *count < SETS_MAX) {
        char *end = strchr(text, '\n');
        sets[(*count)++].text = text + 1;
        if (!end)
            return text + strlen(text);
        *end = '\0';
        text = end + 1;
    }
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_override sets[SETS_MAX];
    struct bl_profile *profile = NULL;
    struct bl_error err = {BL_OK, ""};
    char path[64], *text = malloc(size + 1), *rest;
    size_t set_count = 0, length;
    int file = memfd_create("profile", 0);
    if (file < 0 || !text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    rest = take_sets(text, sets, &set_count);
    length = (size_t)(text + size - rest);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, rest, length) != (ssize_t)length)
        abort();
    if (bl_profile_read(path, registry(), sets, set_count, size % 3 ? NULL : "*e*",
                        &profile, &err) == BL_OK)
        check_plan(profile);
    else if (!err.text[0])
        abort();
    bl_profile_free(profile);
    close(file);
    free(text);
    return 0;
}
