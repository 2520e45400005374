// SPDX-License-Identifier: BSD-3-Clause
// Series of random loops as functions of time: what the doors of order zero find a little later,
// among wrenches and on a ground that change, standing on feet; and there and back.
#include <gtest/gtest.h>

#include <jounce/constrained_series.hpp>
#include <jounce/series.hpp>

#include "constraints/counted_states.hpp"
#include "constraints/expand_rows.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/surroundings_in_time.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int order = 4;

/// Random loops with motors and feet, and the motion that forces of the motors give.
struct LoopsInTime {
  LoopsInTime(int seed, bool mimic)
      : x(std::uint64_t(seed), 1 + seed % 2, mimic),
        feet(x.feet()),
        dyn(with_motors(x.robot, x.dyn.jacobian(x.q, feet))),
        series(dyn.robot(), order),
        around(x.motion, order),
        q(x.q),
        v(dyn.project(x.q, x.v, feet)),
        taus(dyn.robot().nv(), order + 1),
        rows(dyn.robot()),
        flags(std::make_unique<bool[]>(size_t(taus.rows()))) {
    for (int k = 0; k <= order; ++k) taus.col(k) = x.motion.random(int(taus.rows()));
    for (int j = 0; j < taus.rows(); ++j) {
      flags[size_t(j)] = j % 4 != 3;
      if (!dyn.robot().actuated()[size_t(j)]) taus.row(j).setZero();
    }
  }
  bool is_regular() {
    const Surroundings now = around.at(0);
    const ConstrainedForward f = dyn.forward(q, v, taus.col(0), now, feet);
    return f.rank < dyn.robot().nv() && f.rank_margin >= 1e-2 &&
           dyn.inverse(q, v, f.a, now, feet).rank_margin >= 1e-2 &&
           dyn.hybrid(held(), q, v, f.a, taus.col(0), now, feet).rank_margin >= 1e-2;
  }
  std::span<const bool> held() const { return {flags.get(), size_t(taus.rows())}; }
  void run() {
    found = series.forward(q, v, taus, around.series(), feet);
    expand_rows(q, found.motion, rows);
    double power = 1;
    for (int k = 0; k <= order + 1; ++k) {
      power *= k + 1;  // of (rate t)^(k + 1) / (k + 1)!, the way that v^(k) goes
      rate = std::max(rate, std::pow(largest(found.motion.col(k)) / power, 1.0 / (k + 1)));
    }
  }

  LoopedRobot x;
  std::vector<Contact> feet;
  ConstrainedDynamics dyn;
  ConstrainedSeries series;
  SurroundingsInTime around;
  Vector q, v;
  Matrix taus;
  RowsInTime rows;
  std::unique_ptr<bool[]> flags;
  ConstrainedSeriesResult found{{0, 0}, {0, 0}, {0, 0}};
  double rate = 0;  ///< how fast it moves: terms of its series fall as powers of rate t
};

class SeriesAtInstants : public CountedStates {};

TEST_P(SeriesAtInstants, AreThatOfTheDynamics) {
  for (const bool mimic : {false, true}) {
    LoopsInTime x(GetParam(), mimic);
    if (!compares(x.is_regular())) continue;
    x.run();
    const Matrix a = x.found.motion.rightCols(order + 1);
    for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
      const SeriesSurroundings around = x.around.series();
      const auto inverse = x.series.inverse(x.q, x.found.motion, around, x.feet, optimum);
      const auto hybrid =
          x.series.hybrid(x.held(), x.q, x.found.motion, x.taus, around, x.feet, optimum);
      const auto off = [&](double later) {
        const double t = later / x.rate;
        const Surroundings now = x.around.at(t);
        const Vector q = positions_at(x.rows, t), v = at_time(x.found.motion, t);
        const Vector tau = at_time(x.taus, t);
        const ConstrainedForward f = x.dyn.forward(q, v, tau, now, x.feet);
        const ConstrainedInverse i = x.dyn.inverse(q, v, f.a, now, x.feet, optimum);
        const ConstrainedHybrid h = x.dyn.hybrid(x.held(), q, v, f.a, tau, now, x.feet, optimum);
        const auto part = [](const Vector& found, const Vector& exact, double size) {
          return largest(found - exact) / std::max({size, largest(exact), 1e-12});
        };
        const double forces = largest(x.dyn.jacobian(q, x.feet).transpose() * f.lambda);
        return Vector(Eigen::Vector<double, 6>(part(at_time(a, t), f.a, x.rate * x.rate),
                                               part(at_time(x.found.lambdas, t), f.lambda, 0),
                                               part(at_time(inverse.taus, t), i.tau, forces),
                                               part(at_time(inverse.lambdas, t), i.lambda, 0),
                                               part(at_time(hybrid.taus, t), h.tau, forces),
                                               part(at_time(hybrid.lambdas, t), h.lambda, 0)));
      };
      const Vector near = off(0.002), far = off(0.004);
      for (int k = 0; k < 6; ++k)  // what is left out falls by 2^5, a wrong last term by 2^4
        EXPECT_LE(near[k], far[k] / 24 + 1e-11) << "seed " << GetParam() << ", answer " << k;
      EXPECT_LE(largest(near), 1e-6) << "seed " << GetParam();
    }
  }
}

TEST_P(SeriesAtInstants, InverseLeadsBack) {
  for (const bool mimic : {false, true}) {
    LoopsInTime x(GetParam(), mimic);
    if (!compares(x.is_regular())) continue;
    x.run();
    const SeriesSurroundings around = x.around.series();
    const Matrix open = Series(x.dyn.robot(), order).inverse(x.q, x.found.motion, around);
    for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
      const auto inverse = x.series.inverse(x.q, x.found.motion, around, x.feet, optimum);
      const auto back = x.series.forward(x.q, x.v, inverse.taus, around, x.feet);
      const bool unique =
          x.dyn.inverse(x.q, x.v, x.found.motion.col(1), x.around.at(0), x.feet).free_dimension ==
          0;
      for (int k = 0; k <= order; ++k) {
        const double forces = largest(open.leftCols(k + 1));
        EXPECT_LE(largest(back.motion.col(k + 1) - x.found.motion.col(k + 1)),
                  1e-8 * largest(x.found.motion.leftCols(k + 2)))
            << "seed " << GetParam() << ", order " << k;
        if (!unique) continue;
        EXPECT_LE(largest(inverse.taus.col(k) - x.taus.col(k)), 1e-8 * forces)
            << "seed " << GetParam() << ", order " << k;
        EXPECT_LE(largest(inverse.lambdas.col(k) - x.found.lambdas.col(k)), 1e-8 * forces)
            << "seed " << GetParam() << ", order " << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeriesAtInstants, testing::Range(1, 15));

}  // namespace
}  // namespace jounce::test
