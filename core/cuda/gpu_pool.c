/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/gpu_pool.h"

#include <stdlib.h>
#include <string.h>

/* Inputs and outputs together are at least this many L2 caches. */
enum { L2_TIMES = 4, SET_ALIGNMENT = 256 };

/* Random input: zeros can move faster than real data. splitmix64, a word a step. */
static void fill_random(uint64_t *words, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        words[i] = z ^ (z >> 31);
    }
}

static enum bl_status fill(struct bl_gpu *gpu, struct bl_gpu_pool *pool, uint64_t seed,
                           struct bl_error *err)
{
    size_t words = (size_t)(pool->bytes / 8 + 1);
    uint64_t *host = malloc(words * 8);
    enum bl_status status;

    if (!host)
        return bl_error_nomem(err);
    fill_random(host, words, seed);
    status = bl_gpu_alloc(gpu, pool->sets * pool->stride, &pool->input, err);
    if (status == BL_OK)
        status = bl_gpu_alloc(gpu, pool->sets * pool->stride, &pool->output, err);
    for (uint32_t i = 0; status == BL_OK && i < pool->sets; i++)
        status =
            bl_gpu_upload(gpu, pool->input + i * pool->stride, host, pool->bytes, err);
    free(host);
    return status;
}

/* As many sets as a cold cache takes, or as there is room for. */
static enum bl_status choose_sets(struct bl_gpu *gpu, struct bl_gpu_pool *pool,
                                  struct bl_error *err)
{
    /* One set more than needed, so that what has had its turn is really out. */
    const uint64_t wanted =
        pool->warm ? 1 : L2_TIMES * gpu->l2_bytes / (2 * pool->bytes) + 2;
    size_t unused = 0, total = 0;
    enum bl_status status = BL_CUDA(&gpu->api, err, cuMemGetInfo, &unused, &total);
    uint64_t sets = wanted < BL_POOL_MOST_SETS ? wanted : BL_POOL_MOST_SETS;

    if (status != BL_OK)
        return status;
    /* Some is left for the kernels' own use. */
    if (sets > unused / 10 * 9 / (2 * pool->stride))
        sets = unused / 10 * 9 / (2 * pool->stride);
    if (sets == 0)
        return bl_error_set(err, BL_E_INPUT,
                            "timing needs %llu bytes of GPU memory for its buffers; %llu "
                            "are free, besides those of the other sizes",
                            (unsigned long long)(2 * pool->stride),
                            (unsigned long long)unused);
    pool->sets = (uint32_t)sets;
    return BL_OK;
}

enum bl_status bl_gpu_pool_get(struct bl_gpu *gpu, struct bl_gpu_pools *pools,
                               const struct bl_ask_timing *ask,
                               const struct bl_gpu_pool **out, struct bl_error *err)
{
    struct bl_gpu_pool *pool = &pools->at[pools->count];
    enum bl_status status;

    for (size_t i = 0; i < pools->count; i++)
        if (pools->at[i].bytes == ask->bytes && pools->at[i].warm == (ask->warm != 0)) {
            *out = &pools->at[i];
            return BL_OK;
        }
    if (pools->count == BL_POOLS_MOST)
        return bl_error_set(err, BL_E_INPUT,
                            "a profile may time at most %d problem sizes", BL_POOLS_MOST);
    memset(pool, 0, sizeof *pool);
    pool->bytes = ask->bytes;
    pool->stride = (ask->bytes + SET_ALIGNMENT - 1) / SET_ALIGNMENT * SET_ALIGNMENT;
    pool->warm = ask->warm != 0;
    status = choose_sets(gpu, pool, err);
    if (status == BL_OK)
        status = fill(gpu, pool, ask->seed, err);
    if (status != BL_OK) {
        bl_gpu_release(gpu, &pool->input, BL_OK, NULL);
        bl_gpu_release(gpu, &pool->output, BL_OK, NULL);
        return status;
    }
    pools->count++;
    *out = pool;
    return BL_OK;
}

enum bl_status bl_gpu_pools_clear(struct bl_gpu *gpu, struct bl_gpu_pools *pools,
                                  struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < pools->count; i++) {
        status = bl_gpu_release(gpu, &pools->at[i].input, status, err);
        status = bl_gpu_release(gpu, &pools->at[i].output, status, err);
    }
    pools->count = 0;
    return status;
}
