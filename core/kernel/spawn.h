/* SPDX-License-Identifier: Apache-2.0
 *
 * spawn.h - runs a program to its end.
 */
#ifndef BL_KERNEL_SPAWN_H
#define BL_KERNEL_SPAWN_H

#include "base/error.h"

/* args[0] is the program's path. It reads nothing, and all that it prints goes to the
 * file `log`. *status: its exit status, 128 + N if signal N ended it. BL_E_INPUT: it
 * can't be called. */
enum bl_status bl_spawn(char *const *args, const char *log, int *status,
                        struct bl_error *err);

#endif
