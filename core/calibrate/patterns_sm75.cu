/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns_sm75.cu - loads and stores of shared and global memory, shared atomics,
 * ldmatrix.
 */
#include "patterns.cuh"

/* ---- loads and stores of shared memory -------------------------------------------- */

#define SHARED(bytes, type)                                                              \
    struct shared_load_##bytes : Operation {                                             \
        static const bool READS_SHARED = true, YIELDS = true;                            \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned)          \
        {                                                                                \
            return bl_fold(bl_shared_load<type>(near));                                  \
        }                                                                                \
    };                                                                                   \
    struct shared_store_##bytes : Operation {                                            \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned value)    \
        {                                                                                \
            bl_shared_store<type>(near, wide<type>(value));                              \
            return 0;                                                                    \
        }                                                                                \
    };                                                                                   \
    OPERATION(shared_load_##bytes)                                                       \
    OPERATION(shared_store_##bytes)

/* ---- loads and stores of global memory -------------------------------------------- */

#define GLOBAL(bytes, type)                                                              \
    struct global_load_##bytes : Operation {                                             \
        static const bool YIELDS = true;                                                 \
        static BL_INLINE unsigned run(unsigned, unsigned char *far, unsigned)            \
        {                                                                                \
            return bl_fold(global_load((const type *)far));                              \
        }                                                                                \
    };                                                                                   \
    struct global_store_##bytes : Operation {                                            \
        static BL_INLINE unsigned run(unsigned, unsigned char *far, unsigned value)      \
        {                                                                                \
            global_store((type *)far, wide<type>(value));                                \
            return 0;                                                                    \
        }                                                                                \
    };                                                                                   \
    OPERATION(global_load_##bytes)                                                       \
    OPERATION(global_store_##bytes)

template <class T> static BL_INLINE T wide(unsigned value)
{
    return (T)value;
}
template <> BL_INLINE bl_u128 wide(unsigned value)
{
    return make_uint4(value, value, value, value);
}

#define GLOBAL_ACCESS(type, held, ptx, letter)                                           \
    static BL_INLINE type global_load(const type *at)                                    \
    {                                                                                    \
        held value;                                                                      \
        asm volatile("ld.global." ptx " %0, [%1];"                                       \
                     : "=" letter(value)                                                 \
                     : "l"(at)                                                           \
                     : "memory");                                                        \
        return (type)value;                                                              \
    }                                                                                    \
    static BL_INLINE void global_store(type *at, type value)                             \
    {                                                                                    \
        asm volatile("st.global." ptx " [%0], %1;"                                       \
                     :                                                                   \
                     : "l"(at), letter((held)value)                                      \
                     : "memory");                                                        \
    }
GLOBAL_ACCESS(bl_u8, unsigned int, "u8", "r")
GLOBAL_ACCESS(bl_u16, unsigned int, "u16", "r")
GLOBAL_ACCESS(bl_u32, unsigned int, "u32", "r")
GLOBAL_ACCESS(bl_u64, unsigned long long, "u64", "l")
static BL_INLINE bl_u128 global_load(const bl_u128 *at)
{
    unsigned x, y, z, w;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(at)
                 : "memory");
    return make_uint4(x, y, z, w);
}
static BL_INLINE void global_store(bl_u128 *at, bl_u128 value)
{
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(at), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
                 : "memory");
}

#define BOTH(bytes, type) SHARED(bytes, type) GLOBAL(bytes, type)
BL_FOR_ELEMS(BOTH)

/* ---- atomics of shared memory -------------------------------------------------------
 */

/* atom.shared: `text` is the operation's name and type; the old value is used. */
#define ATOMIC(name, text, type, letter)                                                 \
    struct name : Operation {                                                            \
        static const bool READS_SHARED = true, YIELDS = true;                            \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned value)    \
        {                                                                                \
            type old;                                                                    \
            asm volatile("atom.shared." text " %0, [%1], %2;"                            \
                         : "=" letter(old)                                               \
                         : "r"(near), letter((type)value)                                \
                         : "memory");                                                    \
            return (unsigned)old;                                                        \
        }                                                                                \
    };                                                                                   \
    OPERATION(name)
