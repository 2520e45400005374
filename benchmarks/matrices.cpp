// SPDX-License-Identifier: BSD-3-Clause
// Speed of the matrices of the equations of motion, checks included; and beside n = 256, where the
// entries of a row of n lie a power of two apart.
#include <functional>
#include <jounce/derivatives.hpp>
#include <jounce/io.hpp>
#include <jounce/regressor.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/cpu_time.hpp"
#include "benchmarks/robots.hpp"

namespace jounce::bench {
namespace {

struct Measured {
  const char* algorithm;
  std::function<void()> call;
};

/// What is n x n, in turns: a cliff would be seen beside n - 1 and n + 1.
std::vector<Row> large_rows(const std::string& name) {
  const NamedRobot named = benchmark_robot(name);
  Dynamics dynamics(named.robot);
  Derivatives derivatives(named.robot);
  const std::vector<double> q = named.robot.random(1), v(size_t(named.robot.nv()), 0.1);
  MassMatrix M(named.robot);
  MassInverse M_inverse(named.robot);
  CoriolisMatrices C(named.robot);
  InverseDerivatives d(named.robot);
  ForwardDerivatives f(named.robot);
  const Measured all[] = {
      {"mass", [&] { dynamics.mass(q, into(M)); }},
      {"mass-inverse", [&] { dynamics.mass_inverse(q, into(M_inverse)); }},
      {"coriolis", [&] { dynamics.coriolis(q, v, Factorization::christoffel, into(C)); }},
      {"inverse-derivatives", [&] { derivatives.inverse(q, v, v, into(d)); }},
      {"forward-derivatives", [&] { derivatives.forward(q, v, v, into(f)); }}};
  std::vector<Row> rows;
  for (const Measured& one : all)
    rows.push_back(
        {.robot = name, .algorithm = one.algorithm, .ns = cpu_nanoseconds(one.call, 0.05)});
  return rows;
}

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
  for (const char* shape : {"chain-", "binary-tree-"})
    for (const int n : {255, 256, 257})
      for (Row& row : large_rows(shape + std::to_string(n))) rows.push_back(std::move(row));
  return rows;
}

}  // namespace jounce::bench
