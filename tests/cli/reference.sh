#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The table of the command line: its examples run and give the keys it says, and
# docs/command_line.md holds it.
# reference.sh PROGRAM PAGE
set -uo pipefail
jounce=$1 page=$2
source "$(dirname "$0")/functions.sh"

"$jounce" reference >"$work/reference" || fail "jounce reference"
sed -n '/^<!-- jounce reference -->$/,/^<!-- end -->$/p' "$page" | sed '1d;$d' >"$work/documented"
diff "$work/reference" "$work/documented" ||
  fail "docs/command_line.md is not what jounce reference prints; put it between its marks"

PATH=$(dirname "$jounce"):$PATH
for command in compute stewart propellers; do
  for name in $(sed -n "s/^### $command //p" "$work/reference"); do
    "$jounce" $command $name --help >"$work/help" || fail "$command $name --help"
    sed -n '/^Example: /,/^$/p' "$work/help" | sed '1s/^Example: //' >"$work/example"
    bash "$work/example" >"$work/out" 2>"$work/err" || fail "example of $command $name: $(cat "$work/err")"
    /usr/bin/env python3 - "$command" "$work/out" "$work/help" <<'PY' || fail "$command $name: other keys than its help says"
import json, sys
command, out, help_text = sys.argv[1:]
found = json.load(open(out))
found = found["results"][0] if command == "compute" else found
writes = open(help_text).read().split("\nWrites:\n")[1].split("\n\n")[0]
keys = [line.split()[0] for line in writes.split("\n") if line[2] != " "]
needed = {key for key in keys if key[0] != "["}
known = {key.strip("[]") for key in keys}
sys.exit(not needed <= set(found) <= known)
PY
  done
done
[ "$(grep -c '^### compute' "$work/reference")" -ge 22 ] || fail "quantities are missing"
"$jounce" compute --help >"$work/help"
for name in $(sed -n "s/^### compute //p" "$work/reference"); do
  grep -q "^  $name " "$work/help" || fail "compute --help does not list $name"
done
awk 'length > 100 {exit 1}' "$work/help" || fail "compute --help has lines of more than 100 columns"

finish "the reference of the command line"
