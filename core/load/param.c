/* SPDX-License-Identifier: Apache-2.0 */
#include "load/param.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"

static size_t choice_count(const struct banklab_param *param)
{
    size_t count = 0;
    if (param->choices)
        while (param->choices[count])
            count++;
    return count;
}

static enum bl_status parse_choice(const struct banklab_param *param, const char *text,
                                   banklab_value *out, struct bl_error *err)
{
    size_t count = choice_count(param);
    char domain[BL_HINT_SIZE];
    const char *nearest;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(param->choices[i], text) == 0) {
            out->i = (int64_t)i;
            return BL_OK;
        }
    }
    bl_param_domain(param, domain, sizeof domain);
    nearest = bl_text_nearest(text, param->choices, count);
    if (nearest)
        return bl_error_set(err, BL_E_INPUT,
                            "%s takes %s, not \"%.80s\"; did you mean \"%s\"?",
                            param->name, domain, text, nearest);
    return bl_error_set(err, BL_E_INPUT, "%s takes %s, not \"%.80s\"", param->name,
                        domain, text);
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Only some numbers are allowed. */
static enum bl_status parse_listed(const struct banklab_param *param, int64_t value,
                                   banklab_value *out, struct bl_error *err)
{
    size_t count = choice_count(param);
    char domain[BL_HINT_SIZE];
    uint64_t least = UINT64_MAX;
    int64_t nearest = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t allowed;
        if (!bl_text_int(param->choices[i], &allowed))
            continue;
        if (allowed == value) {
            out->i = value;
            return BL_OK;
        }
        if (distance(allowed, value) < least) {
            least = distance(allowed, value);
            nearest = allowed;
        }
    }
    bl_param_domain(param, domain, sizeof domain);
    return bl_error_set(err, BL_E_INPUT,
                        "%s takes %s, not %" PRId64 "; the nearest is %" PRId64,
                        param->name, domain, value, nearest);
}

enum bl_status bl_param_parse(const struct banklab_param *param, const char *text,
                              banklab_value *out, struct bl_error *err)
{
    char domain[BL_HINT_SIZE];
    int64_t value;
    if (param->type == BANKLAB_PARAM_CHOICE)
        return parse_choice(param, text, out, err);
    bl_param_domain(param, domain, sizeof domain);
    if (!bl_text_int(text, &value))
        return bl_error_set(err, BL_E_INPUT, "%s takes a whole number, %s, not \"%.80s\"",
                            param->name, domain, text);
    if (param->choices)
        return parse_listed(param, value, out, err);
    if (value < param->minimum || value > param->maximum)
        return bl_error_set(err, BL_E_INPUT,
                            "%s takes %s, not %" PRId64 "; the nearest is %" PRId64,
                            param->name, domain, value,
                            value < param->minimum ? param->minimum : param->maximum);
    out->i = value;
    return BL_OK;
}

void bl_param_print(const struct banklab_param *param, banklab_value value, char *out,
                    size_t size)
{
    if (param->type == BANKLAB_PARAM_CHOICE && value.i >= 0 &&
        (size_t)value.i < choice_count(param))
        snprintf(out, size, "%s", param->choices[value.i]);
    else
        snprintf(out, size, "%" PRId64, value.i);
}

void bl_param_domain(const struct banklab_param *param, char *out, size_t size)
{
    if (param->choices)
        bl_hint_list(param->choices, choice_count(param), out, size);
    else if (param->minimum == param->maximum)
        snprintf(out, size, "%" PRId64, param->minimum);
    else
        snprintf(out, size, "%" PRId64 "..%" PRId64, param->minimum, param->maximum);
}
