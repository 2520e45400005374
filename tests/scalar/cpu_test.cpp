// SPDX-License-Identifier: BSD-3-Clause
// The instruction set that JOUNCE_ISA asks for is the one in use, or the library says why not.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <jounce/cpu.hpp>
#include <jounce/dynamics.hpp>

#include "support/built_sets.hpp"

namespace jounce {
namespace {

/// Ends the process with the name of the instruction set, or the first call's refusal, on stderr.
[[noreturn]] void tell_what_a_robot_runs_on() {
  try {
    const Dynamics d(load("builtin:planar_2r"));
    std::fprintf(stderr, "runs on %s", name(best_isa()));
  } catch (const InputError& error) {
    std::fprintf(stderr, "refused: %s", error.what());
  }
  std::exit(0);
}

/// The choice is made once: every case is a process of its own.
void expect_with(const char* asked, const std::string& told) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  setenv("JOUNCE_ISA", asked, 1);
  EXPECT_EXIT(tell_what_a_robot_runs_on(), testing::ExitedWithCode(0), told) << asked;
  unsetenv("JOUNCE_ISA");
}

TEST(Cpu, RunsOnWhatIsAskedForOrRefuses) {
  const std::string first = name(test::compiled_sets().front());
  expect_with(first.c_str(), "runs on " + first);
  for (const std::string asked : {"bogus", "", "AVX2"})
    expect_with(asked.c_str(), "refused: JOUNCE_ISA is \"" + asked +
                                   "\", this processor (has|and this build have) " + first);
}

}  // namespace
}  // namespace jounce
