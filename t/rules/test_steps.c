/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads with one broadcast word a step (cc 1.x): the least and the most steps against a
 * search through all choices, for every way in which the lanes of half a warp can share
 * words and banks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/access.h"
#include "rows.h"

/* Half a warp: 70,569 patterns. */
enum { LANES = 16, KEY = 40, SLOTS = 1 << 18 };

/* What is left: the lanes of each word, greatest first; after each bank's words a 0; the
 * banks in falling order. Ends with another 0. */
struct state {
    uint8_t key[KEY];
};

struct known {
    struct state state;
    uint8_t least, most; /* 0: an empty slot */
};

static struct known *table;
static size_t patterns;

/* ---- states --------------------------------------------------------------------- */

struct banks {
    uint32_t count;
    uint8_t words[LANES][KEY]; /* each ends with 0 */
};

static int falling_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)b - *(const uint8_t *)a;
}

static int falling_banks(const void *a, const void *b)
{
    return strcmp(b, a);
}

static struct banks unpack(const struct state *state)
{
    struct banks banks = {0};
    for (const uint8_t *at = state->key; *at; at += strlen((const char *)at) + 1)
        strcpy((char *)banks.words[banks.count++], (const char *)at);
    return banks;
}

static struct state pack(struct banks banks)
{
    struct state state = {{0}};
    uint8_t *to = state.key;
    for (uint32_t i = 0; i < banks.count; i++)
        qsort(banks.words[i], strlen((char *)banks.words[i]), 1, falling_bytes);
    qsort(banks.words, banks.count, sizeof banks.words[0], falling_banks);
    for (uint32_t i = 0; i < banks.count && banks.words[i][0]; i++) {
        strcpy((char *)to, (char *)banks.words[i]);
        to += strlen((char *)to) + 1;
    }
    return state;
}

static void drop(uint8_t *words, size_t at, uint8_t lanes)
{
    words[at] = (uint8_t)(words[at] - lanes);
    if (words[at] == 0)
        memmove(words + at, words + at + 1, strlen((char *)words + at + 1) + 1);
}

/* ---- the search ----------------------------------------------------------------- */

static struct known *slot_of(const struct state *state)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < KEY; i++)
        hash = (hash ^ state->key[i]) * UINT64_C(0x100000001b3);
    size_t at = hash % SLOTS;
    while (table[at].most && memcmp(&table[at].state, state, sizeof *state) != 0)
        at = (at + 1) % SLOTS;
    return &table[at];
}

static struct bl_access_range {
    uint8_t least, most;
} search(const struct state *state);

/* A step whose broadcast was in bank `broadcast`: banks from `from` on have yet to lose a
 * lane, of any of their words. */
static void serve_others(const struct banks *banks, uint32_t broadcast, uint32_t from,
                         struct bl_access_range *best)
{
    while (from < banks->count && (from == broadcast || !banks->words[from][0]))
        from++;
    if (from == banks->count) {
        struct state next = pack(*banks);
        struct bl_access_range rest = search(&next);
        if (rest.least + 1 < best->least)
            best->least = (uint8_t)(rest.least + 1);
        if (rest.most + 1 > best->most)
            best->most = (uint8_t)(rest.most + 1);
        return;
    }
    const uint8_t *words = banks->words[from];
    for (size_t i = 0; words[i]; i++) {
        if (i > 0 && words[i] == words[i - 1])
            continue; /* words of one size are alike */
        struct banks after = *banks;
        drop(after.words[from], i, 1);
        serve_others(&after, broadcast, from + 1, best);
    }
}

static struct bl_access_range search(const struct state *state)
{
    struct bl_access_range best = {UINT8_MAX, 0};
    struct banks banks = unpack(state);
    struct known *known = slot_of(state);
    if (banks.count == 0)
        return (struct bl_access_range){0, 0};
    if (known->most)
        return (struct bl_access_range){known->least, known->most};
    for (uint32_t i = 0; i < banks.count; i++)
        for (size_t w = 0; banks.words[i][w]; w++) {
            struct banks after = banks;
            drop(after.words[i], w, after.words[i][w]);
            serve_others(&after, i, 0, &best);
        }
    known = slot_of(state); /* which the search may have moved on */
    *known = (struct known){*state, best.least, best.most};
    return best;
}

/* ---- the engine ------------------------------------------------------------------ */

static struct bl_shared_cost engine(const struct bl_arch *arch, const struct banks *banks)
{
    struct bl_shared_cost cost;
    uint32_t address[32] = {0}, lane = 0;
    for (uint32_t b = 0; b < banks->count; b++)
        for (uint32_t w = 0; banks->words[b][w]; w++)
            for (uint32_t l = 0; l < banks->words[b][w]; l++)
                address[lane++] = 4 * (b + arch->banks * w);
    bl_access_shared(arch, false, 4, (UINT32_C(1) << lane) - 1, address, &cost);
    return cost;
}

static void compare(const struct bl_arch *arch, const struct banks *banks)
{
    struct state state = pack(*banks);
    struct bl_access_range want = search(&state);
    struct bl_shared_cost got = engine(arch, banks);
    patterns++;
    if (got.wavefronts_least != want.least || got.wavefronts != want.most)
        fail_msg("%u to %u steps, not %u to %u; the first bank has %u words",
                 got.wavefronts_least, got.wavefronts, want.least, want.most,
                 (unsigned)strlen((const char *)banks->words[0]));
}

/* Every way to share `left` more lanes: further words of the last bank, none of them
 * with more lanes than the one before; then further banks, none greater than the last. */
static void share(const struct bl_arch *arch, struct banks *banks, uint32_t left)
{
    uint8_t *last = banks->words[banks->count - 1];
    size_t words = strlen((char *)last);
    if (left == 0) {
        compare(arch, banks);
        return;
    }
    for (uint8_t lanes = 1; lanes <= left; lanes++) {
        if (words > 0 && lanes > last[words - 1])
            break;
        last[words] = lanes;
        last[words + 1] = 0;
        if (banks->count < 2 ||
            strcmp((char *)last, (char *)banks->words[banks->count - 2]) <= 0)
            share(arch, banks, left - lanes);
        last[words] = 0;
    }
    if (words > 0) {
        banks->words[banks->count++][0] = 0;
        share(arch, banks, left);
        banks->count--;
    }
}

static void test_all_choices(void **state)
{
    struct bl_arch arch;
    struct banks banks = {.count = 1};
    (void)state;
    arch_of("cc10", &arch);
    table = calloc(SLOTS, sizeof *table);
    assert_non_null(table);
    for (uint32_t lanes = 1; lanes <= LANES; lanes++)
        share(&arch, &banks, lanes);
    free(table);
    print_message("# %zu patterns\n", patterns);
    assert_true(patterns == 70569);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_choices)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
