#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The programs that `jounce` runs: they lie beside it, and get what it was given.
# programs.sh PROGRAM
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"
: >"$work/in"

folder="$work/two words"
mkdir "$folder"
cp "$jounce" "$folder/jounce" || fail "cannot copy $jounce"
jounce="$folder/jounce"

# Where they were not built, an error says how.
there_is_none() {  # NAME TARGET ARGS...
  local name=$1 target=$2
  shift 2
  expect 1 "$1: there is no $folder/$name; build it with cmake --build FOLDER --target $target" "$@"
}
there_is_none jounce-tour jounce_tour tour
there_is_none jounce-tour jounce_tour orders frames --json
there_is_none jounce-bench jounce_bench bench --only groups
expect 0 "Example: jounce orders frames --html frames.html" orders frames --help
expect 2 "--bogus" tour --bogus

# What they are given, a line for each argument, and their exit status.
for name in jounce-tour jounce-bench; do
  cat >"$folder/$name" <<'SH'
#!/bin/sh
printf '%s\n' "$@"
exit 3
SH
done
expect 1 "tour: $folder/jounce-tour: Permission denied" tour
chmod +x "$folder/jounce-tour" "$folder/jounce-bench"
gets() {  # LINES ARGS...
  local wanted=$1 got
  shift
  got=$("$jounce" "$@" 2>&1 <"$work/in")
  [ $? = 3 ] || fail "jounce $*: not the exit status of the program"
  [ "$got" = "$wanted" ] || fail "jounce $*: the program gets $(tr '\n' '|' <<<"$got")"
}
gets tour tour
gets $'tour\n--json' tour --json
gets $'orders\nevaluation' orders evaluation
gets $'orders\nframes\n--json\n--html=x y.html' orders frames --json --html 'x y.html'
gets $'--only\nconstrained forward\n--help\n--json\n-' \
  bench --only 'constrained forward' --help --json -
gets $'tour\n--html=-x.html' tour --html=-x.html
# By another name elsewhere it finds them all the same.
ln -s "$folder/jounce" "$work/link"
jounce="$work/link"
gets tour tour

finish "programs"
