// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of robots with many small loops: by clusters, and by factors of the whole.
#include <gtest/gtest.h>

#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_sensitivity.hpp>
#include <jounce/dynamics.hpp>

#include "constraints/cluster_robots.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Derivatives of forward and of hybrid dynamics, on both paths; and whether numbers tell that
/// paths differ.
bool expect_same_on_both_paths(ClusteredState& x, double tolerance) {
  ConstrainedDerivatives derivatives(x.robot);
  derivatives.set_path(ConstrainedPath::clusters);
  const Surroundings around = x.world.around();
  const Vector a = x.dyn.forward(x.q, x.v, x.tau, around, x.contacts).a;
  const auto run = [&] {
    return std::pair(
        derivatives.forward(x.q, x.v, x.tau, around, x.contacts),
        derivatives.hybrid(x.prescribed(), x.q, x.v, 0.9 * a, x.tau, around, x.contacts));
  };
  const auto found = run();
  derivatives.set_path(ConstrainedPath::factors);
  const auto exact = run();
  const std::string name = x.robot.name() + ", contacts " + std::to_string(x.contacts.size());
  const auto& [f, h] = found;
  const auto& [f_exact, h_exact] = exact;
  EXPECT_TRUE(same(f.da_dq, f_exact.da_dq, tolerance)) << name;
  EXPECT_TRUE(same(f.da_dv, f_exact.da_dv, tolerance)) << name;
  EXPECT_TRUE(same(f.da_dtau, f_exact.da_dtau, tolerance)) << name;
  EXPECT_TRUE(same(f.dlambda_dq, f_exact.dlambda_dq, tolerance)) << name;
  EXPECT_TRUE(same(f.dlambda_dv, f_exact.dlambda_dv, tolerance)) << name;
  EXPECT_TRUE(same(f.dlambda_dtau, f_exact.dlambda_dtau, tolerance)) << name;
  EXPECT_TRUE(same(h.dq, h_exact.dq, tolerance)) << name;
  EXPECT_TRUE(same(h.dv, h_exact.dv, tolerance)) << name;
  EXPECT_TRUE(same(h.dgiven, h_exact.dgiven, tolerance)) << name;
  EXPECT_TRUE(same(h.dlambda_dq, h_exact.dlambda_dq, tolerance)) << name;
  EXPECT_TRUE(same(h.dlambda_dv, h_exact.dlambda_dv, tolerance)) << name;
  EXPECT_TRUE(same(h.dlambda_dgiven, h_exact.dlambda_dgiven, tolerance)) << name;
  return largest(Matrix(f.da_dq) - Matrix(f_exact.da_dq)) > 0 &&
         largest(Matrix(h.dq) - Matrix(h_exact.dq)) > 0;
}

/// Of a quadruped on its feet, whose margin is small, both are known to 1e-9.
TEST(ClusterDerivatives, AreThoseOfFactors) {
  on_clustered_robots({1, 4, 16}, [](ClusteredState x) {
    x.prescribe_cranks(3);
    EXPECT_TRUE(expect_same_on_both_paths(x, 1e-8)) << x.robot.name();
  });
}
/// Forward dynamics itself is known to 1e-9 in such a row of linkages; the dense equations, whose
/// residual does not grow with their condition, hold to rounding.
TEST(ClusterDerivatives, OfManyLinkages) {
  for (const int branches : {1, 2}) {
    ClusteredState x(Robot(generate_four_bars(64, branches)), {});
    x.prescribe_cranks(3);
    EXPECT_TRUE(expect_same_on_both_paths(x, 1e-8));
    const auto d = ConstrainedDerivatives(x.robot).forward(x.q, x.v, x.tau, x.world.around());
    const Matrix M = Dynamics(x.robot).mass(x.q), A = x.dyn.jacobian(x.q), da = d.da_dtau;
    const Matrix forces = A.transpose() * Matrix(d.dlambda_dtau);
    const Matrix left = M * da - forces - Matrix::Identity(x.robot.nv(), x.robot.nv());
    EXPECT_LE(largest(left), 1e-12 * (largest(M) * largest(da) + largest(forces)));
    EXPECT_LE(largest(A * da), 1e-12 * largest(A) * largest(da));
  }
}
TEST(ClusterDerivatives, OfRandomLoops) {
  expect_clusters_of_all_kinds(
      [](ClusteredState& x) { return expect_same_on_both_paths(x, 1e-9); });
}

