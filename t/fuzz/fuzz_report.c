/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a report: they are refused with the file's name, or compared, with
 * themselves without any difference, and with another report in both directions alike;
 * and the comparison's JSON can be read. As a libFuzzer target: clang
 * -fsanitize=fuzzer,address,undefined with this file and the core, without fuzz_main.c.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "fuzz.h"

#define HEAD                                                                             \
    "{\"schema\":\"banklab.report/1\",\"banklab\":\"0\",\"profile\":\"p\",\"run\":"      \
    "{\"seed\":\"1\",\"baseline\":\"x\"},\"device\":{\"backend\":\"cuda\",\"name\":"     \
    "\"n\",\"arch\":\"cc90\"},\"cases\":["
#define CASE(name, rest)                                                                 \
    "{\"case\":\"" name "\",\"plugin\":\"p\",\"kind\":\"copy\",\"params\":{\"a\":1,"     \
    "\"b\":\"c\"},\"problem\":{\"rows\":3,\"cols\":4,\"elem\":4},\"verdict\":\"pass\","  \
    "\"detail\":\"\"" rest "}"
#define SIDE "{\"requests\":1,\"wavefronts\":2,\"conflicts\":1,\"ways\":2}"
#define TIME                                                                             \
    ",\"time\":{\"source\":\"gpu\",\"median_us\":2.5,\"low_us\":2.4,\"high_us\":2.6,"    \
    "\"samples\":3}"

const char *const fuzz_seeds[] = {
    HEAD CASE("x", TIME) "," CASE(
        "y", TIME ",\"slowdown\":{\"baseline\":{\"case\":\"x\",\"ratio\":1,\"low\":0.9,"
                  "\"high\":1.1}}") "]}",
    HEAD CASE("x", ",\"shared\":{\"source\":\"model\",\"load\":" SIDE ",\"store\":" SIDE
                   ",\"atomic\":" SIDE ",\"cycles\":9},\"clock\":{\"source\":\"gpu\","
                   "\"cycles_per_access\":2.04}") "]}",
    HEAD CASE("x",
              ",\"model\":{\"blocks\":1,\"instructions\":2,\"shared\":{\"load\":" SIDE
              ",\"store\":" SIDE "}},\"global\":{\"source\":\"counter\",\"load\":"
              "{\"requests\":1,\"sectors\":4},\"store\":{\"requests\":1,"
              "\"sectors\":4,\"ideal\":4}}") "],\"warnings\":[\"w\"]}",
    HEAD "]}",
    NULL,
};

static void check_json(const struct bl_comparison *comparison)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *root;

    if (!out || bl_compare_json(comparison, out, NULL) != BL_OK || fclose(out) != 0)
        abort();
    root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (!root || json_array_size(json_object_get(root, "cases")) != comparison->count)
        abort();
    json_decref(root);
    free(text);
}

static void check_texts(const struct bl_comparison *comparison)
{
    const struct bl_style style = {false, 40};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out || bl_compare_table(comparison, &style, out, NULL) != BL_OK ||
        bl_compare_csv(comparison, out, NULL) != BL_OK || fclose(out) != 0)
        abort();
    free(text);
}

/* Whether there was anything to compare. */
static bool play(const struct bl_saved *a, const struct bl_saved *b, bool same)
{
    const struct bl_cmp_options options = {.tolerance = 0.01,
                                           .has_fail_counts = true,
                                           .has_fail_slower = true,
                                           .fail_slower = 0.02};
    struct bl_comparison comparison;
    struct bl_error err;
    enum bl_status status = bl_compare(a, b, &options, &comparison, &err);

    if (status != BL_OK) {
        if (status != BL_E_INPUT || strncmp(err.text, "fuzz", 4) != 0)
            abort();
        return false;
    }
    check_json(&comparison);
    check_texts(&comparison);
    if (same && (comparison.with_changes || comparison.only_a || comparison.only_b ||
                 comparison.broke || comparison.verdicts[BL_CMP_FASTER] ||
                 comparison.verdicts[BL_CMP_SLOWER] || bl_compare_failed(&comparison)))
        abort();
    if (b && comparison.both + comparison.only_a != a->count)
        abort();
    bl_compare_free(&comparison);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_saved saved, other;
    struct bl_error err = {BL_OK, ""};
    enum bl_status status =
        bl_saved_parse("fuzz", (const char *)data, size, &saved, &err);

    if (status != BL_OK) {
        if (status != BL_E_INPUT || strncmp(err.text, "fuzz:", 5) != 0)
            abort();
        return 0;
    }
    if (bl_saved_parse("fuzz-other", fuzz_seeds[0], strlen(fuzz_seeds[0]), &other,
                       &err) != BL_OK)
        abort();
    if (play(&saved, &saved, true) != (saved.count > 0))
        abort();
    play(&saved, NULL, false);
    if (play(&saved, &other, false) != play(&other, &saved, false))
        abort();
    bl_saved_free(&other);
    bl_saved_free(&saved);
    return 0;
}
