/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_search.h - the layouts of one kind, tried in turn. For advise.c alone.
 */
#ifndef BL_ADVISE_SEARCH_H
#define BL_ADVISE_SEARCH_H

#include "bank/advise.h"

/* Tries layouts of `kind`, the simplest first, until one has no conflict. Sets found,
 * layout, tried, cut and why; FOUND_ALL and FOUND_BEST are by the engine, but not yet
 * verified to be one-to-one. */
enum bl_status bl_layout_search(const struct bl_advise_job *job, uint32_t bound,
                                enum bl_layout_kind kind, struct bl_proposal *out,
                                struct bl_error *err);

#endif
