/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_csv.c - a comparison as RFC 4180: one record a pair.
 */
#include <config.h>
#include <inttypes.h>
#include <stdlib.h>

#include "compare/compare.h"
#include "report/figures.h"

static void write_real(FILE *out, bool has, double value)
{
    char figure[BL_FIGURE_MAX];

    fputc(',', out);
    if (!has)
        return;
    bl_figure_plain(value, figure);
    fputs(figure, out);
}

static void write_side(FILE *out, const struct bl_saved_case *of)
{
    const bool timed = of && of->time.source;

    fprintf(out, ",%s,%s", of ? bl_verdict_name(of->verdict) : "",
            timed ? of->time.source : "");
    write_real(out, timed, timed ? of->time.median_us : 0);
    write_real(out, timed, timed ? of->time.low_us : 0);
    write_real(out, timed, timed ? of->time.high_us : 0);
}

static void write_value(FILE *out, const struct bl_cmp_count *count,
                        struct bl_saved_count value, double clock)
{
    char figure[BL_FIGURE_MAX];

    if (count->field) {
        if (value.has)
            fprintf(out, "%" PRIu64, value.value);
        return;
    }
    bl_figure_plain(clock, figure);
    fputs(figure, out);
}

/* shared.load.ways=32>1;shared.cycles=9>8 */
static void write_changed(FILE *out, const struct bl_cmp_pair *pair)
{
    char name[64];

    for (size_t i = 0; i < pair->changed_count; i++) {
        const struct bl_cmp_count *count = &pair->changed[i];

        bl_cmp_count_name(count, name, sizeof name);
        fprintf(out, "%s%s=", i ? ";" : "", name);
        write_value(out, count, count->a, count->clock_a);
        fputc('>', out);
        write_value(out, count, count->b, count->clock_b);
    }
}

/* Takes a fresh text over. */
static bool write_fresh(FILE *out, char *text)
{
    const bool ok = text != NULL;

    fputc(',', out);
    bl_text_write_csv(out, ok ? text : "");
    free(text);
    return ok;
}

static bool write_pair(FILE *out, const struct bl_comparison *comparison,
                       const struct bl_cmp_pair *pair)
{
    bool ok;

    bl_text_write_csv(out, pair->b ? pair->b->name : pair->a->name);
    fprintf(out, ",%s", !pair->b ? "a" : !pair->a ? "b" : "both");
    write_side(out, pair->a);
    write_side(out, pair->b);
    write_real(out, pair->has_ratio, pair->ratio);
    write_real(out, pair->has_ratio, pair->low);
    write_real(out, pair->has_ratio, pair->high);
    fprintf(out, ",%s,%s,", pair->has_ratio ? bl_cmp_interval_name(pair->how) : "",
            bl_cmp_verdict_name(pair->verdict));
    bl_text_write_csv(out, pair->why);
    ok = write_fresh(out, bl_cmp_differs_text(pair));
    fprintf(out, ",%s,%s,", pair->shared_source ? pair->shared_source : "",
            pair->global_source ? pair->global_source : "");
    write_changed(out, pair);
    ok = write_fresh(out, bl_cmp_failed_text(comparison, pair)) && ok;
    fputs("\r\n", out);
    return ok;
}

enum bl_status bl_compare_csv(const struct bl_comparison *comparison, FILE *out,
                              struct bl_error *err)
{
    bool ok = true;

    fputs("case,in,a_result,a_time_source,a_median_us,a_low_us,a_high_us,b_result,"
          "b_time_source,b_median_us,b_low_us,b_high_us,ratio,low,high,interval,verdict,"
          "why,differs,shared_source,global_source,changed,failed\r\n",
          out);
    for (size_t i = 0; i < comparison->count; i++)
        ok = write_pair(out, comparison, &comparison->pairs[i]) && ok;
    return ok ? bl_report_flush(out, err) : bl_error_nomem(err);
}
