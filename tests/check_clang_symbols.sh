#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_isa_symbols.sh on what clang makes of one kernel file, for two instruction sets.
# check_clang_symbols.sh CLANG SOURCE_FOLDER
set -euo pipefail
clang=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A flags=([baseline]="")
if [ "$(uname -m)" = x86_64 ]; then flags[avx2]="-mavx2 -mfma"; fi
for isa in "${!flags[@]}"; do
  # shellcheck disable=SC2086
  "$clang" -std=c++20 -O1 -Djounce=jounce_$isa ${flags[$isa]} -I"$source/include" -I"$source/src" \
    -c "$source/src/kernels/tree.cpp" -o "$work/tree_$isa.o"
done
"$source/tests/check_isa_symbols.sh" "$work"/*.o
