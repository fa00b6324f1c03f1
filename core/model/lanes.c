/* SPDX-License-Identifier: Apache-2.0
 *
 * lanes.c - moving elements between memory and registers, 32 lanes at a time.
 */
#include <string.h>

#include "model/lanes.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "registers and memory are read in little-endian order");

static inline uint16_t get16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint32_t get32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t get64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* One element from memory into every lane's register: `R` is the register's type,
 * `value` the element, widened. */
#define LOAD(R, value)                                                                   \
    do {                                                                                 \
        R *d = BL_SLOT(R, frame, slot);                                                  \
        BL_FOR_LANES(mask, const uint8_t *p = base + offset[l]; d[l] = (R)(value));      \
    } while (0)

#define LOAD_INTO(R)                                                                     \
    do {                                                                                 \
        switch (elem) {                                                                  \
        case 1:                                                                          \
            if (sign)                                                                    \
                LOAD(R, (int8_t)*p);                                                     \
            else                                                                         \
                LOAD(R, *p);                                                             \
            break;                                                                       \
        case 2:                                                                          \
            if (sign)                                                                    \
                LOAD(R, (int16_t)get16(p));                                              \
            else                                                                         \
                LOAD(R, get16(p));                                                       \
            break;                                                                       \
        case 4:                                                                          \
            if (sign)                                                                    \
                LOAD(R, (int32_t)get32(p));                                              \
            else                                                                         \
                LOAD(R, get32(p));                                                       \
            break;                                                                       \
        default: LOAD(R, get64(p)); break;                                               \
        }                                                                                \
    } while (0)

static void load16(uint8_t *frame, uint32_t slot, const uint8_t *base,
                   const uint64_t offset[BL_LANES], uint32_t mask)
{
    uint64_t *lo = BL_SLOT(uint64_t, frame, slot), *hi = lo + BL_LANES;
    BL_FOR_LANES(mask, const uint8_t *p = base + offset[l]; lo[l] = get64(p);
                 hi[l] = get64(p + 8));
}

static void load_one(uint8_t *frame, uint32_t slot, uint32_t reg, uint32_t elem,
                     bool sign, const uint8_t *base, const uint64_t offset[BL_LANES],
                     uint32_t mask)
{
    switch (reg) {
    case 2: LOAD_INTO(uint16_t); break;
    case 4:
        if (elem == 4)
            LOAD(uint32_t, get32(p));
        else
            LOAD_INTO(uint32_t);
        break;
    case 8:
        if (elem == 8)
            LOAD(uint64_t, get64(p));
        else
            LOAD_INTO(uint64_t);
        break;
    default:
        if (elem == 16) {
            load16(frame, slot, base, offset, mask);
        } else {
            uint64_t *hi = BL_SLOT(uint64_t, frame, slot) + BL_LANES;
            const uint64_t *lo = BL_SLOT(uint64_t, frame, slot);
            LOAD_INTO(uint64_t);
            BL_FOR_LANES(mask, hi[l] = sign && lo[l] >> 63 ? UINT64_MAX : 0);
        }
        break;
    }
}

/* The common vectors: four words or two double words, a lane at a time. */
static void load_words4(uint8_t *frame, const struct bl_mem_op *op, const uint8_t *base,
                        const uint64_t offset[BL_LANES], uint32_t mask)
{
    uint32_t *d0 = BL_SLOT(uint32_t, frame, op->slot[0]);
    uint32_t *d1 = BL_SLOT(uint32_t, frame, op->slot[1]);
    uint32_t *d2 = BL_SLOT(uint32_t, frame, op->slot[2]);
    uint32_t *d3 = BL_SLOT(uint32_t, frame, op->slot[3]);
    BL_FOR_LANES(mask, const uint8_t *p = base + offset[l]; d0[l] = get32(p);
                 d1[l] = get32(p + 4); d2[l] = get32(p + 8); d3[l] = get32(p + 12));
}

static bool is_words4(const struct bl_mem_op *op)
{
    return op->count == 4 && op->elem == 4 &&
           (op->reg[0] & op->reg[1] & op->reg[2] & op->reg[3]) == 4;
}

void bl_lanes_load(uint8_t *frame, const struct bl_mem_op *op, const uint8_t *base,
                   const uint64_t offset[BL_LANES], uint32_t mask)
{
    if (is_words4(op)) {
        load_words4(frame, op, base, offset, mask);
        return;
    }
    for (uint32_t i = 0; i < op->count; i++)
        load_one(frame, op->slot[i], op->reg[i], op->elem, op->sign, base + i * op->elem,
                 offset, mask);
}

#define STORE(R, M)                                                                      \
    do {                                                                                 \
        const R *s = BL_SLOT(const R, frame, slot);                                      \
        BL_FOR_LANES(mask, M v = (M)s[l]; memcpy(base + offset[l], &v, sizeof v));       \
    } while (0)

#define STORE_FROM(R)                                                                    \
    do {                                                                                 \
        switch (elem) {                                                                  \
        case 1: STORE(R, uint8_t); break;                                                \
        case 2: STORE(R, uint16_t); break;                                               \
        case 4: STORE(R, uint32_t); break;                                               \
        default: STORE(R, uint64_t); break;                                              \
        }                                                                                \
    } while (0)

