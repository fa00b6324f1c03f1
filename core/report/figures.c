/* SPDX-License-Identifier: Apache-2.0
 *
 * figures.c - numbers and text as a report prints them, in every locale alike.
 */
#include "report/figures.h"

#include <locale.h>
#include <math.h>
#include <string.h>

void bl_figure_point(char *text, const char *point)
{
    const size_t length = strlen(point);
    char *at = length ? strstr(text, point) : NULL;

    if (at) {
        *at = '.';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
}

static void decimal_point(char *text)
{
    bl_figure_point(text, localeconv()->decimal_point);
}

void bl_figure_short(uint64_t value, char out[BL_FIGURE_MAX])
{
    static const char suffix[] = {'k', 'M', 'G', 'T', 'P', 'E'};
    double scaled = (double)value;
    size_t step = 0;

    if (value < 1000) {
        snprintf(out, BL_FIGURE_MAX, "%u", (unsigned)value);
        return;
    }
    /* 999.5 would be rounded to 1000 of this unit, which is 1.00 of the next. */
    for (scaled /= 1000; scaled >= 999.5 && step + 1 < sizeof suffix; step++)
        scaled /= 1000;
    snprintf(out, BL_FIGURE_MAX, "%.*f%c",
             scaled < 9.995   ? 2
             : scaled < 99.95 ? 1
                              : 0,
             scaled, suffix[step]);
    decimal_point(out);
}

void bl_figure_real(double value, int decimals, char out[BL_FIGURE_MAX])
{
    char plain[BL_FIGURE_MAX];
    size_t whole, at = 0;
    const char *digits = plain;

    if (fabs(value) >= 1e15) { /* nobody counts those digits */
        snprintf(out, BL_FIGURE_MAX, "%.3g", value);
        decimal_point(out);
        return;
    }
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    decimal_point(plain);
    if (*digits == '-')
        out[at++] = *digits++;
    whole = strspn(digits, "0123456789");
    for (size_t i = 0; i < whole && at + 2 < BL_FIGURE_MAX; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    snprintf(out + at, BL_FIGURE_MAX - at, "%s", digits + whole);
}

void bl_figure_plain(double value, char out[BL_FIGURE_MAX])
{
    snprintf(out, BL_FIGURE_MAX, "%.15g", value);
    decimal_point(out);
}

int bl_figure_decimals(double least)
{
    double decimals;

    if (!isfinite(least) || least <= 0)
        return 2;
    decimals = 2 - floor(log10(least));
    return decimals < 0 ? 0 : decimals > 4 ? 4 : (int)decimals;
}

void bl_text_write(FILE *out, const char *text, const char *newline)
{
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;

        if (byte == '\n')
            fputs(newline, out);
        else if (byte < 0x20 || byte == 0x7f)
            fputc('?', out);
        else
            fputc(byte, out);
    }
}

void bl_text_write_tap(FILE *out, const char *text)
{
    char one[3] = {'\\', 0, 0};

    for (; *text; text++) {
        one[1] = *text;
        bl_text_write(out, *text == '#' || *text == '\\' ? one : one + 1, " ");
    }
}

void bl_text_write_csv(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

int bl_text_columns(const char *text)
{
    int columns = 0;

    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}
