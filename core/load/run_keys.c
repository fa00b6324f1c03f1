/* SPDX-License-Identifier: Apache-2.0 */
#include "load/run_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { THREADS_MAX = 1024, SECONDS_MAX = 86400 };

static enum bl_status set_text(const char *text, void *field)
{
    char **out = field;
    char *copy = strdup(text);
    if (!copy)
        return BL_E_NOMEM;
    free(*out);
    *out = copy;
    return BL_OK;
}

static enum bl_status parse_device(const char *text, void *field)
{
    static const char cuda[] = "cuda:";
    uint64_t ordinal;
    if (strcmp(text, "auto") != 0 && strcmp(text, "model") != 0 &&
        strcmp(text, "cuda") != 0 &&
        (strncmp(text, cuda, strlen(cuda)) != 0 ||
         !bl_text_uint(text + strlen(cuda), &ordinal) || ordinal > INT32_MAX))
        return BL_E_INPUT;
    return set_text(text, field);
}

/* The name of a file in a folder of ours, which must not lead out of it. */
static enum bl_status parse_file_name(const char *text, void *field)
{
    if (strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                     "_-.") != strlen(text) ||
        text[0] == '.' || text[0] == '\0')
        return BL_E_INPUT;
    return set_text(text, field);
}

static enum bl_status parse_baseline(const char *text, void *field)
{
    char **out = field;
    if (strcmp(text, "none") != 0)
        return set_text(text, field);
    free(*out);
    *out = NULL;
    return BL_OK;
}

static enum bl_status parse_u64(const char *text, void *field)
{
    return bl_text_uint(text, field) ? BL_OK : BL_E_INPUT;
}

static enum bl_status parse_positive(const char *text, void *field)
{
    uint64_t value;
    if (!bl_text_uint(text, &value) || value == 0)
        return BL_E_INPUT;
    *(uint64_t *)field = value;
    return BL_OK;
}

static enum bl_status parse_threads(const char *text, void *field)
{
    uint64_t value;
    if (!bl_text_uint(text, &value) || value > THREADS_MAX)
        return BL_E_INPUT;
    *(uint32_t *)field = (uint32_t)value;
    return BL_OK;
}

static enum bl_status parse_seconds(const char *text, void *field)
{
    double value;
    if (!bl_text_real(text, &value) || value <= 0 || value > SECONDS_MAX)
        return BL_E_INPUT;
    *(double *)field = value;
    return BL_OK;
}

static enum bl_status parse_percent(const char *text, void *field)
{
    double value;
    if (!bl_text_real(text, &value) || value <= 0 || value > 100)
        return BL_E_INPUT;
    *(double *)field = value;
    return BL_OK;
}

static enum bl_status parse_cache(const char *text, void *field)
{
    const bool warm = strcmp(text, "warm") == 0;
    if (!warm && strcmp(text, "cold") != 0)
        return BL_E_INPUT;
    *(bool *)field = warm;
    return BL_OK;
}

static enum bl_status parse_counts(const char *text, void *field)
{
    static const char *const names[] = {"auto", "model", "none", "hardware"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *(uint32_t *)field = i;
            return BL_OK;
        }
    return BL_E_INPUT;
}

/* A comma-separated list, or none. */
static enum bl_status parse_references(const char *text, void *field)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } known[] = {{"memcpy", BL_REFERENCE_MEMCPY}, {"cublas", BL_REFERENCE_CUBLAS}};
    uint32_t bits = 0;

    if (strcmp(text, "none") != 0)
        for (const char *at = text;; at++) {
            const size_t length = strcspn(at, ", ");
            const uint32_t before = bits;
            for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (strlen(known[i].name) == length &&
                    strncmp(at, known[i].name, length) == 0)
                    bits |= known[i].bit;
            if (bits == before) /* unknown, empty, or named twice */
                return BL_E_INPUT;
            at += length;
            at += strspn(at, " ");
            if (!*at)
                break;
            if (*at != ',')
                return BL_E_INPUT;
            at += strspn(at + 1, " ");
        }
    *(uint32_t *)field = bits;
    return BL_OK;
}

#define FIELD(name) offsetof(struct bl_run_options, name)

static const struct bl_run_key keys[] = {
    {"device", "auto", "auto, model, cuda or cuda:NUMBER",
     "where the kernels run; auto: a GPU if there is one, else the model", parse_device,
     FIELD(device)},
    {"arch", "cc90", "the name of an arch file, as cc90",
     "the model's bank rules where no GPU decides", parse_file_name, FIELD(arch)},
    {"rates", "h200", "the name of a device file, as h200",
     "the rates behind predicted times", parse_file_name, FIELD(rates)},
    {"baseline", "none", "the name of a case, or none",
     "the case that every slowdown is against", parse_baseline, FIELD(baseline)},
    {"seed", "1", "a whole number of at least 0", "the seed of the pseudo-random inputs",
     parse_u64, FIELD(seed)},
    {"steps", "50000000", "a whole number of at least 1",
     "the most warp instructions that one block may execute on the model", parse_positive,
     FIELD(steps)},
    {"threads", "0", "a whole number from 0 to 1024",
     "worker threads of the model; 0: one for each CPU core", parse_threads,
     FIELD(threads)},
    {"timeout", "30", "seconds, above 0 and up to 86400",
     "how long a case on a GPU, or a plugin's own code, may be silent before it counts "
     "as "
     "hanging",
     parse_seconds, FIELD(timeout)},
    {"cache", "cold", "cold or warm",
     "on a GPU: cold rotates through buffers of four times the L2 cache; warm keeps one "
     "set",
     parse_cache, FIELD(warm)},
    {"precision", "0.5", "a percentage above 0 and up to 100",
     "on a GPU: timing stops when every median's 95 % interval is this narrow",
     parse_percent, FIELD(precision)},
    {"max_time", "20", "seconds, above 0 and up to 86400",
     "on a GPU: timing stops after this long at the latest", parse_seconds,
     FIELD(max_time)},
    {"reference", "none", "memcpy, cublas, both by comma, or none",
     "on a GPU: rows of the table to compare with", parse_references, FIELD(references)},
    {"counts", "auto", "auto, hardware, model or none",
     "on a GPU: auto lets instructions count themselves, else reads the hardware's "
     "counters, else asks the model",
     parse_counts, FIELD(counts)},
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };
_Static_assert((int)KEY_COUNT <= (int)BL_RUN_KEYS_MAX, "BL_RUN_KEYS_MAX is too small");

const struct bl_run_key *bl_run_keys(size_t *count)
{
    *count = KEY_COUNT;
    return keys;
}

const struct bl_run_key *bl_run_key_find(const char *name)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}
