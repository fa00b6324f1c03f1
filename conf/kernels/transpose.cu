// SPDX-License-Identifier: Apache-2.0
//
// Four transposes as one meets them in tutorials, and a template. Nothing here knows of
// the lab: transpose.ini tells it how to launch them.

constexpr int SIDE = 32; // of a tile, in elements
constexpr int ROWS = 8;  // of a block of threads: each thread moves SIDE / ROWS elements

// Straight from one matrix to the other: reads along rows, writes down columns.
__global__ void naive(float *__restrict__ out, const float *__restrict__ in, int width,
                      int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

// By way of a tile in shared memory, so that both matrices are touched along rows.
// Reading the tile down its columns meets one bank 32 times.
__global__ void tiled(float *__restrict__ out, const float *__restrict__ in, int width,
                      int height)
{
    __shared__ float tile[SIDE][SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;

    for (int i = 0; i < SIDE; i += ROWS)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int i = 0; i < SIDE; i += ROWS)
        if (x < height && y + i < width)
            out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

// The same with a column that is never used: now a column lies in 32 banks.
__global__ void padded(float *__restrict__ out, const float *__restrict__ in, int width,
                       int height)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;

    for (int i = 0; i < SIDE; i += ROWS)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int i = 0; i < SIDE; i += ROWS)
        if (x < height && y + i < width)
            out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

// And with the blocks in diagonal order, which kept old GPUs from meeting at one part of
// their memory. The matrix must be made of whole tiles.
__global__ void diagonal(float *out, const float *in, int width, int height)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int block = blockIdx.x + gridDim.x * blockIdx.y;
    int row = block % gridDim.y;
    int column = (block / gridDim.y + row) % gridDim.x;
    int from = (row * SIDE + threadIdx.y) * width + column * SIDE + threadIdx.x;
    int to = (column * SIDE + threadIdx.y) * height + row * SIDE + threadIdx.x;

    for (int i = 0; i < SIDE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
    __syncthreads();
    for (int i = 0; i < SIDE; i += ROWS)
        out[to + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

// For any element, tile and pad; the kernels that there shall be are named below.
template <typename T, unsigned TILE, unsigned PAD>
__global__ void any(T *out, const T *in, unsigned width, unsigned height)
{
    __shared__ T tile[TILE][TILE + PAD];
    unsigned x = blockIdx.x * TILE + threadIdx.x;
    unsigned y = blockIdx.y * TILE + threadIdx.y;

    for (unsigned i = 0; i < TILE; i += blockDim.y)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (unsigned i = 0; i < TILE; i += blockDim.y)
        if (x < height && y + i < width)
            out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

template __global__ void any<float, 16, 0>(float *, const float *, unsigned, unsigned);
template __global__ void any<float, 16, 1>(float *, const float *, unsigned, unsigned);
template __global__ void any<float, 32, 0>(float *, const float *, unsigned, unsigned);
template __global__ void any<float, 32, 1>(float *, const float *, unsigned, unsigned);
template __global__ void any<double, 32, 0>(double *, const double *, unsigned, unsigned);
template __global__ void any<double, 32, 1>(double *, const double *, unsigned, unsigned);
