# SPDX-License-Identifier: Apache-2.0
#
# BL_SANITIZE
# -----------
# --enable-sanitizers builds everything with AddressSanitizer and UBSan. Plugins keep
# out of it: they are plain data and load into a sanitized program as they are.
AC_DEFUN([BL_SANITIZE],
[AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UBSan])])
bl_sanitize_says=off
AS_IF([test "x$enable_sanitizers" = xyes],
  [SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
   bl_save_CFLAGS=$CFLAGS
   CFLAGS="$CFLAGS $SANITIZE_CFLAGS"
   AC_MSG_CHECKING([whether $CC links with AddressSanitizer and UBSan])
   AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([--enable-sanitizers needs a compiler that links with them])])
   CFLAGS=$bl_save_CFLAGS
   bl_sanitize_says="address, undefined"])
AC_SUBST([SANITIZE_CFLAGS])
AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
bl_cmocka_says="cmocka $(pkg-config --modversion cmocka 2>/dev/null)"
AS_IF([test "x$have_cmocka" != xyes], [bl_cmocka_says="none (no cmocka: apt install libcmocka-dev)"])
bl_prove_says="$PROVE"
AS_IF([test -z "$PERL"], [bl_prove_says="none (no perl)"])
])
