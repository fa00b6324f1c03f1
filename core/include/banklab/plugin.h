/* SPDX-License-Identifier: Apache-2.0
 *
 * banklab/plugin.h - the contract between a plugin and the lab.
 *
 * A plugin describes; the core measures. A plugin is constant data plus one pure
 * function, `plan`. It carries device code as PTX text and says, for a given
 * problem, which kernels to launch with which grid, block, shared memory and
 * arguments. It never calls CUDA, allocates, times, prints or checks, and it links
 * nothing from the core.
 *
 * A plugin is a shared object NAME.so that exports one data symbol:
 *
 *     BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
 *         BANKLAB_PLUGIN_HEAD, .name = "NAME", .kind = "transpose", ...
 *     };
 *
 * The symbol is data, so that the lab can check it before any plugin code runs.
 *
 * This header compiles alone as C11 and as C++17. Everything in it is plain data,
 * owned by the plugin and constant, unless a comment says otherwise.
 */
#ifndef BANKLAB_PLUGIN_H
#define BANKLAB_PLUGIN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "BANKLAB1" read as a little-endian number. */
#define BANKLAB_PLUGIN_MAGIC UINT64_C(0x3142414c4b4e4142)

/* Another major is refused. A minor only adds fields at the end of a struct that
 * carries its size. Minor 1: tensor maps as arguments, and
 * batches. */
#define BANKLAB_ABI_MAJOR 1u
#define BANKLAB_ABI_MINOR 1u

/* In C++ a const object is otherwise known in its own file only. */
#ifdef __cplusplus
#define BANKLAB_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define BANKLAB_EXPORT __attribute__((visibility("default")))
#endif

/* What `plan` and `reference` return. */
enum banklab_status {
    BANKLAB_OK = 0,
    BANKLAB_UNSUPPORTED = 1, /* a skip, with the reason in the error's text */
    BANKLAB_FAILED = -1      /* the plugin is broken: an error, with the reason */
};

/* Where a plugin leaves its reason. `text` is the caller's, NUL-terminated. */
struct banklab_error {
    char text[256];
};

/* ---- problem ------------------------------------------------------------- */

/* The problem of one case. The kind says what it means:
 *
 *   transpose   in is rows x cols, out is cols x rows, both row-major and dense:
 *               out[c * rows + r] = in[r * cols + c]
 *   copy        in and out are rows x cols: out[i] = in[i]
 *   pattern     in and out are rows * cols elements; the plugin's own
 *               `reference` says what out must hold
 *
 * A batch is so many matrices, one right behind the other in `in` and in `out`, each a
 * problem by itself. A plugin is asked for more than one only if it says that it knows
 * batches: BANKLAB_BATCHES in its flags. For the others such a case is skipped.
 *
 * An element is `elem` bytes (1, 2, 4, 8 or 16) without further meaning: results
 * are compared bit for bit. rows and cols are at least 1. Both buffers start at an
 * address aligned to 256 bytes. Kernels leave the input as it is: that is checked. */
struct banklab_problem {
    uint64_t struct_size; /* sizeof of the core's struct */
    uint64_t rows;
    uint64_t cols;
    uint32_t elem;     /* bytes */
    uint32_t reserved; /* 0 */
    /* Since 1.1; banklab_batch reads it. */
    uint64_t batch; /* matrices; 0 is 1 */
};

/* ---- parameters ---------------------------------------------------------- */

enum banklab_param_type {
    BANKLAB_PARAM_INT = 1,   /* a whole number in minimum..maximum */
    BANKLAB_PARAM_CHOICE = 2 /* one of the names in `choices`; the value is its index */
};

/* A parameter's value, in the order of the plugin's table. `i` is the number or the
 * index of the choice; it has been parsed and is in range. */
typedef struct banklab_value {
    int64_t i;
} banklab_value;

/* One row of the parameter table. It drives the profile's check, `banklab describe`
 * and the documents. */
struct banklab_param {
    const char *name;           /* lower case, digits, underscore */
    const char *help;           /* one line */
    const char *unit;           /* NULL: a bare number */
    const char *const *choices; /* CHOICE: NULL-terminated; INT: NULL, or the only
                                   numbers allowed, as decimal text */
    int64_t minimum;            /* INT */
    int64_t maximum;            /* INT */
    int64_t default_value;      /* INT: the number; CHOICE: the index */
    uint32_t type;              /* enum banklab_param_type */
    uint32_t reserved;          /* 0 */
};

/* A parameter set to a value, as text: the form of a profile. */
struct banklab_setting {
    const char *name;
    const char *value;
};

/* ---- device code --------------------------------------------------------- */

/* One PTX module. The lab takes the module with the greatest target that the device
 * can run. The PTX that the model analyses is the PTX that the GPU runs. */
