// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: any bytes as JSON. What is read must survive JSON to the bit, and can be
// written as URDF at a loss.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzzed_robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace jounce;
  RobotDescription robot;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!test::read_or_refuse(read_json, text, robot)) return 0;
  test::must_agree("JSON", robot, read_json(write_json(robot), "json").robot, 0);
  read_urdf(write_urdf(robot, true), "urdf");
  return 0;
}
