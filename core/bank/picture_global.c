/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/lane_list.h"
#include "report/table.h"

enum { LANES = 32, BAR = 32 };

struct sector {
    uint64_t number;
    uint32_t lanes;
    uint32_t touched; /* a bit for each of BAR parts */
};

static int by_number(const void *a, const void *b)
{
    const struct sector *x = a, *y = b;

    return x->number < y->number ? -1 : x->number > y->number;
}

/* An aligned access lies in one sector, as none is wider than that. */
static size_t gather(uint32_t sector_bytes, uint32_t width, uint32_t mask,
                     const uint64_t address[LANES], struct sector sectors[LANES])
{
    const uint32_t part = sector_bytes / BAR;
    size_t count = 0;

    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(mask);
        const uint64_t number = address[lane] / sector_bytes;
        const uint32_t offset = (uint32_t)(address[lane] % sector_bytes);
        size_t i = 0;

        while (i < count && sectors[i].number != number)
            i++;
        if (i == count)
            sectors[count++] = (struct sector){.number = number};
        sectors[i].lanes |= UINT32_C(1) << lane;
        for (uint32_t byte = offset; byte < offset + width; byte++)
            sectors[i].touched |= UINT32_C(1) << byte / part;
    }
    qsort(sectors, count, sizeof *sectors, by_number);
    return count;
}

static void print_bar(FILE *out, const struct bl_style *style, uint32_t touched)
{
    bl_tint_begin(out, style, touched == UINT32_MAX ? BL_GOOD : BL_WARN);
    for (int i = 0; i < BAR; i++)
        fputc(touched >> i & 1 ? '#' : '.', out);
    bl_tint_end(out, style, touched == UINT32_MAX ? BL_GOOD : BL_WARN);
}

/* What is too long for the line ends in "...". */
static void print_lanes(FILE *out, const struct bl_style *style, uint32_t lanes, int used)
{
    char list[BL_LANE_LIST_MAX];
    int length = (int)bl_lane_list(lanes, list);
    const int room = style->width - used;

    if (style->width == 0 || length <= room) {
        fputs(list, out);
        return;
    }
    for (length = room - 3; length > 0 && list[length] != ' ';)
        length--;
    fprintf(out, "%.*s...", length > 0 ? length : 0, list);
}

/* Some generations move more sectors than are touched. */
static void print_moved(FILE *out, const struct bl_style *style,
                        const struct bl_arch *arch, uint32_t width,
                        const struct bl_global_cost *cost, size_t touched)
{
    const uint32_t lanes = arch->global_lanes[__builtin_ctz(width < 16 ? width : 16)];

    if (cost->sectors == touched)
        return;
    bl_tint_begin(out, style, BL_FAINT);
    fprintf(out, "%zu sectors are touched, %" PRIu32 " are moved: ", touched,
            cost->sectors);
    if (arch->coalescing == BL_COALESCE_SEQUENCE)
        fprintf(out,
                "for each %" PRIu32 " lanes those of a sequence\n"
                "that is aligned to its size, or else one for each lane.\n",
                lanes);
    else
        fprintf(out, "each %" PRIu32 " lanes move their own.\n", lanes);
    bl_tint_end(out, style, BL_FAINT);
}

void bl_picture_global(FILE *out, const struct bl_style *style,
                       const struct bl_arch *arch, uint32_t width, uint32_t mask,
                       const uint64_t address[32])
{
    struct sector sectors[LANES];
    const size_t count = gather(arch->sector_bytes, width, mask, address, sectors);
    const int digits =
        snprintf(NULL, 0, "%" PRIu64, sectors[count - 1].number * arch->sector_bytes);
    const int label = digits > 7 ? digits : 7;
    struct bl_global_cost cost;

    bl_tint_begin(out, style, BL_STRONG);
    fprintf(out, "%*s  %-*s  lanes\n", label, "address", BAR, "its bytes");
    bl_tint_end(out, style, BL_STRONG);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%*" PRIu64 "  ", label, sectors[i].number * arch->sector_bytes);
        print_bar(out, style, sectors[i].touched);
        fputs("  ", out);
        print_lanes(out, style, sectors[i].lanes, label + 2 + BAR + 2);
        fputc('\n', out);
    }
    bl_access_global(arch, width, mask, address, &cost);
    print_moved(out, style, arch, width, &cost, count);
}
