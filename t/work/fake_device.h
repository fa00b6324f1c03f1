/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_device.h - a device for tests whose kernels are functions of the host, so that
 * the runner is tested without any model; and plugins and cases made by hand.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "work/device.h"

/* What the test wants of the next runs. */
enum fake_deed {
    FAKE_RIGHT,         /* the right result */
    FAKE_WRONG,         /* element 5 has a bit turned over */
    FAKE_UNWRITTEN,     /* the last element is left alone */
    FAKE_IDLE,          /* nothing is written at all */
    FAKE_GUARD,         /* right, and a byte past the output */
    FAKE_GUARD_BEFORE,  /* right, and a byte before the input */
    FAKE_INPUT_CHANGED, /* right, and the input changed afterwards */
    FAKE_FAULT,
    FAKE_BAD_PTX,
    FAKE_UNSUPPORTED
};

struct fake_device {
    struct bl_device dev;
    size_t runs;              /* jobs seen */
    char labels[16][128];     /* of the first jobs */
    uint64_t first_input[16]; /* their inputs' first words */
};

void fake_device_init(struct fake_device *fake);

/* A plugin of kind copy: parameters `deed` (enum fake_deed), `ways` 1..32 (the fake
 * charges that many data-stage cycles an element) and `clocked`; twin: ways = 1. */
extern const struct bl_plugin fake_plugin;

enum { FAKE_DEED, FAKE_WAYS, FAKE_CLOCKED, FAKE_PARAMS };

/* The case: elem 4, 8 x 16. `params` are the caller's. */
struct bl_case fake_case(const char *name, banklab_value *params, enum fake_deed deed,
                         int64_t ways);

#endif
