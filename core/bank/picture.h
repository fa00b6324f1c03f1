/* SPDX-License-Identifier: Apache-2.0
 *
 * picture.h - one warp's access as a text grid: lanes on banks, or on sectors.
 */
#ifndef BL_BANK_PICTURE_H
#define BL_BANK_PICTURE_H

#include <stdio.h>

#include "model/access.h"
#include "report/report.h"

/* Shared memory. Columns are banks (for wide accesses as many neighbours as one lane
 * takes), lines what a bank has to give one after the other: as many lines a phase as it
 * takes wavefronts, unless the arch has rules that no grid shows, which then are said.
 * A cell has the lane that a word is for, the first of them where it is for several. In
 * which wavefront a word goes is not known: words stand in the order of their lanes.
 * Accesses that the arch splits are drawn part by part. Where style->width is not 0 and
 * too little for all banks side by side, they are split into groups below each other; 80
 * columns are enough.
 *
 * The arguments are bl_access_shared's (access.h). */
void bl_picture_print(FILE *out, const struct bl_style *style, const struct bl_arch *arch,
                      bool is_store, uint32_t width, uint32_t mask,
                      const uint32_t address[32]);

/* Global memory: a line for each sector that is touched, with its bytes and lanes; and
 * what is moved where that is something else. The arguments are bl_access_global's. */
void bl_picture_global(FILE *out, const struct bl_style *style,
                       const struct bl_arch *arch, uint32_t width, uint32_t mask,
                       const uint64_t address[32]);

#endif
