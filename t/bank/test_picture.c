/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture says what the rules say: it is read back, cell by cell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bank/picture.h"
#include "../rules/rows.h"

enum { PATTERNS = 4000, LABEL = 7, CELL = 3 };

struct access {
    bool is_store;
    uint32_t width, mask, address[32];
};

static char *picture_of(const struct bl_arch *arch, const struct access *of, int width)
{
    const struct bl_style style = {.width = width};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    bl_picture_print(out, &style, arch, of->is_store, of->width, of->mask, of->address);
    fclose(out);
    return text;
}

/* The lanes of a list: "0-2 5; 7 8". */
static uint32_t read_list(const char *text)
{
    uint32_t mask = 0;

    while (*text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;

        assert_true(end > text);
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (; first <= last; first++) {
            assert_false(mask >> first & 1);
            mask |= UINT32_C(1) << first;
        }
        text = end + strspn(end, "; ");
    }
    return mask;
}

/* What a row of cells says: each lane stands below its own bank. */
static uint32_t read_row(const struct bl_arch *arch, const struct access *of,
                         const char *head, const char *row, uint32_t *shared)
{
    const uint32_t unit = of->width > arch->bank_bytes ? of->width : arch->bank_bytes;
    uint32_t seen = 0;

    assert_int_equal(strlen(head), strlen(head + LABEL) + LABEL);
    for (size_t at = LABEL; at < strlen(row); at += CELL) {
        unsigned long lane, bank = strtoul(head + at, NULL, 10);

        if (row[at + 1] == '.')
            continue;
        lane = strtoul(row + at, NULL, 10);
        assert_true(lane < 32 && (of->mask >> lane & 1));
        assert_int_equal(
            of->address[lane] / unit * (unit / arch->bank_bytes) % arch->banks, bank);
        assert_false(seen >> lane & 1);
        seen |= UINT32_C(1) << lane;
        *shared |= row[at + 2] == '+' ? UINT32_C(1) << lane : 0;
    }
    assert_true(seen != 0);
    return seen;
}

static void check_picture(const struct bl_arch *arch, const struct access *of, int width)
{
    char *text = picture_of(arch, of, width), *rest = text, *line, head[128] = "";
    uint32_t seen = 0, shared = 0, listed = 0, wavefronts = 0;
    uint32_t least = 0, phases = 0;
    struct bl_shared_cost cost;
    bool in_list = false;

    bl_access_shared(arch, of->is_store, of->width, of->mask, of->address, &cost);
    while ((line = strsep(&rest, "\n")) != NULL) {
        const char *colon = strstr(line, ": ");

        assert_true(width == 0 || strlen(line) <= (size_t)width);
        in_list = in_list && strncmp(line, "     ", 5) == 0 && !strchr(line, '.');
        if (strncmp(line, "  + ", 4) == 0) {
            listed |= read_list(strstr(line, " lanes ") + 7);
            in_list = true;
        } else if (in_list) {
            listed |= read_list(line + strspn(line, " "));
        } else if (strncmp(line, "  bank ", 7) == 0) {
            snprintf(head, sizeof head, "%s", line);
        } else if (colon && strstr(line, "wavefront")) {
            const char *to = strstr(colon, " to ");

            wavefronts += (uint32_t)strtoul(to ? to + 4 : colon + 2, NULL, 10);
            least += (uint32_t)strtoul(colon + 2, NULL, 10);
            phases++;
        } else if (line[0] == ' ' && line[2] != 'b') {
            seen |= read_row(arch, of, head, line, &shared);
        }
    }
    assert_int_equal(wavefronts, cost.wavefronts);
    assert_int_equal(least,
                     bl_arch_is_open(arch) ? cost.wavefronts_least : cost.wavefronts);
    assert_int_equal(phases, cost.ideal);
    assert_int_equal(seen | listed, of->mask);
    assert_int_equal(seen & listed, shared);
    free(text);
}

static uint64_t random_state = 1;

static uint32_t any(uint32_t below)
{
    random_state =
        random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % below;
}

static void draw(struct access *out)
{
    const uint32_t words = 1u << any(11), pairs = any(3);

    out->is_store = any(2);
    out->width = 1u << any(5);
    out->mask = any(3) ? UINT32_MAX : any(UINT32_MAX) | 1u << any(32);
    for (uint32_t lane = 0; lane < 32; lane++)
        out->address[lane] = any(words) * out->width;
    for (uint32_t lane = 0; pairs > 0 && lane < 32; lane++)
        out->address[lane] = out->address[lane & ~pairs];
}

static void as_the_rules_say(void **state)
{
    static const char *const names[] = {"cc90", "cc10", "cc20", "cc30", "cc30-8", "cc60"};

    (void)state;
    for (size_t arch_at = 0; arch_at < sizeof names / sizeof *names; arch_at++) {
        struct bl_arch arch;

        arch_of(names[arch_at], &arch);
        for (int i = 0; i < PATTERNS; i++) {
            struct access access;

            draw(&access);
            if (access.width > arch.access_bytes)
                continue; /* in parts */
            check_picture(&arch, &access, 0);
            check_picture(&arch, &access, 80);
        }
    }
}