struct banklab_module {
    const char *text; /* need not end in NUL */
    uint64_t length;  /* bytes */
    uint32_t cc;      /* 75 for compute capability 7.5; 0: read it from .target */
    uint32_t reserved;
};

/* ---- plan ---------------------------------------------------------------- */

enum {
    BANKLAB_MAX_LAUNCHES = 16,
    BANKLAB_MAX_ARGS = 16,
    BANKLAB_MAX_SCRATCH = 4,
    BANKLAB_MAX_TENSORS = 8,
    BANKLAB_MAX_NAME = 128 /* of a kernel, with its NUL */
};

/* The buffers that an argument can name. */
enum banklab_role {
    BANKLAB_INPUT = 1,
    BANKLAB_OUTPUT = 2,
    BANKLAB_CLOCK = 3,    /* see `clock` in struct banklab_plan */
    BANKLAB_SCRATCH0 = 16 /* SCRATCH0 + i is the plan's scratch buffer i */
};

enum banklab_arg_type {
    BANKLAB_ARG_BUFFER = 1, /* a device pointer to the buffer with role .u */
    BANKLAB_ARG_U32 = 2,
    BANKLAB_ARG_U64 = 3,
    BANKLAB_ARG_F32 = 4,
    BANKLAB_ARG_F64 = 5,
    BANKLAB_ARG_TENSOR_MAP = 6 /* by value: the plan's tensor .u; since minor 1 */
};

struct banklab_arg {
    uint32_t type; /* enum banklab_arg_type */
    uint32_t reserved;
    union {
        uint64_t u;
        double f;
    } value;
};

struct banklab_launch {
    char kernel[BANKLAB_MAX_NAME]; /* entry name as it stands in the PTX */
    uint32_t grid[3];              /* blocks; each at least 1 */
    uint32_t block[3];             /* threads; each at least 1 */
    uint32_t shared_bytes;         /* dynamic shared memory, besides the static */
    uint32_t arg_count;
    struct banklab_arg args[BANKLAB_MAX_ARGS];
    uint64_t reserved[4]; /* 0 */
};

/* In-kernel timing. A kernel that times an access writes, for each warp w of its
 * grid (warps counted block by block), two 64-bit %clock64 readings to the CLOCK
 * buffer: start at [2 * w], end at [2 * w + 1]. The lab reports, as cycles per
 * access, the median over blocks of
 *     (greatest end - least start) / (warps_per_block * accesses_per_warp). */
struct banklab_clock {
    uint64_t warps; /* of the whole grid; 0: no clock buffer */
    uint32_t warps_per_block;
    uint32_t accesses_per_warp; /* accesses between the two readings */
};

/* A matrix in a buffer, or several of one shape, and the box of it that one bulk tensor
 * copy moves: what a kernel gets as a tensor map, 128 bytes by value (banklab/bulk.h).
 * Dimension 0 is the one whose elements are neighbours, 1 the row, and 2, if there is
 * one, the matrix: copies then have three coordinates, and where a box hangs over the
 * edge of its matrix it does not touch the next. The limits are those of
 * cuTensorMapEncodeTiled (CUDA driver API) with interleave none and element strides of 1.
 * All must lie in the buffer. Elements outside read as zero, and are not written. */
struct banklab_tensor {
    uint32_t role;    /* of the buffer, enum banklab_role */
    uint32_t elem;    /* bytes: 1, 2, 4 or 8; take two of 8 for 16 */
    uint64_t offset;  /* of the first element in the buffer; a multiple of 16 bytes */
    uint64_t dims[3]; /* elements; 1 to 2^32; dims[2] is 0 where there is no dimension 2,
                         and strides[1] and box[2] are 0 too */
    uint64_t strides[2]; /* bytes from row to row, and from matrix to matrix: multiples
                            of 16, below 2^40; the second is a multiple of the first, by
                            dims[1] or more */
    uint32_t box[3];     /* elements; 1 to 256; box[0] * elem a multiple of 16 bytes */
    uint32_t swizzle; /* of shared memory: 0: none; or 32, 64, 128, and then box[0] * elem
                         must be as many bytes */
    uint64_t reserved; /* 0 */
};

/* Filled by `plan`; all zero but struct_size before it is called. Launches run in
 * order, each after the one before has finished. Scratch buffers are zeroed before
 * the first launch. */
struct banklab_plan {
    uint64_t struct_size; /* sizeof of the core's struct */
    uint32_t launch_count;
    uint32_t reserved;
    uint64_t scratch_bytes[BANKLAB_MAX_SCRATCH]; /* 0: no such buffer */
    struct banklab_clock clock;
    struct banklab_launch launches[BANKLAB_MAX_LAUNCHES];
    /* Since minor 1. */
    uint32_t tensor_count;
    uint32_t reserved1; /* 0 */
    struct banklab_tensor tensors[BANKLAB_MAX_TENSORS];
};

