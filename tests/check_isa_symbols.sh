#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Objects built for an instruction set may not define anything that the linker could merge with
# another build's: every weak symbol must carry the renamed namespace (jounce_avx2, ...). DW.ref.* are
# pointers for exception handling, not code; __clang_call_terminate is clang's own, two calls and
# no arithmetic.
# check_isa_symbols.sh OBJECT...
set -euo pipefail
status=0
for object in "$@"; do
  bad=$(nm --defined-only "$object" | awk '$2 ~ /[WVuwv]/ && $3 !~ /jounce_(baseline|avx)|^DW\.ref\.|^__clang_call_terminate$/ { print $3 }')
  if [ -n "$bad" ]; then
    echo "$object defines symbols without an instruction set in their names:"
    c++filt <<<"$bad"
    status=1
  fi
done
exit $status
