// SPDX-License-Identifier: Apache-2.0
//
// Cooperative groups: a block's and a tile's sync and shuffles. Only the toolkit has
// them.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void transpose(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[32][33];
    cg::thread_block block = cg::this_thread_block();
    const dim3 me = block.thread_index(), at = block.group_index();
    int col = at.x * 32 + me.x, row = at.y * 32 + me.y;

    if (col < cols && row < rows)
        tile[me.y][me.x] = in[row * cols + col];
    block.sync();
    col = at.y * 32 + me.x;
    row = at.x * 32 + me.y;
    if (col < rows && row < cols)
        out[row * rows + col] = tile[me.x][me.y];
}

// Each warp turns itself round and back again by shuffles.
__global__ void warps(int *out, const int *in, int count)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < count ? in[i] : 0;

    value = warp.shfl_xor(value, 31);
    warp.sync();
    value = warp.shfl(value, 31 - warp.thread_rank());
    if (i < count)
        out[i] = value;
}

// A whole block's sum does not fit a copy; that it is 0 for zeros does.
__global__ void reduce(int *out, const int *in, int count)
{
    __shared__ int sum;
    auto block = cg::this_thread_block();
    auto quarter = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < count ? in[i] : 0, all = value;

    if (block.thread_rank() == 0)
        sum = 0;
    block.sync();
    for (int step = quarter.size() / 2; step > 0; step /= 2)
        all += quarter.shfl_down(all, step);
    if (quarter.thread_rank() == 0)
        atomicAdd(&sum, all);
    cg::sync(block);
    if (i < count)
        out[i] = value + (sum - sum);
}
