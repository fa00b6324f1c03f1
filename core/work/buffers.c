/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.c - the host images of a case's buffers.
 */
#include "work/buffers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work/number.h"
#include "work/stream.h"

/* The streams of one case, apart from each other. */
enum { LABEL_INPUT, LABEL_POISON, LABEL_GUARD };

/* From here on a buffer asks for large pages: touching 16 MB in pages of 4 KB costs
 * more than filling them. */
static const uint64_t large_page = UINT64_C(2) << 20;

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t clock_bytes(const struct banklab_plan *plan)
{
    uint64_t bytes;
    return __builtin_mul_overflow(plan->clock.warps, UINT64_C(16), &bytes) ? UINT64_MAX
                                                                           : bytes;
}

uint64_t bl_regions_need(const struct banklab_plan *plan, uint64_t bytes)
{
    const uint64_t guards = 2 * BL_GUARD_BYTES;
    uint64_t need = add(add(add(bytes, bytes), bytes), 2 * guards);

    if (plan->clock.warps)
        need = add(need, add(clock_bytes(plan), guards));
    for (int i = 0; i < BANKLAB_MAX_SCRATCH; i++)
        if (plan->scratch_bytes[i])
            need = add(need, add(plan->scratch_bytes[i], guards));
    return need;
}

uint64_t bl_regions_limit(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);

    if (pages <= 0 || size <= 0)
        return SIZE_MAX / 4;
    return (uint64_t)pages / 4 * 3 * (uint64_t)size;
}

