/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.c - the double's memory: blocks of the host's, under addresses of their own.
 */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

#include "model/program.h"

/* Between two blocks, so that what runs over the end of one is out of bounds. */
enum { GAP = 1 << 20, ALIGN = 512 };

/* Copies move this many bytes a microsecond, there and back. */
static const double bytes_a_us = 50000;

uint8_t *fake_at(CUdeviceptr address, uint64_t bytes)
{
    for (size_t i = 0; i < fake.block_count; i++) {
        const struct fake_block *block = &fake.blocks[i];
        if (address >= block->address && bytes <= block->bytes &&
            address - block->address <= block->bytes - bytes)
            return block->host + (address - block->address);
    }
    return NULL;
}

CUresult cuMemGetInfo(size_t *unused, size_t *total)
{
    FAKE_BEGIN(fake_enter_context, "cuMemGetInfo");
    *unused = fake.total - fake.used;
    *total = fake.total;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes)
{
    struct fake_block *more;
    uint8_t *host;

    FAKE_BEGIN(fake_enter_context, "cuMemAlloc");
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > fake.total - fake.used)
        return CUDA_ERROR_OUT_OF_MEMORY;
    more = realloc(fake.blocks, (fake.block_count + 1) * sizeof *more);
    host = aligned_alloc(ALIGN, (bytes + ALIGN - 1) / ALIGN * ALIGN);
    if (more)
        fake.blocks = more;
    if (!more || !host) {
        free(host);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memset(host, 0xa5, bytes);
    if (!fake.next_address)
        fake.next_address = bl_window_base(BL_WINDOW_SPANS) + GAP;
    more[fake.block_count++] =
        (struct fake_block){.address = fake.next_address, .bytes = bytes, .host = host};
    *out = fake.next_address;
    fake.next_address += (bytes + GAP - 1) / GAP * GAP + GAP;
    fake.used += bytes;
    fake_log("alloc %zu", bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr address)
{
    FAKE_BEGIN(fake_enter_context, "cuMemFree");
    fake_land();
    for (size_t i = 0; i < fake.block_count; i++) {
        struct fake_block *block = &fake.blocks[i];
        if (block->address != address)
            continue;
        fake.used -= block->bytes;
        free(block->host);
        memmove(block, block + 1, (fake.block_count - i - 1) * sizeof *block);
        if (--fake.block_count == 0) {
            free(fake.blocks);
            fake.blocks = NULL;
        }
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

void fake_memory_end(void)
{
    for (size_t i = 0; i < fake.block_count; i++)
        free(fake.blocks[i].host);
    free(fake.blocks);
}

/* ---- copies from the host ------------------------------------------------------- */

/* As on a GPU, the end of a copy may land after the call has returned, and after a kernel
 * of a stream that does not wait for it. */
enum { LATE_BYTES = 8192 };
static struct {
    uint8_t *at; /* NULL: nothing is on its way */
    uint8_t bytes[LATE_BYTES];
} late;

void fake_land(void)
{
    if (late.at)
        memcpy(late.at, late.bytes, LATE_BYTES);
    late.at = NULL;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    uint8_t *at = fake_at(to, bytes);

    FAKE_BEGIN(fake_enter_context, "cuMemcpyHtoD");
    if (!at)
        return CUDA_ERROR_INVALID_VALUE;
    fake_land();
    if (bytes >= LATE_BYTES) {
        bytes -= LATE_BYTES;
        late.at = at + bytes;
        memcpy(late.bytes, (const uint8_t *)from + bytes, LATE_BYTES);
    }
    memcpy(at, from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    const uint8_t *at = fake_at(from, bytes);

    FAKE_BEGIN(fake_enter_context, "cuMemcpyDtoH");
    if (!at)
        return CUDA_ERROR_INVALID_VALUE;
    fake_land();
    memcpy(to, at, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                           CUstream stream)
{
    uint8_t *at = fake_at(to, bytes);
    const uint8_t *source = fake_at(from, bytes);

    FAKE_BEGIN(fake_enter_context, "cuMemcpyDtoDAsync");
    if (!at || !source)
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream->capturing)
        memcpy(at, source, bytes);
    return fake_did(stream, NULL, 1 + (double)bytes / bytes_a_us);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes,
                         CUstream stream)
{
    uint8_t *at = fake_at(to, bytes);

    FAKE_BEGIN(fake_enter_context, "cuMemsetD8Async");
    if (!at)
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream->capturing)
        memset(at, value, bytes);
    return fake_did(stream, NULL, 1 + (double)bytes / bytes_a_us);
}

int fake_cuda_geam(CUstream stream, uint32_t elem, uint64_t rows, uint64_t cols,
                   CUdeviceptr in, CUdeviceptr out)
{
    const uint64_t bytes = rows * cols * elem;
    const uint8_t *from = fake_at(in, bytes);
    uint8_t *to = fake_at(out, bytes);

    if (!from || !to)
        return 7; /* CUBLAS_STATUS_INVALID_VALUE */
    for (uint64_t r = 0; r < rows && !stream->capturing; r++)
        for (uint64_t c = 0; c < cols; c++)
            memcpy(to + (c * rows + r) * elem, from + (r * cols + c) * elem, elem);
    return fake_did(stream, NULL, 2 + (double)bytes / bytes_a_us) == CUDA_SUCCESS ? 0
                                                                                  : 13;
}
