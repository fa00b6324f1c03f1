/* SPDX-License-Identifier: Apache-2.0 */
#include "calibrate/code.h"

static const char ptx_sm75[] = {
#include "core/calibrate/patterns_sm75.ptx.inc"
};
static const char ptx_sm80[] = {
#include "core/calibrate/patterns_sm80.ptx.inc"
};
static const char ptx_sm90[] = {
#include "core/calibrate/patterns_sm90.ptx.inc"
};

static const struct banklab_module modules[] = {
    {ptx_sm75, sizeof ptx_sm75, 75, 0},
    {ptx_sm80, sizeof ptx_sm80, 80, 0},
    {ptx_sm90, sizeof ptx_sm90, 90, 0},
};

const struct banklab_module *bl_operation_module(const struct bl_operation *op)
{
    for (size_t i = 0; i + 1 < sizeof modules / sizeof *modules; i++)
        if (modules[i].cc == op->cc)
            return &modules[i];
    return &modules[sizeof modules / sizeof *modules - 1];
}
