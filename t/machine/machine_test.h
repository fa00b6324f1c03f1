/* SPDX-License-Identifier: Apache-2.0
 *
 * machine_test.h - what the tests of the model's machine share: a module of this folder,
 * two buffers, and kernels that all take (out, in, n).
 */
#ifndef MACHINE_TEST_H
#define MACHINE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "model/model.h"

#include "../lib/cc90.h"

#define TEST(f) cmocka_unit_test(f)

enum { BUFFER = 4096, GUARD = 256 };

static const struct bl_arch test_arch = CC90_ARCH;

struct machine {
    struct bl_program *program;
    struct bl_memory *memory;
    uint8_t *block; /* guard, out, guard, in, guard */
    uint8_t *out, *in;
    struct bl_span spans[2];
    struct bl_counts counts;
    struct bl_error err;
};

struct run {
    const char *kernel;
    uint32_t grid, block; /* 0: 1 block, 32 threads */
    uint32_t shared, n;
    uint32_t threads; /* workers; 0: 1 */
    uint64_t steps;   /* 0: 100000 */
    struct bl_model_profile *profile;
    const struct bl_watcher *watcher;
};

static inline char *machine_text(const char *name, size_t *length)
{
    const char *top = getenv("top_srcdir");
    char *path = bl_text_format("%s/t/machine/%s", top ? top : ".", name), *text = NULL;
    struct bl_error err = {BL_OK, ""};
    assert_non_null(path);
    if (bl_text_read_file(path, 1 << 24, &text, length, &err) != BL_OK)
        fail_msg("%s", err.text);
    free(path);
    return text;
}

/* Buffers of `out_bytes` and BUFFER bytes; in[i] = i as words, out is 0xee. */
static inline void machine_open(struct machine *m, const char *name, uint64_t out_bytes)
{
    size_t length;
    char *text = machine_text(name, &length);
    memset(m, 0, sizeof *m);
    if (bl_program_new(name, text, length, &m->program, &m->err) != BL_OK)
        fail_msg("%s", m->err.text);
    free(text);
    m->block = aligned_alloc(256, 3 * GUARD + (out_bytes + 255) / 256 * 256 + BUFFER);
    assert_non_null(m->block);
    m->out = m->block + GUARD;
    m->in = m->out + (out_bytes + 255) / 256 * 256 + GUARD;
    memset(m->out, 0xee, out_bytes);
    for (uint32_t i = 0; i < BUFFER / 4; i++)
        memcpy(m->in + 4 * i, &i, 4);
    m->spans[0] =
        (struct bl_span){.name = "output", .payload = m->out, .bytes = out_bytes};
    m->spans[1] = (struct bl_span){.name = "input", .payload = m->in, .bytes = BUFFER};
    assert_int_equal(bl_memory_map(m->program, m->spans, 2, &m->memory, &m->err), BL_OK);
}

static inline void machine_close(struct machine *m)
{
    bl_memory_unmap(m->memory);
    bl_program_free(m->program);
    free(m->block);
}

static inline enum bl_status machine_try(struct machine *m, struct run run)
{
    struct bl_model_arg args[3] = {{.bits = m->spans[0].address, .size = 8},
                                   {.bits = m->spans[1].address, .size = 8},
                                   {.bits = run.n, .size = 4}};
    struct bl_model_launch launch = {.kernel = run.kernel,
                                     .grid = {run.grid ? run.grid : 1, 1, 1},
                                     .block = {run.block ? run.block : 32, 1, 1},
                                     .shared_bytes = run.shared,
                                     .args = args,
                                     .arg_count = 3};
    struct bl_model_options options = {.arch = &test_arch,
                                       .threads = run.threads ? run.threads : 1,
                                       .steps = run.steps ? run.steps : 100000,
                                       .watcher = run.watcher};
    memset(&m->counts, 0, sizeof m->counts);
    memset(&m->err, 0, sizeof m->err);
    return bl_model_run(m->program, m->memory, &launch, &options, &m->counts, run.profile,
                        &m->err);
}

static inline void machine_run(struct machine *m, struct run run)
{
    if (machine_try(m, run) != BL_OK)
        fail_msg("%s: %s", run.kernel, m->err.text);
}

/* The run must end in `status` with an error that contains each of the texts. */
static inline void machine_fails(struct machine *m, struct run run, enum bl_status status,
                                 const char *const *texts)
{
    enum bl_status got = machine_try(m, run);
    if (got != status)
        fail_msg("%s: status %d, not %d: %s", run.kernel, got, status, m->err.text);
    for (; *texts; texts++)
        if (!strstr(m->err.text, *texts))
            fail_msg("%s: no \"%s\" in: %s", run.kernel, *texts, m->err.text);
}
#define FAULTS(m, run, ...)                                                              \
    machine_fails(m, run, BL_E_FAULT, (const char *const[]){__VA_ARGS__, NULL})

static inline uint32_t out32(const struct machine *m, uint32_t i)
{
    uint32_t value;
    memcpy(&value, m->out + 4 * i, 4);
    return value;
}

static inline uint64_t out64(const struct machine *m, uint32_t i)
{
    uint64_t value;
    memcpy(&value, m->out + 8 * i, 8);
    return value;
}

#endif
