/* SPDX-License-Identifier: Apache-2.0
 *
 * wire.h - messages between the lab and its GPU worker, over a socket pair.
 *
 * A message is an operation, a length and that many bytes. Both ends are the same
 * program, so the bytes are its own structs as they lie in memory.
 */
#ifndef BL_WIRE_H
#define BL_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bl_wire_part {
    const void *at;
    size_t bytes;
};

/* Sends one message made of `count` parts. Waits at most timeout_ms for the other end to
 * take a piece (-1: for ever). BL_E_IO: the other end is gone; BL_E_FAULT: it took
 * nothing in time. */
enum bl_status bl_wire_send(int fd, int timeout_ms, uint32_t op,
                            const struct bl_wire_part *parts, size_t count,
                            struct bl_error *err);

/* Receives one message; *body_out is fresh (never NULL), the caller frees it. Waits at
 * most timeout_ms between pieces (-1: for ever). BL_E_IO: the other end is gone;
 * BL_E_FAULT: nothing came in time. */
enum bl_status bl_wire_receive(int fd, int timeout_ms, uint32_t *op_out,
                               uint8_t **body_out, size_t *bytes_out,
                               struct bl_error *err);

/* Takes `bytes` from the front of what is left of a body; NULL if there are not so
 * many. */
struct bl_wire_cursor {
    uint8_t *at;
    size_t left;
};
void *bl_wire_take(struct bl_wire_cursor *cursor, size_t bytes);

#endif
