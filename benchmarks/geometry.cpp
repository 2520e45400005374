// SPDX-License-Identifier: BSD-3-Clause
// Speed of Christoffel symbols, of the curvature tensor, and of searches for motions that cost
// least, checks included.
#include <cmath>
#include <jounce/geometry.hpp>
#include <jounce/io.hpp>
#include <jounce/minimum_motion.hpp>
#include <jounce/model/generate.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

std::vector<Row> geometry_rows(const std::string& name, const Robot& robot) {
  Geometry of(robot);
  const std::vector<double> q = robot.random(1);
  Christoffel gamma(robot);
  Curvature R(robot);
  const auto symbols = [&] { of.christoffel(q, into(gamma)); };
  const auto tensor = [&] { of.curvature(q, into(R)); };
  return {{.robot = name, .algorithm = "christoffel", .ns = nanoseconds(symbols)},
          {.robot = name, .algorithm = "curvature", .ns = nanoseconds(tensor)}};
}

/// From the straight line between two configurations inside the limits, far apart.
std::vector<Row> motion_rows(const std::string& name, const Robot& robot) {
  std::vector<double> q0, q1;
  for (int k = 0; k < robot.nv(); ++k) {
    const double low = robot.limits().lower[size_t(k)], high = robot.limits().upper[size_t(k)];
    const double middle = (low + high) / 2, half = (high - low) / 2;
    q0.push_back(middle + 0.4 * half * std::sin(2.0 * k + 1));
    q1.push_back(middle - 0.5 * half * std::cos(1.3 * k));
  }
  std::vector<Row> rows;
  for (const auto& [cost, algorithm] : {std::pair(MotionCost::energy, "minimum-energy"),
                                        std::pair(MotionCost::force, "minimum-force"),
                                        std::pair(MotionCost::force_rate, "minimum-force-rate")}) {
    MinimumMotion motion(robot, {.cost = cost});
    rows.push_back({.robot = name,
                    .algorithm = algorithm,
                    .ns = nanoseconds([&] { motion.find(q0, q1); }, 0.5)});
  }
  return rows;
}

}  // namespace

std::vector<Row> geometry() {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const Robot& robot) {
    for (Row& row : geometry_rows(name, robot)) rows.push_back(std::move(row));
  };
  for (const char* name : {"planar_2r", "puma560", "arm7", "quadruped", "humanoid"})
    add(name, load(std::string("builtin:") + name));
  for (const int links : {10, 20, 40})
    add("chain_" + std::to_string(links), Robot(generate_chain(links)));
  for (const char* name : {"puma560", "arm7"})
    for (Row& row : motion_rows(name, load(std::string("builtin:") + name)))
      rows.push_back(std::move(row));
  return rows;
}

}  // namespace jounce::bench
