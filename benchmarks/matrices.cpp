// SPDX-License-Identifier: BSD-3-Clause
// Speed of the matrices of the equations of motion through the checked front door.
#include <functional>
#include <jounce/dynamics.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

struct Measured {
  const char* algorithm;
  std::function<void()> call;
};

std::vector<Row> measure(const std::string& name) {
  Dynamics dynamics(load("builtin:" + name));
  const Robot& robot = dynamics.robot();
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const Measured all[] = {
      {"coriolis", [&] { dynamics.coriolis(q, v); }},
      {"coriolis-ploen", [&] { dynamics.coriolis(q, v, Factorization::ploen); }},
  };
  std::vector<Row> rows;
  for (const Measured& one : all)
    rows.push_back({.robot = name, .algorithm = one.algorithm, .ns = nanoseconds(one.call)});
  return rows;
}

}  // namespace

std::vector<Row> matrices() {
  std::vector<Row> rows;
  for (const char* name : {"arm7", "quadruped", "humanoid"})
    for (Row& row : measure(name)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace jounce::bench
