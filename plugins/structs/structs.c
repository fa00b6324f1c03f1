/* SPDX-License-Identifier: Apache-2.0
 *
 * structs - structures of one to four words, copied through shared memory member by
 * member or whole.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "structs.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { THREADS = 256 }; /* as in the kernel */

static const char *const accesses[] = {"single", "vector", NULL};

enum { WORDS, ACCESS };
static const struct banklab_param params[] = {
    [WORDS] = {.name = "words",
               .help = "members of a structure: 2 as in int2, 3 as in float3",
               .unit = "words",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 4,
               .default_value = 3},
    [ACCESS] = {.name = "access",
                .help = "member by member, or in one access (3 in the place of 4)",
                .type = BANKLAB_PARAM_CHOICE,
                .choices = accesses},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint64_t words = (uint64_t)values[WORDS].i;
    /* At least one block, for fewer words than a structure has. */
    const uint64_t blocks = n < words ? 1 : banklab_ceil_div(n / words, THREADS);
    struct banklab_launch *launch;

    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch = banklab_launch_add(plan, "structs_w%u_%s", (unsigned)words,
                                accesses[values[ACCESS].i]);
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = THREADS;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, n);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "structs",
    .kind = "copy",
    .summary = "structures of words through shared memory, whole or by members",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
};
