/* SPDX-License-Identifier: Apache-2.0
 *
 * The model's arithmetic against h200.txt: what an NVIDIA H200 gave for the same
 * instructions and operands. Results are the same, bit for bit, but for the approximate
 * instructions, which have a tolerance.
 */
#include <math.h>

#include "alu_test.h"

enum { COLUMNS = 10, INPUTS = 96 };

/* One "in" line. */
struct input {
    char name[16];
    char operand;
    uint32_t bits;
    uint64_t values[ALU_LANES];
    uint32_t lanes;
};

struct measured {
    char *text;
    struct input inputs[INPUTS];
    size_t input_count;
};

/* Cuts `line` at tabs; the number of columns. */
static int columns_of(char *line, char *columns[COLUMNS])
{
    int count = 0;
    for (char *at = line; at && count < COLUMNS; count++) {
        columns[count] = at;
        at = strchr(at, '\t');
        if (at) {
            *at++ = 0;
        }
    }
    return count;
}

/* Hexadecimal values of `bits` each, run together; the number of values. */
static uint32_t values_of(const char *hex, uint32_t bits, uint64_t values[ALU_LANES])
{
    size_t digits = bits / 4, length = strlen(hex);
    uint32_t count = 0;
    assert_int_equal(length % digits, 0);
    for (; count < ALU_LANES && count * digits < length; count++) {
        char one[17] = "";
        memcpy(one, hex + count * digits, digits);
        values[count] = strtoull(one, NULL, 16);
    }
    return count;
}

static void read_input(struct measured *m, char *columns[COLUMNS])
{
    assert_true(m->input_count < INPUTS);
    struct input *in = &m->inputs[m->input_count++];
    snprintf(in->name, sizeof in->name, "%s", columns[1]);
    in->operand = columns[2][0];
    in->bits = (uint32_t)atoi(columns[3]);
    in->lanes = values_of(columns[4], in->bits, in->values);
}

static const struct input *find_input(const struct measured *m, char operand,
                                      const char *name)
{
    for (size_t i = 0; i < m->input_count; i++) {
        if (m->inputs[i].operand == operand && strcmp(m->inputs[i].name, name) == 0) {
            return &m->inputs[i];
        }
    }
    fail_msg("no inputs %s for operand %c", name, operand);
    return NULL;
}

/* "a=f32 b=f32" as operands of the case. */
static void read_operands(const struct measured *m, char *list, struct alu_case *c)
{
    static const char names[] = "abce";
    for (char *at = strtok(list, " "); at && strcmp(at, "-") != 0;
         at = strtok(NULL, " ")) {
        const char *name = strchr(names, at[0]);
        assert_non_null(name);
        const struct input *in = find_input(m, at[0], at + 2);
        c->operand[name - names].bits = strcmp(in->name, "p") == 0 ? 1 : in->bits;
        c->operand[name - names].values = in->values;
        c->lanes = in->lanes;
    }
}

