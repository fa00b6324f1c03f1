/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/arch.h"
#include "model/model.h"
#include "model/tensor.h"
#include "work/rates.h"

/* A module decoded: the cases of a profile share few of them. */
struct decoded {
    const char *text;
    uint64_t length;
    struct bl_program *program;
};

struct model_device {
    struct bl_device base; /* first: bl_device_ops see this */
    const struct bl_paths *paths;
    struct bl_arch **archs; /* the run's, then those that cases ask for */
    size_t arch_count;
    struct bl_rates rates;
    char *rates_name; /* NULL: none were asked for */
    struct decoded *decoded;
    size_t decoded_count;
};

static void describe(const struct bl_arch *arch, struct bl_device_desc *out)
{
    *out = (struct bl_device_desc){0};
    snprintf(out->backend, sizeof out->backend, "model");
    snprintf(out->name, sizeof out->name, "model of cc %" PRIu32 ".%" PRIu32,
             arch->cc / 10, arch->cc % 10);
    snprintf(out->arch, sizeof out->arch, "%s", arch->name);
}

static enum bl_status list(const struct bl_paths *paths,
                           void (*line)(void *ctx, const struct bl_device_desc *desc,
                                        const char *details),
                           void *ctx, struct bl_error *err)
{
    char **names;
    size_t count;
    enum bl_status status = bl_paths_conf_names(paths, "arch", &names, &count, err);
    if (status != BL_OK)
        return status;
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        struct bl_device_desc desc;
        struct bl_arch arch;
        status = bl_arch_read(paths, names[i], &arch, err);
        if (status != BL_OK)
            break;
        describe(&arch, &desc);
        line(ctx, &desc, arch.evidence);
    }
    bl_paths_names_free(names, count);
    return status;
}

/* Three quarters of this machine's memory: the rest is for the lab and others. */
static void set_limits(const struct bl_arch *arch, struct bl_device_limits *limits)
{
    limits->cc = arch->cc;
    limits->any_target = true;
    limits->max_threads = arch->max_threads;
    memcpy(limits->max_block, arch->max_block, sizeof limits->max_block);
    memcpy(limits->max_grid, arch->max_grid, sizeof limits->max_grid);
    limits->max_shared = arch->max_shared;
    limits->memory = bl_regions_limit();
}

/* Where the profile, or --set, asked for what could not be had. */
static enum bl_status said_at(const char *at, enum bl_status status, struct bl_error *err)
{
    return status == BL_E_INPUT && at ? bl_error_prefix(err, "%s", at) : status;
}

static enum bl_status open_rates(struct model_device *dev,
                                 const struct bl_run_options *run, struct bl_error *err)
{
    const char *name = run->rates;
    if (!name || !*name)
        return BL_OK;
    enum bl_status status = bl_rates_read(dev->paths, name, &dev->rates, err);
    if (status != BL_OK)
        return said_at(run->rates_at, status, err);
    dev->rates_name = strdup(name);
    return dev->rates_name ? BL_OK : bl_error_nomem(err);
}

/* Rates of a GPU of another capability would make predictions of nothing that there
 * is: then there are none. */
static const struct bl_rates *rates_for(struct model_device *dev,
                                        const struct bl_arch *arch)
{
    if (!dev->rates_name || strcmp(dev->rates.arch, arch->name) != 0)
        return NULL;
    snprintf(dev->base.desc.rates, sizeof dev->base.desc.rates, "%s", dev->rates_name);
    return &dev->rates;
}

static enum bl_status find_arch(struct model_device *dev, const char *name,
                                const struct bl_arch **out, struct bl_error *err)
{
    for (size_t i = 0; i < dev->arch_count; i++)
        if (strcmp(dev->archs[i]->name, name) == 0) {
            *out = dev->archs[i];
            return BL_OK;
        }
    struct bl_arch **more =
        realloc(dev->archs, (dev->arch_count + 1) * sizeof *dev->archs);
    if (!more)
        return bl_error_nomem(err);
    dev->archs = more;
    struct bl_arch *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return bl_error_nomem(err);
    enum bl_status status = bl_arch_read(dev->paths, name, fresh, err);
    if (status != BL_OK) {
        free(fresh);
        return status;
    }
    dev->archs[dev->arch_count++] = fresh;
    *out = fresh;
    return BL_OK;
}

static enum bl_status view(struct bl_device *base, const char *name,
                           struct bl_device_view *out, struct bl_error *err)
{
    struct model_device *dev = (struct model_device *)base;
    const struct bl_arch *arch;
    enum bl_status status = find_arch(dev, name, &arch, err);
    if (status != BL_OK)
        return status;
    *out = (struct bl_device_view){.arch = arch->name, .rates = rates_for(dev, arch)};
    set_limits(arch, &out->limits);
    return BL_OK;
}

