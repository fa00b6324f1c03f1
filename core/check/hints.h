/* SPDX-License-Identifier: Apache-2.0
 *
 * hints.h - what the runs that failed have in common, and those that passed have not.
 */
#ifndef BL_CHECK_HINTS_H
#define BL_CHECK_HINTS_H

#include "check/moved.h"
#include "check/sample.h"

enum bl_outcome {
    BL_OUTCOME_PASS,
    BL_OUTCOME_WRONG,
    BL_OUTCOME_FAULT,
    BL_OUTCOME_OTHER /* skipped, or not to be made */
};

/* `outcomes` are the cases', in their order. Into `out`; empty: nothing that would say
 * something. */
void bl_hint_common(const struct bl_plugin *plugin, const struct bl_sample *sample,
                    const enum bl_outcome *outcomes, char *out, size_t size);

/* What the wrong places say. */
void bl_hint_moved(const struct bl_moved *moved, char *out, size_t size);

#endif
