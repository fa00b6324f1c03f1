/* SPDX-License-Identifier: Apache-2.0
 *
 * csv.c - the report as RFC 4180: one record a case, every field a column.
 */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "load/param.h"
#include "report/figures.h"
#include "work/kind.h"
#include "work/measure_fields.h"

static void write_header(FILE *out, const struct bl_field *fields, size_t count)
{
    fputs("case,plugin,kind,rows,cols,elem,batch,params,arch,verdict,detail", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, ",%s", fields[i].name);
    fputs(",shared_source,global_source,time_source,clock_source\r\n", out);
}

/* pad=1;tile=32 */
static void write_params(FILE *out, const struct bl_case *of)
{
    const struct banklab_plugin *abi = &of->plugin->abi;
    char value[128], *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);

    if (!memory) {
        fputs("?", out);
        return;
    }
    for (uint32_t i = 0; i < abi->param_count; i++) {
        bl_param_print(&abi->params[i], of->params[i], value, sizeof value);
        fprintf(memory, "%s%s=%s", i ? ";" : "", abi->params[i].name, value);
    }
    if (fclose(memory) == 0)
        bl_text_write_csv(out, text);
    free(text);
}

static void write_field(FILE *out, const struct bl_field *field,
                        const struct bl_result *result)
{
    char figure[BL_FIGURE_MAX];
    double value;

    fputc(',', out);
    if (!field->get(result, &value) || !isfinite(value))
        return;
    if (field->whole)
        fprintf(out, "%.0f", value);
    else {
        bl_figure_plain(value, figure);
        fputs(figure, out);
    }
}

static void write_source(FILE *out, enum bl_source source)
{
    const char *name = bl_source_name(source);

    fprintf(out, ",%s", name ? name : "");
}

static void write_case(FILE *out, const struct bl_field *fields, size_t count,
                       const struct bl_report *report, const struct bl_result *result)
{
    const struct bl_case *of = result->of;

    bl_text_write_csv(out, of->name);
    fputc(',', out);
    bl_text_write_csv(out, of->plugin->abi.name);
    fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",",
            of->plugin->abi.kind, of->problem.rows, of->problem.cols, of->problem.elem,
            bl_problem_batch(&of->problem));
    write_params(out, of);
    fputc(',', out);
    bl_text_write_csv(out, result->arch ? result->arch : report->device.arch);
    fprintf(out, ",%s,", bl_verdict_name(result->verdict));
    bl_text_write_csv(out, result->detail);
    for (size_t i = 0; i < count; i++)
        write_field(out, &fields[i], result);
    write_source(out, result->counts.shared_source);
    write_source(out, result->counts.global_source);
    write_source(out, result->time.source);
    write_source(out, result->clock.source);
    fputs("\r\n", out);
}

enum bl_status bl_report_csv(const struct bl_report *report, FILE *out,
                             struct bl_error *err)
{
    size_t count;
    const struct bl_field *fields = bl_field_all(&count);

    write_header(out, fields, count);
    for (size_t i = 0; i < report->count; i++)
        write_case(out, fields, count, report, &report->results[i]);
    return bl_report_flush(out, err);
}
