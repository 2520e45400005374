// SPDX-License-Identifier: BSD-3-Clause
// Constrained dynamics by named parameters, against robots that are built anew: with the state left
// as it is, and along the states that close their loops again. Random loops:
// sensitivity_of_loops_test.cpp.
#include <gtest/gtest.h>

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_sensitivity.hpp>

#include "constraints/custom_loop.hpp"
#include "constraints/edited_robots.hpp"
#include "constraints/mechanisms.hpp"
#include "constraints/vectors.hpp"
#include "support/allocation_guard.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Parameters that leave a planar linkage in its plane.
std::vector<Parameter> planar_parameters(const Robot& robot, const Vector& q, double time = 0) {
  const std::vector<Parameter> all = all_parameters(robot);
  const Matrix open =
      ConstrainedSensitivity(robot, all).closed(q, Vector::Zero(robot.nv()), time).open_dp;
  std::vector<Parameter> planar;
  for (size_t k = 0; k < all.size(); ++k)
    if (largest(open.col(Eigen::Index(k))) < 1e-12) planar.push_back(all[k]);
  return planar;
}

/// Forces and multipliers of a motion where joints without motors have the forces `rub`.
Vector inverse_of(ConstrainedDynamics& dyn, const Vector& q, const Vector& v, const Vector& a,
                  const Vector& rub, Optimum optimum) {
  Vector tau(q.size()), lambda(dyn.rows());
  dyn.inverse(q, v, a, rub, {}, {}, optimum, into(tau), into(lambda));
  for (int k = 0; k < tau.size(); ++k)
    if (!dyn.robot().actuated()[size_t(k)]) tau[k] = 0;  // given, not found
  return both(tau, lambda);
}

/// The five-bar with these motors at a closed state: forces of a motion that each linkage has.
void expect_inverse(std::initializer_list<int> motors, Optimum optimum, const Vector& rub) {
  RobotDescription description = read_robot("builtin:five_bar").robot;
  for (JointDescription& joint : description.joints) joint.actuated = false;
  for (const int k : motors) description.joints[size_t(k)].actuated = true;
  const Robot robot(description);
  ConstrainedDynamics dyn(robot);
  const Vector q = Vector::Map(robot.closed().data(), 4);
  const Vector v = dyn.project(q, Eigen::Vector4d(1.5, 0, -0.7, 0));
  const bool held[] = {true, false, true, false};
  const auto a = [&](ConstrainedDynamics& of, const Vector& at, const Vector& speed) -> Vector {
    return of.hybrid(held, at, speed, Eigen::Vector4d(1, 0, 2, 0), Vector::Zero(4)).a;
  };
  const std::vector<Parameter> parameters = planar_parameters(robot, q);
  ConstrainedSensitivity sensitivity(robot, parameters);
  const Vector motion = a(dyn, q, v);
  ConstrainedSensitivities d(robot, dyn.rows(), int(parameters.size()));
  sensitivity.inverse(q, v, motion, rub, {}, {}, optimum, into(d));
  const auto closed = sensitivity.closed(q, v);
  const auto given = sensitivity.hybrid(held, q, v, Eigen::Vector4d(1, 0, 2, 0), Vector::Zero(4));
  ConstrainedInverseDerivatives by_state(robot, dyn.rows());
  ConstrainedDerivatives(robot).inverse(q, v, motion, rub, {}, {}, optimum, into(by_state));
  for (size_t k = 0; k < parameters.size(); ++k) {
    Differences by(robot, parameters[k], q, v);
    ASSERT_TRUE(by.closed()) << text(parameters[k]);
    const Vector da = by.of([&](Edited& e) { return a(e.dyn, e.q, e.v); });
    const auto column = Eigen::Index(k);
    const Vector found = both(d.dx_dp, d.dlambda_dp).col(column) +
                         both(by_state.dtau_dq, by_state.dlambda_dq) * closed.dq_dp.col(column) +
                         both(by_state.dtau_dv, by_state.dlambda_dv) * closed.dv_dp.col(column) +
                         both(by_state.dtau_da, by_state.dlambda_da) * da;
    const Vector slope = by.of(
        [&](Edited& e) { return inverse_of(e.dyn, e.q, e.v, a(e.dyn, e.q, e.v), rub, optimum); });
    EXPECT_LE(largest(found - slope), 1e-5 * (1 + largest(slope))) << text(parameters[k]);
    const auto hybrid_by = ConstrainedDerivatives(robot).hybrid(
        held, q, v, Eigen::Vector4d(1, 0, 2, 0), Vector::Zero(4));
    const Vector unknown = both(given.dx_dp, given.dlambda_dp).col(column) +
                           both(hybrid_by.dq, hybrid_by.dlambda_dq) * closed.dq_dp.col(column) +
                           both(hybrid_by.dv, hybrid_by.dlambda_dv) * closed.dv_dp.col(column);
    const Vector wanted = by.of([&](Edited& e) {
      const auto h = e.dyn.hybrid(held, e.q, e.v, Eigen::Vector4d(1, 0, 2, 0), Vector::Zero(4));
      return both(Eigen::Vector4d(h.tau[0], h.a[1], h.tau[2], h.a[3]), h.lambda);
    });
    EXPECT_LE(largest(unknown - wanted), 1e-5 * (1 + largest(wanted))) << text(parameters[k]);
  }
}

