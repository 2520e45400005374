// SPDX-License-Identifier: BSD-3-Clause
// Table 5 against the matrix forms, and named parameters against robots that are built anew.
#include <jounce/regressor.hpp>
#include <jounce/sensitivity.hpp>

#include "derivatives/changes.hpp"
#include "derivatives/edited_parameters.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// Along a random direction of q, v and a at once, and of forces for the accelerations.
TEST(Sensitivity, Table5IsTheMatrixFormAlongADirection) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(300); ++seed) {
    DerivativeCase c(seed);
    if (c.robot.has_mimic()) continue;
    const Model<double>& m = c.robot.model();
    const Vector dq = c.random(), dv = c.random(), da = c.random();
    const JointChanges joints = joint_changes(m, c.q, c.v, tree_rates(c.robot, c.q, dq), dv);
    const std::vector<Wrench<double>> F_ext(size_t(m.bodies));
    const State<double> x{c.q.data(), c.v.data(), c.a.data(), nullptr, F_ext.data()};
    WorkspaceStorage<double> storage(m), factors(m);
    Workspace<double>& w = storage.view();
    w.V[0] = {};
    w.Vdot[0] = minus_gravity<double>(m);
    rnea(m, x, w);
    std::vector<Twist<double>> V(size_t(m.bodies)), Vdot(V);
    std::vector<Wrench<double>> F(size_t(m.bodies));
    SensitivityRoom<double> room{V.data(), Vdot.data(), F.data()};
    Change<double> change{.v = dv.data(),
                          .a = da.data(),
                          .h = joints.h.data(),
                          .S = joints.S.data(),
                          .Sdot = joints.Sdot.data()};
    Vector dtau(m.nv), found_a(m.nv);
    rnea_sensitivity(m, x, w, change, room, dtau.data());
    const InverseDerivatives matrices = c.derivatives.inverse(c.q, c.v, c.a, {.passive = false});
    const DenseMatrix J_q = matrices.dq, J_v = matrices.dv, M = matrices.da;
    const Vector expected = J_q * dq + J_v * dv + M * da;
    const double size = largest(J_q) + largest(J_v) + largest(M);
    EXPECT_TRUE(within(1e-12 * m.nv * size, dtau, expected, c));
    change.a = nullptr;  // forces that change as expected move the accelerations by da
    factor_articulated(m, x, factors.view());
    forward_sensitivity(m, x, w, factors.view(), change, expected.data(), room, found_a.data());
    EXPECT_LE(largest(M * (found_a - da)), 1e-11 * m.nv * size) << seed;
  }
}

/// Differences of second order with steps of 1e-4: errors of about 1e-7.
TEST(Sensitivity, NamedParametersAgainstRobotsBuiltAnew) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(24); ++seed) {
    DerivativeCase c(seed, 7);
    const std::vector<Parameter> parameters = all_parameters(c.robot);
    Sensitivity sensitivity(c.robot, parameters);
    const DenseMatrix found = sensitivity.force(c.q, c.v, c.a, c.around());
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    const DenseMatrix da = sensitivity.acceleration(c.q, c.v, tau, c.around());
    const DenseMatrix M = c.dynamics.mass(c.q);
    EXPECT_LE(largest(M * da + found), 1e-9 * largest(found)) << seed;
    for (size_t j = 0; j < parameters.size(); ++j) {
      const auto force = [&](double step) -> Vector {
        Dynamics dynamics{Robot(edited(c.robot.description(), parameters[j], step))};
        return dynamics.inverse(c.q, c.v, c.a, c.around());
      };
      const Vector slope = (force(1e-4) - force(-1e-4)) / 2e-4;
      EXPECT_TRUE(within(1e-6 * (1 + largest(slope)), found.col(Eigen::Index(j)), slope, c))
          << "kind " << int(parameters[j].kind) << " of " << parameters[j].name << ", "
          << parameters[j].component;
    }
  }
}

