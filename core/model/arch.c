/* SPDX-License-Identifier: Apache-2.0 */
#include "model/arch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "load/ini_keys.h"

#define NUMBERS(key, member, least, most, low, high, pow2)                               \
    {                                                                                    \
        .name = key, .type = BL_INI_U32, .offset = offsetof(struct bl_arch, member),     \
        .count_min = least, .count_max = most, .minimum = low, .maximum = high,          \
        .power_of_two = pow2                                                             \
    }

#define WORD(key, member, list)                                                          \
    {                                                                                    \
        .name = key, .type = BL_INI_WORD, .offset = offsetof(struct bl_arch, member),    \
        .words = list                                                                    \
    }

/* In the order of the enums of arch.h. */
static const char *const broadcasts[] = {"all", "one", NULL};
static const char *const stores[] = {"word", "open", NULL};
static const char *const atomics[] = {"unknown", "cc90", NULL};
static const char *const coalescings[] = {"sectors", "sequence", NULL};

/* The ranges are those that access.c and the machine can do: 32 lanes, and chains over
 * at most 32 banks. */
static const struct bl_ini_key keys[] = {
    NUMBERS("cc", cc, 1, 1, 10, 999, false),
    NUMBERS("banks", banks, 1, 1, 1, 32, true),
    NUMBERS("bank_bytes", bank_bytes, 1, 1, 4, 8, true),
    NUMBERS("bank_rows", bank_rows, 1, 1, 1, 4, true),
    NUMBERS("access_bytes", access_bytes, 1, 1, 4, 16, true),
    NUMBERS("group", group, 1, 1, 8, 32, true),
    NUMBERS("phase_lanes", phase_lanes, 5, 5, 1, 32, true),
    NUMBERS("beats", beats, 5, 5, 1, 32, true),
    NUMBERS("extra_wavefronts", extra_wavefronts, 5, 5, 0, 8, false),
    NUMBERS("load_merge_xor", merge_xor, 0, 4, 1, 16, true),
    WORD("load_broadcast", broadcast, broadcasts),
    WORD("store_merge", store, stores),
    NUMBERS("wavefront_cycles", wavefront_cycles, 1, 1, 1, 8, false),
    WORD("atomics", atomics, atomics),
    NUMBERS("sector_bytes", sector_bytes, 1, 1, 32, 128, true),
    NUMBERS("global_lanes", global_lanes, 5, 5, 1, 32, true),
    WORD("coalescing", coalescing, coalescings),
    NUMBERS("max_threads", max_threads, 1, 1, 32, 1024, false),
    NUMBERS("max_warps", max_warps, 1, 1, 1, 64, false),
    NUMBERS("max_block", max_block, 3, 3, 1, 1024, false),
    NUMBERS("max_grid", max_grid, 3, 3, 1, 2147483647, false),
    {.name = "max_shared",
     .type = BL_INI_U64,
     .offset = offsetof(struct bl_arch, max_shared),
     .minimum = 1024,
     .maximum = 16777216},
    {.name = "evidence",
     .type = BL_INI_TEXT,
     .offset = offsetof(struct bl_arch, evidence),
     .size = sizeof((struct bl_arch *)0)->evidence},
};

/* 16 lanes of 4 bytes are two sectors of 32. */
static enum bl_status check_sequence(const struct bl_arch *arch, const char *path,
                                     struct bl_error *err)
{
    if (arch->coalescing != BL_COALESCE_SEQUENCE)
        return BL_OK;
    if (arch->sector_bytes != 32)
        return bl_error_at(err, BL_E_INPUT, path, 0,
                           "'coalescing = sequence' is a rule of sectors of 32 bytes; "
                           "'sector_bytes' is %u",
                           arch->sector_bytes);
    for (size_t i = 0; i < 5; i++)
        if (arch->global_lanes[i] != 16)
            return bl_error_at(
                err, BL_E_INPUT, path, 0,
                "'coalescing = sequence' is a rule of requests of 16 lanes; "
                "'global_lanes' has %u for width %u",
                arch->global_lanes[i], 1u << i);
    return BL_OK;
}

/* What the ranges of single keys don't say. */
static enum bl_status check(const struct bl_arch *arch, const char *path,
                            struct bl_error *err)
{
    for (size_t i = 0; i < 5; i++) {
        if (arch->phase_lanes[i] > arch->group)
            return bl_error_at(err, BL_E_INPUT, path, 0,
                               "'phase_lanes' %u for width %u is more than 'group' %u",
                               arch->phase_lanes[i], 1u << i, arch->group);
        if (i > 0 && arch->phase_lanes[i] > arch->phase_lanes[i - 1])
            return bl_error_at(err, BL_E_INPUT, path, 0,
                               "'phase_lanes' may not grow with the width: %u for width "
                               "%u, %u for width %u",
                               arch->phase_lanes[i - 1], 1u << (i - 1),
                               arch->phase_lanes[i], 1u << i);
    }
    if (arch->banks * arch->bank_bytes < 16)
        return bl_error_at(err, BL_E_INPUT, path, 0,
                           "%u banks of %u bytes can't serve a 16-byte access at once",
                           arch->banks, arch->bank_bytes);
    return check_sequence(arch, path, err);
}

/* What was read of `path`, once it is checked. */
static enum bl_status finish(struct bl_arch *arch, const char *name, const char *path,
                             struct bl_arch *out, struct bl_error *err)
{
    enum bl_status status = check(arch, path, err);
    if (status != BL_OK)
        return status;
    if (strlen(name) >= sizeof arch->name)
        return bl_error_at(err, BL_E_INPUT, path, 0,
                           "an arch's name has at most %zu bytes", sizeof arch->name - 1);
    memcpy(arch->name, name, strlen(name) + 1);
    *out = *arch;
    return BL_OK;
}

enum bl_status bl_arch_read(const struct bl_paths *paths, const char *name,
                            struct bl_arch *out, struct bl_error *err)
{
    struct bl_arch arch = {0};
    char *path;
    enum bl_status status = bl_paths_conf_find(paths, "arch", "arch", name, &path, err);
    if (status != BL_OK)
        return status;
    status =
        bl_ini_keys_read(path, "arch", keys, sizeof keys / sizeof keys[0], &arch, err);
    if (status == BL_OK)
        status = finish(&arch, name, path, out, err);
    free(path);
    return status;
}

enum bl_status bl_arch_read_text(const char *path, const char *name, const char *text,
                                 size_t length, struct bl_arch *out, struct bl_error *err)
{
    struct bl_arch arch = {0};
    enum bl_status status = bl_ini_keys_read_text(
        path, text, length, "arch", keys, sizeof keys / sizeof keys[0], &arch, err);
    return status == BL_OK ? finish(&arch, name, path, out, err) : status;
}
