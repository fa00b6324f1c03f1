# bl_core_folder.m4 - let a project have a top-level folder called core.
#
# SPDX-License-Identifier: Apache-2.0
#
# configure removes core dumps, in its exit trap with `rm -f core *.core core.conftest.*`
# and after each program that it tries with `rm -f core conftest.err` and the like. Where
# `core` is a folder the first turns configure's exit status into an error and breaks
# `make distcheck`, and the others complain. The word is taken out of the macros that
# write these lines. Include this before AC_INIT. Tried with Autoconf 2.71.
m4_define([BL_SPARE_CORE],
  [m4_ifdef([$1], [m4_define([$1],
    m4_bpatsubst(m4_dquote(m4_defn([$1])), [rm -f core ], [rm -f ]))])])
BL_SPARE_CORE([_AC_INIT_PREPARE])
BL_SPARE_CORE([_AC_COMPILE_IFELSE])
BL_SPARE_CORE([_AC_LINK_IFELSE])
BL_SPARE_CORE([_AC_RUN_IFELSE])
BL_SPARE_CORE([_AM_PROG_CC_C_O])
