// SPDX-License-Identifier: BSD-3-Clause
// Null space, manipulability and operational space at, near and far from singularities: against
// singular values and arithmetic with 113 bits.
#include <gtest/gtest.h>

#include <cmath>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/io.hpp>
#include <limits>

#include "model/random_robot.hpp"
#include "support/dense.hpp"
#include "support/quad.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Revolute joints with general axes and placements, one after the other.
Robot general_arm(int joints, std::uint64_t seed) {
  Random random(seed);
  RobotDescription d;
  d.name = "arm";
  d.links.push_back({.name = "ground"});
  for (int k = 0; k < joints; ++k) {
    const std::string name = "link" + std::to_string(k);
    d.links.push_back({.name = name, .mass = 1, .I_com = {1, 0, 1, 0, 0, 1}});
    JointDescription joint;
    joint.name = "joint" + std::to_string(k);
    joint.parent = d.links[size_t(k)].name;
    joint.child = name;
    joint.geometry.kind = JointKind::revolute;
    joint.geometry.axes = {random.unit_vec3()};
    joint.geometry.placement.p = random.vec3();
    d.joints.push_back(joint);
  }
  return Robot(d);
}
FrameId last_link(const Robot& robot) { return robot.frame(robot.description().links.back().name); }

/// N against one made from Eigen's singular vectors; symmetric, a projector, and J N = 0.
void expect_projector(const Matrix& N, const Matrix& J, double cutoff, double tolerance) {
  const double size = singular_values(J)[0];
  EXPECT_LE(largest(N - null_space_projector(J, cutoff)), tolerance);
  EXPECT_EQ(largest(N - N.transpose()), 0);
  EXPECT_LE(largest(N * N - N), 20 * epsilon);
  EXPECT_LE(largest(J * N), (cutoff + 20 * epsilon) * size);
}

TEST(NullSpace, OfArmsWithFewJointsIsNothing) {
  for (int joints = 1; joints < 6; ++joints)
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Robot arm = general_arm(joints, seed);
      Kinematics kinematics(arm);
      const Matrix J = kinematics.at(arm.random(seed)).jacobian_body(last_link(arm));
      const Vector s = singular_values(J);
      ASSERT_GT(s[joints - 1], 1e-6 * s[0]);
      EXPECT_EQ(largest(kinematics.null_space_projector(last_link(arm))), 0)
          << joints << ' ' << seed;
      EXPECT_EQ(kinematics.manipulability(last_link(arm)), 0);
      EXPECT_EQ(largest(kinematics.manipulability_gradient(last_link(arm))), 0);
    }
}

TEST(NullSpace, OfRandomRobots) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RobotInMotion c(seed, seed % 3 == 0, 1 + int(seed) % 20);
    c.kinematics.at(c.q);
    for (int frame = 0; frame < int(c.robot.frames().size()); frame += 3) {
      const Matrix J = c.kinematics.jacobian_body(FrameId(frame));
      if (J.cols() == 0) continue;
      const Vector s = singular_values(J);
      bool decided = true;  // no singular value is near the cutoff
      double least = 1;
      for (const double x : s) {
        const double ratio = s[0] > 0 ? x / s[0] : 1;
        decided = decided && !(ratio > 1e-10 && ratio < 1e-8);
        if (ratio > 1e-9) least = std::min(least, ratio);
      }
      if (!decided) continue;
      expect_projector(c.kinematics.null_space_projector(FrameId(frame)), J, 1e-9, 1e-14 / least);
    }
  }
}

