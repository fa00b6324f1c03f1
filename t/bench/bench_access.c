/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_access.c - how fast tables of accesses are evaluated: 10,000 rows of addresses,
 * and of expressions. Figures to read, not a test, except that nothing may fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bank/many.h"

#include "../lib/cc90.h"

enum { ROWS = 10000, ROUNDS = 5 };

static const struct bl_arch arch = CC90_ARCH;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_addresses(FILE *out)
{
    fputs("op,width,mask", out);
    for (int lane = 0; lane < 32; lane++)
        fprintf(out, ",a%d", lane);
    fputs(",beats\n", out);
    for (int row = 0; row < ROWS; row++) {
        fprintf(out, "%s,4,0xffffffff", row % 2 ? "load" : "store");
        for (int lane = 0; lane < 32; lane++)
            fprintf(out, ",%d", 4 * ((lane * row) % 4096));
        fputs(",1\n", out);
    }
}

static void write_expressions(FILE *out)
{
    fputs("op,width,block,warp,address,phases\n", out);
    for (int row = 0; row < ROWS; row++)
        fprintf(out, "%s,4,16x16,%d,4*((t%%32)*%d+t/32+(5^(t&7))),1\n",
                row % 2 ? "load" : "store", row % 8, row % 70);
}

static void ignore(void *ctx, const char *text)
{
    (void)ctx;
    (void)text;
}

static void measure(const char *what, void (*write)(FILE *))
{
    double least = 1e9;
    char *text = NULL;
    size_t size = 0;
    FILE *table = open_memstream(&text, &size);

    if (!table)
        exit(1);
    write(table);
    fclose(table);
    for (int round = 0; round < ROUNDS; round++) {
        struct bl_many many = {.in = fmemopen(text, size, "rb"),
                               .name = what,
                               .arch = &arch,
                               .question = &bl_question_default,
                               .out = fopen("/dev/null", "w"),
                               .differs = ignore,
                               .warn = ignore};
        struct bl_many_sum sum = {.patterns = 0};
        const double begin = seconds();
        struct bl_error err = {BL_OK, ""};

        if (!many.in || !many.out || bl_many_run(&many, &sum, &err) != BL_OK ||
            sum.patterns != ROWS || sum.differing != 0) {
            fprintf(stderr, "bench_access: %s\n", err.text);
            exit(1);
        }
        least = seconds() - begin < least ? seconds() - begin : least;
        fclose(many.in);
        fclose(many.out);
    }
    printf("%-12s %d rows: %.1f ms\n", what, ROWS, 1e3 * least);
    free(text);
}

int main(void)
{
    measure("addresses", write_addresses);
    measure("expressions", write_expressions);
    return 0;
}
