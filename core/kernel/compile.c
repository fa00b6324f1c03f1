/* SPDX-License-Identifier: Apache-2.0
 *
 * compile.c - calls nvcc or clang. clang makes do without a CUDA toolkit: device.h and
 * the headers of conf/clang supply the names.
 */
#include "kernel/compile.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "core/kernel/configured.h"
#include "kernel/cache.h"
#include "kernel/spawn.h"

enum { ARGS_MAX = 128, PTX_MAX = 200 << 20, LOG_MAX = 16 << 20, SHOWN_MAX = 700 };

/* A call of the compiler. */
struct call {
    const struct bl_compile *job;
    char *compiler; /* the program, its path */
    bool clang;
    char *source;         /* from the root */
    char *args[ARGS_MAX]; /* fresh; NULL-terminated */
    size_t count;
    bool full; /* there is no room for all args, or no memory */
};

/* ---- the compiler
 * ------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* A program in the folders of PATH; fresh. NULL: there is none. */
static char *find_in_path(const char *name)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        char *path = length ? bl_text_format("%.*s/%s", (int)length, at, name) : NULL;
        if (path && is_program(path))
            return path;
        free(path);
        at += length + (at[length] == ':');
    }
    return NULL;
}

static char *find_any(void)
{
    static const char *const installed[] = {BL_CONFIGURED_COMPILER,
                                            "/usr/local/cuda/bin/nvcc"};
    static const char *const names[] = {"nvcc", "clang"};
    char *path = NULL;
    if (is_program(installed[0]))
        return strdup(installed[0]);
    for (size_t i = 0; i < 2 && !path; i++) {
        path = find_in_path(names[i]);
        if (!path && i == 0 && is_program(installed[1]))
            path = strdup(installed[1]);
    }
    return path;
}

static enum bl_status find_compiler(struct call *call, struct bl_error *err)
{
    const char *named = call->job->compiler, *slash;
    if (!named)
        call->compiler = find_any();
    else if (strchr(named, '/'))
        call->compiler = is_program(named) ? realpath(named, NULL) : NULL;
    else
        call->compiler = find_in_path(named);
    if (!call->compiler && named)
        return bl_error_set(err, BL_E_INPUT,
                            "%.300s is no program that can be called; --nvcc or "
                            "BANKLAB_NVCC names an nvcc, or a clang",
                            named);
    if (!call->compiler)
        return bl_error_set(
            err, BL_E_INPUT,
            "nothing here compiles %.200s: there is neither nvcc nor clang. "
            "Name one by --nvcc PATH or BANKLAB_NVCC, or compile it to PTX "
            "elsewhere (nvcc -ptx -lineinfo) and name that: file = NAME.ptx",
            call->job->source);
    slash = strrchr(call->compiler, '/');
    call->clang = strstr(slash ? slash : call->compiler, "clang") != NULL;
    return BL_OK;
}

/* ---- its arguments
 * ---------------------------------------------------------------------- */

/* Takes over `arg`. */
static void add(struct call *call, char *arg)
{
    if (!arg || call->count + 1 >= ARGS_MAX) {
        free(arg);
        call->full = true;
        return;
    }
    call->args[call->count++] = arg;
}

static void add_all(struct call *call, const char *words)
{
    while (*(words += strspn(words, " \t"))) {
        const size_t length = strcspn(words, " \t");
        add(call, strndup(words, length));
        words += length;
    }
}

/* Whether the user's flags say it already: compilers object to two of some. */
static bool flags_have(const struct call *call, const char *word)
{
    return strstr(call->job->flags, word) != NULL;
}

