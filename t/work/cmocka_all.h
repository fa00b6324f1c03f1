/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka_all.h - cmocka with the headers that it wants before it.
 */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define RUN_TAP(tests)                                                                   \
    (cmocka_set_message_output(CM_OUTPUT_TAP),                                           \
     cmocka_run_group_tests((tests), NULL, NULL))

#define assert_contains(text, part)                                                      \
    do {                                                                                 \
        if (!strstr((text), (part)))                                                     \
            fail_msg("'%s' is not in '%s'", (part), (text));                             \
    } while (0)

#endif
