/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.c - global memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "model/program.h"

/* Spans start at multiples of this and at least this lies between them, so that a
 * stray access falls between two and is named by the nearer. */
#define SPAN_GAP (UINT64_C(1) << 30)

uint64_t bl_program_variables(const struct bl_program *program)
{
    const struct bl_ptx_module *module = program->module;
    uint64_t end = 0;
    for (size_t i = 0; i < module->var_count; i++) {
        const struct bl_ptx_var *var = module->vars[i];
        uint64_t at = var->address - bl_window_base(BL_WINDOW_VARS) + var->size;
        if (var->space == BL_SPACE_GLOBAL && at > end)
            end = at;
    }
    return end;
}

static enum bl_status add_vars(struct bl_memory *memory, const struct bl_program *program,
                               struct bl_error *err)
{
    const struct bl_ptx_module *module = program->module;
    memory->vars = calloc(bl_program_variables(program) + 1, 1);
    if (!memory->vars)
        return bl_error_nomem(err);
    for (size_t i = 0; i < module->var_count; i++) {
        const struct bl_ptx_var *var = module->vars[i];
        struct bl_memory_span *span = &memory->spans[memory->count];
        if (var->space != BL_SPACE_GLOBAL)
            continue;
        span->name = strdup(var->name);
        if (!span->name)
            return bl_error_nomem(err);
        span->host = memory->vars + (var->address - bl_window_base(BL_WINDOW_VARS));
        span->address = var->address;
        span->bytes = var->size;
        bl_program_var_init(var, span->host);
        memory->count++;
    }
    return BL_OK;
}

static enum bl_status add_spans(struct bl_memory *memory, struct bl_span *spans,
                                size_t count, struct bl_error *err)
{
    uint64_t at = bl_window_base(BL_WINDOW_SPANS);
    for (size_t i = 0; i < count; i++) {
        struct bl_memory_span *span = &memory->spans[memory->count];
        span->name = strdup(spans[i].name);
        if (!span->name)
            return bl_error_nomem(err);
        span->host = spans[i].payload;
        span->bytes = spans[i].bytes;
        span->address = spans[i].address = at;
        at = bl_align_up(at + span->bytes, SPAN_GAP) + SPAN_GAP;
        memory->count++;
    }
    return BL_OK;
}

enum bl_status bl_memory_map(struct bl_program *program, struct bl_span *spans,
                             size_t count, struct bl_memory **out, struct bl_error *err)
{
    struct bl_memory *memory = calloc(1, sizeof *memory);
    size_t most = count + (program ? program->module->var_count : 0);
    enum bl_status st = BL_OK;
    if (!memory)
        return bl_error_nomem(err);
    memory->spans = calloc(most + 1, sizeof *memory->spans);
    if (!memory->spans)
        st = bl_error_nomem(err);
    if (st == BL_OK && program)
        st = add_vars(memory, program, err);
    if (st == BL_OK)
        st = add_spans(memory, spans, count, err);
    if (st) {
        bl_memory_unmap(memory);
        return st;
    }
    *out = memory;
    return BL_OK;
}

void bl_memory_unmap(struct bl_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < memory->count; i++)
        free(memory->spans[i].name);
    free(memory->spans);
    free(memory->vars);
    free(memory);
}

const struct bl_memory_span *bl_memory_find(const struct bl_memory *memory,
                                            uint64_t address)
{
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct bl_memory_span *span = &memory->spans[middle];
        if (address < span->address)
            high = middle;
        else if (address - span->address >= span->bytes)
            low = middle + 1;
        else
            return span;
    }
    return NULL;
}

/* How far `address` is outside of `span`. */
static uint64_t distance(const struct bl_memory_span *span, uint64_t address)
{
    if (address < span->address)
        return span->address - address;
    if (address - span->address < span->bytes)
        return 0;
    return address - span->address - span->bytes;
}

static const char *window_name(uint64_t address)
{
    switch (address >> BL_WINDOW_SHIFT) {
    case BL_WINDOW_SHARED: return "in shared memory";
    case BL_WINDOW_LOCAL: return "in local memory";
    case BL_WINDOW_PARAM: return "in the kernel's parameters";
    case BL_WINDOW_CONST: return "in constant memory";
    case BL_WINDOW_FUNC: return "in code";
    default: return "in no buffer";
    }
}

void bl_memory_describe(const struct bl_memory *memory, uint64_t address, char *text,
                        size_t size)
{
    const struct bl_memory_span *near = NULL;
    for (size_t i = 0; i < memory->count; i++)
        if (!near || distance(&memory->spans[i], address) < distance(near, address))
            near = &memory->spans[i];
    if (address == 0)
        snprintf(text, size, "address 0 (a null pointer)");
    else if (!near || distance(near, address) > SPAN_GAP)
        snprintf(text, size, "address 0x%" PRIx64 " (%s)", address, window_name(address));
    else if (address < near->address)
        snprintf(text, size, "%s - %" PRIu64 " (%s is %" PRIu64 " bytes long)",
                 near->name, near->address - address, near->name, near->bytes);
    else
        snprintf(text, size, "%s + %" PRIu64 " (%s is %" PRIu64 " bytes long)",
                 near->name, address - near->address, near->name, near->bytes);
}
