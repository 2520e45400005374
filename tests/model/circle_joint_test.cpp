// SPDX-License-Identifier: BSD-3-Clause
// A circle joint is a revolute joint whose angle is written as its cosine and sine.
#include <gtest/gtest.h>

#include <jounce/derivatives.hpp>
#include <jounce/io.hpp>
#include <jounce/regressor.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series.hpp>
#include <jounce/state_conventions.hpp>

#include "model/random_robot.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/within.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A tree of revolute and other joints with springs, and the same with circles for its revolutes.
struct Both {
  explicit Both(std::uint64_t seed) : angles(tree(seed)), circles(turned(angles.description())) {
    const std::vector<double> start = angles.random(seed);
    q = Vector::Map(start.data(), angles.nq());
    for (const JointInfo& joint : angles.joints())
      for (int k = 0; k < joint.nq; ++k) {
        const double x = start[size_t(joint.q + k)];
        if (!is_revolute(joint)) on_circle.push_back(x);
        else on_circle.insert(on_circle.end(), {std::cos(x), std::sin(x)});
      }
    Random rng(seed);
    for (Vector* x : {&v, &a}) {
      x->resize(angles.nv());
      for (double& value : *x) value = rng.uniform(-1, 1);
    }
  }
  static Robot tree(std::uint64_t seed) {
    RobotDescription robot = generate({.shape = TreeShape(seed % 4),
                                       .bodies = 4 + int(seed % 9),
                                       .branches = 2,
                                       .kinds = {JointKind::revolute, JointKind::spherical,
                                                 JointKind::revolute, JointKind::prismatic},
                                       .free_base = seed % 2 == 0,
                                       .child_placements = true,
                                       .passive = true,
                                       .seed = seed});
    for (JointDescription& joint : robot.joints)
      if (is_revolute(joint.geometry)) joint.properties.lower = joint.properties.upper = {};
    return Robot(robot);
  }
  static Robot turned(RobotDescription robot) {
    for (JointDescription& joint : robot.joints) {
      if (!is_revolute(joint.geometry)) continue;
      joint.geometry.kind = JointKind::circle;
      std::vector<double>& rest = joint.properties.rest;
      if (!rest.empty()) rest = {std::cos(rest[0]), std::sin(rest[0])};
    }
    return Robot(robot);
  }
  /// Springs pull an angle and a circle alike where the deflection is less than half a turn.
  bool near_rest() const {
    std::vector<double> u(size_t(angles.nv()));
    angles.difference(angles.passive().rest, {q.data(), size_t(q.size())}, u);
    for (const JointInfo& joint : angles.joints())
      if (is_revolute(joint) && std::abs(u[size_t(joint.v)]) > 3) return false;
    return true;
  }

  Robot angles, circles;
  Vector q, v, a;
  std::vector<double> on_circle;
};

template <class F>
void on_trees(F f) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Both both(seed);
    if (!both.near_rest()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    f(both, seed);
    ++count;
  }
  EXPECT_GE(count, 20);
}

void expect_same(const Matrix& found, const Matrix& needed, std::uint64_t seed,
                 double tolerance = 1e-11) {
  EXPECT_TRUE(within(tolerance * (1 + largest(needed)), found, needed, seed));
}

TEST(CircleJoint, DynamicsAreThoseOfTheAngle) {
  on_trees([](const Both& x, std::uint64_t seed) {
    Dynamics angles(x.angles), circles(x.circles);
    expect_same(circles.inverse(x.on_circle, x.v, x.a), angles.inverse(x.q, x.v, x.a), seed);
    expect_same(circles.mass(x.on_circle), angles.mass(x.q), seed);
    expect_same(circles.coriolis(x.on_circle, x.v).matrix, angles.coriolis(x.q, x.v).matrix, seed);
    expect_same(circles.forward(x.on_circle, x.v, x.a), angles.forward(x.q, x.v, x.a), seed, 1e-9);
    expect_same(Regressor(x.circles).force(x.on_circle, x.v, x.a),
                Regressor(x.angles).force(x.q, x.v, x.a), seed);
  });
}

