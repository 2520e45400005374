// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/robots.hpp"

#include <charconv>
#include <filesystem>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>

namespace jounce::bench {
namespace {

/// The n of "PREFIXn"; 0 where it is something else.
int size_after(const std::string& name, std::string_view prefix) {
  int n = 0;
  if (!name.starts_with(prefix)) return 0;
  const char *first = name.data() + prefix.size(), *last = name.data() + name.size();
  const auto read = std::from_chars(first, last, n);
  return read.ec == std::errc() && read.ptr == last ? n : 0;
}

}  // namespace

NamedRobot benchmark_robot(const std::string& name) {
  if (const int n = size_after(name, "chain-")) return {name, Robot(generate_chain(n))};
  if (const int n = size_after(name, "binary-tree-"))
    return {name, Robot(generate({.shape = TreeShape::binary_tree, .bodies = n}))};
  constexpr std::string_view floating = "floating:";
  const bool floats = name.starts_with(floating);
  const std::string file = floats ? name.substr(floating.size()) : name;
  const std::filesystem::path path(file);
  const bool bundled = !floats && !path.has_extension() && !path.has_parent_path();
  const Robot robot = load(bundled ? "builtin:" + file : file);
  return {path.stem(), floats ? with_base(robot, JointKind::free) : robot};
}

HeldRobot held_robot(const std::string& name) {
  if (const int n = size_after(name, "four-bars-")) return {name, Robot(generate_four_bars(n))};
  HeldRobot held{name, benchmark_robot(name).robot};
  const Robot& robot = held.robot;
  if (!robot.loops().empty()) return held;
  if (name == "quadruped")
    for (const char* leg : {"front_left", "front_right", "hind_left", "hind_right"})
      held.contacts.push_back({robot.frame(leg + std::string("_foot")), LoopKind::point});
  else if (name == "humanoid")
    for (const char* foot : {"left_foot", "right_foot"})
      held.contacts.push_back({robot.frame(foot)});
  else held.contacts.push_back({tip_of(robot)});
  return held;
}

FrameId tip_of(const Robot& robot) {
  int link = int(robot.description().links.size()) - 1;
  while (robot.frame_info(FrameId(link)).body != robot.model().bodies - 1) --link;
  return FrameId(link);
}

Robot bare(const Robot& robot) {
  RobotDescription description = robot.description();
  description.bushings.clear();
  for (JointDescription& joint : description.joints) {
    JointProperties& of = joint.properties;
    for (auto* numbers :
         {&of.armature, &of.damping, &of.friction, &of.drag, &of.stiffness, &of.rest})
      numbers->clear();
  }
  return Robot(description);
}

}  // namespace jounce::bench
