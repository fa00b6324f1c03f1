/* SPDX-License-Identifier: Apache-2.0
 *
 * The shelf: what the lab lays down a child sees, and the other way round, while it grows
 * and shrinks.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "cuda/shelf.h"

/* Adds 1 to each byte of what it is told to look at, until told 0. */
static void serve(int fd, struct bl_shelf *shelf)
{
    uint64_t bytes;

    while (read(fd, &bytes, sizeof bytes) == sizeof bytes && bytes) {
        uint8_t done = bl_shelf_see(shelf, bytes, NULL) == BL_OK;
        for (uint64_t i = 0; done && i < bytes; i++)
            shelf->at[i]++;
        if (write(fd, &done, 1) != 1)
            _exit(1);
    }
    bl_shelf_close(shelf);
    _exit(0);
}

static void exchange(int fd, struct bl_shelf *shelf, uint64_t bytes)
{
    uint8_t done = 0;

    assert_int_equal(bl_shelf_reserve(shelf, bytes, NULL), BL_OK);
    assert_true(shelf->bytes >= bytes);
    for (uint64_t i = 0; i < bytes; i++)
        shelf->at[i] = (uint8_t)(i * 7);
    assert_int_equal(write(fd, &bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(read(fd, &done, 1), 1);
    assert_true(done);
    for (uint64_t i = 0; i < bytes; i++)
        if (shelf->at[i] != (uint8_t)(i * 7 + 1))
            fail_msg("byte %u of %u", (unsigned)i, (unsigned)bytes);
}

static void both_see_the_same(void **state)
{
    const uint64_t sizes[] = {100, 5000, 5000, 4 << 20, 4096, 3 << 20, 1, 70000};
    const uint64_t end = 0;
    struct bl_shelf shelf;
    int pair[2], status;
    pid_t pid;

    (void)state;
    assert_int_equal(bl_shelf_open(&shelf, NULL), BL_OK);
    assert_int_equal(bl_shelf_reserve(&shelf, 9000, NULL), BL_OK); /* inherited */
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        serve(pair[1], &shelf);
    close(pair[1]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        exchange(pair[0], &shelf, sizes[i]);
    assert_int_equal(write(pair[0], &end, sizeof end), sizeof end);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(pair[0]);
    bl_shelf_close(&shelf);
    assert_int_equal(shelf.fd, -1);
}

static void what_is_too_large_is_refused(void **state)
{
    struct bl_shelf shelf;
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_shelf_open(&shelf, NULL), BL_OK);
    assert_int_equal(bl_shelf_reserve(&shelf, UINT64_MAX, &err), BL_E_NOMEM);
    assert_int_equal(bl_shelf_reserve(&shelf, UINT64_C(1) << 62, &err), BL_E_NOMEM);
    assert_int_equal(bl_shelf_reserve(&shelf, 4096, &err), BL_OK);
    shelf.at[4095] = 1;
    bl_shelf_close(&shelf);
}

static void images_lie_apart(void **state)
{
    uint64_t used = 0;

    (void)state;
    assert_int_equal(bl_shelf_place(&used, 1), 0);
    assert_int_equal(bl_shelf_place(&used, 4096), 4096);
    assert_int_equal(bl_shelf_place(&used, 4097), 8192);
    assert_int_equal(used, 8192 + 2 * 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_see_the_same),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(images_lie_apart),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("shelf", tests, NULL, NULL);
}
