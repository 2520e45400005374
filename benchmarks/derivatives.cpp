// SPDX-License-Identifier: BSD-3-Clause
// Speed of the partial derivatives, checks included.
#include <functional>
#include <jounce/derivatives.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/series_derivatives.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/derivative_columns.hpp"

namespace jounce::bench {
namespace {

std::vector<Row> derivative_rows(const std::string& name, const Robot& robot) {
  Derivatives first(robot);
  SecondDerivatives second(robot);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const auto flags = std::make_unique<bool[]>(v.size());
  for (size_t k = 0; k < v.size(); ++k) flags[k] = k % 2 == 0;
  const std::span<const bool> prescribed{flags.get(), v.size()};
  InverseDerivatives inverse(robot);
  ForwardDerivatives forward(robot);
  HybridDerivatives hybrid(robot);
  InverseSecondDerivatives tensors(robot);
  SecondProducts products(robot);
  std::vector<double> dq(v), dv(v), da(v);
  const auto row = [&](const char* algorithm, const auto& call) -> Row {
    return {.robot = name, .algorithm = algorithm, .ns = nanoseconds(call)};
  };
  std::vector<Row> rows{
      row("inverse-second-derivatives", [&] { second.inverse(q, v, v, into(tensors)); }),
      row("inverse-second-products",
          [&] { second.inverse_products(v, q, v, v, {}, into(products)); }),
      row("forward-second-products",
          [&] { second.forward_products(v, q, v, v, {}, into(products)); }),
      row("inverse-vector-jacobian",
          [&] { first.inverse_vector_jacobian(v, q, v, v, {}, into(dq), into(dv), into(da)); }),
      row("inverse-derivatives", [&] { first.inverse(q, v, v, into(inverse)); }),
      row("forward-derivatives", [&] { first.forward(q, v, v, into(forward)); }),
      row("hybrid-derivatives", [&] { first.hybrid(prescribed, q, v, v, v, into(hybrid)); })};
  if (robot.nv() > 50) return rows;  // O(n^4)
  ForwardSecondDerivatives of_forward(robot);
  rows.push_back(
      row("forward-second-derivatives", [&] { second.forward(q, v, v, into(of_forward)); }));
  return rows;
}

/// Kinematics and momentum, and dynamics of fourth order.
std::vector<Row> measure_more(const std::string& name, const Robot& robot) {
  Derivatives derivatives(robot);
  constexpr int order = 4;
  SeriesDerivatives series(robot, order);
  SeriesPartials partials(robot, order);
  const std::vector<double> q = robot.random(1), v(static_cast<size_t>(robot.nv()), 0.1);
  const Eigen::MatrixXd motion = Eigen::MatrixXd::Constant(robot.nv(), order + 2, 0.1),
                        taus = motion.leftCols(order + 1);
  const auto last = FrameId(int(robot.frames().size()) - 1);
  const double frame = nanoseconds(
      [&] { derivatives.classical_acceleration(last, Representation::hybrid, q, v, v); });
  const double momentum = nanoseconds([&] { derivatives.momentum(q, v, v); });
  const double inverse = nanoseconds([&] { series.inverse(q, motion, {}, into(partials)); });
  const double forward = nanoseconds([&] { series.forward(q, v, taus, {}, into(partials)); });
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
