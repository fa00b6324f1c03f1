/* SPDX-License-Identifier: Apache-2.0
 *
 * fixture.h - a copy with a parameter, as somebody wrote it for the header that it is
 * compiled with: a 1.0 plugin, or, with ADDED, one that fills what a later minor has
 * added.
 */
#include "banklab/plugin.h"

/* As a compiler made it, so that no device compiler is needed. */
static const char ptx[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry copy_words(.param .u64 in, .param .u64 out, .param .u64 n)\n"
    "{\n"
    " .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %rd<8>;\n"
    " ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [n];\n"
    " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    " mul.wide.u32 %rd4, %r1, %r2; cvt.u64.u32 %rd5, %r3; add.u64 %rd4, %rd4, %rd5;\n"
    " setp.ge.u64 %p, %rd4, %rd3; @%p bra END;\n"
    " cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;\n"
    " shl.b64 %rd6, %rd4, 2; add.u64 %rd1, %rd1, %rd6; add.u64 %rd2, %rd2, %rd6;\n"
    " ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd2], %r4;\n"
    "END: ret;\n"
    "}\n";

#ifndef ADDED
#define ADDED
#endif

static const struct banklab_module modules[] = {
    {.text = ptx, .length = sizeof ptx - 1, .cc = 70 ADDED}};
static const struct banklab_param params[] = {
    {.name = "warps",
     .help = "warps a block",
     .type = BANKLAB_PARAM_INT,
     .minimum = 1,
     .maximum = 32,
     .default_value = 8 ADDED},
    {.name = "unit",
     .help = "nothing",
     .type = BANKLAB_PARAM_CHOICE,
     .choices = (const char *const[]){"one", "two", NULL},
     .default_value = 1 ADDED},
};
static const struct banklab_setting twin[] = {{.name = "warps", .value = "4" ADDED},
                                              {.name = "unit", .value = "one" ADDED}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t threads = 32 * (uint32_t)values[0].i;
    struct banklab_launch *launch = banklab_launch_add(plan, "copy_words");

    (void)error;
    launch->grid[0] = (uint32_t)banklab_ceil_div(n, threads);
    launch->block[0] = threads;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, n);
#ifdef LATER
    /* What an older lab has no room for must not be touched. */
    if (plan->struct_size >= sizeof *plan)
        plan->added = 1;
#endif
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,      .name = NAME,
    .kind = "copy",           .summary = "a copy",
    .elems = BANKLAB_ELEM(4), BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules), BANKLAB_TWIN(twin),
    .plan = plan ADDED,
};
