// SPDX-License-Identifier: BSD-3-Clause
// Regressors, inverse dynamics of a reference, base parameters and physical consistency: laws on
// random trees with every kind of joint.
#include <jounce/algorithm/regressor.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/regressor.hpp>

#include "matrices/cases.hpp"
#include "support/allocation_guard.hpp"
#include "support/near.hpp"

namespace jounce::test {
namespace {

constexpr RegressorColumns everything{true, true, true, true};
constexpr Factorization skew_factorizations[] = {Factorization::ploen, Factorization::lie,
                                                 Factorization::christoffel};

Robot without_springs(std::uint64_t seed) {
  RobotDescription description = random_description(seed);
  for (JointDescription& joint : description.joints) {
    joint.properties.stiffness.clear();
    joint.properties.rest.clear();
  }
  return Robot(description);
}

TEST(Regressor, TimesParametersIsInverseDynamics) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(150); ++seed) {
    Case c(without_springs(seed), seed);
    Regressor regressor(c.robot, everything);
    const Vector pi = regressor.parameters();
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a);
    const DenseMatrix Y = regressor.force(c.q, c.v, c.a);
    ASSERT_EQ(Y.cols(), 10 * int(c.robot.description().links.size()) + 4 * c.robot.nv());
    EXPECT_TRUE(within(1e-12 * (largest(tau) + largest(Y) * largest(pi)), Y * pi, tau, c));
    Regressor links_only(c.robot);
    const DenseMatrix Y_links = links_only.force(c.q, c.v, c.a);
    EXPECT_TRUE(within(0, Y_links, Y.leftCols(Y_links.cols()), c));
  }
}

/// Also of forces, energy and momentum on a base that moves; inverse_reference is of one at rest.
TEST(Regressor, OnAMovingBase) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    Case c(without_springs(seed), seed);
    Regressor regressor(c.robot, everything);
    const Vector pi = regressor.parameters();
    const Twist<double> V_0 = c.rng.twist(), Vdot_0 = c.rng.twist();
    const Ground<double> ground{V_0, Vdot_0};
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, {.ground = ground});
    const DenseMatrix Y = regressor.force(c.q, c.v, c.a, ground);
    EXPECT_TRUE(within(1e-12 * (largest(tau) + largest(Y) * largest(pi)), Y * pi, tau, c));
    const Energy energy = c.dynamics.energy(c.q, c.v, ground);
    const DenseMatrix Y_energy = regressor.energy(c.q, c.v, ground);
    EXPECT_NEAR((Y_energy * pi)[0], energy.kinetic,
                1e-12 * (energy.kinetic + largest(Y_energy) * largest(pi)))
        << seed;
    if (c.robot.mass() > 0) {
      const Momentum<double> momentum = c.dynamics.momentum(c.q, c.v, ground);
      const DenseMatrix Y_momentum = regressor.momentum(c.q, c.v, ground);
      const Vector linear = (Y_momentum * pi).tail(3);
      EXPECT_NEAR(linear[0], momentum.about_com.f.x,
                  1e-12 * (largest(linear) + largest(Y_momentum) * largest(pi)))
          << seed;
    }
  }
  EXPECT_EQ(message([] {
              const std::vector<double> q(7);
              Regressor(load("builtin:arm7")).momentum(q, q, Ground<double>{{{NAN, 0, 0}, {}}, {}});
            }),
            "momentum regressor: the ground's motion is not finite");
}

/// A column is the change of the forces when one parameter of one link changes.
TEST(Regressor, ColumnsAreChangesOfParameters) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    Case c(seed, 10);
    const DenseMatrix Y = Regressor(c.robot).force(c.q, c.v, c.a);
    const Surroundings around{.passive = false};
    const Vector before = c.dynamics.inverse(c.q, c.v, c.a, around);
    for (size_t k = 0; k < c.robot.description().links.size(); ++k) {
      RobotDescription heavier = c.robot.description();
      const Inertia<double> added = c.rng.inertia();
      const Inertia<double> G = link_inertia(heavier.links[k]) + added;
      LinkDescription& link = heavier.links[k];
      link.mass = G.mass;
      link.com = G.h * (1 / G.mass);
      link.I_com = push_forward(SE3<double>{{}, -link.com}, G).I;
      Dynamics changed{Robot(heavier)};
      double pi[10];
      to_parameters(added, pi);
      const Vector expected = changed.inverse(c.q, c.v, c.a, around) - before;
      const Vector found = Y.middleCols(10 * int(k), 10) * Vector::Map(pi, 10);
      EXPECT_TRUE(within(1e-11 * (largest(before) + largest(Y)), found, expected, c)) << k;
    }
  }
}

