/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_watch.h - the accesses of shared memory that a case makes on the model, as
 * accesses of a tile.
 */
#ifndef BL_ADVISE_WATCH_H
#define BL_ADVISE_WATCH_H

#include "bank/advise.h"
#include "model/watch.h"

struct bl_gather;

/* Watches launches one after another. End with bl_gather_free. */
enum bl_status bl_gather_new(struct bl_gather **out, struct bl_error *err);
void bl_gather_free(struct bl_gather *gather);
const struct bl_watcher *bl_gather_watcher(struct bl_gather *gather);

/* What was seen: an access for each source line (without .loc: PTX line), operation and
 * width, each with its distinct patterns. `row` is empty and `col` is the byte address
 * until bl_gathered_tile has run. */
struct bl_gathered {
    struct bl_tile_access *accesses; /* in the order of their lines */
    size_t count;
    uint32_t threads;      /* of a block, the most of all launches */
    uint64_t shared_bytes; /* likewise */
    uint32_t launches;     /* that access shared memory */
    /* Warp instructions on shared memory that were not gathered: atomics, matrices,
     * cp.async. */
    uint64_t others;
};

enum bl_status bl_gather_take(struct bl_gather *gather, struct bl_gathered *out,
                              struct bl_error *err);
void bl_gathered_free(struct bl_gathered *gathered);

/* How a pitch came about. */
enum bl_pitch_from { BL_PITCH_GIVEN, BL_PITCH_LANES, BL_PITCH_BANKS };

/* Turns addresses into rows and columns. The tile begins where shared memory does.
 * Zeros in *tile are decided: elem, the narrowest access; pitch, the distance most
 * often found between neighbouring lanes that go from row to row, of those patterns that
 * have conflicts if any has, else as many elements as one turn through the banks has;
 * rows, up to the last that is touched. BL_E_INPUT: elem is wider than an access. */
enum bl_status bl_gathered_tile(struct bl_gathered *gathered, const struct bl_arch *arch,
                                struct bl_tile *tile, enum bl_pitch_from *from,
                                struct bl_error *err);

#endif
