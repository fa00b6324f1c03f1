/* SPDX-License-Identifier: Apache-2.0
 *
 * ptx_lex.h - PTX text to tokens, and the table of names.
 */
#ifndef BL_PTX_LEX_H
#define BL_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/ptx.h"
#include "model/ptx_arena.h"

struct bl_ptx_sym;

/* Words with a meaning of their own, as directives (without the dot) or names. */
enum bl_ptx_word {
    BL_W_NONE,
    BL_W_VERSION,
    BL_W_TARGET,
    BL_W_ADDRESS_SIZE,
    BL_W_FILE,
    BL_W_LOC,
    BL_W_SECTION,
    BL_W_PRAGMA,
    BL_W_ALIAS,
    BL_W_ATTRIBUTE,
    BL_W_LINKAGE, /* visible, weak, common */
    BL_W_EXTERN,
    BL_W_ENTRY,
    BL_W_FUNC,
    BL_W_GLOBAL,
    BL_W_CONST,
    BL_W_SHARED,
    BL_W_LOCAL,
    BL_W_PARAM,
    BL_W_REG,
    BL_W_ALIGN,
    BL_W_PTR,
    BL_W_VECTOR, /* v2, v4, v8 */
    BL_W_MAXNTID,
    BL_W_REQNTID,
    BL_W_NUMBERS, /* directives of a kernel that are followed by numbers */
    BL_W_ALONE,   /* directives of a kernel that stand alone */
    BL_W_BRANCHTARGETS,
    BL_W_CALLTARGETS,
    BL_W_CALLPROTOTYPE,
    BL_W_OPAQUE, /* texref, samplerref, surfref: 8-byte handles */
    BL_W_GENERIC,
    BL_W_WARP_SZ
};

/* A name that occurs in the text, once for all its places. */
struct bl_ptx_name {
    const char *text; /* NUL-terminated, owned by the module */
    size_t length;
    uint32_t hash;
    enum bl_ptx_word word;
    enum bl_ptx_type type;     /* if it names one */
    struct bl_ptx_name *next;  /* in its bucket */
    struct bl_ptx_sym *sym;    /* what it means here; NULL: nothing */
    struct bl_ptx_sym *family; /* what NAME<count> means here */
};

struct bl_ptx_names {
    struct bl_arena *keep; /* holds the text */
    struct bl_arena *scratch;
    struct bl_ptx_name **buckets;
    size_t bucket_count; /* a power of two */
    size_t count;
};

enum bl_status bl_ptx_names_init(struct bl_ptx_names *names, struct bl_arena *keep,
                                 struct bl_arena *scratch, struct bl_error *err);
/* The entry for a name, made if new; NULL if memory ran out. */
struct bl_ptx_name *bl_ptx_name_add(struct bl_ptx_names *names, const char *text,
                                    size_t length);
/* The entry, or NULL if the name is new. */
struct bl_ptx_name *bl_ptx_name_find(const struct bl_ptx_names *names, const char *text,
                                     size_t length);

/* A token's kind: the character itself for punctuation, or one of these. */
enum {
    BL_TOK_END = 256,
    BL_TOK_NAME,
    BL_TOK_DOT, /* .name, as in directives and modifiers: the name without its dot */
    BL_TOK_INT,
    BL_TOK_FLOAT,
    BL_TOK_STRING,
    BL_TOK_SHL,
    BL_TOK_SHR,
    BL_TOK_LE,
    BL_TOK_GE,
    BL_TOK_EQ,
    BL_TOK_NE,
    BL_TOK_AND,
    BL_TOK_OR
};

struct bl_ptx_token {
    int kind;
    int line;
    const char *text; /* in the source; a string's without its quotes */
    size_t length;
    struct bl_ptx_name *name; /* NAME, DOT */
    uint64_t i;               /* INT; FLOAT: its bits */
    bool is_unsigned;         /* INT: it had U, or needs the 64th bit */
    double f;                 /* FLOAT */
    bool single;              /* FLOAT: 0f… */
};

struct bl_ptx_lexer {
    const char *at, *end;
    int line;
    const char *file; /* for messages */
    struct bl_ptx_names *names;
    struct bl_error *err;
};

enum bl_status bl_ptx_lex(struct bl_ptx_lexer *lex, struct bl_ptx_token *out);

/* The token as shown in a message: printable, at most 40 characters, in quotes. */
struct bl_ptx_shown {
    char text[64];
};
struct bl_ptx_shown bl_ptx_show(const char *text, size_t length);
struct bl_ptx_shown bl_ptx_show_token(const struct bl_ptx_token *token);

#endif