/// The lanes against the readable form.
TEST(Regressor, LanesAreTheReference) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    Case c(seed);
    if (c.robot.has_mimic()) continue;
    const Model<double>& m = c.robot.model();
    const Vector v_r = c.random();
    WorkspaceStorage<double> storage(m);
    Workspace<double>& w = storage.view();
    std::vector<Twist<double>> V_r(size_t(m.bodies));
    const State<double> x{c.q.data(), c.v.data(), c.a.data()};
    w.V[0] = {};
    w.Vdot[0] = minus_gravity<double>(m);
    reference_motion(m, x, v_r.data(), V_r.data(), w);
    Regressor regressor(c.robot);
    for (const Factorization f : skew_factorizations) {
      const DenseMatrix Y = regressor.reference(c.q, c.v, v_r, c.a, f);
      DenseMatrix expected = DenseMatrix::Zero(Y.rows(), Y.cols());
      for (int k = 0; k < regressor.links(); ++k) {
        const FrameInfo& link = c.robot.frames()[size_t(k)];
        force_columns(m, w, V_r.data(), f, {link.body, link.offset},
                      expected.data() + 10 * k * m.nv);
      }
      EXPECT_TRUE(within(1e-12 * largest(expected), Y, expected, c)) << int(f);
    }
  }
}

TEST(Regressor, EnergyAndMomentum) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    Case c(seed);
    Regressor regressor(c.robot, everything);
    const Vector pi = regressor.parameters();
    const Energy energy = c.dynamics.energy(c.q, c.v);
    const Eigen::Vector2d found = regressor.energy(c.q, c.v) * pi;
    EXPECT_NEAR(found[0], energy.kinetic, 1e-12 * energy.kinetic) << seed;
    EXPECT_NEAR(found[1], energy.potential, 1e-11 * c.robot.mass() * 9.81) << seed;
    const Momentum<double> h = c.dynamics.momentum(c.q, c.v);
    const Wrench<double> expected{h.about_com.m + cross(h.com, h.about_com.f), h.about_com.f};
    const Eigen::Matrix<double, 6, 1> space = regressor.momentum(c.q, c.v) * pi;
    EXPECT_TRUE(near(to_wrench(space), expected, 1e-12, seed));
  }
}

TEST(ReferenceInverse, IsMassAndCoriolisAndGravity) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(150); ++seed) {
    Case c(seed);
    const Vector v_r = c.random(), a_r = c.random();
    const DenseMatrix M = c.dynamics.mass(c.q);
    const Vector gravity = c.dynamics.gravity(c.q);
    Regressor regressor(c.robot, {.armature = true});
    for (const Factorization f : skew_factorizations) {
      const DenseMatrix C = c.dynamics.coriolis(c.q, c.v, f).matrix;
      const Vector expected = M * a_r + C * v_r + gravity;
      const double scale = largest(expected) + largest(M) + largest(C);
      const Vector tau = c.dynamics.inverse_reference(c.q, c.v, v_r, a_r, f);
      EXPECT_TRUE(within(1e-12 * scale, tau, expected, c)) << int(f);
      const Vector by_regressor =
          regressor.reference(c.q, c.v, v_r, a_r, f) * regressor.parameters();
      EXPECT_TRUE(within(1e-11 * scale, tau, by_regressor, c)) << int(f);
    }
  }
}

TEST(ReferenceInverse, IsInverseDynamicsOfTheMotionItself) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(100); ++seed) {
    Case c(seed);
    const Vector tau = c.dynamics.inverse(c.q, c.v, c.a, {.passive = false});
    for (const Factorization f : skew_factorizations)
      EXPECT_TRUE(within(1e-12 * largest(tau), c.dynamics.inverse_reference(c.q, c.v, c.v, c.a, f),
                         tau, c));
  }
}

