/* SPDX-License-Identifier: Apache-2.0
 *
 * Initial values of variables: numbers, addresses, and the single bytes of addresses.
 */

#include "model/ptx_parse.h"

#include <string.h>

/* Enough for any real module's tables; a bound on what a few bytes of text can ask for.
 */
static const uint64_t most_init_bytes = (uint64_t)256 << 20;

struct init {
    struct bl_ptx_var *var;
    const struct bl_ptx_shape *shape;
    uint32_t element; /* bytes */
    bool unsized;
    uint64_t at, count;          /* elements: the next, and how many there may be */
    uint64_t limit;              /* elements: the end of the row that is being filled */
    struct bl_arena_list bytes;  /* of an unsized array */
    struct bl_arena_list relocs; /* of struct bl_ptx_reloc */
    /* 0xFF(x), 0xFF00(x), … : the bytes of one address, one an element. */
    uint32_t byte_next; /* which byte comes next, 0: none has begun */
    uint64_t byte_at;   /* the element where it should stand */
};

static enum bl_status put(struct bl_ptx_parser *p, struct init *in, uint64_t bits)
{
    uint64_t offset = in->at * in->element;

    if (in->unsized) {
        for (uint32_t i = 0; i < in->element; i++) {
            if (!bl_arena_push(p->scratch, &in->bytes, 1)) {
                return bl_error_nomem(p->err);
            }
        }
        in->var->init = in->bytes.items;
    } else if (in->at >= in->limit) {
        return bl_ptx_fail(p, p->tok.line,
                           "more initial values than %s has elements, or than fit a row",
                           bl_ptx_show(in->var->name, strlen(in->var->name)).text);
    }
    for (uint32_t i = 0; i < in->element && i < 8; i++) {
        in->var->init[offset + i] = (uint8_t)(bits >> (8 * i));
    }
    in->at++;
    return BL_OK;
}

static enum bl_status put_number(struct bl_ptx_parser *p, struct init *in,
                                 const struct bl_ptx_value *value)
{
    enum bl_ptx_type type = in->var->type;
    double d = value->is_float      ? value->f
               : value->is_unsigned ? (double)value->i
                                    : (double)(int64_t)value->i;
    uint64_t bits = value->i;
    float f = (float)d;
    uint32_t single;

    if (type == BL_T_F32) {
        memcpy(&single, &f, sizeof single);
        bits = value->is_float && value->single ? value->i : single;
    } else if (type == BL_T_F64) {
        memcpy(&bits, &d, sizeof bits);
    } else if (value->is_float) {
        return bl_ptx_fail(p, p->tok.line, "a float can't be the initial value of a .%s",
                           bl_ptx_type_name(type));
    }
    return put(p, in, bits);
}

/* NAME, NAME + n, generic(NAME), generic(NAME) + n, generic(NAME + n). */
static enum bl_status parse_address(struct bl_ptx_parser *p, struct bl_ptx_reloc *out)
{
    struct bl_ptx_name *name;
    struct bl_ptx_sym *sym;
    int64_t inside, outside;
    int line = p->tok.line;

    memset(out, 0, sizeof *out);
    BL_TRY(bl_ptx_expect_name(p, "a number or a name", &name));
    if (name->word == BL_W_GENERIC && p->tok.kind == '(') {
        out->generic = true;
        BL_TRY(bl_ptx_advance(p));
        BL_TRY(bl_ptx_expect_name(p, "the name of a variable", &name));
    }
    BL_TRY(bl_ptx_lookup(p, name, &sym));
    if (!sym || (sym->kind != BL_SYM_VAR && sym->kind != BL_SYM_FUNC)) {
        return bl_ptx_fail(p, line,
                           "%s is no variable or function that is declared by now",
                           bl_ptx_show(name->text, name->length).text);
    }
    out->var = sym->kind == BL_SYM_VAR ? sym->var : NULL;
    out->func = sym->kind == BL_SYM_FUNC ? sym->func : NULL;
    BL_TRY(bl_ptx_parse_offset(p, &inside));
    if (out->generic) {
        BL_TRY(bl_ptx_expect(p, ')'));
    }
    BL_TRY(bl_ptx_parse_offset(p, &outside));
    out->addend = (int64_t)((uint64_t)inside + (uint64_t)outside);
    return BL_OK;
}

static enum bl_status reloc_add(struct bl_ptx_parser *p, struct init *in,
                                const struct bl_ptx_reloc *reloc)
{
    struct bl_ptx_reloc *slot = bl_arena_push(p->scratch, &in->relocs, sizeof *slot);

    if (!slot) {
        return bl_error_nomem(p->err);
    }
    *slot = *reloc;
    slot->offset = in->at * in->element;
    return put(p, in, 0);
}

/* After MASK, from the parenthesis: byte 0 of an address begins a relocation of 8 bytes,
 * the others must follow it in order. */
