// SPDX-License-Identifier: BSD-3-Clause
// The Gough-Stewart platform as a tree with five loops: against the dynamics that it has of its
// own, and in 50 digits.
#include <gtest/gtest.h>

#include <jounce/jounce.hpp>

#include "apps/jounce/tour/stewart_motion.hpp"
#include "constraints/vectors.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Vector = Eigen::VectorXd;

TEST(Platform, AgreesWithItsOwnDynamics) {
  const RobotDescription d = read_robot("builtin:stewart").robot;
  const Robot robot(d);
  ConstrainedDynamics dyn(robot);
  const StewartDynamics own = app::own_dynamics(d);
  // somewhere else than home: legs of other lengths, the rest follows
  Vector guess = vector(robot.neutral());
  const auto kept = std::make_unique<bool[]>(size_t(robot.nv()));
  for (int i = 0; i < 6; ++i) {
    const JointInfo& leg = robot.joint("leg_" + std::to_string(i + 1));
    guess[leg.q] = 0.02 * std::sin(1.0 + 2 * i);
    kept[size_t(leg.v)] = true;
  }
  const Assembly closed = dyn.assemble(guess, {kept.get(), size_t(robot.nv())});
  ASSERT_TRUE(closed.converged);
  for (int i = 0; i < 6; ++i) {
    const JointInfo& leg = robot.joint("leg_" + std::to_string(i + 1));
    EXPECT_EQ(closed.q[leg.q], guess[leg.q]) << "kept";
  }
  const Vector v = dyn.project(closed.q, Vector::LinSpaced(robot.nv(), -0.5, 0.7));
  Vector tau = Vector::Zero(robot.nv());
  SixNumbers push;
  for (int i = 0; i < 6; ++i)
    tau[robot.joint("leg_" + std::to_string(i + 1)).v] = push[size_t(i)] = 10 + 7 * std::cos(i);
  const ConstrainedForward found = dyn.forward(closed.q, v, tau);
  Kinematics kin(robot);
  kin.at(closed.q, v, found.a);
  const FrameId frame = robot.frame("platform");
  const Twist<double> V = kin.twist_body(frame), Vdot = kin.spatial_acceleration_body(frame);
  const Twist<double> expected = own.forward(kin.pose(frame), V, push);
  EXPECT_LE(norm(Vdot.w - expected.w), 1e-11 * norm(expected.w));
  EXPECT_LE(norm(Vdot.v - expected.v), 1e-11 * norm(expected.v));
  const SixNumbers back = own.inverse(kin.pose(frame), V, Vdot);
  const ConstrainedInverse inverse = dyn.inverse(closed.q, v, found.a);
  for (int i = 0; i < 6; ++i) {
    const int k = robot.joint("leg_" + std::to_string(i + 1)).v;
    EXPECT_NEAR(inverse.tau[k], back[size_t(i)], 1e-9);
    EXPECT_NEAR(inverse.tau[k], push[size_t(i)], 1e-9);
  }
}

/// 50-digit arithmetic. Coordinates: universal_1 (two), leg_1, ..., universal_6, leg_6,
/// spherical_1.
TEST(Platform, In50Digits) {
  const Robot robot = load("builtin:stewart");
  ConstrainedDynamics dyn(robot);
  const Vector q = vector({0.21286797341348282,  0.1925837711637176,   0.02,
                           -0.13650995905079644, -0.27640999124006005, -0.03,
                           0.10571569591761301,  -0.23866730805020986, 0.05,
                           -0.18225378645950407, 0.20188012503892439,  0.01,
                           -0.23112806896703603, 0.03380911918859311,  -0.02,
                           0.21632923249180008,  0.004631860901373557, 0.04,
                           -0.07715580264009957, 0.1919696578011578,   0.009470526911816341,
                           0.9783174033628764});
  const Vector v = vector({1.2295815014453786,  1.0882827674872901,    0.1,
                           -0.7153716081377605, -1.604096790268197,    -0.2,
                           0.41905054089256205, -1.3051165607107154,   0.15,
                           -0.6814810631229142, 1.3064732840597502,    0.05,
                           -1.5154652090043983, 0.4116738795850062,    -0.1,
                           1.3455081898392705,  -0.018788567451383242, 0.3,
                           -0.959051129939256,  2.031500221943676,     -0.4928223717126328});
  const Vector a = vector({12.873701183845412,  5.649488089662885,   1.0,
                           -9.10558400337024,   -11.61857280460554,  -2.0,
                           -1.2990310889743324, -10.554070248550985, 0.5,
                           0.22109702593690286, 12.243623294845255,  1.5,
                           -11.911610112662737, 8.421011245761855,   -1.0,
                           11.42346548222643,   -3.838220593244268,  2.0,
                           -2.303408229095833,  21.275191409111116,  -5.19126292548854});
  EXPECT_LE(largest(dyn.closure(q)), 1e-14);
  EXPECT_EQ(dyn.rank(), 15);
  const double legs[] = {51.15827485693439, -29.653467252488664, 10.479432536657566,
                         38.73700617189811, -29.236294619488802, 47.28692141996291};
  const double upper[] = {5.8527056473597225, -4.766917850406725, 32.04445627080721};
  const ConstrainedInverse inverse = dyn.inverse(q, v, a);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(inverse.tau[3 * i + 2], legs[i], 1e-12 * 51);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(inverse.lambda[i], upper[i], 1e-12 * 51);
  Vector tau = Vector::Zero(21);
  const double pushes[] = {10, -5, 20, 15, 0, 5};
  for (int i = 0; i < 6; ++i) tau[3 * i + 2] = pushes[i];
  const Vector motion =
      vector({16.283751338311617,   5.449775142881058,   -6.361843591327062,   -3.4779768642598516,
              -11.559541674973133,  -5.9862562248642135, 1.7375611086049414,   -1.1402230116611198,
              2.9069200054038284,   -3.384894746066822,  -0.36478876311839065, 2.1464712103933707,
              -0.13350085215566443, 0.706958082239834,   -6.40884408889773,    10.104310906135861,
              -1.0031257685068524,  -7.981662788121059,  1.880923505694079,    53.63021377656601,
              7.690678192846567});
  const ConstrainedForward forward = dyn.forward(q, v, tau);
  EXPECT_LE(largest(forward.a - motion), 1e-12 * largest(motion));
  const double first[] = {0.10850082179067833, -0.46490239698423796, 6.360395437394461};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(forward.lambda[i], first[i], 1e-12 * 53);
}

}  // namespace
}  // namespace jounce::test
