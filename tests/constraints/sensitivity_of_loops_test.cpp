// SPDX-License-Identifier: BSD-3-Clause
// Constrained dynamics of random loops by named parameters, against robots that are built anew.
#include <gtest/gtest.h>

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_sensitivity.hpp>

#include "constraints/counted_states.hpp"
#include "constraints/edited_robots.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class SensitivityOfLoops : public CountedStates {};

/// Rows that are independent go on where the loops are open: q and v may stay.
TEST_P(SensitivityOfLoops, AtTheSameState) {
  LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 3, GetParam() % 2 == 0);
  const Surroundings around = x.motion.around();
  const ConstrainedForward f = x.dyn.forward(x.q, x.v, x.tau, around);
  if (!compares(f.rank_margin >= 1e-2 && x.dyn.rank() == x.dyn.rows())) return;
  const std::vector<Parameter> parameters = some_parameters(x.robot, size_t(GetParam()), 4);
  ConstrainedSensitivity sensitivity(x.robot, parameters);
  const auto d = sensitivity.forward(x.q, x.v, x.tau, around);
  const Matrix found = both(d.dx_dp, d.dlambda_dp);
  for (size_t k = 0; k < parameters.size(); ++k) {
    const auto at = [&](double h) {
      ConstrainedDynamics dyn(Robot(edited(x.robot.description(), parameters[k], h)));
      dyn.set_path(ConstrainedPath::factors);
      const ConstrainedForward one = dyn.forward(x.q, x.v, x.tau, around);
      return both(one.a, one.lambda);
    };
    const Vector slope = rate_by_parameter(at);
    EXPECT_LE(largest(found.col(Eigen::Index(k)) - slope),
              1e-5 * (largest(slope) + largest(f.a) + largest(f.lambda)))
        << "seed " << GetParam() << ", " << text(parameters[k]);
  }
}

/// Where the state moves with the loops, rows may depend on one another as well.
TEST_P(SensitivityOfLoops, AlongClosedStates) {
  LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 2, GetParam() % 2 == 0);
  const Surroundings around = x.motion.around();
  const ConstrainedForward f = x.dyn.forward(x.q, x.v, x.tau, around);
  if (!compares(f.rank_margin >= 1e-2 && x.dyn.mobility() > 0)) return;
  const std::vector<Parameter> parameters = some_parameters(x.robot, size_t(GetParam()), 4);
  ConstrainedSensitivity sensitivity(x.robot, parameters);
  const auto d = sensitivity.forward(x.q, x.v, x.tau, around);
  const auto closed = sensitivity.closed(x.q, x.v);
  const auto by_state = ConstrainedDerivatives(x.robot).forward(x.q, x.v, x.tau, around);
  const Matrix found = both(d.dx_dp, d.dlambda_dp) +
                       both(by_state.da_dq, by_state.dlambda_dq) * closed.dq_dp +
                       both(by_state.da_dv, by_state.dlambda_dv) * closed.dv_dp;
  for (size_t k = 0; k < parameters.size(); ++k) {
    Differences by(x.robot, parameters[k], x.q, x.v);
    const auto column = Eigen::Index(k);
    if (!by.closed()) {
      EXPECT_GT(largest(closed.open_dp.col(column)), 1e-3) << text(parameters[k]);
      continue;
    }
    const Vector slope = by.of([&](Edited& e) {
      const ConstrainedForward one = e.dyn.forward(e.q, e.v, x.tau, around);
      return both(one.a, one.lambda);
    });
    const double scale = largest(slope) + largest(f.a) + largest(f.lambda);
    EXPECT_LE(largest(closed.open_dp.col(column)), 1e-9) << text(parameters[k]);
    EXPECT_LE(largest(closed.dq_dp.col(column) - by.dq()), 1e-6 * (1 + largest(by.dq())))
        << "seed " << GetParam() << ", " << text(parameters[k]);
    EXPECT_LE(largest(closed.dv_dp.col(column) - by.dv()), 1e-5 * (1 + largest(by.dv())))
        << "seed " << GetParam() << ", " << text(parameters[k]);
    EXPECT_LE(largest(found.col(column) - slope), 1e-4 * scale)
        << "seed " << GetParam() << ", " << text(parameters[k]);
  }
}

