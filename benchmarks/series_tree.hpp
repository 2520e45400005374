// SPDX-License-Identifier: BSD-3-Clause
// The tree on which dynamics of higher order is timed: five branches on a floating base.
#pragma once

#include <jounce/model/generate.hpp>
#include <jounce/scalar/dual.hpp>
#include <jounce/series.hpp>
#include <memory>

namespace jounce::bench {

/// In motion, with room for the answers of every order up to a highest.
struct SeriesTree {
  SeriesTree(int branch_length, int highest)
      : robot(generate({.name = "tree_5x" + std::to_string(branch_length),
                        .shape = TreeShape::branches,
                        .bodies = 5 * branch_length,
                        .branches = 5,
                        .free_base = true})),
        series(robot, highest),
        q(robot.random(1)),
        motion(0.3 * Eigen::MatrixXd::Random(robot.nv(), highest + 2)),
        taus(Eigen::MatrixXd::Random(robot.nv(), highest + 1)),
        found_motion(motion),
        found_taus(taus),
        v(motion.col(0)),
        prescribed(std::make_unique<bool[]>(static_cast<size_t>(robot.nv()))) {
    for (int j = 0; j < robot.nv(); j += 2) prescribed[static_cast<size_t>(j)] = true;
  }
  void inverse(int r) {
    series.inverse(q, motion.leftCols(r + 2), {}, into(found_taus.leftCols(r + 1)));
  }
  void forward(int r) {
    series.forward(q, v, taus.leftCols(r + 1), {}, into(found_motion.leftCols(r + 2)));
  }
  void hybrid(int r) {
    const std::span<const bool> flags{prescribed.get(), static_cast<size_t>(robot.nv())};
    series.hybrid(flags, q, motion.leftCols(r + 2), taus.leftCols(r + 1), {},
                  into(found_motion.leftCols(r + 2)), into(found_taus.leftCols(r + 1)));
  }

  Robot robot;
  Series series;
  std::vector<double> q;
  Eigen::MatrixXd motion, taus, found_motion, found_taus;
  Eigen::VectorXd v;
  std::unique_ptr<bool[]> prescribed;
};

/// Dual numbers of dual numbers, so deep.
template <int depth, class Innermost = double>
struct Nested {
  using type = Dual<typename Nested<depth - 1, Innermost>::type, 1>;
};
template <class Innermost>
struct Nested<0, Innermost> {
  using type = Innermost;
};

}  // namespace jounce::bench
