/* SPDX-License-Identifier: Apache-2.0
 *
 * What is remembered of accesses: the costliest, and how many are like it, whatever the
 * number of workers and launches.
 */
#include "machine_test.h"

#include "explain/seen.h"

enum { BLOCKS = 500 };

static const struct bl_seen *find(const struct bl_seen_list *list,
                                  enum bl_ptx_space space)
{
    size_t count;
    const struct bl_seen *all = bl_seen_all(list, &count);

    for (size_t i = 0; i < count; i++)
        if (all[i].space == space)
            return &all[i];
    fail_msg("not seen");
    return NULL;
}

static struct bl_seen_list *see(const char *file, struct run run, int launches,
                                struct machine *m)
{
    struct bl_seen_list *list;

    machine_open(m, file, 8192);
    assert_int_equal(bl_seen_new(&list, &m->err), BL_OK);
    run.watcher = bl_seen_watcher(list);
    for (int i = 0; i < launches; i++)
        machine_run(m, run);
    return list;
}

/* Warps store to every second word, and all lanes to the block's word of the output. */
static void check_pair(uint32_t threads, int launches)
{
    struct machine m;
    struct bl_seen_list *list = see(
        "watch.ptx",
        (struct run){.kernel = "pair", .grid = BLOCKS, .block = 64, .threads = threads},
        launches, &m);
    const struct bl_seen *shared = find(list, BL_SPACE_SHARED);
    const struct bl_seen *global = find(list, BL_SPACE_GLOBAL);
    const struct bl_insn_counts *counts;
    const uint64_t all = 2u * BLOCKS * (uint64_t)launches;
    size_t count;

    assert_int_equal(bl_seen_launches(list), launches);
    assert_string_equal(bl_seen_arch(list)->name, "cc90");
    assert_int_equal(shared->op, BL_WATCH_STORE);
    assert_int_equal(shared->form, BL_WATCH_PLAIN);
    assert_int_equal(shared->width, 4);
    assert_string_equal(shared->func->name, "pair");
    assert_int_equal(shared->insn->loc_line, 7);
    assert_true(shared->counted);
    assert_int_equal(shared->executions, all);
    assert_int_equal(shared->warps, all);
    assert_int_equal(shared->patterns, 1);
    assert_int_equal(shared->like_worst, all);
    assert_int_equal(shared->warps_like_worst, all);
    assert_int_equal(shared->worst.launch, 0);
    assert_int_equal(shared->worst.block, 0);
    assert_int_equal(shared->worst.warp, 0);
    assert_int_equal(shared->worst.mask, UINT32_MAX);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(shared->worst.address[l], 8 * l);
    /* A word may be the first to the eighth of its sector. */
    assert_int_equal(global->executions, all);
    assert_int_equal(global->patterns, 8);
    assert_int_equal(global->like_worst, 2 * 63u * (uint64_t)launches);
    assert_int_equal(global->warps_like_worst, 2 * 63u * (uint64_t)launches);

    counts = bl_seen_counts(list, &count);
    assert_int_equal(count, 2);
    assert_true(counts[0].is_shared);
    assert_int_equal(counts[0].wavefronts, 2 * all);
    assert_int_equal(counts[0].ideal, all);
    assert_int_equal(counts[0].ways, 2);
    assert_int_equal(counts[1].sectors, all);
    bl_seen_free(list);
    machine_close(&m);
}

static void test_workers(void **state)
{
    (void)state;
    check_pair(1, 1);
    check_pair(4, 1);
    check_pair(3, 2);
}

/* A warp whose lanes access one word each for itself and lanes in two spaces. */
static void test_spaces(void **state)
{
    struct machine m;
    struct bl_seen_list *list =
        see("counts.ptx", (struct run){.kernel = "mixed", .threads = 1}, 1, &m);
    size_t count, shared = 0;
    const struct bl_seen *all = bl_seen_all(list, &count);

    (void)state;
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        const bool generic = strcmp(all[i].insn->op, "ld") == 0;

        shared += all[i].space == BL_SPACE_SHARED;
        if (generic)
            assert_int_equal(all[i].worst.mask,
                             all[i].space == BL_SPACE_SHARED ? 0x55555555 : 0xaaaaaaaa);
        /* Lanes outside the mask have no address. */
        if (generic)
            assert_int_equal(all[i].worst.address[all[i].space == BL_SPACE_SHARED], 0);
    }
    assert_int_equal(shared, 2);
    bl_seen_free(list);
    machine_close(&m);
}

static void test_failure(void **state)
{
    struct bl_seen_list *list;
    struct machine m;
    size_t count;

    (void)state;
    machine_open(&m, "watch.ptx", 8192);
    assert_int_equal(bl_seen_new(&list, &m.err), BL_OK);
    FAULTS(&m, ((struct run){.kernel = "past", .watcher = bl_seen_watcher(list)}),
           "out of bounds");
    assert_int_equal(bl_seen_launches(list), 0);
    bl_seen_all(list, &count);
    assert_int_equal(count, 0);
    bl_seen_counts(list, &count);
    assert_int_equal(count, 0);
    assert_string_equal(bl_seen_arch(list)->name, "");
    bl_seen_free(list);
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest seen[] = {TEST(test_workers), TEST(test_spaces),
                                      TEST(test_failure)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(seen, NULL, NULL);
}
