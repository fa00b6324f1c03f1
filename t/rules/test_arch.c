/* SPDX-License-Identifier: Apache-2.0
 *
 * Arch and device files: those that come with banklab, and bad ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/cc90.h"
#include "model/arch.h"
#include "rows.h"
#include "work/rates.h"

static void test_cc90(void **state)
{
    struct bl_arch a, same = CC90_ARCH;
    (void)state;
    arch_of("cc90", &a);
    memcpy(same.evidence, a.evidence, sizeof same.evidence);
    assert_memory_equal(&a, &same, sizeof a); /* what other tests take for it */
    assert_string_equal(a.name, "cc90");
    assert_int_equal(a.cc, 90);
    assert_int_equal(a.banks, 32);
    assert_int_equal(a.phase_lanes[3], 16);
    assert_int_equal(a.phase_lanes[4], 8);
    assert_int_equal(a.merge_xor[0], 1);
    assert_int_equal(a.merge_xor[1], 2);
    assert_int_equal(a.merge_xor[2], 0);
    assert_int_equal(a.max_block[2], 64);
    assert_int_equal(a.max_grid[0], 2147483647);
    assert_int_equal(a.max_shared, 232448);
    assert_int_equal(strncmp(a.evidence, "measured on ", 12), 0);
}

/* Every file in conf/arch can be read, is named after its capability, and says how it
 * is known. */
static void test_all(void **state)
{
    struct bl_paths paths;
    struct bl_error err;
    char **names;
    size_t count;
    (void)state;
    source_paths(&paths);
    assert_int_equal(bl_paths_conf_names(&paths, "arch", &names, &count, &err), BL_OK);
    assert_true(count >= 13);
    for (size_t i = 0; i < count; i++) {
        struct bl_arch a;
        char name[16];
        arch_of(names[i], &a);
        /* Modes of one capability have a suffix: cc30-8. */
        snprintf(name, sizeof name, "cc%u", a.cc);
        assert_int_equal(strncmp(name, names[i], strlen(name)), 0);
        assert_true(names[i][strlen(name)] == '\0' || names[i][strlen(name)] == '-');
        assert_true(strncmp(a.evidence, "measured on ", 12) == 0 ||
                    strncmp(a.evidence, "documented, not measured", 24) == 0);
    }
    bl_paths_names_free(names, count);
    bl_paths_free(&paths);
}

static void test_unknown(void **state)
{
    struct bl_paths paths;
    struct bl_error err;
    struct bl_arch a;
    struct bl_rates r;
    (void)state;
    source_paths(&paths);
    assert_int_equal(bl_arch_read(&paths, "cc91", &a, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "unknown arch 'cc91', did you mean 'cc90'?"));
    assert_non_null(strstr(err.text, "conf/arch has: cc"));
    assert_non_null(strstr(err.text, "cc89, cc90"));
    assert_int_equal(bl_arch_read(&paths, "../devices/h200", &a, &err), BL_E_INPUT);
    assert_int_equal(bl_arch_read(&paths, "", &a, &err), BL_E_INPUT);
    assert_int_equal(bl_rates_read(&paths, "h100", &r, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "unknown device file 'h100', did you mean 'h200'?"));
    bl_paths_free(&paths);
}

