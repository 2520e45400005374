// SPDX-License-Identifier: BSD-3-Clause
// Random trees of all kinds of joint but custom ones against DART.
#include <gtest/gtest.h>

#include <jounce/dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/model/generate.hpp>
#include <set>

#include "model/random_robot.hpp"
#include "oracles/agreement.hpp"
#include "oracles/dart_peer.hpp"
#include "oracles/random_state.hpp"

namespace jounce::test {
namespace {

GeneratorOptions options(std::uint64_t seed) {
  GeneratorOptions o;
  o.shape = static_cast<TreeShape>(seed % 4);
  o.bodies = 1 + static_cast<int>(seed % 13);
  o.branches = 1 + static_cast<int>(seed % 3);
  o.kinds = all_joint_kinds(true, false);
  o.free_base = seed % 2 == 1;
  o.fixed_links = o.child_placements = true;
  o.mimic = seed % 3 == 0;
  o.seed = seed;
  return o;
}

/// Every other Euler ball gets the angles that DART has a joint for: x y z or z y x.
RobotDescription described(std::uint64_t seed) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  RobotDescription robot = generate(options(seed));
  int balls = 0;
  for (JointDescription& joint : robot.joints)
    if (joint.geometry.kind == JointKind::euler_ball) {
      if (balls % 4 == 0) joint.geometry.axes = {x, y, z};
      if (balls % 4 == 2) joint.geometry.axes = {z, y, x};
      ++balls;
    }
  return robot;
}

/// f(robot, kinematics, dart, where) at three states of a hundred robots that move.
template <class F>
void for_all_states(F f) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Robot robot(described(seed));
    if (robot.nv() == 0) continue;
    Kinematics kinematics(robot);
    DartPeer dart(robot);
    for (std::uint64_t k = 0; k < 3; ++k) {
      const RandomState x(robot, 3 * seed + k);
      kinematics.at(x.q, x.v, x.a);
      dart.set(x.q, x.v, x.a);
      f(robot, kinematics, dart, robot.name() + ", state " + std::to_string(k));
    }
  }
}
/// f(id, name) for every link.
template <class F>
void for_all_links(const Robot& robot, F f) {
  for (const LinkDescription& link : robot.description().links)
    f(robot.frame(link.name), link.name);
}

/// Twists that stand in the columns of a matrix, each turned into another.
template <class F>
Eigen::MatrixXd map_columns(const Eigen::MatrixXd& J, F f) {
  Eigen::MatrixXd mapped(6, J.cols());
  for (Eigen::Index k = 0; k < J.cols(); ++k) mapped.col(k) = to_eigen(f(to_twist(J.col(k))));
  return mapped;
}

TEST(Dart, RobotsHaveJointsOfAllKinds) {
  std::set<JointKind> kinds;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const JointDescription& joint : described(seed).joints) kinds.insert(joint.geometry.kind);
  EXPECT_EQ(kinds.size(), all_joint_kinds(true, false).size());
}

TEST(Dart, PosesTwistsAndAccelerationsOfAllLinks) {
  Agreement agreement("DART");
  for_all_states([&](const Robot& robot, Kinematics& kinematics, DartPeer& dart,
                     const std::string& where) {
    for_all_links(robot, [&](FrameId id, const std::string& link) {
      agreement.at(where + ", " + link);
      agreement.compare("pose", to_eigen(kinematics.pose(id)), dart.pose(link));
      agreement.compare("body twist", to_eigen(kinematics.twist_body(id)), dart.twist_body(link));
      agreement.compare("hybrid twist", to_eigen(kinematics.twist_hybrid(id)),
                        dart.twist_hybrid(link));
      agreement.compare("spatial acceleration", to_eigen(kinematics.spatial_acceleration_body(id)),
                        dart.spatial_acceleration_body(link));
      agreement.compare("classical acceleration",
                        to_eigen(kinematics.classical_acceleration_hybrid(id)),
                        dart.classical_acceleration_hybrid(link));
    });
  });
}

TEST(Dart, JacobiansOfAllLinks) {
  Agreement agreement("DART");
  for_all_states([&](const Robot& robot, Kinematics& kinematics, DartPeer& dart,
                     const std::string& where) {
    for_all_links(robot, [&](FrameId id, const std::string& link) {
      agreement.at(where + ", " + link);
      agreement.compare("body Jacobian", kinematics.jacobian_body(id), dart.jacobian_body(link));
      agreement.compare("hybrid Jacobian", kinematics.jacobian_hybrid(id),
                        dart.jacobian_hybrid(link));
    });
  });
}

/// J_body = Ad_{T^-1} J_space, so that its rate is Ad_{T^-1} Jdot_space - ad_V J_body.
TEST(Dart, JacobianRatesOfAllLinks) {
  Agreement agreement("DART");
  for_all_states(
      [&](const Robot& robot, Kinematics& kinematics, DartPeer& dart, const std::string& where) {
        for_all_links(robot, [&](FrameId id, const std::string& link) {
          const SE3<double> T = kinematics.pose(id);
          const Twist<double> V = kinematics.twist_body(id);
          const Eigen::MatrixXd theirs = dart.jacobian_space_rate_in_body(link);
          const auto ad_V = [&](const Twist<double>& X) { return ad(V, X); };
          const auto Ad_T = [&](const Twist<double>& X) { return Ad(T, X); };
          agreement.at(where + ", " + link);
          agreement.compare("body Jacobian rate", kinematics.jacobian_body_rate(id),
                            theirs - map_columns(dart.jacobian_body(link), ad_V));
          agreement.compare("space Jacobian rate", kinematics.jacobian_space_rate(id),
                            map_columns(theirs, Ad_T));
          agreement.compare("hybrid Jacobian rate", kinematics.jacobian_hybrid_rate(id),
                            dart.jacobian_hybrid_rate(link));
        });
      });
}