TEST(CircleJoint, DerivativesAreThoseOfTheAngle) {
  on_trees([](const Both& x, std::uint64_t seed) {
    Derivatives angles(x.angles), circles(x.circles);
    const auto found = circles.inverse(x.on_circle, x.v, x.a);
    const auto needed = angles.inverse(x.q, x.v, x.a);
    expect_same(found.dq, needed.dq, seed);
    expect_same(found.dv, needed.dv, seed);
    SecondDerivatives second_angles(x.angles), second_circles(x.circles);
    const auto bent = second_circles.inverse(x.on_circle, x.v, x.a);
    const auto curve = second_angles.inverse(x.q, x.v, x.a);
    for (int l = 0; l < x.angles.nv(); ++l) {
      expect_same(bent.dqdq.slice(l), curve.dqdq.slice(l), seed);
      expect_same(bent.dqdv.slice(l), curve.dqdv.slice(l), seed);
    }
  });
}

TEST(CircleJoint, SeriesAreThoseOfTheAngle) {
  constexpr int order = 6;
  on_trees([](const Both& x, std::uint64_t seed) {
    Series angles(x.angles, order), circles(x.circles, order);
    Matrix motion(x.angles.nv(), order + 2);
    Random rng(seed);
    for (double& value : motion.reshaped()) value = rng.uniform(-1, 1);
    const SeriesSurroundings around{};
    const Matrix found = circles.inverse(x.on_circle, motion, around);
    const Matrix needed = angles.inverse(x.q, motion, around);
    for (int k = 0; k <= order; ++k) expect_same(found.col(k), needed.col(k), seed, 1e-9);
  });
}

TEST(CircleJoint, AxesTurnAsThoseOfTheAngle) {
  on_trees([](const Both& x, std::uint64_t seed) {
    std::vector<Parameter> parameters;
    for (const JointInfo& joint : x.angles.joints())
      if (is_revolute(joint))
        for (int k = 0; k < 3; ++k) parameters.push_back({ParameterKind::axis, joint.name, k});
    Sensitivity angles(x.angles, parameters), circles(x.circles, parameters);
    expect_same(circles.force(x.on_circle, x.v, x.a), angles.force(x.q, x.v, x.a), seed);
  });
}

Robot one_circle() {
  RobotDescription robot = load("builtin:planar_2r").description();
  robot.joints[0].geometry.kind = JointKind::circle;
  robot.joints[0].properties.lower = robot.joints[0].properties.upper = {};
  return Robot(robot);
}

TEST(CircleJoint, GoesRound) {
  const Robot robot = one_circle();
  EXPECT_EQ(robot.nq(), robot.nv() + 1);
  EXPECT_EQ(robot.neutral(), (std::vector<double>{1, 0, 0}));
  std::vector<double> q(3), back(2);
  robot.integrate(robot.neutral(), std::vector<double>{2.5, 0.5}, q);
  EXPECT_NEAR(q[0], std::cos(2.5), 1e-15);
  EXPECT_NEAR(q[1], std::sin(2.5), 1e-15);
  robot.integrate(q, std::vector<double>{2.5, 0}, q);  // the short way back is negative
  robot.difference(robot.neutral(), q, back);
  EXPECT_NEAR(back[0], 5 - 2 * M_PI, 1e-15);
  EXPECT_EQ(back[1], 0.5);
}

TEST(CircleJoint, IntegratedCirclesHaveLengthOne) {
  const Robot robot = one_circle();
  const std::vector<double> q = {0.6 * (1 + 5e-7), 0.8 * (1 + 5e-7), 0}, dv = {0.7, 0};
  std::vector<double> moved(3);
  robot.integrate(q, dv, moved);
  EXPECT_NEAR(std::hypot(moved[0], moved[1]), 1, 4e-16);
}