#define REDUCTION(name, text, type, letter)                                              \
    struct name : Operation {                                                            \
        static const bool READS_SHARED = true;                                           \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned value)    \
        {                                                                                \
            asm volatile("red.shared." text " [%0], %1;"                                 \
                         :                                                               \
                         : "r"(near), letter((type)value)                                \
                         : "memory");                                                    \
            return 0;                                                                    \
        }                                                                                \
    };                                                                                   \
    OPERATION(name)
#define SWAP(name, text, type, letter, compare)                                          \
    struct name : Operation {                                                            \
        static const bool READS_SHARED = true, YIELDS = true;                            \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned value)    \
        {                                                                                \
            type old;                                                                    \
            asm volatile("atom.shared." text " %0, [%1], %2, %3;"                        \
                         : "=" letter(old)                                               \
                         : "r"(near), letter((type)(compare)), letter((type)value)       \
                         : "memory");                                                    \
            return (unsigned)old;                                                        \
        }                                                                                \
    };                                                                                   \
    OPERATION(name)

ATOMIC(atom_add_u32, "add.u32", unsigned, "r")
ATOMIC(atom_min_u32, "min.u32", unsigned, "r")
ATOMIC(atom_max_s32, "max.s32", int, "r")
ATOMIC(atom_or_b32, "or.b32", unsigned, "r")
ATOMIC(atom_inc_u32, "inc.u32", unsigned, "r")
ATOMIC(atom_exch_b32, "exch.b32", unsigned, "r")
SWAP(atom_cas_b32, "cas.b32", unsigned, "r", 0)
SWAP(atom_cas_b32_miss, "cas.b32", unsigned, "r", value)
REDUCTION(red_add_u32, "add.u32", unsigned, "r")
REDUCTION(red_min_u32, "min.u32", unsigned, "r")
ATOMIC(atom_exch_b64, "exch.b64", bl_u64, "l")
SWAP(atom_cas_b64, "cas.b64", bl_u64, "l", 0)
ATOMIC(atom_add_u64, "add.u64", bl_u64, "l")
REDUCTION(red_add_u64, "add.u64", bl_u64, "l")
ATOMIC(atom_add_f32, "add.f32", float, "f")
ATOMIC(atom_add_f16x2, "add.noftz.f16x2", unsigned, "r")
ATOMIC(atom_add_f64, "add.f64", double, "d")
REDUCTION(red_add_f32, "add.f32", float, "f")

/* ---- ldmatrix -----------------------------------------------------------------------
 */

#define LDMATRIX(name, shape, outs, ...)                                                 \
    struct name : Operation {                                                            \
        static const bool READS_SHARED = true, ALL_LANES = true, YIELDS = true,          \
                          MERGES = true;                                                 \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned)          \
        {                                                                                \
            unsigned x = 0, y = 0, z = 0, w = 0;                                         \
            asm volatile("ldmatrix.sync.aligned.m8n8." shape ".shared.b16 {" outs        \
                         "}, [%4];"                                                      \
                         : "+r"(x), "+r"(y), "+r"(z), "+r"(w)                            \
                         : "r"(near)                                                     \
                         : "memory");                                                    \
            return x | y | z | w;                                                        \
        }                                                                                \
    };                                                                                   \
    OPERATION(name)

LDMATRIX(ldmatrix_x1, "x1", "%0")
LDMATRIX(ldmatrix_x2, "x2", "%0, %1")
LDMATRIX(ldmatrix_x4, "x4", "%0, %1, %2, %3")
LDMATRIX(ldmatrix_x1_trans, "x1.trans", "%0")
LDMATRIX(ldmatrix_x2_trans, "x2.trans", "%0, %1")
LDMATRIX(ldmatrix_x4_trans, "x4.trans", "%0, %1, %2, %3")
