#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the build into a folder of its own, then builds and runs users' programs against it: by
# find_package in Debug with -march=native, and by pkg-config. The one that calls everything has to
# print the same numbers without flags, for this processor, with the library's objects first, and by
# clang where there is one.
# check.sh BUILD_FOLDER SOURCE_FOLDER CXX GENERATOR
set -euo pipefail
build=$1 source=$2 cxx=$3 generator=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a user who built the library alone can install, with licence and robots; no other component.
cmake --install "$build" --component library --prefix "$work/prefix" >/dev/null
[ -f "$(find "$work/prefix/share" -name LICENSE)" ]
[ -f "$work/prefix/share/jounce/models/arm7.urdf" ]
[ ! -e "$work/prefix/bin" ]
# What is installed where neither tool nor Python module was built: the scripts of this build, but
# with programs that are not there.
mkdir "$work/partial"
(cd "$build" && find . -name cmake_install.cmake -not -path './python/*' -exec cp --parents {} "$work/partial" \;)
find "$work/partial" -name cmake_install.cmake -exec sed -i \
  -e "s|$build/\([^\"]*cmake_install.cmake\)|$work/partial/\1|" -e "s|$build/bin/|$work/none/|" \
  -e '\|partial/python/|d' {} +
cmake -DCMAKE_INSTALL_PREFIX="$work/half" -P "$work/partial/cmake_install.cmake" >/dev/null
[ -f "$work/half/include/jounce/jounce.hpp" ]
[ ! -e "$work/half/bin/jounce" ]
# The tool with its manual and its completion.
if [ -x "$build/bin/jounce" ]; then
  cmake --install "$build" --component tool --prefix "$work/tool" >/dev/null
  "$work/tool/bin/jounce" man | cmp - "$work/tool/share/man/man1/jounce.1"
  if [ -x "$work/tool/bin/jounce-tour" ]; then  # its tour leads to the documents beside it
    "$work/tool/bin/jounce" tour --html "$work/tool/tour.html" >/dev/null
    grep -q 'href="share/doc/jounce/docs/dynamics.md"' "$work/tool/tour.html"
    [ -f "$work/tool/share/doc/jounce/docs/dynamics.md" ]
  fi
  "$work/tool/bin/jounce" completion | cmp - "$work/tool/share/bash-completion/completions/jounce"
fi
cmake -S "$source/tests/consumer" -B "$work/consumer" -G "$generator" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER="$cxx" >/dev/null
cmake --build "$work/consumer" >/dev/null
by_cmake=$("$work/consumer/consumer")

export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name jounce.pc)")
"$cxx" -std=c++20 -O2 $(pkg-config --cflags jounce) "$source/tests/consumer/main.cpp" \
  $(pkg-config --libs jounce) -o "$work/by_pkg_config"
by_pkg_config=$("$work/by_pkg_config")

# The program in the README is one of them.
sed -n '/^```cpp$/,/^```$/p' "$source/README.md" | sed '1d;$d' >"$work/readme.cpp"
"$cxx" -std=c++20 -O1 $(pkg-config --cflags jounce) "$work/readme.cpp" \
  $(pkg-config --libs jounce) -o "$work/readme"
"$work/readme" | grep -q Jacobian

archive=$(find "$work/prefix" -name 'libjounce.*' | head -1)
# everything NAME COMPILER FLAGS...: runs it, linked as users do and the other way round.
everything() {
  local name=$work/$1 compiler=$2 libraries=$(pkg-config --libs --static jounce)
  shift 2
  "$compiler" -std=c++20 $(pkg-config --cflags jounce) "$@" \
    -c "$source/tests/consumer/everything.cpp" -o "$name.o"
  "$compiler" "$name.o" $libraries -o "$name"
  "$compiler" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive "$name.o" $libraries \
    -o "$name.2"
  "$name" >"$name.txt"
  "$name.2" | cmp - "$name.txt"
}
everything plain "$cxx" -O1
everything native "$cxx" -O2 -march=native
cmp "$work/plain.txt" "$work/native.txt"
if clang=$(command -v clang++); then
  everything clang "$clang" -O1 -march=native
  cmp "$work/plain.txt" "$work/clang.txt"
fi

echo "find_package: $by_cmake"
echo "pkg-config:   $by_pkg_config"
[ "$by_cmake" = "$by_pkg_config" ]