static enum bl_status parse_masked(struct bl_ptx_parser *p, struct init *in,
                                   uint64_t mask)
{
    uint32_t byte = mask ? (uint32_t)__builtin_ctzll(mask) / 8 : 8;
    struct bl_ptx_reloc reloc, *begun;
    int line = p->tok.line;

    BL_TRY(bl_ptx_expect(p, '('));
    BL_TRY(parse_address(p, &reloc));
    BL_TRY(bl_ptx_expect(p, ')'));
    if (byte > 7 || mask != (uint64_t)0xff << (8 * byte) || in->element != 1) {
        return bl_ptx_fail(p, line,
                           "a mask takes one byte of an address, into a .b8 or "
                           ".u8: 0xFF, 0xFF00, …");
    }
    if (byte == 0) {
        BL_TRY(reloc_add(p, in, &reloc));
    } else {
        begun = in->relocs.count > 0
                    ? (struct bl_ptx_reloc *)in->relocs.items + in->relocs.count - 1
                    : NULL;
        if (byte != in->byte_next || in->at != in->byte_at || !begun ||
            begun->var != reloc.var || begun->func != reloc.func ||
            begun->addend != reloc.addend || begun->generic != reloc.generic) {
            return bl_ptx_fail(p, line,
                               "the 8 bytes of an address must follow each other, the "
                               "lowest (0xFF) first");
        }
        BL_TRY(put(p, in, 0));
    }
    in->byte_next = (byte + 1) % 8;
    in->byte_at = in->at;
    return BL_OK;
}

static enum bl_status parse_element(struct bl_ptx_parser *p, struct init *in)
{
    struct bl_ptx_value value;
    struct bl_ptx_reloc reloc;
    int line = p->tok.line;

    if (p->tok.kind == BL_TOK_NAME && p->tok.name->word != BL_W_WARP_SZ) {
        BL_TRY(parse_address(p, &reloc));
        if (in->element != 8) {
            return bl_ptx_fail(p, line, "an address needs an element of 8 bytes");
        }
        in->byte_next = 0;
        return reloc_add(p, in, &reloc);
    }
    BL_TRY(bl_ptx_parse_value(p, false, &value));
    if (p->tok.kind == '(' && !value.is_float) {
        return parse_masked(p, in, value.i);
    }
    if (in->byte_next != 0) {
        return bl_ptx_fail(p, line,
                           "the 8 bytes of an address must follow each other, and "
                           "here is a number between them");
    }
    return put_number(p, in, &value);
}

/* A brace opens the next row of the dimension that it stands for. */
static enum bl_status open_row(struct bl_ptx_parser *p, struct init *in, uint32_t depth,
                               uint64_t *end_out)
{
    uint64_t row = 1;

    if (depth >= in->shape->rank) {
        return bl_ptx_fail(p, p->tok.line,
                           "more braces inside each other than the array "
                           "has dimensions (%u)",
                           in->shape->rank);
    }
    if (depth == 0) {
        *end_out = in->count;
        return bl_ptx_advance(p);
    }
    for (uint32_t i = depth; i < in->shape->rank; i++) {
        row *= in->shape->dims[i];
    }
    if (row == 0 || in->at % row != 0 || in->at >= in->limit) {
        return bl_ptx_fail(p, p->tok.line,
                           "a brace that begins within a row, or a row too "
                           "many");
    }
    *end_out = in->at + row;
    return bl_ptx_advance(p);
}

/* From the first brace to its partner. An inner brace fills its own row; what the row
 * lacks stays zero. */
static enum bl_status parse_braces(struct bl_ptx_parser *p, struct init *in)
{
    uint64_t row_end[8];
    uint32_t depth = 0;

    for (;;) {
        if (p->tok.kind == '{' || depth == 0) {
            if (p->tok.kind != '{') {
                return bl_ptx_unexpected(p, "'{' before an array's initial values");
            }
            BL_TRY(open_row(p, in, depth, &row_end[depth]));
            in->limit = row_end[depth++];
            if (p->tok.kind != '}') {
                continue;
            }
        } else {
            BL_TRY(parse_element(p, in));
        }
        while (p->tok.kind == '}') {
            BL_TRY(bl_ptx_advance(p));
            if (--depth == 0) {
                return BL_OK;
            }
            in->at = row_end[depth];
            in->limit = row_end[depth - 1];
        }
        BL_TRY(bl_ptx_expect(p, ','));
    }
}

enum bl_status bl_ptx_parse_init(struct bl_ptx_parser *p, struct bl_ptx_var *var,
                                 const struct bl_ptx_shape *shape)
{
    struct init in = {.var = var, .shape = shape};
    int line = p->tok.line;

    in.element = bl_ptx_type_bytes(var->type);
    in.unsized = shape->rank > 0 && shape->dims[0] == UINT64_MAX;
    in.count = in.unsized ? UINT64_MAX : var->size / in.element;
    in.limit = in.count;
    if (in.unsized && shape->rank > 1) {
        return bl_ptx_fail(p, line,
                           "the first dimension of an array with initial values "
                           "can only be left out if it is the only one");
    }
    p->init_bytes += var->size;
    if (p->init_bytes > most_init_bytes) {
        return bl_ptx_fail(p, line, "initialised variables of more than 256 MiB in all");
    }
    if (!in.unsized) {
        var->init = bl_arena_alloc(p->keep, var->size);
        if (!var->init) {
            return bl_error_nomem(p->err);
        }
    }
    BL_TRY(shape->rank > 0 ? parse_braces(p, &in) : parse_element(p, &in));
    if (in.byte_next != 0) {
        return bl_ptx_fail(p, line,
                           "the last address of these initial values lacks bytes");
    }
    if (in.unsized) {
        var->size = in.bytes.count;
        BL_TRY(bl_ptx_keep(p, &in.bytes, 1, &var->init));
    }
    BL_TRY(bl_ptx_keep(p, &in.relocs, sizeof(struct bl_ptx_reloc), &var->relocs));
    var->reloc_count = in.relocs.count;
    return BL_OK;
}
