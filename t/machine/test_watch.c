/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher is told, in which order; that it is told all, from several workers; that
 * its errors end the launch.
 */
#include "machine_test.h"

#include <inttypes.h>

#include "model/watch.h"

/* ---- a watcher that writes down what it is told --------------------------------------
 */

struct log {
    char text[8192];
    size_t used;
    const struct machine *m;
};

__attribute__((format(printf, 2, 3))) static void say(struct log *log, const char *format,
                                                      ...)
{
    va_list ap;
    va_start(ap, format);
    log->used += (size_t)vsnprintf(log->text + log->used, sizeof log->text - log->used,
                                   format, ap);
    va_end(ap);
    assert_true(log->used < sizeof log->text);
}

static enum bl_status log_begin(void *ctx, const struct bl_watch_launch *launch,
                                struct bl_error *err)
{
    (void)err;
    assert_ptr_equal(launch->arch, &test_arch);
    assert_int_equal(launch->workers, 1);
    assert_true(launch->sites > 0 || strcmp(launch->kernel->name, "ends") == 0);
    say(ctx,
        "begin %s: %" PRIu64 " blocks of %u threads in %u warps, %" PRIu64 " bytes\n",
        launch->kernel->name, launch->blocks, launch->threads, launch->warps,
        launch->shared_bytes);
    return BL_OK;
}

static enum bl_status log_end(void *ctx, const struct bl_watch_launch *launch,
                              const struct bl_model_profile *profile,
                              struct bl_error *err)
{
    (void)launch;
    assert_int_equal(!profile, !err);
    say(ctx, "end%s\n", profile ? "" : " in failure");
    return BL_OK;
}

static void log_block_begin(void *ctx, uint32_t worker, uint64_t block)
{
    assert_int_equal(worker, 0);
    say(ctx, "block %" PRIu64 "\n", block);
}

static void log_block_end(void *ctx, uint32_t worker, uint64_t block, bool whole)
{
    assert_int_equal(worker, 0);
    say(ctx, "end %" PRIu64 "%s\n", block, whole ? "" : " early");
}

static void say_cost(struct log *log, const struct bl_watch_access *access)
{
    if (access->shared)
        say(log, ", %u wavefronts", access->shared->wavefronts);
    if (access->loads)
        say(log, " and %u", access->loads->wavefronts);
    if (access->global)
        say(log, ", %u sectors", access->global->sectors);
}

static enum bl_status log_access(void *ctx, const struct bl_watch_access *access,
                                 struct bl_error *err)
{
    static const char *const ops[] = {"load", "store", "atomic"};
    static const char *const forms[] = {"", " matrix", " async"};
    struct log *log = ctx;
    const uint32_t first = (uint32_t)__builtin_ctz(access->mask);
    const uint32_t last = 31 - (uint32_t)__builtin_clz(access->mask);
    const bool shared = access->space == BL_SPACE_SHARED;
    const uint64_t base = shared ? 0 : log->m->spans[0].address;

    (void)err;
    assert_non_null(access->at.func);
    assert_true(shared || access->space == BL_SPACE_GLOBAL);
    say(log, "w%u %s%s %s %u %08x", access->at.warp, access->at.insn->op,
        forms[access->form], ops[access->op], access->width, access->mask);
    if (shared || access->address[first] - base < 65536)
        say(log, " %s %" PRIu64 "-%" PRIu64, shared ? "shared" : "out",
            access->address[first] - base, access->address[last] - base);
    say_cost(log, access);
    say(log, "\n");
    return BL_OK;
}

static enum bl_status log_sync(void *ctx, const struct bl_watch_sync *sync,
                               struct bl_error *err)
{
    struct log *log = ctx;

    (void)err;
    say(log, "w%u ", sync->at.warp);
    switch (sync->kind) {
    case BL_WATCH_ARRIVE:
        say(log, "%s at %u of %u, %08x, epoch %" PRIu64 "\n",
            sync->waits ? "waits" : "arrives", sync->barrier, sync->threads, sync->mask,
            sync->epoch);
        break;
    case BL_WATCH_OPEN:
        say(log, "%s %u, epoch %" PRIu64 ": %" PRIx64 " arrived, %" PRIx64 " waited\n",
            sync->at.insn ? "opens" : "opens by its end", sync->barrier, sync->epoch,
            sync->arrived, sync->waited);
        break;
    case BL_WATCH_WARP_SYNC: say(log, "meets %08x\n", sync->mask); break;
    case BL_WATCH_COMMIT: say(log, "commits %08x\n", sync->mask); break;
    case BL_WATCH_WAIT:
        say(log, "has copied %08x but for %u\n", sync->mask, sync->groups);
        break;
    case BL_WATCH_FENCE: say(log, "fence %08x\n", sync->mask); break;
    case BL_WATCH_WARP_END: say(log, "ended %08x\n", sync->mask); break;
    case BL_WATCH_OBJECT_ARRIVE: say(log, "arrives by object %08x\n", sync->mask); break;
    case BL_WATCH_OBJECT_SEEN: say(log, "has seen object %08x\n", sync->mask); break;
    }
    return BL_OK;
}

