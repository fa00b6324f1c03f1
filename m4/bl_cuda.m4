# SPDX-License-Identifier: Apache-2.0
#
# BL_CUDA
# -------
# Headers for a real GPU. Only headers: libcuda, CUPTI and NVML are opened at run time,
# so that one program runs with and without a driver. Looks in --with-cuda=DIR, beside
# nvcc, in /usr/local/cuda, then where the compiler looks itself.
# Sets CUDA_CFLAGS, the conditionals HAVE_CUDA and HAVE_CUPTI, and bl_cuda_says.
AC_DEFUN([BL_CUDA],
[AC_REQUIRE([BL_DEVICE_COMPILER])
AC_ARG_ENABLE([cuda],
  [AS_HELP_STRING([--disable-cuda], [leave out the device cuda, real GPUs])])
AS_IF([test "x$with_cuda" = xno], [enable_cuda=no])
CUDA_CFLAGS=
have_cuda=no
have_cupti=no
bl_cuda_dirs=/usr/local/cuda
AS_IF([test -n "$NVCC"],
  [bl_cuda_dirs="$(cd "$(dirname "$(readlink -f "$NVCC")")/.." && pwd) $bl_cuda_dirs"])
AS_CASE([$with_cuda], [yes|no|""], [], [bl_cuda_dirs="$with_cuda $bl_cuda_dirs"])
AS_IF([test "x$enable_cuda" != xno],
  [AC_MSG_CHECKING([for cuda.h])
   bl_save_CPPFLAGS=$CPPFLAGS
   for bl_dir in $bl_cuda_dirs ""; do
     AS_IF([test "$have_cuda" = no],
       [AS_IF([test -n "$bl_dir"], [bl_flag="-isystem $bl_dir/include"], [bl_flag=])
        CPPFLAGS="$bl_save_CPPFLAGS $bl_flag"
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <cuda.h>
#if CUDA_VERSION < 11040
#error too old
#endif]])], [have_cuda=yes CUDA_CFLAGS=$bl_flag])])
   done
   AC_MSG_RESULT([$have_cuda${CUDA_CFLAGS:+ ($CUDA_CFLAGS)}])
   AS_IF([test "$have_cuda" = yes],
     [CPPFLAGS="$bl_save_CPPFLAGS $CUDA_CFLAGS"
      AC_MSG_CHECKING([for CUPTI's range profiler])
      AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <cupti_range_profiler.h>
#include <cupti_target.h>]])], [have_cupti=yes])
      AC_MSG_RESULT([$have_cupti])])
   CPPFLAGS=$bl_save_CPPFLAGS])
AS_IF([test "$have_cuda" = yes], [AC_DEFINE([HAVE_CUDA], [1], [Define if the device cuda is built.])])
AC_SUBST([CUDA_CFLAGS])
AM_CONDITIONAL([HAVE_CUDA], [test "$have_cuda" = yes])
AM_CONDITIONAL([HAVE_CUPTI], [test "$have_cupti" = yes])
AS_CASE([$enable_cuda/$have_cuda/$have_cupti],
  [no/*], [bl_cuda_says="left out, as asked: the model only"],
  [*/yes/yes], [bl_cuda_says="device cuda, with hardware counters"],
  [*/yes/no], [bl_cuda_says="device cuda, without hardware counters (no CUPTI 12.6 or newer)"],
  [bl_cuda_says="none (no cuda.h 11.4 or newer): the model only"])
])
