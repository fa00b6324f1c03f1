/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that runs out at any moment while a kernel is decoded and run: BL_E_NOMEM,
 * nothing leaked. The linker puts the functions here before the C library's.
 */
#include "machine_test.h"

static long left = -1; /* allocations that still succeed; -1: all do */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static bool fails(void)
{
    if (left > 0)
        left--;
    else
        return left == 0;
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

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(align, size);
}

static enum bl_status run_all(const char *text, const char *kernel, uint8_t *buffer)
{
    struct machine m = {.program = NULL};
    struct bl_model_profile profile = {.count = 0};
    enum bl_status status =
        bl_program_new("m.ptx", text, strlen(text), &m.program, &m.err);
    m.spans[0] = (struct bl_span){.name = "output", .payload = buffer, .bytes = BUFFER};
    m.spans[1] = (struct bl_span){.name = "input", .payload = buffer, .bytes = BUFFER};
    if (status == BL_OK)
        status = bl_memory_map(m.program, m.spans, 2, &m.memory, &m.err);
    if (status == BL_OK)
        status = machine_try(&m, (struct run){.kernel = kernel, .profile = &profile});
    if (status == BL_OK)
        bl_model_profile_free(&profile);
    assert_int_equal(m.err.status, status);
    bl_memory_unmap(m.memory);
    bl_program_free(m.program);
    return status;
}

static void runs_out(const char *file, const char *kernel)
{
    size_t length;
    char *text = machine_text(file, &length);
    uint8_t *buffer = aligned_alloc(256, BUFFER);
    enum bl_status status = BL_E_NOMEM;
    long n;
    assert_non_null(buffer);
    memset(buffer, 0, BUFFER);
    for (n = 0; status != BL_OK; n++) {
        left = n;
        status = run_all(text, kernel, buffer);
        left = -1;
        assert_true(status == BL_OK || status == BL_E_NOMEM);
    }
    assert_in_range(n, 30, 100000);
    free(buffer);
    free(text);
}

static void calls(void **state)
{
    (void)state;
    runs_out("calls.ptx", "recursive");
    runs_out("calls.ptx", "indirect");
}

static void flow(void **state)
{
    (void)state;
    runs_out("flow.ptx", "table");
}

static void memory(void **state)
{
    (void)state;
    runs_out("memory.ptx", "locals");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(calls), TEST(flow), TEST(memory)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