/// Gautier and Khalil 1990: a 6R arm of Puma's kind with a vertical first axis has 36. A planar 2R
/// arm has one second moment and two first moments per link where gravity acts in its plane, and
/// loses the first moments of link 1 where gravity is along the axes. One revolute joint: a second
/// moment with the rotor's, two first moments, damping, friction and drag.
TEST(BaseParameters, CountsOfTheLiterature) {
  EXPECT_EQ(base_parameters(load("builtin:puma560")).independent.size(), 36u);
  RobotDescription planar = load("builtin:planar_2r").description();
  for (const auto& [gravity, count] :
       {std::pair(Vec3<double>{0, -9.81, 0}, 6u), std::pair(Vec3<double>{0, 0, -9.81}, 4u)}) {
    planar.gravity = gravity;
    EXPECT_EQ(base_parameters(Robot(planar)).independent.size(), count);
  }
  EXPECT_EQ(base_parameters(Robot(generate_chain(1)), everything).independent.size(), 6u);
}

/// The same robot, all its lengths times a factor.
Robot of_size(RobotDescription d, double factor) {
  for (LinkDescription& link : d.links) {
    link.com = link.com * factor;
    link.I_com = link.I_com * (factor * factor);
  }
  for (JointDescription& joint : d.joints) {
    joint.geometry.placement.p = joint.geometry.placement.p * factor;
    joint.child_placement.p = joint.child_placement.p * factor;
  }
  return Robot(d);
}

/// A general chain has the three parameters of one revolute joint, and seven for each that follows;
/// of joint parameters all but the first rotor's inertia, which is a second moment.
TEST(BaseParameters, CountDoesNotDependOnTheSize) {
  const RobotDescription puma = load("builtin:puma560").description();
  const RobotDescription chain = generate({.bodies = 4});
  for (const double size : {1e-5, 1e-3, 1.0, 1e3, 1e4, 1e5}) {
    EXPECT_EQ(base_parameters(of_size(puma, size)).independent.size(), 36u) << size;
    const BaseParameters base = base_parameters(of_size(chain, size), everything);
    EXPECT_EQ(base.independent.size(), 3u + 3 * 7 + 3 + 4 + 4 + 4) << size;
    EXPECT_LE(base.largest_dropped, 1e-3 * base.smallest_kept) << size;
  }
  for (const double length : {1e-4, 1e4})
    for (std::uint64_t seed = 1; seed < 6; ++seed)
      EXPECT_EQ(base_parameters(Robot(generate({.bodies = 5, .link_length = length, .seed = seed})))
                    .independent.size(),
                31u)
          << length << ' ' << seed;
}

TEST(BaseParameters, RegroupedColumnsGiveTheSameForces) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    Case c(without_springs(seed + 1), seed);
    if (c.robot.nv() > 40) continue;
    const BaseParameters base = base_parameters(c.robot, everything);
    Regressor regressor(c.robot, everything);
    const DenseMatrix Y = regressor.force(c.q, c.v, c.a);
    const Vector pi = regressor.parameters(), grouped = base.regrouping() * pi;
    const Vector tau = Y * pi;
    EXPECT_TRUE(within(1e-8 * (largest(tau) + largest(Y)),
                       Y(Eigen::all, base.independent) * grouped, tau, c));
    EXPECT_LE(base.largest_dropped, 1e-3 * base.smallest_kept) << seed;
    EXPECT_EQ(base.independent.size() + base.dependent.size(), size_t(regressor.columns()));
  }
}

