// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: any bytes as URDF. What is read must survive JSON to the bit, and URDF nearly
// where URDF has words for it.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzzed_robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace jounce;
  RobotDescription robot;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!test::read_or_refuse(read_urdf, text, robot)) return 0;
  test::must_agree("JSON", robot, read_json(write_json(robot), "json").robot, 0);
  std::string urdf;
  try {
    urdf = write_urdf(robot);
  } catch (const InputError&) {
    return 0;  // joints of Drake, and frames: read, not written
  }
  test::must_agree("URDF", robot, read_urdf(urdf, "urdf").robot, 1e-14);
  return 0;
}
