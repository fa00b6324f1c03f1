/* SPDX-License-Identifier: Apache-2.0
 *
 * saved_case.h - inside of saved.h: one case of a report.
 */
#ifndef BL_SAVED_CASE_H
#define BL_SAVED_CASE_H

#include "compare/member.h"
#include "compare/saved.h"

/* `device_arch` is the arch of cases that do not name theirs. */
enum bl_status bl_saved_case_read(const struct bl_place *at, const char *device_arch,
                                  struct bl_saved_case *out, struct bl_error *err);

#endif
