// SPDX-License-Identifier: BSD-3-Clause
// States in other libraries' conventions: what each claims of its free base, by differences along a
// motion; power; round trips.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/group/eigen.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/state_conventions.hpp>

#include "support/largest.hpp"
#include "support/message.hpp"
#include "support/random.hpp"

namespace jounce {
namespace {

using test::message;
using Vector = Eigen::VectorXd;
using To = RobotState (*)(const Robot&, const RobotState&, const JointOrder&);

Robot robot_with(std::vector<JointKind> kinds, std::uint64_t seed) {
  return Robot(generate({.shape = TreeShape::random_tree,
                         .bodies = 8,
                         .kinds = std::move(kinds),
                         .free_base = true,
                         .seed = seed}));
}
RobotState random_state(const Robot& robot, std::uint64_t seed) {
  test::Random rng(seed);
  const auto random = [&] {
    std::vector<double> x(size_t(robot.nv()));
    for (double& value : x) value = rng.uniform(-1, 1);
    return x;
  };
  return {robot.random(seed), random(), random(), random()};
}
/// The state h later, with constant v'.
RobotState later(const Robot& robot, const RobotState& x, double h) {
  RobotState y = x;
  std::vector<double> step(x.v.size());
  for (size_t k = 0; k < step.size(); ++k) {
    step[k] = x.v[k] * h + x.a[k] * (h * h / 2);
    y.v[k] = x.v[k] + h * x.a[k];
  }
  robot.integrate(x.q, step, y.q);
  return y;
}

struct Library {
  const char* name;
  To to, from;
  std::vector<JointKind> kinds;
};
const Library libraries[] = {
    {"pinocchio",
     to_pinocchio,
     from_pinocchio,
     {JointKind::revolute, JointKind::planar, JointKind::spherical, JointKind::free}},
    {"mujoco", to_mujoco, from_mujoco, {JointKind::revolute, JointKind::spherical}},
    {"drake", to_drake, from_drake, {JointKind::prismatic, JointKind::planar, JointKind::free}},
    {"rbdl", to_rbdl, from_rbdl, {JointKind::revolute, JointKind::spherical, JointKind::free}}};

Vector eigen(const std::vector<double>& x) { return Vector::Map(x.data(), Eigen::Index(x.size())); }

void expect_close(const Vector& a, const Vector& b, double tolerance, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_LE(test::largest(a - b), tolerance * (1 + test::largest(b))) << what;
}

TEST(StateConventions, RoundTripsKeepStateAndPower) {
  for (const Library& library : libraries)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Robot robot = robot_with(library.kinds, seed);
      const RobotState x = random_state(robot, seed);
      JointOrder reversed;
      for (size_t k = robot.joints().size(); k-- > 0;) reversed.push_back(robot.joints()[k].name);
      for (const JointOrder& order : {JointOrder{}, reversed}) {
        const RobotState y = library.to(robot, x, order), z = library.from(robot, y, order);
        expect_close(eigen(z.q), eigen(x.q), 1e-14, library.name);
        expect_close(eigen(z.v), eigen(x.v), 1e-14, library.name);
        expect_close(eigen(z.a), eigen(x.a), 1e-13, library.name);
        expect_close(eigen(z.tau), eigen(x.tau), 1e-14, library.name);
        const Vector v = eigen(x.v), tau = eigen(x.tau);
        EXPECT_NEAR(eigen(y.v).dot(eigen(y.tau)), v.dot(tau), 1e-13 * v.norm() * tau.norm());
      }
    }
}

/// a is the derivative of v along the motion, whatever v means: central differences with h = 1e-5
/// are right to 1e-9.
TEST(StateConventions, AccelerationsAreDerivativesOfVelocities) {
  for (const Library& library : libraries)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Robot robot = robot_with(library.kinds, seed);
      const RobotState x = random_state(robot, seed);
      const double h = 1e-5;
      const Vector after = eigen(library.to(robot, later(robot, x, h), {}).v);
      const Vector before = eigen(library.to(robot, later(robot, x, -h), {}).v);
      expect_close((after - before) / (2 * h), eigen(library.to(robot, x, {}).a), 1e-8,
                   library.name);
    }
}