static void store_one(const uint8_t *frame, uint32_t slot, uint32_t reg, uint32_t elem,
                      uint8_t *base, const uint64_t offset[BL_LANES], uint32_t mask)
{
    switch (reg) {
    case 2: STORE_FROM(uint16_t); break;
    case 4:
        if (elem == 4)
            STORE(uint32_t, uint32_t);
        else
            STORE_FROM(uint32_t);
        break;
    default: /* of 16-byte registers the low half comes first */
        STORE_FROM(uint64_t);
        break;
    }
    if (elem == 16) {
        slot += 8 * BL_LANES;
        base += 8;
        STORE(uint64_t, uint64_t);
    }
}

static void store_words4(const uint8_t *frame, const struct bl_mem_op *op, uint8_t *base,
                         const uint64_t offset[BL_LANES], uint32_t mask)
{
    const uint32_t *s0 = BL_SLOT(const uint32_t, frame, op->slot[0]);
    const uint32_t *s1 = BL_SLOT(const uint32_t, frame, op->slot[1]);
    const uint32_t *s2 = BL_SLOT(const uint32_t, frame, op->slot[2]);
    const uint32_t *s3 = BL_SLOT(const uint32_t, frame, op->slot[3]);
    BL_FOR_LANES(mask, uint32_t v[4]; v[0] = s0[l]; v[1] = s1[l]; v[2] = s2[l];
                 v[3] = s3[l]; memcpy(base + offset[l], v, sizeof v));
}

void bl_lanes_store(const uint8_t *frame, const struct bl_mem_op *op, uint8_t *base,
                    const uint64_t offset[BL_LANES], uint32_t mask)
{
    if (is_words4(op)) {
        store_words4(frame, op, base, offset, mask);
        return;
    }
    for (uint32_t i = 0; i < op->count; i++)
        store_one(frame, op->slot[i], op->reg[i], op->elem, base + i * op->elem, offset,
                  mask);
}

/* ---- lane memory ---------------------------------------------------------------- */

static inline uint64_t lane_at(uint64_t address, uint32_t lane)
{
    return (address / 4 * BL_LANES + lane) * 4 + address % 4;
}

void bl_lane_read(const uint8_t *base, uint64_t address, uint32_t lane, void *to,
                  uint32_t size)
{
    uint8_t *bytes = to;
    for (uint32_t at = 0, n; at < size; at += n) {
        n = 4 - (uint32_t)((address + at) % 4);
        n = n < size - at ? n : size - at;
        memcpy(bytes + at, base + lane_at(address + at, lane), n);
    }
}

void bl_lane_write(uint8_t *base, uint64_t address, uint32_t lane, const void *from,
                   uint32_t size)
{
    const uint8_t *bytes = from;
    for (uint32_t at = 0, n; at < size; at += n) {
        n = 4 - (uint32_t)((address + at) % 4);
        n = n < size - at ? n : size - at;
        memcpy(base + lane_at(address + at, lane), bytes + at, n);
    }
}

/* Elements of up to a word are where lane_at says, and wider ones go through a copy, in
 * which lane l's bytes are at 32 l. */
void bl_lanes_load_own(uint8_t *frame, const struct bl_mem_op *op, const uint8_t *base,
                       const uint64_t offset[BL_LANES], uint32_t mask)
{
    uint8_t copy[BL_LANES * 32];
    uint64_t at[BL_LANES];
    if (op->width <= 4 && op->count == 1) {
        BL_FOR_LANES(mask, at[l] = lane_at(offset[l], (uint32_t)l));
        bl_lanes_load(frame, op, base, at, mask);
        return;
    }
    for (int l = 0; l < BL_LANES; l++)
        at[l] = 32 * (uint64_t)l;
    BL_FOR_LANES(mask,
                 bl_lane_read(base, offset[l], (uint32_t)l, copy + at[l], op->width));
    bl_lanes_load(frame, op, copy, at, mask);
}

void bl_lanes_store_own(const uint8_t *frame, const struct bl_mem_op *op, uint8_t *base,
                        const uint64_t offset[BL_LANES], uint32_t mask)
{
    uint8_t copy[BL_LANES * 32];
    uint64_t at[BL_LANES];
    if (op->width <= 4 && op->count == 1) {
        BL_FOR_LANES(mask, at[l] = lane_at(offset[l], (uint32_t)l));
        bl_lanes_store(frame, op, base, at, mask);
        return;
    }
    for (int l = 0; l < BL_LANES; l++)
        at[l] = 32 * (uint64_t)l;
    bl_lanes_store(frame, op, copy, at, mask);
    BL_FOR_LANES(mask,
                 bl_lane_write(base, offset[l], (uint32_t)l, copy + at[l], op->width));
}

/* ---- one lane's register --------------------------------------------------------- */

void bl_lane_get(const uint8_t *frame, uint32_t slot, uint32_t bytes, uint32_t lane,
                 void *to)
{
    if (bytes <= 8) {
        memcpy(to, frame + slot + (bytes < 2 ? 2 : bytes) * lane, bytes);
        return;
    }
    memcpy(to, frame + slot + 8 * lane, 8);
    memcpy((uint8_t *)to + 8, frame + slot + 8 * (BL_LANES + lane), 8);
}

void bl_lane_set(uint8_t *frame, uint32_t slot, uint32_t bytes, uint32_t lane,
                 const void *from)
{
    if (bytes == 1) {
        BL_SLOT(uint16_t, frame, slot)[lane] = *(const uint8_t *)from;
        return;
    }
    if (bytes <= 8) {
        memcpy(frame + slot + bytes * lane, from, bytes);
        return;
    }
    memcpy(frame + slot + 8 * lane, from, 8);
    memcpy(frame + slot + 8 * (BL_LANES + lane), (const uint8_t *)from + 8, 8);
}
