// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: any bytes as URDF. What is read must survive JSON to the bit, and URDF nearly.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzzed_robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace jounce;
  RobotDescription robot;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!test::read_or_refuse(read_urdf, text, robot)) return 0;
  test::must_agree("JSON", robot, read_json(write_json(robot), "json").robot, 0);
  test::must_agree("URDF", robot, read_urdf(write_urdf(robot), "urdf").robot, 1e-14);
  return 0;
}