/// What does not act has no influence: differences of robots built anew, in the same surroundings.
TEST(Sensitivity, WithoutGravityAndPassiveForces) {
  const Surroundings around{.passive = false, .gravity = false};
  for (const std::uint64_t seed : {3, 6, 9}) {  // robots with passive forces
    DerivativeCase c(seed, 6);
    const std::vector<Parameter> parameters = all_parameters(c.robot);
    Sensitivity sensitivity(c.robot, parameters);
    const DenseMatrix found = sensitivity.force(c.q, c.v, c.a, around);
    for (size_t j = 0; j < parameters.size(); ++j) {
      const auto force = [&](double step) -> Vector {
        return Dynamics{Robot(edited(c.robot.description(), parameters[j], step))}.inverse(
            c.q, c.v, c.a, around);
      };
      const Vector slope = (force(1e-4) - force(-1e-4)) / 2e-4;
      EXPECT_TRUE(within(1e-6 * (1 + largest(slope)), found.col(Eigen::Index(j)), slope, c))
          << "kind " << int(parameters[j].kind) << " of " << parameters[j].name;
    }
  }
}

TEST(Sensitivity, OfInertiaIsTheRegressor) {
  Case c(Robot(load("builtin:humanoid")), 2);
  std::vector<Parameter> parameters;
  for (const LinkDescription& link : c.robot.description().links)
    for (int k = 0; k < 10; ++k) parameters.push_back({ParameterKind::inertia, link.name, k});
  parameters.push_back({ParameterKind::payload, c.robot.description().links[3].name});
  Sensitivity sensitivity(c.robot, parameters);
  Regressor regressor(c.robot);
  const DenseMatrix Y = regressor.force(c.q, c.v, c.a);
  const DenseMatrix found = sensitivity.force(c.q, c.v, c.a);
  EXPECT_TRUE(within(1e-12 * largest(Y), found.leftCols(Y.cols()), Y, c));
  EXPECT_TRUE(within(0, found.rightCols(1), found.col(30), c));  // a mass at the link's origin
}

TEST(Sensitivity, AllocatesNothing) {
  DerivativeCase c(4);
  Sensitivity sensitivity(c.robot, all_parameters(c.robot));
  DenseMatrix found(c.robot.nv(), Eigen::Index(sensitivity.parameters().size()));
  NoAllocation scope;
  sensitivity.force(c.q, c.v, c.a, c.around(), into(found));
  sensitivity.acceleration(c.q, c.v, c.a, c.around(), into(found));
}

TEST(Sensitivity, RefusesBadInput) {
  const Robot arm = load("builtin:arm7");
  const std::string joint = arm.joints()[0].name, link = arm.description().links[1].name;
  const auto told = [&](const Parameter& p) { return message([&] { Sensitivity(arm, {p}); }); };
  EXPECT_EQ(told({ParameterKind::inertia, link, 10}),
            "Sensitivity: component 10 of \"" + link + "\", which has 10");
  EXPECT_EQ(told({ParameterKind::pitch, joint}),
            "Sensitivity: joint \"" + joint + "\" is not a helical joint");
  const Robot walker = load("builtin:quadruped");
  const std::string base = walker.joints()[0].name;
  EXPECT_EQ(message([&] {
              Sensitivity(walker, {{ParameterKind::axis, base}});
            }),
            "Sensitivity: joint \"" + base + "\" has no single axis");
  EXPECT_NE(told({ParameterKind::damping, "elbow?"}).find("elbow?"), std::string::npos);
  Sensitivity sensitivity(arm, {{ParameterKind::gravity, "", 2}});
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { sensitivity.force(six, q, q); }),
            "force sensitivity: q has 6 elements, robot \"arm7\" needs 7");
  const OutsideWrench<double> endless{arm.frame(link), {{0, 0, INFINITY}, {0, 0, 0}}};
  EXPECT_EQ(message([&] {
              sensitivity.force(q, q, q, {.wrenches = {&endless, 1}});
            }),
            "force sensitivity: wrenches[0] on \"" + link + "\" is not finite");
  EXPECT_EQ(message([&] { sensitivity.acceleration(q, q, bad); }),
            "acceleration sensitivity: tau[2] is NaN");
}

}  // namespace
}  // namespace jounce::test