/* ---- plugin -------------------------------------------------------------- */

struct banklab_plugin {
    /* The frozen prefix, read alone first. */
    uint64_t magic;
    uint32_t abi_major;
    uint32_t abi_minor;
    uint64_t struct_size; /* sizeof(struct banklab_plugin) of the plugin's header */

    /* Identity. */
    const char *name;    /* the file's base name */
    const char *kind;    /* "transpose", "copy" or "pattern" */
    const char *summary; /* one line */
    uint32_t min_cc;     /* least compute capability, 70 for 7.0; 0: any */
    uint32_t elems;      /* allowed element widths: BANKLAB_ELEM(1) | ... ; 0: all */

    /* Tables, with the size of an element as the plugin knew it. */
    const struct banklab_param *params;
    uint32_t param_count;
    uint32_t param_size;
    const struct banklab_module *modules;
    uint32_t module_count; /* at least 1 */
    uint32_t module_size;

    /* The parameter settings that make the same kernel conflict-free, so that the
     * slowdown that conflicts cause can be told from everything else. NULL: none. */
    const struct banklab_setting *twin;
    uint32_t twin_count;
    uint32_t twin_size;

    /* Pure: the same arguments give the same plan, and nothing else happens. May
     * refuse a problem that it can't do: BANKLAB_UNSUPPORTED and a reason.
     * `params` has param_count values. */
    int (*plan)(const struct banklab_problem *problem, const banklab_value *params,
                struct banklab_plan *plan, struct banklab_error *error);

    /* What `out` must hold, as bytes of the whole output buffer. NULL: the kind's
     * own rule. A plugin of kind "pattern" must have it. Pure. */
    int (*reference)(const struct banklab_problem *problem, const banklab_value *params,
                     const void *in, void *out, struct banklab_error *error);

    /* Since 1.1: an or of enum banklab_flag. */
    uint64_t flags;
};

/* What a plugin says of itself. */
enum banklab_flag {
    BANKLAB_BATCHES = 1 /* `plan`, and `reference` if there is one, heed the batch */
};

#define BANKLAB_ELEM(bytes) (1u << (bytes))

#define BANKLAB_PLUGIN_HEAD                                                              \
    .magic = BANKLAB_PLUGIN_MAGIC, .abi_major = BANKLAB_ABI_MAJOR,                       \
    .abi_minor = BANKLAB_ABI_MINOR, .struct_size = sizeof(struct banklab_plugin)

#define BANKLAB_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* Each of these fills a table field, its count and its element size. */
#define BANKLAB_PARAMS(array)                                                            \
    .params = (array), .param_count = BANKLAB_COUNT(array),                              \
    .param_size = sizeof(struct banklab_param)
#define BANKLAB_MODULES(array)                                                           \
    .modules = (array), .module_count = BANKLAB_COUNT(array),                            \
    .module_size = sizeof(struct banklab_module)
#define BANKLAB_TWIN(array)                                                              \
    .twin = (array), .twin_count = BANKLAB_COUNT(array),                                 \
    .twin_size = sizeof(struct banklab_setting)

/* ---- helpers for `plan`: inline, so that a plugin links nothing ----------- */

/* Leaves a reason and returns BANKLAB_UNSUPPORTED, to be returned by `plan`. */
__attribute__((format(printf, 2, 3))) static inline int
banklab_unsupported(struct banklab_error *error, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(error->text, sizeof error->text, format, ap);
    va_end(ap);
    return BANKLAB_UNSUPPORTED;
}

/* Appends a launch with grid and block 1 x 1 x 1 and no arguments; the kernel's name
 * is formatted as by printf. Past BANKLAB_MAX_LAUNCHES the last one is overwritten,
 * and the lab refuses the plan, since launch_count tells. */
__attribute__((format(printf, 2, 3))) static inline struct banklab_launch *
banklab_launch_add(struct banklab_plan *plan, const char *format, ...)
{
    uint32_t at = plan->launch_count++;
    struct banklab_launch *launch;
    va_list ap;
    if (at >= BANKLAB_MAX_LAUNCHES)
        at = BANKLAB_MAX_LAUNCHES - 1;
    launch = &plan->launches[at];
    memset(launch, 0, sizeof *launch);
    va_start(ap, format);
    vsnprintf(launch->kernel, sizeof launch->kernel, format, ap);
    va_end(ap);
    for (int i = 0; i < 3; i++)
        launch->grid[i] = launch->block[i] = 1;
    return launch;
}

