/* SPDX-License-Identifier: Apache-2.0
 *
 * ptx_arena.h - memory that is freed all at once, and lists that grow in it.
 */
#ifndef BL_PTX_ARENA_H
#define BL_PTX_ARENA_H

#include <stddef.h>

struct bl_arena;

/* NULL if memory ran out. */
struct bl_arena *bl_arena_new(void);
void bl_arena_free(struct bl_arena *arena);

/* `size` zeroed bytes, aligned for any object; NULL if memory ran out. Size 0 gives a
 * pointer too. */
void *bl_arena_alloc(struct bl_arena *arena, size_t size);
/* A copy of `size` bytes, with a NUL after it. */
void *bl_arena_copy(struct bl_arena *arena, const void *from, size_t size);

/* A growing array of one kind of item. Zero-initialised is empty. Growing moves the
 * items, and leaves the old ones to the arena. */
struct bl_arena_list {
    void *items;
    size_t count, capacity;
};

/* A fresh zeroed item at the end; NULL if memory ran out. */
void *bl_arena_push(struct bl_arena *arena, struct bl_arena_list *list, size_t item_size);

#endif
