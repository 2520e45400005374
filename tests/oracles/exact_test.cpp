// SPDX-License-Identifier: BSD-3-Clause
// The project's own robots and its odd files against another reader, with other recursions, in 113
// bits: what is read of them is right, and how well it is computed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <jounce/error.hpp>
#include <sstream>

#include "oracles/others/distance.hpp"

namespace jounce::others {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> robots_in(const char* folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(JOUNCE_SOURCE_FOLDER) / folder))
    if (entry.path().extension() == ".urdf") found.push_back(entry.path());
  return found;
}

Question question_of(const fs::path& path, bool floating) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return {path.string(), text.str(), floating};
}

/// Nothing where the file is refused, or has joints that the other reader does not know.
std::optional<Distance> error_of(const Question& question) {
  try {
    const Answer ours = ask_jounce(question);
    if (!ours.coordinates.empty()) return distance(ours, ask_exact(question));
  } catch (const InputError&) {
  } catch (const UnknownJoint&) {
  }
  return std::nullopt;
}

/// How many robots of a folder were compared.
int compared_in(const char* folder, bool floating) {
  int compared = 0;
  for (const fs::path& path : robots_in(folder)) {
    const std::optional<Distance> error = error_of(question_of(path, floating));
    if (!error) continue;
    ++compared;
    EXPECT_LE(error->mass, 1e-12) << path;  // far bodies move the small moments of a wrist
    EXPECT_LE(error->inverse, 1e-14) << path;
    EXPECT_LE(error->forward, 1e-13) << path;
  }
  return compared;
}

TEST(Exact, RobotsOfTheProject) {
  EXPECT_EQ(compared_in("models", false), 8);
  EXPECT_EQ(compared_in("models", true), 8);
}

TEST(Exact, OddFiles) {
  EXPECT_GE(compared_in("tests/io/corpus", false), 50);
  EXPECT_GE(compared_in("tests/io/corpus", true), 50);
}

/// The oracle itself: a pendulum with a turned inertia, by hand.
TEST(Exact, Pendulum) {
  const Question question{"",
                          "<robot name='r'><link name='a'/><link name='b'><inertial>"
                          "<origin xyz='0.5 0 0' rpy='0 0 1'/><mass value='2'/>"
                          "<inertia ixx='1' iyy='2' izz='3' ixy='0' ixz='0' iyz='0'/></inertial>"
                          "</link><joint name='j' type='revolute'><parent link='a'/>"
                          "<child link='b'/><axis xyz='0 2 0'/></joint></robot>"};
  const Answer answer = ask_exact(question);
  const double s = std::sin(1.0), c = std::cos(1.0), I = s * s + 2 * c * c + 2 * 0.25;
  const double q = number_of("j", "q"), gravity = -2 * 9.81 * 0.5 * std::cos(q);
  ASSERT_EQ(answer.coordinates, std::vector<std::string>{"j"});
  EXPECT_NEAR(answer.M(0, 0), I, 1e-15);
  EXPECT_NEAR(answer.tau[0], I * number_of("j", "a") + gravity, 1e-14);
  EXPECT_NEAR(answer.a[0], (number_of("j", "tau") - gravity) / I, 1e-14);
}

}  // namespace
}  // namespace jounce::others
