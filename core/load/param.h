/* SPDX-License-Identifier: Apache-2.0
 *
 * param.h - parameter values and value lists.
 */
#ifndef BL_PARAM_H
#define BL_PARAM_H

#include <stddef.h>
#include <stdio.h>

#include "banklab/plugin.h"
#include "base/error.h"

/* Reads `text` as a value of `param`, checked for range and choices. The error names
 * the parameter, the text and what would be right. */
enum bl_status bl_param_parse(const struct banklab_param *param, const char *text,
                              banklab_value *out, struct bl_error *err);

/* The value as profile text, into `out` (size bytes). */
void bl_param_print(const struct banklab_param *param, banklab_value value, char *out,
                    size_t size);

/* What the parameter takes, as one short text: "0..8", "16, 32 or 64", "load or
 * store". Into `out`. */
void bl_param_domain(const struct banklab_param *param, char *out, size_t size);

/* Expands a sweep into single value texts: "a,b,c"; "lo..hi" (step 1); "lo..hi+step";
 * "lo..hi*factor"; combinations by comma. A plain text is one value. At most
 * BL_SWEEP_MAX values. *out_list is a fresh NULL-terminated array; free with
 * bl_sweep_free. */
enum { BL_SWEEP_MAX = 4096 };
enum bl_status bl_sweep_expand(const char *text, char ***out_list, size_t *out_count,
                               struct bl_error *err);
void bl_sweep_free(char **list);

#endif
