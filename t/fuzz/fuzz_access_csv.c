/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a CSV of accesses: each row gets its numbers, or the file is refused with
 * its name and line; and what was written can be read again, with the same numbers. As a
 * libFuzzer target: clang -fsanitize=fuzzer,address,undefined with this file and the
 * core, without fuzz_main.c.
 */
#include <stdlib.h>
#include <string.h>

#include "bank/many.h"
#include "fuzz.h"

#include "../lib/cc90.h"

const char *const fuzz_seeds[] = {
    "id,op,width,block,warp,address,wavefronts\n"
    "pad,store,4,16x16,0,4*(17*ty+tx),2\n\"a,\"\"b\",load,8,32,all,8*(t%4),2\n",
    "# why\r\nspace,op,width,mask,address,sectors,ways\r\nglobal,load,4,ff,4*P*t,4,\r\n"
    "shared,store,16,,16*t,,1\r\n",
    "op,width,a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,a11,a12,a13,a14,a15,a16,a17,a18,a19,a20,"
    "a21,a22,a23,a24,a25,a26,a27,a28,a29,a30,a31,mask,cycles,beats\n"
    "load,1,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,0xf,1.03,1\n",
    NULL,
};

static const struct bl_arch arch = CC90_ARCH;

static void ignore(void *ctx, const char *text)
{
    (void)ctx;
    if (!*text)
        abort();
}

static enum bl_status play(const char *data, size_t size, char **written,
                           size_t *written_size, struct bl_many_sum *sum)
{
    struct bl_question question = bl_question_default;
    char name[] = "P";
    struct bl_error err = {BL_OK, ""};
    struct bl_many many = {.in = fmemopen((void *)data, size, "rb"),
                           .name = "fuzz",
                           .arch = &arch,
                           .question = &question,
                           .out = open_memstream(written, written_size),
                           .differs = ignore,
                           .warn = ignore};
    enum bl_status status;

    question.constants.count = 1;
    question.constants.names[0] = name;
    question.constants.values[0] = 33;
    if (!many.in || !many.out)
        abort();
    status = bl_many_run(&many, sum, &err);
    fclose(many.in);
    fclose(many.out);
    if (status != BL_OK && (status != BL_E_INPUT || strncmp(err.text, "fuzz:", 5) != 0))
        abort();
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0;
    struct bl_many_sum sum, again;

    if (size == 0)
        return 0;
    if (play((const char *)data, size, &first, &first_size, &sum) == BL_OK) {
        if (play(first, first_size, &second, &second_size, &again) != BL_OK ||
            sum.patterns != again.patterns || sum.compared != again.compared ||
            sum.differing != again.differing || first_size != second_size ||
            memcmp(first, second, first_size) != 0)
            abort();
        free(second);
    }
    free(first);
    return 0;
}
