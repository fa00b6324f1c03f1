/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: no summary.
 */
#include "banklab/plugin.h"

#define NAME    "no_summary"
#define SUMMARY NULL
#include "fixture.h"
