/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_advise.c - banklab advise: layouts of a tile that have no bank conflict.
 */
#include "cli/cmd_advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "work/rates.h"

enum { ROWS_MOST = BL_TILE_ROWS_MOST, BOUND_MOST = 4096 };

enum {
    KEY_LOAD = 256,
    KEY_STORE,
    KEY_PITCH,
    KEY_WARP,
    KEY_MASK,
    KEY_BOUND,
    KEY_ELEM,
    KEY_ROWS,
    KEY_RATES
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Accesses as expressions:", 1},
    {"load", KEY_LOAD, "EXPR", 0, "A load of the tile; may be repeated", 1},
    {"store", KEY_STORE, "EXPR", 0, "A store to the tile; may be repeated", 1},
    {"op", 'o', "OP", 0, "What the argument EXPR is: load or store", 1},
    {"pitch", KEY_PITCH, "P=N", 0,
     "A row of the tile has N elements, and is called P in EXPR", 1},
    {"width", 'w', "BYTES", 0, "Bytes a lane: 1, 2, 4 (default), 8, 16", 1},
    {"block", 'b', "XxYxZ", 0, "Threads of the block (default 32)", 1},
    {"warp", KEY_WARP, "N|all", 0, "Only warp N of the block (default all)", 1},
    {"mask", KEY_MASK, "HEX", 0, "Only these lanes of each warp", 1},
    {"define", 'D', "NAME=VALUE", 0, "A constant; may be repeated", 1},
    {NULL, 0, NULL, 0, "Accesses of a profile's case:", 2},
    {"case", 'c', "NAME", 0, "The case; its pitch is guessed where --pitch has none", 2},
    {"set", 's', "[CASE.]KEY=VALUE", 0, "As for run; may be repeated", 2},
    {NULL, 0, NULL, 0, "The search:", 3},
    {"arch", 'a', "NAME", 0, "The rules (default cc90)", 3},
    {"rates", KEY_RATES, "NAME", 0,
     "The GPU whose SMs are to be filled (default one of that arch)", 3},
    {"bound", KEY_BOUND, "N", 0,
     "Try paddings and rotations up to N elements (default one turn through the banks)",
     3},
    {"elem", KEY_ELEM, "BYTES", 0, "Bytes of an element (default the narrowest access)",
     3},
    {"rows", KEY_ROWS, "N", 0, "Rows of the tile (default those that are touched)", 3},
    {"format", 'f', "FORMAT", 0, "text (default) or json", 3},
    {0},
};

static error_t add_said(struct argp_state *state, struct advise_args *args,
                        const char *text, bool is_store)
{
    if (args->said_count == BL_ADVISE_ACCESSES_MAX)
        cli_usage(state, "more than %d accesses", BL_ADVISE_ACCESSES_MAX);
    args->said[args->said_count++] = (struct bl_advise_said){text, is_store};
    return 0;
}

static uint32_t number(struct argp_state *state, const char *option, const char *text,
                       uint32_t least, uint32_t most)
{
    uint64_t value = 0;

    if (!bl_text_uint(text, &value) || value < least || value > most)
        cli_usage(state, "--%s takes %" PRIu32 " to %" PRIu32 ", not \"%s\"", option,
                  least, most, text);
    return (uint32_t)value;
}

static void set_warp(struct argp_state *state, struct advise_args *args, const char *text)
{
    args->one_warp = strcmp(text, "all") != 0;
    if (args->one_warp)
        args->warp = number(state, "warp", text, 0, 31);
}

static void set_elem(struct argp_state *state, struct advise_args *args, const char *text)
{
    args->elem = number(state, "elem", text, 1, 16);
    if ((args->elem & (args->elem - 1)) != 0)
        cli_usage(state, "--elem takes 1, 2, 4, 8 or 16, not \"%s\"", text);
}

static void set_format(struct argp_state *state, struct advise_args *args,
                       const char *text)
{
    args->json = strcmp(text, "json") == 0;
    if (!args->json && strcmp(text, "text") != 0)
        cli_usage(state, "--format takes text or json, not \"%s\"", text);
}

