/* SPDX-License-Identifier: Apache-2.0
 *
 * program.c - a module made ready to run: where its variables lie, what they start as.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/program.h"

/* Module variables: each .global far enough from the next that running over its end
 * is seen; each .const likewise. Shared ones are laid out for each kernel. */
enum { VAR_GAP = 256 };

/* What compilers hold to: ptxas 13 refuses a module with more for every target. */
enum { CONST_MOST = 64 * 1024 };

static enum bl_status layout(struct bl_program *program, struct bl_error *err)
{
    struct bl_ptx_module *module = program->module;
    uint64_t global = bl_window_base(BL_WINDOW_VARS), constant = 0, taken = 0;
    for (size_t i = 0; i < module->var_count; i++) {
        struct bl_ptx_var *var = module->vars[i];
        uint64_t *at = var->space == BL_SPACE_GLOBAL  ? &global
                       : var->space == BL_SPACE_CONST ? &constant
                                                      : NULL;
        if (!at)
            continue;
        if (var->is_extern)
            return bl_error_at(err, BL_E_INPUT, module->name, var->line,
                               "variable %s is declared extern and not defined here",
                               var->name);
        *at = bl_align_up(*at, var->align > VAR_GAP ? var->align : VAR_GAP);
        var->address = *at;
        *at += var->size;
        taken += var->space == BL_SPACE_CONST ? var->size : 0;
    }
    if (taken > CONST_MOST)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: has %" PRIu64
                            " bytes of constant memory; a module has at most %d",
                            module->name, taken, CONST_MOST);
    program->const_bytes = constant;
    program->consts = calloc(constant + 1, 1);
    return program->consts ? BL_OK : bl_error_nomem(err);
}

void bl_program_var_init(const struct bl_ptx_var *var, uint8_t *to)
{
    if (var->init)
        memcpy(to, var->init, var->size);
    else
        memset(to, 0, var->size);
    for (size_t i = 0; i < var->reloc_count; i++) {
        const struct bl_ptx_reloc *r = &var->relocs[i];
        uint64_t address = r->func ? bl_func_address(r->func) : r->var->address;
        if (r->var && r->generic)
            address += bl_window_base(bl_window_of_space(r->var->space));
        address += (uint64_t)r->addend;
        if (r->offset + sizeof address <= var->size)
            memcpy(to + r->offset, &address, sizeof address);
    }
}

static enum bl_status list_kernels(struct bl_program *program, struct bl_error *err)
{
    struct bl_ptx_module *module = program->module;
    program->kernels = calloc(module->func_count + 1, sizeof *program->kernels);
    program->images = calloc(module->func_count + 1, sizeof *program->images);
    if (!program->kernels || !program->images)
        return bl_error_nomem(err);
    for (size_t i = 0; i < module->func_count; i++)
        if (module->funcs[i]->is_entry && !module->funcs[i]->is_extern)
            program->kernels[program->kernel_count++] = module->funcs[i]->name;
    return BL_OK;
}

enum bl_status bl_program_new(const char *name, const char *text, size_t length,
                              struct bl_program **out, struct bl_error *err)
{
    struct bl_program *program = calloc(1, sizeof *program);
    enum bl_status st;
    if (!program)
        return bl_error_nomem(err);
    st = bl_ptx_read(name, text, length, &program->module, err);
    if (st == BL_OK)
        st = layout(program, err);
    if (st == BL_OK)
        st = list_kernels(program, err);
    if (st) {
        bl_program_free(program);
        return st;
    }
    for (size_t i = 0; i < program->module->var_count; i++) {
        const struct bl_ptx_var *var = program->module->vars[i];
        if (var->space == BL_SPACE_CONST)
            bl_program_var_init(var, program->consts + var->address);
    }
    *out = program;
    return BL_OK;
}

void bl_program_free(struct bl_program *program)
{
    if (!program)
        return;
    for (size_t i = 0; program->images && i < program->module->func_count; i++)
        bl_image_free(program->images[i]);
    free(program->images);
    free(program->kernels);
    free(program->consts);
    bl_ptx_free(program->module);
    free(program);
}

size_t bl_program_kernels(const struct bl_program *program, const char *const **out)
{
    *out = program->kernels;
    return program->kernel_count;
}
