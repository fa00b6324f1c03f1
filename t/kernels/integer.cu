// SPDX-License-Identifier: Apache-2.0
// Whole numbers of 8 to 64 bits. Each kernel writes one row of n results an operation.
#include "banklab/device.h"

#define PUT(expression) out[k++ * n + i] = (expression);

/* Divisors of 0 and -1 are left out: C doesn't define all their quotients. */
#define PLAIN(name, type, bits)                                                          \
    extern "C" __global__ void name(type *out, const type *in, const type *in2, int n)   \
    {                                                                                    \
        int i = threadIdx.x, k = 0;                                                      \
        type a = in[i], b = in2[i], d = b == 0 || b == (type)-1 ? (type)7 : b;           \
        PUT(a + b)                                                                       \
        PUT(a - b)                                                                       \
        PUT(a *b)                                                                        \
        PUT(a / d)                                                                       \
        PUT(a % d)                                                                       \
        PUT(a &b)                                                                        \
        PUT(a | b)                                                                       \
        PUT(a ^ b)                                                                       \
        PUT(~a)                                                                          \
        PUT(-a)                                                                          \
        PUT(a << (b & (bits - 1)))                                                       \
        PUT(a >> (b & (bits - 1)))                                                       \
        PUT(a < b)                                                                       \
        PUT(a <= b)                                                                      \
        PUT(a == b)                                                                      \
        PUT(a > b ? a : b)                                                               \
        PUT(a > b ? b : a)                                                               \
        PUT(a < 1 ? -a : a)                                                              \
        PUT(a / 10)                                                                      \
        PUT(a % 1000 / 3)                                                                \
        PUT(a * 5 + b)                                                                   \
    }

PLAIN(plain_s8, signed char, 8)
PLAIN(plain_u8, unsigned char, 8)
PLAIN(plain_s16, short, 16)
PLAIN(plain_u16, unsigned short, 16)
PLAIN(plain_s32, int, 32)
PLAIN(plain_u32, unsigned int, 32)
PLAIN(plain_s64, long long, 64)
PLAIN(plain_u64, unsigned long long, 64)

/* One instruction, by name. */
#define ASM2(ptx, out_letter, letter2)                                                   \
    asm volatile(ptx " %0, %1, %2;" : "=" out_letter(r) : letter2(a), letter2(b));       \
    PUT(r)
#define ASM3(ptx, out_letter, letter2, letter3, c)                                       \
    asm volatile(ptx " %0, %1, %2, %3;"                                                  \
                 : "=" out_letter(r)                                                     \
                 : letter2(a), letter2(b), letter3(c));                                  \
    PUT(r)

extern "C" __global__ void multiply32(unsigned int *out, const unsigned int *in,
                                      const unsigned int *in2, int n)
{
    int i = threadIdx.x, k = 0;
    unsigned int a = in[i], b = in2[i], c = a ^ (b >> 3), r;
    ASM2("mul.hi.s32", "r", "r")
    ASM2("mul.hi.u32", "r", "r")
    ASM2("mul.lo.s32", "r", "r")
    ASM2("mul24.lo.s32", "r", "r")
    ASM2("mul24.hi.u32", "r", "r")
    ASM3("mad.lo.s32", "r", "r", "r", c)
    ASM3("mad.hi.s32", "r", "r", "r", c)
    ASM3("mad.hi.u32", "r", "r", "r", c)
    ASM3("sad.s32", "r", "r", "r", c)
    ASM3("sad.u32", "r", "r", "r", c)
    ASM2("add.sat.s32", "r", "r")
    ASM2("sub.sat.s32", "r", "r")
    ASM3("mad.hi.sat.s32", "r", "r", "r", c)
    ASM3("dp4a.s32.s32", "r", "r", "r", c)
    ASM3("dp4a.u32.u32", "r", "r", "r", c)
    ASM3("dp4a.s32.u32", "r", "r", "r", c)
    ASM3("dp2a.lo.s32.s32", "r", "r", "r", c)
    ASM3("dp2a.hi.u32.s32", "r", "r", "r", c)
    asm volatile("abs.s32 %0, %1;" : "=r"(r) : "r"(a));
    PUT(r)
}

