// SPDX-License-Identifier: BSD-3-Clause
// What must hold for every text a reader accepts; everything else must be an InputError.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <string>

#include "io/same_robot.hpp"

namespace jounce::test {

/// Stops the fuzzer where the two robots differ.
inline void must_agree(const char* what, const RobotDescription& a, const RobotDescription& b,
                       double tolerance) {
  const std::string found = difference(a, b, tolerance);
  if (found.empty()) return;
  std::fprintf(stderr, "%s: %s\n", what, found.c_str());
  std::abort();
}

/// Any other exception, a crash or a refusal of what the library itself wrote ends the run.
using Reader = Loaded (*)(std::string_view, const std::string&, const ReadOptions&);

inline bool read_or_refuse(Reader read, const std::string& text, RobotDescription& robot) {
  try {
    robot = read(text, "fuzz", {}).robot;
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace jounce::test
