/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>
#include <inttypes.h>
#include <math.h>

#include "calibrate/calibrate.h"

void bl_cal_csv_header(FILE *out, const struct bl_cal_device *device,
                       const struct bl_calibration *calibration, const char *date)
{
    fprintf(
        out,
        "# banklab %s calibrate --patterns %zu --seed %" PRIu64 "\n"
        "# device: %s%s%s\n"
        "# rules: %s\n"
        "# date: %s\n"
        "# a: the lanes' addresses in shared memory (global_*: in global memory); g: "
        "what cp.async reads, in global memory\n"
        "# rule_*: what the rules say; cycles of an access by the SM's clock; counts by "
        "hardware counter%s\n",
        PACKAGE_VERSION, calibration->patterns, calibration->seed, device->name,
        device->driver[0] ? ", driver " : "", device->driver, device->arch.name, date,
        device->driver[0] ? "" : " (of the model: counted by the emulator)");
    fputs("op,family,lanes,width,mask", out);
    for (int l = 0; l < 32; l++)
        fprintf(out, ",a%d", l);
    for (int i = 0; i < BL_NUMBERS; i++)
        fprintf(out, ",%s,rule_%s", bl_number_name((enum bl_number)i),
                bl_number_name((enum bl_number)i));
    fputs(",agrees", out);
    for (int l = 0; l < 32; l++)
        fprintf(out, ",g%d", l);
    fputc('\n', out);
}

static void put(FILE *out, double value, bool whole)
{
    fputc(',', out);
    if (!isnan(value))
        fprintf(out, whole ? "%.0f" : "%.4f", value);
}

void bl_cal_csv_row(FILE *out, const struct bl_cal_row *row)
{
    const struct bl_pattern_args *args = &row->pattern->args;
    bool global =
        row->op->kind == BL_CAL_GLOBAL_LOAD || row->op->kind == BL_CAL_GLOBAL_STORE;
    bool agrees = true;

    fprintf(out, "%s,%s,%s,%" PRIu32 ",0x%08" PRIx32, row->op->name, row->pattern->family,
            row->pattern->lanes, row->op->width, args->mask);
    for (int l = 0; l < 32; l++)
        fprintf(out, ",%" PRIu32, global ? args->far[l] : args->near[l]);
    for (int i = 0; i < BL_NUMBERS; i++) {
        put(out, row->got.at[i], i != BL_NUMBER_CYCLES);
        put(out, row->expected.at[i], true);
        agrees = agrees && row->agrees[i];
    }
    fprintf(out, ",%s", agrees ? "yes" : "no");
    for (int l = 0; l < 32; l++)
        if (row->op->kind == BL_CAL_CP_ASYNC)
            fprintf(out, ",%" PRIu32, args->far[l]);
        else
            fputc(',', out);
    fputc('\n', out);
}
