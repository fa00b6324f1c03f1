/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that runs out at any moment while a module is read or its branches are
 * followed: BL_E_NOMEM, nothing leaked. The linker puts the functions here before the
 * C library's.
 */
#include "ptx_test.h"

#include "model/cfg.h"

static long left = -1; /* allocations that still succeed; -1: all do */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool fails(void)
{
    if (left < 0) {
        return false;
    }
    if (left == 0) {
        return true;
    }
    left--;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

static enum bl_status read_and_follow(const char *text, size_t length)
{
    struct bl_ptx_module *m = NULL;
    struct bl_error err = {BL_OK, ""};
    enum bl_status status = bl_ptx_read("m.ptx", text, length, &m, &err);

    for (size_t f = 0; status == BL_OK && f < m->func_count; f++) {
        uint32_t *meet = NULL;
        status =
            m->funcs[f]->is_extern ? BL_OK : bl_cfg_reconverge(m->funcs[f], &meet, &err);
        free(meet);
    }
    bl_ptx_free(m);
    return status;
}

static void runs_out(void **state)
{
    size_t length;
    char *text = test_file("nvcc.ptx", &length);
    long n = 0;

    (void)state;
    for (;; n++) {
        enum bl_status status;
        left = n;
        status = read_and_follow(text, length);
        left = -1;
        if (status == BL_OK) {
            break;
        }
        assert_int_equal(status, BL_E_NOMEM);
        assert_in_range(n, 0, 100000);
    }
    assert_in_range(n, 20, 100000); /* it was put to the test */
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {TEST(runs_out)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
