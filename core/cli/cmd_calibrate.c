/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_calibrate.c - banklab calibrate: the rules against a GPU, pattern by pattern.
 */
#include "cli/cli.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "calibrate/calibrate_model.h"
#include "cli/progress.h"
#ifdef HAVE_CUDA
#include "cuda/calibrate_gpu.h"
#endif

enum {
    PATTERNS_MOST = 1000000,
    TOLD_MOST = 20 /* disagreements that are told one by one */
};

struct calibrate_args {
    struct cli_common *common;
    size_t patterns;
    uint64_t seed;
    const char *device, *arch;
    const char *output; /* NULL: none */
    struct cli_progress progress;
    FILE *csv;
    size_t told;
};

static const struct argp_option options[] = {
    {"patterns", 'n', "N", 0, "Draw N patterns (default 20000)", 0},
    {"seed", 's', "S", 0, "Draw those of seed S (default 1)", 0},
    {"device", 'd', "DEVICE", 0,
     "Measure on DEVICE: cuda (default), cuda:1; or model, to check the model itself", 0},
    {"arch", 'a', "NAME", 0, "Compare with the rules of arch NAME, not the device's own",
     0},
    {"output", 'o', "FILE", 0, "Write every pattern with its numbers to FILE, as CSV", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct calibrate_args *args = state->input;
    uint64_t number = 0;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'n':
        if (!bl_text_uint(arg, &number) || number < 1 || number > PATTERNS_MOST)
            cli_usage(state, "--patterns takes 1 to %d, not \"%s\"", PATTERNS_MOST, arg);
        args->patterns = (size_t)number;
        return 0;
    case 's':
        if (!bl_text_uint(arg, &args->seed))
            cli_usage(state, "--seed takes a whole number, not \"%s\"", arg);
        return 0;
    case 'd': args->device = arg; return 0;
    case 'a': args->arch = arg; return 0;
    case 'o': args->output = arg; return 0;
    case ARGP_KEY_ARG:
        cli_usage(state, "calibrate takes no argument: \"%s\" is one too many", arg);
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Draw access patterns, measure each on a GPU by hardware counters and by the "
           "clock, and compare what they cost with the rules of its arch file."
           "\v"
           "Exit status: 0 if every number is as the rules say, 1 if one is not, 2 if it "
           "could not be measured.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* ---- what is told
 * ------------------------------------------------------------------------ */

static void tell_addresses(const char *name, uint32_t mask, const uint32_t at[32])
{
    printf("    %s", name);
    for (int l = 0; l < 32; l++)
        if (mask >> l & 1)
            printf(" %" PRIu32, at[l]);
        else
            fputs(" -", stdout);
    putchar('\n');
}

static void tell_disagreement(const struct bl_cal_row *row)
{
    const struct bl_pattern_args *args = &row->pattern->args;

    printf("%s, %s, lanes %s, mask 0x%08" PRIx32 ":", row->op->name, row->pattern->family,
           row->pattern->lanes, args->mask);
    for (int i = 0; i < BL_NUMBERS; i++)
        if (!row->agrees[i])
            printf(" %s %s%g, got %g;", bl_number_name((enum bl_number)i),
                   row->expected.least ? "at least " : "", row->expected.at[i],
                   row->got.at[i]);
    putchar('\n');
    if (row->op->kind != BL_CAL_GLOBAL_LOAD && row->op->kind != BL_CAL_GLOBAL_STORE)
        tell_addresses("shared", args->mask, args->near);
    if (row->op->kind == BL_CAL_GLOBAL_LOAD || row->op->kind == BL_CAL_GLOBAL_STORE ||
        row->op->kind == BL_CAL_CP_ASYNC)
        tell_addresses("global", args->mask, args->far);
}

static void take_row(void *ctx, const struct bl_cal_row *row)
{
    struct calibrate_args *args = ctx;
    bool agrees = true;

    for (int i = 0; i < BL_NUMBERS; i++)
        agrees = agrees && row->agrees[i];
    if (args->csv)
        bl_cal_csv_row(args->csv, row);
    if (agrees || ++args->told > TOLD_MOST)
        return;
    cli_progress_end(&args->progress);
    tell_disagreement(row);
}

static void take_sum(void *ctx, const struct bl_operation *op,
                     const struct bl_cal_sum *sum)
{
    struct calibrate_args *args = ctx;

    cli_progress_end(&args->progress);
    printf("%-20s %8zu patterns %8zu counted %8zu timed %8zu disagree\n", op->name,
           sum->patterns, sum->counted, sum->timed, sum->disagreements);
}

static void take_progress(void *ctx, size_t done, size_t total, const char *label)
{
    struct calibrate_args *args = ctx;

    cli_progress_step(&args->progress, done, total, label);
}

static void tell_end(const struct calibrate_args *args, const struct bl_cal_sum *sum)
{
    if (args->told > TOLD_MOST)
        printf("%zu more disagreements: --output FILE has all\n", args->told - TOLD_MOST);
    printf("%zu patterns, %zu counted, %zu timed: %zu disagree\n", sum->patterns,
           sum->counted, sum->timed, sum->disagreements);
}

/* ---- the device
 * ---------------------------------------------------------------------------- */

static enum bl_status open_gpu(const struct bl_paths *paths,
                               const struct calibrate_args *args,
                               struct bl_cal_device *out, struct bl_error *err)
{
    uint64_t ordinal = 0;

    if (strcmp(args->device, "cuda") != 0 &&
        (strncmp(args->device, "cuda:", 5) != 0 ||
         !bl_text_uint(args->device + 5, &ordinal) || ordinal > 1000))
        return bl_error_set(err, BL_E_INPUT,
                            "--device=%s: cuda, cuda:0, cuda:1, ... or model is expected",
                            args->device);
#ifdef HAVE_CUDA
    return bl_cal_gpu_open(paths, (int)ordinal, args->arch, out, err);
#else
    (void)paths;
    (void)out;
    return bl_error_set(err, BL_E_UNSUPPORTED,
                        "this program was built without cuda.h: it knows no GPU");
#endif
}

static enum bl_status open_device(const struct bl_paths *paths,
                                  const struct calibrate_args *args,
                                  struct bl_cal_device *out, struct bl_error *err)
{
    struct bl_arch arch;
    enum bl_status status;

    if (strcmp(args->device, "model") != 0) {
        status = open_gpu(paths, args, out, err);
        if (status == BL_E_UNSUPPORTED)
            bl_error_prefix(err, "no GPU to calibrate by (--device=model checks the "
                                 "model against its rules)");
        return status;
    }
    status = bl_arch_read(paths, args->arch ? args->arch : "cc90", &arch, err);
    return status == BL_OK ? bl_cal_model_open(&arch, out, err) : status;
}

/* ---- the file
 * ------------------------------------------------------------------------------ */

static enum bl_status open_csv(struct calibrate_args *args, char **path,
                               struct bl_error *err)
{
    if (!args->output)
        return BL_OK;
    *path = bl_text_format("%s.new", args->output);
    if (!*path)
        return bl_error_nomem(err);
    args->csv = fopen(*path, "w");
    if (!args->csv)
        return bl_error_set(err, BL_E_IO, "%s can't be written: %s", *path,
                            strerror(errno));
    return BL_OK;
}

/* The file takes its name when it is whole, or goes. */
static enum bl_status close_csv(struct calibrate_args *args, const char *path,
                                enum bl_status status, struct bl_error *err)
{
    bool bad;

    if (!args->csv)
        return status;
    bad = ferror(args->csv) != 0;
    bad = fclose(args->csv) != 0 || bad;
    args->csv = NULL;
    if (status == BL_OK && (bad || rename(path, args->output) != 0))
        status = bl_error_set(err, BL_E_IO, "%s can't be written: %s", args->output,
                              strerror(errno));
    if (status != BL_OK)
        remove(path);
    return status;
}

static enum bl_status calibrate(struct calibrate_args *args, struct bl_cal_device *device,
                                struct bl_cal_sum *sum, struct bl_error *err)
{
    struct bl_calibration calibration = {.patterns = args->patterns,
                                         .seed = args->seed,
                                         .row = take_row,
                                         .done = take_sum,
                                         .progress = take_progress,
                                         .ctx = args};
    time_t now = time(NULL);
    char date[32] = "", *path = NULL;
    enum bl_status status;
    struct tm utc;

    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    printf("%s%s%s, rules of %s\n", device->name, device->driver[0] ? ", driver " : "",
           device->driver, device->arch.name);
    status = open_csv(args, &path, err);
    if (status == BL_OK) {
        if (args->csv)
            bl_cal_csv_header(args->csv, device, &calibration, date);
        cli_progress_begin(&args->progress);
        status = bl_calibrate(&calibration, device, sum, err);
        cli_progress_end(&args->progress);
    }
    if (status == BL_OK && device->no_counters[0])
        cli_warn(NULL, device->no_counters);
    status = close_csv(args, path, status, err);
    free(path);
    return status;
}

int cli_calibrate(int argc, char **argv, struct cli_common *common)
{
    struct calibrate_args args = {
        .common = common, .patterns = 20000, .seed = 1, .device = "cuda"};
    struct bl_cal_device device;
    struct bl_cal_sum sum = {0};
    struct cli_house house;
    struct bl_error err;
    enum bl_status status;

    cli_parse(&argp, argc, argv, 0, &args);
    status = cli_open(common, &house, &err);
    if (status == BL_OK)
        status = open_device(&house.paths, &args, &device, &err);
    if (status == BL_OK) {
        status = calibrate(&args, &device, &sum, &err);
        device.close(&device);
    }
    if (status == BL_OK)
        tell_end(&args, &sum);
    cli_close(&house);
    if (status != BL_OK)
        return cli_complain(&err);
    return sum.disagreements ? CLI_FAILED : CLI_OK;
}