/* A good file with one line changed (`from` to `to`) is refused with `want`. */
static void spoil(const char *from, const char *to, const char *want)
{
    static const char good[] =
        "[arch]\ncc = 90\nbanks = 32\nbank_bytes = 4\ngroup = 32\n"
        "phase_lanes = 32, 32, 32, 16, 8\nload_merge_xor = 1, 2\n"
        "sector_bytes = 32\nmax_threads = 1024\nmax_warps = 64\n"
        "max_block = 1024, 1024, 64\nmax_grid = 9, 9, 9\n"
        "max_shared = 232448\nevidence = none\n"
        "bank_rows = 1\naccess_bytes = 16\nbeats = 1, 1, 1, 2, 4\n"
        "extra_wavefronts = 0, 0, 0, 0, 3\nload_broadcast = all\nstore_merge = word\n"
        "wavefront_cycles = 1\natomics = cc90\n"
        "global_lanes = 32, 32, 32, 32, 32\ncoalescing = sectors\n";
    char folder[] = "/tmp/banklab-arch-XXXXXX", sub[64], path[96];
    struct bl_paths paths = {.conf_dir = folder};
    struct bl_error err = {0};
    struct bl_arch a;
    assert_non_null(mkdtemp(folder));
    snprintf(sub, sizeof sub, "mkdir %s/arch", folder);
    assert_int_equal(system(sub), 0);
    snprintf(path, sizeof path, "%s/arch/cc90.ini", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    const char *at = from ? strstr(good, from) : good + strlen(good);
    assert_non_null(at);
    fprintf(file, "%.*s%s%s", (int)(at - good), good, to, at + (from ? strlen(from) : 0));
    fclose(file);
    enum bl_status status = bl_arch_read(&paths, "cc90", &a, &err);
    snprintf(sub, sizeof sub, "rm -r %s", folder);
    assert_int_equal(system(sub), 0);
    if (!want) {
        if (status != BL_OK)
            fail_msg("%s", err.text);
        return;
    }
    assert_int_equal(status, BL_E_INPUT);
    if (!strstr(err.text, want) || !strstr(err.text, "cc90.ini:"))
        fail_msg("'%s' instead of '%s'", err.text, want);
}

static void test_bad(void **state)
{
    (void)state;
    spoil(NULL, "", NULL);
    spoil("1, 2\n", "none\n", NULL);
    spoil("phase_lanes = 32, 32, 32, 16, 8", "phase_lanes=32,32,32,16,8", NULL);
    spoil("banks = 32\n", "", ":1: '[arch]' lacks the key 'banks'");
    spoil("banks = 32", "bank = 32", ":3: unknown key 'bank'; did you mean 'banks'?");
    spoil("banks = 32", "banks = 33", ":3: 'banks': '33' is not a whole number in 1..32");
    spoil("banks = 32", "banks = 24", ":3: 'banks': 24 is not a power of two");
    spoil("banks = 32", "banks = ", ":3: 'banks': '' is not a whole number");
    spoil("banks = 32", "banks = 32, 32", ":3: 'banks': more than 1 numbers");
    spoil("banks = 32", "banks = 0x1p5", ":3: 'banks': '0x1p5' is not");
    spoil("banks = 32", "banks = 2", "2 banks of 4 bytes can't serve a 16-byte access");
    spoil(NULL, "cc = 90\n", ":25: 'cc' is there already, in line 2");
    spoil(NULL, "[arch]\n", ":25: '[arch]' is there already, in line 1");
    spoil(NULL, "[more]\n", ":25: unknown section '[more]'");
    spoil("bank_rows = 1", "bank_rows = 3", ":15: 'bank_rows': 3 is not a power of two");
    spoil("access_bytes = 16", "access_bytes = 2",
          ":16: 'access_bytes': '2' is not a whole");
    spoil("0, 0, 3", "0, 0, 9",
          ":18: 'extra_wavefronts': '9' is not a whole number in 0..8");
    spoil("load_broadcast = all", "load_broadcast = any",
          ":19: 'load_broadcast' takes 'all' or 'one', not 'any'");
    spoil("= word", "= words",
          ":20: 'store_merge' takes 'word' or 'open', not 'words'; did you mean 'word'?");
    spoil("wavefront_cycles = 1\n", "", ":1: '[arch]' lacks the key 'wavefront_cycles'");
    spoil("atomics = cc90", "atomics = 1", ":22: 'atomics' takes 'unknown' or 'cc90'");
    spoil("= sectors", "= sequence",
          "'coalescing = sequence' is a rule of requests of 16 lanes; 'global_lanes' has "
          "32");
    spoil("16, 8", "16", ":6: 'phase_lanes': 4 of 5 numbers");
    spoil("16, 8", "16, 8, 4", ":6: 'phase_lanes': more than 5");
    spoil("16, 8", "16, ,", ":6: 'phase_lanes': '' is not");
    spoil("16, 8", "8, 16",
          "'phase_lanes' may not grow with the width: 8 for width 8, 16");
    spoil("group = 32", "group = 16",
          "'phase_lanes' 32 for width 1 is more than 'group'");
    spoil("232448", "1e9", ":13: 'max_shared': '1e9' is not a whole number in 1024..");
    spoil("evidence = none",
          "evidence = ", ":14: 'evidence': a text of 1 to 127 bytes is expected, not 0");
}

static void test_h200(void **state)
{
    struct bl_paths paths;
    struct bl_error err;
    struct bl_rates r;
    (void)state;
    source_paths(&paths);
    if (bl_rates_read(&paths, "h200", &r, &err) != BL_OK)
        fail_msg("%s", err.text);
    assert_string_equal(r.name, "NVIDIA H200");
    assert_string_equal(r.arch, "cc90");
    assert_int_equal(r.sms, 132);
    assert_true(r.clock_mhz == 1980);
    assert_int_equal(r.memory_bytes, 150109880320);
    assert_int_equal(r.sm_threads, 2048);
    assert_int_equal(r.sm_blocks, 32);
    assert_int_equal(r.sm_shared, 233472);
    assert_int_equal(r.block_shared, 1024);
    assert_int_equal(r.sm_issue, 4);
    bl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cc90), cmocka_unit_test(test_all),
        cmocka_unit_test(test_bad),  cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_h200),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
