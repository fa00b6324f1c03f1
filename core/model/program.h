/* SPDX-License-Identifier: Apache-2.0
 *
 * program.h - a module made ready to run: variables laid out, and for each kernel that
 * is launched an image: the kernel and every function that it can reach, decoded.
 *
 * A function is decoded once for each kernel that reaches it, since the addresses of
 * shared variables are the kernel's: each kernel has its own static shared memory.
 */
#ifndef BL_PROGRAM_H
#define BL_PROGRAM_H

#include "model/insn.h"
#include "model/model.h"
#include "model/ptx.h"

/* The generic address space, in windows of 2^40 bytes, so that address >> 40 says
 * where an address points. Shared, local, param and const addresses have a form of
 * their own besides, an offset from 0; global addresses are generic ones. */
enum { BL_WINDOW_SHIFT = 40 };
enum bl_window {
    BL_WINDOW_NULL,
    BL_WINDOW_SHARED,
    BL_WINDOW_LOCAL,
    BL_WINDOW_PARAM, /* the kernel's parameters */
    BL_WINDOW_CONST,
    BL_WINDOW_FUNC, /* function i is at the window's start + 16 i */
    BL_WINDOW_VARS, /* .global variables */
    BL_WINDOW_SPANS /* and all that is above: the caller's spans */
};
static inline uint64_t bl_window_base(enum bl_window window)
{
    return (uint64_t)window << BL_WINDOW_SHIFT;
}
/* The window of a space, BL_WINDOW_NULL for global and generic. */
enum bl_window bl_window_of_space(enum bl_ptx_space space);

/* A fixed special register in a constant slot. */
struct bl_sreg_use {
    enum bl_ptx_sreg sreg;
    uint32_t bytes; /* 2, 4 or 8 */
    uint32_t slot;
};

/* The address of a .local variable in a constant slot: it moves with the depth of
 * calls, so that it is filled in when the function is entered. */
struct bl_local_use {
    uint32_t bytes; /* 4 or 8 */
    uint32_t slot;
    uint64_t offset; /* from the function's first local byte */
};

enum { BL_VEC_MOST = 8 };

/* A memory instruction. */
struct bl_mem_op {
    uint32_t address; /* slot of the base; BL_NO_SLOT: `disp` alone */
    bool address64;   /* that slot is 64 bits wide */
    bool in_locals;   /* `disp` counts from the function's first local byte */
    bool is_store;
    bool sign;      /* loads of a narrow signed type */
    uint8_t space;  /* enum bl_ptx_space */
    uint8_t elem;   /* bytes of an element: 1, 2, 4, 8, 16 */
    uint8_t count;  /* elements: 1, 2, 4, 8 */
    uint32_t width; /* elem * count: bytes that a lane touches */
    int64_t disp;
    uint32_t site;              /* index of the image's sites */
    uint32_t slot[BL_VEC_MOST]; /* registers */
    uint8_t reg[BL_VEC_MOST];   /* their bytes: 2, 4, 8, 16 */
};

/* An argument or a result of a call: `size` bytes of the caller's parameter area, or
 * a register's. */
struct bl_call_arg {
    bool in_slot;
    uint32_t at;   /* offset in the parameter area, or slot */
    uint32_t size; /* bytes */
};

struct bl_call_op {
    const struct bl_ptx_func *func; /* NULL: indirect */
    uint32_t address;               /* slot (64 bits) of an indirect target */
    struct bl_call_arg *args, *returns;
    uint32_t arg_count, return_count;
};

struct bl_brx_op {
    uint32_t *targets;
    uint32_t count;
};

/* A range of slots that is cleared when the function is entered: registers that some
 * path reads before it writes them. */
struct bl_clear {
    uint32_t at, bytes;
};

/* Most bytes of local memory that a thread has (CUDA C++ Programming Guide, technical
 * specifications), and, since PTX names no limit of its own for functions, of parameters
 * that a function holds. */
enum { BL_LOCAL_MOST = 512 * 1024 };

