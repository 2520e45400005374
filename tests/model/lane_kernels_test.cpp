// SPDX-License-Identifier: BSD-3-Clause
// The kernels behind Dynamics against the readable references, on trees of up to 60 bodies
// with every kind of joint, both bases, a moving ground and outside wrenches.
#include <gtest/gtest.h>

#include <jounce/algorithm/aba.hpp>
#include <jounce/algorithm/crba.hpp>
#include <jounce/model/workspace.hpp>

#include "model/random_robot.hpp"
#include "support/near.hpp"
#include "support/scale.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using test::RobotInMotion, test::largest, test::within;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A state of a case for the references, on a ground that moves as the case says.
struct Reference {
  explicit Reference(RobotInMotion& c)
      : model(c.robot.model()),
        storage(model),
        F_ext(size_t(model.bodies)),
        x{c.q.data(), c.v.data(), c.a.data(), nullptr, F_ext.data()} {
    const Twist<double> V_0 = c.rng.twist(), Vdot_0 = c.rng.twist();
    c.ground = {V_0, Vdot_0};
    c.passive = false;
    c.external.clear();  // each on its own body, in its frame: no conversion to share
    for (int link = 0; link < int(c.robot.frames().size()); link += 3) {
      const FrameInfo& frame = c.robot.frame_info(FrameId(link));
      c.external.push_back({FrameId(link), c.rng.wrench()});
      F_ext[size_t(frame.body)] += dual_Ad_inv(frame.offset, c.external.back().wrench);
    }
    storage.view().V[0] = V_0;
    storage.view().Vdot[0] = Vdot_0 + minus_gravity<double>(model);
  }

  const Model<double>& model;
  WorkspaceStorage<double> storage;
  std::vector<Wrench<double>> F_ext;
  State<double> x;
};

RobotInMotion case_of(std::uint64_t seed) { return RobotInMotion(seed, false, 1 + int(seed % 60)); }
const std::uint64_t trees = std::uint64_t(test::scaled(500));

TEST(LaneKernels, InverseEqualsTheReference) {
  for (std::uint64_t seed = 0; seed < trees; ++seed) {
    RobotInMotion c = case_of(seed);
    Reference reference(c);
    rnea(reference.model, reference.x, reference.storage.view());
    const Vector tau = Vector::Map(reference.storage.view().tau, c.robot.nv());
    const Vector fast = c.dynamics.inverse(c.q, c.v, c.a, c.around());
    EXPECT_TRUE(within(1e-12 * largest(tau), fast, tau, c));
  }
}

/// In one sweep, with accelerations and without them.
TEST(LaneKernels, MotionsEqualTheReference) {
  for (std::uint64_t seed = 0; seed < trees; ++seed) {
    RobotInMotion c = case_of(seed);
    Reference reference(c);
    Workspace<double>& w = reference.storage.view();
    w.Vdot[0] = c.ground->Vdot;
    forward_poses(reference.model, reference.x, w);
    forward_twists(reference.model, reference.x, w);
    forward_accelerations(reference.model, reference.x, w);
    Kinematics moving(c.robot), turning(c.robot);
    moving.at(c.q, c.v, c.a, c.ground);
    turning.at(c.q, c.v);
    for (int k = 0; k < int(c.robot.frames().size()); ++k) {
      const FrameInfo& frame = c.robot.frame_info(FrameId(k));
      const Twist<double> V = Ad_inv(frame.offset, w.V[frame.body]);
      const Twist<double> A = Ad_inv(frame.offset, w.Vdot[frame.body]);
      EXPECT_TRUE(test::near(moving.twist_body(FrameId(k)), V, 1e-12, seed));
      EXPECT_TRUE(test::near(moving.spatial_acceleration_body(FrameId(k)), A, 1e-11, seed));
    }
    w.V[0] = {};
    forward_twists(reference.model, reference.x, w);
    for (int k = 0; k < int(c.robot.frames().size()); ++k) {
      const FrameInfo& frame = c.robot.frame_info(FrameId(k));
      const Twist<double> V = Ad_inv(frame.offset, w.V[frame.body]);
      EXPECT_TRUE(test::near(turning.twist_body(FrameId(k)), V, 1e-12, seed));
    }
  }
}

TEST(LaneKernels, WrenchesEqualTheReference) {
  for (std::uint64_t seed = 0; seed < trees; ++seed) {
    RobotInMotion c = case_of(seed);
    Reference reference(c);
    Workspace<double>& w = reference.storage.view();
    rnea(reference.model, reference.x, w);
    const auto found = c.dynamics.joint_wrenches(c.q, c.v, c.a, Representation::body, c.around());
    double size = norm(w.F[0].m) + norm(w.F[0].f);
    for (int i = 1; i < reference.model.bodies; ++i)
      size = std::max(size, norm(w.F[i].m) + norm(w.F[i].f));
    const auto expect_same = [&](const Wrench<double>& F, const Wrench<double>& expected) {
      EXPECT_LE(norm(F.m - expected.m) + norm(F.f - expected.f), 1e-12 * size) << "seed " << seed;
    };
    expect_same(found.ground, w.F[0]);
    for (size_t k = 0; k < found.joints.size(); ++k) {
      const JointInfo& joint = c.robot.joints()[k];
      const auto& link = c.robot.description().joints[size_t(joint.description)].child;
      const SE3<double>& offset = c.robot.frame_info(c.robot.frame(link)).offset;
      expect_same(found.joints[k], dual_Ad(offset, w.F[joint.body]));
    }
  }
}

TEST(LaneKernels, MassEqualsTheReference) {
  for (std::uint64_t seed = 0; seed < trees; ++seed) {
    RobotInMotion c = case_of(seed);
    Reference reference(c);
    Workspace<double>& w = reference.storage.view();
    forward_poses(reference.model, reference.x, w);
    std::vector<Inertia<double>> composite(size_t(reference.model.bodies));
    Matrix M(c.robot.nv(), c.robot.nv());
    crba(reference.model, w, composite.data(), M.data());
    const Matrix fast = c.dynamics.mass(c.q);
    EXPECT_TRUE(within(1e-12 * largest(M), fast, M, c));
    EXPECT_EQ(Matrix(c.dynamics.mass(c.q)), fast) << "remembers the first call";
  }
}

/// Backward error with M and b of the reference: accelerations themselves are as uncertain as M is
/// ill conditioned.
TEST(LaneKernels, ForwardSolvesTheEquationOfMotion) {
  for (std::uint64_t seed = 0; seed < trees; ++seed) {
    RobotInMotion c = case_of(seed);
    Reference reference(c);
    const Vector tau = c.random(c.robot.nv());
    const Vector a = c.dynamics.forward(c.q, c.v, tau, c.around());
    EXPECT_EQ(c.dynamics.forward(c.q, c.v, tau, c.around()), a) << "remembers the first call";
    reference.x.a = a.data();
    rnea(reference.model, reference.x, reference.storage.view());
    const Vector found = Vector::Map(reference.storage.view().tau, c.robot.nv());
    const Matrix M = c.dynamics.mass(c.q);
    const Vector scale = M.cwiseAbs() * a.cwiseAbs() + (found - M * a).cwiseAbs();
    EXPECT_TRUE(within(1e-12 * (largest(scale) + largest(tau)), found, tau, c));
  }
}

}  // namespace
}  // namespace jounce
