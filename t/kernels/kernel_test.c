/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"

enum { ARGS_MOST = 8 };

struct run {
    const char *variant;
    struct bl_program *program;
    struct bl_arch arch;
    struct bl_span spans[ARGS_MOST];
    size_t span_count;
    struct bl_model_arg args[ARGS_MOST];
    int span_of[ARGS_MOST];              /* -1: a scalar */
    struct bl_tensor tensors[ARGS_MOST]; /* box[0] is 0: none */
    uint8_t maps[ARGS_MOST][BL_TENSOR_BYTES];
    size_t arg_count;
    bool failed;
};

static const char *const variants[] = {"nvcc-75", "nvcc-80", "nvcc-86",
                                       "nvcc-89", "nvcc-90", "clang-75"};

/* Whether the test is one for PTX of that compiler and compute capability. */
static bool suits(const struct kernel_test *test, const char *variant)
{
    bool is_nvcc = strncmp(variant, "nvcc", 4) == 0;
    bool from_90 = strcmp(strchr(variant, '-'), "-90") >= 0;
    bool from_80 = strcmp(strchr(variant, '-'), "-80") >= 0;
    return (is_nvcc || !(test->flags & NVCC_ONLY)) &&
           (from_80 || !(test->flags & FROM_80)) && (from_90 || !(test->flags & FROM_90));
}

static void out_of_memory(void)
{
    puts("Bail out! out of memory");
    exit(1);
}

/* ---- arguments ----------------------------------------------------------- */

static struct bl_model_arg *next_arg(struct run *run, int span)
{
    if (run->arg_count == ARGS_MOST) {
        puts("Bail out! too many arguments");
        exit(1);
    }
    run->span_of[run->arg_count] = span;
    run->args[run->arg_count] = (struct bl_model_arg){0};
    run->tensors[run->arg_count] = (struct bl_tensor){0};
    return &run->args[run->arg_count++];
}

void pass_buffer(struct run *run, const char *name, void *bytes, size_t size)
{
    next_arg(run, (int)run->span_count)->size = 8;
    run->spans[run->span_count++] =
        (struct bl_span){.name = name, .payload = bytes, .bytes = size};
}

void pass_int(struct run *run, int32_t value)
{
    pass_uint(run, (uint32_t)value);
}

void pass_uint(struct run *run, uint32_t value)
{
    struct bl_model_arg *arg = next_arg(run, -1);
    arg->bits = value;
    arg->size = 4;
}

void pass_double(struct run *run, double value)
{
    struct bl_model_arg *arg = next_arg(run, -1);
    memcpy(&arg->bits, &value, sizeof value);
    arg->size = 8;
}

void pass_bytes(struct run *run, const void *bytes, size_t size)
{
    struct bl_model_arg *arg = next_arg(run, -1);
    arg->data = bytes;
    arg->size = (uint32_t)size;
}

void pass_tensor(struct run *run, void *bytes, size_t size,
                 const struct bl_tensor *tensor)
{
    size_t at = run->arg_count;
    pass_buffer(run, "matrix", bytes, size);
    run->tensors[at] = *tensor;
}

/* ---- launches ------------------------------------------------------------ */

void launch(struct run *run, const char *kernel, uint32_t blocks, uint32_t threads)
{
    launch_shape(run, kernel, (uint32_t[3]){blocks, 1, 1}, (uint32_t[3]){threads, 1, 1},
                 0);
}

void launch_shape(struct run *run, const char *kernel, const uint32_t grid[3],
                  const uint32_t block[3], uint32_t shared)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_memory *memory = NULL;
    struct bl_counts counts = {0};
    struct bl_model_options options = {
        .arch = &run->arch, .threads = 2, .steps = 1000 * 1000};
    struct bl_model_launch l = {.kernel = kernel,
                                .shared_bytes = shared,
                                .args = run->args,
                                .arg_count = run->arg_count};
    enum bl_status status =
        bl_memory_map(run->program, run->spans, run->span_count, &memory, &err);

    memcpy(l.grid, grid, sizeof l.grid);
    memcpy(l.block, block, sizeof l.block);
    for (size_t i = 0; status == BL_OK && i < run->arg_count; i++)
        if (run->span_of[i] >= 0 && run->tensors[i].box[0]) {
            run->tensors[i].address = run->spans[run->span_of[i]].address;
            bl_tensor_encode(&run->tensors[i], run->maps[i]);
            run->args[i] =
                (struct bl_model_arg){.data = run->maps[i], .size = BL_TENSOR_BYTES};
        } else if (run->span_of[i] >= 0) {
            run->args[i].bits = run->spans[run->span_of[i]].address;
        }
    if (status == BL_OK)
        status = bl_model_run(run->program, memory, &l, &options, &counts, NULL, &err);
    expect(run, status == BL_OK, "%s: %s", kernel, err.text);
    bl_memory_unmap(memory);
    run->arg_count = run->span_count = 0;
}

/* ---- results ------------------------------------------------------------- */

void expect(struct run *run, bool holds, const char *format, ...)
{
    va_list args;
    if (holds)
        return;
    if (!run->failed) { /* one reason is enough, and the first is the best */
        char text[1200], *line, *rest = text;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        while ((line = strsep(&rest, "\n")))
            printf("# %s: %s\n", run->variant, line);
    }
    run->failed = true;
}

