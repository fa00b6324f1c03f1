/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.h - the host images of a case's buffers, with guards and poison.
 *
 * An image is guard | payload | guard. The device sees the whole image and hands the
 * kernel the payload's address, so that guards are checked on every device alike.
 */
#ifndef BL_BUFFERS_H
#define BL_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "banklab/plugin.h"
#include "base/error.h"

enum { BL_GUARD_BYTES = 4096, BL_REGION_MAX = 3 + BANKLAB_MAX_SCRATCH };

struct bl_region {
    uint32_t role; /* enum banklab_role; SCRATCH0 + i */
    char name[16]; /* "input", "output", "clock", "scratch0" */
    uint8_t *image;
    uint64_t bytes; /* of the payload, which starts at image + BL_GUARD_BYTES and is
                       aligned to 256; the image is bytes + 2 * BL_GUARD_BYTES,
                       the second guard starting right at the payload's end */
};

struct bl_regions {
    struct bl_region at[BL_REGION_MAX];
    size_t count;
    uint8_t *expected; /* what the output must hold: as many bytes, filled by the caller;
                          the device never sees it */
    uint64_t expected_bytes; /* what there is of it: some more */
    const void *input; /* what the input must hold, as many bytes, the caller's; NULL, as
                          bl_regions_new leaves it: pseudo-random */
};

static inline uint8_t *bl_region_payload(const struct bl_region *region)
{
    return region->image + BL_GUARD_BYTES;
}

/* Bytes that one checked run holds in memory: the images of `plan`, input and output
 * being `bytes` each, and `expected`. Saturates. */
uint64_t bl_regions_need(const struct banklab_plan *plan, uint64_t bytes);

/* Bytes that cases may hold of this machine's memory: three quarters of it. */
uint64_t bl_regions_limit(void);

/* Images that one case leaves to the next: of the same problem it has the same sizes, and
 * memory that was touched before costs half as much as fresh pages. All zero: none. */
struct bl_spare {
    struct {
        uint8_t *image;
        uint64_t bytes;
    } at[3];
};
void bl_spare_free(struct bl_spare *spare);

/* Allocates the regions that `plan` uses, input and output of `bytes` each, clock,
 * scratch, and `expected`, zeroed, from `spare` where it can (NULL: none). Refuses
 * (BL_E_INPUT) when bl_regions_need is over `limit`. */
enum bl_status bl_regions_new(const struct banklab_plan *plan, uint64_t bytes,
                              uint64_t limit, struct bl_spare *spare,
                              struct bl_regions *out, struct bl_error *err);
/* Leaves large images to `spare`, unless that is NULL. */
void bl_regions_free(struct bl_regions *regions, struct bl_spare *spare);

/* The region with that role, or NULL. */
struct bl_region *bl_regions_find(struct bl_regions *regions, uint32_t role);

/* Before a checked run, in two steps, since the reference needs the input and the
 * poison the reference.
 *
 * First: input as given, else pseudo-random from `seed`, clock poisoned, scratch zeroed,
 * guards written. */
void bl_regions_fill(struct bl_regions *regions, uint64_t seed);

/* Then, with `expected` filled: the output poisoned. Each poison byte is the expected
 * byte with at least one bit turned over, which ones a function of `seed` and the offset.
 * So an element that is never written can't be right by luck, however narrow; and nothing
 * constant, nor an answer left from before, passes for it. */
void bl_regions_poison(struct bl_regions *regions, uint64_t seed);

/* BL_E_FAULT naming buffer, side and offset if a guard byte or a byte of the input
 * changed. */
enum bl_status bl_regions_check(const struct bl_regions *regions, uint64_t seed,
                                struct bl_error *err);

/* The seed of the output's poison, of bl_poison_intact, and of the clock's, of
 * bl_stream_word. */
uint64_t bl_regions_poison_seed(uint64_t seed);

#endif