static uint8_t *memory_new(uint64_t bytes)
{
    const bool large = bytes >= 2 * large_page;
    void *memory = NULL;

    if (bytes > SIZE_MAX ||
        posix_memalign(&memory, large ? large_page : 4096, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (large)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a wish: without it, slower */
#endif
    return memory;
}

enum {
    SPARES = sizeof(((struct bl_spare *)0)->at) / sizeof(((struct bl_spare *)0)->at[0])
};

void bl_spare_free(struct bl_spare *spare)
{
    for (int i = 0; i < SPARES; i++)
        free(spare->at[i].image);
    memset(spare, 0, sizeof *spare);
}

/* Another size is another problem: what was kept for the last one goes. */
static uint8_t *image_new(struct bl_spare *spare, uint64_t bytes)
{
    for (int i = 0; spare && i < SPARES; i++)
        if (spare->at[i].image && spare->at[i].bytes == bytes) {
            uint8_t *image = spare->at[i].image;
            spare->at[i].image = NULL;
            return image;
        }
    if (spare && bytes >= large_page)
        bl_spare_free(spare);
    return memory_new(bytes);
}

static void image_free(struct bl_spare *spare, uint8_t *image, uint64_t bytes)
{
    for (int i = 0; spare && image && bytes >= large_page && i < SPARES; i++)
        if (!spare->at[i].image) {
            spare->at[i].image = image;
            spare->at[i].bytes = bytes;
            return;
        }
    free(image);
}

static enum bl_status region_add(struct bl_regions *regions, uint32_t role,
                                 const char *name, uint64_t bytes, struct bl_spare *spare,
                                 struct bl_error *err)
{
    struct bl_region *region = &regions->at[regions->count];

    memset(region, 0, sizeof *region);
    region->image = image_new(spare, bytes + 2 * BL_GUARD_BYTES);
    if (!region->image)
        return bl_error_set(err, BL_E_NOMEM,
                            "out of memory: no %" PRIu64 " bytes for the buffer '%s'",
                            bytes, name);
    region->role = role;
    region->bytes = bytes;
    snprintf(region->name, sizeof region->name, "%s", name);
    regions->count++;
    return BL_OK;
}

/* Zeroed, so that bytes which a plugin's reference leaves out are always the same. */
static enum bl_status expected_new(struct bl_regions *regions, uint64_t bytes,
                                   struct bl_spare *spare, struct bl_error *err)
{
    /* As large as a region, so that any of them can be the next case's. */
    regions->expected_bytes = bytes + 2 * BL_GUARD_BYTES;
    regions->expected = image_new(spare, regions->expected_bytes);
    if (!regions->expected)
        return bl_error_nomem(err);
    memset(regions->expected, 0, bytes);
    return BL_OK;
}

enum bl_status bl_regions_new(const struct banklab_plan *plan, uint64_t bytes,
                              uint64_t limit, struct bl_spare *spare,
                              struct bl_regions *out, struct bl_error *err)
{
    struct bl_regions regions = {.count = 0};
    const uint64_t need = bl_regions_need(plan, bytes);
    enum bl_status status;

    if (need > limit) {
        char n[BL_NUMBER_MAX], h[BL_NUMBER_MAX], l[BL_NUMBER_MAX], k[BL_NUMBER_MAX];
        return bl_error_set(err, BL_E_INPUT,
                            "the problem needs %s bytes of memory (%s); a case may use "
                            "%s (%s)",
                            bl_number_group(need, n), bl_number_bytes(need, h),
                            bl_number_group(limit, l), bl_number_bytes(limit, k));
    }
    status = region_add(&regions, BANKLAB_INPUT, "input", bytes, spare, err);
    if (!status)
        status = region_add(&regions, BANKLAB_OUTPUT, "output", bytes, spare, err);
    if (!status && plan->clock.warps)
        status =
            region_add(&regions, BANKLAB_CLOCK, "clock", clock_bytes(plan), spare, err);
    for (uint32_t i = 0; i < BANKLAB_MAX_SCRATCH && !status; i++) {
        char name[16];
        if (!plan->scratch_bytes[i])
            continue;
        snprintf(name, sizeof name, "scratch%u", (unsigned)i);
        status = region_add(&regions, BANKLAB_SCRATCH0 + i, name, plan->scratch_bytes[i],
                            spare, err);
    }
    if (!status)
        status = expected_new(&regions, bytes, spare, err);
    if (status) {
        bl_regions_free(&regions, spare);
        return status;
    }
    *out = regions;
    return BL_OK;
}

void bl_regions_free(struct bl_regions *regions, struct bl_spare *spare)
{
    for (size_t i = 0; i < regions->count; i++)
        image_free(spare, regions->at[i].image,
                   regions->at[i].bytes + 2 * BL_GUARD_BYTES);
    image_free(spare, regions->expected, regions->expected_bytes);
    memset(regions, 0, sizeof *regions);
}

struct bl_region *bl_regions_find(struct bl_regions *regions, uint32_t role)
{
    for (size_t i = 0; i < regions->count; i++)
        if (regions->at[i].role == role)
            return &regions->at[i];
    return NULL;
}

uint64_t bl_regions_poison_seed(uint64_t seed)
{
    return bl_stream_seed(seed, LABEL_POISON);
}

/* Each side of each region has its own guard bytes: a copied neighbour is no guard. */
static uint64_t guard_seed(uint64_t seed, const struct bl_region *region, unsigned side)
{
    return bl_stream_seed(seed, LABEL_GUARD + 2 * (uint64_t)region->role + side);
}

static uint8_t *guard_at(const struct bl_region *region, unsigned side)
{
    return side ? bl_region_payload(region) + region->bytes : region->image;
}

void bl_regions_fill(struct bl_regions *regions, uint64_t seed)
{
    for (size_t i = 0; i < regions->count; i++) {
        struct bl_region *region = &regions->at[i];
        uint8_t *payload = bl_region_payload(region);

        for (unsigned side = 0; side < 2; side++)
            bl_stream_fill(guard_at(region, side), BL_GUARD_BYTES,
                           guard_seed(seed, region, side));
        if (region->role == BANKLAB_INPUT && regions->input)
            memcpy(payload, regions->input, region->bytes);
        else if (region->role == BANKLAB_INPUT)
            bl_stream_fill(payload, region->bytes, bl_stream_seed(seed, LABEL_INPUT));
        else if (region->role == BANKLAB_CLOCK)
            bl_stream_fill(payload, region->bytes, bl_regions_poison_seed(seed));
        else if (region->role >= BANKLAB_SCRATCH0)
            memset(payload, 0, region->bytes);
    }
}

void bl_regions_poison(struct bl_regions *regions, uint64_t seed)
{
    struct bl_region *output = bl_regions_find(regions, BANKLAB_OUTPUT);
    bl_poison_fill(bl_region_payload(output), regions->expected, output->bytes,
                   bl_regions_poison_seed(seed));
}

/* False: the byte *at is another than it was. */
static bool input_intact(const struct bl_regions *regions, const struct bl_region *region,
                         uint64_t seed, uint64_t *at)
{
    const uint8_t *now = bl_region_payload(region), *given = regions->input;

    if (!given)
        return bl_stream_check(now, region->bytes, bl_stream_seed(seed, LABEL_INPUT), at);
    if (memcmp(now, given, region->bytes) == 0)
        return true;
    for (*at = 0; now[*at] == given[*at];)
        ++*at;
    return false;
}

enum bl_status bl_regions_check(const struct bl_regions *regions, uint64_t seed,
                                struct bl_error *err)
{
    uint64_t at;

    for (size_t i = 0; i < regions->count; i++) {
        const struct bl_region *region = &regions->at[i];

        for (unsigned side = 0; side < 2; side++)
            if (!bl_stream_check(guard_at(region, side), BL_GUARD_BYTES,
                                 guard_seed(seed, region, side), &at))
                return bl_error_set(
                    err, BL_E_FAULT,
                    "a kernel wrote outside of the buffer '%s': byte %" PRIu64
                    " %s changed",
                    region->name, side ? at : BL_GUARD_BYTES - at,
                    side ? "after its end" : "before its start");
        if (region->role == BANKLAB_INPUT && !input_intact(regions, region, seed, &at))
            return bl_error_set(err, BL_E_FAULT,
                                "a kernel changed its input: byte %" PRIu64 " differs",
                                at);
    }
    return BL_OK;
}