/// The wrist of a Puma at a distance q5 from its singularity: the smallest singular value is about
/// as small.
TEST(NullSpace, OfAWristFromRegularToSingular) {
  const Robot robot = load("builtin:puma560");
  Kinematics kinematics(robot);
  const FrameId tip = last_link(robot);
  Random random(11);
  for (double q5 = 1; q5 > 1e-17; q5 /= 3)
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<double> q(6);
      for (double& x : q) x = random.uniform(-2, 2);
      q[4] = repeat == 0 ? 0 : q5;
      kinematics.at(q);
      const Matrix J = kinematics.jacobian_body(tip);
      const Vector s = singular_values(J);
      const double ratio = s[5] / s[0];
      const double w = kinematics.manipulability(tip);
      // J is known to rounding, and so is its smallest singular value.
      EXPECT_NEAR(w, s.prod(), 10 * epsilon * s[0] * s.head(5).prod()) << q5;
      if (ratio > 0.3e-9 && ratio < 3e-9) continue;
      const Matrix N = kinematics.null_space_projector(tip);
      expect_projector(N, J, 1e-9, ratio > 1e-9 ? 1e-14 : 1e-13 / (s[4] / s[0]));
      EXPECT_LE(largest(N), ratio > 1e-9 ? 0 : 1) << q5;
      const Matrix all = kinematics.null_space_projector(tip, 0);
      const double free = q[4] == 0 ? 1 : ratio > 1e-14 ? 0 : all.trace();
      EXPECT_NEAR(all.trace(), free, 1e-14) << q5;
    }
}

/// Near a singularity, where half of the digits of J J^T are lost, against differences of w.
TEST(Manipulability, GradientNearASingularity) {
  const Robot robot = load("builtin:puma560");
  Kinematics kinematics(robot);
  const FrameId tip = last_link(robot);
  for (const double q5 : {1e-3, 1e-5, 1e-7}) {
    const Vector q = Eigen::Vector<double, 6>(0.3, -0.7, 1.1, 0.4, q5, 0.9);
    kinematics.at(q);
    const double w = kinematics.manipulability(tip);
    const Vector gradient = kinematics.manipulability_gradient(tip);
    EXPECT_NEAR(gradient[4] * q5, w, 1e-5 * w + 1e-14);  // w is linear in q5 there
    for (int k = 0; k < 6; ++k) {
      const Vector step = q5 / 10 * Vector::Unit(6, k);
      kinematics.at(q + step);
      const double up = kinematics.manipulability(tip);
      kinematics.at(q - step);
      // Differences of 1e-15 over steps of q5, and their own error of second order.
      EXPECT_NEAR(gradient[k], (up - kinematics.manipulability(tip)) / (q5 / 5),
                  3e-14 / q5 + 10 * q5 * q5)
          << q5 << ' ' << k;
    }
  }
  kinematics.at({0.3, -0.7, 1.1, 0.4, 0, 0.9});
  EXPECT_EQ(kinematics.manipulability(tip), 0);
  EXPECT_EQ(largest(kinematics.manipulability_gradient(tip)), 0);
}

/// Rows and columns of 113-bit numbers.
struct QuadRows {
  int rows, columns;
  std::vector<Quad> x;
  QuadRows(int r, int c) : rows(r), columns(c), x(size_t(r * c)) {}
  explicit QuadRows(const Matrix& A) : QuadRows(int(A.rows()), int(A.cols())) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) (*this)(i, j) = A(i, j);
  }
  Quad& operator()(int i, int j) { return x[size_t(i * columns + j)]; }
  Quad operator()(int i, int j) const { return x[size_t(i * columns + j)]; }
};
QuadRows times(const QuadRows& A, const QuadRows& B) {
  QuadRows C(A.rows, B.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < B.columns; ++j)
      for (int k = 0; k < A.columns; ++k) C(i, j) += A(i, k) * B(k, j);
  return C;
}
/// A^-1 B of a positive definite A.
QuadRows quad_solve(QuadRows A, QuadRows B) {
  for (int k = 0; k < A.rows; ++k)
    for (int i = 0; i < A.rows; ++i) {
      if (i == k) continue;
      const Quad factor = A(i, k) / A(k, k);
      for (int j = k; j < A.columns; ++j) A(i, j) -= factor * A(k, j);
      for (int j = 0; j < B.columns; ++j) B(i, j) -= factor * B(k, j);
    }
  for (int k = 0; k < A.rows; ++k)
    for (int j = 0; j < B.columns; ++j) B(k, j) /= A(k, k);
  return B;
}
double relative_error(const Matrix& found, const QuadRows& exact) {
  double worst = 0, size = 0;
  for (int i = 0; i < exact.rows; ++i)
    for (int j = 0; j < exact.columns; ++j) {
      worst = std::max(worst, std::abs(double(Quad(found(i, j)) - exact(i, j))));
      size = std::max(size, std::abs(double(exact(i, j))));
    }
  return worst / size;
}

