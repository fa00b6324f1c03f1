/* SPDX-License-Identifier: Apache-2.0
 *
 * Real PTX, cut short anywhere and changed at random (the same way each time): it
 * is read or refused, and never crashes. Under AddressSanitizer this says most.
 */
#include "ptx_test.h"

#include "model/cfg.h"

enum { MUTANTS = 2500 };

static uint64_t state_of_dice = 20250101;

static uint32_t dice(uint32_t below)
{
    state_of_dice = state_of_dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_dice >> 33) % below;
}

/* Reads a copy of just that size, so that reading beyond it shows; all branch targets
 * of what is good are followed. */
static bool is_good(const char *text, size_t length)
{
    char *copy = malloc(length + !length);
    struct bl_ptx_module *m = NULL;
    struct bl_error err = {BL_OK, ""};
    enum bl_status status;

    assert_non_null(copy);
    memcpy(copy, text, length);
    status = bl_ptx_read("m.ptx", copy, length, &m, &err);
    free(copy);
    if (status != BL_OK) {
        assert_int_equal(status, BL_E_INPUT);
        assert_memory_equal(err.text, "m.ptx:", 6);
        return false;
    }
    for (size_t f = 0; f < m->func_count; f++) {
        uint32_t *meet;
        if (!m->funcs[f]->is_extern) {
            assert_int_equal(bl_cfg_reconverge(m->funcs[f], &meet, &err), BL_OK);
            free(meet);
        }
    }
    bl_ptx_free(m);
    return true;
}

static void cut(const char *name, size_t step)
{
    size_t length, good_count = 0;
    char *text = test_file(name, &length);

    for (size_t i = 0; i < length; i += step) {
        good_count += is_good(text, i);
    }
    assert_in_range(good_count, 10, length); /* between functions, it can be */
    assert_true(is_good(text, length));
    free(text);
}

static void changed(const char *name)
{
    static const char signs[] = "{}[]()<>,;:.@!|%$_+-*/~=?0123456789\"\n \0\xff";
    size_t length, good_count = 0;
    char *text = test_file(name, &length), *mutant = malloc(length);

    assert_non_null(mutant);
    for (int i = 0; i < MUTANTS; i++) {
        memcpy(mutant, text, length);
        for (uint32_t n = dice(3) + 1; n > 0; n--) {
            uint32_t at = dice((uint32_t)length);
            uint32_t from = dice((uint32_t)length), count = dice(40);
            switch (dice(3)) {
            case 0: mutant[at] = (char)(mutant[at] ^ 1 << dice(8)); break;
            case 1: mutant[at] = signs[dice(sizeof signs - 1)]; break;
            default:
                if (at + count < length && from + count < length) {
                    memmove(mutant + at, text + from, count);
                }
                break;
            }
        }
        good_count += is_good(mutant, length);
    }
    assert_in_range(good_count, MUTANTS / 50, MUTANTS - MUTANTS / 50);
    free(mutant);
    free(text);
}

static void cut_short(void **state)
{
    (void)state;
    cut("nvcc.ptx", 1);
    cut("clang.ptx", 5);
}

static void changed_bytes(void **state)
{
    (void)state;
    changed("nvcc.ptx");
    changed("clang.ptx");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {TEST(cut_short), TEST(changed_bytes)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
