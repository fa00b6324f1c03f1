/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/worker.h"

enum bl_status bl_worker_patterns(struct bl_worker *worker,
                                  const struct bl_ask_patterns *ask, const char *ptx,
                                  const char *const *names,
                                  const struct bl_pattern_args *args,
                                  struct bl_patterns_card *card_out, double *values,
                                  double *cycles, struct bl_error *err)
{
    const size_t value_bytes = sizeof *values * ask->count * ask->metrics;
    const size_t cycle_bytes = ask->passes ? sizeof *cycles * ask->count : 0;
    char(*held)[BL_METRIC_BYTES] = calloc(ask->metrics + 1, sizeof *held);
    char *block = malloc(sizeof *card_out + value_bytes + cycle_bytes);
    enum bl_status status = held && block ? BL_OK : bl_error_nomem(err);
    struct bl_wire_part parts[] = {
        {ask, sizeof *ask},
        {ptx, ask->ptx_bytes},
        {held, ask->metrics * sizeof *held},
        {args, ask->count * sizeof *args},
    };

    for (uint32_t i = 0; status == BL_OK && i < ask->metrics; i++)
        snprintf(held[i], sizeof held[i], "%s", names[i]);
    if (status == BL_OK)
        status = bl_worker_ask(worker, BL_OP_PATTERNS, parts, 4, block,
                               sizeof *card_out + value_bytes + cycle_bytes, err);
    if (status == BL_OK) {
        memcpy(card_out, block, sizeof *card_out);
        memcpy(values, block + sizeof *card_out, value_bytes);
        memcpy(cycles, block + sizeof *card_out + value_bytes, cycle_bytes);
    }
    free(held);
    free(block);
    return status;
}
