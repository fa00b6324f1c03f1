/* SPDX-License-Identifier: Apache-2.0
 *
 * tap.c - the report as Test Anything Protocol, so that prove can run a profile.
 *
 * No version line: prove takes only 13 and refuses what it does not know.
 */
#include "report/report.h"

#include "report/figures.h"

enum bl_status bl_report_tap(const struct bl_report *report, FILE *out,
                             struct bl_error *err)
{
    fprintf(out, "1..%zu%s\n", report->count, report->count ? "" : " # SKIP no cases");
    for (size_t i = 0; i < report->warning_count; i++) {
        fputs("# warning: ", out);
        bl_text_write(out, report->warnings[i], " ");
        fputc('\n', out);
    }
    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *result = &report->results[i];
        const bool ok = result->verdict == BL_PASS || result->verdict == BL_SKIP;

        fprintf(out, "%s %zu - ", ok ? "ok" : "not ok", i + 1);
        bl_text_write_tap(out, result->of->name);
        if (result->verdict == BL_SKIP) {
            fputs(" # SKIP ", out);
            bl_text_write(out, result->detail, " ");
        }
        fputc('\n', out);
        if (*result->detail && result->verdict != BL_SKIP) {
            fprintf(out, "# %s: ", bl_verdict_name(result->verdict));
            bl_text_write(out, result->detail, "\n#   ");
            fputc('\n', out);
        }
    }
    return bl_report_flush(out, err);
}
