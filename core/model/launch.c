/* SPDX-License-Identifier: Apache-2.0
 *
 * launch.c - checks a launch against the kernel and the arch's limits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/launch.h"

static enum bl_status no_kernel(const struct bl_program *program, const char *name,
                                struct bl_error *err)
{
    const char *module = program->module->name;
    const char *near = bl_text_nearest(name, program->kernels, program->kernel_count);
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < program->kernel_count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 program->kernels[i]);
    if (program->kernel_count == 0)
        return bl_error_set(err, BL_E_INPUT, "%s: no kernel \"%s\": it has none", module,
                            name);
    return bl_error_set(err, BL_E_INPUT, "%s: no kernel \"%s\"%s%s%s; it has %s%s",
                        module, name, near ? " (did you mean \"" : "", near ? near : "",
                        near ? "\"?)" : "", list, used >= sizeof list ? "..." : "");
}

static enum bl_status check_sizes(const struct bl_model_launch *launch,
                                  const struct bl_arch *arch, struct bl_error *err)
{
    static const char axis[] = "xyz";
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (launch->block[i] < 1 || launch->block[i] > arch->max_block[i])
            return bl_error_set(err, BL_E_INPUT,
                                "%s: block.%c is %" PRIu32 ", must be 1 to %" PRIu32
                                " on %s",
                                launch->kernel, axis[i], launch->block[i],
                                arch->max_block[i], arch->name);
        if (launch->grid[i] < 1 || launch->grid[i] > arch->max_grid[i])
            return bl_error_set(
                err, BL_E_INPUT,
                "%s: grid.%c is %" PRIu32 ", must be 1 to %" PRIu32 " on %s",
                launch->kernel, axis[i], launch->grid[i], arch->max_grid[i], arch->name);
        threads *= launch->block[i];
    }
    if (threads > arch->max_threads || threads > 64 * BL_LANES)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: a block has %" PRIu64
                            " threads, must be at most %" PRIu32 " on %s",
                            launch->kernel, threads, arch->max_threads, arch->name);
    return BL_OK;
}

/* .reqntid and .maxntid: what the kernel was compiled for. */
static enum bl_status check_directives(const struct bl_model_launch *launch,
                                       const struct bl_ptx_func *kernel,
                                       struct bl_error *err)
{
    const uint32_t *b = launch->block, *r = kernel->reqntid, *m = kernel->maxntid;
    uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    uint64_t most = (uint64_t)(m[0] ? m[0] : 1) * (m[1] ? m[1] : 1) * (m[2] ? m[2] : 1);
    if (r[0] && (b[0] != r[0] || b[1] != (r[1] ? r[1] : 1) || b[2] != (r[2] ? r[2] : 1)))
        return bl_error_set(err, BL_E_INPUT,
                            "%s: launched with blocks of %" PRIu32 "x%" PRIu32 "x%" PRIu32
                            ", requires %" PRIu32 "x%" PRIu32 "x%" PRIu32 " (.reqntid)",
                            launch->kernel, b[0], b[1], b[2], r[0], r[1] ? r[1] : 1,
                            r[2] ? r[2] : 1);
    if (m[0] && threads > most)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: launched with %" PRIu64 " threads a block, was compiled "
                            "for at most %" PRIu64 " (.maxntid)",
                            launch->kernel, threads, most);
    return BL_OK;
}

/* What compilers hold to: ptxas 13 refuses more for every target that it knows. */
enum { STATIC_SHARED_MOST = 48 * 1024 };

static enum bl_status check_shared(const struct bl_model_launch *launch,
                                   const struct bl_image *image,
                                   const struct bl_arch *arch, uint64_t *bytes_out,
                                   struct bl_error *err)
{
    uint64_t bytes = launch->shared_bytes
                         ? image->dynamic_shared_at + launch->shared_bytes
                         : image->static_shared;
    if (image->static_shared > STATIC_SHARED_MOST && bytes <= arch->max_shared)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: has %" PRIu64 " bytes of static shared memory; no GPU "
                            "takes more than %d, the rest must be dynamic",
                            launch->kernel, image->static_shared, STATIC_SHARED_MOST);
    if (bytes > arch->max_shared)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "%s: needs %" PRIu64
                            " bytes of shared memory a block (%" PRIu64
                            " static, %" PRIu32 " dynamic), %s has %" PRIu64,
                            launch->kernel, bytes, image->static_shared,
                            launch->shared_bytes, arch->name, arch->max_shared);
    *bytes_out = bytes;
    return BL_OK;
}

static enum bl_status lay_params(const struct bl_model_launch *launch,
                                 const struct bl_image *image, uint8_t **out,
                                 struct bl_error *err)
{
    const struct bl_ptx_func *kernel = image->kernel;
    uint8_t *params;
    if (launch->arg_count != kernel->param_count)
        return bl_error_set(err, BL_E_INPUT, "%s: launched with %zu arguments, takes %zu",
                            launch->kernel, launch->arg_count, kernel->param_count);
    params = calloc(image->codes[kernel->order]->uniform_bytes + 16u, 1);
    if (!params)
        return bl_error_nomem(err);
    for (size_t i = 0; i < launch->arg_count; i++) {
        const struct bl_model_arg *arg = &launch->args[i];
        const struct bl_ptx_var *var = kernel->params[i];
        if (arg->size != var->size || (!arg->data && arg->size > sizeof arg->bits)) {
            free(params);
            return bl_error_set(err, BL_E_INPUT,
                                "%s: argument %zu has %" PRIu32 " bytes, its parameter "
                                "has %" PRIu64,
                                launch->kernel, i, arg->size, var->size);
        }
        memcpy(params + var->address, arg->data ? arg->data : (const void *)&arg->bits,
               arg->size);
    }
    *out = params;
    return BL_OK;
}

enum bl_status bl_launch_prepare(struct bl_program *program,
                                 const struct bl_model_launch *launch,
                                 const struct bl_arch *arch, struct bl_launch_setup *out,
                                 struct bl_error *err)
{
    struct bl_launch_setup setup = {.image = NULL};
    const struct bl_ptx_func *kernel = bl_ptx_func_find(program->module, launch->kernel);
    enum bl_status st;
    if (!kernel || !kernel->is_entry || kernel->is_extern)
        return no_kernel(program, launch->kernel, err);
    st = check_sizes(launch, arch, err);
    if (st == BL_OK)
        st = check_directives(launch, kernel, err);
    if (st == BL_OK)
        st = bl_image_get(program, kernel, &setup.image, err);
    if (st == BL_OK)
        st = check_shared(launch, setup.image, arch, &setup.shared_bytes, err);
    if (st == BL_OK)
        st = lay_params(launch, setup.image, &setup.params, err);
    if (st == BL_OK)
        *out = setup;
    return st;
}
