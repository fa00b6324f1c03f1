/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy that goes wrong as `deed` says. Each deed has a kernel of its own name.
 */
#include "banklab/plugin.h"

#include <stdlib.h>
#include <unistd.h>

enum deed { RIGHT, FAULT, HANG, DIE, SLEEPY_PLAN, ABORTING_PLAN, ABORTING_REFERENCE };
static const char *const deeds[] = {
    "right", "fault", "hang", "die", "sleepy_plan", "aborting_plan", "aborting_reference",
    NULL};
static const struct banklab_param misdeed_params[] = {
    {.name = "deed",
     .help = "what the plugin does",
     .type = BANKLAB_PARAM_CHOICE,
     .choices = deeds},
    {.name = "grid",
     .help = "blocks more than needed",
     .type = BANKLAB_PARAM_INT,
     .maximum = INT64_C(1) << 33},
    {.name = "shared",
     .help = "bytes of dynamic shared memory",
     .type = BANKLAB_PARAM_INT,
     .maximum = 1 << 20},
};

/* A thread copies a word. `fault` stores 64 TiB behind the output. */
#define COPY(name, wrong)                                                                \
    ".visible .entry " name "(.param .u64 in, .param .u64 out, .param .u32 count)\n{\n"  \
    ".reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\n"                             \
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [count];\n"    \
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                \
    "mad.lo.s32 %r2, %r2, %r3, %r4; setp.ge.u32 %p1, %r2, %r1; @%p1 bra END;\n"          \
    "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, "          \
    "%rd3;\n" wrong "ld.volatile.global.u32 %r5, [%rd1]; st.global.u32 [%rd2], %r5;\n"   \
    "END: ret;\n}\n"

static const char sound_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n" COPY(
    "right", "") COPY("die", "") COPY("fault", "add.s64 %rd2, %rd2, 70368744177664;\n")
    COPY("hang", "AGAIN: ld.volatile.global.u32 %r5, [%rd1]; setp.ge.u32 %p2, %r2, 0;\n"
                 "@%p2 bra AGAIN;\n");
static const struct banklab_module misdeed_modules[] = {
    {.text = sound_ptx, .length = sizeof sound_ptx - 1}};

static int misdeed_plan(const struct banklab_problem *problem,
                        const banklab_value *params, struct banklab_plan *plan,
                        struct banklab_error *error)
{
    const uint64_t words = problem->rows * problem->cols;
    struct banklab_launch *launch;

    (void)error;
    if (params[0].i == ABORTING_PLAN)
        abort();
    while (params[0].i == SLEEPY_PLAN)
        pause();
    launch =
        banklab_launch_add(plan, "%s", params[0].i > DIE ? "right" : deeds[params[0].i]);
    launch->block[0] = 64;
    launch->grid[0] = (uint32_t)((words + 63) / 64);
    launch->grid[1] = (uint32_t)params[1].i + 1;
    launch->shared_bytes = (uint32_t)params[2].i;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, (uint32_t)words);
    return BANKLAB_OK;
}

static int misdeed_reference(const struct banklab_problem *problem,
                             const banklab_value *params, const void *in, void *out,
                             struct banklab_error *error)
{
    const uint32_t *from = in;
    uint32_t *to = out;

    (void)error;
    if (params[0].i == ABORTING_REFERENCE)
        abort();
    for (uint64_t i = 0; i < problem->rows * problem->cols; i++)
        to[i] = from[i];
    return BANKLAB_OK;
}

BANKLAB_EXPORT extern const struct banklab_plugin banklab_plugin;
const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "misdeed",
    .kind = "copy",
    .summary = "a copy that goes wrong",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(misdeed_params),
    BANKLAB_MODULES(misdeed_modules),
    .plan = misdeed_plan,
    .reference = misdeed_reference,
};
