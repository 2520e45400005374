#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The archive may not define anything of Eigen's: a user's program has the same names, compiled with
# flags of its own, and the linker would keep one of the two.
# check_archive_symbols.sh ARCHIVE
set -euo pipefail
bad=$(nm -C --defined-only "$1" | sed -nE 's/^[0-9a-f]+ [A-Za-z] //p' |
  grep -E '^([^(]*[ &*])?(guard variable for )?Eigen::|^std::[^(]*Eigen::' || true)
[ -z "$bad" ] || { echo "$1 defines symbols of Eigen:"; echo "$bad"; exit 1; }
