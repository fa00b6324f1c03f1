/* SPDX-License-Identifier: Apache-2.0
 *
 * timed_notes.h - what a reader must know before believing a measured time.
 */
#ifndef BL_TIMED_NOTES_H
#define BL_TIMED_NOTES_H

#include "work/timing.h"

/* Fills the report's timing note and adds warnings: clocks that moved, throttling, a
 * throughput above what the memory can do, a cache that was not cold, intervals wider
 * than asked for. */
enum bl_status bl_timed_note(const struct bl_device *dev, const struct bl_timing *timing,
                             struct bl_report *report, struct bl_error *err);

#endif
