/* SPDX-License-Identifier: Apache-2.0
 *
 * The plugin that the tests of profiles use: every type of parameter, and a twin.
 */
#include "banklab/plugin.h"

static const char *const probe_tiles[] = {"16", "32", "64", NULL};
static const char *const probe_ops[] = {"load", "store", NULL};

static const struct banklab_param probe_params[] = {
    {.name = "stride",
     .help = "words between neighbours",
     .unit = "words",
     .type = BANKLAB_PARAM_INT,
     .minimum = 0,
     .maximum = 64,
     .default_value = 1},
    {.name = "pad",
     .help = "words between rows",
     .type = BANKLAB_PARAM_INT,
     .minimum = -2,
     .maximum = 8},
    {.name = "tile",
     .help = "edge of a tile",
     .type = BANKLAB_PARAM_INT,
     .choices = probe_tiles,
     .default_value = 32},
    {.name = "op",
     .help = "what is done",
     .type = BANKLAB_PARAM_CHOICE,
     .choices = probe_ops,
     .default_value = 1},
};
static const struct banklab_setting probe_twin[] = {{"pad", "1"}, {"op", "load"}};

#define NAME   "probe"
#define PARAMS BANKLAB_PARAMS(probe_params)
#define TWIN   BANKLAB_TWIN(probe_twin)
#define ELEMS  (BANKLAB_ELEM(4) | BANKLAB_ELEM(8))
#include "fixture.h"