static void in_parts(void **state)
{
    struct access access = {.width = 8, .mask = 3, .address = {0, 64}};
    struct bl_arch arch;
    char *text;

    (void)state;
    arch_of("cc10", &arch);
    text = picture_of(&arch, &access, 80);
    assert_non_null(strstr(text, "bytes 0-3 of each lane:\n"
                                 "phase 1 of 2, lanes 0 1: 2 wavefronts\n"
                                 "  bank  0  1  2"));
    assert_non_null(strstr(text, "    1   0  .  ."));
    assert_non_null(strstr(text, "bytes 4-7 of each lane:\n"));
    assert_non_null(strstr(text, "    2   .  1  ."));
    free(text);
}

static void what_no_grid_shows(void **state)
{
    struct access access = {.width = 16, .mask = 1, .address = {0}};
    struct access words = {.width = 4, .mask = UINT32_MAX, .address = {4}};
    struct bl_arch arch;
    char *text;

    (void)state;
    arch_of("cc20", &arch);
    text = picture_of(&arch, &access, 80);
    assert_non_null(strstr(text, "lane 0: 2 wavefronts\n"));
    assert_non_null(strstr(text, "takes 1 wavefront more than there are lines"));
    free(text);
    arch_of("cc10", &arch);
    text = picture_of(&arch, &words, 80);
    assert_non_null(strstr(text, "phase 1 of 2, lanes 0-15: 1 to 2 wavefronts\n"));
    assert_non_null(strstr(text, "is not documented"));
    free(text);
}

static void a_column(void **state)
{
    struct access access = {.width = 4, .mask = UINT32_MAX};
    struct bl_arch arch;
    char *text;

    (void)state;
    arch_of("cc90", &arch);
    for (uint32_t lane = 0; lane < 32; lane++)
        access.address[lane] = 4 * (16 * (lane % 16) + lane / 16);
    text = picture_of(&arch, &access, 80);
    assert_non_null(strstr(text,
                           "lanes 0-31: 8 wavefronts\n"
                           "  bank  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15\n"
                           "    1   0 16  .  .  .  .  .  .  .  .  .  .  .  .  .  .\n"
                           "    2   2 18  .  .  ."));
    assert_non_null(strstr(text,
                           "  bank 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31\n"
                           "    1   1 17  .  .  ."));
    assert_non_null(strstr(text, "Which of them goes first is not known"));
    free(text);
    for (uint32_t lane = 0; lane < 32; lane++)
        access.address[lane] = 4 * (lane / 8);
    text = picture_of(&arch, &access, 80);
    assert_non_null(strstr(text,
                           "  banks 16 to 31: no lane\n"
                           "  + the same word for lanes 0-7; 8-15; 16-23; 24-31\n"));
    assert_null(strstr(text, "goes first"));
    free(text);
}

static void in_colour(void **state)
{
    const struct bl_style style = {.colour = true};
    struct access access = {.width = 4, .mask = 3, .address = {0, 128}};
    struct bl_arch arch;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    arch_of("cc90", &arch);
    bl_picture_print(out, &style, &arch, false, 4, access.mask, access.address);
    fclose(out);
    assert_non_null(strstr(text, "\033[32m 0 \033[0m"));
    assert_non_null(strstr(text, "\033[1;31m 1 \033[0m"));
    free(text);
}

static void sectors(void **state)
{
    const struct bl_style style = {.width = 80};
    uint64_t address[32];
    struct bl_arch arch;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    arch_of("cc90", &arch);
    for (uint32_t lane = 0; lane < 32; lane++)
        address[lane] = 8 * (31 - lane) + (UINT64_C(1) << 40);
    bl_picture_global(out, &style, &arch, 4, UINT32_MAX, address);
    fclose(out);
    assert_non_null(strstr(text,
                           "1099511627776  ####....####....####....####....  28-31\n"
                           "1099511627808  ####....####....####....####....  24-27"));
    free(text);
    out = open_memstream(&text, &size);
    for (uint32_t lane = 0; lane < 32; lane++)
        address[lane] = 32 * (lane & 1) + 1;
    bl_picture_global(out, &style, &arch, 1, UINT32_MAX, address);
    fclose(out);
    assert_non_null(strstr(text, "      0  .#..............................  0 2 4 6"));
    assert_non_null(strstr(text, "...\n     32  .#"));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 80);
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_rules_say), cmocka_unit_test(a_column),
        cmocka_unit_test(in_parts),         cmocka_unit_test(what_no_grid_shows),
        cmocka_unit_test(in_colour),        cmocka_unit_test(sectors),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
