/* SPDX-License-Identifier: Apache-2.0
 *
 * race_text.c - hazards in words.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/race.h"
#include "work/number.h"

struct text {
    char *out;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text,
                                                      const char *format, ...)
{
    va_list ap;
    int wrote;

    if (text->used >= text->size)
        return;
    va_start(ap, format);
    wrote = vsnprintf(text->out + text->used, text->size - text->used, format, ap);
    va_end(ap);
    text->used += wrote > 0 ? (size_t)wrote : 0;
}

static const char *verb(const struct bl_hazard_end *end)
{
    return end->is_async    ? "copies"
           : end->is_atomic ? "updates"
           : end->is_store  ? "stores"
                            : "loads";
}

static void say_end(struct text *text, const struct bl_hazard_end *end)
{
    say(text, "%s in %s", end->insn, end->source);
}

static void say_block(struct text *text, const uint32_t grid[3], uint64_t block)
{
    say(text, "block (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", block % grid[0],
        block / grid[0] % grid[1], block / grid[0] / grid[1]);
}

static void say_who(struct text *text, const struct bl_hazard *h,
                    const struct bl_hazard_end *end, bool with_block)
{
    say(text, "lane %" PRIu32 " of warp %" PRIu32, end->lane, end->warp);
    if (with_block) {
        say(text, " of ");
        say_block(text, h->grid, end->block);
    }
    say(text, " %s", verb(end));
}

static void say_byte(struct text *text, const struct bl_hazard *h)
{
    say(text, " byte %" PRIu64 " of %s", h->offset,
        h->space == BL_SPACE_SHARED ? "shared memory" : h->buffer);
}

static void say_count(struct text *text, const struct bl_hazard *h)
{
    char count[BL_NUMBER_MAX];

    if (h->count > 1)
        say(text, ", and so %s times in %s", bl_number_group(h->count, count), h->kernel);
    else
        say(text, ", in %s", h->kernel);
}

/* What would order the two. */
static const char *remedy(const struct bl_hazard *h)
{
    if (h->same)
        return "both store the same value, so that the result is the same whichever "
               "comes "
               "last";
    if (h->unsure)
        return "blocks of one launch run in any order; the kernel has fences and flags, "
               "which are not followed: make sure that they order the two";
    if (h->between_blocks)
        return "blocks of one launch run in any order and at once: let one block alone "
               "write it, use atomics, or a launch for each step";
    if (h->first.is_async)
        return "is a cp.async.wait_group or wait_all, and then a __syncthreads(), "
               "missing "
               "between them?";
    if (h->first.warp == h->then.warp)
        return "lanes of a warp go their own ways: is a __syncwarp() missing between "
               "them?";
    return "is a __syncthreads() missing between them?";
}

static void say_race(struct text *text, const struct bl_hazard *h)
{
    say(text, "race in %s memory: ", h->space == BL_SPACE_SHARED ? "shared" : "global");
    say_end(text, &h->first);
    if (strcmp(h->first.source, h->then.source) == 0 &&
        strcmp(h->first.insn, h->then.insn) == 0)
        say(text, " meets itself");
    else {
        say(text, " and ");
        say_end(text, &h->then);
    }
    say(text, h->between_blocks ? ", of two blocks; "
                                : ", with nothing between that "
                                  "orders them; ");
    say(text, "%s: ", remedy(h));
    say_who(text, h, &h->first, h->between_blocks);
    say_byte(text, h);
    say(text, ", ");
    say_who(text, h, &h->then, true);
    say(text, " it");
    say_count(text, h);
}

static void say_one(struct text *text, const struct bl_hazard *h)
{
    say_who(text, h, &h->then, true);
    say_byte(text, h);
    say_count(text, h);
}

void bl_hazard_print(const struct bl_hazard *h, char *out, size_t size)
{
    struct text text = {.out = out, .size = size};

    switch (h->kind) {
    case BL_HAZARD_RACE: say_race(&text, h); return;
    case BL_HAZARD_SAME:
        say(&text,
            "race in %s memory: ", h->space == BL_SPACE_SHARED ? "shared" : "global");
        say_end(&text, &h->then);
        say(&text,
            " has lanes that store different values to one byte, and which one stays "
            "is chance; let one lane alone store it: ");
        say_one(&text, h);
        return;
    case BL_HAZARD_UNWRITTEN:
        say(&text, "%s is read before it was written: ", h->buffer);
        say_end(&text, &h->then);
        say(&text, " takes what an earlier run has left there; kernels must not rely on "
                   "it: ");
        say_one(&text, h);
        return;
    case BL_HAZARD_INPUT:
        say(&text, "the input is written to: ");
        say_end(&text, &h->then);
        say(&text, "; kernels must leave it as it is: ");
        say_one(&text, h);
        return;
    case BL_HAZARD_STATE:
        say(&text, "the variable %s keeps what a run leaves: ", h->buffer);
        say_end(&text, &h->then);
        say(&text,
            " reads it as the run before left it, and it is another one afterwards; "
            "nothing sets it back between runs (byte %" PRIu64 ", in %s)",
            h->offset, h->kernel);
        return;
    case BL_HAZARD_LEFT:
        say(&text,
            "%" PRIu32 " threads had ended before the barrier in %s: they take no part "
            "in what comes behind it; return behind the last barrier only",
            h->threads, h->then.source);
        return;
    default: return;
    }
}
