/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that runs out at any one allocation, of a profile's reading and of a search for
 * plugins, is an error, and what was allocated before is freed (which a run under
 * AddressSanitizer or valgrind checks). Linked with --wrap for the functions below.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "load/profile.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
FILE *__wrap_open_memstream(char **text, size_t *size);

static long countdown = -1; /* allocations until one fails; below 0: none does */
static bool failed;

static bool fails(void)
{
    if (countdown < 0 || countdown-- > 0)
        return false;
    failed = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return fails() ? NULL : __real_strndup(text, size);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return fails() ? NULL : __real_open_memstream(text, size);
}

/* Reads and scans with the allocation `at` failing; what came, in *err too. */
static enum bl_status round_with(long at, const char *profile_path, char *dir,
                                 struct bl_error *err)
{
    static const char *origin = "--plugin-dir";
    struct bl_paths paths = {
        .plugin_dirs = &dir, .plugin_origins = &origin, .plugin_dir_count = 1};
    struct bl_override sets[] = {{"pad=1"}, {"seed=3"}};
    struct bl_registry *reg = NULL;
    struct bl_profile *profile = NULL;
    enum bl_status st;
    failed = false;
    countdown = at;
    st = bl_registry_new(&paths, NULL, NULL, &reg, err);
    if (st == BL_OK)
        st = bl_profile_read(profile_path, reg, sets, 2, "*", &profile, err);
    if (st == BL_OK)
        st = bl_registry_scan(reg, err);
    countdown = -1;
    bl_profile_free(profile);
    bl_registry_free(reg);
    return st;
}

static void check_profile(const char *name, enum bl_status at_last)
{
    const char *src = getenv("top_srcdir"), *build = getenv("top_builddir");
    char *path = bl_text_format("%s/t/load/golden/%s.ini", src ? src : ".", name);
    char *dir = bl_text_format("%s/t/load/good", build ? build : ".");
    for (long at = 0;; at++) {
        struct bl_error err = {BL_OK, ""};
        enum bl_status st = round_with(at, path, dir, &err);
        if (!failed) {
            assert_int_equal(st, at_last);
            assert_true(at > 10);
            break;
        }
        assert_int_equal(st, BL_E_NOMEM);
        assert_string_equal(err.text, "out of memory");
    }
    free(path);
    free(dir);
}

static void test_run(void **state)
{
    (void)state;
    check_profile("plan_run", BL_OK);
}

static void test_expects(void **state)
{
    (void)state;
    check_profile("plan_expect", BL_OK);
}

static void test_refused(void **state)
{
    (void)state;
    check_profile("unknown_plugin", BL_E_INPUT);
    check_profile("expect_field", BL_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_expects),
        cmocka_unit_test(test_refused),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
