// SPDX-License-Identifier: BSD-3-Clause
// Table 5 against the matrix forms, and named parameters against robots that are built anew.
#include <jounce/geometry_sensitivity.hpp>
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

/// [Kim] Table 7 by a name: robots built anew, whose prescribed forces and free accelerations are
/// found by Dynamics::hybrid. Differences of second order with steps of 1e-4: errors of about 1e-7.
TEST(Sensitivity, OfHybridDynamicsAgainstRobotsBuiltAnew) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(24); ++seed) {
    DerivativeCase c(seed, 7);
    const std::vector<Parameter> parameters = all_parameters(c.robot);
    const int n = c.robot.nv();
    const auto flags = std::make_unique<bool[]>(size_t(n));
    for (int k = 0; k < n; ++k) flags[size_t(k)] = (k + int(seed)) % 3 == 0;
    const std::span<const bool> prescribed(flags.get(), size_t(n));
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    Sensitivity sensitivity(c.robot, parameters);
    const DenseMatrix found = sensitivity.hybrid(prescribed, c.q, c.v, c.a, tau, c.around());
    const DenseMatrix M = c.dynamics.mass(c.q), inverse = c.dynamics.mass_inverse(c.q);
    const double condition = M.norm() * inverse.norm();
    for (size_t j = 0; j < parameters.size(); ++j) {
      const auto unknown = [&](double step) -> Vector {
        Dynamics dynamics{Robot(edited(c.robot.description(), parameters[j], step))};
        const HybridResult x = dynamics.hybrid(prescribed, c.q, c.v, c.a, tau, c.around());
        Vector y = x.a;
        for (int k = 0; k < n; ++k)
          if (prescribed[size_t(k)]) y[k] = x.tau[k];
        return y;
      };
      const Vector slope = (unknown(1e-4) - unknown(-1e-4)) / 2e-4;
      EXPECT_TRUE(
          within(1e-7 * condition * (1 + largest(slope)), found.col(Eigen::Index(j)), slope, c))
          << "kind " << int(parameters[j].kind) << " of " << parameters[j].name << ", "
          << parameters[j].component;
    }
  }
}

/// All prescribed is inverse, none is forward dynamics.
TEST(Sensitivity, HybridHasInverseAndForwardAtItsEnds) {
  DerivativeCase c(4, 9);
  Sensitivity sensitivity(c.robot, all_parameters(c.robot));
  const auto n = size_t(c.robot.nv());
  const auto all = std::make_unique<bool[]>(n), none = std::make_unique<bool[]>(n);
  std::fill_n(all.get(), n, true);
  const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, c.around());
  const DenseMatrix force = sensitivity.force(c.q, c.v, c.a, c.around()),
                    acceleration = sensitivity.acceleration(c.q, c.v, tau, c.around());
  EXPECT_TRUE(within(1e-11 * largest(force),
                     sensitivity.hybrid({all.get(), n}, c.q, c.v, c.a, tau, c.around()), force, c));
  EXPECT_TRUE(within(1e-8 * largest(acceleration),
                     sensitivity.hybrid({none.get(), n}, c.q, c.v, c.a, tau, c.around()),
                     acceleration, c));
}

/// A force that acts from outside is linear: its derivative is the difference of two forces.
TEST(Sensitivity, OfAWrenchIsTheForceOfAUnit) {
  Case c(Robot(load("builtin:quadruped")), 2);
  const std::string link = c.robot.description().links[3].name;
  std::vector<Parameter> parameters;
  for (int k = 0; k < 6; ++k) parameters.push_back({ParameterKind::wrench, link, k});
  Sensitivity sensitivity(c.robot, parameters);
  const DenseMatrix found = sensitivity.force(c.q, c.v, c.a);
  const Vector without = c.dynamics.inverse(c.q, c.v, c.a);
  for (int k = 0; k < 6; ++k) {
    double x[6] = {};
    x[k] = 1;
    const OutsideWrench<double> unit{
        c.robot.frame(link), {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}, Representation::body};
    const Vector with = c.dynamics.inverse(c.q, c.v, c.a, {.wrenches = {&unit, 1}});
    EXPECT_TRUE(within(1e-12 * (1 + largest(without)), found.col(k), with - without, c));
  }
  EXPECT_EQ(largest(DenseMatrix(sensitivity.mass(c.q))), 0);
  EXPECT_EQ(largest(DenseMatrix(sensitivity.energy(c.q, c.v))), 0);
  GeometrySensitivity geometry(load("builtin:arm7"), {{ParameterKind::wrench, "link_3", 1}});
  const dense::Matrix symbols = geometry.christoffel({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
  for (const double x : symbols.numbers) EXPECT_EQ(x, 0);
}

/// dM and d(kinetic, potential) against robots built anew, as above.
TEST(Sensitivity, OfMassAndEnergyAgainstRobotsBuiltAnew) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(16); ++seed) {
    DerivativeCase c(seed, 7);
    const std::vector<Parameter> parameters = all_parameters(c.robot);
    Sensitivity sensitivity(c.robot, parameters);
    const DenseMatrix dM = sensitivity.mass(c.q), energy = sensitivity.energy(c.q, c.v);
    const int n = c.robot.nv();
    for (size_t j = 0; j < parameters.size(); ++j) {
      const auto numbers = [&](double step) -> Vector {
        Dynamics dynamics{Robot(edited(c.robot.description(), parameters[j], step))};
        const DenseMatrix M = dynamics.mass(c.q);
        const Energy e = dynamics.energy(c.q, c.v);
        Vector all(n * n + 2);
        all << Eigen::Map<const Vector>(M.data(), n * n), e.kinetic, e.potential;
        return all;
      };
      const Vector slope = (numbers(1e-4) - numbers(-1e-4)) / 2e-4;
      Vector found(n * n + 2);
      found << dM.col(Eigen::Index(j)), energy.col(Eigen::Index(j));
      EXPECT_TRUE(within(1e-6 * (1 + largest(slope)), found, slope, c))
          << "kind " << int(parameters[j].kind) << " of " << parameters[j].name << ", "
          << parameters[j].component;
    }
  }
}