static double value_of(uint64_t bits, uint32_t width)
{
    float f;
    double d;
    uint32_t word = (uint32_t)bits;
    memcpy(&f, &word, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return width == 64 ? d : (double)f;
}

static bool within_units(uint64_t got, uint64_t want, double units)
{
    double apart = got > want ? (double)(got - want) : (double)(want - got);
    return apart <= units;
}

static bool is_close(uint64_t got, uint64_t want, uint32_t width, const char *body,
                     const char *tolerance)
{
    double amount = strchr(tolerance, ' ') ? atof(strchr(tolerance, ' ')) : 0;
    if (got == want) {
        return true;
    }
    if (strncmp(tolerance, "ulp", 3) == 0) {
        if (strstr(body, "16x2")) {
            return within_units(got & 0xffff, want & 0xffff, amount) &&
                   within_units(got >> 16, want >> 16, amount);
        }
        return within_units(got, want, amount);
    }
    double x = value_of(got, width), y = value_of(want, width), apart = fabs(x - y);
    switch (tolerance[0]) {
    case 'a': return apart <= amount;
    case 'r': return apart <= amount * fabs(y);
    case 'l': return apart <= amount || apart <= amount * fabs(y);
    default: return false;
    }
}

/* Compares one result column; the number of lanes that differ. */
static int compare(const struct alu_case *c, const uint64_t *got, const char *kind,
                   const char *results, const char *tolerance)
{
    uint64_t want[ALU_LANES] = {0};
    uint32_t lanes = c->lanes, width = 32;
    int differ = 0;
    if (strcmp(kind, "p") == 0) {
        uint64_t set = strtoull(results, NULL, 16);
        for (uint32_t l = 0; l < lanes; l++) {
            want[l] = set >> l & 1;
        }
    } else {
        width = (uint32_t)atoi(kind);
        lanes = values_of(results, width, want);
    }
    for (uint32_t l = 0; l < lanes; l++) {
        if (is_close(got[l], want[l], width, c->body, tolerance)) {
            continue;
        }
        if (differ++ == 0) {
            print_error("%s: lane %u: got %llx, measured %llx\n", c->body, l,
                        (unsigned long long)got[l], (unsigned long long)want[l]);
        }
    }
    return differ;
}

/* op SECTION TEXT D D2 OPERANDS TOLERANCE RESULTS RESULTS2 */
static int check(const struct measured *m, char *columns[COLUMNS])
{
    uint64_t d[ALU_LANES], d2[ALU_LANES];
    const char *kinds[2] = {columns[3], columns[4]};
    struct alu_case c = {.body = columns[2], .lanes = 32};
    struct bl_error err = {BL_OK, ""};
    c.d = strcmp(kinds[0], "p") == 0 ? 32 : (uint32_t)atoi(kinds[0]);
    c.d2 = strcmp(kinds[1], "p") == 0 ? 32 : (uint32_t)atoi(kinds[1]);
    read_operands(m, columns[5], &c);
    if (strcmp(columns[1], "warp") == 0) {
        c.lanes = 32;
    }
    if (alu_try(&c, d, d2, &err) != BL_OK) {
        print_error("%s\n", err.text);
        return 1;
    }
    int differ = compare(&c, d, kinds[0], columns[7], columns[6]);
    return differ + (c.d2 ? compare(&c, d2, kinds[1], columns[8], columns[6]) : 0);
}

static void check_section(void **state, const char *section)
{
    struct measured *m = *state;
    char *copy = strdup(m->text), *save = NULL;
    int ops = 0, bad = 0;
    assert_non_null(copy);
    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char *columns[COLUMNS];
        if (strncmp(line, "op\t", 3) == 0 && columns_of(line, columns) >= 9 &&
            strcmp(columns[1], section) == 0) {
            ops++;
            bad += check(m, columns) != 0;
        }
    }
    free(copy);
    print_message("# %s: %d instructions\n", section, ops);
    assert_true(ops > 0);
    assert_int_equal(bad, 0);
}

#define SECTION(NAME)                                                                    \
    static void NAME##_as_measured(void **state)                                         \
    {                                                                                    \
        check_section(state, #NAME);                                                     \
    }
SECTION(int)
SECTION(bits)
SECTION(float)
SECTION(half)
SECTION(compare)
SECTION(convert)
SECTION(warp)

static int setup(void **state)
{
    const char *top = getenv("top_srcdir");
    struct measured *m = calloc(1, sizeof *m);
    char *path = bl_text_format("%s/t/alu/h200.txt", top ? top : "."), *copy = NULL;
    struct bl_error err = {BL_OK, ""};
    size_t length;
    if (!m || !path || bl_text_read_file(path, 1 << 24, &m->text, &length, &err)) {
        print_error("%s\n", err.text);
        return -1;
    }
    free(path);
    copy = strdup(m->text);
    for (char *line = copy, *next; line && *line; line = next) {
        char *columns[COLUMNS];
        next = strchr(line, '\n');
        if (next) {
            *next++ = 0;
        }
        if (strncmp(line, "in\t", 3) == 0 && columns_of(line, columns) == 5) {
            read_input(m, columns);
        }
    }
    free(copy);
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    struct measured *m = *state;
    if (m) {
        free(m->text);
        free(m);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(int_as_measured),  TEST(bits_as_measured),    TEST(float_as_measured),
        TEST(half_as_measured), TEST(compare_as_measured), TEST(convert_as_measured),
        TEST(warp_as_measured),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, setup, teardown);
}
