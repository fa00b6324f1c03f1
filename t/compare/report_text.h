/* SPDX-License-Identifier: Apache-2.0
 *
 * report_text.h - reports in JSON, made by hand, for tests.
 */
#ifndef BL_REPORT_TEXT_H
#define BL_REPORT_TEXT_H

/* Around the cases. */
#define HEAD(device, baseline)                                                           \
    "{\"schema\": \"banklab.report/1\", \"banklab\": \"0.1.0\", \"profile\": \"p.ini\"," \
    " \"run\": {\"seed\": \"1\", \"baseline\": \"" baseline "\"},"                       \
    " \"device\": {\"backend\": \"model\", \"name\": \"" device                          \
    "\", \"arch\": \"cc90\"},"                                                           \
    " \"cases\": ["
#define TAIL "]}"

/* A case of a 64 x 32 transpose; `verdict` and what follows are as in JSON. */
#define CASE(name, params, verdict, groups)                                              \
    "{\"case\": \"" name "\", \"plugin\": \"tile\", \"kind\": \"transpose\","            \
    " \"params\": {" params "}, \"problem\": {\"rows\": 64, \"cols\": 32, \"elem\": 4}," \
    " \"verdict\": \"" verdict "\", \"detail\": \"\"" groups "}"

#define TIME(source, median, low, high)                                                  \
    ", \"time\": {\"source\": \"" source "\", \"median_us\": " median                    \
    ", \"low_us\": " low ", \"high_us\": " high ", \"samples\": 9}"

#define SIDE(wavefronts, conflicts, ways)                                                \
    "{\"requests\": 4, \"wavefronts\": " wavefronts                                      \
    ", \"ideal\": 4, \"conflicts\": " conflicts ", \"ways\": " ways "}"

/* `source`: "model\"", or with more: "counter\", \"counted_by\": \"hardware\"". */
#define SHARED(source, load)                                                             \
    ", \"shared\": {\"source\": \"" source ", \"load\": " load                           \
    ", \"store\": " SIDE("4", "0", "1") ", \"cycles\": 8}"

#define GLOBAL(sectors)                                                                  \
    ", \"global\": {\"source\": \"model\", \"load\": {\"requests\": 4, "                 \
    "\"sectors\": " sectors                                                              \
    "}, \"store\": {\"requests\": 4, \"sectors\": 32, \"ideal\": 32}}"

#endif
