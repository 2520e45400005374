// SPDX-License-Identifier: BSD-3-Clause
// Speed of the matrices of the equations of motion, checks included.
#include <algorithm>
#include <functional>
#include <jounce/regressor.hpp>
#include <jounce/rk4.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

struct Measured {
  const char* algorithm;
  std::function<void()> call;
};

std::vector<Row> matrix_rows(const std::string& name) {
  Dynamics dynamics(load("builtin:" + name));
  const Robot& robot = dynamics.robot();
  Regressor regressor(robot);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  std::vector<double> step_q = q, step_v = v, zero(v.size());
  Rk4 rk4(robot);
  const auto fall = [&](double, auto at, auto speed, auto a) {
    const VectorView found = dynamics.forward(at, speed, zero);
    std::copy(found.begin(), found.end(), a.begin());
  };
  const Measured all[] = {
      {"coriolis", [&] { dynamics.coriolis(q, v); }},
      {"coriolis-plain", [&] { dynamics.coriolis(q, v, Factorization::plain); }},
      {"coriolis-ploen", [&] { dynamics.coriolis(q, v, Factorization::ploen); }},
      {"coriolis-lie", [&] { dynamics.coriolis(q, v, Factorization::lie); }},
      {"inverse-passive", [&] { dynamics.inverse_passive(q, v, v, v); }},
      {"momentum", [&] { dynamics.momentum(q, v); }},
      {"centroidal", [&] { dynamics.centroidal(q, v); }},
      {"power-balance", [&] { dynamics.power_balance(q, v, v); }},
      {"joint-wrenches", [&] { dynamics.joint_wrenches(q, v, v); }},
      {"regressor", [&] { regressor.force(q, v, v); }},
      {"regressor-passive", [&] { regressor.passive(q, v, v, v); }},
      {"rk4-step", [&] { rk4.step(fall, 0, 0, step_q, step_v); }}};
  std::vector<Row> rows;
  for (const Measured& one : all)
    rows.push_back({.robot = name, .algorithm = one.algorithm, .ns = nanoseconds(one.call)});
  return rows;
}

}  // namespace

std::vector<Row> matrices() {
  std::vector<Row> rows;
  for (const char* name : {"arm7", "quadruped", "humanoid"})
    for (Row& row : matrix_rows(name)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace jounce::bench