TEST(ConstrainedSensitivity, OfInverseAndHybridDynamics) {
  for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
    expect_inverse({0, 2}, optimum, Vector::Zero(4));
    expect_inverse({0, 2}, optimum, Eigen::Vector4d(0, 0.3, 0, -0.2));
    expect_inverse({0, 1, 2}, optimum, Eigen::Vector4d(0, 0, 0, 0.4));
    expect_inverse({0, 1, 2, 3}, optimum, Vector::Zero(4));
  }
}

/// A five-bar whose shoulders a function of time ties: q_0 + 0.3 sin(q_2) = 2 + sin(3 t) + q_2^2 t.
TEST(ConstrainedSensitivity, OfStatesThatDependOnTime) {
  RobotDescription made = read_robot("builtin:five_bar").robot;
  made.loops.push_back(custom({{made.joints[0].name}, {made.joints[2].name}},
                              custom_constraint<2, 1>([](const auto* q, const auto& t, auto* C) {
                                const auto way = 2.0 + sin(3.0 * t) + q[1] * q[1] * t;
                                C[0] = q[0] + 0.3 * sin(q[1]) - way;
                              })));
  const Robot robot(made);
  const double time = 0.1;
  ConstrainedDynamics dyn(robot);
  const Vector q = dyn.assemble(robot.closed(), {}, time).q;
  const Vector v = dyn.project(q, Eigen::Vector4d(1.5, 0, -0.7, 0), {}, time);
  const std::vector<Parameter> parameters = planar_parameters(robot, q, time);
  const auto closed = ConstrainedSensitivity(robot, parameters).closed(q, v, time);
  for (size_t k = 0; k < parameters.size(); ++k) {
    Differences by(robot, parameters[k], q, v, time);
    ASSERT_TRUE(by.closed()) << text(parameters[k]);
    const auto column = Eigen::Index(k);
    EXPECT_LE(largest(closed.dq_dp.col(column) - by.dq()), 1e-7 * (1 + largest(by.dq())));
    EXPECT_LE(largest(closed.dv_dp.col(column) - by.dv()), 1e-7 * (1 + largest(by.dv())))
        << text(parameters[k]);
  }
}

