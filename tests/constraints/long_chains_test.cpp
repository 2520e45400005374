// SPDX-License-Identifier: BSD-3-Clause
// Chains so long that articulated bodies serve instead of factors of the mass matrix: forward
// dynamics and impulses against dense equations.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/generate.hpp>

#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A chain of joints of all kinds; with `twice`, a loop that holds its tool, said twice.
struct LongChain {
  explicit LongChain(int seed, bool twice) : robot(description(seed, false)) {
    if (twice) robot = Robot(description(seed, true));
    q = Vector::Map(robot.closed().data(), robot.nq());
    contacts = {{robot.frame("tool"), LoopKind::fixed}, {robot.frame("link_20"), LoopKind::point}};
    if (twice) contacts.pop_back(), contacts[0] = {robot.frame("link_20"), LoopKind::point};
  }
  static RobotDescription description(int seed, bool twice) {
    RobotDescription made = generate({.bodies = 40,
                                      .kinds = all_joint_kinds(false),
                                      .free_base = seed % 2 == 0,
                                      .passive = true,
                                      .link_length = 0.1,
                                      .seed = std::uint64_t(seed)});
    const Robot open(made);
    const std::vector<double> at = open.random(std::uint64_t(seed));
    for (const JointInfo& joint : open.joints())
      made.joints[size_t(joint.description)].closed.assign(at.begin() + joint.q,
                                                           at.begin() + joint.q + joint.nq);
    if (!twice) return made;
    Kinematics kin(open);
    kin.at(at);
    for (const char* name : {"once", "twice"})
      made.loops.push_back({name,
                            "",
                            made.links.back().name,
                            kin.pose(open.frame(made.links.back().name)),
                            {},
                            LoopKind::spherical,
                            0});
    return made;
  }
  /// Whether factors of M would have been taken after all.
  bool is_long() const {
    const Matrix M = Dynamics(robot).mass(q);
    return (M.array() != 0).count() > (2 * 16 + 1) * M.rows();
  }

  Robot robot;
  Vector q;
  std::vector<Contact> contacts;
};

class LongChains : public testing::TestWithParam<int> {};

TEST_P(LongChains, SolveTheDenseEquations) {
  for (const bool twice : {false, true}) {
    LongChain x(GetParam(), twice);
    ASSERT_TRUE(x.is_long());
    ConstrainedDynamics dyn(x.robot);
    Dynamics open(x.robot);
    const int n = x.robot.nv();
    const Matrix M = open.mass(x.q), A = dyn.jacobian(x.q, x.contacts);
    ASSERT_EQ(A.rows(), 9);
    const Vector start = Vector::LinSpaced(n, -0.3, 0.3), tau = Vector::LinSpaced(n, 1, -1);

    const Impulse hit = dyn.impulse(x.q, start, x.contacts);
    const Vector left = M * (hit.v - start) - A.transpose() * hit.lambda;
    EXPECT_LE(largest(left), 1e-11 * largest(M) * largest(start));
    EXPECT_LE(largest(A * hit.v), 1e-9 * largest(A) * largest(start));

    Surroundings around;
    if (GetParam() % 3 == 1)
      around.ground = {{{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}}, {{-0.6, 0.1, 0.2}, {0.7, 0.3, -0.5}}};
    const ConstrainedForward found = dyn.forward(x.q, hit.v, tau, around, x.contacts);
    const Vector b = open.inverse(x.q, hit.v, Vector::Zero(n), around);
    const Vector force = M * found.a + b - tau - A.transpose() * found.lambda;
    const double scale = largest(M) * largest(found.a) + largest(b);
    EXPECT_LE(largest(force), 1e-11 * scale) << "seed " << GetParam();
    EXPECT_LE(largest(A * found.a + dyn.bias(x.q, hit.v, x.contacts)),
              1e-9 * largest(A) * largest(found.a))
        << "seed " << GetParam();
    EXPECT_EQ(found.rank, twice ? 6 : 9);
    if (twice) {
      EXPECT_LE(largest(found.lambda.head(3) - found.lambda.segment(3, 3)),
                1e-9 * largest(found.lambda));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LongChains, testing::Range(1, 13));

}  // namespace
}  // namespace jounce::test
