#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The C++ of docs/porting.md runs with the libraries that are there, and they have the names of its
# table. Pinocchio is the installed package, or headers ("folder;folder", as the benchmark takes
# them) with the sources of its URDF parser beside them and urdfdom.
# porting.sh BUILD_FOLDER SOURCE_FOLDER CXX [PINOCCHIO_INCLUDE_DIR]
set -euo pipefail
build=$1 source=$2 cxx=$3 headers=${4:-}
page=$source/docs/porting.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --component library --prefix "$work/prefix" >/dev/null
export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name jounce.pc)"):${PKG_CONFIG_PATH:-}
cp "$source/models/puma560.urdf" "$work"

# run NAME FLAGS AND LIBRARIES...: the snippet that says `// with: NAME`.
run() {
  local name=$1
  shift
  awk -v first="// with: $name" '
    /^```cpp$/ { inside = 1; next } /^```$/ { inside = 0; mine = 0 }
    inside == 1 { mine = $0 == first; inside = 2 } mine' "$page" >"$work/$name.cpp"
  grep -q "int main" "$work/$name.cpp" || { echo "$page has no C++ with $name" >&2; exit 1; }
  "$cxx" -std=c++20 -O0 -w $(pkg-config --cflags jounce) "$work/$name.cpp" "$@" \
    $(pkg-config --libs jounce) -o "$work/$name"
  "$work/$name" "$work/puma560.urdf" || { echo "$name: the numbers differ" >&2; exit 1; }
  echo "$name: agrees"
}
# require COLUMN PATTERN FOLDER...: the table's names of this column stand in the headers.
require() {
  local column=$1 pattern=$2
  shift 2
  for name in $(grep '^| ' "$page" | tail -n +2 | cut -d'|' -f"$column" | sed 's/([^)]*)//g' |
    grep -oE "$pattern" | sort -u); do
    grep -rqw "$name" "$@" || { echo "$1 has no $name" >&2; exit 1; }
  done
}

ran=
if [ -f /usr/include/mujoco/mujoco.h ]; then
  run mujoco -lmujoco
  require 3 '\b(mj_?[A-Za-z]+|q[a-z]+_?[a-z0]+|x[a-z]+)\b' /usr/include/mujoco
  ran=yes
fi

limits="-DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30"
if [ -n "$headers" ]; then
  IFS=';' read -ra folders <<<"$headers"
  parser=()
  for folder in "${folders[@]}"; do
    for part in model utils; do
      file=$folder/../src/parsers/urdf/$part.cpp
      [ ! -f "$file" ] || parser+=("$file")
    done
  done
  mapfile -t parser < <(printf '%s\n' "${parser[@]}" | xargs -r realpath | sort -u)  # each once
  [ ${#parser[@]} -gt 0 ] && pkg-config --exists urdfdom || headers=
fi
# What the Python lines and the table call has to be in the bindings, whose module is not there to run.
require_bindings() {
  for name in $({
    sed -n '/^# with: pinocchio$/,/^```$/p' "$page" | grep -oE '(pinocchio|model)\.\w+' | cut -d. -f2
    grep '^| ' "$page" | tail -n +2 | cut -d'|' -f2 | grep -oE '\b(get|frames|compute|build\w+From|random)[A-Z]\w+' |
      grep -v '^buildModel$'
    echo Model Data rnea aba crba nonLinearEffects integrate difference neutral LOCAL WORLD LOCAL_WORLD_ALIGNED
  } | sort -u); do
    grep -rqE "(def|value|class_<\w+>|<Data>)\(\s*\"$name\"|^\s*\"$name\"," "$@" ||
      { echo "the Python bindings of Pinocchio have no $name" >&2; exit 1; }
  done
  echo "pinocchio: its bindings have the names of the Python lines"
}

if [ -n "$headers" ]; then
  run pinocchio $limits -DPINOCCHIO_WITH_URDFDOM "${folders[@]/#/-I}" "${parser[@]}" \
    $(pkg-config --libs urdfdom)
  require 2 '\b[A-Za-z]\w+\b' "${folders[@]}"
  for folder in "${folders[@]}"; do
    [ ! -d "$folder/../bindings/python" ] ||
      require_bindings "$folder/../bindings/python" "$folder/pinocchio/bindings/python"
  done
  ran=yes
elif pkg-config --exists pinocchio; then
  run pinocchio $limits $(pkg-config --cflags --libs pinocchio)
  require 2 '\b[A-Za-z]\w+\b' "$(pkg-config --variable=includedir pinocchio)/pinocchio"
  ran=yes
fi
[ -n "$ran" ] || { echo "neither MuJoCo nor Pinocchio is here"; exit 77; }