/// A hinge of a planar linkage that is tilted opens it for good.
TEST(ConstrainedSensitivity, TellsWhatCannotBeClosed) {
  const Robot robot(parallelogram(0.8));
  ConstrainedSensitivity sensitivity(robot, {{ParameterKind::placement, "rocker", 0},
                                             {ParameterKind::placement, "rocker", 2},
                                             {ParameterKind::placement, "rocker", 3}});
  const Vector q = Vector::Map(robot.closed().data(), 3);
  const Matrix open = sensitivity.closed(q, Vector::Zero(3)).open_dp;
  EXPECT_GT(largest(open.col(0)), 0.1);
  EXPECT_LE(largest(open.rightCols(2)), 1e-14);
}

TEST(ConstrainedSensitivity, OfContacts) {
  const Robot robot = load("builtin:quadruped");
  const std::vector<double> q = robot.neutral();
  const Contact feet[] = {{robot.frame("front_left_foot"), LoopKind::point},
                          {robot.frame("hind_right_foot"), LoopKind::fixed}};
  const Vector v = Vector::LinSpaced(robot.nv(), -0.5, 0.7), tau = v;
  const std::vector<Parameter> parameters = some_parameters(robot, 1, 7);
  ConstrainedSensitivity sensitivity(robot, parameters);
  const auto d = sensitivity.forward(q, v, tau, {}, feet);
  for (size_t k = 0; k < parameters.size(); ++k) {
    const auto at = [&](double h) {
      const Robot other(edited(robot.description(), parameters[k], h));
      return ConstrainedDynamics(other).forward(q, v, tau, {}, feet).a;
    };
    const Vector slope = rate_by_parameter(at);
    EXPECT_LE(largest(d.dx_dp.col(Eigen::Index(k)) - slope), 1e-5 * (1 + largest(slope)))
        << text(parameters[k]);
  }
}

TEST(ConstrainedSensitivity, RefusesAndTakesNoMemory) {
  const Robot robot = load("builtin:five_bar");
  ConstrainedSensitivity sensitivity(robot, {{ParameterKind::gravity, "", 1}});
  const Vector q = Vector::Map(robot.closed().data(), 4), still = Vector::Zero(4);
  ConstrainedSensitivities found(robot, 5, 1), narrow(robot, 5, 2);
  ClosedSensitivities closed(robot, 5, 1);
  EXPECT_EQ(message([&] { sensitivity.forward(q, still, still, {}, {}, into(narrow)); }),
            "constrained_forward_sensitivity: the result has room for 5 rows of loops and contacts "
            "and 2 parameters, needs 5 and 1");
  EXPECT_EQ(message([&] { sensitivity.closed(still, still); }).substr(0, 43),
            "closed_sensitivity: the loops are open by 0");
  EXPECT_EQ(message([&] {
              ConstrainedSensitivity(robot, {{ParameterKind::bushing_damping, "none", 0}});
            }),
            "Sensitivity: robot \"five_bar\" has no bushing \"none\"");
  const auto refusal = [&](const Parameter& p) {
    return message([&] { ConstrainedSensitivity(robot, {p}); });
  };
  EXPECT_EQ(refusal({ParameterKind::loop_offset, "none"}),
            "Sensitivity: robot \"five_bar\" has no loop \"none\"");
  const std::string loop = robot.loops()[0].name;
  EXPECT_EQ(refusal({ParameterKind::loop_length, loop}),
            "Sensitivity: loop \"" + loop + "\" is of kind revolute and has no length");
  EXPECT_EQ(refusal({ParameterKind::loop_placement_2, loop, 6}),
            "Sensitivity: component 6 of \"" + loop + "\", which has 6");
  const auto run = [&] {
    sensitivity.forward(q, still, still, {}, {}, into(found));
    sensitivity.inverse(q, still, still, {}, {}, Optimum::torque, into(found));
    sensitivity.inverse(q, still, still, still, {}, {}, Optimum::force, into(found));
    sensitivity.closed(q, still, into(closed));
  };
  run();
  const NoAllocation here;
  run();
}

}  // namespace
}  // namespace jounce::test
