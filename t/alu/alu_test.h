/* SPDX-License-Identifier: Apache-2.0
 *
 * alu_test.h - what the tests of arithmetic share: one PTX instruction, run by the model
 * over lanes of operands.
 */
#ifndef ALU_TEST_H
#define ALU_TEST_H

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

enum { ALU_LANES = 64, ALU_OPERANDS = 4, ALU_GUARD = 256 };

static const struct bl_arch alu_arch = CC90_ARCH;

struct alu_operand {
    uint32_t bits; /* 16, 32, 64; 1: a predicate; 0: there is no such operand */
    const uint64_t *values;
};

/* `body` may use %a %b %c %e (the operands), %d and %d2 (the results, which start as
 * ALU_OLD), %p %q %t for scratch, and %i, the lane. */
struct alu_case {
    const char *body;
    uint32_t d, d2; /* bits: 16, 32, 64; 0: not there */
    struct alu_operand operand[ALU_OPERANDS];
    uint32_t lanes; /* 0: ALU_LANES */
};
#define ALU_OLD 0x5a5a5a5a5a5a5a5aull

struct alu_text {
    char text[8192];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static inline void alu_add(struct alu_text *to,
                                                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int wrote = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, args);
    va_end(args);
    assert_true(wrote >= 0 && (size_t)wrote < sizeof to->text - to->used);
    to->used += (size_t)wrote;
}

/* %at = the address of this lane's value of that many bits. */
static inline void alu_add_address(struct alu_text *to, const char *param, uint32_t bits)
{
    alu_add(to,
            "ld.param.u64 %%at, [%s]; mul.wide.u32 %%off, %%i, %u; "
            "add.s64 %%at, %%at, %%off;\n",
            param, bits / 8);
}

static inline void alu_write_ptx(struct alu_text *to, const struct alu_case *c)
{
    static const char names[] = "abce";
    const uint32_t results[2] = {c->d, c->d2};
    alu_add(to, ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param "
                ".u64 a, .param .u64 b, .param .u64 c, .param .u64 e, .param .u64 d, "
                ".param .u64 d2)\n{\n.reg .pred %%p, %%q; .reg .b32 %%t, %%i; "
                ".reg .b64 %%at, %%off;\nmov.u32 %%i, %%tid.x;\n");
    for (int n = 0; n < ALU_OPERANDS; n++) {
        const char param[2] = {names[n], 0};
        uint32_t bits = c->operand[n].bits;
        if (bits == 1) {
            alu_add(to, ".reg .pred %%%s; ", param);
            alu_add_address(to, param, 32);
            alu_add(to, "ld.global.u32 %%t, [%%at]; setp.ne.u32 %%%s, %%t, 0;\n", param);
        } else if (bits) {
            alu_add(to, ".reg .b%u %%%s; ", bits, param);
            alu_add_address(to, param, bits);
            alu_add(to, "ld.global.b%u %%%s, [%%at];\n", bits, param);
        }
    }
    for (int n = 0; n < 2; n++) {
        uint32_t bits = results[n];
        if (bits) {
            alu_add(to, ".reg .b%u %%d%s; mov.b%u %%d%s, 0x%llx;\n", bits, n ? "2" : "",
                    bits, n ? "2" : "", (unsigned long long)(ALU_OLD >> (64 - bits)));
        }
    }
    alu_add(to, "%s;\n", c->body);
    for (int n = 0; n < 2; n++) {
        if (results[n]) {
            alu_add_address(to, n ? "d2" : "d", results[n]);
            alu_add(to, "st.global.b%u [%%at], %%d%s;\n", results[n], n ? "2" : "");
        }
    }
    alu_add(to, "ret;\n}\n");
}

/* Runs the case; results are zero-extended. */
static inline enum bl_status alu_try(const struct alu_case *c, uint64_t *d, uint64_t *d2,
                                     struct bl_error *err)
{
    static _Alignas(256) uint8_t block[6][ALU_LANES * 8 + ALU_GUARD];
    const uint32_t lanes = c->lanes ? c->lanes : ALU_LANES;
    const uint32_t results[2] = {c->d, c->d2};
    uint64_t *const to[2] = {d, d2};
    struct alu_text ptx = {.used = 0};
    struct bl_span spans[6];
    struct bl_model_arg args[6];
    struct bl_program *program = NULL;
    struct bl_memory *memory = NULL;
    struct bl_counts counts = {0};

    alu_write_ptx(&ptx, c);
    memset(block, 0, sizeof block);
    for (int n = 0; n < ALU_OPERANDS; n++) {
        uint32_t bytes = c->operand[n].bits == 1 ? 4 : c->operand[n].bits / 8;
        for (uint32_t l = 0; l < lanes && bytes; l++) {
            memcpy(block[n] + bytes * l, &c->operand[n].values[l], bytes);
        }
    }
    for (int n = 0; n < 6; n++) {
        spans[n] = (struct bl_span){"buffer", block[n], ALU_LANES * 8, 0};
    }
    enum bl_status status = bl_program_new("k.ptx", ptx.text, ptx.used, &program, err);
    if (status == BL_OK) {
        status = bl_memory_map(program, spans, 6, &memory, err);
    }
    if (status == BL_OK) {
        for (int n = 0; n < 6; n++) {
            args[n] = (struct bl_model_arg){.bits = spans[n].address, .size = 8};
        }
        const struct bl_model_launch launch = {.kernel = "k",
                                               .grid = {1, 1, 1},
                                               .block = {lanes, 1, 1},
                                               .args = args,
                                               .arg_count = 6};
        const struct bl_model_options options = {
            .arch = &alu_arch, .threads = 1, .steps = 100000};
        status = bl_model_run(program, memory, &launch, &options, &counts, NULL, err);
    }
    for (int n = 0; n < 2 && status == BL_OK; n++) {
        for (uint32_t l = 0; l < lanes && results[n]; l++) {
            to[n][l] = 0;
            memcpy(&to[n][l], block[4 + n] + results[n] / 8 * l, results[n] / 8);
        }
    }
    bl_memory_unmap(memory);
    bl_program_free(program);
    return status;
}

static inline void alu_run(const struct alu_case *c, uint64_t *d, uint64_t *d2)
{
    struct bl_error err = {BL_OK, ""};
    if (alu_try(c, d, d2, &err) != BL_OK) {
        fail_msg("%s", err.text);
    }
}

/* The case must be refused, or fault, with that status and text in its error. */
static inline void alu_fails(const struct alu_case *c, enum bl_status status,
                             const char *part)
{
    uint64_t d[ALU_LANES], d2[ALU_LANES];
    struct bl_error err = {BL_OK, ""};
    enum bl_status got = alu_try(c, d, d2, &err);
    if (got != status || !strstr(err.text, part)) {
        fail_msg("\"%s\": status %d, \"%s\"; not status %d, \"%s\"", c->body, got,
                 err.text, status, part);
    }
}

#endif