/* A function decoded for one kernel. */
struct bl_code {
    const struct bl_ptx_func *func;
    struct bl_error *error; /* not NULL: it can't be run, for this reason */
    struct bl_insn *insns;  /* func's, and a ret behind the last */
    uint32_t *join;         /* where the lanes of branch i meet again (cfg.h) */
    uint32_t count;         /* of insns, the last ret included */
    struct bl_ptx_insn ret; /* what that ret's `src` points at */

    uint32_t frame_bytes; /* slots, then the parameter area */
    uint32_t fixed_at;    /* constants: from here … */
    uint32_t fixed_bytes; /* … so many bytes, which start as `fixed` */
    uint8_t *fixed;
    struct bl_sreg_use *sregs;
    size_t sreg_count, sreg_cap;
    struct bl_local_use *locals;
    size_t local_use_count, local_use_cap;
    struct bl_clear *clears;
    size_t clear_count, clear_cap;

    uint32_t local_bytes;   /* .local variables, a lane */
    uint32_t uniform_bytes; /* a kernel's parameters: param addresses below this */
    uint32_t uniform_end;   /* the end of the last of them, not aligned */
    uint32_t param_at;      /* in the frame: the parameter area, by lane words */
    uint32_t param_bytes;   /* a lane's bytes of it, from address uniform_bytes on */

    struct bl_mem_op *mems;
    size_t mem_count, mem_cap;
    struct bl_call_op *calls;
    size_t call_count, call_cap;
    struct bl_brx_op *brxs;
    size_t brx_count, brx_cap;
};

/* A memory instruction of an image, for counting. Of an atomic and of the shared side of
 * cp.async, what is no load or store is counted apart. BULK: the global side of a bulk
 * copy. */
enum bl_site_kind { BL_SITE_PLAIN, BL_SITE_ATOMIC, BL_SITE_ASYNC, BL_SITE_BULK };
struct bl_site_info {
    const struct bl_ptx_insn *insn;
    bool is_store;
    enum bl_site_kind kind;
};

struct bl_image {
    struct bl_program *program;
    const struct bl_ptx_func *kernel;
    struct bl_code **codes;     /* by func->order; NULL: not reached */
    uint64_t static_shared;     /* bytes of static variables */
    uint64_t dynamic_shared_at; /* where dynamic shared memory starts */
    struct bl_site_info *sites;
    size_t site_count, site_cap;
};

struct bl_program {
    struct bl_ptx_module *module;
    const char **kernels; /* names of entries with a body */
    size_t kernel_count;
    uint8_t *consts; /* .const variables */
    uint64_t const_bytes;
    struct bl_image **images; /* by func->order of the kernel; built when launched */
};

/* The image of `kernel`, built when it is first asked for. BL_E_INPUT: it can't be
 * decoded. Not to be called twice at once for one program. */
enum bl_status bl_image_get(struct bl_program *program, const struct bl_ptx_func *kernel,
                            struct bl_image **out, struct bl_error *err);
void bl_image_free(struct bl_image *image);

/* decode.c: decodes one function into a fresh code. What can't be decoded is kept in
 * code->error; only memory running out fails. */
enum bl_status bl_code_new(struct bl_image *image, const struct bl_ptx_func *func,
                           struct bl_code **out, struct bl_error *err);
void bl_code_free(struct bl_code *code);

/* Puts the initial value of `var`, addresses filled in, at `to` (var->size bytes). */
void bl_program_var_init(const struct bl_ptx_var *var, uint8_t *to);

/* The generic address of a function. */
static inline uint64_t bl_func_address(const struct bl_ptx_func *func)
{
    return bl_window_base(BL_WINDOW_FUNC) + 16u * (uint64_t)(func->order + 1);
}

static inline uint64_t bl_align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

/* Steps that others know by name (exec_control.c). bra: `extra` is the target. brx:
 * `extra` is the index of its bl_brx_op. */
bl_step_fn bl_step_bra, bl_step_brx, bl_step_ret, bl_step_exit, bl_step_nothing;

/* Makes room for one more in an array of `count` with elements of `size` bytes. */
enum bl_status bl_grow(void *array_pointer, size_t count, size_t *cap, size_t size,
                       struct bl_error *err);

#endif
