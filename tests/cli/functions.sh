# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the command line share: $work, a folder of their own; expect, refused and finish.
# Sourced with $jounce set.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
# `bench`, where that program was built.
bench=()
[ ! -x "$(dirname "$jounce")/jounce-bench" ] || bench=(bench)

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
# expect STATUS TEXT ARGS...: the exit status, and a piece of what is printed (stdout and stderr).
# Standard input is $work/in.
expect() {
  local status=$1 text=$2 out code
  shift 2
  out=$("$jounce" "$@" 2>&1 <"$work/in")
  code=$?
  [ "$code" = "$status" ] || fail "jounce $*: exit status $code, not $status: $out"
  grep -qF -- "$text" <<<"$out" || fail "jounce $*: no '$text' in: $out"
  if [ "$status" != 0 ] && [ "$(wc -l <<<"$out")" != "${error_lines:-1}" ]; then
    fail "jounce $*: an error must be ${error_lines:-1} lines: $out"
  fi
}
# given INPUT STATUS TEXT ARGS...: the same, with this standard input.
given() {
  printf '%s' "$1" >"$work/in"
  shift
  expect "$@"
}
finish() {
  [ "$failures" = 0 ] && echo "$1: all as expected"
  exit $((failures > 0))
}
