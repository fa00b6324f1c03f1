/* SPDX-License-Identifier: Apache-2.0
 *
 * test_save.c - a report to a file, all or nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "fixture.h"

static char folder[] = "/tmp/banklab-save-XXXXXX";
static struct fixture fix;

static int make_folder(void **state)
{
    (void)state;
    fixture_usual(&fix);
    umask(022);
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
    static char path[2][512];
    static int which;

    which ^= 1;
    snprintf(path[which], sizeof path[which], "%s/%s", folder, name);
    return path[which];
}

/* Files in the folder, all of which are removed. */
static int clear_folder(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int count = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        assert_int_equal(remove(in_folder(entry->d_name)), 0);
    }
    closedir(dir);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    clear_folder();
    return rmdir(folder);
}

static void first_line(const char *path, char out[128])
{
    FILE *in = fopen(path, "r");

    assert_non_null(in);
    assert_non_null(fgets(out, 128, in));
    fclose(in);
}

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void to_new_file(void **state)
{
    struct bl_error err;
    struct stat info;
    char line[128];

    (void)state;
    assert_int_equal(bl_report_save_check(in_folder("new"), &err), BL_OK);
    assert_int_equal(bl_report_save(&fix.report, BL_FORMAT_TAP, in_folder("new"), &err),
                     BL_OK);
    first_line(in_folder("new"), line);
    assert_string_equal(line, "1..3\n");
    assert_int_equal(stat(in_folder("new"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    assert_int_equal(clear_folder(), 1);
}

static void over_old_file(void **state)
{
    struct bl_error err;
    struct stat info;
    char line[128];

    (void)state;
    put(in_folder("old"), "something long that was here before\n");
    assert_int_equal(chmod(in_folder("old"), 0600), 0);
    assert_int_equal(bl_report_save(&fix.report, BL_FORMAT_TAP, in_folder("old"), &err),
                     BL_OK);
    first_line(in_folder("old"), line);
    assert_string_equal(line, "1..3\n");
    assert_int_equal(stat(in_folder("old"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(clear_folder(), 1);
}

static void through_link(void **state)
{
    struct bl_error err;
    struct stat info;
    char line[128];

    (void)state;
    put(in_folder("real"), "old\n");
    assert_int_equal(symlink("real", in_folder("link")), 0);
    assert_int_equal(bl_report_save(&fix.report, BL_FORMAT_TAP, in_folder("link"), &err),
                     BL_OK);
    assert_int_equal(lstat(in_folder("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    first_line(in_folder("real"), line);
    assert_string_equal(line, "1..3\n");
    assert_int_equal(clear_folder(), 2);
}

static void refused(void **state)
{
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_report_save_check(folder, &err), BL_E_IO);
    assert_non_null(strstr(err.text, "folder"));
    assert_int_equal(bl_report_save(&fix.report, BL_FORMAT_TAP, folder, &err), BL_E_IO);
    assert_int_equal(bl_report_save_check(in_folder("no/such"), &err), BL_E_IO);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(
        bl_report_save(&fix.report, BL_FORMAT_TAP, in_folder("no/such"), &err), BL_E_IO);
    assert_int_equal(clear_folder(), 0);
}

/* A device stays what it is. */
static void to_device(void **state)
{
    struct bl_error err;
    struct stat info;

    (void)state;
    assert_int_equal(bl_report_save(&fix.report, BL_FORMAT_TAP, "/dev/null", &err),
                     BL_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(bl_report_save(&fix.report, BL_FORMAT_TAP, "/dev/full", &err),
                     BL_E_IO);
    assert_non_null(strstr(err.text, "/dev/full"));
    assert_non_null(strstr(err.text, "No space"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_new_file),  cmocka_unit_test(over_old_file),
        cmocka_unit_test(through_link), cmocka_unit_test(refused),
        cmocka_unit_test(to_device),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
