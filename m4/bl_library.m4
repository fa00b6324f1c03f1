# SPDX-License-Identifier: Apache-2.0
#
# BL_LIBRARY(VARIABLE, PKG-CONFIG-MODULE, HEADER, FUNCTION, LIB, DEBIAN-PACKAGE)
# ------------------------------------------------------------------------------
# Finds a library that the lab can't do without, by pkg-config or else by its header
# and a function. Sets VARIABLE_CFLAGS and VARIABLE_LIBS; stops with the package's name.
AC_DEFUN([BL_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [],
  [AC_CHECK_HEADER([$3], [],
     [AC_MSG_ERROR([the $5 library is needed (Debian and Ubuntu: apt install $6; or run ./quickstart)])])
   bl_save_LIBS=$LIBS
   AC_CHECK_LIB([$5], [$4], [$1_LIBS=-l$5],
     [AC_MSG_ERROR([the $5 library has its header, but does not link])])
   LIBS=$bl_save_LIBS
   AC_SUBST([$1_LIBS])])
])
