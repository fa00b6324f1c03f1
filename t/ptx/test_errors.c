/* SPDX-License-Identifier: Apache-2.0
 *
 * Malformed PTX: each is refused with the line and what is wrong.
 */
#include "ptx_test.h"

#define BODY HEAD ".entry k(.param .u64 p0) {\n.reg .pred %p<3>;\n.reg .b32 %r<3>;\n"

static const struct {
    const char *text;
    const char *error; /* after "m.ptx:" */
} cases[] = {
    /* The module. */
    {"", "1: no .version here"},
    {".version 7.5\n", "1: no .target here"},
    {".version 7.5\n.target sm_75\n", "1: no .address_size here"},
    {"\n.target sm_75\n", "2: '.target' found where .version should be"},
    {"hello", "1: 'hello' found where a directive"},
    {".version x", "1: 'x' found where a version"},
    {".version 7.5 .target tesla", "1: the target 'tesla' is none"},
    {".version 7.5 .target sm_75 .address_size 32", "1: addresses of 32 bits"},
    {HEAD ".reg .b32 r;", "4: the directive '.reg' has no place in a module"},
    {HEAD ".frobnicate", "4: the directive '.frobnicate' has no place"},
    {HEAD ".file 65536 \"a\"", "4: '65536' is too large for the file's number"},
    {HEAD ".file 1 a", "4: 'a' found where the file's name in quotes"},
    {HEAD ".section .debug {\n{ }", "4: '{' is not closed: '}' is missing"},
    {HEAD ".alias f, g;", "4: 'f' is no function"},
    /* Tokens. */
    {HEAD "/* x\n\n", "4: this comment is not closed"},
    {HEAD ".file 1 \"a\n\"", "4: this string is not closed"},
    {HEAD "\x01", "4: the byte 0x01 has no place in PTX"},
    {HEAD ".global .b32 a[0x];", "4: the number '0x' has no digits"},
    {HEAD ".global .b32 a[0b12];", "4: the number '0b12' has a digit or letter too many"},
    {HEAD ".global .b32 a[09];", "4: the number '09' has a digit or letter too many"},
    {HEAD ".global .b64 a = 18446744073709551616;",
     "4: the number '18446744073709551616' is too large: 64 bits at most"},
    {HEAD ".global .f32 a = 0f3F80000;", "4: the number '0f3F80000' needs 8 hexadecimal"},
    {HEAD ".global .f64 a = 0d3;", "4: the number '0d3' needs 16 hexadecimal"},
    {HEAD ".global .f64 a = 1e999;", "4: the number '1e999' is no decimal number in"},
    /* Variables. */
    {HEAD ".global a;", "4: 'a' found where a type such as .b32"},
    {HEAD ".global .pred a;", "4: a predicate can only be a single register"},
    {HEAD ".global .b32 .b64 a;", "4: '.b64' can't be part of this declaration"},
    {HEAD ".global .align 3 .b32 a;", "4: an alignment of 3: only powers of two"},
    {HEAD ".global .b32 a;\n.global .b32 a;", "5: 'a' is declared twice: line 4 has it"},
    {HEAD ".global .b32 a[];", "4: the size of 'a' is missing"},
    {HEAD ".global .b32 a[2][];", "4: only an array's first dimension"},
    {HEAD ".global .b32 a[1.5];", "4: an array needs a whole number"},
    {HEAD ".global .b32 a[-1];", "4: an array needs a whole number"},
    {HEAD ".global .b32 a[1099511627776];", "4: a variable of more than 2^40 bytes"},
    {HEAD ".global .b8 a[1048576][1048577];", "4: a variable of more than 2^40 bytes"},
    {HEAD ".global .b8 a[2][2][2][2][2][2][2];", "4: an array of more than 6 dimensions"},
    {HEAD ".global .b8 a[1<<30] = {1};", "4: initialised variables of more than 256 MiB"},
    {HEAD ".shared .b32 a = 1;", "4: only .global and .const variables"},
    {HEAD ".global .b32 a[2] = {1, 2, 3};", "4: more initial values than 'a'"},
    {HEAD ".global .b32 a[2][2] = {{1, 2, 3}};", "4: more initial values than 'a'"},
    {HEAD ".global .b32 a[2] = 1;", "4: '1' found where '{'"},
    {HEAD ".global .b32 a[2] = {{1}};", "4: more braces inside each other"},
    {HEAD ".global .b32 a[2][2] = {1, {2}};", "4: a brace that begins within a row"},
    {HEAD ".global .b32 a = 1.5;", "4: a float can't be the initial value of a .b32"},
    {HEAD ".global .b64 a = nobody;", "4: 'nobody' is no variable or function"},
    {HEAD ".global .b32 b;\n.global .b32 a = b;", "5: an address needs an element of 8"},
    {HEAD ".global .b32 b;\n.global .b8 a[8] = {0xFF00(b)};",
     "5: the 8 bytes of an addr"},
    {HEAD ".global .b32 b;\n.global .b8 a[8] = {0xFF(b)};",
     "5: the last address of these"},
    {HEAD ".global .b32 b;\n.global .b8 a[8] = {0xFF0(b)};", "5: a mask takes one byte"},
    {HEAD ".global .b32 a = 1/0;", "4: division by zero"},
    {HEAD ".global .b32 a = 1+0f3F800000;", "4: operators between numbers work on whole"},
    {HEAD ".global .b32 a = ~1.5;", "4: a float can't follow '~'"},
    {HEAD ".global .b32 a = 2", "4: the end of the text found where ';'"},
    /* Heads of functions. */
    {HEAD ".entry", "4: the end of the text found where the function's name"},
    {HEAD ".entry k(.reg .b32 a) {}",
     "4: '.reg' found where a parameter in space .param"},
    {HEAD ".entry k(.param .b32 a, .param .b32 a) {}", "4: 'a' is declared twice"},
    {HEAD ".entry k() .fast {}", "4: the directive '.fast' has no place at the head"},
    {HEAD ".entry k() {ret;}\n.entry k() {ret;}", "5: 'k' has two bodies"},
    {HEAD ".entry k() ;\n.func k() {ret;}", "5: 'k' was declared as .entry on line 4"},
    {HEAD ".func f(.param .b32 a);\n.func f() {}",
     "5: 'f' was declared with other param"},
    {HEAD ".global .b32 f;\n.func f() {}", "5: 'f' is declared twice: line 4"},
    {HEAD ".func (.param .b32 f) f() {}", "4: 'f' is declared twice"},
    {HEAD ".extern .func f() {}", "4: 'f' is .extern and can't have a body"},
    {HEAD ".entry k() foo", "4: 'foo' found where the function's body or ';'"},
    /* Bodies. */
    {BODY "foo;\n", "4: this block is not closed"},
    {BODY "{ foo;\n}\n", "4: this block is not closed"},
    {BODY "foo %r1", "7: the end of the text found where ';'"},
    {BODY "foo", "7: the end of the text found where a number"},
    {BODY "foo %r9;", "7: the register '%r9' is not declared"},
    {BODY "foo %r01;", "7: the register '%r01' is not declared"},
    {BODY "foo %tid.w;", "7: the register '%tid' is not declared"},
    {BODY "foo bar;", "7: 'bar' is not declared here"},
    {BODY "{ .reg .b32 x; }\nfoo x;", "8: 'x' is not declared here"},
    {BODY ".reg .b32 %r1;", "7: '%r1' is declared twice: line 6"},
    {BODY ".reg .b32 %r<9>;", "7: '%r' is declared twice: line 6"},
    {BODY ".reg .v2 .b32 v<9>;", "7: vector registers can't be numbered"},
    {BODY ".reg .v2 .b32 v; foo v.z;", "7: '.z' found where an element of the vector"},
    {BODY "bra L;}", "7: there is no label 'L' in this function"},
    {BODY "L: foo;\nL: foo;", "8: 'L' is declared twice: line 7"},
    {BODY "bra %r1; foo %r1;}", "7: '%r1' (line 6) is no label"},
    {BODY ".reg .b32 x; bra x;}", "7: 'x' (line 7) is no label"},
    {BODY "{ L: }\nbra L;}", "8: there is no label 'L'"},
    {BODY "bra 5;", "7: '5' found where a label"},
    {BODY "L: foo L;", "7: the label 'L' can't be an operand"},
    {BODY "@%r1 foo;", "7: '%r1' is no predicate"},
    {BODY "@%p9 foo;", "7: '%p9' is no predicate"},
    {BODY "@%p1", "7: the end of the text found where an instruction"},
    {BODY "foo [%r1;", "7: ';' found where ']'"},
    {BODY "foo [k];", "7: an address is a register, a variable or a number"},
    {BODY "foo [!%p1];", "7: an address is a register, a variable or a number"},
    {BODY "foo [%r1+1.5];", "7: an address takes a whole number"},
    {BODY "foo {%r1, %r2;", "7: ';' found where '}'"},
    {BODY "foo %r1|5;", "7: only a register or _ can follow '|'"},
    {BODY "foo !p0;", "7: only a predicate can follow '!'"},
    {BODY "foo %r1 %r2;", "7: '%r2' found where ';'"},
    {BODY "foo %r1.b0;", "7: '.b0' found where ';'"},
    {BODY "foo %r1,;", "7: ';' found where a number"},
    {BODY "call 5;", "7: a call needs a function or a register"},
    {BODY "call %r1, (%r1), %r2;", "7: an indirect call ends with the name of"},
    {BODY "T: .branchtargets X;\nbrx.idx %r1, T;}", "7: there is no label 'X'"},
    {BODY "T: .calltargets p0;", "7: 'p0' is no function"},
    {BODY ".loc 1 2", "7: the end of the text found where the column"},
    {BODY ".entry l() {}", "7: the directive '.entry' has no place in a function's body"},
    {BODY "))", "7: ')' found where an instruction, a directive or a label"},
};

