/* SPDX-License-Identifier: Apache-2.0 */

#include <string.h>

#include "model/ptx_lex.h"

static const struct {
    const char *text;
    enum bl_ptx_word word;
} words[] = {
    {"version", BL_W_VERSION},
    {"target", BL_W_TARGET},
    {"address_size", BL_W_ADDRESS_SIZE},
    {"file", BL_W_FILE},
    {"loc", BL_W_LOC},
    {"section", BL_W_SECTION},
    {"pragma", BL_W_PRAGMA},
    {"alias", BL_W_ALIAS},
    {"attribute", BL_W_ATTRIBUTE},
    {"visible", BL_W_LINKAGE},
    {"weak", BL_W_LINKAGE},
    {"common", BL_W_LINKAGE},
    {"extern", BL_W_EXTERN},
    {"entry", BL_W_ENTRY},
    {"func", BL_W_FUNC},
    {"global", BL_W_GLOBAL},
    {"const", BL_W_CONST},
    {"shared", BL_W_SHARED},
    {"local", BL_W_LOCAL},
    {"param", BL_W_PARAM},
    {"reg", BL_W_REG},
    {"align", BL_W_ALIGN},
    {"ptr", BL_W_PTR},
    {"v2", BL_W_VECTOR},
    {"v4", BL_W_VECTOR},
    {"v8", BL_W_VECTOR},
    {"maxntid", BL_W_MAXNTID},
    {"reqntid", BL_W_REQNTID},
    {"minnctapersm", BL_W_NUMBERS},
    {"maxnctapersm", BL_W_NUMBERS},
    {"maxnreg", BL_W_NUMBERS},
    {"maxclusterrank", BL_W_NUMBERS},
    {"reqnctapercluster", BL_W_NUMBERS},
    {"abi_preserve", BL_W_NUMBERS},
    {"abi_preserve_control", BL_W_NUMBERS},
    {"noreturn", BL_W_ALONE},
    {"explicitcluster", BL_W_ALONE},
    {"blocksareclusters", BL_W_ALONE},
    {"branchtargets", BL_W_BRANCHTARGETS},
    {"calltargets", BL_W_CALLTARGETS},
    {"callprototype", BL_W_CALLPROTOTYPE},
    {"texref", BL_W_OPAQUE},
    {"samplerref", BL_W_OPAQUE},
    {"surfref", BL_W_OPAQUE},
    {"generic", BL_W_GENERIC},
    {"WARP_SZ", BL_W_WARP_SZ},
};

static uint32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    return hash ^ hash >> 15;
}

static struct bl_ptx_name *find_hashed(const struct bl_ptx_names *names, const char *text,
                                       size_t length, uint32_t hash)
{
    struct bl_ptx_name *name = names->buckets[hash & (names->bucket_count - 1)];

    while (name && (name->hash != hash || name->length != length ||
                    memcmp(name->text, text, length) != 0)) {
        name = name->next;
    }
    return name;
}

struct bl_ptx_name *bl_ptx_name_find(const struct bl_ptx_names *names, const char *text,
                                     size_t length)
{
    return find_hashed(names, text, length, hash_text(text, length));
}

static bool grow(struct bl_ptx_names *names)
{
    size_t bucket_count = names->bucket_count * 2;
    struct bl_ptx_name **buckets =
        bl_arena_alloc(names->scratch, bucket_count * sizeof *buckets);

    if (!buckets) {
        return false;
    }
    for (size_t i = 0; i < names->bucket_count; i++) {
        struct bl_ptx_name *name = names->buckets[i];
        while (name) {
            struct bl_ptx_name *next = name->next;
            name->next = buckets[name->hash & (bucket_count - 1)];
            buckets[name->hash & (bucket_count - 1)] = name;
            name = next;
        }
    }
    names->buckets = buckets;
    names->bucket_count = bucket_count;
    return true;
}

struct bl_ptx_name *bl_ptx_name_add(struct bl_ptx_names *names, const char *text,
                                    size_t length)
{
    uint32_t hash = hash_text(text, length);
    struct bl_ptx_name *name = find_hashed(names, text, length, hash);

    if (name) {
        return name;
    }
    if (names->count >= names->bucket_count && !grow(names)) {
        return NULL;
    }
    name = bl_arena_alloc(names->scratch, sizeof *name);
    if (!name) {
        return NULL;
    }
    name->text = bl_arena_copy(names->keep, text, length);
    if (!name->text) {
        return NULL;
    }
    name->length = length;
    name->hash = hash;
    name->next = names->buckets[hash & (names->bucket_count - 1)];
    names->buckets[hash & (names->bucket_count - 1)] = name;
    names->count++;
    return name;
}

enum bl_status bl_ptx_names_init(struct bl_ptx_names *names, struct bl_arena *keep,
                                 struct bl_arena *scratch, struct bl_error *err)
{
    struct bl_ptx_name *name;

    memset(names, 0, sizeof *names);
    names->keep = keep;
    names->scratch = scratch;
    names->bucket_count = 512;
    names->buckets =
        bl_arena_alloc(scratch, names->bucket_count * sizeof *names->buckets);
    if (!names->buckets) {
        return bl_error_nomem(err);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        name = bl_ptx_name_add(names, words[i].text, strlen(words[i].text));
        if (!name) {
            return bl_error_nomem(err);
        }
        name->word = words[i].word;
    }
    for (int type = BL_T_NONE + 1; type <= BL_T_F64; type++) {
        const char *text = bl_ptx_type_name((enum bl_ptx_type)type);
        name = bl_ptx_name_add(names, text, strlen(text));
        if (!name) {
            return bl_error_nomem(err);
        }
        name->type = (enum bl_ptx_type)type;
    }
    return BL_OK;
}
