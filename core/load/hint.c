/* SPDX-License-Identifier: Apache-2.0 */
#include "load/hint.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

void bl_hint_list(const char *const *names, size_t count, char *out, size_t size)
{
    /* Room is kept for the dots, so that a list that was cut says so. */
    static const char cut[] = ", ...";
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *joint = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        size_t need = strlen(joint) + strlen(names[i]);
        if (used + need + sizeof cut > size) {
            snprintf(out + used, size - used, "%s", i == 0 ? "..." : cut);
            return;
        }
        snprintf(out + used, size - used, "%s%s", joint, names[i]);
        used += need;
    }
}

void bl_hint_print(const char *name, const char *const *names, size_t count, char *out,
                   size_t size)
{
    const char *nearest = bl_text_nearest(name, names, count);
    out[0] = '\0';
    if (nearest) {
        snprintf(out, size, "; did you mean \"%s\"?", nearest);
    } else if (count > 0) {
        char list[BL_HINT_SIZE - 16]; /* what stands before it takes the rest */
        bl_hint_list(names, count, list, sizeof list);
        snprintf(out, size, "; it can be %s", list);
    }
}
