# bl_core_folder.m4 - let a project have a top-level folder called core.
#
# SPDX-License-Identifier: Apache-2.0
#
# configure's exit trap removes core dumps with `rm -f core *.core core.conftest.*`.
# Where `core` is a folder this fails, turns configure's exit status into an error and
# breaks `make distcheck`. The trap's text is fixed inside _AC_INIT_PREPARE, so the one
# word is taken out there. Include this before AC_INIT. Tried with Autoconf 2.71.
m4_define([_AC_INIT_PREPARE],
  m4_bpatsubst(m4_dquote(m4_defn([_AC_INIT_PREPARE])),
    [rm -f core \*\.core core\.conftest\.\*], [rm -f *.core core.conftest.*]))