TEST(Dart, CentreOfMass) {
  Agreement agreement("DART");
  for_all_states(
      [&](const Robot& robot, Kinematics& kinematics, DartPeer& dart, const std::string& where) {
        const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
        agreement.at(where);
        agreement.compare("mass", one(robot.mass()), one(dart.mass()));
        agreement.compare("com", to_eigen(kinematics.com()), dart.com());
        agreement.compare("com velocity", to_eigen(kinematics.com_velocity()), dart.com_velocity());
        agreement.compare("com acceleration", to_eigen(kinematics.com_acceleration()),
                          dart.com_acceleration());
        agreement.compare("com Jacobian", kinematics.com_jacobian(), dart.com_jacobian());
      });
}

/// f(robot, dyn, dart, state, where) for robots whose mass matrix is regular.
template <class F>
void for_all_motions(F f) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Robot robot(with_sound_composites(described(seed)));
    if (robot.nv() == 0) continue;
    Dynamics dyn(robot);
    DartPeer dart(robot);
    const RandomState x(robot, seed);
    dart.set(x.q, x.v, x.a);
    f(robot, dyn, dart, x, robot.name());
  }
}

/// Dynamics: 1e-9 of the largest entry, which leaves both their rounding on ill-conditioned states.
TEST(Dart, InverseDynamicsAndMassMatrix) {
  Agreement agreement("DART", 1e-9);
  for_all_motions([&](const Robot&, Dynamics& dyn, DartPeer& dart, const RandomState& x,
                      const std::string& where) {
    agreement.at(where);
    agreement.compare("inverse dynamics", dyn.inverse(x.q, x.v, x.a), dart.inverse());
    agreement.compare("mass matrix", dyn.mass(x.q), dart.mass_matrix());
    agreement.compare("bias", dyn.bias(x.q, x.v), dart.bias());
    agreement.compare("gravity forces", dyn.gravity(x.q), dart.gravity_forces());
  });
}

/// By backward error: each library's accelerations need the given forces in the other's inverse
/// dynamics.
TEST(Dart, ForwardDynamics) {
  Agreement agreement("DART", 1e-9);
  for_all_motions([&](const Robot& robot, Dynamics& dyn, DartPeer& dart, const RandomState& x,
                      const std::string& where) {
    const Eigen::VectorXd& tau = x.a;
    const Eigen::VectorXd a = dyn.forward(x.q, x.v, tau);
    const double norm = Eigen::MatrixXd(dyn.mass(x.q)).norm();
    const double sizes = Eigen::VectorXd(dyn.bias(x.q, x.v)).norm() + tau.norm();
    agreement.at(where);
    dart.set(x.q, x.v, a);
    agreement.compare("our acceleration", dart.inverse(), tau, norm * a.norm() + sizes);
    if (robot.has_mimic()) return;
    const Eigen::VectorXd theirs = dart.forward(tau);
    agreement.compare("its acceleration", dyn.inverse(x.q, x.v, theirs), tau,
                      norm * theirs.norm() + sizes);
  });
}

/// DART's own hybrid dynamics, every other joint prescribed; by backward error in our inverse.
TEST(Dart, HybridDynamics) {
  Agreement agreement("DART", 1e-9);
  int compared = 0;
  for_all_motions([&](const Robot& robot, Dynamics& dyn, DartPeer& dart, const RandomState& x,
                      const std::string& where) {
    if (robot.has_mimic()) return;
    std::vector<bool> prescribed(static_cast<size_t>(robot.nv()));
    const auto flags = std::make_unique<bool[]>(prescribed.size());
    bool next = true;
    for (const JointInfo& joint : robot.joints()) {
      for (int k = 0; k < joint.nv; ++k)
        prescribed[static_cast<size_t>(joint.v + k)] = flags[static_cast<size_t>(joint.v + k)] =
            next;
      next = !next;
    }
    const Eigen::VectorXd tau = x.a.reverse();
    const auto [a, forces] = dart.hybrid(prescribed, x.a, tau);
    const HybridResult ours = dyn.hybrid({flags.get(), prescribed.size()}, x.q, x.v, x.a, tau);
    const double norm = Eigen::MatrixXd(dyn.mass(x.q)).norm();
    const double sizes = Eigen::VectorXd(dyn.bias(x.q, x.v)).norm() + tau.norm();
    agreement.at(where);
    const Eigen::VectorXd needed = dyn.inverse(x.q, x.v, a);
    agreement.compare("forces of its accelerations", needed, forces, norm * a.norm() + sizes);
    for (int k = 0; k < robot.nv(); ++k) {
      const bool fixed = prescribed[static_cast<size_t>(k)];
      EXPECT_NEAR(fixed ? a[k] - x.a[k] : forces[k] - tau[k], 0, 1e-9 * (norm + sizes)) << where;
    }
    const Eigen::VectorXd again = dyn.inverse(x.q, x.v, ours.a);
    agreement.compare("our forces", ours.tau, again, norm * ours.a.norm() + sizes);
    ++compared;
  });
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace jounce::test
