/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy that also does what few kernels do, as `what` says. Each has a kernel of its own
 * name, in PTX by hand.
 */
#include "banklab/plugin.h"

enum what { PLAIN, ATOMIC, ASYNC, SCATTERED, TWICE, NOTHING };
static const char *const whats[] = {"plain", "atomic",  "async", "scattered",
                                    "twice", "nothing", NULL};
static const struct banklab_param odd_params[] = {
    {.name = "what",
     .help = "what it does besides copying",
     .type = BANKLAB_PARAM_CHOICE,
     .choices = whats},
};

/* %r2 is the word's number, %r4 the thread's in its block, %rd1 and %rd2 point at the
 * word in the input and the output. */
#define KERNEL(name, tile, body)                                                         \
    ".visible .entry " name "(.param .u64 in, .param .u64 out, .param .u32 count)\n{\n"  \
    ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<6>;\n" tile                       \
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [count];\n"    \
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                \
    "mov.u32 %r9, %ctaid.x;\n"                                                           \
    "mad.lo.s32 %r2, %r2, %r3, %r4; setp.ge.u32 %p1, %r2, %r1; @%p1 bra END;\n"          \
    "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, "          \
    "%rd3;\n" body "END: ret;\n}\n"

#define COPY "ld.global.u32 %r5, [%rd1];\nst.global.u32 [%rd2], %r5;\n"

static const char odd_ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                              ".file 1 \"nowhere/odd.cu\"\n" KERNEL("plain", "", COPY)
    /* All lanes add to one word; and to the output, which is overwritten then. */
    KERNEL("atomic", ".shared .align 4 .b8 cell[4];\n",
           ".loc 1 7 0\nmov.u32 %r6, 0;\nst.shared.u32 [cell], %r6;\n"
           ".loc 1 8 0\natom.shared.add.u32 %r7, [cell], 1;\n"
           ".loc 1 9 0\nred.global.add.u32 [%rd2], 1;\n" COPY)
        KERNEL("async", ".shared .align 4 .b8 tile[256];\n",
               "mov.u32 %r6, tile;\nmad.lo.u32 %r6, %r4, 4, %r6;\n"
               "cp.async.ca.shared.global [%r6], [%rd1], 4;\ncp.async.wait_all;\n"
               "ld.shared.u32 %r5, [%r6];\nst.global.u32 [%rd2], %r5;\n")
    /* In block b, thread t stores to word b * t: in each in a way of its own. */
    KERNEL("scattered", ".shared .align 4 .b8 tile[32768];\n",
           "mov.u32 %r6, tile;\nmul.lo.u32 %r7, %r4, %r9;\nand.b32 %r7, %r7, 8191;\n"
           "mad.lo.u32 %r6, %r7, 4, %r6;\nst.shared.u32 [%r6], %r4;\n" COPY) ".visible "
                                                                             ".entry "
                                                                             "nothing() "
                                                                             "{ ret; }\n";
static const struct banklab_module odd_modules[] = {
    {.text = odd_ptx, .length = sizeof odd_ptx - 1}};

static void add_launch(const struct banklab_problem *problem, const char *kernel,
                       struct banklab_plan *plan)
{
    const uint64_t words = problem->rows * problem->cols;
    struct banklab_launch *launch = banklab_launch_add(plan, "%s", kernel);

    launch->block[0] = 64;
    launch->grid[0] = (uint32_t)((words + 63) / 64);
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, (uint32_t)words);
}

static int odd_plan(const struct banklab_problem *problem, const banklab_value *params,
                    struct banklab_plan *plan, struct banklab_error *error)
{
    (void)error;
    if (params[0].i == NOTHING) {
        struct banklab_launch *launch = banklab_launch_add(plan, "nothing");

        launch->block[0] = 32;
        launch->grid[0] = 1;
        return BANKLAB_OK;
    }
    add_launch(problem, params[0].i == TWICE ? "plain" : whats[params[0].i], plan);
    if (params[0].i == TWICE)
        add_launch(problem, "plain", plan);
    return BANKLAB_OK;
}

BANKLAB_EXPORT extern const struct banklab_plugin banklab_plugin;
const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "odd",
    .kind = "copy",
    .summary = "a copy that does odd things",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(odd_params),
    BANKLAB_MODULES(odd_modules),
    .plan = odd_plan,
};