static const struct bl_watcher logger = {.begin = log_begin,
                                         .end = log_end,
                                         .block_begin = log_block_begin,
                                         .block_end = log_block_end,
                                         .access = log_access,
                                         .sync = log_sync};

static void logs(const char *file, struct run run, enum bl_status status,
                 const char *expected)
{
    struct machine m;
    struct log log = {.used = 0};
    struct bl_watcher watcher = logger;

    machine_open(&m, file, 8192);
    log.m = &m;
    watcher.ctx = &log;
    run.watcher = &watcher;
    if (machine_try(&m, run) != status)
        fail_msg("%s: %s", run.kernel, m.err.text);
    assert_string_equal(log.text, expected);
    machine_close(&m);
}

/* ---- what is told --------------------------------------------------------------------
 */

static void test_order(void **state)
{
    (void)state;
    logs("barrier.ptx", (struct run){.kernel = "exchange", .block = 48}, BL_OK,
         "begin exchange: 1 blocks of 48 threads in 2 warps, 1024 bytes\n"
         "block 0\n"
         "w0 st store 4 ffffffff shared 0-124, 1 wavefronts\n"
         "w0 waits at 0 of 0, ffffffff, epoch 0\n"
         "w1 st store 4 0000ffff shared 128-188, 1 wavefronts\n"
         "w1 waits at 0 of 0, 0000ffff, epoch 0\n"
         "w1 opens 0, epoch 0: 3 arrived, 3 waited\n"
         "w1 ld load 4 0000ffff shared 60-0, 1 wavefronts\n"
         "w1 st store 4 0000ffff out 128-188, 2 sectors\n"
         "w1 ended 0000ffff\n"
         "w0 ld load 4 ffffffff shared 188-64, 1 wavefronts\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

static void test_arrivals(void **state)
{
    (void)state;
    logs("barrier.ptx", (struct run){.kernel = "producer", .block = 64}, BL_OK,
         "begin producer: 1 blocks of 64 threads in 2 warps, 128 bytes\n"
         "block 0\n"
         "w0 st store 4 ffffffff shared 0-124, 1 wavefronts\n"
         "w0 arrives at 3 of 64, ffffffff, epoch 0\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 ended ffffffff\n"
         "w1 waits at 3 of 64, ffffffff, epoch 0\n"
         "w1 opens 3, epoch 0: 3 arrived, 2 waited\n"
         "w1 ld load 4 ffffffff shared 0-124, 1 wavefronts\n"
         "w1 st store 4 ffffffff out 128-252, 4 sectors\n"
         "w1 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

static void test_ends(void **state)
{
    (void)state;
    logs("watch.ptx", (struct run){.kernel = "ends", .block = 64}, BL_OK,
         "begin ends: 1 blocks of 64 threads in 2 warps, 0 bytes\n"
         "block 0\n"
         "w0 waits at 0 of 0, ffffffff, epoch 0\n"
         "w1 ended ffffffff\n"
         "w1 opens by its end 0, epoch 0: 1 arrived, 1 waited\n"
         "w0 fence ffffffff\n"
         "w0 waits at 0 of 0, ffffffff, epoch 1\n"
         "w0 opens 0, epoch 1: 1 arrived, 1 waited\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

static void test_warp_sync(void **state)
{
    (void)state;
    logs("barrier.ptx", (struct run){.kernel = "warp_sync"}, BL_OK,
         "begin warp_sync: 1 blocks of 32 threads in 1 warps, 0 bytes\n"
         "block 0\n"
         "w0 meets 0000ffff\n"
         "w0 meets ffff0000\n"
         "w0 meets ffffffff\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

/* A generic load of two spaces is two accesses, each as what it is. */
static void test_generic(void **state)
{
    (void)state;
    logs("counts.ptx", (struct run){.kernel = "mixed"}, BL_OK,
         "begin mixed: 1 blocks of 32 threads in 1 warps, 128 bytes\n"
         "block 0\n"
         "w0 st store 4 ffffffff shared 0-124, 1 wavefronts\n"
         "w0 ld load 4 55555555 shared 0-120, 1 wavefronts\n"
         "w0 ld load 4 aaaaaaaa, 4 sectors\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

static void test_special(void **state)
{
    (void)state;
    logs("matrix.ptx", (struct run){.kernel = "ldm1"}, BL_OK,
         "begin ldm1: 1 blocks of 32 threads in 1 warps, 512 bytes\n"
         "block 0\n"
         "w0 ld load 16 ffffffff, 16 sectors\n"
         "w0 st store 16 ffffffff shared 48-480, 4 wavefronts\n"
         "w0 waits at 0 of 0, ffffffff, epoch 0\n"
         "w0 opens 0, epoch 0: 1 arrived, 1 waited\n"
         "w0 ldmatrix matrix load 16 000000ff shared 48-96, 1 wavefronts\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
    logs("matrix.ptx", (struct run){.kernel = "cpnone"}, BL_OK,
         "begin cpnone: 1 blocks of 32 threads in 1 warps, 512 bytes\n"
         "block 0\n"
         "w0 cp async store 16 ffffffff shared 0-496, 32 wavefronts\n"
         "w0 commits ffffffff\n"
         "w0 has copied ffffffff but for 0\n"
         "w0 ld load 4 ffffffff shared 0-496, 4 wavefronts\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

/* Atomics of global memory are told, and cost nothing that is known. */
static void test_atomics(void **state)
{
    (void)state;
    logs("atomic.ptx", (struct run){.kernel = "s_add"}, BL_OK,
         "begin s_add: 1 blocks of 32 threads in 1 warps, 4 bytes\n"
         "block 0\n"
         "w0 st store 4 00000001 shared 0-0, 1 wavefronts\n"
         "w0 waits at 0 of 0, ffffffff, epoch 0\n"
         "w0 opens 0, epoch 0: 1 arrived, 1 waited\n"
         "w0 atom atomic 4 ffffffff shared 0-0, 32 wavefronts\n"
         "w0 waits at 0 of 0, ffffffff, epoch 1\n"
         "w0 opens 0, epoch 1: 1 arrived, 1 waited\n"
         "w0 ld load 4 ffffffff shared 0-0, 1 wavefronts\n"
         "w0 st store 4 ffffffff out 0-124, 4 sectors\n"
         "w0 st store 4 ffffffff out 1024-1024, 1 sectors\n"
         "w0 ended ffffffff\n"
         "end 0\n"
         "end\n");
}

static void test_fault(void **state)
{
    (void)state;
    logs("watch.ptx", (struct run){.kernel = "past"}, BL_E_FAULT,
         "begin past: 1 blocks of 32 threads in 1 warps, 128 bytes\n"
         "block 0\n"
         "w0 st store 4 ffffffff shared 0-124, 1 wavefronts\n"
         "end 0 early\n"
         "end in failure\n");
}

/* ---- several workers -----------------------------------------------------------------
 */

enum { WORKERS = 4, BLOCKS = 500 };

struct tally {
    uint64_t block[WORKERS];
    uint64_t wavefronts[WORKERS], stores[WORKERS], ends[WORKERS];
    uint8_t begun[BLOCKS], ended[BLOCKS];
    uint64_t profiled;
};

static void tally_begin(void *ctx, uint32_t worker, uint64_t block)
{
    struct tally *tally = ctx;

    tally->block[worker] = block;
    tally->begun[block]++;
}

static void tally_end(void *ctx, uint32_t worker, uint64_t block, bool whole)
{
    struct tally *tally = ctx;

    if (whole && tally->block[worker] == block)
        tally->ended[block]++;
}

static enum bl_status tally_access(void *ctx, const struct bl_watch_access *access,
                                   struct bl_error *err)
{
    struct tally *tally = ctx;
    const uint32_t worker = access->at.worker;

    if (tally->block[worker] != access->at.block)
        return bl_error_set(err, BL_E_INTERNAL, "not the block that was begun");
    if (access->shared)
        tally->wavefronts[worker] += access->shared->wavefronts;
    tally->stores[worker] += access->op == BL_WATCH_STORE;
    return BL_OK;
}

static enum bl_status tally_sync(void *ctx, const struct bl_watch_sync *sync,
                                 struct bl_error *err)
{
    struct tally *tally = ctx;

    (void)err;
    tally->ends[sync->at.worker] += sync->kind == BL_WATCH_WARP_END;
    return BL_OK;
}

static enum bl_status tally_profile(void *ctx, const struct bl_watch_launch *launch,
                                    const struct bl_model_profile *profile,
                                    struct bl_error *err)
{
    struct tally *tally = ctx;

    (void)launch;
    (void)err;
    for (size_t i = 0; i < profile->count; i++)
        tally->profiled += profile->at[i].wavefronts;
    return BL_OK;
}

static uint64_t sum(const uint64_t of[WORKERS])
{
    return of[0] + of[1] + of[2] + of[3];
}

static void test_workers(void **state)
{
    static struct tally tally;
    const struct bl_watcher watcher = {.ctx = &tally,
                                       .end = tally_profile,
                                       .block_begin = tally_begin,
                                       .block_end = tally_end,
                                       .access = tally_access,
                                       .sync = tally_sync};
    struct bl_model_profile profile;
    struct machine m;

    (void)state;
    machine_open(&m, "watch.ptx", 8192);
    machine_run(&m, (struct run){.kernel = "pair",
                                 .grid = BLOCKS,
                                 .block = 64,
                                 .threads = WORKERS,
                                 .profile = &profile,
                                 .watcher = &watcher});
    for (int i = 0; i < BLOCKS; i++)
        if (tally.begun[i] != 1 || tally.ended[i] != 1)
            fail_msg("block %d began %d times and ended %d", i, tally.begun[i],
                     tally.ended[i]);
    assert_int_equal(sum(tally.wavefronts), 2 * 2 * BLOCKS);
    assert_int_equal(sum(tally.stores), 2 * 2 * BLOCKS);
    assert_int_equal(sum(tally.ends), 2 * BLOCKS);
    assert_int_equal(tally.profiled, 2 * 2 * BLOCKS);
    assert_int_equal(m.counts.shared_store.wavefronts, 2 * 2 * BLOCKS);
    assert_int_equal(profile.count, 2);
    assert_int_equal(profile.at[0].wavefronts, 2 * 2 * BLOCKS);
    assert_string_equal(profile.at[0].file, "watch.cu");
    bl_model_profile_free(&profile);
    machine_close(&m);
}

/* ---- a watcher that objects ----------------------------------------------------------
 */

enum stage { AT_BEGIN, AT_ACCESS, AT_SYNC, AT_END };

struct objector {
    enum stage stage;
    bool told_of_failure;
};

static enum bl_status object(const struct objector *o, enum stage stage, uint64_t block,
                             struct bl_error *err)
{
    if (o->stage != stage || block < 3)
        return BL_OK;
    return bl_error_set(err, BL_E_FAULT, "objection in block %" PRIu64, block);
}

static enum bl_status object_begin(void *ctx, const struct bl_watch_launch *launch,
                                   struct bl_error *err)
{
    (void)launch;
    return object(ctx, AT_BEGIN, 3, err);
}

static enum bl_status object_end(void *ctx, const struct bl_watch_launch *launch,
                                 const struct bl_model_profile *profile,
                                 struct bl_error *err)
{
    struct objector *o = ctx;

    (void)launch;
    o->told_of_failure = !profile;
    return profile ? object(ctx, AT_END, 3, err) : BL_E_INTERNAL;
}

static enum bl_status object_access(void *ctx, const struct bl_watch_access *access,
                                    struct bl_error *err)
{
    return object(ctx, AT_ACCESS, access->at.block, err);
}

static enum bl_status object_sync(void *ctx, const struct bl_watch_sync *sync,
                                  struct bl_error *err)
{
    return object(ctx, AT_SYNC, sync->at.block, err);
}

static void test_objections(void **state)
{
    struct machine m;

    (void)state;
    machine_open(&m, "watch.ptx", 8192);
    for (enum stage stage = AT_BEGIN; stage <= AT_END; stage++) {
        struct objector o = {.stage = stage};
        const struct bl_watcher watcher = {.ctx = &o,
                                           .begin = object_begin,
                                           .end = object_end,
                                           .access = object_access,
                                           .sync = object_sync};
        struct bl_model_profile profile = {.count = 99};

        FAULTS(&m,
               ((struct run){.kernel = "pair",
                             .grid = BLOCKS,
                             .threads = WORKERS,
                             .profile = &profile,
                             .watcher = &watcher}),
               "objection in block 3");
        assert_int_equal(o.told_of_failure, stage == AT_ACCESS || stage == AT_SYNC);
        assert_int_equal(m.counts.blocks, 0);
        assert_int_equal(profile.count, 99);
    }
    machine_close(&m);
}

/* One that wants to know nothing changes nothing. */
static void test_nothing(void **state)
{
    const struct bl_watcher watcher = {.ctx = NULL};
    struct bl_counts counts;
    struct machine m;

    (void)state;
    machine_open(&m, "barrier.ptx", 8192);
    machine_run(&m, (struct run){.kernel = "exchange", .grid = 3, .block = 96});
    counts = m.counts;
    machine_run(
        &m,
        (struct run){.kernel = "exchange", .grid = 3, .block = 96, .watcher = &watcher});
    assert_memory_equal(&counts, &m.counts, sizeof counts);
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest watch[] = {
        TEST(test_order),      TEST(test_arrivals), TEST(test_ends),
        TEST(test_warp_sync),  TEST(test_generic),  TEST(test_special),
        TEST(test_atomics),    TEST(test_fault),    TEST(test_workers),
        TEST(test_objections), TEST(test_nothing)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(watch, NULL, NULL);
}
