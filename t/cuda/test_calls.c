/* SPDX-License-Identifier: Apache-2.0
 *
 * Every call of the driver fails in turn, on the test double (fake/fake.h): the worker
 * answers with the call's and the error's name, or does without; it never crashes, hangs
 * or leaves anything behind. Each turn is a process of its own, which ends as programs
 * do, so that a sanitizer looks for leaks in it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "cuda/cuda_api.h"
#include "cuda/protocol.h"
#include "cuda/shelf.h"
#include "cuda/wire.h"
#include "cuda/worker.h"

enum { BYTES = 256, TIMEOUT_MS = 60000, OPS_MAX = 16 };

/* Copies 32 words, by way of scratch memory and of shared memory. */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry copy(.param .u64 in, .param .u64 out, .param .u64 aside)\n{\n"
    ".reg .b32 %r<5>; .reg .b64 %rd<6>;\n.shared .align 4 .b8 room[128];\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd5, [aside];\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
    "add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3; add.s64 %rd5, %rd5, %rd3;\n"
    "ld.global.u32 %r2, [%rd1]; mov.u32 %r3, room; mad.lo.s32 %r3, %r1, 4, %r3;\n"
    "st.shared.u32 [%r3], %r2; ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd5], %r4;\n"
    "st.global.u32 [%rd2], %r4; ret;\n}\n";

/* What was asked of a worker in one turn, and what came of it. */
struct turn {
    int fd;
    pid_t pid;
    struct bl_shelf shelf;
    struct bl_answer answers[OPS_MAX];
    size_t count;
    int ended; /* wait status */
};

static void start(struct turn *turn)
{
    int pair[2];

    memset(turn, 0, sizeof *turn);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(bl_shelf_open(&turn->shelf, NULL), BL_OK);
    fflush(NULL);
    turn->pid = fork();
    assert_true(turn->pid >= 0);
    if (turn->pid == 0) {
        uint32_t place = 0;
        close(pair[0]);
        bl_worker_serve(pair[1], 0, &place, &turn->shelf);
        bl_shelf_close(&turn->shelf);
        close(pair[1]);
        fclose(stdout); /* the test's, which has more to say */
        exit(0);
    }
    close(pair[1]);
    turn->fd = pair[0];
}

/* Asks, unless the answer before was a fault: then a worker is not asked again. */
static void ask(struct turn *turn, uint32_t op, const struct bl_wire_part *parts,
                size_t count)
{
    struct bl_answer *answer = &turn->answers[turn->count];
    struct bl_error err = {.text = ""};
    uint8_t *body = NULL;
    size_t bytes = 0;
    uint32_t echo = 0;

    if (turn->count && turn->answers[turn->count - 1].status == BL_E_FAULT)
        return;
    if (bl_wire_send(turn->fd, TIMEOUT_MS, op, parts, count, &err) != BL_OK ||
        bl_wire_receive(turn->fd, TIMEOUT_MS, &echo, &body, &bytes, &err) != BL_OK)
        fail_msg("operation %u: %s", op, err.text);
    assert_int_equal(echo, op);
    assert_true(bytes >= sizeof *answer);
    memcpy(answer, body, sizeof *answer);
    turn->count++;
    free(body);
}

static void fill_code(struct bl_ask_code *code)
{
    struct banklab_launch *launch;

    memset(code, 0, sizeof *code);
    snprintf(code->label, sizeof code->label, "copy.so");
    code->plan.struct_size = sizeof code->plan;
    code->plan.scratch_bytes[0] = BYTES;
    code->plan.clock = (struct banklab_clock){1, 1, 1};
    code->ptx_bytes = sizeof ptx - 1;
    launch = banklab_launch_add(&code->plan, "copy");
    launch->block[0] = 32;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_buffer(launch, BANKLAB_SCRATCH0);
}

static void ask_run(struct turn *turn, uint32_t op)
{
    struct bl_ask_region regions[] = {{.role = BANKLAB_INPUT, .bytes = BYTES},
                                      {.role = BANKLAB_OUTPUT, .bytes = BYTES},
                                      {.role = BANKLAB_CLOCK, .bytes = 16},
                                      {.role = BANKLAB_SCRATCH0, .bytes = BYTES}};
    const size_t count = sizeof regions / sizeof *regions;
    struct bl_ask_code code;
    const struct bl_wire_part parts[] = {
        {&code, sizeof code}, {ptx, sizeof ptx - 1}, {regions, sizeof regions}};
    uint64_t used = 0;

    for (size_t i = 0; i < count; i++)
        regions[i].place = bl_shelf_place(&used, regions[i].bytes + 2 * BL_GUARD_BYTES);
    assert_int_equal(bl_shelf_reserve(&turn->shelf, used, NULL), BL_OK);
    fill_code(&code);
    code.regions = (uint32_t)count;
    ask(turn, op, parts, sizeof parts / sizeof *parts);
}

static void ask_time_add(struct turn *turn, uint32_t reference)
{
    const struct bl_ask_timing timing = {.bytes = BYTES,
                                         .rows = 8,
                                         .cols = 8,
                                         .elem = 4,
                                         .reference = reference,
                                         .most_us = 1e6};
    struct bl_ask_code code;
    const struct bl_wire_part parts[] = {
        {&code, sizeof code}, {ptx, sizeof ptx - 1}, {&timing, sizeof timing}};

    fill_code(&code);
    ask(turn, BL_OP_TIME_ADD, parts, 3);
}

/* All that the lab asks of a worker. */
static void take_turn(struct turn *turn)
{
    const uint32_t by = BL_COUNTED_HARDWARE;

    start(turn);
    ask(turn, BL_OP_HELLO, NULL, 0);
    ask(turn, BL_OP_DESCRIBE, NULL, 0);
    ask(turn, BL_OP_COUNTERS, &(struct bl_wire_part){&by, sizeof by}, 1);
    ask_run(turn, BL_OP_COUNT);
    ask_run(turn, BL_OP_RUN);
    ask_time_add(turn, 0);
    ask_time_add(turn, BL_REFERENCE_MEMCPY);
    ask_time_add(turn, BL_REFERENCE_CUBLAS);
    ask(turn, BL_OP_TIME_ROUND, NULL, 0);
    ask(turn, BL_OP_TIME_ROUND, NULL, 0);
    ask(turn, BL_OP_STATE, NULL, 0);
    ask(turn, BL_OP_TIME_CLEAR, NULL, 0);
    close(turn->fd);
    bl_shelf_close(&turn->shelf);
    assert_int_equal(waitpid(turn->pid, &turn->ended, 0), turn->pid);
}

/* The first answer that is no BL_OK; NULL: all are. */
static const struct bl_answer *bad_answer(const struct turn *turn)
{
    for (size_t i = 0; i < turn->count; i++)
        if (turn->answers[i].status != BL_OK)
            return &turn->answers[i];
    return NULL;
}

/* ---- the log of the double -----------------------------------------------------------
 */

static char log_path[64];

/* The rest of the line that begins with `word`; empty: there is none. */
static void log_line(const char *word, char *out, size_t size)
{
    FILE *log = fopen(log_path, "r");
    char line[256];

    out[0] = '\0';
    while (log && fgets(line, sizeof line, log))
        if (strncmp(line, word, strlen(word)) == 0)
            snprintf(out, size, "%s", line + strlen(word));
    if (log)
        fclose(log);
}

static unsigned long times_called(const char *call)
{
    char word[128], rest[256];

    snprintf(word, sizeof word, "calls %s ", call);
    log_line(word, rest, sizeof rest);
    return strtoul(rest, NULL, 10);
}

/* ---- tests ---------------------------------------------------------------------------
 */

static void nothing_fails(void **state)
{
    const struct bl_answer *bad;
    char left[256];
    struct turn turn;

    (void)state;
    remove(log_path);
    take_turn(&turn);
    bad = bad_answer(&turn);
    if (bad)
        fail_msg("%s", bad->text);
    assert_int_equal(turn.count, 12);
    assert_int_equal(turn.ended, 0);
    log_line("left ", left, sizeof left);
    assert_string_equal(
        left, "blocks=0 modules=0 streams=0 graphs=0 execs=0 events=0 context=0\n");
}

/* Calls after which there is nobody to tell: the process ends, and all goes with it. */
static bool is_farewell(const char *call)
{
    return strcmp(call, "cuStreamDestroy") == 0 ||
           strcmp(call, "cuDevicePrimaryCtxRelease") == 0;
}

static void fail_call(const char *call, unsigned long n)
{
    const struct bl_answer *bad;
    char fail[128];
    struct turn turn;

    snprintf(fail, sizeof fail, "%s:%lu", call, n);
    setenv("FAKE_CUDA_FAIL", fail, 1);
    take_turn(&turn);
    unsetenv("FAKE_CUDA_FAIL");
    if (turn.ended != 0)
        fail_msg("%s: the worker ended with wait status %d", fail, turn.ended);
    bad = bad_answer(&turn);
    if (is_farewell(call)) {
        if (bad)
            fail_msg("%s: %s", fail, bad->text);
        return;
    }
    if (!bad)
        fail_msg("%s: nobody noticed", fail);
    if (!strstr(bad->text, call) || !strstr(bad->text, "CUDA_ERROR_UNKNOWN"))
        fail_msg("%s: does not tell call and error: %s", fail, bad->text);
}

/* The first calls of each kind, and the last: what lies between is more of the same. */
static void every_call_fails_in_turn(void **state)
{
    enum { FIRST_CALLS = 6 };
    static const char *const calls[] = {
#define NAME_OF(call) #call,
        BL_CUDA_CALLS(NAME_OF)
#undef NAME_OF
    };
    unsigned long most[sizeof calls / sizeof *calls];
    struct turn turn;
    size_t tried = 0;

    (void)state;
    remove(log_path);
    take_turn(&turn);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        most[i] = times_called(calls[i]);
    unsetenv("FAKE_CUDA_LOG");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (unsigned long n = 1; n <= most[i]; n++)
            if (n <= FIRST_CALLS || n == most[i]) {
                fail_call(calls[i], n);
                tried++;
            }
    setenv("FAKE_CUDA_LOG", log_path, 1);
    print_message("# %zu failures of calls\n", tried);
    assert_true(tried > 80);
}

/* Names of errors that can't be had are no reason to have none. */
static void an_error_without_a_name(void **state)
{
    const struct bl_answer *bad;
    struct turn turn;

    (void)state;
    setenv("FAKE_CUDA_FAIL", "cuLaunchKernel:1:716", 1);
    take_turn(&turn);
    unsetenv("FAKE_CUDA_FAIL");
    bad = bad_answer(&turn);
    assert_non_null(bad);
    assert_string_equal(
        bad->text,
        "kernel copy: cuLaunchKernel: an error that the driver has no name for (716)");
    assert_int_equal(turn.ended, 0);
}

static void odd_questions(void **state)
{
    const uint8_t few[7] = {0};
    struct turn turn;

    (void)state;
    start(&turn);
    ask(&turn, 999, NULL, 0);
    ask(&turn, BL_OP_RUN, NULL, 0);
    ask(&turn, BL_OP_TIME_ADD, &(struct bl_wire_part){few, sizeof few}, 1);
    ask(&turn, BL_OP_TIME_ROUND, NULL, 0);
    ask(&turn, BL_OP_TIME_CLEAR, NULL, 0);
    close(turn.fd);
    bl_shelf_close(&turn.shelf);
    assert_int_equal(waitpid(turn.pid, &turn.ended, 0), turn.pid);
    assert_int_equal(turn.ended, 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(turn.answers[i].status, BL_E_INTERNAL);
    assert_non_null(strstr(turn.answers[0].text, "no operation 999"));
    assert_int_equal(turn.answers[3].status, BL_OK);
    assert_int_equal(turn.answers[4].status, BL_OK);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_fails),
        cmocka_unit_test(every_call_fails_in_turn),
        cmocka_unit_test(an_error_without_a_name),
        cmocka_unit_test(odd_questions),
    };
    int failed;

    if (!getenv("FAKE_CUDA")) {
        printf("1..0 # SKIP calls.t runs this on the test double of the driver\n");
        return 0;
    }
    snprintf(log_path, sizeof log_path, "/tmp/banklab-calls-%ld.log", (long)getpid());
    setenv("FAKE_CUDA_LOG", log_path, 1);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    failed = cmocka_run_group_tests_name("calls", tests, NULL, NULL);
    remove(log_path);
    return failed;
}
