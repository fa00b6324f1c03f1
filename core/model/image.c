/* SPDX-License-Identifier: Apache-2.0
 *
 * image.c - a kernel and all that it can reach, decoded.
 */
#include <stdlib.h>
#include <string.h>

#include "model/program.h"

static void reach_operand(const struct bl_ptx_operand *o, bool *reached, bool *changed)
{
    if (o->kind == BL_OPND_FUNC && o->func && !reached[o->func->order])
        reached[o->func->order] = *changed = true;
    for (uint32_t i = 0; i < o->count; i++)
        reach_operand(&o->list[i], reached, changed);
}

/* A call by address may reach every function whose address can be known: simply all. */
static void reach_indirect(const struct bl_ptx_module *module, bool *reached,
                           bool *changed)
{
    for (size_t i = 0; i < module->func_count; i++)
        if (!module->funcs[i]->is_entry && !reached[i])
            reached[i] = *changed = true;
}

static bool is_indirect(const struct bl_ptx_insn *insn)
{
    if (strcmp(insn->op, "call") != 0)
        return false;
    for (uint32_t i = 0; i < insn->operand_count; i++)
        if (insn->operands[i].kind == BL_OPND_FUNC)
            return false;
    return true;
}

static void reach(const struct bl_ptx_module *module, bool *reached)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t f = 0; f < module->func_count; f++) {
            const struct bl_ptx_func *func = module->funcs[f];
            if (!reached[f])
                continue;
            for (size_t i = 0; i < func->insn_count; i++) {
                const struct bl_ptx_insn *insn = &func->insns[i];
                for (uint32_t o = 0; o < insn->operand_count; o++)
                    reach_operand(&insn->operands[o], reached, &changed);
                if (is_indirect(insn))
                    reach_indirect(module, reached, &changed);
            }
        }
    }
}

struct shared_layout {
    uint64_t at;
    uint32_t align; /* of what is extern */
};

static void place_static(struct bl_ptx_var *var, struct shared_layout *layout)
{
    if (var->space != BL_SPACE_SHARED)
        return;
    if (var->is_extern) {
        if (var->align > layout->align)
            layout->align = var->align;
        return;
    }
    var->address = bl_align_up(layout->at, var->align);
    layout->at = var->address + var->size;
}

static bool mentions(const struct bl_ptx_operand *o, const struct bl_ptx_var *var)
{
    if (o->var == var)
        return true;
    for (uint32_t i = 0; i < o->count; i++)
        if (mentions(&o->list[i], var))
            return true;
    return false;
}

/* Only variables that the kernel can reach take room in it. */
static bool is_used(const struct bl_ptx_module *module, const bool *reached,
                    const struct bl_ptx_var *var)
{
    for (size_t f = 0; f < module->func_count; f++) {
        const struct bl_ptx_func *func = module->funcs[f];
        for (size_t i = 0; reached[f] && i < func->insn_count; i++)
            for (uint32_t o = 0; o < func->insns[i].operand_count; o++)
                if (mentions(&func->insns[i].operands[o], var))
                    return true;
    }
    return false;
}

/* Static variables at increasing addresses in the module's order; all that is extern
 * starts where they end. */
static void layout_shared(struct bl_image *image, const bool *reached)
{
    const struct bl_ptx_module *module = image->program->module;
    struct shared_layout layout = {.align = 16};
    for (size_t i = 0; i < module->var_count; i++)
        if (module->vars[i]->space == BL_SPACE_SHARED &&
            is_used(module, reached, module->vars[i]))
            place_static(module->vars[i], &layout);
    for (size_t f = 0; f < module->func_count; f++)
        for (size_t i = 0; reached[f] && i < module->funcs[f]->local_count; i++)
            place_static(module->funcs[f]->locals[i], &layout);
    image->static_shared = layout.at;
    image->dynamic_shared_at = bl_align_up(layout.at, layout.align);
    for (size_t i = 0; i < module->var_count; i++)
        if (module->vars[i]->space == BL_SPACE_SHARED && module->vars[i]->is_extern)
            module->vars[i]->address = image->dynamic_shared_at;
    for (size_t f = 0; f < module->func_count; f++)
        for (size_t i = 0; i < module->funcs[f]->local_count; i++) {
            struct bl_ptx_var *var = module->funcs[f]->locals[i];
            if (var->space == BL_SPACE_SHARED && var->is_extern)
                var->address = image->dynamic_shared_at;
        }
}

static enum bl_status build(struct bl_image *image, bool *reached, struct bl_error *err)
{
    const struct bl_ptx_module *module = image->program->module;
    enum bl_status st = BL_OK;
    reached[image->kernel->order] = true;
    reach(module, reached);
    layout_shared(image, reached);
    for (size_t f = 0; f < module->func_count && st == BL_OK; f++)
        if (reached[f] && !module->funcs[f]->is_extern)
            st = bl_code_new(image, module->funcs[f], &image->codes[f], err);
    if (st)
        return st;
    if (image->codes[image->kernel->order]->error) {
        *err = *image->codes[image->kernel->order]->error;
        return err->status;
    }
    return BL_OK;
}

enum bl_status bl_image_get(struct bl_program *program, const struct bl_ptx_func *kernel,
                            struct bl_image **out, struct bl_error *err)
{
    struct bl_image *image = program->images[kernel->order];
    struct bl_error ignored;
    bool *reached = NULL;
    enum bl_status st = BL_OK;
    if (image) {
        *out = image;
        return BL_OK;
    }
    image = calloc(1, sizeof *image);
    reached = calloc(program->module->func_count + 1, sizeof *reached);
    if (!image || !reached) {
        st = bl_error_nomem(err);
        goto out;
    }
    image->program = program;
    image->kernel = kernel;
    image->codes = calloc(program->module->func_count + 1, sizeof *image->codes);
    st = image->codes ? build(image, reached, err ? err : &ignored) : bl_error_nomem(err);
out:
    free(reached);
    if (st) {
        bl_image_free(image);
        return st;
    }
    program->images[kernel->order] = image;
    *out = image;
    return BL_OK;
}

void bl_image_free(struct bl_image *image)
{
    if (!image)
        return;
    for (size_t i = 0; image->codes && i < image->program->module->func_count; i++)
        bl_code_free(image->codes[i]);
    free(image->codes);
    free(image->sites);
    free(image);
}
