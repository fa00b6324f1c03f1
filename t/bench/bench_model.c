/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_model.c - how fast the model GPU runs: a transpose through shared memory, by
 * size and number of workers. Figures to read, not a test, except that the result is
 * checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/text.h"
#include "model/model.h"

#include "../lib/cc90.h"

enum { TILE = 32, ROUNDS = 5 };

static const struct bl_arch arch = CC90_ARCH;

struct figures {
    double wall, cpu; /* seconds, the least of the rounds */
    uint64_t instructions;
};

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const struct bl_error *err)
{
    fprintf(stderr, "bench_model: %s\n", err->text);
    exit(1);
}

static void check(const uint32_t *in, const uint32_t *out, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++)
            if (out[(size_t)c * n + r] != in[(size_t)r * n + c]) {
                fprintf(stderr, "bench_model: wrong element %u, %u\n", r, c);
                exit(1);
            }
}

static struct figures measure(struct bl_program *program, uint32_t n, uint32_t threads)
{
    size_t bytes = (size_t)n * n * 4;
    uint32_t *in = aligned_alloc(256, bytes), *out = aligned_alloc(256, bytes);
    struct bl_span spans[] = {{.name = "output", .payload = (void *)out, .bytes = bytes},
                              {.name = "input", .payload = (void *)in, .bytes = bytes}};
    struct bl_memory *memory;
    struct bl_error err = {.text = "out of memory"};
    struct figures best = {.wall = 0};
    if (!in || !out || bl_memory_map(program, spans, 2, &memory, &err))
        fail(&err);
    for (size_t i = 0; i < (size_t)n * n; i++)
        in[i] = (uint32_t)(i * 2654435761u);
    memset(out, 0xee, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        struct bl_model_arg args[] = {{.bits = spans[0].address, .size = 8},
                                      {.bits = spans[1].address, .size = 8},
                                      {.bits = n, .size = 4},
                                      {.bits = n, .size = 4}};
        struct bl_model_launch launch = {.kernel = "transpose",
                                         .grid = {n / TILE, n / TILE, 1},
                                         .block = {TILE, 8, 1},
                                         .args = args,
                                         .arg_count = 4};
        struct bl_model_options options = {.arch = &arch, .threads = threads};
        struct bl_counts counts = {.blocks = 0};
        double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (bl_model_run(program, memory, &launch, &options, &counts, NULL, &err))
            fail(&err);
        wall = seconds(CLOCK_MONOTONIC) - wall;
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        best.wall = round == 0 || wall < best.wall ? wall : best.wall;
        best.cpu = round == 0 || cpu < best.cpu ? cpu : best.cpu;
        best.instructions = counts.instructions;
    }
    check(in, out, n);
    bl_memory_unmap(memory);
    free(in);
    free(out);
    return best;
}

int main(void)
{
    static const uint32_t sizes[] = {1024, 2048, 4096};
    struct bl_program *program;
    struct bl_error err = {.status = BL_OK};
    struct rusage usage;
    size_t length;
    char *text;
    if (bl_text_read_file(BENCH_FOLDER "/transpose.ptx", 1 << 20, &text, &length, &err) ||
        bl_program_new("transpose.ptx", text, length, &program, &err))
        fail(&err);
    printf("model GPU, transpose of N x N words by 32 x 32 tiles in blocks of 32 x 8\n");
    printf("%6s %8s %14s %9s %9s %10s\n", "N", "workers", "instructions", "wall ms",
           "cpu ms", "Minsn/s");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double one = 0;
        for (uint32_t threads = 1; threads <= 2; threads++) {
            struct figures f = measure(program, sizes[i], threads);
            one = threads == 1 ? f.wall : one;
            printf("%6u %8u %14llu %9.1f %9.1f %10.1f", sizes[i], threads,
                   (unsigned long long)f.instructions, 1e3 * f.wall, 1e3 * f.cpu,
                   1e-6 * (double)f.instructions / f.wall);
            if (threads == 2)
                printf("   %.2f times one worker", one / f.wall);
            printf("\n");
        }
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("peak memory %.1f MB, of which %.1f MB are the greatest matrices\n",
           (double)usage.ru_maxrss / 1024, 2.0 * 4096 * 4096 * 4 / 1048576);
    bl_program_free(program);
    free(text);
    return 0;
}