TEST(Physical, BodiesHaveMarginAndProjectionIsNearest) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    Random rng(seed);
    const Inertia<double> body = rng.inertia();
    EXPECT_GT(physical_margin(body), 0) << seed;
    EXPECT_TRUE(near(nearest_physical(body), body, 0, seed));  // kept as it is
    double pi[10];
    for (double& x : pi) x = rng.uniform(-1, 1);
    const Inertia<double> odd = inertia_from_parameters(pi), nearest = nearest_physical(odd, 0.01);
    EXPECT_GE(physical_margin(nearest), 0.01 - 1e-13) << seed;
    EXPECT_TRUE(near(nearest_physical(nearest, 0.01), nearest, 1e-13, seed));
    const auto J = [](const Inertia<double>& G) { return to_eigen(pseudo_inertia(G)); };
    const double distance = (J(nearest) - J(odd)).norm();
    for (int k = 0; k < 20; ++k) {  // no other consistent inertia nearby is nearer
      const Inertia<double> other =
          nearest_physical(nearest + (rng.inertia() - rng.inertia()), 0.01);
      EXPECT_GE((J(other) - J(odd)).norm(), distance - 1e-12) << seed;
    }
  }
}

TEST(Physical, ParameterVectors) {
  Regressor regressor(load("builtin:arm7"), everything);
  std::vector<double> pi(size_t(regressor.columns()));
  regressor.write_parameters(pi);
  const std::vector<double> before = pi;
  nearest_physical(pi, regressor.links());
  EXPECT_EQ(pi, before);
  pi[10] = -1;
  pi.back() = -2;
  nearest_physical(pi, regressor.links());
  double ten[10];
  std::copy_n(pi.begin() + 10, 10, ten);
  EXPECT_GE(physical_margin(inertia_from_parameters(ten)), -1e-14);
  EXPECT_EQ(pi.back(), 0);
  for (const double margin : {-1.0, double(INFINITY), double(NAN)})
    for (const bool all : {true, false})
      EXPECT_EQ(message([&] {
                  if (all) nearest_physical(pi, regressor.links(), margin);
                  else nearest_physical(Inertia<double>{}, margin);
                }),
                "nearest_physical: margin is " +
                    std::string(margin < 0   ? "-1"
                                : margin > 0 ? "inf"
                                             : "nan") +
                    ", needs to be finite and not negative");
  EXPECT_EQ(message([&] { nearest_physical(std::span(pi).first(9), 1); }),
            "nearest_physical: 9 parameters are not ten for each of 1 links");
}

TEST(Regressor, AllocatesNothing) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Case c(seed);
    Regressor regressor(c.robot, everything);
    RegressorMatrix Y(regressor);
    DenseMatrix energy(2, regressor.columns()), momentum(6, regressor.columns());
    Vector tau(c.robot.nv());
    NoAllocation scope;
    regressor.force(c.q, c.v, c.a, {}, into(Y));
    regressor.reference(c.q, c.v, c.v, c.a, Factorization::ploen, into(Y));
    regressor.energy(c.q, c.v, {}, into(energy));
    regressor.momentum(c.q, c.v, {}, into(momentum));
    c.dynamics.inverse_reference(c.q, c.v, c.v, c.a, Factorization::ploen, into(tau));
  }
}

TEST(Regressor, RefusesBadInput) {
  Dynamics dynamics(load("builtin:arm7"));
  Regressor regressor(dynamics.robot());
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] { regressor.force(q, q, six); }),
            "regressor: a has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { regressor.reference(q, q, bad, q); }),
            "reference regressor: v_r[2] is NaN");
  EXPECT_EQ(message([&] { regressor.energy(bad, q); }), "energy regressor: q[2] is NaN");
  EXPECT_EQ(message([&] { regressor.momentum(q, six); }),
            "momentum regressor: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { regressor.reference(q, q, q, q, Factorization::plain); }),
            "reference regressor: the plain factorization is not skew-symmetric");
  EXPECT_EQ(message([&] { dynamics.inverse_reference(q, q, six, q); }),
            "inverse_reference: v_r has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { dynamics.inverse_reference(q, q, q, bad); }),
            "inverse_reference: a_r[2] is NaN");
  EXPECT_EQ(message([&] { dynamics.inverse_reference(q, q, q, q, Factorization::plain); }),
            "inverse_reference: the plain factorization is not skew-symmetric");
  EXPECT_EQ(message([&] { base_parameters(dynamics.robot(), {}, 1, 0); }),
            "base_parameters: the cutoff must lie between 0 and 1");
  EXPECT_EQ(message([&] { regressor.write_parameters({}); }),
            "parameters: room for 0 numbers, needs " + std::to_string(regressor.columns()));
}

}  // namespace
}  // namespace jounce::test
