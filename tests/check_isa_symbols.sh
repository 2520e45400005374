#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Objects built for an instruction set may not define anything that the linker could merge with
# another build's: every weak symbol must carry the inline namespace of its build (avx2_kernels,
# ...), or its instruction set in a type (Pack). DW.ref.* are pointers for exception handling, not
# code; __clang_call_terminate is clang's own, two calls and no arithmetic.
# check_isa_symbols.sh OBJECT...
set -euo pipefail
own='[0-9](baseline|avx2|avx512)_kernels|3IsaE[0-9]E|^DW\.ref\.|^__clang_call_terminate$'
status=0
for object in "$@"; do
  bad=$(nm --defined-only "$object" |
    awk -v own="$own" '$2 ~ /[WVuwv]/ && $3 !~ own { print $3 }')
  if [ -n "$bad" ]; then
    echo "$object defines symbols without an instruction set in their names:"
    c++filt <<<"$bad"
    status=1
  fi
done
exit $status