static inline void banklab_arg_add(struct banklab_launch *launch, uint32_t type,
                                   uint64_t u)
{
    uint32_t at = launch->arg_count++;
    if (at >= BANKLAB_MAX_ARGS)
        return; /* arg_count tells */
    launch->args[at].type = type;
    launch->args[at].value.u = u;
}

static inline void banklab_arg_buffer(struct banklab_launch *launch, uint32_t role)
{
    banklab_arg_add(launch, BANKLAB_ARG_BUFFER, role);
}

static inline void banklab_arg_u32(struct banklab_launch *launch, uint32_t value)
{
    banklab_arg_add(launch, BANKLAB_ARG_U32, value);
}

static inline void banklab_arg_u64(struct banklab_launch *launch, uint64_t value)
{
    banklab_arg_add(launch, BANKLAB_ARG_U64, value);
}

/* Appends a matrix of dims[1] rows, `stride` bytes apart, and an argument that is its
 * tensor map; the caller fills in the box and the swizzle. NULL: the lab is older than
 * tensor maps. Past BANKLAB_MAX_TENSORS the last one is overwritten, and the lab refuses
 * the plan, since tensor_count tells. */
static inline struct banklab_tensor *banklab_arg_tensor(struct banklab_plan *plan,
                                                        struct banklab_launch *launch,
                                                        uint32_t role, uint32_t elem,
                                                        uint64_t cols, uint64_t rows,
                                                        uint64_t stride)
{
    struct banklab_tensor *tensor;
    uint32_t at;
    if (plan->struct_size < offsetof(struct banklab_plan, tensors) + sizeof plan->tensors)
        return NULL;
    at = plan->tensor_count++;
    if (at >= BANKLAB_MAX_TENSORS)
        at = BANKLAB_MAX_TENSORS - 1;
    tensor = &plan->tensors[at];
    memset(tensor, 0, sizeof *tensor);
    tensor->role = role;
    tensor->elem = elem;
    tensor->dims[0] = cols;
    tensor->dims[1] = rows;
    tensor->strides[0] = stride;
    banklab_arg_add(launch, BANKLAB_ARG_TENSOR_MAP, at);
    return tensor;
}

/* Makes a tensor's matrix the first of so many, one right behind the other: copies have
 * three coordinates, the last of which is the matrix's number, and a box is of one. */
static inline void banklab_tensor_batch(struct banklab_tensor *tensor, uint64_t matrices)
{
    tensor->dims[2] = matrices;
    tensor->strides[1] = tensor->strides[0] * tensor->dims[1];
    tensor->box[2] = 1;
}

/* The matrices of the problem: at least 1. A lab of 1.0 has no field for them. */
static inline uint64_t banklab_batch(const struct banklab_problem *problem)
{
    const uint64_t end = offsetof(struct banklab_problem, batch) + sizeof(uint64_t);
    return problem->struct_size < end || !problem->batch ? 1 : problem->batch;
}

/* a / b rounded up. */
static inline uint64_t banklab_ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* The lesser of a and limit, as a grid dimension. */
static inline uint32_t banklab_at_most(uint64_t a, uint32_t limit)
{
    return a < limit ? (uint32_t)a : limit;
}

/* Where the problem is a batch, makes a launch for one matrix, whose grid has one block
 * in z, one for all of them: the kernel is the one of this name with "_batch" behind,
 * which has one argument more, the batch, 64 bits, and reads the grid by
 * bl_matrix_of_block of device.h. So what the batch takes is not paid for one matrix.
 * BANKLAB_UNSUPPORTED, with the reason, if the grid has no room for it. To be called
 * last. */
static inline int banklab_grid_batch(struct banklab_launch *launch,
                                     const struct banklab_problem *problem,
                                     struct banklab_error *error)
{
    const uint64_t batch = banklab_batch(problem);
    const uint64_t rounds = banklab_ceil_div(batch, 65535);
    const size_t length = strlen(launch->kernel);
    if (batch == 1)
        return BANKLAB_OK;
    if (launch->grid[0] && rounds > INT32_MAX / launch->grid[0])
        return banklab_unsupported(error,
                                   "%llu matrices with %u blocks across: a grid has at "
                                   "most %d in x and 65535 in z",
                                   (unsigned long long)batch, launch->grid[0], INT32_MAX);
    snprintf(launch->kernel + length, sizeof launch->kernel - length, "_batch");
    launch->grid[0] *= (uint32_t)rounds;
    launch->grid[2] = banklab_at_most(batch, 65535);
    banklab_arg_u64(launch, batch);
    return BANKLAB_OK;
}

#ifdef __cplusplus
}
#endif

#endif /* BANKLAB_PLUGIN_H */