static void close_model(struct bl_device *base)
{
    struct model_device *dev = (struct model_device *)base;
    for (size_t i = 0; i < dev->decoded_count; i++)
        bl_program_free(dev->decoded[i].program);
    for (size_t i = 0; i < dev->arch_count; i++)
        free(dev->archs[i]);
    free(dev->decoded);
    free(dev->archs);
    free(dev->rates_name);
    free(dev);
}

static enum bl_status open_model(const struct bl_paths *paths,
                                 const struct bl_run_options *run, struct bl_device **out,
                                 struct bl_error *err)
{
    if (strcmp(run->device, "auto") != 0 && strcmp(run->device, "model") != 0)
        return bl_error_set(err, BL_E_INPUT,
                            "there is one model, 'model', not '%s'; 'arch' says of what",
                            run->device);
    struct model_device *dev = calloc(1, sizeof *dev);
    if (!dev)
        return bl_error_nomem(err);
    dev->base.ops = &bl_device_model;
    dev->paths = paths;
    const struct bl_arch *arch;
    enum bl_status status = find_arch(dev, run->arch, &arch, err);
    status = said_at(run->arch_at, status, err);
    if (status == BL_OK) {
        describe(arch, &dev->base.desc);
        set_limits(arch, &dev->base.limits);
        status = open_rates(dev, run, err);
    }
    if (status != BL_OK) {
        close_model(&dev->base);
        return status;
    }
    dev->base.rates = rates_for(dev, arch);
    *out = &dev->base;
    return BL_OK;
}

/* "transpose_tile.ptx" of "/.../transpose_tile.so": what PTX lines are called by. */
static void ptx_name(const char *plugin_path, char *out, size_t size)
{
    const char *slash = strrchr(plugin_path, '/');
    const char *base = slash ? slash + 1 : plugin_path;
    snprintf(out, size, "%.*s.ptx", (int)strcspn(base, "."), base);
}

static enum bl_status find_program(struct model_device *dev, const struct bl_job *job,
                                   struct bl_program **out, struct bl_error *err)
{
    const struct banklab_module *module = job->module;
    for (size_t i = 0; i < dev->decoded_count; i++)
        if (dev->decoded[i].text == module->text &&
            dev->decoded[i].length == module->length) {
            *out = dev->decoded[i].program;
            return BL_OK;
        }
    struct decoded *more =
        realloc(dev->decoded, (dev->decoded_count + 1) * sizeof *dev->decoded);
    if (!more)
        return bl_error_nomem(err);
    dev->decoded = more;
    char name[64];
    ptx_name(job->plugin_path, name, sizeof name);
    struct decoded fresh = {.text = module->text, .length = module->length};
    enum bl_status status =
        bl_program_new(name, module->text, module->length, &fresh.program, err);
    if (status != BL_OK)
        return status;
    dev->decoded[dev->decoded_count++] = fresh;
    *out = fresh.program;
    return BL_OK;
}

/* The buffers as kernels see them: spans[i] is regions->at[i]'s payload. */
static void set_spans(struct bl_regions *regions, struct bl_span spans[BL_REGION_MAX])
{
    for (size_t i = 0; i < regions->count; i++) {
        const struct bl_region *region = &regions->at[i];
        spans[i] = (struct bl_span){.name = region->name,
                                    .payload = bl_region_payload(region),
                                    .bytes = region->bytes};
    }
}

static const struct bl_span *find_span(const struct bl_job *job,
                                       const struct bl_span *spans, uint64_t role,
                                       struct bl_error *err)
{
    for (size_t i = 0; i < job->regions->count; i++)
        if (job->regions->at[i].role == role)
            return &spans[i];
    bl_error_set(err, BL_E_INTERNAL, "no buffer has the role %" PRIu64, role);
    return NULL;
}

static enum bl_status set_tensor(const struct banklab_tensor *from,
                                 const struct bl_job *job, const struct bl_span *spans,
                                 uint8_t bytes[BL_TENSOR_BYTES], struct bl_model_arg *out,
                                 struct bl_error *err)
{
    const struct bl_span *span = find_span(job, spans, from->role, err);
    struct bl_tensor tensor = {.elem = from->elem, .swizzle = from->swizzle};
    if (!span)
        return BL_E_INTERNAL;
    tensor.address = span->address + from->offset;
    memcpy(tensor.dims, from->dims, sizeof tensor.dims);
    memcpy(tensor.strides, from->strides, sizeof tensor.strides);
    memcpy(tensor.box, from->box, sizeof tensor.box);
    bl_tensor_encode(&tensor, bytes);
    *out = (struct bl_model_arg){.size = BL_TENSOR_BYTES, .data = bytes};
    return BL_OK;
}