/// With J and M as the library gives them, all else in 113 bits. The condition of Lambda is about
/// 1 / q5^2, that of L^-T J^T only its root.
TEST(OperationalSpace, KeepsItsDigitsNearASingularity) {
  const Robot robot = load("builtin:puma560");
  Kinematics kinematics(robot);
  Dynamics dynamics(robot);
  MassFactors factors(robot);
  const FrameId tip = last_link(robot);
  for (const double q5 : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::vector<double> q = robot.random(seed);
      q[4] = q5;
      kinematics.at(q), factors.at(q);
      const Representation in = Representation::body;
      const Matrix M = dynamics.mass(q), J = kinematics.jacobian(tip, in);
      const QuadRows MJ = quad_solve(QuadRows(M), QuadRows(J.transpose()));
      const QuadRows exact = quad_solve(times(QuadRows(J), MJ), QuadRows(Matrix::Identity(6, 6)));
      const double rounding = 1e-12 / std::min(q5, 0.1 / largest(J));
      // The cutoff of 0 keeps the last direction whatever the posture of the other joints.
      const Matrix inertia = factors.operational_inertia(tip, in, 0);
      EXPECT_LE(relative_error(inertia, exact), 1e-13 / q5) << q5 << ' ' << seed;
      const Matrix inverse = factors.consistent_inverse(tip, in, 0);
      EXPECT_LE(relative_error(inverse, times(MJ, exact)), 1e-13 / q5) << q5 << ' ' << seed;
      EXPECT_LE(largest(J * inverse - Matrix::Identity(6, 6)), rounding) << q5 << ' ' << seed;
      EXPECT_EQ(largest(factors.null_space_projector(tip, 0)), 0);
    }
}

TEST(OperationalSpace, ProjectorOfRedundantRobots) {
  for (const char* name : {"arm7", "quadruped", "humanoid", "planar_2r"}) {
    const Robot robot = load(std::string("builtin:") + name);
    Kinematics kinematics(robot);
    Dynamics dynamics(robot);
    MassFactors factors(robot);
    const FrameId tip = last_link(robot);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> q = robot.random(seed);
      kinematics.at(q), factors.at(q);
      const Matrix N = factors.null_space_projector(tip), M = dynamics.mass(q);
      const Matrix J = kinematics.jacobian(tip, Representation::body), MN = M * N;
      const int rank = robot.nv() < 6 ? robot.nv() : 6;
      EXPECT_NEAR(N.trace(), robot.nv() - rank, 1e-10) << name;
      EXPECT_LE(largest(N * N - N), 1e-11 * (1 + largest(N))) << name;
      EXPECT_LE(largest(J * N), 1e-11 * largest(J) * (1 + largest(N))) << name;
      EXPECT_LE(largest(MN - MN.transpose()), 1e-11 * (1 + largest(MN))) << name;
    }
  }
}

/// Without damping a twist that the arm can just give is given.
TEST(InverseKinematics, VelocityNextToASingularity) {
  const Robot robot = load("builtin:puma560");
  InverseKinematics ik(robot);
  Kinematics kinematics(robot);
  const FrameId tip = last_link(robot);
  for (const double q5 : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const std::vector<double> q{0.3, -0.7, 1.1, 0.4, q5, 0.9};
    const Vector v = Eigen::Vector<double, 6>(0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
    kinematics.at(q, v);
    const TwistGoal goal[] = {{tip, kinematics.twist_body(tip), Representation::body}};
    const VelocityResult found = ik.velocity(q, goal, {}, {.singular_below = 1e-12, .damping = 0});
    EXPECT_LE(largest(found.v - v), 1e-14 / q5) << q5;
    EXPECT_LE(found.primary_error, 1e-14);
  }
  const std::vector<double> singular{0.3, -0.7, 1.1, 0.4, 0, 0.9};
  const TwistGoal goal[] = {{tip, {{0, 1, 0}, {}}, Representation::body}};
  const VelocityResult found =
      ik.velocity(singular, goal, goal, {.singular_below = 1e-12, .damping = 0});
  EXPECT_LT(largest(found.v), 100);
}

}  // namespace
}  // namespace jounce::test