static void add_args(struct call *call)
{
    const struct bl_compile *job = call->job;
    add(call, strdup(call->compiler));
    if (call->clang) {
        add_all(call, "-x cuda --cuda-device-only -nocudainc -nocudalib -S "
                      "-gline-tables-only -Wno-unknown-cuda-version -O3");
        if (!flags_have(call, "-gpu-arch") && !flags_have(call, "-offload-arch"))
            add(call, bl_text_format("--cuda-gpu-arch=sm_%u", job->cc));
        add(call, bl_text_format("-I%s/clang", job->paths->conf_dir));
        add(call, strdup("-include"));
        add(call, bl_text_format("%s/banklab/device.h", job->paths->include_dir));
    } else {
        add_all(call, "-ptx -lineinfo --expt-relaxed-constexpr");
        if (!flags_have(call, "-arch") && !flags_have(call, "-gencode"))
            add(call, bl_text_format("-arch=compute_%u", job->cc));
    }
    if (!flags_have(call, "-std"))
        add(call, strdup("-std=c++17"));
    add(call, bl_text_format("-I%s", job->paths->include_dir));
    for (size_t i = 0; job->defines[i]; i++)
        add(call, strdup(job->defines[i]));
    add_all(call, job->flags);
    add(call, strdup(call->source));
}

/* ---- its identity
 * ------------------------------------------------------------------------- */

/* What the compilers' environment adds to their arguments. */
static const char *const variables[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                                        "NVCC_CCBIN",         "CPATH",
                                        "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"};

/* False: something could not be read, and nothing is to be kept. */
static bool make_key(const struct call *call, struct bl_hash *key)
{
    char *real = realpath(call->compiler, NULL), *text = NULL, *stamp = NULL;
    struct bl_error err;
    struct stat info;
    size_t length;
    bool good = real && stat(real, &info) == 0 &&
                bl_text_read_file(call->source, PTX_MAX, &text, &length, &err) == BL_OK &&
                (stamp = bl_text_format("%lld %lld.%09ld", (long long)info.st_size,
                                        (long long)info.st_mtim.tv_sec,
                                        info.st_mtim.tv_nsec)) != NULL;
    if (good) {
        bl_hash_begin(key);
        bl_hash_text(key, real);
        bl_hash_text(key, stamp);
        for (size_t i = 0; i < call->count; i++)
            bl_hash_text(key, call->args[i]);
        for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
            bl_hash_text(key, getenv(variables[i]) ? getenv(variables[i]) : "");
        bl_hash_add(key, text, length);
    }
    free(real);
    free(stamp);
    free(text);
    return good;
}

/* ---- the call
 * ------------------------------------------------------------------------------ */

/* What it printed, its first lines: a mistake is told first, what follows from it later.
 */
static enum bl_status tell(const struct call *call, int status, const char *log,
                           struct bl_error *err)
{
    const char *slash = strrchr(call->compiler, '/'), *end = log + strlen(log);
    size_t shown, lines = 0;
    while (end > log && isspace((unsigned char)end[-1]))
        end--;
    shown = (size_t)(end - log);
    if (shown > SHOWN_MAX) {
        for (shown = SHOWN_MAX; shown > SHOWN_MAX / 2 && log[shown] != '\n';)
            shown--;
        for (const char *at = log + shown; at < end; at++)
            lines += *at == '\n';
    }
    bl_error_set(err, BL_E_INPUT, "%s refuses %.200s%s%.*s",
                 slash ? slash + 1 : call->compiler, call->job->source,
                 shown ? ":\n" : ", and says nothing", (int)shown, log);
    if (lines)
        snprintf(err->text + strlen(err->text), sizeof err->text - strlen(err->text),
                 "\n(and %zu more lines)", lines);
    else if (!shown)
        snprintf(err->text + strlen(err->text), sizeof err->text - strlen(err->text),
                 "; its exit status is %d", status);
    return BL_E_INPUT;
}