static enum bl_status set_arg(const struct banklab_arg *arg, const struct bl_job *job,
                              const struct bl_span *spans, uint8_t room[BL_TENSOR_BYTES],
                              struct bl_model_arg *out, struct bl_error *err)
{
    float narrow = (float)arg->value.f;
    const struct bl_span *span;
    switch ((enum banklab_arg_type)arg->type) {
    case BANKLAB_ARG_BUFFER:
        span = find_span(job, spans, arg->value.u, err);
        if (!span)
            return BL_E_INTERNAL;
        *out = (struct bl_model_arg){.bits = span->address, .size = 8};
        return BL_OK;
    case BANKLAB_ARG_TENSOR_MAP:
        return set_tensor(&job->plan->tensors[arg->value.u], job, spans, room, out, err);
    case BANKLAB_ARG_U32:
        *out = (struct bl_model_arg){.bits = arg->value.u, .size = 4};
        return BL_OK;
    case BANKLAB_ARG_F32:
        *out = (struct bl_model_arg){.size = 4};
        memcpy(&out->bits, &narrow, sizeof narrow);
        return BL_OK;
    case BANKLAB_ARG_U64:
    case BANKLAB_ARG_F64: /* the union's bits are the double's */
        *out = (struct bl_model_arg){.bits = arg->value.u, .size = 8};
        return BL_OK;
    }
    return bl_error_set(err, BL_E_INTERNAL, "an argument has the type %" PRIu32,
                        arg->type);
}

static enum bl_status run_launch(const struct bl_arch *arch, const struct bl_job *job,
                                 const struct banklab_launch *from,
                                 struct bl_program *program, struct bl_memory *memory,
                                 const struct bl_span *spans, struct bl_counts *counts,
                                 struct bl_error *err)
{
    uint8_t rooms[BANKLAB_MAX_ARGS][BL_TENSOR_BYTES];
    struct bl_model_arg args[BANKLAB_MAX_ARGS];
    struct bl_model_launch launch = {.kernel = from->kernel,
                                     .shared_bytes = from->shared_bytes,
                                     .args = args,
                                     .arg_count = from->arg_count};
    struct bl_model_options options = {.arch = arch,
                                       .threads = job->options->threads,
                                       .steps = job->options->steps,
                                       .watcher = job->watcher,
                                       .unwritten = job->unwritten,
                                       .only = job->only,
                                       .only_count = job->only_count};
    memcpy(launch.grid, from->grid, sizeof launch.grid);
    memcpy(launch.block, from->block, sizeof launch.block);
    for (uint32_t i = 0; i < from->arg_count; i++) {
        enum bl_status status =
            set_arg(&from->args[i], job, spans, rooms[i], &args[i], err);
        if (status != BL_OK)
            return status;
    }
    return bl_model_run(program, memory, &launch, &options, counts, NULL, err);
}

/* The buffers were checked before, without what the module brings itself. */
static enum bl_status check_variables(const struct model_device *dev,
                                      const struct bl_program *program,
                                      const struct bl_job *job, struct bl_error *err)
{
    char name[64];
    uint64_t bytes = bl_program_variables(program);
    if (bytes <= dev->base.limits.memory)
        return BL_OK;
    ptx_name(job->plugin_path, name, sizeof name);
    return bl_error_set(err, BL_E_INPUT,
                        "%s: needs %" PRIu64 " bytes of memory for its .global "
                        "variables; a case may use %" PRIu64,
                        name, bytes, dev->base.limits.memory);
}

static enum bl_status run(struct bl_device *base, const struct bl_job *job,
                          struct bl_counts *counts, struct bl_error *err)
{
    struct model_device *dev = (struct model_device *)base;
    struct bl_span spans[BL_REGION_MAX] = {{0}};
    struct bl_counts sum = {
        .shared_source = BL_SRC_MODEL, .global_source = BL_SRC_MODEL, .has_cycles = true};
    struct bl_memory *memory = NULL;
    struct bl_program *program = NULL;
    const struct bl_arch *arch;
    enum bl_status status =
        find_arch(dev, job->arch ? job->arch : base->desc.arch, &arch, err);
    if (status == BL_OK)
        status = find_program(dev, job, &program, err);
    if (status != BL_OK)
        return status;
    set_spans(job->regions, spans);
    status = check_variables(dev, program, job, err);
    if (status == BL_OK)
        status = bl_memory_map(program, spans, job->regions->count, &memory, err);
    for (uint32_t i = 0; i < job->plan->launch_count && status == BL_OK; i++)
        status = run_launch(arch, job, &job->plan->launches[i], program, memory, spans,
                            &sum, err);
    if (memory)
        bl_memory_unmap(memory);
    if (status == BL_OK)
        *counts = sum;
    return status;
}

const struct bl_device_ops bl_device_model = {.backend = "model",
                                              .clock_source = BL_SRC_MODEL,
                                              .can_watch = true,
                                              .list = list,
                                              .open = open_model,
                                              .close = close_model,
                                              .view = view,
                                              .run = run};