/// The length of a link moves the next joint and, the mass of the link being given, its centre of
/// mass and moments: a number of one's own, by the rates of what it moves.
TEST(Sensitivity, OfANumberOfOnesOwn) {
  const auto arm = [](double length) {
    RobotDescription d = read_robot("builtin:planar_2r").robot;
    for (LinkDescription& link : d.links) {
      if (link.name != "link_1") continue;
      link.com = {length / 2, 0, 0};
      link.I_com.zz = link.mass * length * length / 12;
    }
    for (JointDescription& joint : d.joints)
      if (joint.name == "joint_2") joint.geometry.placement.p = {length, 0, 0};
    return Robot(d);
  };
  const double length = 0.8;
  const Robot robot = arm(length);
  const double mass = robot.description().links[1].mass;
  ASSERT_EQ(robot.description().links[1].name, "link_1");
  Sensitivity sensitivity(robot, {{ParameterKind::placement, "joint_2", 3},
                                  {ParameterKind::inertia, "link_1", 1},
                                  {ParameterKind::inertia, "link_1", 6},
                                  {ParameterKind::inertia, "link_1", 9}});
  const Vector rates = parameter_rates(
      [&](auto x) {
        const auto about_end = x * x * (mass / 3), across = x * x * (mass / 4);
        return std::array{x, x * (mass / 2), across, about_end};
      },
      length);
  const std::vector<double> q{0.3, -0.5}, v{0.7, -1.3}, a{0.4, 0.9};
  const DenseMatrix columns = sensitivity.force(q, v, a);
  const Vector found = columns * rates;
  const auto force = [&](double step) -> Vector {
    return Dynamics(arm(length + step)).inverse(q, v, a);
  };
  const Vector slope = (force(1e-4) - force(-1e-4)) / 2e-4;
  EXPECT_TRUE(within(1e-6, found, slope, 0));
}

TEST(Sensitivity, AllocatesNothing) {
  DerivativeCase c(4);
  Sensitivity sensitivity(c.robot, all_parameters(c.robot));
  DenseMatrix found(c.robot.nv(), Eigen::Index(sensitivity.parameters().size()));
  NoAllocation scope;
  sensitivity.force(c.q, c.v, c.a, c.around(), into(found));
  sensitivity.acceleration(c.q, c.v, c.a, c.around(), into(found));
}

TEST(Sensitivity, OfHybridDynamicsAndEnergyAllocatesNothingAfterTheFirstCall) {
  DerivativeCase c(4);
  Sensitivity sensitivity(c.robot, all_parameters(c.robot));
  const auto n = size_t(c.robot.nv());
  const auto flags = std::make_unique<bool[]>(n);
  flags[0] = true;
  const auto count = Eigen::Index(sensitivity.parameters().size());
  DenseMatrix found(c.robot.nv(), count), energy(2, count);
  sensitivity.hybrid({flags.get(), n}, c.q, c.v, c.a, c.a, c.around(), into(found));
  NoAllocation scope;
  sensitivity.hybrid({flags.get(), n}, c.q, c.v, c.a, c.a, c.around(), into(found));
  sensitivity.energy(c.q, c.v, into(energy));
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
  EXPECT_EQ(told({ParameterKind::rest, joint}),
            "Sensitivity: joint \"" + joint + "\" has no spring");
  EXPECT_EQ(told({ParameterKind::wrench, link, 6}),
            "Sensitivity: component 6 of \"" + link + "\", which has 6");
  EXPECT_EQ(
      message([] { parameter_kind("colour"); }),
      "Sensitivity: there is no kind of parameter \"colour\"; there are inertia, payload, "
      "placement, axis, pitch, gravity, wrench, bushing_stiffness, bushing_damping, "
      "bushing_placement_1, bushing_placement_2, loop_placement_1, loop_placement_2, loop_length, "
      "loop_radius, loop_ratio, loop_offset, armature, stiffness, rest, damping, friction, drag");
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