/// Parameters of the first linkage, of the tree, a loop and what acts from outside.
std::vector<Parameter> parameters_of(const Robot& robot) {
  const RobotDescription& made = robot.description();
  return {{ParameterKind::inertia, made.links[2].name, 1},
          {ParameterKind::placement, made.joints[1].name, 3},
          {ParameterKind::loop_placement_2, made.loops[0].name, 3},
          {ParameterKind::wrench, made.links[2].name, 4},
          {ParameterKind::damping, made.joints[1].name, 0},
          {ParameterKind::gravity, "", 2}};
}
/// The same of sensitivities.
bool expect_same_by_parameters(ClusteredState& x, double tolerance) {
  ConstrainedSensitivity to(x.robot, parameters_of(x.robot));
  const Surroundings around = x.world.around();
  const Vector a = x.dyn.forward(x.q, x.v, x.tau, around, x.contacts).a;
  const auto run = [&] {
    return std::pair(to.forward(x.q, x.v, x.tau, around, x.contacts),
                     to.hybrid(x.prescribed(), x.q, x.v, 0.9 * a, x.tau, around, x.contacts));
  };
  to.set_path(ConstrainedPath::clusters);
  const auto [f, h] = run();
  to.set_path(ConstrainedPath::factors);
  const auto [f_exact, h_exact] = run();
  EXPECT_TRUE(same(f.dx_dp, f_exact.dx_dp, tolerance)) << x.robot.name();
  EXPECT_TRUE(same(f.dlambda_dp, f_exact.dlambda_dp, tolerance)) << x.robot.name();
  EXPECT_TRUE(same(h.dx_dp, h_exact.dx_dp, tolerance)) << x.robot.name();
  EXPECT_TRUE(same(h.dlambda_dp, h_exact.dlambda_dp, tolerance)) << x.robot.name();
  return largest(Matrix(f.dx_dp) - Matrix(f_exact.dx_dp)) > 0 &&
         largest(Matrix(h.dx_dp) - Matrix(h_exact.dx_dp)) > 0;
}
TEST(ClusterDerivatives, ByParameters) {
  on_clustered_robots({4}, [](ClusteredState x) {
    x.prescribe_cranks(3);
    EXPECT_TRUE(expect_same_by_parameters(x, 1e-8)) << x.robot.name();
  });
}
/// The same rows count, and as reliably, in the dynamics and in their derivatives, where what is
/// prescribed is no pivot.
void expect_reports_of_the_dynamics(ClusteredState x) {
  const int rows = x.rows();
  ConstrainedDerivatives derivatives(x.robot);
  ConstrainedSensitivity to(x.robot, {{ParameterKind::gravity, "", 2}});
  ConstrainedForwardDerivatives forward(x.robot, rows);
  ConstrainedHybridDerivatives hybrid(x.robot, rows);
  ConstrainedSensitivities by_gravity(x.robot, rows, 1);
  x.prescribe_cranks(3);
  x.dyn.set_path(ConstrainedPath::clusters);
  derivatives.set_path(ConstrainedPath::clusters);
  to.set_path(ConstrainedPath::clusters);
  const auto expect_same = [&](const ConstraintReport& dyn, const ConstraintReport& other) {
    EXPECT_EQ(other.rank, dyn.rank) << x.robot.name();
    EXPECT_GT(other.rank_margin, 0) << x.robot.name();
    EXPECT_EQ(other.rank_margin, dyn.rank_margin) << x.robot.name();
    EXPECT_EQ(other.redundancy_defect, dyn.redundancy_defect) << x.robot.name();
  };
  const Surroundings around = x.world.around();
  const auto f = x.dyn.forward(x.q, x.v, x.tau, around, x.contacts);
  expect_same(f, derivatives.forward(x.q, x.v, x.tau, around, x.contacts, into(forward)));
  expect_same(f, to.forward(x.q, x.v, x.tau, around, x.contacts, into(by_gravity)));
  const auto run = [&](auto& door, auto... found) {
    return door.hybrid(x.prescribed(), x.q, x.v, f.a, x.tau, around, x.contacts, Optimum::force,
                       found...);
  };
  const ConstraintReport h = run(x.dyn);
  expect_same(h, run(derivatives, into(hybrid)));
  expect_same(h, run(to, into(by_gravity)));
}
TEST(ClusterDerivatives, ReportsAreThoseOfTheDynamics) {
  on_clustered_robots({4}, expect_reports_of_the_dynamics);
  // Rows of one that is small are short, but no shorter than others of its own.
  RobotDescription made = generate_four_bars(4, 2);
  for (JointDescription& joint : made.joints)
    if (joint.name.ends_with("_2")) joint.geometry.placement.p = joint.geometry.placement.p * 0.1;
  for (SE3<double>* placement : {&made.loops[1].placement_1, &made.loops[1].placement_2})
    placement->p = placement->p * 0.1;
  const Robot robot(made);
  expect_reports_of_the_dynamics({robot, {}});
  expect_reports_of_the_dynamics({robot, {{robot.frame("coupler_4"), LoopKind::knife_edge}}});
}
/// A copy of a door that knows no rank knows none either, and says so.
TEST(ClusterDerivatives, CopiesWithoutARankRefuse) {
  RobotDescription apart = bennetts(2);
  apart.loops[0].placement_1.p.x = 5;
  const Robot robot(apart);
  const std::vector<Contact> contacts{{robot.frame("two_1"), LoopKind::knife_edge}};
  const Vector q = Vector::Zero(robot.nq()), v = Vector::Zero(robot.nv());
  ConstrainedDynamics dyn(robot);
  ASSERT_EQ(dyn.rank(), -1);
  dyn.set_path(ConstrainedPath::clusters);
  ConstrainedDynamics copy = clone(dyn);
  EXPECT_THROW((void)copy.forward(q, v, v, {}, contacts), ComputationError);
  ConstrainedSensitivity sensitivity(robot, {{ParameterKind::gravity, "", 2}});
  sensitivity.set_path(ConstrainedPath::clusters);
  ConstrainedSensitivity another = clone(sensitivity);
  EXPECT_THROW((void)another.forward(q, v, v, {}, contacts), ComputationError);
}
/// A contact whose point moves in only two ways, and coordinates that strain loops.
TEST(ClusterDerivatives, LeaveWhatDependsOnLoopsToTheFactors) {
  const Robot robot = with_passive_forces(generate_four_bars(5, 2));
  ClusteredState held(robot, {{robot.frame("rocker_5"), LoopKind::point}});
  EXPECT_FALSE(expect_same_on_both_paths(held, 0));
  EXPECT_FALSE(expect_same_by_parameters(held, 0));
  ClusteredState strained(robot, {});
  for (const JointInfo& joint : robot.joints()) strained.flags[size_t(joint.v)] = joint.v < 3;
  const Surroundings around = strained.world.around();
  const Vector a = strained.dyn.forward(strained.q, strained.v, strained.tau, around).a;
  ConstrainedDerivatives derivatives(robot);
  ConstrainedSensitivity to(robot, parameters_of(robot));
  const auto run = [&](ConstrainedPath path) {
    const auto of = [&](auto& door) {
      door.set_path(path);
      return door.hybrid(strained.prescribed(), strained.q, strained.v, a, strained.tau, around);
    };
    return std::pair(of(derivatives), of(to));
  };
  const auto found = run(ConstrainedPath::clusters), exact = run(ConstrainedPath::factors);
  EXPECT_TRUE(same(found.first.dq, exact.first.dq, 0));
  EXPECT_TRUE(same(found.first.dlambda_dgiven, exact.first.dlambda_dgiven, 0));
  EXPECT_TRUE(same(found.second.dx_dp, exact.second.dx_dp, 0));
  EXPECT_TRUE(same(found.second.dlambda_dp, exact.second.dlambda_dp, 0));
}
/// As many rows of contacts as clusters carry, and one more.
TEST(ClusterDerivatives, CarryThirtyTwoRowsOfContacts) {
  const Robot robot(generate_four_bars(44, 11));
  const auto coupler = [&](int k) { return robot.frame("coupler_" + std::to_string(k)); };
  std::vector<Contact> tips;
  for (int k = 34; k <= 43; ++k) tips.push_back({coupler(k), LoopKind::point});
  tips.push_back({coupler(44), LoopKind::knife_edge});
  tips.push_back({coupler(33), LoopKind::knife_edge});
  ClusteredState most(robot, tips);
  ASSERT_EQ(ConstrainedDynamics::rows(tips), 32);
  EXPECT_TRUE(expect_same_on_both_paths(most, 1e-9));
  tips.push_back({coupler(22), LoopKind::knife_edge});
  ClusteredState more(robot, tips);
  EXPECT_FALSE(expect_same_on_both_paths(more, 0));
}
/// Room for the largest set has been seen: nothing is taken from the heap again.
TEST(ClusterDerivatives, TakeNoMemory) {
  const Robot robot = with_passive_forces(four_bar_quadruped());
  ClusteredState x(robot, feet_of_quadruped(robot));
  x.prescribe_cranks(3);
  ConstrainedDerivatives derivatives(robot);
  const std::vector<Parameter> parameters = parameters_of(robot);
  ConstrainedSensitivity to(robot, parameters);
  derivatives.set_path(ConstrainedPath::clusters);
  to.set_path(ConstrainedPath::clusters);
  const Surroundings around = x.world.around();
  const Vector a = x.dyn.forward(x.q, x.v, x.tau, around, x.contacts).a;
  std::vector<ConstrainedForwardDerivatives> forward;
  std::vector<ConstrainedHybridDerivatives> hybrid;
  std::vector<ConstrainedSensitivities> by_parameters;
  for (const size_t many : {4u, 1u, 0u}) {
    const int rows = derivatives.rows() + 3 * int(many);
    forward.emplace_back(robot, rows), hybrid.emplace_back(robot, rows);
    by_parameters.emplace_back(robot, rows, int(parameters.size()));
  }
  const auto run = [&] {
    for (size_t i = 0; i < forward.size(); ++i) {
      const auto contacts = std::span<const Contact>(x.contacts).first(i == 0 ? 4 : 2 - i);
      const auto of = [&](auto& door, auto& forward_to, auto& hybrid_to) {
        door.forward(x.q, x.v, x.tau, around, contacts, into(forward_to));
        door.hybrid(x.prescribed(), x.q, x.v, a, x.tau, around, contacts, Optimum::force,
                    into(hybrid_to));
      };
      of(derivatives, forward[i], hybrid[i]);
      of(to, by_parameters[i], by_parameters[i]);
    }
  };
  run();
  const NoAllocation here;
  run();
}

}  // namespace
}  // namespace jounce::test
