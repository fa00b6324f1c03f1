/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profiles.h"

error_t cli_sets_add(struct cli_sets *sets, const char *text)
{
    struct bl_override *at = realloc(sets->at, (sets->count + 1) * sizeof *at);

    if (!at)
        return ENOMEM;
    sets->at = at;
    if (!text)
        return ENOMEM;
    sets->at[sets->count++].text = text;
    return 0;
}

error_t cli_sets_option(const struct argp_state *state, struct cli_sets *sets,
                        const char *text)
{
    if (!strchr(text, '=') || *text == '=')
        cli_usage(state, "--set takes KEY=VALUE or CASE.KEY=VALUE, not \"%s\"", text);
    return cli_sets_add(sets, text);
}

void cli_sets_free(struct cli_sets *sets)
{
    free(sets->at);
    *sets = (struct cli_sets){NULL, 0};
}

enum bl_status cli_profile_read(struct cli_house *house, const char *name,
                                const struct cli_sets *sets, const char *only,
                                struct bl_profile **out, struct bl_error *err)
{
    char *path = NULL;
    enum bl_status status = cli_profile_path(&house->paths, name, &path, err);

    if (status == BL_OK)
        status =
            bl_profile_read(path, house->registry, sets->at, sets->count, only, out, err);
    free(path);
    return status;
}
