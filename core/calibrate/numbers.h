/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers.h - what is compared of a pattern: numbers that the rules give and a device
 * measures.
 */
#ifndef BL_NUMBERS_H
#define BL_NUMBERS_H

#include "calibrate/operation.h"
#include "calibrate/pattern.h"
#include "model/access.h"
#include "work/measure.h"

enum bl_number {
    BL_NUMBER_CYCLES,     /* of the SM's clock, an access */
    BL_NUMBER_WAVEFRONTS, /* in shared memory */
    BL_NUMBER_CONFLICTS,
    BL_NUMBER_SECTORS, /* in global memory */
    BL_NUMBER_ROUNDS,  /* of an atomic that is a loop */
    BL_NUMBER_LOADS,   /* wavefronts of its loads */
    BL_NUMBERS
};
/* "cycles". */
const char *bl_number_name(enum bl_number number);

/* NaN: not given, not measured. */
struct bl_numbers {
    double at[BL_NUMBERS];
    bool least; /* wavefronts: the machine may need more */
};

/* What the rules of `arch` say. */
void bl_numbers_expect(const struct bl_arch *arch, const struct bl_operation *op,
                       const struct bl_pattern_args *args, struct bl_numbers *out);

/* The counters that tell a number of an operation: counter[0], less counter[1] if there
 * is one. False: none does. */
bool bl_number_counters(const struct bl_operation *op, enum bl_number number,
                        const char *counter[2]);

/* Whether a measured number is what is expected: counts exactly, cycles within what the
 * method of timing errs by. Where either is NaN there is nothing to disagree. */
bool bl_number_agrees(const struct bl_operation *op, enum bl_number number,
                      const struct bl_numbers *expected, const struct bl_numbers *got);

/* The numbers of counts that were made of one instruction, preparations left out. */
void bl_numbers_of_counts(const struct bl_operation *op, const struct bl_counts *counts,
                          struct bl_numbers *out);

#endif
