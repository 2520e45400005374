// SPDX-License-Identifier: BSD-3-Clause
// Speed of the matrices of the equations of motion, checks included.
#include <functional>
#include <jounce/io.hpp>
#include <jounce/regressor.hpp>

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
  CoriolisMatrices C(robot);
  CentroidalMatrices A(robot);
  Eigen::MatrixXd A_alone(6, robot.nv());
  RegressorMatrix Y(regressor);
  std::vector<Wrench<double>> joints(robot.joints().size());
  std::vector<double> tau(v.size());
  using enum Factorization;
  const Measured all[] = {
      {"coriolis", [&] { dynamics.coriolis(q, v, christoffel, into(C)); }},
      {"coriolis-plain", [&] { dynamics.coriolis(q, v, plain, into(C)); }},
      {"coriolis-ploen", [&] { dynamics.coriolis(q, v, ploen, into(C)); }},
      {"coriolis-lie", [&] { dynamics.coriolis(q, v, lie, into(C)); }},
      {"inverse-passive", [&] { dynamics.inverse_reference(q, v, v, v, ploen, into(tau)); }},
      {"momentum", [&] { dynamics.momentum(q, v); }},
      {"centroidal", [&] { dynamics.centroidal(q, v, into(A)); }},
      {"centroidal-matrix", [&] { dynamics.centroidal_matrix(q, into(A_alone)); }},
      {"power-balance", [&] { dynamics.power_balance(q, v, v); }},
      {"joint-wrenches",
       [&] { dynamics.joint_wrenches(q, v, v, Representation::body, {}, into(joints)); }},
      {"regressor", [&] { regressor.force(q, v, v, {}, into(Y)); }},
      {"regressor-passive", [&] { regressor.reference(q, v, v, v, ploen, into(Y)); }}};
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
