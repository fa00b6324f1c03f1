/* SPDX-License-Identifier: Apache-2.0 */
#include "work/aside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool write_all(int fd, const void *data, size_t bytes)
{
    const uint8_t *at = data;

    while (bytes > 0) {
        const ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* The child's end. A result cut short is what the parent takes for a crash. What the call
 * prints must not get into the report, which may go to standard output. */
static void be_child(int fd, int (*call)(void *), void *ctx,
                     const struct bl_aside_part *parts, size_t count)
{
    bool written;
    int said;

    if (fd != STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    said = call(ctx);
    written = write_all(fd, &said, sizeof said);
    for (size_t i = 0; written && i < count; i++)
        written = write_all(fd, parts[i].at, parts[i].bytes);
    _exit(0);
}

static int64_t now_ms(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

enum outcome { READ_ALL, READ_LESS, READ_LATE };

static enum outcome read_all(int fd, void *data, size_t bytes, int64_t end_ms)
{
    uint8_t *at = data;

    while (bytes > 0) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        const int64_t left = end_ms - now_ms();
        const int ready = poll(&wait, 1, end_ms < 0 ? -1 : left > 0 ? (int)left : 0);
        ssize_t n;

        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            return READ_LATE;
        n = read(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return READ_LESS;
        at += n;
        bytes -= (size_t)n;
    }
    return READ_ALL;
}

/* What became of a child that did not bring all. */
static enum bl_status tell(const char *what, int status, struct bl_error *err)
{
    if (WIFSIGNALED(status))
        return bl_error_set(err, BL_E_INPUT, "%s was killed by signal %d (%s)", what,
                            WTERMSIG(status), strsignal(WTERMSIG(status)));
    return bl_error_set(err, BL_E_INPUT,
                        "%s ended its process, with status %d, instead of returning",
                        what, WEXITSTATUS(status));
}

/* Waits for a child that has said all that it will say. One that closed its pipe and yet
 * goes on is not waited for long. */
static int collect(pid_t pid)
{
    const int64_t end_ms = now_ms() + 1000;
    int status = 0;

    for (;;) {
        const bool late = now_ms() > end_ms;
        const pid_t dead = waitpid(pid, &status, late ? 0 : WNOHANG);

        if (dead == pid || (dead < 0 && errno != EINTR))
            return status;
        if (late)
            continue;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        if (now_ms() > end_ms)
            kill(pid, SIGKILL);
    }
}

static enum bl_status be_parent(const char *what, int fd, pid_t pid,
                                const struct bl_aside_part *parts, size_t count,
                                double timeout_s, int *said, struct bl_error *err)
{
    const int64_t end_ms =
        timeout_s > 0 ? now_ms() + (int64_t)(timeout_s * 1000) : INT64_C(-1);
    enum outcome outcome;
    int status, value;

    outcome = read_all(fd, &value, sizeof value, end_ms);
    for (size_t i = 0; outcome == READ_ALL && i < count; i++)
        outcome = read_all(fd, parts[i].at, parts[i].bytes, end_ms);
    if (outcome == READ_LATE)
        kill(pid, SIGKILL);
    status = collect(pid);
    if (outcome == READ_LATE)
        return bl_error_set(err, BL_E_INPUT, "%s hangs: no result within %g s", what,
                            timeout_s);
    if (outcome == READ_LESS)
        return tell(what, status, err);
    *said = value;
    return BL_OK;
}

enum bl_status bl_aside_call(const char *what, int (*call)(void *ctx), void *ctx,
                             const struct bl_aside_part *parts, size_t count,
                             double timeout_s, int *said, struct bl_error *err)
{
    const pid_t parent = getpid();
    enum bl_status status;
    int ends[2];
    pid_t pid;

    if (pipe(ends) != 0)
        return bl_error_set(err, BL_E_IO, "a process for %s: %s", what, strerror(errno));
    fflush(NULL); /* else what is buffered here might be written there too */
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(0);
        close(ends[0]);
        be_child(ends[1], call, ctx, parts, count);
    }
    close(ends[1]);
    if (pid < 0)
        status =
            bl_error_set(err, BL_E_IO, "a process for %s: %s", what, strerror(errno));
    else
        status = be_parent(what, ends[0], pid, parts, count, timeout_s, said, err);
    close(ends[0]);
    return status;
}
