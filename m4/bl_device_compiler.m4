# SPDX-License-Identifier: Apache-2.0
#
# BL_COMPILES_DEVICE_CODE(COMMAND, SOURCE, [IF-SO], [IF-NOT])
# ------------------------------------------------------------
# Whether COMMAND -o k.ptx k.cu makes PTX of SOURCE: an nvcc may lack its host compiler,
# a clang its NVPTX back end.
AC_DEFUN([BL_COMPILES_DEVICE_CODE],
[set dummy $1; bl_command=$[2]
AC_MSG_CHECKING([whether $bl_command compiles device code])
mkdir -p conftest.dir
AS_ECHO(['$2']) > conftest.dir/k.cu
AS_IF([(cd conftest.dir && $1 -o k.ptx k.cu) >&AS_MESSAGE_LOG_FD 2>&1 &&
       grep '^.target' conftest.dir/k.ptx >/dev/null 2>&1],
  [AC_MSG_RESULT([yes])
   $3],
  [AC_MSG_RESULT([no, see config.log])
   $4])
rm -rf conftest.dir
])

# BL_DEVICE_COMPILER
# ------------------
# Who turns a plugin's NAME.cu into NAME.ptx:
#   1. nvcc: --with-cuda=DIR, else PATH, else /usr/local/cuda;
#   2. clang with its NVPTX back end, and no CUDA toolkit at all;
#   3. nobody: a release tarball carries the PTX (plugins/PTX-ORIGIN is its mark).
# --with-device-compiler=nvcc|clang|none chooses. A tarball's PTX is used as it is
# unless one is chosen by name.
#
# Sets NVCC, DEVICE_CLANG (either may be empty) for the tests that want a given one,
# DEVICE_COMPILER (nvcc, clang, none), DEVICE_PTX (the command up to the source file,
# writing to -o), DEVICE_PROGRAM and DEVICE_FLAGS (the same for plugins outside of the
# project; empty where neither compiler is found) and bl_device_says.
AC_DEFUN([BL_DEVICE_COMPILER],
[AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda=DIR],
    [look for nvcc and cuda.h in DIR first (--without-cuda: nowhere)])],
  [], [with_cuda=])
AC_ARG_WITH([device-compiler],
  [AS_HELP_STRING([--with-device-compiler=NAME],
    [what compiles device code: nvcc, clang or none @<:@first found@:>@])],
  [], [with_device_compiler=auto])
AC_ARG_WITH([device-arch],
  [AS_HELP_STRING([--with-device-arch=NN],
    [compute capability that plugins are compiled for, without the dot @<:@75@:>@])],
  [], [with_device_arch=75])

bl_cuda_path="$PATH$PATH_SEPARATOR/usr/local/cuda/bin"
AS_CASE([$with_cuda], [yes|no|""], [], [bl_cuda_path="$with_cuda/bin$PATH_SEPARATOR$bl_cuda_path"])
AS_IF([test "x$with_cuda" = xno], [NVCC=],
  [AC_PATH_PROG([NVCC], [nvcc], [], [$bl_cuda_path])])
AC_SUBST([NVCC])
AS_IF([test -n "$NVCC"],
  [BL_COMPILES_DEVICE_CODE([$NVCC -ptx -arch=compute_$with_device_arch],
     [__global__ void k(int *p) { *p = 1; }], [], [NVCC=])])
AC_PATH_PROGS([bl_clangs], [clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14])
DEVICE_CLANG=
AS_IF([test -n "$bl_clangs"],
  [BL_COMPILES_DEVICE_CODE([$bl_clangs -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_$with_device_arch -S],
     [__attribute__((global)) void k(int *p) { *p = 1; }], [DEVICE_CLANG=$bl_clangs])])

bl_nvcc_flags="-ptx -arch=compute_$with_device_arch -O3 -lineinfo -std=c++14"
bl_clang_flags="-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_$with_device_arch -O3 -gline-tables-only -std=c++14 -Wno-unknown-cuda-version -S"
AS_CASE([$with_device_compiler],
  [auto], [
    AS_IF([test -f "$srcdir/plugins/PTX-ORIGIN"], [DEVICE_COMPILER=none],
          [test -n "$NVCC"], [DEVICE_COMPILER=nvcc],
          [test -n "$DEVICE_CLANG"], [DEVICE_COMPILER=clang],
          [AC_MSG_ERROR([no device compiler: neither nvcc nor a clang with the NVPTX back end was found (Debian and Ubuntu: apt install clang; or run ./quickstart)])])],
  [nvcc], [DEVICE_COMPILER=nvcc
    AS_IF([test -z "$NVCC"], [AC_MSG_ERROR([--with-device-compiler=nvcc: no nvcc found; name its toolkit by --with-cuda=DIR])])],
  [clang], [DEVICE_COMPILER=clang
    AS_IF([test -z "$DEVICE_CLANG"], [AC_MSG_ERROR([--with-device-compiler=clang: no clang with the NVPTX back end found])])],
  [none], [DEVICE_COMPILER=none
    AS_IF([test ! -f "$srcdir/plugins/PTX-ORIGIN"], [AC_MSG_ERROR([--with-device-compiler=none: this tree carries no PTX; only a release tarball does])])],
  [AC_MSG_ERROR([--with-device-compiler=$with_device_compiler: nvcc, clang or none is expected])])
AS_CASE([$DEVICE_COMPILER],
  [nvcc], [DEVICE_PTX="$NVCC $bl_nvcc_flags"
    bl_device_says="nvcc ($NVCC), for compute_$with_device_arch"],
  [clang], [DEVICE_PTX="$DEVICE_CLANG $bl_clang_flags"
    bl_device_says="clang ($DEVICE_CLANG), for sm_$with_device_arch, no CUDA toolkit needed"],
  [DEVICE_PTX=false
   bl_device_says="the PTX that the tarball carries"])
# What others compile their device code with: the same, or for a tarball's PTX what
# there is besides.
AS_CASE([$DEVICE_COMPILER:$NVCC:$DEVICE_CLANG],
  [nvcc:*|none:?*:*], [bl_device_program=$NVCC bl_device_flags=$bl_nvcc_flags],
  [clang:*|none::?*], [bl_device_program=$DEVICE_CLANG bl_device_flags=$bl_clang_flags],
  [bl_device_program= bl_device_flags=])
AC_SUBST([DEVICE_PROGRAM], [$bl_device_program])
AC_SUBST([DEVICE_FLAGS], [$bl_device_flags])
AC_SUBST([DEVICE_CLANG])
AC_SUBST([DEVICE_COMPILER])
AC_SUBST([DEVICE_PTX])
AM_CONDITIONAL([HAVE_DEVICE_COMPILER], [test "x$DEVICE_COMPILER" != xnone])
# The PTX depends on this file, so that choosing another compiler makes it anew.
AC_CONFIG_COMMANDS([plugins/device-compiler],
  [AS_MKDIR_P([plugins])
   AS_ECHO(["$bl_device_ptx"]) > plugins/device-compiler.new
   AS_IF([cmp -s plugins/device-compiler.new plugins/device-compiler],
     [rm -f plugins/device-compiler.new],
     [mv -f plugins/device-compiler.new plugins/device-compiler
      # PTX that another compiler made here must not hide what the tarball carries.
      AS_IF([test "$bl_device_ptx" = false && test "$srcdir" != .],
        [rm -f plugins/*/*.ptx plugins/*/*.ptx.inc])])],
  [bl_device_ptx='$DEVICE_PTX'])
])
