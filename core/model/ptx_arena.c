/* SPDX-License-Identifier: Apache-2.0 */

#include "model/ptx_arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 1024 * 1024 };

struct chunk {
    struct chunk *next;
    size_t size; /* keeps the bytes that follow aligned */
};

struct bl_arena {
    struct chunk *chunks;
    char *free;
    size_t left;
    size_t next_size;
};

struct bl_arena *bl_arena_new(void)
{
    struct bl_arena *arena = calloc(1, sizeof *arena);

    if (arena) {
        arena->next_size = FIRST_CHUNK;
    }
    return arena;
}

void bl_arena_free(struct bl_arena *arena)
{
    if (!arena) {
        return;
    }
    while (arena->chunks) {
        struct chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    free(arena);
}

static char *chunk_add(struct bl_arena *arena, size_t size)
{
    struct chunk *chunk = calloc(1, sizeof *chunk + size);

    if (!chunk) {
        return NULL;
    }
    chunk->size = size;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return (char *)(chunk + 1);
}

void *bl_arena_alloc(struct bl_arena *arena, size_t size)
{
    char *at;

    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size == 0) {
        size = ALIGN;
    }
    if (size > arena->left) {
        /* Large blocks get a chunk of their own: the rest of the open one stays in use.
         */
        if (size >= arena->next_size / 4) {
            return chunk_add(arena, size);
        }
        at = chunk_add(arena, arena->next_size);
        if (!at) {
            return NULL;
        }
        arena->free = at;
        arena->left = arena->next_size;
        if (arena->next_size < LARGEST_CHUNK) {
            arena->next_size *= 2;
        }
    }
    at = arena->free;
    arena->free += size;
    arena->left -= size;
    return at;
}

void *bl_arena_copy(struct bl_arena *arena, const void *from, size_t size)
{
    char *copy = bl_arena_alloc(arena, size + 1);

    if (copy && size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

void *bl_arena_push(struct bl_arena *arena, struct bl_arena_list *list, size_t item_size)
{
    char *item;

    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        char *items;

        if (capacity > SIZE_MAX / 2 / item_size) {
            return NULL;
        }
        items = bl_arena_alloc(arena, capacity * item_size);
        if (!items) {
            return NULL;
        }
        if (list->count > 0) {
            memcpy(items, list->items, list->count * item_size);
        }
        list->items = items;
        list->capacity = capacity;
    }
    item = (char *)list->items + list->count * item_size;
    memset(item, 0, item_size);
    list->count++;
    return item;
}
