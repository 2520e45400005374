// SPDX-License-Identifier: BSD-3-Clause
// What `--version` and `jounce bench` say of a library without optimisation: its version.cpp is
// compiled into this program once more, at -O0, and the linker takes that one.
#include <cstdio>
#include <jounce/build.hpp>

#include "apps/jounce/command_line.hpp"

int main() {
  std::puts(jounce::app::version_line().c_str());
  return jounce::optimised() ? 1 : 0;
}