/// The rates of position and rotation that a free base's velocity must be.
TEST(StateConventions, VelocitiesOfAFreeBaseMeanWhatTheLibrariesSay) {
  const Robot robot = robot_with({JointKind::revolute}, 3);
  const RobotState x = random_state(robot, 3);
  const double h = 1e-6;
  const Vector q = eigen(x.q), q0 = eigen(later(robot, x, -h).q), q1 = eigen(later(robot, x, h).q);
  const auto rotation = [](const Vector& at) {
    return to_eigen(to_rotation(Quaternion<double>{at[3], at[4], at[5], at[6]}));
  };
  const Eigen::Vector3d rate = (q1 - q0).head<3>() / (2 * h);
  const Eigen::Matrix3d R = rotation(q), spin = (rotation(q1) - rotation(q0)) / (2 * h);
  const auto vee = [](const Eigen::Matrix3d& m) {
    return Eigen::Vector3d(m(2, 1), m(0, 2), m(1, 0));
  };
  const Vector body_w = vee(R.transpose() * spin), ground_w = vee(spin * R.transpose());
  const auto v = [&](To to) { return eigen(to(robot, x, {}).v); };
  const double tolerance = 1e-8;  // of the differences
  expect_close(v(to_pinocchio).head<3>(), R.transpose() * rate, tolerance, "pinocchio");
  expect_close(v(to_pinocchio).segment<3>(3), body_w, tolerance, "pinocchio");
  expect_close(v(to_mujoco).head<3>(), rate, tolerance, "mujoco");
  expect_close(v(to_mujoco).segment<3>(3), body_w, tolerance, "mujoco");
  expect_close(v(to_drake).head<3>(), ground_w, tolerance, "drake");
  expect_close(v(to_drake).segment<3>(3), rate, tolerance, "drake");
  expect_close(v(to_rbdl).head<3>(), rate, tolerance, "rbdl");
  const Vector spatial = eigen(to_spatial_base(robot, x).v);
  expect_close(spatial.head<3>(), ground_w, tolerance, "spatial");
  expect_close(spatial.segment<3>(3), rate - Eigen::Vector3d(ground_w).cross(q.head<3>()),
               tolerance, "spatial");
  expect_close(eigen(from_spatial_base(robot, to_spatial_base(robot, x)).a), eigen(x.a), 1e-13,
               "spatial");
  const std::vector<double> mujoco = to_mujoco(robot, x, {}).q, drake = to_drake(robot, x, {}).q;
  EXPECT_EQ(mujoco[3], x.q[6]);  // w first
  EXPECT_EQ(mujoco[4], x.q[3]);
  EXPECT_EQ(drake[0], x.q[6]);  // quaternion, then position
  EXPECT_EQ(drake[4], x.q[0]);
  const std::vector<double> rbdl = to_rbdl(robot, x, {}).q;
  EXPECT_EQ(rbdl[3], x.q[3]);
  EXPECT_EQ(rbdl[rbdl.size() - 1], x.q[6]);  // w last
}

TEST(StateConventions, RefuseWhatDoesNotFit) {
  const Robot robot = robot_with({JointKind::spherical}, 1);
  const RobotState x = random_state(robot, 1);
  RobotState bad = x;
  bad.v.resize(2);
  EXPECT_EQ(message([&] { to_mujoco(robot, bad, {}); }), "to_mujoco: v has 2 elements, robot \"" +
                                                             robot.name() + "\" needs " +
                                                             std::to_string(robot.nv()));
  const std::string first = robot.joints()[0].name;
  EXPECT_EQ(message([&] {
              to_mujoco(robot, x, {first, first});
            }),
            "to_mujoco: the order names joint \"" + first + "\" twice");
  EXPECT_EQ(message([&] { from_pinocchio(robot, x, {first}); }),
            "from_pinocchio: the order names joints with 6 velocities, robot \"" + robot.name() +
                "\" has " + std::to_string(robot.nv()));
  EXPECT_NE(message([&] { to_drake(robot, x, {}); }).find("\": Drake has no spherical joint"),
            std::string::npos);
}

}  // namespace
}  // namespace jounce
