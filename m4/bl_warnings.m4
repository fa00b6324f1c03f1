# SPDX-License-Identifier: Apache-2.0
#
# BL_WARNINGS
# -----------
# WARN_CFLAGS for our own C. --enable-werror makes them errors, as CI does.
AC_DEFUN([BL_WARNINGS],
[AC_REQUIRE([AC_PROG_CC])
AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])])
AX_APPEND_COMPILE_FLAGS([-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion \
  -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wformat=2 \
  -Wundef -Wvla], [WARN_CFLAGS], [-Werror])
bl_warnings_says=shown
AS_IF([test "x$enable_werror" = xyes],
  [AX_APPEND_COMPILE_FLAGS([-Werror], [WARN_CFLAGS])
   bl_warnings_says="errors (--enable-werror)"])
AC_SUBST([WARN_CFLAGS])
])
