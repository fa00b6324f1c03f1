/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as PTX: read or refused with a line; where good, every branch's join lies
 * in its function. As a libFuzzer target: clang -fsanitize=fuzzer,address,undefined with
 * this file and the core, without fuzz_main.c, and t/fuzz/ptx as the corpus to begin
 * with.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/cfg.h"
#include "model/ptx.h"

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"

const char *const fuzz_seeds[] = {
    HEAD ".global .align 4 .b8 a[8] = {1, 0xFF, 3};\n.global .u64 p = generic(a)+4;\n"
         ".const .f32 f[2][2] = {{0f3F800000, 1.5}, {-2, 3}};\n"
         ".global .b8 m[8] = {0xFF(a), 0xFF00(a), 0xFF0000(a), 0xFF000000(a),"
         " 0xFF00000000(a), 0xFF0000000000(a), 0xFF000000000000(a),"
         " 0xFF00000000000000(a)};\n",
    HEAD
    ".visible .entry k(.param .u64 k0, .param .align 8 .b8 k1[16])\n.maxntid 64, 1, 1\n"
    "{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n"
    ".shared .align 4 .b8 s[4224];\n.loc 1 3 1\n"
    "ld.param.u64 %rd1, [k0];\nmov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 5;\n"
    "@%p1 bra $L_2;\n$L_1: ld.global.nc.v2.u32 {%r2, %r3}, [%rd1+-8];\n"
    "shfl.sync.bfly.b32 %r4|%p2, %r2, 1+2*3, 0x1f, -1;\n@!%p2 bra $L_1;\n"
    "{ .reg .b32 t; mov.b32 t, WARP_SZ; add.s32 %r5, t, %r4; }\n"
    "st.shared.u32 [s+4], %r5;\n$L_2: ret;\n}\n.file 1 \"k.cu\"\n",
    HEAD
    ".func (.param .b32 r) f (.param .b32 x) ;\n.entry k() {\n.reg .b32 %r<3>;\n"
    ".reg .b64 %rd1;\nT: .branchtargets A, B;\nbrx.idx %r1, T;\nA: {\n"
    ".param .b32 param0; .param .b32 retval0;\nst.param.b32 [param0+0], %r1;\n"
    "call.uni (retval0), f, (param0);\nP : .callprototype (.param .b32 _) _ "
    "(.param .b32 _);\ncall (retval0), %rd1, (param0), P;\n}\nB: bra B;\n}\n"
    ".func (.param .b32 r) f (.param .b32 x) { .reg .v2 .f32 v; mov.f32 v.x, 0f00000000;"
    " tex.2d [%rd1, {v.x, v.y}]; exit; }\n.section .debug_str { .b8 1 }\n",
    NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_ptx_module *module = NULL;
    enum bl_status status = bl_ptx_read("fuzz", (const char *)data, size, &module, &err);

    if (status != BL_OK) {
        if (status != BL_E_INPUT || module || strncmp(err.text, "fuzz:", 5) != 0)
            abort();
        return 0;
    }
    for (size_t f = 0; f < module->func_count; f++) {
        const struct bl_ptx_func *func = module->funcs[f];
        uint32_t *meet = NULL;

        if (func->is_extern)
            continue;
        if (func->insn_count == 0 || bl_cfg_reconverge(func, &meet, &err) != BL_OK)
            abort();
        for (size_t i = 0; i < func->insn_count; i++)
            if (meet[i] != BL_CFG_EXIT && meet[i] >= func->insn_count)
                abort();
        free(meet);
    }
    bl_ptx_free(module);
    return 0;
}