TEST(CircleJoint, RandomOnesGoAllTheWayRound) {
  const Robot robot = one_circle();
  int quarter[4] = {};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<double> q = robot.random(seed);
    EXPECT_NEAR(std::hypot(q[0], q[1]), 1, 4e-16);
    ++quarter[(q[0] < 0 ? 1 : 0) + (q[1] < 0 ? 2 : 0)];
  }
  for (const int count : quarter) EXPECT_NEAR(count, 100, 40);  // over four standard deviations
}

/// Bodies have origins of their own where those of the angle have.
TEST(CircleJoint, OriginsAreThoseOfTheAngle) {
  const auto anchors = [](const Robot& robot) {
    return std::vector<int>(robot.model().anchor, robot.model().anchor + robot.bodies());
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Both both(seed);
    EXPECT_EQ(anchors(both.angles), anchors(both.circles)) << seed;
  }
  RobotDescription rod = generate_chain(2);  // thin across its joint's axis, and far away
  rod.joints[1].geometry = {
      .kind = JointKind::revolute, .placement = {{}, {1, 0, 0}}, .axes = {{0, 0, 1}}};
  rod.joints[1].child_placement = {};
  for (JointDescription& joint : rod.joints) joint.properties.lower = joint.properties.upper = {};
  rod.links[2].mass = 1, rod.links[2].com = {}, rod.links[2].I_com = {1e-8, 0, 1, 0, 0, 1};
  EXPECT_EQ(anchors(Robot(rod)), anchors(Both::turned(rod)));
}

TEST(CircleJoint, LengthsOtherThanOneAreRefused) {
  const Robot robot = one_circle();
  const std::string joint = robot.joints()[0].name;
  Dynamics dynamics(robot);
  const std::vector<double> v(2);
  EXPECT_EQ(message([&] {
              dynamics.inverse(std::vector<double>{1, 1, 0}, v, v);
            }),
            "inverse: q: the pair (cos, sin) of joint \"" + joint +
                "\" has length 1.414214, needs 1; use normalize");
  std::vector<double> q = {3e200, 4e200, 0.25};
  robot.normalize(q);
  EXPECT_NEAR(q[0], 0.6, 1e-15);
  EXPECT_NEAR(q[1], 0.8, 1e-15);
  std::vector<double> none = {0, 0, 0};
  EXPECT_EQ(message([&] { robot.normalize(none); }),
            "normalize: the pair (cos, sin) of joint \"" + joint + "\" has no direction");
  RobotDescription limited = robot.description();
  limited.joints[0].properties.lower = {-1};
  EXPECT_EQ(message([&] { Robot{limited}; }),
            "joint \"" + joint + "\": a circle joint has no position limits");
}

TEST(CircleJoint, StatesOfOtherLibraries) {
  const Robot robot = one_circle();
  const RobotState ours{{std::cos(2.0), std::sin(2.0), 0.5}, {0.1, 0.2}, {}, {}};
  const RobotState in_pinocchio = to_pinocchio(robot, ours), in_mujoco = to_mujoco(robot, ours);
  EXPECT_EQ(std::vector<double>(in_pinocchio.q.begin(), in_pinocchio.q.begin() + 2),
            std::vector<double>(ours.q.begin(), ours.q.begin() + 2));
  ASSERT_EQ(in_mujoco.q.size(), 2u);
  EXPECT_NEAR(in_mujoco.q[0], 2, 1e-15);
  const RobotState back = from_mujoco(robot, in_mujoco);
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(back.q[k], ours.q[k], 1e-15);
}

TEST(CircleJoint, IsWrittenAndRead) {
  const Robot robot = one_circle();
  const std::string text = write_json(robot.description());
  EXPECT_NE(text.find("\"circle\""), std::string::npos);
  const Robot again(read_json(text, "text").robot);
  EXPECT_EQ(again.joints()[0].kind, JointKind::circle);
  EXPECT_EQ(again.nq(), 3);
}

}  // namespace
}  // namespace jounce::test
