/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/shelf.h"
#include "cuda/wire.h"

/* Starting a driver and a context takes seconds on a large machine, and so does making
 * the counters ready. No timeout that a profile asks for means these. */
enum { START_MS = 120 * 1000, GRACE_MS = 500 };

struct bl_worker {
    int ordinal;
    int timeout_ms;
    int fd; /* -1: no child */
    pid_t pid;
    bool counters_ready; /* this child was asked to make them so */
    enum bl_counted count_by;
    volatile uint32_t *place; /* shared with the child: the case that it is timing */
    struct bl_shelf shelf;    /* shared, too: the images of a run's buffers */
};

enum bl_status bl_worker_new(int ordinal, double timeout_s, struct bl_worker **out,
                             struct bl_error *err)
{
    struct bl_worker *worker = calloc(1, sizeof *worker);
    enum bl_status status;
    void *page;

    if (!worker)
        return bl_error_nomem(err);
    if ((status = bl_shelf_open(&worker->shelf, err)) != BL_OK) {
        free(worker);
        return status;
    }
    worker->ordinal = ordinal;
    worker->timeout_ms = timeout_s > 0.001 ? (int)(timeout_s * 1000) : 1;
    worker->fd = -1;
    page = mmap(NULL, sizeof *worker->place, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        bl_shelf_close(&worker->shelf);
        free(worker);
        return bl_error_nomem(err);
    }
    worker->place = page;
    *out = worker;
    return BL_OK;
}

