// SPDX-License-Identifier: BSD-3-Clause
// Results are values: they mean what the expression says, outlive the next call and the door, and
// take no more memory than they need. What was not given is refused.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cstdlib>
#include <functional>
#include <jounce/jounce.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/regressor.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series_derivatives.hpp>

#include "support/message.hpp"
#include "support/sanitized.hpp"

namespace jounce {
namespace {

using test::message;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct ArmInMotion {
  Robot arm = load("builtin:arm7");
  Dynamics d{arm};
  Kinematics k{arm};
  FrameId flange = arm.frame("flange");
  Vector q = Vector::Constant(7, 0.3), v = Vector::Constant(7, 0.5), a = v;
  Vector h = Vector::Constant(7, 1e-3);

  ArmInMotion() { k.at(q, v, a); }
};

TEST(Results, TwoForcesInOneExpression) {
  ArmInMotion x;
  const Vector found = x.d.inverse(x.q + x.h, x.v, x.a) - x.d.inverse(x.q, x.v, x.a);
  const Vector next = x.d.inverse(x.q + x.h, x.v, x.a), now = x.d.inverse(x.q, x.v, x.a);
  EXPECT_EQ(found, next - now);
  EXPECT_NEAR(found.norm(), 0.0497, 1e-4);
}

TEST(Results, TheEquationOfMotionInOneExpression) {
  ArmInMotion x;
  const Vector rest = x.d.mass(x.q) * x.a + x.d.bias(x.q, x.v) - x.d.inverse(x.q, x.v, x.a);
  EXPECT_LT(rest.norm(), 1e-13);
  const Vector back = x.d.mass_inverse(x.q) * (x.d.inverse(x.q, x.v, x.a) - x.d.bias(x.q, x.v));
  EXPECT_LT((back - x.a).norm(), 1e-11);
}

TEST(Results, AJacobianAndItsRateInOneExpression) {
  ArmInMotion x;
  const Vector found = x.k.jacobian_body_rate(x.flange) * x.v + x.k.jacobian_body(x.flange) * x.a;
  EXPECT_LT((found - to_eigen(x.k.spatial_acceleration_body(x.flange))).norm(), 1e-13);
}

TEST(Results, TwoJacobiansInOneExpression) {
  ArmInMotion x;
  const Matrix found = x.k.jacobian_body(x.flange) - x.k.jacobian_space(x.flange);
  const Matrix body = x.k.jacobian_body(x.flange), space = x.k.jacobian_space(x.flange);
  EXPECT_EQ(found, body - space);
  EXPECT_GT(found.norm(), 1);
}

TEST(Results, TwoCoriolisMatricesSideBySide) {
  ArmInMotion x;
  const auto lie = x.d.coriolis(x.q, x.v, Factorization::lie);
  const Matrix first = lie.matrix;
  const auto plain = x.d.coriolis(x.q, x.v, Factorization::plain);
  EXPECT_EQ(lie.matrix, first);
  EXPECT_GT((lie.matrix - plain.matrix).norm(), 1e-3);
  EXPECT_LT(((lie.matrix - plain.matrix) * x.v).norm(), 1e-13);
}

TEST(Results, TwoKindsOfForceInOneExpression) {
  ArmInMotion x;
  const Vector coriolis = x.d.bias(x.q, x.v) - x.d.gravity(x.q);
  EXPECT_LT((coriolis - x.d.coriolis(x.q, x.v).matrix * x.v).norm(), 1e-13);
  EXPECT_GT(coriolis.norm(), 0.01);
}

/// Differences of two results are slopes: what a user writes first.
TEST(Results, DerivativesAreDifferencesInOneExpression) {
  ArmInMotion x;
  Derivatives derivatives(x.arm);
  SecondDerivatives second(x.arm);
  for (int k = 0; k < 7; ++k) {
    const Vector e = 1e-5 * Vector::Unit(7, k);
    const Vector dtau = (x.d.inverse(x.q + e, x.v, x.a) - x.d.inverse(x.q - e, x.v, x.a)) / 2e-5;
    EXPECT_LT((derivatives.inverse(x.q, x.v, x.a).dq.col(k) - dtau).norm(), 1e-8);
    const Matrix dM = (x.d.mass(x.q + e) - x.d.mass(x.q - e)) / 2e-5;
    EXPECT_LT((second.mass(x.q).slice(k) - dM).norm(), 1e-8);
    const Matrix ddq =
        (derivatives.inverse(x.q + e, x.v, x.a).dq - derivatives.inverse(x.q - e, x.v, x.a).dq) /
        2e-5;
    EXPECT_LT((second.inverse(x.q, x.v, x.a).dqdq.slice(k) - ddq).norm(), 1e-7);
  }
}

TEST(Results, OfAllOtherDoorsStandSideBySide) {
  ArmInMotion x;
  const Vector next = x.q + x.h;
  const Matrix motion = Matrix::Constant(7, 3, 0.2);
  Series series(x.arm, 1);
  SeriesDerivatives slopes(x.arm, 1);
  Regressor regressor(x.arm);
  Sensitivity to_gravity(x.arm, {{ParameterKind::gravity, "", 2}});
  const auto expect_kept = [](const auto& first, const auto& second, const auto& again) {
    EXPECT_EQ(first, again);
    EXPECT_GT((first - second).norm(), 1e-6);
  };
  expect_kept(series.inverse(x.q, motion), series.inverse(next, motion),
              series.inverse(x.q, motion));
  const SeriesPartials here = slopes.inverse(x.q, motion), there = slopes.inverse(next, motion);
  expect_kept(here(1, 0), there(1, 0), SeriesDerivatives(x.arm, 1).inverse(x.q, motion)(1, 0));
  expect_kept(regressor.force(x.q, x.v, x.a), regressor.force(next, x.v, x.a),
              regressor.force(x.q, x.v, x.a));
  expect_kept(to_gravity.force(x.q, x.v, x.a), to_gravity.force(next, x.v, x.a),
              to_gravity.force(x.q, x.v, x.a));
  MassFactors factors(x.arm);
  factors.at(x.q);
  expect_kept(factors.solve(x.v), factors.solve(x.h), factors.solve(x.v));
}

TEST(Results, OutliveTheirDoorAndAreCopied) {
  ArmInMotion x;
  const MassMatrix M = Dynamics(x.arm).mass(x.q);
  const Matrix kept = M;
  MassMatrix written = M;
  x.d.mass(x.q + x.h, into(written));
  EXPECT_EQ(M, kept);
  EXPECT_GT((written - M).norm(), 1e-6);
  written = M;
  EXPECT_EQ(written, kept);
  const MassMatrix moved = std::move(written);
  EXPECT_EQ(moved, kept);
  EXPECT_EQ(Matrix(x.d.mass(x.q)), kept);
}

/// A door keeps what `at` was told, not where it was told it.
TEST(Results, AStateDoesNotFollowItsArguments) {
  ArmInMotion x;
  MassFactors factors(x.arm);
  factors.at(x.q);
  const Matrix J = x.k.jacobian_body(x.flange), rate = x.k.jacobian_body_rate(x.flange);
  const Vector solved = factors.solve(x.h);
  const Twist<double> A = x.k.classical_acceleration_body(x.flange);
  x.q.setZero(), x.v.setZero(), x.a.setZero();
  EXPECT_EQ(x.k.jacobian_body(x.flange), J);
  EXPECT_EQ(x.k.jacobian_body_rate(x.flange), rate);
  EXPECT_EQ(factors.solve(x.h), solved);
  EXPECT_EQ(to_eigen(x.k.classical_acceleration_body(x.flange)), to_eigen(A));
  x.k.manipulability_gradient(x.flange);  // nor does it follow what else is asked
  x.k.jacobian(x.flange, Representation::space, x.h);
  EXPECT_EQ(x.k.jacobian_body_rate(x.flange), rate);
}

using Named = std::vector<std::pair<std::string, std::function<void()>>>;

/// Every call is refused by its name, and told what to call first.
void expect_refused(const Named& calls, const std::string& first) {
  for (const auto& [name, call] : calls) {
    const std::string told = message(call);
    EXPECT_TRUE(told.starts_with(name + ": ")) << told;
    EXPECT_NE(told.find(first), std::string::npos) << told;
  }
}

TEST(Results, NothingIsKnownBeforeAState) {
  const Robot arm = load("builtin:arm7");
  Kinematics k(arm);
  MassFactors m(arm);
  KinematicSeries s(arm, 1);
  const FrameId f = arm.frame("flange");
  const Representation body = Representation::body;
  expect_refused({{"pose", [&] { (void)k.pose(f); }},
                  {"twist_body", [&] { (void)k.twist_body(f); }},
                  {"spatial_acceleration_body", [&] { (void)k.spatial_acceleration_body(f); }},
                  {"jacobian", [&] { k.jacobian(f, body); }},
                  {"jacobian", [&] { k.jacobian_space(f); }},
                  {"jacobian_rate", [&] { k.jacobian_hybrid_rate(f); }},
                  {"com", [&] { (void)k.com(); }},
                  {"com_velocity", [&] { (void)k.com_velocity(); }},
                  {"com_acceleration", [&] { (void)k.com_acceleration(); }},
                  {"com_jacobian", [&] { k.com_jacobian(); }},
                  {"manipulability", [&] { k.manipulability(f); }},
                  {"manipulability_gradient", [&] { k.manipulability_gradient(f); }},
                  {"null_space_projector", [&] { k.null_space_projector(f); }},
                  {"solve", [&] { m.solve(Vector::Zero(7)); }},
                  {"LD", [&] { m.LD(); }},
                  {"operational_inertia", [&] { m.operational_inertia(f, body); }},
                  {"consistent_inverse", [&] { m.consistent_inverse(f, body); }},
                  {"null_space_projector", [&] { m.null_space_projector(f); }},
                  {"pose", [&] { (void)s.pose(f, 0); }},
                  {"twist", [&] { (void)s.twist(f, body, 0); }},
                  {"jacobian", [&] { s.jacobian(f, body, 0); }}},
                 "at(q");
}

TEST(Results, RatesNeedVelocitiesAndAccelerationsNeedAccelerations) {
  ArmInMotion x;
  Kinematics& k = x.k;
  const FrameId f = x.flange;
  const Named rates{{"twist_body", [&] { (void)k.twist_body(f); }},
                    {"twist_space", [&] { (void)k.twist_space(f); }},
                    {"twist_hybrid", [&] { (void)k.twist_hybrid(f); }},
                    {"jacobian_rate", [&] { k.jacobian_body_rate(f); }},
                    {"jacobian_rate", [&] { k.jacobian_space_rate(f); }},
                    {"jacobian_rate", [&] { k.jacobian_hybrid_rate(f); }},
                    {"com_velocity", [&] { (void)k.com_velocity(); }}};
  const Named accelerations{
      {"spatial_acceleration_body", [&] { (void)k.spatial_acceleration_body(f); }},
      {"spatial_acceleration_space", [&] { (void)k.spatial_acceleration_space(f); }},
      {"classical_acceleration_body", [&] { (void)k.classical_acceleration_body(f); }},
      {"classical_acceleration_hybrid", [&] { (void)k.classical_acceleration_hybrid(f); }},
      {"com_acceleration", [&] { (void)k.com_acceleration(); }}};
  k.at(x.q);  // forgets v and a of the state before
  expect_refused(rates, "at(q, v");
  expect_refused(accelerations, "at(q, v, a");
  k.at(x.q, x.v);
  for (const auto& [name, call] : rates) EXPECT_EQ(message(call), "no error") << name;
  expect_refused(accelerations, "at(q, v, a");
  k.at(x.q, x.v, x.a);
  for (const auto& [name, call] : accelerations) EXPECT_EQ(message(call), "no error") << name;
}

/// Two hinges about z whose mass is a point at the tip: stretched, it cannot move along the arm.
Robot arm_with_mass_at_its_tip() {
  RobotDescription arm{.name = "two"};
  arm.links = {{.name = "ground"}, {.name = "upper"}, {.name = "lower", .mass = 1}};
  arm.links[2].com = {1, 0, 0};
  for (size_t k = 0; k < 2; ++k) {
    JointDescription joint{"joint_" + std::to_string(k + 1), arm.links[k].name,
                           arm.links[k + 1].name};
    joint.geometry = {.kind = JointKind::revolute, .axes = {{0, 0, 1}}};
    joint.geometry.placement.p = {double(k), 0, 0};
    arm.joints.push_back(joint);
  }
  return Robot(arm);
}

/// Arguments that are refused leave the state as it was; a singular mass matrix leaves none.
TEST(Results, AStateThatIsRefused) {
  ArmInMotion x;
  MassFactors factors(x.arm);
  factors.at(x.q);
  Vector bad = x.q;
  bad[3] = NAN;
  const Matrix J = x.k.jacobian_body(x.flange);
  const Vector V = to_eigen(x.k.twist_body(x.flange)), solved = factors.solve(x.v);
  EXPECT_EQ(message([&] { x.k.at(bad); }), "at: q[3] is NaN");
  EXPECT_EQ(message([&] { x.k.at(x.q, bad); }), "at: v[3] is NaN");
  EXPECT_EQ(message([&] { factors.at(bad); }), "at: q[3] is NaN");
  EXPECT_EQ(x.k.jacobian_body(x.flange), J);
  EXPECT_EQ(to_eigen(x.k.twist_body(x.flange)), V);
  EXPECT_EQ(factors.solve(x.v), solved);

  MassFactors two(arm_with_mass_at_its_tip());
  const Vector regular = two.at({0, 1}).solve({1, 2});
  EXPECT_TRUE(regular.allFinite());
  EXPECT_EQ(message([&] { two.at({0, 0}); }).substr(0, 4), "at: ");
  EXPECT_EQ(message([&] { two.solve({1, 2}); }), "solve: needs a configuration, call at(q) first");
  EXPECT_EQ(two.at({0, 1}).solve({1, 2}), regular);
}

TEST(Results, ObjectsOfAnotherRobotAreRefused) {
  const Robot arm = load("builtin:arm7"), other = load("builtin:puma560");
  const Vector x = Vector::Constant(7, 0.1);
  const Matrix motion = Matrix::Constant(7, 3, 0.1);
  const bool flags[7] = {};
  Dynamics d(arm);
  Derivatives D(arm);
  SecondDerivatives S(arm);
  SeriesDerivatives s(arm, 1);
  Regressor r(arm), r_other(other);
  MassMatrix M(other);
  MassInverse W(other);
  CoriolisMatrices C(other);
  CentroidalMatrices A(other);
  InverseDerivatives inverse(other);
  ForwardDerivatives forward(other);
  HybridDerivatives hybrid(other);
  InverseSecondDerivatives inverse_second(other);
  ForwardSecondDerivatives forward_second(other);
  SecondProducts products(other);
  MassDerivatives mass(other);
  SeriesPartials partials(other, 1);
  RegressorMatrix Y(r_other);
  const Named calls{
      {"mass", [&] { d.mass(x, into(M)); }},
      {"mass_inverse", [&] { d.mass_inverse(x, into(W)); }},
      {"coriolis", [&] { d.coriolis(x, x, Factorization::lie, into(C)); }},
      {"centroidal", [&] { d.centroidal(x, x, into(A)); }},
      {"inverse_derivatives", [&] { D.inverse(x, x, x, into(inverse)); }},
      {"forward_derivatives", [&] { D.forward(x, x, x, into(forward)); }},
      {"hybrid_derivatives", [&] { D.hybrid(flags, x, x, x, x, into(hybrid)); }},
      {"inverse_second_derivatives", [&] { S.inverse(x, x, x, into(inverse_second)); }},
      {"forward_second_derivatives", [&] { S.forward(x, x, x, into(forward_second)); }},
      {"inverse_second_products", [&] { S.inverse_products(x, x, x, x, {}, into(products)); }},
      {"forward_second_products", [&] { S.forward_products(x, x, x, x, {}, into(products)); }},
      {"mass_derivatives", [&] { S.mass(x, into(mass)); }},
      {"inverse_series", [&] { s.inverse(x, motion, {}, into(partials)); }},
      {"forward_series", [&] { s.forward(x, x, motion.leftCols(2), {}, into(partials)); }},
      {"regressor", [&] { r.force(x, x, x, {}, into(Y)); }},
      {"reference regressor", [&] { r.reference(x, x, x, x, Factorization::lie, into(Y)); }}};
  for (const auto& [name, call] : calls) {
    const std::string told = message(call);
    EXPECT_TRUE(told.starts_with(name + ": ")) << name << ": " << told;
    for (const char* robot : {"\"arm7\"", "\"puma560\""})
      EXPECT_NE(told.find(robot), std::string::npos) << told;
  }
}

#if defined(__GLIBC__) && !defined(JOUNCE_SANITIZED)
/// Ends the process, well if the call of a long chain fits in 1 GB.
[[noreturn]] void move_a_long_chain(const std::function<Vector(Dynamics&)>& call) {
  const rlimit limit{1u << 30, 1u << 30};
  setrlimit(RLIMIT_AS, &limit);
  const Robot chain(generate({.bodies = 20000, .seed = 1}));
  Dynamics d(chain);
  std::exit(call(d).size() == chain.nv() ? 0 : 1);
}

TEST(Results, ALongChainNeedsLittleMemory) {
  const Vector zero = Vector::Zero(20000);
  const auto inverse = [&](Dynamics& d) { return d.inverse(d.robot().neutral(), zero, zero); };
  EXPECT_EXIT(move_a_long_chain(inverse), testing::ExitedWithCode(0), "");
}

TEST(Results, ADoorNeedsLittleMemory) {
  const auto in_use = [] {
    const struct mallinfo2 now = mallinfo2();
    return double(now.uordblks + now.hblkhd);
  };
  const Robot chain(generate({.bodies = 5000, .seed = 1}));
  const std::vector<double> q = chain.neutral(), zero(5000);
  std::vector<double> tau(5000), a(5000);
  const double before = in_use();
  Dynamics d(chain);
  d.inverse(q, zero, zero, into(tau));
  d.forward(q, zero, tau, into(a));  // small pivots are judged without the mass matrix
  EXPECT_LT(in_use() - before, 20e6);
}
#endif

}  // namespace
}  // namespace jounce