extern "C" __global__ void multiply64(unsigned long long *out,
                                      const unsigned long long *in,
                                      const unsigned long long *in2, int n)
{
    int i = threadIdx.x, k = 0;
    unsigned long long a = in[i], b = in2[i], c = a ^ (b >> 7), r, low, high;
    unsigned int x = (unsigned int)a, y = (unsigned int)b;
    unsigned short s = (unsigned short)a, t = (unsigned short)b;
    unsigned int r32;
    ASM2("mul.hi.s64", "l", "l")
    ASM2("mul.hi.u64", "l", "l")
    ASM3("mad.lo.s64", "l", "l", "l", c)
    ASM3("mad.hi.u64", "l", "l", "l", c)
    asm volatile("mul.wide.s32 %0, %1, %2;" : "=l"(r) : "r"(x), "r"(y));
    PUT(r)
    asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(x), "r"(y));
    PUT(r)
    asm volatile("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(x), "r"(y), "l"(c));
    PUT(r)
    asm volatile("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(x), "r"(y), "l"(c));
    PUT(r)
    asm volatile("mul.wide.s16 %0, %1, %2;" : "=r"(r32) : "h"(s), "h"(t));
    PUT(r32)
    asm volatile("mad.wide.u16 %0, %1, %2, %3;" : "=r"(r32) : "h"(s), "h"(t), "r"(x));
    PUT(r32)
    /* 128 bits, in 32-bit pieces with a carry. */
    asm volatile("{ .reg .u32 a0, a1, b0, b1, c0, c1, r0, r1, r2, r3;"
                 " mov.b64 {a0, a1}, %2; mov.b64 {b0, b1}, %3; mov.b64 {c0, c1}, %4;"
                 " add.cc.u32 r0, a0, b0; addc.cc.u32 r1, a1, b1;"
                 " addc.cc.u32 r2, c0, a0; addc.u32 r3, c1, b1;"
                 " mov.b64 %0, {r0, r1}; mov.b64 %1, {r2, r3}; }"
                 : "=l"(low), "=l"(high)
                 : "l"(a), "l"(b), "l"(c));
    PUT(low)
    PUT(high)
    asm volatile("{ sub.cc.u64 %0, %2, %3; subc.u64 %1, %4, %2; }"
                 : "=&l"(low), "=&l"(high)
                 : "l"(a), "l"(b), "l"(c));
    PUT(low)
    PUT(high)
    asm volatile("{ mad.lo.cc.u64 %0, %2, %3, %4; madc.hi.u64 %1, %2, %3, 0; }"
                 : "=&l"(low), "=&l"(high)
                 : "l"(a), "l"(b), "l"(c));
    PUT(low)
    PUT(high)
}

extern "C" __global__ void bits32(unsigned int *out, const unsigned int *in,
                                  const unsigned int *in2, int n)
{
    int i = threadIdx.x, k = 0;
    unsigned int a = in[i], b = in2[i], at = b & 31, length = (b >> 5) & 31, r;
    PUT((unsigned int)__popc(a))
    PUT((unsigned int)__clz((int)(a >> at)))
    PUT(__brev(a))
    PUT((unsigned int)__ffs((int)(a << at)))
    asm volatile("bfind.u32 %0, %1;" : "=r"(r) : "r"(a >> at));
    PUT(r)
    asm volatile("bfind.s32 %0, %1;" : "=r"(r) : "r"((int)a >> at));
    PUT(r)
    asm volatile("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a >> at));
    PUT(r)
    asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(at), "r"(length));
    PUT(r)
    asm volatile("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(at), "r"(length));
    PUT(r)
    asm volatile("bfi.b32 %0, %1, %2, %3, %4;"
                 : "=r"(r)
                 : "r"(a), "r"(b), "r"(at), "r"(length));
    PUT(r)
    /* Shifts by more than a word has. */
    asm volatile("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
    PUT(r)
    asm volatile("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
    PUT(r)
    asm volatile("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
    PUT(r)
    ASM3("shf.l.wrap.b32", "r", "r", "r", b & 63)
    ASM3("shf.r.wrap.b32", "r", "r", "r", b & 63)
    ASM3("shf.l.clamp.b32", "r", "r", "r", b & 63)
    ASM3("shf.r.clamp.b32", "r", "r", "r", b & 63)
    ASM3("prmt.b32", "r", "r", "r", a ^ b)
    ASM3("prmt.b32.f4e", "r", "r", "r", b & 3)
    ASM3("prmt.b32.b4e", "r", "r", "r", b & 3)
    ASM3("prmt.b32.rc8", "r", "r", "r", b & 3)
    ASM3("prmt.b32.ecl", "r", "r", "r", b & 3)
    ASM3("prmt.b32.ecr", "r", "r", "r", b & 3)
    ASM3("prmt.b32.rc16", "r", "r", "r", b & 3)
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(a), "r"(b), "r"(a * b));
    PUT(r)
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x1D;" : "=r"(r) : "r"(a), "r"(b), "r"(a * b));
    PUT(r)
    asm volatile("cnot.b32 %0, %1;" : "=r"(r) : "r"(a & 1));
    PUT(r)
    asm volatile("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(b & 63), "r"(length));
    PUT(r)
    asm volatile("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
    PUT(r)
}

extern "C" __global__ void bits64(unsigned long long *out, const unsigned long long *in,
                                  const unsigned long long *in2, int n)
{
    int i = threadIdx.x, k = 0;
    unsigned long long a = in[i], b = in2[i], r;
    unsigned int at = b & 63, length = (b >> 6) & 63, r32;
    PUT((unsigned long long)__popcll(a))
    PUT((unsigned long long)__clzll((long long)(a >> at)))
    asm volatile("brev.b64 %0, %1;" : "=l"(r) : "l"(a));
    PUT(r)
    asm volatile("bfind.s64 %0, %1;" : "=r"(r32) : "l"((long long)a >> at));
    PUT(r32)
    asm volatile("bfe.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(at), "r"(length));
    PUT(r)
    asm volatile("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(at), "r"(length));
    PUT(r)
    asm volatile("bfi.b64 %0, %1, %2, %3, %4;"
                 : "=l"(r)
                 : "l"(a), "l"(b), "r"(at), "r"(length));
    PUT(r)
    asm volatile("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(at * 2));
    PUT(r)
    asm volatile("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(at * 2));
    PUT(r)
    asm volatile("{ .reg .b32 l, h; mov.b64 {l, h}, %1; mov.b64 %0, {h, l}; }"
                 : "=l"(r)
                 : "l"(a));
    PUT(r)
    asm volatile("{ .reg .b16 p, q, s, t; mov.b64 {p, q, s, t}, %1;"
                 " mov.b64 %0, {t, p, s, q}; }"
                 : "=l"(r)
                 : "l"(a));
    PUT(r)
}

/* From 64 bits to each narrower type and back. */
extern "C" __global__ void conversions(long long *out, const long long *in, int n)
{
    int i = threadIdx.x, k = 0;
    long long a = in[i], r;
    short h;
    unsigned short uh;
    int w;
    PUT((signed char)a)
    PUT((unsigned char)a)
    PUT((short)a)
    PUT((unsigned short)a)
    PUT((int)a)
    PUT((unsigned int)a)
    PUT((unsigned long long)(int)a >> 4)
    PUT((long long)((signed char)a * (short)(a >> 9)))
    asm volatile("cvt.sat.s16.s64 %0, %1;" : "=h"(h) : "l"(a));
    PUT(h)
    asm volatile("cvt.sat.u16.s64 %0, %1;" : "=h"(uh) : "l"(a));
    PUT(uh)
    asm volatile("cvt.sat.s32.s64 %0, %1;" : "=r"(w) : "l"(a));
    PUT(w)
    asm volatile("cvt.sat.u32.s64 %0, %1;" : "=r"(w) : "l"(a));
    PUT((unsigned int)w)
    asm volatile("cvt.sat.u8.s32 %0, %1;" : "=r"(w) : "r"((int)a));
    PUT(w)
    asm volatile("cvt.sat.s8.s32 %0, %1;" : "=r"(w) : "r"((int)a));
    PUT(w)
    asm volatile("cvt.sat.s64.u64 %0, %1;" : "=l"(r) : "l"(a));
    PUT(r)
}

extern "C" __global__ void select_and_set(int *out, const int *in, const int *in2, int n)
{
    int i = threadIdx.x, k = 0, a = in[i], b = in2[i], r;
    ASM3("slct.s32.s32", "r", "r", "r", a - b)
    asm volatile("set.lt.u32.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    PUT(r)
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0;"
                 " setp.lt.xor.s32 p|q, %1, %2, p; selp.s32 %0, 2, 0, p;"
                 " @q add.s32 %0, %0, 1; }"
                 : "=r"(r)
                 : "r"(a), "r"(b));
    PUT(r)
    asm volatile("{ .reg .pred p, q; setp.ls.u32 p, %1, %2; not.pred q, p;"
                 " and.pred p, p, q; or.pred q, p, q; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r)
                 : "r"(a), "r"(b));
    PUT(r)
}