static enum bl_status start(struct bl_worker *worker, struct bl_error *err)
{
    const pid_t parent = getpid();
    int pair[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return bl_error_set(err, BL_E_IO, "the GPU worker: %s", strerror(errno));
    fflush(NULL);
    pid = fork();
    if (pid < 0) {
        close(pair[0]);
        close(pair[1]);
        return bl_error_set(err, BL_E_IO, "the GPU worker: %s", strerror(errno));
    }
    if (pid == 0) {
        /* Nothing of the lab outlives it, also where it is killed before or here. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(0);
        close(pair[0]);
        bl_worker_serve(pair[1], worker->ordinal, worker->place, &worker->shelf);
        _exit(0);
    }
    close(pair[1]);
    worker->counters_ready = false;
    worker->fd = pair[0];
    worker->pid = pid;
    return BL_OK;
}

/* Ends the child if it is there; says in words how it had ended if it was dead already,
 * else an empty text. */
static void stop(struct bl_worker *worker, char *how, size_t size)
{
    int status = 0;
    pid_t dead;

    how[0] = '\0';
    if (worker->fd < 0)
        return;
    close(worker->fd);
    worker->fd = -1;
    dead = waitpid(worker->pid, &status, WNOHANG);
    for (int ms = 0; dead == 0 && ms < GRACE_MS; ms++) { /* it ends by itself when idle */
        usleep(1000);
        dead = waitpid(worker->pid, &status, WNOHANG);
    }
    if (dead == 0) {
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
            ;
        return;
    }
    if (WIFSIGNALED(status))
        snprintf(how, size, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(how, size, "ended with status %d", WEXITSTATUS(status));
}

void bl_worker_free(struct bl_worker *worker)
{
    char how[128];

    if (!worker)
        return;
    stop(worker, how, sizeof how);
    munmap((void *)worker->place, sizeof *worker->place);
    bl_shelf_close(&worker->shelf);
    free(worker);
}

/* One question, one answer. On BL_OK *body_out is the caller's to free and *cursor_out
 * stands behind the answer's head. A child that does not answer is ended. */
static enum bl_status exchange(struct bl_worker *worker, int timeout_ms, uint32_t op,
                               const struct bl_wire_part *parts, size_t count,
                               struct bl_answer *answer, uint8_t **body_out,
                               struct bl_wire_cursor *cursor_out, struct bl_error *err)
{
    enum bl_status status;
    uint8_t *body = NULL;
    size_t bytes = 0;
    uint32_t echo;
    char how[128];
    void *head;

    status = bl_wire_send(worker->fd, timeout_ms, op, parts, count, err);
    if (status == BL_OK)
        status = bl_wire_receive(worker->fd, timeout_ms, &echo, &body, &bytes, err);
    if (status == BL_E_FAULT) {
        kill(worker->pid, SIGKILL);
        stop(worker, how, sizeof how);
        return bl_error_set(err, BL_E_FAULT, "hangs: no result within %g s",
                            timeout_ms / 1000.0);
    }
    if (status == BL_E_IO) {
        stop(worker, how, sizeof how);
        return bl_error_set(err, BL_E_FAULT, "the process that ran it is gone%s%s",
                            how[0] ? ": " : "", how);
    }
    if (status != BL_OK) { /* an answer left unread would be taken for the next one */
        stop(worker, how, sizeof how);
        return status;
    }
    *cursor_out = (struct bl_wire_cursor){body, bytes};
    head = bl_wire_take(cursor_out, sizeof *answer);
    if (!head || echo != op) {
        free(body);
        stop(worker, how, sizeof how);
        return bl_error_set(err, BL_E_INTERNAL, "the GPU worker answers something else");
    }
    memcpy(answer, head, sizeof *answer);
    *body_out = body;
    return BL_OK;
}

/* Takes the answer's status as the call's own. After a fault the context is spoilt, so
 * the child goes. */
static enum bl_status settle(struct bl_worker *worker, const struct bl_answer *answer,
                             struct bl_error *err)
{
    char how[128];

    if (answer->status == BL_OK)
        return BL_OK;
    if (answer->status == BL_E_FAULT)
        stop(worker, how, sizeof how);
    return bl_error_set(err, (enum bl_status)answer->status, "%s", answer->text);
}

/* A number without an answer but its status. */
static enum bl_status ask_long(struct bl_worker *worker, uint32_t op, uint32_t number,
                               struct bl_error *err)
{
    const int timeout_ms =
        worker->timeout_ms > START_MS ? worker->timeout_ms : (int)START_MS;
    struct bl_wire_cursor cursor;
    struct bl_answer answer;
    uint8_t *body = NULL;
    enum bl_status status =
        exchange(worker, timeout_ms, op, &(struct bl_wire_part){&number, sizeof number},
                 1, &answer, &body, &cursor, err);

    if (status != BL_OK)
        return status;
    free(body);
    return settle(worker, &answer, err);
}

static enum bl_status ask(struct bl_worker *worker, uint32_t op,
                          const struct bl_wire_part *parts, size_t count,
                          struct bl_answer *answer, uint8_t **body_out,
                          struct bl_wire_cursor *cursor_out, struct bl_error *err)
{
    enum bl_status status;
    char how[128];

    if (worker->fd < 0) {
        if ((status = start(worker, err)) != BL_OK)
            return status;
        if ((status = ask_long(worker, BL_OP_HELLO, 0, err)) != BL_OK) {
            stop(worker, how, sizeof how);
            return status;
        }
    }
    return exchange(worker, worker->timeout_ms, op, parts, count, answer, body_out,
                    cursor_out, err);
}

enum bl_status bl_worker_ask(struct bl_worker *worker, uint32_t op,
                             const struct bl_wire_part *parts, size_t count, void *out,
                             size_t bytes, struct bl_error *err)
{
    struct bl_wire_cursor cursor;
    struct bl_answer answer;
    uint8_t *body = NULL;
    enum bl_status status;
    void *block = NULL;

    status = ask(worker, op, parts, count, &answer, &body, &cursor, err);
    if (status != BL_OK)
        return status;
    status = settle(worker, &answer, err);
    if (status == BL_OK && bytes && !(block = bl_wire_take(&cursor, bytes)))
        status = bl_error_set(err, BL_E_INTERNAL, "the GPU worker's answer is too short");
    if (status == BL_OK && bytes)
        memcpy(out, block, bytes);
    free(body);
    return status;
}

enum bl_status bl_worker_describe(struct bl_worker *worker, struct bl_gpu_card *out,
                                  struct bl_error *err)
{
    return bl_worker_ask(worker, BL_OP_DESCRIBE, NULL, 0, out, sizeof *out, err);
}

enum bl_status bl_worker_state(struct bl_worker *worker, struct bl_gpu_state *out,
                               struct bl_error *err)
{
    return bl_worker_ask(worker, BL_OP_STATE, NULL, 0, out, sizeof *out, err);
}

static void ask_code(struct bl_ask_code *out, const char *label,
                     const struct banklab_plan *plan, const struct banklab_module *module)
{
    memset(out, 0, sizeof *out);
    snprintf(out->label, sizeof out->label, "%s", label);
    out->plan = *plan;
    out->ptx_bytes = module ? module->length : 0;
}

/* Lays the images on the shelf, and tells in `asks` where. */
static enum bl_status lay_images(struct bl_worker *worker,
                                 const struct bl_regions *regions,
                                 struct bl_ask_region *asks, struct bl_error *err)
{
    enum bl_status status;
    uint64_t used = 0;

    for (size_t i = 0; i < regions->count; i++) {
        const struct bl_region *region = &regions->at[i];
        asks[i].role = region->role;
        memcpy(asks[i].name, region->name, sizeof asks[i].name);
        asks[i].bytes = region->bytes;
        asks[i].place = bl_shelf_place(&used, region->bytes + 2 * BL_GUARD_BYTES);
    }
    if ((status = bl_shelf_reserve(&worker->shelf, used, err)) != BL_OK)
        return status;
    for (size_t i = 0; i < regions->count; i++)
        memcpy(worker->shelf.at + asks[i].place, regions->at[i].image,
               asks[i].bytes + 2 * BL_GUARD_BYTES);
    return BL_OK;
}

static void take_images(const struct bl_worker *worker, struct bl_regions *regions)
{
    uint64_t used = 0;

    for (size_t i = 0; i < regions->count; i++) {
        const uint64_t bytes = regions->at[i].bytes + 2 * BL_GUARD_BYTES;
        memcpy(regions->at[i].image, worker->shelf.at + bl_shelf_place(&used, bytes),
               bytes);
    }
}

/* Once for each child, apart from the first run that counts, whose time is bounded. */
static enum bl_status ready_counters(struct bl_worker *worker, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    if (worker->fd < 0) /* asking starts it */
        status = bl_worker_ask(worker, BL_OP_HELLO, NULL, 0, NULL, 0, err);
    if (status == BL_OK && !worker->counters_ready) {
        status = ask_long(worker, BL_OP_COUNTERS, worker->count_by, err);
        worker->counters_ready = true;
    }
    return status;
}

void bl_worker_count_by(struct bl_worker *worker, enum bl_counted by)
{
    worker->count_by = by;
}

void bl_worker_rest(struct bl_worker *worker)
{
    char how[128];

    stop(worker, how, sizeof how);
}

/* A question of a job and its regions; the answer as bl_worker_ask, its body too. */
static enum bl_status ask_job(struct bl_worker *worker, uint32_t op,
                              const struct bl_job *job, uint8_t **body_out,
                              struct bl_wire_cursor *cursor_out, struct bl_error *err)
{
    struct bl_ask_region asks[BL_REGION_MAX] = {{0}};
    struct bl_ask_code code;
    const struct bl_wire_part parts[] = {
        {&code, sizeof code},
        {job->module->text, job->module->length},
        {asks, job->regions->count * sizeof *asks},
    };
    struct bl_answer answer;
    enum bl_status status;

    ask_code(&code, job->label, job->plan, job->module);
    code.regions = (uint32_t)job->regions->count;
    status = lay_images(worker, job->regions, asks, err);
    if (status == BL_OK)
        status = ask(worker, op, parts, 3, &answer, body_out, cursor_out, err);
    return status == BL_OK ? settle(worker, &answer, err) : status;
}

enum bl_status bl_worker_run(struct bl_worker *worker, const struct bl_job *job,
                             struct bl_error *err)
{
    struct bl_wire_cursor cursor;
    uint8_t *body = NULL;
    enum bl_status status = ask_job(worker, BL_OP_RUN, job, &body, &cursor, err);

    if (status == BL_OK)
        take_images(worker, job->regions);
    free(body);
    return status;
}

enum bl_status bl_worker_count(struct bl_worker *worker, const struct bl_job *job,
                               struct bl_count_card *out, struct bl_error *err)
{
    struct bl_wire_cursor cursor;
    uint8_t *body = NULL;
    enum bl_status status = ready_counters(worker, err);
    void *block = NULL;

    if (status == BL_OK)
        status = ask_job(worker, BL_OP_COUNT, job, &body, &cursor, err);
    if (status == BL_OK && !(block = bl_wire_take(&cursor, sizeof *out)))
        status = bl_error_set(err, BL_E_INTERNAL, "the GPU worker's answer is too short");
    if (status == BL_OK)
        memcpy(out, block, sizeof *out);
    free(body);
    return status;
}

enum bl_status bl_worker_time_add(struct bl_worker *worker, const char *label,
                                  const struct banklab_plan *plan,
                                  const struct banklab_module *module,
                                  const struct bl_ask_timing *timing,
                                  struct bl_timing_card *out, struct bl_error *err)
{
    struct bl_ask_code code;
    struct bl_wire_part parts[] = {
        {&code, sizeof code},
        {module ? module->text : "", module ? module->length : 0},
        {timing, sizeof *timing},
    };

    ask_code(&code, label, plan, module);
    return bl_worker_ask(worker, BL_OP_TIME_ADD, parts, 3, out, sizeof *out, err);
}

enum bl_status bl_worker_time_round(struct bl_worker *worker, double *out, size_t count,
                                    size_t *lost, struct bl_error *err)
{
    enum bl_status status;

    *worker->place = UINT32_MAX;
    status =
        bl_worker_ask(worker, BL_OP_TIME_ROUND, NULL, 0, out, count * sizeof *out, err);
    if (status == BL_E_FAULT)
        *lost = *worker->place < count ? *worker->place : BL_NO_JOB;
    return status;
}

enum bl_status bl_worker_time_clear(struct bl_worker *worker, struct bl_error *err)
{
    return bl_worker_ask(worker, BL_OP_TIME_CLEAR, NULL, 0, NULL, 0, err);
}