static void refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bl_ptx_module *m = NULL;
        struct bl_error err = {BL_OK, ""};
        enum bl_status status =
            bl_ptx_read("m.ptx", cases[i].text, strlen(cases[i].text), &m, &err);
        char want[200];

        snprintf(want, sizeof want, "m.ptx:%s", cases[i].error);
        if (status != BL_E_INPUT || m || strncmp(err.text, want, strlen(want)) != 0) {
            fail_msg("case %zu: status %d, \"%s\" instead of \"%s\"", i, (int)status,
                     err.text, want);
        }
    }
}

static char *repeat(const char *before, const char *what, size_t times, const char *after)
{
    size_t a = strlen(before), b = strlen(what), c = strlen(after);
    char *text = malloc(a + b * times + c + 1);

    assert_non_null(text);
    memcpy(text, before, a);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + a + b * i, what, b);
    }
    memcpy(text + a + b * times, after, c + 1);
    return text;
}

/* None of these may recurse without bound, or take long. */
static void deep_and_long(void **state)
{
    static const struct {
        const char *before, *what, *after;
        bool is_good;
    } texts[] = {
        {BODY "mov.b32 %r1, ", "(", ";}", false},
        {BODY "mov.b32 %r1, ", "-", "1;}", false},
        {BODY "mov.b32 %r1, 1", "?1:1", ";}", false},
        {BODY "mov.b32 %r1, 1", "+1", ";}", true},
        {BODY, "{", "}", false},
        {BODY, "{}", "}", true},
        {BODY, "bra L; ", "L: ret; }", true},
        {BODY, "{bra L;} ", "L: ret; }", true},
        {BODY "foo ", "%r1,", "%r2;}", true},
        {BODY "foo", ".b32", ";}", true},
        {BODY "foo %r", "1", ";}", false},
        {HEAD ".global .b8 a[] = {1", ",1", "};", true},
        {HEAD ".global .b8 a[400000] = {{1}", ",{1}", "};", false},
        {HEAD ".section .x ", "{", "", false},
        {HEAD ".global .b32 a", "[1]", ";", false},
        {HEAD, ".func f();\n", "", true},
        {HEAD ".global .b32 x", "a$_9", ";", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = repeat(texts[i].before, texts[i].what, 150000, texts[i].after);
        struct bl_ptx_module *m = NULL;
        struct bl_error err = {BL_OK, ""};
        enum bl_status status = bl_ptx_read("m.ptx", text, strlen(text), &m, &err);

        if (status != (texts[i].is_good ? BL_OK : BL_E_INPUT)) {
            fail_msg("text %zu: status %d %s", i, (int)status, err.text);
        }
        bl_ptx_free(m);
        free(text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {TEST(refuses), TEST(deep_and_long)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
