/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions that people asked in public about bank conflicts, with their right answers:
 * t/data/bank-cases.csv. An address is an expression in t, tx and ty.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/access.h"
#include "rows.h"

/* ---- expressions: + - * / % ^ & ( ), numbers, t, tx, ty -----------------------------
 */

struct thread {
    const char *at;
    uint32_t t, tx, ty;
};

/* How tightly C binds the operator; 0: none. */
static int binds(char op)
{
    switch (op) {
    case '^': return 1;
    case '&': return 2;
    case '+':
    case '-': return 3;
    case '*':
    case '/':
    case '%': return 4;
    default: return 0;
    }
}

static uint32_t value_of(struct thread *th, int least);

static uint32_t operand(struct thread *th)
{
    char *end;
    if (*th->at == '(') {
        th->at++;
        uint32_t value = value_of(th, 1);
        assert_int_equal(*th->at, ')');
        th->at++;
        return value;
    }
    if (*th->at == 't') {
        th->at++;
        if (*th->at != 'x' && *th->at != 'y')
            return th->t;
        return *th->at++ == 'x' ? th->tx : th->ty;
    }
    assert_true(isdigit((unsigned char)*th->at));
    uint32_t value = (uint32_t)strtoul(th->at, &end, 10);
    th->at = end;
    return value;
}

static uint32_t value_of(struct thread *th, int least)
{
    uint32_t left = operand(th);
    while (binds(*th->at) >= least) {
        char op = *th->at++;
        uint32_t right = value_of(th, binds(op) + 1);
        switch (op) {
        case '^': left ^= right; break;
        case '&': left &= right; break;
        case '+': left += right; break;
        case '-': left -= right; break;
        case '*': left *= right; break;
        case '/': left /= right; break;
        default: left %= right; break;
        }
    }
    return left;
}

/* ---- the table ------------------------------------------------------------------ */

struct question {
    char id[64], source[96], op[8], address[64];
    uint32_t width, block_x, block_y, warp, wavefronts;
};

static void answer(const struct bl_arch *arch, const struct question *q)
{
    struct bl_shared_cost cost;
    uint32_t address[32], mask = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t t = q->warp * 32 + lane;
        struct thread th = {q->address, t, t % q->block_x, t / q->block_x};
        address[lane] = value_of(&th, 1);
        assert_int_equal(*th.at, '\0');
        if (t < q->block_x * q->block_y)
            mask |= 1u << lane;
    }
    bl_access_shared(arch, strcmp(q->op, "store") == 0, q->width, mask, address, &cost);
    if (cost.wavefronts != q->wavefronts)
        fail_msg("%s: %u wavefronts, not %u", q->id, cost.wavefronts, q->wavefronts);
}

static void test_questions(void **state)
{
    char *path = source_path("t/data/bank-cases.csv"), text[512];
    FILE *file = fopen(path, "r");
    struct bl_arch arch;
    int count = 0;
    (void)state;
    arch_of("cc90", &arch);
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file)); /* the header */
    while (fgets(text, sizeof text, file)) {
        struct question q;
        assert_int_equal(sscanf(text, "%63[^,],%95[^,],%7[^,],%u,%ux%u,%u,%63[^,],%u",
                                q.id, q.source, q.op, &q.width, &q.block_x, &q.block_y,
                                &q.warp, q.address, &q.wavefronts),
                         9);
        answer(&arch, &q);
        count++;
    }
    assert_int_equal(count, 23);
    fclose(file);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_questions)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
