#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The command lines of the README run one after the other as they are printed, on a robot of six
# joints in the place of my.urdf.
# readme.sh PROGRAM PAGE
set -uo pipefail
jounce=$(realpath "$1")
page=$(realpath "$(dirname "$2")/../README.md")
models=$(realpath "$(dirname "$2")/../models")
source "$(dirname "$0")/functions.sh"
: >"$work/in"
cp "$models/puma560.urdf" "$work/my.urdf"
cd "$work" || exit 1
count=0
while read -ra words; do
  expect 0 '' "${words[@]:1}"
  for ((k = 1; k < ${#words[@]}; k++)); do
    [[ "${words[k - 1]}" != @(-o|--out) ]] || [ -s "${words[k]}" ] || fail "${words[*]}: writes no ${words[k]}"
  done
  count=$((count + 1))
done < <(sed -nE 's/ +#.*//; s/^    time /    /; /^    (\.\/run|build\/bin\/jounce) [a-z]/p' "$page" | grep -v '/run python')
[ "$count" -ge 4 ] || fail "the README has $count command lines"
finish "command lines of the README"
