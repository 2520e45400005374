// SPDX-License-Identifier: BSD-3-Clause
// What results of Dynamics should be: values that mean what the expression says, and refusals
// where the state they need was not given. Tests that fail as long as results are views of one
// memory are disabled, with the reason beside them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <functional>
#include <jounce/dynamics.hpp>
#include <jounce/model/generate.hpp>

#include "support/message.hpp"

namespace jounce {
namespace {

using test::message;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct ArmInMotion {
  Robot arm = load("builtin:arm7");
  Dynamics d{arm};
  FrameId flange = arm.frame("flange");
  Vector q = Vector::Constant(7, 0.3), v = Vector::Constant(7, 0.5), a = v;
  Vector h = Vector::Constant(7, 1e-3);

  ArmInMotion() { d.kinematics(q, v, a); }
};

// enabled when results own themselves
TEST(Results, DISABLED_TwoForcesInOneExpression) {
  ArmInMotion x;
  const Vector found = x.d.inverse(x.q + x.h, x.v, x.a) - x.d.inverse(x.q, x.v, x.a);
  const Vector next = x.d.inverse(x.q + x.h, x.v, x.a), now = x.d.inverse(x.q, x.v, x.a);
  EXPECT_EQ(found, next - now);
  EXPECT_GT(found.norm(), 0.04);
}

// enabled when results own themselves
TEST(Results, DISABLED_TheEquationOfMotionInOneExpression) {
  ArmInMotion x;
  const Vector rest = x.d.mass(x.q) * x.a + x.d.bias(x.q, x.v) - x.d.inverse(x.q, x.v, x.a);
  EXPECT_LT(rest.norm(), 1e-13);
}

// enabled when results own themselves
TEST(Results, DISABLED_AJacobianAndItsRateInOneExpression) {
  ArmInMotion x;
  const Vector found = x.d.jacobian_body_rate(x.flange) * x.v + x.d.jacobian_body(x.flange) * x.a;
  const Matrix J = x.d.jacobian_body(x.flange), rate = x.d.jacobian_body_rate(x.flange);
  EXPECT_LT((found - (rate * x.v + J * x.a)).norm(), 1e-13);
}

// enabled when results own themselves
TEST(Results, DISABLED_TwoJacobiansInOneExpression) {
  ArmInMotion x;
  const Matrix found = x.d.jacobian_body(x.flange) - x.d.jacobian_space(x.flange);
  const Matrix body = x.d.jacobian_body(x.flange), space = x.d.jacobian_space(x.flange);
  EXPECT_EQ(found, body - space);
  EXPECT_GT(found.norm(), 1);
}

// enabled when results own themselves
TEST(Results, DISABLED_TwoCoriolisMatricesSideBySide) {
  ArmInMotion x;
  const auto lie = x.d.coriolis(x.q, x.v, Factorization::lie);
  const Matrix first = lie.matrix;
  const auto plain = x.d.coriolis(x.q, x.v, Factorization::plain);
  EXPECT_EQ(Matrix(lie.matrix), first);
  EXPECT_GT((lie.matrix - plain.matrix).norm(), 1e-3);
}

// enabled when results own themselves
TEST(Results, DISABLED_TwoKindsOfForceInOneExpression) {
  ArmInMotion x;
  const Vector coriolis = x.d.bias(x.q, x.v) - x.d.gravity(x.q);
  const Vector bias = x.d.bias(x.q, x.v), gravity = x.d.gravity(x.q);
  EXPECT_EQ(coriolis, bias - gravity);
  EXPECT_GT(coriolis.norm(), 0.01);
}

/// Every call of the list is refused with an InputError.
void expect_refused(const std::vector<std::function<void()>>& calls) {
  for (size_t k = 0; k < calls.size(); ++k)
    EXPECT_NE(message(calls[k]), "no error") << "call number " << k;
}

// enabled when a kinematic state is an object of its own
TEST(Results, DISABLED_NothingIsKnownBeforeKinematics) {
  const Robot arm = load("builtin:arm7");
  Dynamics d(arm);
  const FrameId f = arm.frame("flange");
  expect_refused({[&] { (void)d.pose(f); }, [&] { d.jacobian_body(f); },
                  [&] { d.jacobian_space(f); }, [&] { d.jacobian_hybrid(f); },
                  [&] { (void)d.com(); }, [&] { d.com_jacobian(); }, [&] { d.manipulability(f); },
                  [&] { d.manipulability_gradient(f); }, [&] { d.null_space_projector(f); },
                  [&] { d.operational_inertia(f, Representation::body); },
                  [&] { d.dynamically_consistent_inverse(f, Representation::body); },
                  [&] { d.dynamic_null_space_projector(f); }});
}

// enabled when a kinematic state is an object of its own
TEST(Results, DISABLED_RatesNeedVelocitiesAndAccelerationsNeedThemToo) {
  ArmInMotion x;
  Dynamics& d = x.d;
  const FrameId f = x.flange;
  d.kinematics(x.q);
  expect_refused({[&] { (void)d.twist_body(f); }, [&] { (void)d.twist_space(f); },
                  [&] { (void)d.twist_hybrid(f); }, [&] { d.jacobian_body_rate(f); },
                  [&] { d.jacobian_space_rate(f); }, [&] { d.jacobian_hybrid_rate(f); },
                  [&] { d.twist_derivatives(f, Representation::body); }});
  d.kinematics(x.q, x.v);
  expect_refused({[&] { (void)d.spatial_acceleration_body(f); },
                  [&] { (void)d.spatial_acceleration_space(f); },
                  [&] { (void)d.classical_acceleration_body(f); },
                  [&] { (void)d.classical_acceleration_hybrid(f); },
                  [&] { d.spatial_acceleration_derivatives(f, Representation::body); }});
}

/// Ends the process, well if inverse and forward of a long chain fit in 1 GB.
[[noreturn]] void move_a_long_chain() {
  constexpr int joints = 20000;
  const rlimit limit{1u << 30, 1u << 30};
  setrlimit(RLIMIT_AS, &limit);
  const Robot chain(generate({.bodies = joints, .seed = 1}));
  Dynamics d(chain);
  const Vector zero = Vector::Zero(joints);
  const Vector tau = d.inverse(chain.neutral(), zero, zero);
  const Vector a = d.forward(chain.neutral(), zero, tau);
  std::exit(a.size() == joints ? 0 : 1);
}

// enabled when dense memory is made where it is first needed
TEST(Results, DISABLED_ALongChainNeedsLittleMemory) {
  EXPECT_EXIT(move_a_long_chain(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace jounce
