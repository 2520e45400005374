#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_isa_symbols.sh on what clang makes of kernel files, for two instruction sets.
# check_clang_symbols.sh CLANG SOURCE_FOLDER [NAME...]     of src/kernels/NAME.cpp; all by default
set -euo pipefail
clang=$1 source=$2
shift 2
if [ $# -eq 0 ]; then
  mapfile -t names < <(basename -s .cpp "$source"/src/kernels/*.cpp | grep -v '^dispatch$')
  set -- "${names[@]}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A flags=([baseline]="")
if [ "$(uname -m)" = x86_64 ]; then flags[avx2]="-mavx2 -mfma"; fi
for isa in "${!flags[@]}"; do
  for name in "$@"; do
    # shellcheck disable=SC2086
    "$clang" -std=c++20 -O1 -Wno-pass-failed -DJOUNCE_ISA="${isa}_kernels" ${flags[$isa]} \
      -I"$source/include" -I"$source/src" -c "$source/src/kernels/$name.cpp" \
      -o "$work/${name}_$isa.o"
  done
done
"$source/tests/check_isa_symbols.sh" "$work"/*.o
