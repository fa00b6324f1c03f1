/* SPDX-License-Identifier: Apache-2.0
 *
 * counts.h - from what workers counted at each memory instruction to a launch's counts.
 */
#ifndef BL_COUNTS_H
#define BL_COUNTS_H

#include "model/block.h"

/* Adds `from` to `to`, site by site. */
void bl_sites_add(struct bl_site *to, const struct bl_site *from, size_t count);
/* Adds the sites' shared and global counts to *counts, with the least of each where the
 * arch has one. */
void bl_sites_count(const struct bl_image *image, const struct bl_arch *arch,
                    const struct bl_site *sites, struct bl_counts *counts);
/* The sites that were executed, by line. */
enum bl_status bl_sites_profile(const struct bl_image *image, const struct bl_site *sites,
                                struct bl_model_profile *out, struct bl_error *err);

#endif
