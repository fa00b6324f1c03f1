/* SPDX-License-Identifier: Apache-2.0
 *
 * table_notes.c - what stands above and below the grid.
 */
#include "report/table.h"

#include <inttypes.h>
#include <string.h>

#include "report/figures.h"
#include "work/kind.h"

static const char *const tints[] = {
    [BL_PLAIN] = "",         [BL_GOOD] = "\033[32m", [BL_WARN] = "\033[33m",
    [BL_BAD] = "\033[1;31m", [BL_FAINT] = "\033[2m", [BL_STRONG] = "\033[1m",
};

void bl_tint_begin(FILE *out, const struct bl_style *style, enum bl_tint tint)
{
    if (style->colour)
        fputs(tints[tint], out);
}

void bl_tint_end(FILE *out, const struct bl_style *style, enum bl_tint tint)
{
    if (style->colour && tint != BL_PLAIN)
        fputs("\033[0m", out);
}

bool bl_table_same_problem(const struct bl_report *report)
{
    for (size_t i = 1; i < report->count; i++)
        if (!bl_problem_same(&report->results[0].of->problem,
                             &report->results[i].of->problem))
            return false;
    return report->count > 0;
}

/* ---- above ----------------------------------------------------------------------- */

static void print_profile(const struct bl_report *report, FILE *out)
{
    fputs("profile  ", out);
    bl_text_write(out, report->profile->path, " ");
    if (bl_table_same_problem(report)) {
        const struct banklab_problem *problem = &report->results[0].of->problem;
        char shape[BL_SHAPE_MAX];

        fprintf(out, ": %s elements of %" PRIu32 " byte%s",
                bl_problem_shape(problem, " x ", shape, sizeof shape), problem->elem,
                problem->elem == 1 ? "" : "s");
    }
    fputc('\n', out);
}

static void print_device(const struct bl_device_desc *device, FILE *out)
{
    fputs("device   ", out);
    bl_text_write(out, device->name, " ");
    fprintf(out, " (%s, %s%s%s)\n", device->backend, device->arch,
            *device->driver ? ", driver " : "", device->driver);
}

/* Bit 1 << source for each source that a group has in some case. */
struct sources {
    unsigned shared, global, clock;
    unsigned counted; /* bit 1 << enum bl_counted */
};

static struct sources all_sources(const struct bl_report *report)
{
    const unsigned none = 1u << BL_SRC_NONE;
    struct sources all = {0, 0, 0, 0};

    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *result = &report->results[i];

        all.shared |= 1u << result->counts.shared_source;
        all.global |= 1u << result->counts.global_source;
        all.clock |= 1u << result->clock.source;
        all.counted |= 1u << result->counts.counted;
    }
    all.shared &= ~none;
    all.global &= ~none;
    all.clock &= ~none;
    return all;
}

/* One source, or all that there are: a reader must not take a count of the model for a
 * counter's because the next case had one. */
static void print_source(unsigned mask, const char *const words[], FILE *out)
{
    const char *separator = "";

    if (!mask)
        fputs("not counted", out);
    for (unsigned i = 0; i <= BL_SRC_PREDICTED; i++) {
        if (!(mask & 1u << i))
            continue;
        fprintf(out, "%s%s", separator, words[i]);
        separator = ", or ";
    }
    if (mask & (mask - 1))
        fputs(" (json and csv tell which case by which)", out);
}

static void print_counts(const struct sources *sources, FILE *out)
{
    const bool hardware = sources->counted & 1u << BL_COUNTED_HARDWARE;
    const bool instructions = sources->counted & 1u << BL_COUNTED_INSTRUCTIONS;
    const char *const words[] = {
        [BL_SRC_NONE] = "none",
        [BL_SRC_MODEL] = "counted by the model, exact",
        [BL_SRC_COUNTER] = !instructions ? "read from hardware counters"
                           : !hardware ? "counted on the GPU, instruction by instruction"
                                       : "counted on the GPU, by its instructions or its "
                                         "hardware's counters",
        [BL_SRC_GPU] = "timed on the GPU",
        [BL_SRC_PREDICTED] = "predicted",
    };

    fputs("counts   ", out);
    if (!sources->shared && !sources->global) {
        fputs("none", out);
    } else if (sources->shared == sources->global) {
        print_source(sources->shared, words, out);
    } else {
        fputs("shared memory ", out);
        print_source(sources->shared, words, out);
        fputs("; global memory ", out);
        print_source(sources->global, words, out);
    }
    fputc('\n', out);
}

/* How many rounds, and why no more. */
static void print_rounds(const struct bl_report *report, FILE *out)
{
    const struct bl_run_options *run = &report->profile->run;

    fprintf(out, " of %" PRIu32 " rounds, ", report->timing.rounds);
    switch (report->timing.end) {
    case BL_END_PRECISE:
        fprintf(out, "until all were within %g %%, ", run->precision);
        break;
    case BL_END_TIME: fprintf(out, "until max_time, %g s, ", run->max_time); break;
    case BL_END_ROUNDS: fputs("the most there are, ", out); break;
    }
    fprintf(out, "%s cache", run->warm ? "warm" : "cold");
}

static void print_times(const struct bl_report *report, FILE *out)
{
    bool predicted = false, measured = false;

    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *result = &report->results[i];

        predicted |= result->time.source == BL_SRC_PREDICTED;
        measured |= result->time.source == BL_SRC_GPU;
    }
    fputs("times    ", out);
    if (!predicted && !measured)
        fputs("none\n", out);
    if (measured) {
        fputs("measured on the GPU, medians", out);
        if (report->timing.present)
            print_rounds(report, out);
        fputs(predicted ? "; " : "\n", out);
    }
    if (predicted && *report->device.rates)
        fprintf(out, "~ predicted from the counts and the rates of %s\n",
                report->device.rates);
    else if (predicted)
        fputs("~ predicted from the counts\n", out);
}

