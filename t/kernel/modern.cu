// SPDX-License-Identifier: Apache-2.0
//
// Kernels as people have them: what C++ offers, parameters of all types, memory of all
// kinds. Each copies or transposes its input, so that its kind can check it.
#include <cuda_runtime.h>

#ifndef PITCH
#define PITCH 33
#endif

// Plain C names, size_t and unsigned.
extern "C" __global__ void plain(unsigned *out, const unsigned *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

// A walk over the grid, long long counts, and a static function.
static __device__ long long stride_of_grid()
{
    return (long long)gridDim.x * blockDim.x;
}
__global__ void walk(float *out, const float *in, long long count)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += stride_of_grid())
        out[i] = in[i];
}

// Lambdas, auto, references, range-for, constexpr functions, and a class with operators.
namespace lab
{
constexpr int rows_of(int threads, int side)
{
    return threads / side;
}

template <typename T> class matrix
{
  public:
    __device__ matrix(T *at, int rows, int cols) : at_(at), rows_(rows), cols_(cols)
    {
    }
    __device__ T &operator()(int row, int col)
    {
        return at_[row * cols_ + col];
    }
    __device__ bool has(int row, int col) const
    {
        return row < rows_ && col < cols_;
    }

  private:
    T *at_;
    int rows_, cols_;
};

template <typename T, int SIDE>
__global__ void transpose(T *out, T *in, int rows, int cols)
{
    __shared__ T tile[SIDE][SIDE + 1];
    constexpr int step = rows_of(256, SIDE);
    matrix<T> from(in, rows, cols), to(out, cols, rows);
    auto each = [&](auto &&move) {
        for (int i = 0; i < SIDE; i += step)
            move(threadIdx.y + i, threadIdx.x);
    };

    each([&](int y, int x) {
        const int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
        if (from.has(row, col))
            tile[y][x] = from(row, col);
    });
    __syncthreads();
    each([&](int y, int x) {
        const int row = blockIdx.x * SIDE + y, col = blockIdx.y * SIDE + x;
        if (to.has(row, col))
            to(row, col) = tile[x][y];
    });
}
template __global__ void transpose<float, 32>(float *, float *, int, int);
template __global__ void transpose<float, 16>(float *, float *, int, int);
template __global__ void transpose<unsigned char, 32>(unsigned char *, unsigned char *,
                                                      int, int);
} // namespace lab

// Dynamic shared memory, its pitch from outside.
__global__ void dynamic(float *out, const float *in, int rows, int cols)
{
    extern __shared__ float tile[];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;

    if (col < cols && row < rows)
        tile[threadIdx.y * PITCH + threadIdx.x] = in[row * cols + col];
    __syncthreads();
    col = blockIdx.y * 32 + threadIdx.x;
    row = blockIdx.x * 32 + threadIdx.y;
    if (col < rows && row < cols)
        out[row * rows + col] = tile[threadIdx.x * PITCH + threadIdx.y];
}

// Two launches over a buffer between them.
__global__ void stage(float *to, const float *from, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}

// Arithmetic with a float and a double: out = in * a + b.
__global__ void scale(float *out, const float *in, int count, float a, double b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i] * a + (float)b;
}

// What a launch can't be given.
struct pair {
    int rows, cols;
};
__global__ void by_value(float *out, const float *in, pair shape)
{
    out[0] = in[shape.rows];
}
__global__ void with_bool(float *out, const float *in, bool yes)
{
    if (yes)
        out[0] = in[0];
}

#ifdef ELEMENT
// One whose type the command line says.
__global__ void typed(ELEMENT *out, const ELEMENT *in, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}
#endif
