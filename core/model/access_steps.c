/* SPDX-License-Identifier: Apache-2.0 */
#include "model/access_steps.h"

enum { LANES = 32 };

/* What a phase's lanes want of one bank. */
struct bank {
    uint32_t lanes, words;
    uint32_t unit[LANES]; /* the words' addresses >> row_log2 */
    uint32_t size[LANES]; /* their lanes; greatest first, once sorted */
};

/* Only the banks in use, which are no more than lanes. */
struct phase {
    uint32_t count;
    uint32_t place[LANES];
    struct bank banks[LANES];
};

static struct bank *bank_at(struct phase *phase, uint32_t place)
{
    uint32_t i = 0;
    while (i < phase->count && phase->place[i] != place)
        i++;
    if (i == phase->count) {
        phase->place[phase->count++] = place;
        phase->banks[i].lanes = phase->banks[i].words = 0;
    }
    return &phase->banks[i];
}

static void add_lane(struct bank *bank, uint32_t unit)
{
    uint32_t i = 0;
    while (i < bank->words && bank->unit[i] != unit)
        i++;
    if (i == bank->words) {
        bank->unit[bank->words++] = unit;
        bank->size[i] = 0;
    }
    bank->size[i]++;
    bank->lanes++;
}

static void sort_words(struct bank *bank)
{
    for (uint32_t i = 1; i < bank->words; i++) {
        uint32_t size = bank->size[i], j = i;
        for (; j > 0 && bank->size[j - 1] < size; j--)
            bank->size[j] = bank->size[j - 1];
        bank->size[j] = size;
    }
}

/* The least broadcasts by which the bank is done in `steps` steps; more than there are
 * steps if it can't be. */
static uint32_t broadcasts_needed(const struct bank *bank, uint32_t steps)
{
    uint32_t others = bank->lanes;
    for (uint32_t k = 0; k <= steps; k++) {
        if (others <= steps - k)
            return k;
        if (k < bank->words)
            others -= bank->size[k];
    }
    return steps + 1;
}

static uint32_t least_steps(const struct phase *phase)
{
    uint32_t steps = 0, sum;
    do {
        steps++;
        sum = 0;
        for (uint32_t i = 0; i < phase->count; i++)
            sum += broadcasts_needed(&phase->banks[i], steps);
    } while (sum > steps);
    return steps;
}

static uint32_t most_steps(const struct phase *phase)
{
    uint32_t steps = 0;
    for (uint32_t lanes = 1; lanes <= LANES; lanes++)
        for (uint32_t i = 0; i < phase->count; i++) {
            const struct bank *bank = &phase->banks[i];
            if (bank->lanes == lanes)
                steps = steps + bank->words < lanes ? steps + bank->words : lanes;
        }
    return steps;
}

struct bl_access_steps bl_access_one_broadcast(const struct bl_access_row *row,
                                               uint32_t mask, const uint32_t address[32])
{
    struct phase phase;
    phase.count = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t a = address[__builtin_ctz(mask)];
        add_lane(bank_at(&phase, a >> row->unit_log2 & row->mask), a >> row->row_log2);
    }
    for (uint32_t i = 0; i < phase.count; i++)
        sort_words(&phase.banks[i]);
    return (struct bl_access_steps){least_steps(&phase), most_steps(&phase)};
}