static void print_clock(const struct sources *sources, FILE *out)
{
    static const char *const words[] = {
        [BL_SRC_NONE] = "none",
        [BL_SRC_MODEL] = "the model's, which knows no latency",
        [BL_SRC_COUNTER] = "a counter's",
        [BL_SRC_GPU] = "the GPU's",
        [BL_SRC_PREDICTED] = "~ predicted",
    };

    if (!sources->clock)
        return;
    fputs("clock    ", out);
    print_source(sources->clock, words, out);
    fputs(", read by the kernels themselves\n", out);
}

void bl_table_preface(const struct bl_report *report, const struct bl_style *style,
                      FILE *out)
{
    const struct sources sources = all_sources(report);

    (void)style;
    print_profile(report, out);
    print_device(&report->device, out);
    print_counts(&sources, out);
    print_times(report, out);
    print_clock(&sources, out);
}

/* ---- below ----------------------------------------------------------------------- */

static bool has_slowdown(const struct bl_slowdown *down)
{
    return down->present &&
           (down->has_ratio || down->has_predicted || down->has_data_stage);
}

static bool same_twin(const struct bl_result *a, const struct bl_result *b)
{
    return has_slowdown(&b->twin) &&
           strcmp(a->of->plugin->abi.name, b->of->plugin->abi.name) == 0 &&
           strcmp(a->twin.against, b->twin.against) == 0;
}

/* What each plugin's twin is, once. */
static void print_twins(const struct bl_report *report, FILE *out)
{
    const char *separator = "twin: the same kernel, free of conflicts by ";

    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *result = &report->results[i];
        bool told = false;

        if (!has_slowdown(&result->twin))
            continue;
        for (size_t j = 0; j < i && !told; j++)
            told = same_twin(result, &report->results[j]);
        if (told)
            continue;
        fprintf(out, "%s%s (%s)", separator, result->twin.against,
                result->of->plugin->abi.name);
        separator = ", ";
    }
    if (*separator == ',')
        fputc('\n', out);
}

/* Returns whether there was anything to say. */
static bool print_legend(const struct bl_report *report, FILE *out)
{
    bool baseline = false, twin = false;

    for (size_t i = 0; i < report->count; i++) {
        baseline |= has_slowdown(&report->results[i].baseline);
        twin |= has_slowdown(&report->results[i].twin);
    }
    if (!baseline && !twin)
        return false;
    fprintf(out,
            "vs%s%s%s%s: times slower; data stage: shared memory's cycles alone, "
            "time: the whole case\n",
            baseline ? " " : "", baseline ? report->profile->run.baseline : "",
            baseline && twin ? ", vs" : "", twin ? " twin" : "");
    print_twins(report, out);
    return true;
}

static void print_warnings(const struct bl_report *report, const struct bl_style *style,
                           FILE *out)
{
    for (size_t i = 0; i < report->warning_count; i++) {
        bl_tint_begin(out, style, BL_WARN);
        fputs("warning", out);
        bl_tint_end(out, style, BL_WARN);
        fputs(": ", out);
        bl_text_write(out, report->warnings[i], " ");
        fputc('\n', out);
    }
}

/* A pass can have something to say too: that it failed as expected. */
static void print_details(const struct bl_report *report, const struct bl_style *style,
                          bool below, FILE *out)
{
    static const enum bl_tint tint_of[] = {
        [BL_PASS] = BL_GOOD,
        [BL_FAIL] = BL_BAD,
        [BL_SKIP] = BL_WARN,
        [BL_ERROR] = BL_BAD,
    };
    bool any = false;

    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *result = &report->results[i];
        const enum bl_tint tint = tint_of[result->verdict];

        if (result->verdict == BL_PASS && !*result->detail)
            continue;
        if (below && !any)
            fputc('\n', out);
        any = true;
        bl_tint_begin(out, style, tint);
        fputs(bl_verdict_name(result->verdict), out);
        bl_tint_end(out, style, tint);
        fputc(' ', out);
        bl_text_write(out, result->of->name, " ");
        fputs(": ", out);
        bl_text_write(out, result->detail, "\n     ");
        fputc('\n', out);
    }
    if (any)
        fputc('\n', out);
}

static void print_summary(const struct bl_report *report, const struct bl_style *style,
                          FILE *out)
{
    static const char *const words[] = {
        [BL_PASS] = "passed",
        [BL_FAIL] = "failed",
        [BL_SKIP] = "skipped",
        [BL_ERROR] = "with an error",
    };
    static const enum bl_verdict order[] = {BL_PASS, BL_FAIL, BL_ERROR, BL_SKIP};
    size_t counts[4] = {0};
    const char *separator = ": ";
    enum bl_tint tint;

    for (size_t i = 0; i < report->count; i++)
        counts[report->results[i].verdict]++;
    tint = counts[BL_FAIL] || counts[BL_ERROR] ? BL_BAD : BL_GOOD;
    bl_tint_begin(out, style, tint);
    fprintf(out, "%zu case%s", report->count, report->count == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!counts[order[i]])
            continue;
        fprintf(out, "%s%zu %s", separator, counts[order[i]], words[order[i]]);
        separator = ", ";
    }
    bl_tint_end(out, style, tint);
    fputc('\n', out);
}

void bl_table_afterword(const struct bl_report *report, const struct bl_style *style,
                        FILE *out)
{
    bool legend;

    bl_tint_begin(out, style, BL_FAINT);
    legend = print_legend(report, out);
    bl_tint_end(out, style, BL_FAINT);
    print_warnings(report, style, out);
    print_details(report, style, legend || report->warning_count, out);
    print_summary(report, style, out);
}
