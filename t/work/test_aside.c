/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls in a process that can be lost.
 */
#include "cmocka_all.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work/aside.h"

enum { LARGE = 3 << 20 };

struct work {
    uint8_t *bytes;
    int value, unseen;
};

static int fill(void *ctx)
{
    struct work *work = ctx;

    for (size_t i = 0; i < LARGE; i++)
        work->bytes[i] = (uint8_t)(i * 7);
    work->value = 5;
    work->unseen = 6;
    return 42;
}

static void results_come_back(void **state)
{
    struct work work = {.bytes = calloc(LARGE, 1)};
    const struct bl_aside_part parts[] = {{work.bytes, LARGE},
                                          {&work.value, sizeof work.value}};
    struct bl_error err = {.text = ""};
    int said = 0;

    (void)state;
    assert_non_null(work.bytes);
    assert_int_equal(bl_aside_call("it", fill, &work, parts, 2, 30, &said, &err), BL_OK);
    assert_int_equal(said, 42);
    assert_int_equal(work.value, 5);
    assert_int_equal(work.unseen, 0);
    for (size_t i = 0; i < LARGE; i++)
        if (work.bytes[i] != (uint8_t)(i * 7))
            fail_msg("byte %zu", i);
    free(work.bytes);
}

static int abort_it(void *ctx)
{
    (void)ctx;
    signal(SIGABRT, SIG_DFL); /* cmocka's would tell of a test that failed */
    abort();
}

static int exit_it(void *ctx)
{
    (void)ctx;
    _exit(3);
}

static int sleep_it(void *ctx)
{
    (void)ctx;
    for (;;)
        pause();
    return 0;
}

/* Closes the way to its parent and goes on: it was waited for without end. */
static int part_from_it(void *ctx)
{
    (void)ctx;
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    return sleep_it(NULL);
}

static void says_how_it_was_lost(void **state)
{
    static const struct {
        int (*call)(void *);
        const char *says;
    } bad[] = {
        {abort_it, "it was killed by signal 6 (Aborted)"},
        {exit_it, "it ended its process, with status 3, instead of returning"},
        {sleep_it, "it hangs: no result within 0.2 s"},
        {part_from_it, "it was killed by signal 9 (Killed)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bl_error err = {.text = ""};
        int said = 7;

        assert_int_equal(
            bl_aside_call("it", bad[i].call, NULL, NULL, 0, 0.2, &said, &err),
            BL_E_INPUT);
        assert_string_equal(err.text, bad[i].says);
        assert_int_equal(said, 7);
    }
}

static int print_it(void *ctx)
{
    (void)ctx;
    return (int)write(STDOUT_FILENO, "# printed\n", 10);
}

/* A plan that printed once spoilt the JSON on standard output. */
static void prints_to_standard_error(void **state)
{
    struct bl_error err = {.text = ""};
    char got[64] = "";
    int said = 0, ends[2];
    const int kept = dup(STDOUT_FILENO);

    (void)state;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    assert_int_equal(bl_aside_call("it", print_it, NULL, NULL, 0, 30, &said, &err),
                     BL_OK);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(ends[1]);
    assert_int_equal(said, 10);
    assert_int_equal(read(ends[0], got, sizeof got), 0);
    close(ends[0]);
}

static void leaves_no_process(void **state)
{
    (void)state;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_back),
        cmocka_unit_test(says_how_it_was_lost),
        cmocka_unit_test(prints_to_standard_error),
        cmocka_unit_test(leaves_no_process),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("aside", tests, NULL, NULL);
}
