// SPDX-License-Identifier: BSD-3-Clause
// Robots and states whose results must not change: the bundled ones and fifty generated ones.
//
//   golden_cases FOLDER     a NAME.robot.json for each generated robot, and a NAME.case.json for
//   each:
//                           {"model", "frame", "states": [{q, v, a, tau, prescribed, ...}, ...]}
#include <cstdio>
#include <fstream>
#include <jounce/io.hpp>
#include <jounce/jounce.hpp>
#include <jounce/model/generate.hpp>
#include <nlohmann/json.hpp>

#include "split_mix.hpp"

namespace {

using namespace jounce;
using Json = nlohmann::ordered_json;

constexpr int order = 2;

std::vector<double> numbers(SplitMix& random, int n) {
  std::vector<double> x(static_cast<size_t>(n));
  for (double& one : x) one = random.uniform(-1, 1);
  return x;
}

Json rows(SplitMix& random, int n, int width) {
  Json all = Json::array();
  for (int k = 0; k < n; ++k) all.push_back(numbers(random, width));
  return all;
}

/// Every second joint is prescribed; a wrench pulls at the last link.
Json state_of(const Robot& robot, std::uint64_t seed) {
  SplitMix random(seed);
  const int nv = robot.nv();
  Json prescribed = Json::array();
  for (size_t k = 0; k < robot.joints().size(); k += 2)
    if (!robot.joints()[k].mimic) prescribed.push_back(robot.joints()[k].name);
  return {{"q", robot.random(seed)},
          {"v", numbers(random, nv)},
          {"a", numbers(random, nv)},
          {"tau", numbers(random, nv)},
          {"f_ext", {{robot.description().links.back().name, numbers(random, 6)}}},
          {"prescribed", std::move(prescribed)},
          {"motion", rows(random, order + 2, nv)},
          {"taus", rows(random, order + 1, nv)},
          {"order", order}};
}

void write_case(const std::string& folder, const std::string& name, const std::string& model,
                const Robot& robot) {
  const Json out{{"model", model},
                 {"frame", robot.description().links.back().name},
                 {"nv", robot.nv()},
                 {"states", {state_of(robot, 1), state_of(robot, 2)}}};
  std::ofstream(folder + "/" + name + ".case.json") << out.dump() << '\n';
}

RobotDescription generated(int k) {
  const TreeShape shapes[] = {TreeShape::chain, TreeShape::branches, TreeShape::binary_tree,
                              TreeShape::random_tree};
  const bool mixed = k % 5 != 0;
  return generate(
      {.name = "generated_" + std::to_string(k),
       .shape = shapes[k % 4],
       .bodies = 2 + k % 7,
       .branches = 2,
       .kinds = mixed ? all_joint_kinds(false, false) : std::vector<JointKind>{JointKind::revolute},
       .free_base = k % 3 == 0,
       .mimic = k % 4 == 1,
       .fixed_links = k % 2 == 0,
       .child_placements = k % 6 == 0,
       .passive = k % 2 == 1,
       .seed = static_cast<std::uint64_t>(1000 + k)});
}

}  // namespace

int main(int count, char** word) {
  if (count != 2) return std::fputs("usage: golden_cases FOLDER\n", stderr), 2;
  const std::string folder = word[1];
  for (const std::string_view builtin : builtin_robots()) {
    const std::string name(builtin);
    write_case(folder, name, "builtin:" + name, load("builtin:" + name));
  }
  for (int k = 0; k < 50; ++k) {
    const RobotDescription robot = generated(k);
    const std::string file = folder + "/" + robot.name + ".robot.json";
    std::ofstream(file) << write_json(robot);
    write_case(folder, robot.name, file, load(file));
  }
}
