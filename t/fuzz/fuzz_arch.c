/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an arch file: read or refused with the file's name; and whatever rules are
 * read, accesses by them cost what can be.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/access.h"

#define LIMITS                                                                           \
    "max_threads = 1024\nmax_warps = 64\nmax_block = 1024, 1024, 64\n"                   \
    "max_grid = 9, 9, 9\nmax_shared = 49152\nevidence = fuzz\n"

const char *const fuzz_seeds[] = {
    "[arch]\ncc = 90\nbanks = 32\nbank_bytes = 4\nbank_rows = 1\naccess_bytes = 16\n"
    "group = 32\nphase_lanes = 32, 32, 32, 16, 8\nbeats = 1, 1, 1, 2, 4\n"
    "extra_wavefronts = 0, 0, 0, 0, 1\nload_merge_xor = 1, 2\nload_broadcast = all\n"
    "store_merge = word\nwavefront_cycles = 1\natomics = cc90\nsector_bytes = 32\n"
    "global_lanes = 32, 32, 32, 16, 8\ncoalescing = sectors\n" LIMITS,
    "[arch]\ncc = 10\nbanks = 16\nbank_bytes = 4\nbank_rows = 2\naccess_bytes = 4\n"
    "group = 16\nphase_lanes = 16, 16, 16, 16, 16\nbeats = 2, 2, 2, 4, 8\n"
    "extra_wavefronts = 0, 0, 0, 0, 0\nload_merge_xor = none\nload_broadcast = one\n"
    "store_merge = open\nwavefront_cycles = 2\natomics = unknown\nsector_bytes = 32\n"
    "global_lanes = 16, 16, 16, 16, 16\ncoalescing = sequence\n" LIMITS,
    "[arch]\nbanks = 2\n",
    NULL,
};

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void check_shared(const struct bl_arch *arch, bool is_store, uint32_t width,
                         uint32_t mask, const uint32_t near[32])
{
    struct bl_access_memo memo = {0};
    struct bl_shared_cost cost, again;
    bl_access_shared(arch, is_store, width, mask, near, &cost);
    expect(cost.ideal >= 1 && cost.ideal <= cost.phases);
    expect(cost.ideal <= cost.wavefronts_least);
    expect(cost.wavefronts_least <= cost.wavefronts);
    expect(cost.ways_least >= 1 && cost.ways_least <= cost.ways);
    expect(bl_arch_is_open(arch) || cost.wavefronts_least == cost.wavefronts);
    expect(cost.conflicts == cost.wavefronts - cost.ideal);
    expect(cost.cycles >= cost.wavefronts);
    expect(cost.ways <= 32 + 8); /* a lane each, and the extra ones */
    for (int i = 0; i < 2; i++) {
        bl_access_shared_memo(&memo, arch, is_store, width, mask, near, &again);
        expect(memcmp(&cost, &again, sizeof cost) == 0);
    }
}

static void check_global(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                         const uint32_t near[32])
{
    struct bl_global_cost cost;
    uint64_t far[32];
    for (uint32_t l = 0; l < 32; l++)
        far[l] = UINT64_C(0x700000000) + near[l];
    bl_access_global(arch, width, mask, far, &cost);
    expect(cost.ideal >= 1 && cost.sectors >= 1);
    expect(cost.ideal <= cost.sectors);
    expect(cost.sectors <= 32 + 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_arch arch;
    uint64_t seed = size;
    if (bl_arch_read_text("fuzz", "ccfuzz", (const char *)data, size, &arch, &err) !=
        BL_OK) {
        expect(strncmp(err.text, "fuzz:", 5) == 0);
        return 0;
    }
    for (size_t i = 0; i < size; i++)
        seed = seed * 31 + data[i];
    for (int i = 0; i < 20; i++) {
        uint32_t near[32], mask, width = 1u << i % 5, reach;
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        mask = (uint32_t)(seed >> 32) | 1u << i;
        reach = 1u << (seed >> 20 & 7);
        for (uint32_t l = 0; l < 32; l++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            near[l] = (uint32_t)(seed >> 40) % reach * width + (l & 4) * 256;
        }
        check_shared(&arch, i & 1, width, mask, near);
        check_global(&arch, width, mask, near);
    }
    return 0;
}
