// SPDX-License-Identifier: BSD-3-Clause
// Speed of the partial derivatives, checks included.
#include <functional>
#include <jounce/dynamics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/series_derivatives.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/derivative_columns.hpp"

namespace jounce::bench {
namespace {

std::vector<Row> derivative_rows(const std::string& name, const Robot& robot) {
  Dynamics dynamics(robot);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const auto flags = std::make_unique<bool[]>(v.size());
  for (size_t k = 0; k < v.size(); ++k) flags[k] = k % 2 == 0;
  const std::span<const bool> prescribed{flags.get(), v.size()};
  const double inverse = nanoseconds([&] { dynamics.inverse_derivatives(q, v, v); });
  const double forward = nanoseconds([&] { dynamics.forward_derivatives(q, v, v); });
  const double hybrid = nanoseconds([&] { dynamics.hybrid_derivatives(prescribed, q, v, v, v); });
  const double products = nanoseconds([&] { dynamics.inverse_vector_jacobian(v, q, v, v); });
  dynamics.reserve_second_derivatives();
  const double second = nanoseconds([&] { dynamics.inverse_second_derivatives(q, v, v); });
  const double second_product = nanoseconds([&] { dynamics.inverse_second_products(v, q, v, v); });
  const double forward_product = nanoseconds([&] { dynamics.forward_second_products(v, q, v, v); });
  std::vector<Row> rows{
      {.robot = name, .algorithm = "inverse-second-derivatives", .ns = second},
      {.robot = name, .algorithm = "inverse-second-products", .ns = second_product},
      {.robot = name, .algorithm = "forward-second-products", .ns = forward_product},
      {.robot = name, .algorithm = "inverse-vector-jacobian", .ns = products},
      {.robot = name, .algorithm = "inverse-derivatives", .ns = inverse},
      {.robot = name, .algorithm = "forward-derivatives", .ns = forward},
      {.robot = name, .algorithm = "hybrid-derivatives", .ns = hybrid}};
  if (robot.nv() > 50) return rows;  // O(n^4)
  const double tensors = nanoseconds([&] { dynamics.forward_second_derivatives(q, v, v); });
  rows.push_back({.robot = name, .algorithm = "forward-second-derivatives", .ns = tensors});
  return rows;
}

/// Kinematics and momentum, and dynamics of fourth order.
std::vector<Row> measure_more(const std::string& name, const Robot& robot) {
  Dynamics dynamics(robot);
  constexpr int order = 4;
  SeriesDerivatives series(robot, order);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Constant(robot.nv(), order + 2, 0.1);
  const auto last = FrameId(int(robot.frames().size()) - 1);
  dynamics.kinematics(q, v, v);
  const double frame = nanoseconds(
      [&] { dynamics.classical_acceleration_derivatives(last, Representation::hybrid); });
  const double momentum = nanoseconds([&] { dynamics.momentum_derivatives(q, v, v); });
  const double inverse = nanoseconds([&] { series.inverse_series(q, motion); });
  const double forward = nanoseconds([&] { series.forward_series(q, v, motion); });
  return {{.robot = name, .algorithm = "acceleration-derivatives", .ns = frame},
          {.robot = name, .algorithm = "momentum-derivatives", .ns = momentum},
          {.robot = name, .algorithm = "inverse-series-derivatives/4", .ns = inverse},
          {.robot = name, .algorithm = "forward-series-derivatives/4", .ns = forward}};
}

}  // namespace

std::vector<Row> derivatives() {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const Robot& robot) {
    for (Row& row : derivative_rows(name, robot)) rows.push_back(std::move(row));
    if (robot.nv() > 100) return;
    for (Row& row : measure_more(name, robot)) rows.push_back(std::move(row));
  };
  for (const char* name : {"arm7", "quadruped", "humanoid"})
    add(name, load("builtin:" + std::string(name)));
  add("chain-100", Robot(generate_chain(100)));
  add("binary-tree-255",
      Robot(generate(
          {.shape = TreeShape::binary_tree, .bodies = 255, .kinds = {JointKind::revolute}})));
  for (Row& row : derivative_columns("chain-100", Robot(generate_chain(100))))
    rows.push_back(std::move(row));
  return rows;
}

}  // namespace jounce::bench