void expect_i32(struct run *run, const char *what, const int32_t *got,
                const int32_t *want, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(run, got[i] == want[i],
               "%s[%zu] is %" PRId32 " (0x%" PRIx32 "), should be %" PRId32 " (0x%" PRIx32
               ")",
               what, i, got[i], (uint32_t)got[i], want[i], (uint32_t)want[i]);
}

void expect_i64(struct run *run, const char *what, const int64_t *got,
                const int64_t *want, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(run, got[i] == want[i],
               "%s[%zu] is %" PRId64 " (0x%" PRIx64 "), should be %" PRId64 " (0x%" PRIx64
               ")",
               what, i, got[i], (uint64_t)got[i], want[i], (uint64_t)want[i]);
}

void expect_f32(struct run *run, const char *what, const float *got, const float *want,
                size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(run,
               memcmp(&got[i], &want[i], sizeof *got) == 0 ||
                   (got[i] != got[i] && want[i] != want[i]),
               "%s[%zu] is %a, should be %a", what, i, (double)got[i], (double)want[i]);
}

void expect_f64(struct run *run, const char *what, const double *got, const double *want,
                size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(run,
               memcmp(&got[i], &want[i], sizeof *got) == 0 ||
                   (got[i] != got[i] && want[i] != want[i]),
               "%s[%zu] is %a, should be %a", what, i, got[i], want[i]);
}

void expect_bytes(struct run *run, const char *what, const void *got, const void *want,
                  size_t size)
{
    const uint8_t *g = got, *w = want;
    for (size_t i = 0; i < size; i++)
        expect(run, g[i] == w[i], "%s: byte %zu is 0x%02x, should be 0x%02x", what, i,
               g[i], w[i]);
}

uint64_t next_number(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void fill_ints(int32_t *at, size_t count, int32_t least, int32_t most, uint64_t seed)
{
    uint64_t range = (uint64_t)((int64_t)most - least) + 1;
    for (size_t i = 0; i < count; i++)
        at[i] = (int32_t)(least + (int64_t)(next_number(&seed) % range));
}

/* ---- the program --------------------------------------------------------- */

static char *under(const char *folder_variable, const char *variant, const char *name)
{
    const char *top = getenv(folder_variable);
    char *path = bl_text_format("%s/t/kernels/%s/%s.ptx", top ? top : ".", variant, name);
    if (!path)
        out_of_memory();
    return path;
}

/* The PTX of that variant: made in the build tree, or lying in the source tree. NULL:
 * there is none, since its compiler was not found. */
static char *find_ptx(const char *name, const char *variant, size_t *length)
{
    static const char *const folders[] = {"top_builddir", "top_srcdir"};
    for (size_t i = 0; i < COUNT(folders); i++) {
        char *path = under(folders[i], variant, name), *text = NULL;
        struct bl_error err;
        enum bl_status status = bl_text_read_file(path, 1 << 24, &text, length, &err);
        free(path);
        if (status == BL_OK && *length > 0)
            return text;
        if (status == BL_OK)
            free(text);
    }
    return NULL;
}

static void play(const char *variant, const char *name, const char *text, size_t length,
                 const struct kernel_test *tests, size_t count, int *number, int *failed)
{
    struct run run = {.variant = variant};
    struct bl_error err = {BL_OK, ""};
    const char *top = getenv("top_srcdir");
    char *conf = bl_text_format("%s/conf", top ? top : "."), file[64];
    struct bl_paths paths = {.conf_dir = conf};
    bool ready;

    if (!conf)
        out_of_memory();
    snprintf(file, sizeof file, "%s/%s.ptx", variant, name);
    ready = bl_arch_read(&paths, "cc90", &run.arch, &err) == BL_OK &&
            bl_program_new(file, text, length, &run.program, &err) == BL_OK;
    for (size_t i = 0; i < count; i++) {
        if (!suits(&tests[i], variant))
            continue;
        run.failed = false;
        run.arg_count = run.span_count = 0;
        expect(&run, ready, "%s", err.text);
        if (ready)
            tests[i].test(&run);
        *failed += run.failed;
        printf("%sok %d - %s: %s\n", run.failed ? "not " : "", ++*number, variant,
               tests[i].name);
    }
    bl_program_free(run.program);
    free(conf);
}

int kernel_tests(const char *name, const struct kernel_test *tests, size_t count)
{
    char *texts[COUNT(variants)];
    size_t lengths[COUNT(variants)], plan = 0;
    int number = 0, failed = 0;

    for (size_t v = 0; v < COUNT(variants); v++) {
        texts[v] = find_ptx(name, variants[v], &lengths[v]);
        for (size_t i = 0; texts[v] && i < count; i++)
            plan += suits(&tests[i], variants[v]);
    }
    if (plan == 0) {
        puts("1..0 # SKIP no PTX of these kernels: neither nvcc nor clang was found");
    } else {
        printf("1..%zu\n", plan);
    }
    for (size_t v = 0; v < COUNT(variants); v++) {
        if (texts[v])
            play(variants[v], name, texts[v], lengths[v], tests, count, &number, &failed);
        free(texts[v]);
    }
    return failed ? 1 : 0;
}