/* Calls it, with its output and the list of what it read in `dir`. */
static enum bl_status call_in(struct call *call, const char *dir, char **text,
                              size_t *length, char **depends, struct bl_error *err)
{
    const size_t before = call->count;
    char *ptx = bl_text_format("%s/kernel.ptx", dir);
    char *rule = bl_text_format("%s/kernel.d", dir);
    char *said = bl_text_format("%s/log", dir), *log = NULL;
    size_t size;
    int status = 0;
    enum bl_status st;
    add_all(call, "-MMD -MF");
    add(call, bl_text_format("%s", rule ? rule : ""));
    add(call, strdup("-o"));
    add(call, bl_text_format("%s", ptx ? ptx : ""));
    if (call->full || !ptx || !rule || !said)
        st = bl_error_set(err, BL_E_INPUT,
                          "more than %d arguments for the compiler, or no memory",
                          ARGS_MAX);
    else
        st = bl_spawn(call->args, said, &status, err);
    if (st == BL_OK && status != 0) {
        st = bl_text_read_file(said, LOG_MAX, &log, &size, err);
        st = st == BL_OK ? tell(call, status, log, err) : st;
    }
    if (st == BL_OK)
        st = bl_text_read_file(ptx, PTX_MAX, text, length, err);
    if (st == BL_OK && bl_text_read_file(rule, LOG_MAX, depends, &size, err) != BL_OK)
        *depends = NULL;
    while (call->count > before) {
        free(call->args[--call->count]);
        call->args[call->count] = NULL;
    }
    for (char **path = (char *[]){ptx, rule, said, NULL}; *path; path++)
        unlink(*path);
    free(ptx);
    free(rule);
    free(said);
    free(log);
    return st;
}

static enum bl_status compile_now(struct call *call, char **text, size_t *length,
                                  char **depends, struct bl_error *err)
{
    const char *base = getenv("TMPDIR");
    char *dir = bl_text_format("%s/banklab-XXXXXX", base && *base ? base : "/tmp");
    enum bl_status st;
    if (!dir)
        return bl_error_nomem(err);
    if (!mkdtemp(dir)) {
        st = bl_error_set(err, BL_E_IO, "%s: %s", dir, strerror(errno));
    } else {
        st = call_in(call, dir, text, length, depends, err);
        rmdir(dir);
    }
    free(dir);
    return st;
}

/* Keeps it, or says why not. */
static void keep(struct bl_form_env *env, const char *dir, const struct bl_hash *key,
                 const char *depends, const char *text, size_t length)
{
    struct bl_error err;
    if (bl_cache_put(dir, key, depends ? depends : "", text, length, &err) == BL_OK ||
        env->cache_warned || !env->warn)
        return;
    env->cache_warned = true;
    bl_error_prefix(&err, "compiled kernels can't be kept for the next run");
    env->warn(env->warn_ctx, err.text);
}

static enum bl_status compile(struct call *call, struct bl_form_env *env, char **text,
                              size_t *length, struct bl_error *err)
{
    char *dir = bl_cache_dir(), *depends = NULL;
    struct bl_hash key;
    const bool keyed = dir && make_key(call, &key);
    enum bl_status st = BL_OK;
    if (!keyed || !bl_cache_get(dir, &key, text, length)) {
        st = compile_now(call, text, length, &depends, err);
        if (st == BL_OK && keyed)
            keep(env, dir, &key, depends, *text, *length);
    }
    free(depends);
    free(dir);
    return st;
}

enum bl_status bl_compile(const struct bl_compile *job, struct bl_form_env *env,
                          char **text, size_t *length, struct bl_error *err)
{
    struct call call = {.job = job};
    enum bl_status st = BL_OK;
    call.source = realpath(job->source, NULL);
    if (!call.source)
        st = bl_error_set(err, BL_E_INPUT, "%.600s: %s", job->source, strerror(errno));
    if (st == BL_OK)
        st = find_compiler(&call, err);
    if (st == BL_OK) {
        add_args(&call);
        st = call.full ? bl_error_set(err, BL_E_INPUT,
                                      "more than %d arguments for the compiler, or no "
                                      "memory",
                                      ARGS_MAX)
                       : compile(&call, env, text, length, err);
    }
    for (size_t i = 0; i < call.count; i++)
        free(call.args[i]);
    free(call.compiler);
    free(call.source);
    return st;
}
