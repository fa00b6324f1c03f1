/* SPDX-License-Identifier: Apache-2.0
 *
 * figures.h - numbers and text as a report prints them, in every locale alike.
 */
#ifndef BL_FIGURES_H
#define BL_FIGURES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BL_FIGURE_MAX = 64 }; /* bytes that any figure needs, with its NUL */

/* Three significant digits and a suffix: 999, 1.05M, 4.19G. */
void bl_figure_short(uint64_t value, char out[BL_FIGURE_MAX]);

/* With `decimals` (0..9) decimals and thousands separators: 1,234.50.
 * From 1e15 on: 1.23e+15. */
void bl_figure_real(double value, int decimals, char out[BL_FIGURE_MAX]);

/* For programs: up to 15 significant digits, no separators: 1234.5. */
void bl_figure_plain(double value, char out[BL_FIGURE_MAX]);

/* Makes the decimal point of a printed number, `point` in the locale that printed it
 * (a comma, or longer), a '.'. */
void bl_figure_point(char *text, const char *point);

/* Decimals that show three significant digits of `least`: 0..4. */
int bl_figure_decimals(double least);

/* Writes `text` with every control byte replaced: a newline by `newline` (a string),
 * others by '?'. */
void bl_text_write(FILE *out, const char *text, const char *newline);

/* A field by RFC 4180: quoted where it must be, a quote doubled. */
void bl_text_write_csv(FILE *out, const char *text);

/* A name in Test Anything Protocol, where a '#' would start a directive and a '\' an
 * escape; control bytes as bl_text_write with " ". */
void bl_text_write_tap(FILE *out, const char *text);

/* The columns that `text` takes on a terminal, each code point of UTF-8 counted as
 * one. */
int bl_text_columns(const char *text);

#endif