static void check(struct argp_state *state, const struct advise_args *args)
{
    const bool by_case = args->case_name || (args->subject && !args->op);

    if (!args->subject && args->said_count == 0)
        cli_usage(state, "advise needs accesses (--load, --store, or EXPR with --op), or "
                         "a PROFILE and --case");
    if (args->op && !args->subject)
        cli_usage(state,
                  "--op=%s says what the argument EXPR is, and there is none; "
                  "--load and --store need no --op",
                  args->op);
    if (args->subject && args->op && args->case_name)
        cli_usage(state, "--op is for an expression, --case for a profile");
    if (args->case_name && !args->subject)
        cli_usage(state, "--case needs the PROFILE that it is of");
    if (by_case && args->said_count > 0)
        cli_usage(state,
                  "\"%s\": with --load and --store an expression needs --op, and a "
                  "profile's case goes without them",
                  args->subject);
    if (!by_case && args->sets.count > 0)
        cli_usage(state, "--set is for a profile's case");
    if (!by_case && !args->pitch)
        cli_usage(state, "which part of the address is a row? --pitch P=32 says that a "
                         "row has 32 elements and is called P in the expression");
}

/* What an access has: words that pattern.h reads. */
static void set_form(struct argp_state *state, struct advise_args *args, int key,
                     const char *text)
{
    struct bl_error err;
    enum bl_status status = key == 'w'   ? bl_form_set_width(&args->form, text, &err)
                            : key == 'b' ? bl_form_set_block(&args->form, text, &err)
                            : key == 'o' ? bl_form_set_op(&args->form, text, &err)
                                         : bl_form_set_mask(&args->form, text, &err);

    if (status != BL_OK)
        cli_usage(state, "%s", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct advise_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case KEY_LOAD: return add_said(state, args, arg, false);
    case KEY_STORE: return add_said(state, args, arg, true);
    case 'o':
        args->op = arg;
        set_form(state, args, key, arg);
        return 0;
    case 'w':
    case 'b':
    case KEY_MASK: set_form(state, args, key, arg); return 0;
    case KEY_WARP: set_warp(state, args, arg); return 0;
    case KEY_PITCH: args->pitch = arg; return 0;
    case 'D':
        if (args->define_count + 1 == BL_CONSTANTS_MAX)
            cli_usage(state, "more than %d constants", BL_CONSTANTS_MAX - 1);
        args->defines[args->define_count++] = arg;
        return 0;
    case 'c': args->case_name = arg; return 0;
    case 's': return cli_sets_option(state, &args->sets, arg);
    case 'a': args->arch = arg; return 0;
    case KEY_RATES: args->rates = arg; return 0;
    case KEY_BOUND: args->bound = number(state, "bound", arg, 1, BOUND_MOST); return 0;
    case KEY_ELEM: set_elem(state, args, arg); return 0;
    case KEY_ROWS: args->rows = number(state, "rows", arg, 1, ROWS_MOST); return 0;
    case 'f': set_format(state, args, arg); return 0;
    case ARGP_KEY_ARG:
        if (args->subject)
            cli_usage(state, "advise takes one argument; \"%s\" is one too many", arg);
        args->subject = arg;
        return 0;
    case ARGP_KEY_END: check(state, args); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "--pitch P=N --load EXPR --store EXPR...\nEXPR --op OP --pitch P=N\n"
                "PROFILE --case NAME",
    .doc = "Search for a padding, a rotation and an xor of a tile's columns that bring "
           "all its loads and stores to one wavefront a phase, and tell what each costs."
           "\v"
           "EXPR is a byte address from where the tile begins, as for `banklab access', "
           "of the form (ROW*P + COLUMN)*BYTES. What an access has of its own stands "
           "before it: '[width=16 block=32x8 mask=ff] EXPR'.\n\n"
           "Exit status: 0 if a layout was found, or none is needed, 1 if there is none, "
           "2 if it could not be looked for.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* ---- what both subjects need
 * ------------------------------------------------------------ */

enum bl_status advise_pitch(const char *text, uint32_t *out, struct bl_error *err)
{
    const char *equals = strchr(text, '=');
    uint64_t value;

    if (!bl_text_uint(equals ? equals + 1 : text, &value) || value < 1 ||
        value > BL_TILE_PITCH_MOST)
        return bl_error_set(
            err, BL_E_INPUT,
            "--pitch=%s: a number of elements is expected, 1 to %d, as in "
            "P=32",
            text, BL_TILE_PITCH_MOST);
    *out = (uint32_t)value;
    return BL_OK;
}

/* The rates of --rates, or of the first device file with this arch; *found false: there
 * is none. */
static enum bl_status find_rates(const struct bl_paths *paths, const char *name,
                                 const char *arch, struct bl_rates *out, bool *found,
                                 struct bl_error *err)
{
    char **names = NULL;
    size_t count = 0;
    enum bl_status status;

    *found = name != NULL;
    if (name)
        return bl_rates_read(paths, name, out, err);
    status = bl_paths_conf_names(paths, "devices", &names, &count, err);
    for (size_t i = 0; i < count && status == BL_OK && !*found; i++) {
        status = bl_rates_read(paths, names[i], out, err);
        *found = status == BL_OK && strcmp(out->arch, arch) == 0;
    }
    bl_paths_names_free(names, count);
    return status;
}

static enum bl_status read_constants(const struct advise_args *args,
                                     struct bl_constants *constants, struct bl_error *err)
{
    const bool named = strchr(args->pitch, '=') != NULL;
    char *text = bl_text_format("%s%s", named ? "" : "P=", args->pitch);
    uint32_t pitch;
    enum bl_status status;

    if (!text)
        return bl_error_nomem(err);
    status = advise_pitch(text, &pitch, err);
    if (status == BL_OK) {
        status = bl_constants_add(constants, text, err);
        if (status != BL_OK)
            bl_error_prefix(err, "--pitch=%s", args->pitch);
    }
    free(text);
    for (size_t i = 0; i < args->define_count && status == BL_OK; i++) {
        status = bl_constants_add(constants, args->defines[i], err);
        if (status != BL_OK)
            bl_error_prefix(err, "-D %s", args->defines[i]);
    }
    return status;
}

/* ---- expressions
 * ------------------------------------------------------------------------- */

static enum bl_status expressions(const struct cli_house *house,
                                  const struct advise_args *args,
                                  const struct bl_constants *constants,
                                  struct advise_told *told, struct bl_error *err)
{
    struct bl_arch arch;
    struct bl_rates rates;
    bool has_rates = false;
    struct bl_advise_ask ask = {.arch = &arch,
                                .form = args->form,
                                .constants = constants,
                                .said = args->said,
                                .count = args->said_count,
                                .all_warps = !args->one_warp,
                                .warp = args->warp,
                                .elem = args->elem,
                                .rows = args->rows};
    struct bl_advise_input input;
    struct bl_advise_job job = {.bound = args->bound};
    char *subject;
    enum bl_status status =
        bl_arch_read(&house->paths, args->arch ? args->arch : "cc90", &arch, err);

    if (status == BL_OK)
        status =
            find_rates(&house->paths, args->rates, arch.name, &rates, &has_rates, err);
    if (status == BL_OK)
        status = bl_advise_read(&ask, &input, err);
    if (status != BL_OK)
        return status;
    job.tile = input.tile;
    job.accesses = input.accesses;
    job.count = input.count;
    job.room = (struct bl_room_of){&arch, has_rates ? &rates : NULL, input.threads, 0};
    subject = args->one_warp
                  ? bl_text_format("%zu access%s of warp %" PRIu32 ", %s = %" PRIu32,
                                   input.count, input.count == 1 ? "" : "es", args->warp,
                                   constants->names[0], input.tile.pitch)
                  : bl_text_format("%zu access%s of all warps, %s = %" PRIu32,
                                   input.count, input.count == 1 ? "" : "es",
                                   constants->names[0], input.tile.pitch);
    if (input.any_linear)
        told->of_pitch =
            bl_text_format("an address without %s is taken as that of element i of the "
                           "tile: row i / %" PRIu32 ", column i %% %" PRIu32 ".",
                           constants->names[0], input.tile.pitch, input.tile.pitch);
    if (!subject || (input.any_linear && !told->of_pitch))
        status = bl_error_nomem(err);
    if (status == BL_OK)
        status = advise_tell(args, &job, subject, &ask, &input, told, err);
    free(subject);
    bl_advise_input_free(&input);
    return status;
}

int cli_advise(int argc, char **argv, struct cli_common *common)
{
    struct advise_args args = {
        .common = common, .form = {.width = 4, .block = {32, 1, 1}, .mask = UINT32_MAX}};
    struct bl_constants constants = {.count = 0};
    struct advise_told told = {.note_count = 0};
    struct cli_house house;
    struct bl_error err;
    enum bl_status status;

    cli_parse(&argp, argc, argv, 0, &args);
    if (args.subject && args.op && args.said_count < BL_ADVISE_ACCESSES_MAX)
        args.said[args.said_count++] =
            (struct bl_advise_said){args.subject, args.form.is_store};
    status = cli_open(common, &house, &err);
    if (status == BL_OK && args.said_count == 0) {
        status = advise_case(&house, &args, &told, &err);
    } else if (status == BL_OK) {
        status = read_constants(&args, &constants, &err);
        if (status == BL_OK)
            status = expressions(&house, &args, &constants, &told, &err);
    }
    for (size_t i = 0; i < told.note_count; i++)
        free(told.notes[i]);
    free(told.of_pitch);
    bl_constants_free(&constants);
    cli_sets_free(&args.sets);
    cli_close(&house);
    if (status != BL_OK)
        return cli_complain(&err);
    return told.found ? CLI_OK : CLI_FAILED;
}
