/* SPDX-License-Identifier: Apache-2.0
 *
 * fault.c - how a kernel's fault is worded.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/block.h"
#include "model/fault.h"

static void append(char *text, size_t size, const char *more)
{
    size_t at = strlen(text);
    snprintf(text + at, size - at, "%s", more);
}

void bl_insn_name(const struct bl_ptx_insn *insn, char *text, size_t size)
{
    snprintf(text, size, "%s", insn->op);
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        append(text, size, ".");
        append(text, size, insn->mods[i]);
    }
}

void bl_insn_source(const struct bl_ptx_module *module, const struct bl_ptx_insn *insn,
                    char *text, size_t size)
{
    const char *file = NULL, *slash;
    if (insn->loc_file >= 0 && (size_t)insn->loc_file < module->file_count)
        file = module->files[insn->loc_file];
    if (!file || insn->loc_line <= 0) {
        if (size > 0)
            *text = '\0';
        return;
    }
    slash = strrchr(file, '/');
    snprintf(text, size, "%s:%d", slash ? slash + 1 : file, insn->loc_line);
}

/* "thread (3, 0, 0) of block (1, 2, 0)", or the warp if no lane is to blame. */
static void who(const struct bl_warp *warp, int lane, char *text, size_t size)
{
    const uint32_t *b = warp->block->index;
    uint32_t t[3];
    if (lane < 0) {
        snprintf(text, size, "warp %u of block (%u, %u, %u)", warp->index, b[0], b[1],
                 b[2]);
        return;
    }
    bl_warp_thread(warp, (uint32_t)lane, t);
    snprintf(text, size, "thread (%u, %u, %u) (warp %u, lane %d) of block (%u, %u, %u)",
             t[0], t[1], t[2], warp->index, lane, b[0], b[1], b[2]);
}

enum bl_flow bl_fault(struct bl_warp *warp, const struct bl_insn *in, int lane,
                      const char *format, ...)
{
    const struct bl_ptx_module *module = warp->block->launch->image->program->module;
    char what[512], name[128], source[128], thread[160];
    va_list ap;
    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    bl_insn_name(in->src, name, sizeof name);
    bl_insn_source(module, in->src, source, sizeof source);
    who(warp, lane, thread, sizeof thread);
    bl_error_at(&warp->block->error, BL_E_FAULT, module->name, in->src->line,
                "%s [%s%s%s, in %s, by %s]", what, name, *source ? ", from " : "", source,
                warp->code->func->name, thread);
    return BL_FLOW_FAULT;
}

enum bl_flow bl_fault_nomem(struct bl_warp *warp)
{
    bl_error_nomem(&warp->block->error);
    return BL_FLOW_FAULT;
}

enum bl_flow bl_fault_error(struct bl_warp *warp, const struct bl_error *error)
{
    warp->block->error = *error;
    return BL_FLOW_FAULT;
}
