/* SPDX-License-Identifier: Apache-2.0
 *
 * banklab/bulk.h - bulk copies and the barriers that they report to, for kernel files:
 * compute capability 9.0, PTX ISA 8.0.
 *
 *     bl_tensor_map          a matrix or a batch and its box, as a kernel's parameter
 *     BL_TENSOR_MAP(a, k, n) declares a, its address: that of parameter n (from 0) of the
 *                            extern "C" kernel k, given in that kernel itself
 *     bl_mbarrier_*          a barrier object in shared memory, 8 bytes
 *     bl_bulk_load bl_bulk_store  copies of a tensor's box, into and out of shared memory
 *     bl_bulk_commit bl_bulk_wait_read bl_bulk_wait  groups of copies out of it
 *     bl_bulk_fence          between ordinary stores and bulk copies that read them
 *
 * Addresses within shared memory are 32 bits, of bl_shared_address. It is all assembly
 * text, so that a compiler need not know the target, whose name the build puts in: a
 * plugin's Makefile.inc says `plugins/NAME/NAME.ptx: ptx_target = 90`.
 */
#ifndef BANKLAB_BULK_H
#define BANKLAB_BULK_H

#include "banklab/device.h"

/* Opaque: 128 bytes, made by the lab of the plan's struct banklab_tensor. */
struct __align__(64) bl_tensor_map
{
    bl_u64 opaque[16];
};

/* By the parameter's name in PTX, since clang before 20 has no __grid_constant__ and
 * would copy the parameter to where no bulk copy can read it. */
#define BL_TENSOR_MAP(address, kernel, n)                                                \
    bl_u64 address;                                                                      \
    asm("{ .reg .u64 at; mov.u64 at, " #kernel "_param_" #n "; cvta.param.u64 %0, at; }" \
        : "=l"(address))

/* ---- barrier objects ------------------------------------------------------------- */

/* For `arrivals` a phase. By one thread; then a barrier of the block before others use
 * it. */
BL_INLINE void bl_mbarrier_init(unsigned int object, unsigned int arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;\n\t"
                 "fence.mbarrier_init.release.cluster;"
                 :
                 : "r"(object), "r"(arrivals)
                 : "memory");
}

/* Arrives, and tells of `bytes` that copies will bring in this phase. */
BL_INLINE void bl_mbarrier_expect(unsigned int object, unsigned int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 :
                 : "r"(object), "r"(bytes)
                 : "memory");
}

BL_INLINE void bl_mbarrier_arrive(unsigned int object)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" : : "r"(object) : "memory");
}

/* Waits for the phase to be complete that has this parity: 0 for the first, then 1, 0. */
BL_INLINE void bl_mbarrier_wait(unsigned int object, unsigned int parity)
{
    unsigned int done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(object), "r"(parity)
                     : "memory");
    } while (!done);
}

/* ---- copies, each by one thread ---------------------------------------------------- */

/* The box whose first element is (x, y) of the matrix, to `to`: a multiple of 128, and of
 * eight times the swizzle. Reports the bytes of the whole box to `object`. */
BL_INLINE void bl_bulk_load(unsigned int to, bl_u64 map, int x, int y,
                            unsigned int object)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :
                 : "r"(to), "l"(map), "r"(x), "r"(y), "r"(object)
                 : "memory");
}

/* Of matrix z, if the tensor has several. */
BL_INLINE void bl_bulk_load(unsigned int to, bl_u64 map, int x, int y, int z,
                            unsigned int object)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                 :
                 : "r"(to), "l"(map), "r"(x), "r"(y), "r"(z), "r"(object)
                 : "memory");
}

BL_INLINE void bl_bulk_store(bl_u64 map, int x, int y, unsigned int from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
                 " [%0, {%1, %2}], [%3];"
                 :
                 : "l"(map), "r"(x), "r"(y), "r"(from)
                 : "memory");
}

BL_INLINE void bl_bulk_store(bl_u64 map, int x, int y, int z, unsigned int from)
{
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group"
                 " [%0, {%1, %2, %3}], [%4];"
                 :
                 : "l"(map), "r"(x), "r"(y), "r"(z), "r"(from)
                 : "memory");
}

BL_INLINE void bl_bulk_commit()
{
    asm volatile("cp.async.bulk.commit_group;" : : : "memory");
}

/* Until at most `groups` of this thread's groups have yet to read shared memory. */
template <int groups> BL_INLINE void bl_bulk_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(groups) : "memory");
}

/* Until at most `groups` of them are not complete. */
template <int groups> BL_INLINE void bl_bulk_wait()
{
    asm volatile("cp.async.bulk.wait_group %0;" : : "n"(groups) : "memory");
}

/* By every thread that stored, before the barrier behind which one starts the copy. */
BL_INLINE void bl_bulk_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

#endif /* BANKLAB_BULK_H */
