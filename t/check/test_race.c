/* SPDX-License-Identifier: Apache-2.0
 *
 * What is a race, and what is none: small kernels, each of which does one thing right or
 * wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cc90.h"
#include "check/race.h"

enum { BYTES = 65536, PAGES = 64 };

/* Around each body: own places and those of others in shared memory, by words.
 *   %own  the thread's; %next  that of the thread a warp further, round and round;
 *   %side that of the neighbouring lane; %s  the first; %out, %in  buffers, %mine  the
 *   block's word of the output; %w0, %w1  is in warp 0, 1; %l0  is lane 0 */
static const char head[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".global .align 4 .u32 kept;\n"
    ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
    ".reg .u32 %t, %l, %w, %b, %n, %s, %own, %next, %side, %x, %y;\n"
    ".reg .u64 %out, %in, %mine, %far, %z;\n"
    ".reg .pred %w0, %w1, %w2, %l0, %p;\n"
    ".shared .align 16 .b8 memory[8192];\n"
    "ld.param.u64 %out, [out]; ld.param.u64 %in, [in];\n"
    "mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %b, %ctaid.x;\n"
    "and.b32 %l, %t, 31; shr.u32 %w, %t, 5; mov.u32 %s, memory;\n"
    "mad.lo.u32 %own, %t, 4, %s;\n"
    "add.u32 %x, %t, 32; rem.u32 %x, %x, %n; mad.lo.u32 %next, %x, 4, %s;\n"
    "xor.b32 %x, %t, 1; mad.lo.u32 %side, %x, 4, %s;\n"
    "mad.wide.u32 %mine, %b, 4, %out;\n"
    "setp.eq.u32 %w0, %w, 0; setp.eq.u32 %w1, %w, 1; setp.eq.u32 %w2, %w, 2;\n"
    "setp.eq.u32 %l0, %l, 0; mov.u32 %y, 0;\n";
static const char tail[] = "\nEND: ret;\n}\n";

struct example {
    const char *what, *body, *shows; /* "": nothing */
    uint32_t block, grid;            /* 0: 64 threads, 1 block */
    uint32_t cc;                     /* 0: 90 */
    uint32_t launches;               /* 0: 1 */
};

/* What it is about, its body, and what is found: "": nothing. */
#define EXAMPLE(about, text, found, ...)                                                 \
    {                                                                                    \
        .what = about, .body = text, .shows = found, __VA_ARGS__                         \
    }

static const struct example examples[] = {
    EXAMPLE("a barrier orders warps",
            "st.shared.u32 [%own], %t; bar.sync 0; ld.shared.u32 %x, [%next];", ""),
    EXAMPLE("without one they race",
            "st.shared.u32 [%own], %t; ld.shared.u32 %x, [%next];", "shared warps"),
    EXAMPLE("a load before a store races too",
            "ld.shared.u32 %x, [%next]; st.shared.u32 [%own], %t;", "shared warps"),
    EXAMPLE("a barrier too early orders nothing behind it",
            "bar.sync 0; st.shared.u32 [%own], %t; ld.shared.u32 %x, [%next];",
            "shared warps"),
    EXAMPLE("loads don't race", "ld.shared.u32 %x, [%next]; ld.shared.u32 %x, [%own];",
            ""),
    EXAMPLE("two stores race", "st.shared.u32 [%s], %w; ", "shared warps"),
    EXAMPLE("but not of the same value, which is told apart", "st.shared.u32 [%s], 7; ",
            "shared warps same"),
    EXAMPLE("bar.red orders too",
            "st.shared.u32 [%own], %t; bar.red.popc.u32 %x, 0, %w0; ld.shared.u32 %x, "
            "[%next];",
            ""),

    EXAMPLE("lanes of a warp race in different instructions",
            "st.shared.u32 [%own], %t; ld.shared.u32 %x, [%side];", "shared lanes"),
    EXAMPLE("until they meet",
            "st.shared.u32 [%own], %t; bar.warp.sync -1; ld.shared.u32 %x, [%side];", ""),
    EXAMPLE("those who meet",
            "setp.lt.u32 %p, %l, 16; st.shared.u32 [%own], %t; @%p bar.warp.sync 0xffff;"
            " @%p ld.shared.u32 %x, [%side];",
            ""),
    EXAMPLE("and not the others",
            "setp.lt.u32 %p, %l, 16; st.shared.u32 [%own], %t; @%p bar.warp.sync 0xffff;"
            " @!%p ld.shared.u32 %x, [%side];",
            "shared lanes"),
    EXAMPLE("not before compute capability 7.0",
            "st.shared.u32 [%own], %t; ld.shared.u32 %x, [%side];", "", .cc = 60),
    EXAMPLE(
        "a thread does not race with itself",
        "st.shared.u32 [%own], %t; ld.shared.u32 %x, [%own]; st.shared.u32 [%own], %x;",
        ""),
    EXAMPLE("one instruction, two values", "st.shared.u32 [%s], %l;", "shared values",
            .block = 32),
    EXAMPLE("one instruction, one value", "st.shared.u32 [%s], %w;", "", .block = 32),
    EXAMPLE(
        "an instruction again is another one",
        "mov.u32 %y, 2;\nLOOP: add.u32 %x, %y, %l; setp.eq.u32 %p, %l, %y;"
        " @%p st.shared.u32 [%s], %x; sub.u32 %y, %y, 1; setp.ne.u32 %p, %y, 0; @%p bra "
        "LOOP;",
        "shared lanes", .block = 32),

    EXAMPLE("atomics don't race with each other", "atom.shared.add.u32 %x, [%s], 1;", ""),
    EXAMPLE("but with loads", "atom.shared.add.u32 %x, [%s], 1; ld.shared.u32 %x, [%s];",
            "shared warps"),
    EXAMPLE("relaxed accesses are as atomics",
            "st.relaxed.cta.shared.u32 [%s], %w; ld.relaxed.cta.shared.u32 %x, [%s];"
            " red.shared.add.u32 [%s], 1;",
            ""),
    EXAMPLE("volatile ones are not", "st.volatile.shared.u32 [%s], %w;", "shared warps"),

    EXAMPLE("neighbouring bytes are none of each other's business",
            "add.u32 %x, %s, %t; bar.sync 0; st.shared.u8 [%x], %t;", ""),
    EXAMPLE(
        "a byte of a word is",
        "st.shared.u32 [%own], %t; and.b32 %x, %t, 3; shl.b32 %y, %t, 2; add.u32 %x, %x, "
        "%next;"
        " st.shared.u8 [%x], %t;",
        "shared warps"),
    EXAMPLE(
        "after a narrow access wide ones still count",
        "@%w0 st.shared.v4.u32 [%s+4096], {%t, %t, %t, %t}; @%w1 ld.shared.u8 %x, [%s+8];"
        " @%w1 ld.shared.u8 %x, [%s+4109];",
        "shared values shared warps"),

    EXAMPLE("a named barrier: who arrives comes before who waits",
            "@%w0 st.shared.u32 [%own], %t; @%w0 bar.arrive 1, 64; @%w1 bar.sync 1, 64;"
            " @%w1 ld.shared.u32 %x, [%next];",
            ""),
    EXAMPLE("what it does after it arrived does not",
            "@%w0 bar.arrive 1, 64; @%w0 st.shared.u32 [%own], %t; @%w1 bar.sync 1, 64;"
            " @%w1 ld.shared.u32 %x, [%next];",
            "shared warps"),
    EXAMPLE("nor is it ordered after who waits",
            "@%w1 ld.shared.u32 %x, [%next]; @%w0 bar.arrive 1, 64; @%w1 bar.sync 1, 64;"
            " @%w0 st.shared.u32 [%own], %t;",
            "shared warps"),
    EXAMPLE("a third warp is not meant",
            "@%w0 st.shared.u32 [%own], %t; @%w0 bar.sync 1, 64; @%w1 bar.sync 1, 64;"
            " @%w2 ld.shared.u32 %x, [%s];",
            "shared warps", .block = 96),
    EXAMPLE("orders pass on", /* 0 before 1 by barrier 1, 1 before 2 by barrier 2 */
            "@%w0 st.shared.u32 [%own], %t; @%w0 bar.arrive 1, 64; @%w1 bar.sync 1, 64;"
            " @%w1 bar.arrive 2, 64; @%w2 bar.sync 2, 64; @%w2 ld.shared.u32 %x, [%s];",
            "", .block = 96),
    EXAMPLE(
        "an ended warp has arrived",
        "st.shared.u32 [%own], %t; @%w0 bra END; bar.sync 0; ld.shared.u32 %x, [%next];",
        "left"),
    EXAMPLE("ended lanes are told", "setp.gt.u32 %p, %l, 7; @%p bra END; bar.sync 0;",
            "left"),

    EXAMPLE("a copy that was waited for",
            "mad.wide.u32 %z, %t, 4, %in; cp.async.ca.shared.global [%own], [%z], 4;"
            " cp.async.wait_all; bar.sync 0; ld.shared.u32 %x, [%next];",
            ""),
    EXAMPLE("one that was not",
            "mad.wide.u32 %z, %t, 4, %in; cp.async.ca.shared.global [%own], [%z], 4;"
            " cp.async.commit_group; bar.sync 0; st.shared.u32 [%next], %t;",
            "shared warps copy"),
    EXAMPLE("the last group may be under way",
            "mad.wide.u32 %z, %t, 4, %in; cp.async.ca.shared.global [%own], [%z], 4;"
            " cp.async.commit_group; cp.async.ca.shared.global [%own+1024], [%z], 4;"
            " cp.async.commit_group; cp.async.wait_group 1; bar.sync 0;"
            " st.shared.u32 [%next], %t;",
            ""),

    EXAMPLE(
        "an mbarrier orders who arrives before who waits",
        "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [%s+4096], 64; bar.sync 0;"
        " st.shared.u32 [%own], %t; mbarrier.arrive.shared.b64 _, [%s+4096];\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%s+4096], 0; @!%p bra WAIT;"
        " ld.shared.u32 %x, [%next];",
        ""),
    EXAMPLE(
        "what comes after arriving is not ordered by it",
        "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [%s+4096], 64; bar.sync 0;"
        " mbarrier.arrive.shared.b64 _, [%s+4096]; st.shared.u32 [%own], %t;\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%s+4096], 0; @!%p bra WAIT;"
        " ld.shared.u32 %x, [%next];",
        "shared warps"),

    EXAMPLE("blocks have shared memory of their own", "st.shared.u32 [%s], %b;", "",
            .block = 1, .grid = 4),
    EXAMPLE("two blocks race in global memory", "st.global.u32 [%out], %b;",
            "global blocks", .block = 1, .grid = 4),
    EXAMPLE("with one value it is told apart", "st.global.u32 [%out], 9;",
            "global blocks same", .block = 1, .grid = 4),
    EXAMPLE("each its own", "st.global.u32 [%mine], %b; ld.global.u32 %x, [%mine];", "",
            .block = 1, .grid = 4),
    EXAMPLE("a load of another block's",
            "st.global.u32 [%mine], %b; ld.global.u32 %x, [%out];", "global blocks",
            .block = 1, .grid = 4),
    EXAMPLE(
        "the other way about",
        "setp.eq.u32 %p, %b, 3; @!%p st.global.u32 [%mine], %b; @%p ld.global.u32 %x, "
        "[%out];",
        "global blocks", .block = 1, .grid = 4),
    EXAMPLE("atomics of blocks",
            "st.global.u32 [%mine+64], %b; red.global.add.u32 [kept], 0;", "", .block = 1,
            .grid = 4),
    EXAMPLE("fences and flags are not followed",
            "st.global.u32 [%mine], %b; membar.gl; red.global.add.u32 [kept], 0;"
            " ld.global.u32 %x, [%out];",
            "global blocks unsure", .block = 1, .grid = 4),
    EXAMPLE("a fence alone orders nothing", "membar.gl; st.global.u32 [%out], %b;",
            "global blocks", .block = 1, .grid = 4),
    EXAMPLE("launches come one after another", "st.global.u32 [%mine], %b; ", "",
            .block = 1, .grid = 4, .launches = 2),
    EXAMPLE("threads of a block in global memory", "st.global.u32 [%mine], %w;",
            "global warps"),
    EXAMPLE("which a barrier orders",
            "@%w0 st.global.u32 [%mine], %t; bar.sync 0; @%w1 ld.global.u32 %x, [%mine];",
            "global values"),

    EXAMPLE("the output before it was written", "ld.global.u32 %x, [%mine];",
            "unwritten"),
    EXAMPLE("is not the output after it was",
            "st.global.u32 [%mine], 1; ld.global.u32 %x, [%mine];", "", .block = 1),
    EXAMPLE("an update of the output reads it", "red.global.add.u32 [%mine], 1;",
            "unwritten"),
    EXAMPLE("the input is not to be written", "st.global.u32 [%in], 1;", "input",
            .block = 1),
    EXAMPLE("nor does loading it matter", "ld.global.u32 %x, [%in];", ""),
    EXAMPLE("a variable that stays changed", "atom.global.add.u32 %x, [kept], 1;",
            "state"),
    EXAMPLE("one that is put back",
            "atom.global.add.u32 %x, [kept], 1; bar.sync 0; setp.eq.u32 %p, %t, 0;"
            " @%p st.global.u32 [kept], 0;",
            ""),
    EXAMPLE("one that is set before it is read",
            "st.global.u32 [kept], %b; ld.global.u32 %x, [kept];", "", .block = 1),
};

/* ---- what was found, as one line --------------------------------------------------- */

static void add(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

static void describe(const struct bl_hazard *h, char *out, size_t size)
{
    add(out, size,
        h->kind == BL_HAZARD_UNWRITTEN ? "unwritten"
        : h->kind == BL_HAZARD_INPUT   ? "input"
        : h->kind == BL_HAZARD_STATE   ? "state"
        : h->kind == BL_HAZARD_LEFT    ? "left"
        : h->space == BL_SPACE_SHARED  ? "shared"
                                       : "global");
    if (h->kind == BL_HAZARD_SAME)
        add(out, size, "values");
    if (h->kind != BL_HAZARD_RACE)
        return;
    add(out, size,
        h->between_blocks               ? "blocks"
        : h->first.warp == h->then.warp ? "lanes"
                                        : "warps");
    if (h->same)
        add(out, size, "same");
    if (h->unsure)
        add(out, size, "unsure");
    if (h->first.is_async)
        add(out, size, "copy");
}

/* Each kind of finding once. */
static void describe_all(const struct bl_races *races, char *out, size_t size)
{
    size_t count;
    const struct bl_hazard *found = bl_races_found(races, &count);

    *out = '\0';
    for (size_t i = 0; i < count; i++) {
        char one[100] = "", text[1000];

        describe(&found[i], one, sizeof one);
        if (!strstr(out, one))
            add(out, size, one);
        bl_hazard_print(&found[i], text, sizeof text);
        assert_true(strlen(text) > 20 && strlen(text) < sizeof text - 1);
        assert_true(found[i].count > 0);
    }
}

/* ---- runs -------------------------------------------------------------------------- */

struct stage {
    struct bl_races *races;
    struct bl_program *program;
    struct bl_memory *memory;
    struct bl_span spans[2];
    uint8_t *buffers[2];
    char text[8192];
};

static void set_up(struct stage *stage, const char *body)
{
    static const char *const names[] = {"output", "input"};
    struct bl_error err = {BL_OK, ""};

    memset(stage, 0, sizeof *stage);
    snprintf(stage->text, sizeof stage->text, "%s%s%s", head, body, tail);
    if (bl_program_new("race.ptx", stage->text, strlen(stage->text), &stage->program,
                       &err) != BL_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < 2; i++) {
        stage->buffers[i] = aligned_alloc(256, BYTES);
        assert_non_null(stage->buffers[i]);
        memset(stage->buffers[i], 0xee, BYTES);
        stage->spans[i] = (struct bl_span){
            .name = names[i], .payload = stage->buffers[i], .bytes = BYTES};
    }
    assert_int_equal(bl_memory_map(stage->program, stage->spans, 2, &stage->memory, &err),
                     BL_OK);
    assert_int_equal(bl_races_new(PAGES, &stage->races, &err), BL_OK);
}

static void tear_down(struct stage *stage)
{
    bl_races_free(stage->races);
    bl_memory_unmap(stage->memory);
    bl_program_free(stage->program);
    for (int i = 0; i < 2; i++)
        free(stage->buffers[i]);
}

static enum bl_status launch(struct stage *stage, const struct example *of,
                             struct bl_error *err)
{
    const struct bl_model_arg args[] = {{.bits = stage->spans[0].address, .size = 8},
                                        {.bits = stage->spans[1].address, .size = 8}};
    const struct bl_model_launch launch = {.kernel = "k",
                                           .grid = {of->grid ? of->grid : 1, 1, 1},
                                           .block = {of->block ? of->block : 64, 1, 1},
                                           .args = args,
                                           .arg_count = 2};
    struct bl_arch arch = CC90_ARCH;
    struct bl_counts counts = {.shared_source = BL_SRC_NONE};
    const struct bl_model_options options = {.arch = &arch,
                                             .threads = 1,
                                             .steps = 100000,
                                             .unwritten = true,
                                             .watcher = bl_races_watcher(stage->races)};

    arch.cc = of->cc ? of->cc : 90;
    return bl_model_run(stage->program, stage->memory, &launch, &options, &counts, NULL,
                        err);
}

static void show(void **state)
{
    const struct example *of = *state;
    struct bl_error err = {BL_OK, ""};
    struct stage stage;
    char found[400], again[400];

    set_up(&stage, of->body);
    for (uint32_t i = 0; i < (of->launches ? of->launches : 1); i++)
        if (launch(&stage, of, &err) != BL_OK)
            fail_msg("%s", err.text);
    describe_all(stage.races, found, sizeof found);
    assert_string_equal(found, of->shows);

    /* What one run left makes no difference to the next. */
    memset(stage.buffers[0], 0xee, BYTES);
    bl_memory_unmap(stage.memory);
    assert_int_equal(bl_memory_map(stage.program, stage.spans, 2, &stage.memory, &err),
                     BL_OK);
    bl_races_reset(stage.races);
    for (uint32_t i = 0; i < (of->launches ? of->launches : 1); i++)
        if (launch(&stage, of, &err) != BL_OK)
            fail_msg("%s", err.text);
    describe_all(stage.races, again, sizeof again);
    assert_string_equal(again, of->shows);
    tear_down(&stage);
}

/* ---- more than can be remembered --------------------------------------------------- */

static void test_pages(void **state)
{
    /* A page a thread: 1024 threads, 16 pages of output. */
    static const struct example wide = {
        .body = "and.b32 %x, %t, 15; mad.wide.u32 %z, %x, 4096, %out;"
                " st.global.u32 [%z], 1;"};
    struct bl_error err = {BL_OK, ""};
    struct stage stage;

    (void)state;
    set_up(&stage, wide.body);
    bl_races_free(stage.races);
    assert_int_equal(bl_races_new(4, &stage.races, &err), BL_OK);
    assert_int_equal(launch(&stage, &wide, &err), BL_OK);
    assert_true(bl_races_is_partial(stage.races));
    bl_races_reset(stage.races);
    assert_false(bl_races_is_partial(stage.races));
    bl_races_set_strict(stage.races, true);
    assert_int_equal(launch(&stage, &wide, &err), BL_E_UNSUPPORTED);
    tear_down(&stage);
}

static void test_workers(void **state)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_races *races;
    const struct bl_watch_launch two = {.workers = 2};

    (void)state;
    assert_int_equal(bl_races_new(4, &races, &err), BL_OK);
    assert_int_equal(bl_races_watcher(races)->begin(races, &two, &err), BL_E_INTERNAL);
    bl_races_free(races);
}

static void mark(void *ctx, uint64_t offset, const uint64_t bits[64])
{
    uint8_t *seen = ctx;

    for (uint32_t b = 0; b < 4096; b++)
        if (bits[b / 64] >> b % 64 & 1)
            seen[offset + b] = 1;
}

/* The bytes that were stored to, and the blocks that did. */
static void test_written(void **state)
{
    static const struct example two = {.block = 1,
                                       .grid = 4,
                                       .body =
                                           "setp.eq.u32 %p, %b, 2; @%p st.global.u16 "
                                           "[%out+4098], %b; ld.global.u32 %x, [%out];"};
    struct bl_error err = {BL_OK, ""};
    struct stage stage;
    uint8_t *seen = calloc(BYTES, 1);

    (void)state;
    assert_non_null(seen);
    set_up(&stage, two.body);
    assert_int_equal(launch(&stage, &two, &err), BL_OK);
    bl_races_written(stage.races, mark, seen);
    for (uint32_t i = 0; i < BYTES; i++)
        assert_int_equal(seen[i], i == 4098 || i == 4099);
    for (uint64_t b = 0; b < 4; b++)
        assert_int_equal(bl_races_block_wrote(stage.races, b), b == 2);
    tear_down(&stage);
    free(seen);
}

int main(void)
{
    enum { COUNT = sizeof examples / sizeof *examples };
    struct CMUnitTest tests[COUNT + 3] = {cmocka_unit_test(test_pages),
                                          cmocka_unit_test(test_workers),
                                          cmocka_unit_test(test_written)};

    for (size_t i = 0; i < COUNT; i++)
        tests[3 + i] = (struct CMUnitTest){.name = examples[i].what,
                                           .test_func = show,
                                           .initial_state = (void *)&examples[i]};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
