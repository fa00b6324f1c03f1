/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of this folder, words changed for others of their kind (the same way each
 * time): each still runs, faults, or is refused, and never crashes. Under
 * AddressSanitizer this says most.
 */
#include "machine_test.h"

enum { MUTANTS = 250, WORDS = 4096, KERNELS = 8 };

static const char between[] = " \t\n,;[]{}";
static uint64_t state_of_dice = 20250101;

static uint32_t dice(uint32_t below)
{
    state_of_dice = state_of_dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_dice >> 33) % below;
}

struct word {
    size_t at, length;
};

/* Registers, numbers, what has a dot, the rest. */
static int kind(const char *text, struct word w)
{
    char first = text[w.at];
    if (first == '%')
        return 0;
    if ((first >= '0' && first <= '9') || first == '-')
        return 1;
    return memchr(text + w.at, '.', w.length) ? 2 : 3;
}

static size_t split(const char *text, struct word *words)
{
    size_t count = 0, at = strspn(text, between);
    while (text[at] && count < WORDS) {
        words[count] = (struct word){at, strcspn(text + at, between)};
        at += words[count++].length;
        at += strspn(text + at, between);
    }
    return count;
}

/* A fresh text, in which one word stands in the place of another. */
static char *mutant(const char *text, const struct word *words, size_t count)
{
    struct word to = words[dice((uint32_t)count)], from = to;
    for (int tries = 0; tries < 1000; tries++) {
        from = words[dice((uint32_t)count)];
        if (kind(text, from) == kind(text, to))
            break;
    }
    return bl_text_format("%.*s%.*s%s", (int)to.at, text, (int)from.length,
                          text + from.at, text + to.at + to.length);
}

/* How many of its kernels ran to their end. */
static size_t try_kernels(const char *text, struct machine *m)
{
    const char *const *kernels;
    size_t count, ran = 0;
    if (bl_program_new("m.ptx", text, strlen(text), &m->program, &m->err) != BL_OK) {
        assert_int_equal(m->err.status, BL_E_INPUT);
        return 0;
    }
    assert_int_equal(bl_memory_map(m->program, m->spans, 2, &m->memory, &m->err), BL_OK);
    count = bl_program_kernels(m->program, &kernels);
    for (size_t i = 0; i < count && i < KERNELS; i++) {
        enum bl_status status =
            machine_try(m, (struct run){.kernel = kernels[dice((uint32_t)count)],
                                        .grid = 2,
                                        .block = 40,
                                        .shared = 256,
                                        .n = 5,
                                        .steps = 1000});
        assert_true(status == BL_OK || status == BL_E_INPUT || status == BL_E_FAULT);
        ran += status == BL_OK;
    }
    bl_memory_unmap(m->memory);
    bl_program_free(m->program);
    return ran;
}

/* At least so many of their kernels run to their end in spite of it. */
static void change(const char *name, size_t least)
{
    static struct word words[WORDS];
    struct machine m = {.program = NULL};
    size_t length, count, ran = 0;
    char *text = machine_text(name, &length);
    m.block = aligned_alloc(256, 2 * BUFFER);
    assert_non_null(m.block);
    memset(m.block, 0, 2 * BUFFER);
    m.spans[0] = (struct bl_span){.name = "output", .payload = m.block, .bytes = BUFFER};
    m.spans[1] =
        (struct bl_span){.name = "input", .payload = m.block + BUFFER, .bytes = BUFFER};
    count = split(text, words);
    for (int i = 0; i < MUTANTS; i++) {
        char *changed = mutant(text, words, count);
        assert_non_null(changed);
        ran += try_kernels(changed, &m);
        free(changed);
    }
    assert_in_range(ran, least, MUTANTS * KERNELS - 1);
    free(m.block);
    free(text);
}

static void flow(void **state)
{
    (void)state;
    change("flow.ptx", MUTANTS / 4);
}
static void calls(void **state)
{
    (void)state;
    change("calls.ptx", MUTANTS / 4);
}
static void memory(void **state)
{
    (void)state;
    change("memory.ptx", MUTANTS / 4);
}
static void barrier(void **state)
{
    (void)state;
    change("barrier.ptx", MUTANTS / 4);
}
static void atomic(void **state)
{
    (void)state;
    change("atomic.ptx", MUTANTS / 4);
}
static void bulk(void **state)
{
    (void)state;
    change("bulk.ptx", MUTANTS / 6); /* none with tensor maps runs here */
}
static void counts(void **state)
{
    (void)state;
    change("counts.ptx", MUTANTS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(flow),    TEST(calls),  TEST(memory),
                                       TEST(barrier), TEST(atomic), TEST(bulk),
                                       TEST(counts)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
