/* SPDX-License-Identifier: Apache-2.0
 *
 * access_steps.h - inside of the access rules: a row of banks, and phases that are served
 * in steps of which some choices are open.
 */
#ifndef BL_ACCESS_STEPS_H
#define BL_ACCESS_STEPS_H

#include <stdint.h>

/* The banks, in units: a word, or the neighbouring words of one access. A unit's place in
 * the row is its address >> unit_log2 & mask; units of one place differ in
 * address >> row_log2. */
struct bl_access_row {
    uint32_t unit_log2, mask, row_log2;
};

struct bl_access_steps {
    uint32_t least, most;
};

/* BL_BROADCAST_ONE, for loads of the lanes in `mask` (not 0). Each step picks one of the
 * units that are left, anyhow, and serves all of its lanes, and of every other bank one
 * lane, whichever. The least and the most steps over all choices; both are exact:
 *
 * Least. In T steps of which k broadcast words of a bank, the bank serves k of its words
 * and T - k more lanes, so it needs the least k such that all lanes but those of its k
 * greatest words are at most T - k. There is one broadcast a step: T steps are enough if
 * the banks' k add up to T at most.
 *
 * Most. Let the steps with the broadcast in other banks come first, t of them. A bank of
 * n lanes and m words loses a lane in each, and then has no fewer words than min(m, n -
 * t) if the lanes are well chosen; each word that is left takes a step. So with this bank
 * t becomes min(n, m + t), and taking the banks in the order of their lanes gives the
 * most. */
struct bl_access_steps bl_access_one_broadcast(const struct bl_access_row *row,
                                               uint32_t mask, const uint32_t address[32]);

#endif
