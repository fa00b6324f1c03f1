# SPDX-License-Identifier: Apache-2.0
#
# BANKLAB_PLUGIN([VERSION], [IF-FOUND], [IF-NOT])
# -----------------------------------------------
# What it takes to build banklab plugins with Automake and Libtool, from the banklab that
# pkg-config knows, of at least VERSION. Without IF-NOT it is an error if there is none.
# Substitutes
#
#   BANKLAB_CFLAGS          where <banklab/plugin.h> and <banklab/device.h> are
#   BANKLAB_DEVICE_PTX      the command that makes PTX, all but -I, -o and the file; set it,
#                           or BANKLAB_DEVICE_COMPILER and BANKLAB_DEVICE_FLAGS, to choose
#   BANKLAB_EMBED           a filter: from PTX to what a C array can include
#   BANKLAB_PLUGIN_LDFLAGS  for NAME_la_LDFLAGS: a module that exports what it must
#   BANKLAB_PROGRAM         banklab, to test with
#   banklab_plugindir       where it looks for plugins; a directory variable for Automake
#
# `man 7 banklab-plugin' has the Makefile.am that goes with it.
AC_DEFUN([BANKLAB_PLUGIN],
[AC_REQUIRE([PKG_PROG_PKG_CONFIG])
AC_ARG_VAR([BANKLAB_DEVICE_COMPILER], [what compiles device code: nvcc or clang])
AC_ARG_VAR([BANKLAB_DEVICE_FLAGS], [its flags, with which it makes PTX])
AC_ARG_VAR([BANKLAB_DEVICE_PTX], [both together])
AC_ARG_VAR([BANKLAB_PROGRAM], [the program banklab])
PKG_CHECK_MODULES([BANKLAB], [banklab]m4_ifval([$1], [ >= $1]),
  [PKG_CHECK_VAR([banklab_plugindir], [banklab], [plugindir])
   PKG_CHECK_VAR([BANKLAB_DEVICE_COMPILER], [banklab], [devicecompiler])
   PKG_CHECK_VAR([BANKLAB_DEVICE_FLAGS], [banklab], [deviceflags])
   PKG_CHECK_VAR([BANKLAB_PROGRAM], [banklab], [program])
   AS_IF([test -z "$BANKLAB_DEVICE_PTX"],
     [AS_IF([test -z "$BANKLAB_DEVICE_COMPILER"],
        [AC_MSG_ERROR([banklab was built without a device compiler; set BANKLAB_DEVICE_PTX, as in BANKLAB_DEVICE_PTX='nvcc -ptx -arch=compute_75 -O3 -lineinfo'])])
      BANKLAB_DEVICE_PTX="$BANKLAB_DEVICE_COMPILER $BANKLAB_DEVICE_FLAGS"])
   AC_SUBST([BANKLAB_EMBED], ["{ od -An -v -tu1 | sed 's/@<:@ @:>@@<:@ @:>@*\\(@<:@0-9@:>@@<:@0-9@:>@*\\)/\\1,/g'; }"])
   AC_SUBST([BANKLAB_PLUGIN_LDFLAGS], ["-module -avoid-version -shared -export-symbols-regex '^banklab_plugin\$\$'"])
   $2],
  m4_ifval([$3], [[$3]],
    [[AC_MSG_ERROR([no banklab]m4_ifval([$1], [ of version $1 or later])[ is known to pkg-config; put the folder of its banklab.pc into PKG_CONFIG_PATH])]]))
])
