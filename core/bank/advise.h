/* SPDX-License-Identifier: Apache-2.0
 *
 * advise.h - layouts of a tile in shared memory that take the conflicts away: found by
 * search, and every cost by the engine (model/access.h).
 *
 * A tile is rows of `pitch` elements. An access names, for each active lane, the row and
 * the column of the element at which it begins; `width` bytes from there lie within the
 * row. A layout says where the element of a row and column lies. One layout holds for all
 * accesses, loads and stores: whoever writes an element and whoever reads it must agree.
 */
#ifndef BL_ADVISE_H
#define BL_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/arch.h"

struct bl_rates;

enum { BL_TILE_PITCH_MOST = 65536, BL_TILE_ROWS_MOST = 1 << 20, BL_LAYOUT_TERMS = 2 };

struct bl_tile {
    uint32_t pitch; /* elements from a row to the next */
    uint32_t elem;  /* bytes: 1, 2, 4, 8 or 16; no more than the narrowest access */
    uint32_t rows;
};

/* One warp's lanes. */
struct bl_tile_lanes {
    uint32_t warp;  /* its number in the block, for messages */
    uint32_t mask;  /* not 0 */
    uint64_t times; /* how often the pattern is executed */
    uint32_t row[32], col[32];
};

/* An instruction, and the distinct patterns with which warps execute it. */
struct bl_tile_access {
    char *name; /* as the user shall read it */
    bool is_store;
    uint32_t width; /* bytes: 1, 2, 4, 8 or 16 */
    struct bl_tile_lanes *at;
    size_t count;
};

enum bl_layout_kind { BL_LAYOUT_PAD, BL_LAYOUT_ROTATE, BL_LAYOUT_XOR, BL_LAYOUTS };

struct bl_layout {
    enum bl_layout_kind kind;
    uint32_t pitch;
    /* ROTATE: the place is (col + row / every * step) % pitch. */
    uint32_t step, every;
    /* XOR: the place is col ^ the terms (row / every & mask) << left. */
    struct bl_layout_term {
        uint32_t every, mask, left;
    } term[BL_LAYOUT_TERMS];
    uint32_t terms;
};

/* "padding", "rotation", "xor" */
const char *bl_layout_name(enum bl_layout_kind kind);

/* Of which element, counted from the tile's begin, the place is. */
uint32_t bl_layout_place(const struct bl_layout *layout, uint32_t row, uint32_t col);

/* The same as text in C, with `row` and `col` for the two: where in its row
 * (bl_layout_column_text), and where in the tile. What binds less than * must stand in
 * parentheses. Fresh; NULL if memory ran out. */
char *bl_layout_column_text(const struct bl_layout *layout, uint32_t rows,
                            const char *row, const char *col);
char *bl_layout_place_text(const struct bl_layout *layout, uint32_t rows, const char *row,
                           const char *col);

/* What an access costs, all patterns, each as often as it is executed. */
struct bl_tile_cost {
    uint64_t requests, wavefronts, ideal;
    uint64_t conflicts; /* the most, where an arch leaves it open */
    /* Conflicts beyond those that the same lanes would have side by side: what a layout
     * is asked to take away. Since cc 3.0 lanes side by side have none; before, wide
     * accesses do, and on cc 1.x those of less than a word. */
    uint64_t needless;
    uint32_t ways; /* worst phase */
};

/* Conflicts of lanes side by side. */
uint32_t bl_tile_floor(const struct bl_arch *arch, const struct bl_tile_access *access,
                       uint32_t mask);

/* BL_E_INPUT: a lane's address is not a multiple of the width. */
enum bl_status bl_tile_cost(const struct bl_arch *arch, const struct bl_tile *tile,
                            const struct bl_tile_access *access,
                            const struct bl_layout *layout, struct bl_tile_cost *out,
                            struct bl_error *err);

/* What is known of the GPU that blocks are to fill. */
struct bl_room_of {
    const struct bl_arch *arch;
    const struct bl_rates *rates; /* work/rates.h; NULL: of this arch none are known */
    uint32_t threads;             /* a block; 0: not known */
    /* Bytes a block has besides the tile; less than 0 where the tile's last row has not
     * all of its elements. */
    int64_t other_shared;
};

struct bl_room {
    uint64_t shared;   /* bytes a block */
    bool fits;         /* a block may have as many */
    uint32_t blocks;   /* that an SM has room for; 0: not known */
    const char *limit; /* what limits them: "threads", "block count", "shared memory" */
};

enum bl_found {
    BL_FOUND_ALL,  /* no needless conflict is left: one wavefront a phase, as a rule */
    BL_FOUND_BEST, /* none such; the layout is the best of those that were tried */
    BL_FOUND_NONE  /* no layout of this kind is possible: `why` says why */
};

struct bl_proposal {
    enum bl_found found;
    struct bl_layout layout;
    struct bl_tile_cost *after; /* an access each; NULL if none was found */
    uint64_t needless;          /* of all of these */
    uint64_t tried;             /* layouts */
    bool cut;                   /* the search was ended before it had tried all */
    uint64_t bytes;             /* of the tile */
    struct bl_room room;
    char why[160];
};

struct bl_advice {
    struct bl_tile tile;
    uint32_t bound;
    struct bl_tile_cost *before; /* an access each */
    uint64_t bytes;
    struct bl_room room;
    bool clean; /* there is no conflict as it is: nothing else was looked for */
    struct bl_proposal at[BL_LAYOUTS];
    enum bl_layout_kind chosen; /* BL_LAYOUTS: none */
};

struct bl_advise_job {
    struct bl_tile tile;
    const struct bl_tile_access *accesses;
    size_t count;
    /* Paddings of up to so many elements are tried, and rotations by up to so many;
     * 0: as many as one turn through the banks has. */
    uint32_t bound;
    struct bl_room_of room;
};

/* Searches: the smallest padding; then, with the pitch as it is, a rotation and an XOR
 * that keep wide accesses whole. What it proposes was verified: one-to-one, aligned, and
 * its cost as the engine has it. BL_E_INPUT: an access is not aligned, or does not lie
 * within a row. End with bl_advice_free. */
enum bl_status bl_advise(const struct bl_advise_job *job, struct bl_advice *out,
                         struct bl_error *err);
void bl_advice_free(struct bl_advice *advice);

#endif
