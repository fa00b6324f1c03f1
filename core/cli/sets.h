/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.h - the --set options of a command, and the profile that is read with them.
 */
#ifndef BL_SETS_H
#define BL_SETS_H

#include "cli/cli.h"
#include "load/profile.h"

struct cli_sets {
    struct bl_override *at; /* as they came; their texts are the caller's */
    size_t count;
};

/* Appends; ENOMEM, also where the text is NULL, for want of memory. */
error_t cli_sets_add(struct cli_sets *sets, const char *text);
/* The same of what stands behind --set; ends the program if it sets nothing. */
error_t cli_sets_option(const struct argp_state *state, struct cli_sets *sets,
                        const char *text);
void cli_sets_free(struct cli_sets *sets);

/* Reads the profile that `name` stands for (cli_profile_path), as bl_profile_read. */
enum bl_status cli_profile_read(struct cli_house *house, const char *name,
                                const struct cli_sets *sets, const char *only,
                                struct bl_profile **out, struct bl_error *err);

#endif
