/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a case of `plugin = kernel`, and, behind a line "---", as the PTX file
 * that it names: a plugin that plans the same twice, or an error in words. As a libFuzzer
 * target: as fuzz_ini.c.
 */
#include <config.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "fuzz.h"
#include "load/plugin_calls.h"
#include "load/profile.h"

#define PTX ".version 7.0\n.target sm_75\n.address_size 64\n"

const char *const fuzz_seeds[] = {
    "entry = t<float, TILE>\nkind = transpose\nconst.TILE = 16,32\n"
    "grid = ceil(cols/TILE), ceil(rows/TILE)\nblock = TILE, 8\nargs = out, in, cols, "
    "rows\n"
    "---\n" PTX ".visible .entry _Z1tIfLi16EEvPT_PKS0_ii(.param .u64 a, .param .u64 b, "
    ".param .u32 c, .param .u32 d)\n{\nret;\n}\n"
    ".visible .entry _Z1tIfLi32EEvPT_PKS0_ii(.param .u64 a, .param .u64 b, .param .u32 "
    "c, "
    ".param .u32 d)\n{\nret;\n}\n",
    "kind = copy\nconst.N = -1..3\ntwin.N = 7\nshared = N*4\nscratch = rows << N\n"
    "grid = min(rows, 9), 1 ? 2 : N\nblock = 32\nargs = scratch, in, 1.5f, -2., rows*N\n"
    "launch2.entry = k\nlaunch2.grid = N\nlaunch2.block = 1,1,1\n"
    "launch2.args = out, in, 0, 1e3, 0x7fffffffffffffff\n"
    "---\n" PTX ".entry k(.param .u64 .ptr .align 1 a, .param .u64 b, .param .f32 c, "
    ".param .f64 d, .param .u64 e)\n{\nret;\n}\n",
    "entry = ns::k\nkind = copy\ngrid = 1\nblock = 1\nargs = out\n"
    "---\n" PTX ".visible .entry _ZN2ns1kEPi(.param .u64 a)\n{\nret;\n}\n"
    ".visible .entry _ZN12_GLOBAL__N_11kEPi(.param .u64 a)\n{\nret;\n}\n"
    ".visible .entry _ZN1aclEPFivE(.param .align 8 .b8 a[16])\n{\nret;\n}\n",
    NULL,
};

static int ptx_file; /* in memory, by a link with a name that ends in .ptx */
static char folder[] = "/tmp/fuzz-kernel-XXXXXX", ptx_path[64];

static void clean_up(void)
{
    unlink(ptx_path);
    rmdir(folder);
}

/* Opened once for all rounds, and with it the C++ library, which takes long. */
static struct bl_registry *registry(void)
{
    static struct bl_paths paths = {.include_dir = folder};
    static struct bl_registry *reg;
    struct bl_error err;
    char target[64];
    if (reg)
        return reg;
    if (!mkdtemp(folder) || bl_registry_new(&paths, NULL, NULL, &reg, &err) != BL_OK) {
        printf("Bail out! no folder %s, or no memory\n", folder);
        exit(1);
    }
    snprintf(ptx_path, sizeof ptx_path, "%s/k.ptx", folder);
    atexit(clean_up);
    ptx_file = memfd_create("ptx", 0);
    snprintf(target, sizeof target, "/proc/self/fd/%d", ptx_file);
    if (ptx_file < 0 || symlink(target, ptx_path) != 0)
        abort();
    dlopen("libstdc++.so.6", RTLD_LAZY);
    bl_registry_set_compiler(reg, "/no/compiler");
    return reg;
}

static void check_case(const struct bl_case *of)
{
    static struct banklab_plan plans[2];
    struct banklab_error errors[2] = {{""}, {""}};
    uint32_t count;
    int said[2];
    memset(plans, 0, sizeof plans);
    if (!bl_plugin_modules(of->plugin, of->params, &count) || count != 1)
        abort();
    for (int i = 0; i < 2; i++) {
        plans[i].struct_size = sizeof plans[i];
        said[i] =
            bl_plugin_plan(of->plugin, &of->problem, of->params, &plans[i], &errors[i]);
    }
    if (said[0] != said[1] || memcmp(&plans[0], &plans[1], sizeof plans[0]) != 0 ||
        (said[0] != BANKLAB_OK && !errors[0].text[0]) ||
        (said[0] == BANKLAB_OK && !plans[0].launches[0].kernel[0]))
        abort();
}

/* A profile with the case; in memory. */
static int write_profile(const uint8_t *data, size_t size)
{
    int file = memfd_create("profile", 0);
    if (file < 0 ||
        dprintf(file, "[case c]\nplugin = kernel\nfile = %s\n", ptx_path) < 0 ||
        write(file, data, size) != (ssize_t)size)
        abort();
    return file;
}

static void write_ptx(const uint8_t *data, size_t size)
{
    if (ftruncate(ptx_file, 0) != 0 || pwrite(ptx_file, data, size, 0) != (ssize_t)size)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_registry *reg = registry();
    struct bl_profile *profile = NULL;
    struct bl_error err = {BL_OK, ""};
    const uint8_t *part = memmem(data, size, "---\n", 4);
    const size_t length = part ? (size_t)(part - data) : size;
    char path[64];
    int file = write_profile(data, length);
    write_ptx(part ? part + 4 : data, part ? size - length - 4 : size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (bl_profile_read(path, reg, NULL, 0, NULL, &profile, &err) == BL_OK) {
        for (size_t i = 0; i < profile->case_count; i++)
            check_case(&profile->cases[i]);
    } else if (!err.text[0]) {
        abort();
    }
    bl_profile_free(profile);
    close(file);
    return 0;
}
