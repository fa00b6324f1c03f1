/* SPDX-License-Identifier: Apache-2.0
 *
 * shelf.h - memory that the lab and its GPU worker both see. The images of a run's
 * buffers lie there: to send gigabytes through a socket, there and back, takes longer
 * than anything that a GPU does with them.
 *
 * The lab lays down, the child looks; one of them at a time, as question and answer say.
 */
#ifndef BL_SHELF_H
#define BL_SHELF_H

#include <stdint.h>

#include "base/error.h"

struct bl_shelf {
    int fd;      /* -1: none */
    uint8_t *at; /* NULL: not seen yet */
    uint64_t bytes;
};

/* An empty one, which a child that is forked later has too. Close it in both. */
enum bl_status bl_shelf_open(struct bl_shelf *out, struct bl_error *err);
void bl_shelf_close(struct bl_shelf *shelf);

/* The lab's side: room for `bytes`, whose content is then anything. BL_E_NOMEM: no
 * process could see so much. */
enum bl_status bl_shelf_reserve(struct bl_shelf *shelf, uint64_t bytes,
                                struct bl_error *err);

/* The child's side: sees the first `bytes`, which the lab has reserved. */
enum bl_status bl_shelf_see(struct bl_shelf *shelf, uint64_t bytes, struct bl_error *err);

/* Where an image of `bytes` goes, behind `used` bytes; *used comes to be its end. */
uint64_t bl_shelf_place(uint64_t *used, uint64_t bytes);

#endif