/// Hybrid and inverse dynamics of the motion that tau makes, whatever the parameter.
struct MotionOfTau {
  MotionOfTau(LoopedRobot& x, int seed)
      : robot(with_motors(x.robot, x.dyn.jacobian(x.q))),
        around(x.motion.around()),
        tau(x.tau),
        optimum(seed % 4 < 2 ? Optimum::force : Optimum::torque),
        has_inverse(seed % 2 == 1),
        flags(std::make_unique<bool[]>(size_t(robot.nv()))) {
    for (int k = 0; k < robot.nv(); ++k) flags[size_t(k)] = k % 4 != 3;
  }
  std::span<const bool> held() const { return {flags.get(), size_t(robot.nv())}; }
  Vector a(ConstrainedDynamics& dyn, const Vector& q, const Vector& v) const {
    return dyn.forward(q, v, tau, around).a;
  }
  ConstrainedHybrid hybrid(ConstrainedDynamics& dyn, const Vector& q, const Vector& v) const {
    return dyn.hybrid(held(), q, v, a(dyn, q, v), tau, around, {}, optimum);
  }
  ConstrainedInverse inverse(ConstrainedDynamics& dyn, const Vector& q, const Vector& v) const {
    if (!has_inverse) return {};
    ConstrainedInverse found{{}, tau, Vector(dyn.rows())};
    static_cast<ConstraintReport&>(found) = dyn.inverse(
        q, v, a(dyn, q, v), tau, around, {}, optimum, into(found.tau), into(found.lambda));
    return found;
  }
  /// What both find and are not given.
  Vector operator()(ConstrainedDynamics& dyn, const Vector& q, const Vector& v) const {
    const ConstrainedHybrid h = hybrid(dyn, q, v);
    const ConstrainedInverse i = inverse(dyn, q, v);
    return both(both(chosen(held(), h.tau, h.a), h.lambda), both(i.tau, i.lambda));
  }
  /// The derivative of that by parameters, along the states that stay closed.
  Matrix by_parameters(const std::vector<Parameter>& parameters, const Vector& q,
                       const Vector& v) const {
    ConstrainedSensitivity sensitivity(robot, parameters);
    ConstrainedDerivatives by_state(robot);
    ConstrainedDynamics dyn(robot);
    const Vector motion = a(dyn, q, v);
    const auto closed = sensitivity.closed(q, v);
    const auto along = [&](const Matrix& by_p, const Matrix& by_q, const Matrix& by_v) -> Matrix {
      return by_p + by_q * closed.dq_dp + by_v * closed.dv_dp;
    };
    const auto f = by_state.forward(q, v, tau, around);
    const Matrix da = along(sensitivity.forward(q, v, tau, around).dx_dp, f.da_dq, f.da_dv);
    Matrix given = da;
    for (int k = 0; k < robot.nv(); ++k)
      if (!held()[size_t(k)]) given.row(k).setZero();
    const auto h = sensitivity.hybrid(held(), q, v, motion, tau, around, {}, optimum);
    const auto h_by = by_state.hybrid(held(), q, v, motion, tau, around, {}, optimum);
    const Matrix of_hybrid = along(both(h.dx_dp, h.dlambda_dp), both(h_by.dq, h_by.dlambda_dq),
                                   both(h_by.dv, h_by.dlambda_dv)) +
                             both(h_by.dgiven, h_by.dlambda_dgiven) * given;
    if (!has_inverse) return of_hybrid;
    ConstrainedSensitivities i(robot, dyn.rows(), int(parameters.size()));
    sensitivity.inverse(q, v, motion, tau, around, {}, optimum, into(i));
    ConstrainedInverseDerivatives i_by(robot, dyn.rows());
    by_state.inverse(q, v, motion, tau, around, {}, optimum, into(i_by));
    Matrix all(2 * of_hybrid.rows(), of_hybrid.cols());
    all << of_hybrid, along(both(i.dx_dp, i.dlambda_dp), both(i_by.dtau_dq, i_by.dlambda_dq),
                            both(i_by.dtau_dv, i_by.dlambda_dv)) +
                          both(i_by.dtau_da, i_by.dlambda_da) * da;
    return all;
  }

  Robot robot;
  Surroundings around;
  Vector tau;
  Optimum optimum;
  bool has_inverse;  ///< a base that floats would need a motor
  std::unique_ptr<bool[]> flags;
};

TEST_P(SensitivityOfLoops, InverseAndHybridAlongClosedStates) {
  LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 2, GetParam() % 2 == 0);
  const MotionOfTau find(x, GetParam());
  ConstrainedDynamics dyn(find.robot);
  const double margin =
      std::min({dyn.forward(x.q, x.v, x.tau, find.around).rank_margin,
                find.hybrid(dyn, x.q, x.v).rank_margin, find.inverse(dyn, x.q, x.v).rank_margin});
  if (!compares(margin >= 1e-2 && dyn.mobility() > 0)) return;
  const std::vector<Parameter> parameters = some_parameters(find.robot, size_t(GetParam()), 12);
  const Matrix found = find.by_parameters(parameters, x.q, x.v);
  for (size_t k = 0; k < parameters.size(); ++k) {
    Differences by(find.robot, parameters[k], x.q, x.v);
    if (!by.closed()) continue;
    const Vector slope = by.of([&](Edited& e) { return find(e.dyn, e.q, e.v); });
    EXPECT_LE(largest(found.col(Eigen::Index(k)) - slope),
              1e-4 * (largest(slope) + largest(find(dyn, x.q, x.v))))
        << "seed " << GetParam() << ", " << text(parameters[k]);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SensitivityOfLoops, testing::Range(1, 31));

}  // namespace
}  // namespace jounce::test
