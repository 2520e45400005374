#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# pip install . and pip install of the wheel, as the README says: in a virtual environment that
# sees the system's packages, without a package index. What is missing is said exactly.
#   check.sh BUILD SOURCE PYTHON
set -euo pipefail
build=$1 source=$2 python=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONFIG_FILE=/dev/null
cd "$folder"

fails() {  # TEXT COMMAND...: it fails, and says this
  local text=$1 out
  shift
  if out=$("$@" 2>&1); then echo "no error from: $*" >&2; exit 1; fi
  grep -qF -- "$text" <<<"$out" || { echo "wanted: $text"; echo "got: $out"; exit 1; } >&2
}

"$python" -m venv --system-site-packages venv
pip=venv/bin/pip
sets=$(sed -n 's/^JOUNCE_INSTRUCTION_SETS:STRING=//p' "$build/CMakeCache.txt")  # as it was built
settings=(--config-settings build-dir="$build" --config-settings instruction-sets="$sets")
works() { (cd / && "$folder/venv/bin/python" -c "
import jounce, pathlib, sys
assert pathlib.Path(jounce.__file__).is_relative_to(sys.argv[1]), jounce.__file__
arm = jounce.load('builtin:arm7')
print(jounce.Dynamics(arm).gravity(arm.neutral()))" "$1" >/dev/null); }

# the wheel, from the build that is there, then installed from its file
$pip wheel -q --no-deps -w wheels "${settings[@]}" "$source"
$pip install -q wheels/jounce-*.whl
works "$folder/venv"
[ "$($pip show jounce | sed -n 's/^Version: //p')" = "$(venv/bin/python -c \
  'import jounce; print(jounce.__version__)')" ]
$pip uninstall -q -y jounce

# the source, and as a link to the build
$pip install -q "${settings[@]}" "$source"
works "$folder/venv"
$pip uninstall -q -y jounce
$pip install -q "${settings[@]}" -e "$source"
works "$build/python"
$pip uninstall -q -y jounce
fails "No module named 'jounce'" venv/bin/python -c 'import jounce'

# the same sources give the same wheel, and their archive holds what builds them
$pip wheel -q --no-deps -w again "${settings[@]}" "$source"
cmp wheels/jounce-*.whl again/jounce-*.whl
backend() { (cd "$source" && PATH=${search:-$PATH} "$python" -B -c "
import sys; sys.path.insert(0, 'python/packaging'); import build_backend as b; $1"); }
backend "b.build_sdist('$folder')"
names=$(tar -tzf jounce-*.tar.gz)
for file in PKG-INFO pyproject.toml CMakeLists.txt python/packaging/build_backend.py; do
  grep -q "/$file\$" <<<"$names"
done
if grep -qE '^[^/]*/(build|\.)' <<<"$names"; then echo "the archive holds builds" >&2; exit 1; fi

# what is missing or too old
mkdir old bare
printf '#!/bin/sh\necho cmake version 3.18.4\n' >old/cmake
chmod +x old/cmake
search=$folder/bare fails "jounce: cmake is missing, needs 3.25 or later" backend 'b.check_tools()'
search=$folder/old:$PATH fails "is CMake 3.18, needs 3.25 or later" backend 'b.check_tools()'
fails "this is Python $("$python" -c 'print("%d.%d.%d" % __import__("sys").version_info[:3])'), needs 3.9 or later" \
  backend 'b.sys = type("Old", (), {"version_info": (3, 8), "version": sys.version, "exit": sys.exit}); b.check_tools()'
fails "jounce: this pip is too old, needs 21.3 or later" "$python" "$source/setup.py" install
fails "it was built for another Python" backend "b.package_files(__import__('pathlib').Path('/'))"
[ "$(backend 'print(b.get_requires_for_build_wheel())')" = "[]" ]
fails "needs all or native" backend 'b.instruction_sets({"instruction-sets": "none"})'

# what a bare machine has: ninja and no make, then neither, then no compiler
mkdir some
for tool in cmake ninja g++ c++ ld as ar; do ln -s "$(command -v $tool)" some/; done
[ "$(search=$folder/some backend 'print(b.get_requires_for_build_wheel())')" = "[]" ]
rm some/ninja
search=$folder/some fails "jounce: cmake finds no compiler or build program" \
  backend 'b.get_requires_for_build_wheel()'

# a Python without NumPy
"$python" -m venv --without-pip empty
PYTHONPATH=$build/python fails "jounce: NumPy is missing" empty/bin/python -c 'import jounce'
# a module that was built for another
cp -r "$build/python/jounce" other
for module in other/_jounce*.so; do mv "$module" other/_jounce.cpython-300-x86_64-linux-gnu.so; done
mkdir elsewhere && mv other elsewhere/jounce
PYTHONPATH=$folder/elsewhere fails "jounce: the compiled part does not load in Python" \
  "$python" -c 'import jounce'
echo "wheel, source and link install; what is missing is said"
