// SPDX-License-Identifier: BSD-3-Clause
// Robots with many small loops: clusters against the dense equations, and against the way that
// serves any loops.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>

#include "model/cluster_storage.hpp"
#include "model/response_storage.hpp"
#include "support/allocation_guard.hpp"
#include "support/largest.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// What forward dynamics finds solves the dense equations, lambda the shortest of all.
void expect_dense(const Robot& robot, const Vector& guess, double tolerance) {
  ConstrainedDynamics dyn(robot);
  Dynamics open(robot);
  const int n = robot.nv(), m = dyn.rows();
  const Assembly closed = dyn.assemble(guess);
  ASSERT_TRUE(closed.converged);
  const Vector v = dyn.project(closed.q, Vector::LinSpaced(n, -1, 1));
  const Vector tau = Vector::LinSpaced(n, 1, -1);
  const Ground<double> ground{{{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}},
                              {{-0.6, 0.1, 0.2}, {0.7, 0.3, -0.5}}};
  const Surroundings around{.ground = ground, .passive = false};
  const ConstrainedForward found = dyn.forward(closed.q, v, tau, around);
  ASSERT_GT(found.rank_margin, 1e-3);
  dyn.set_path(ConstrainedPath::factors);
  const ConstrainedForward same = dyn.forward(closed.q, v, tau, around);
  EXPECT_LE(largest(found.a - same.a), tolerance * largest(same.a));
  EXPECT_LE(largest(found.lambda - same.lambda), tolerance * largest(same.lambda));
  const Matrix M = open.mass(closed.q), A = dyn.jacobian(closed.q);
  const Vector b = open.inverse(closed.q, v, Vector::Zero(n), around);
  const double size = largest(M) * largest(found.a) + largest(b);
  EXPECT_LE(largest(M * found.a + b - tau - A.transpose() * found.lambda), 1e-11 * size);
  const Vector rate = A * found.a + dyn.bias(closed.q, v);
  EXPECT_LE(largest(rate), 1e-11 * largest(A) * largest(found.a) * n);
  EXPECT_LE(found.residual, 1e-11 * largest(A) * largest(found.a) * n);
  Matrix K = Matrix::Zero(n + m, n + m);
  K << M, -A.transpose(), A, Matrix::Zero(m, m);
  Vector right(n + m);
  right << tau - b, -dyn.bias(closed.q, v);
  Eigen::CompleteOrthogonalDecomposition<Matrix> dense(K);
  dense.setThreshold(1e-9);
  const Vector exact = dense.solve(right);
  EXPECT_LE(largest(found.a - exact.head(n)), tolerance * largest(exact.head(n)));
  EXPECT_LE(largest(found.lambda - exact.tail(m)), tolerance * largest(exact.tail(m)));
  EXPECT_EQ(found.rank, dyn.rank());
  EXPECT_LE(found.redundancy_defect, 1e-9);
}

/// An impulse changes momenta by A^T lambda, lambda the shortest, and velocities as it should.
void expect_impulse(const Robot& robot, double restitution, double tolerance) {
  ConstrainedDynamics dyn(robot);
  Dynamics open(robot);
  const std::vector<double> q = robot.closed();
  const Vector v = Vector::LinSpaced(robot.nv(), -1, 1);
  const Impulse found = dyn.impulse(q, v, {}, restitution);
  dyn.set_path(ConstrainedPath::factors);
  const Impulse same = dyn.impulse(q, v, {}, restitution);
  const Matrix M = open.mass(q), A = dyn.jacobian(q);
  const Vector change = M * (found.v - v);
  EXPECT_LE(largest(change - A.transpose() * found.lambda), 1e-12 * largest(change));
  const Vector after = A * found.v + restitution * (A * v);
  EXPECT_LE(largest(after), 1e-12 * largest(A) * largest(found.v));
  EXPECT_NEAR(found.residual, largest(after), 1e-13 * largest(found.v));
  EXPECT_LE(largest(found.v - same.v), tolerance * largest(same.v));
  EXPECT_LE(largest(found.lambda - same.lambda), tolerance * largest(same.lambda));
}

ClusterStorage clusters_of(const Robot& robot) {
  ConstrainedDynamics dyn(robot);
  const LoopLists lists(robot);
  ClusterStorage found;
  std::vector<int> picked;
  for (int k = 0; k < dyn.rank(); ++k) picked.push_back(5 * (k / 2) + 2 + k % 2);
  found.list(robot, lists, picked);
  return found;
}

TEST(Clusters, OfFourBarsAreTheirThreeBars) {
  const Robot robot(generate_four_bars(4));
  const ClusterStorage found = clusters_of(robot);
  ASSERT_TRUE(found.serves());
  ASSERT_EQ(found.view().count, 4);
  for (int k = 0; k < 4; ++k) {
    const LoopCluster& c = found.view().cluster[k];
    EXPECT_EQ(c.n, 3);
    EXPECT_EQ(c.m, 5);
    EXPECT_EQ(c.carrier, k == 0 ? 0 : 3 * k - 1);
    EXPECT_EQ(c.lines.lines, k == 0 ? 5 : 11);
    for (int b = 0; b < 3; ++b) {  // crank, coupler, rocker
      EXPECT_EQ(c.carries[b], k < 3 && b == 1);
      EXPECT_EQ(c.felt[b], k < 3 && b < 2);
    }
  }
}

/// Rows belong to one cluster each, which has no more of them than coordinates.
TEST(Clusters, RespondToRowsOfTheirOwn) {
  const Robot robot(generate_four_bars(2));
  const ClusterStorage clusters = clusters_of(robot);
  ResponseStorage responses;
  responses.list(robot.model(), clusters.view());
  Matrix rows = Matrix::Zero(robot.nv(), 2);  // one after the other
  rows(1, 0) = 2, rows(2, 0) = 3, rows(4, 1) = 5;
  ASSERT_TRUE(responses.take_rows(2, rows.data()));
  for (int k = 0; k < 2; ++k) {
    const ClusterResponse& one = responses.view().of[k];
    ASSERT_EQ(one.rows, 1);
    EXPECT_EQ(one.row[0], k);
    EXPECT_EQ(Vector::Map(one.B, 3), rows.col(k).segment(3 * k, 3));
  }
  rows(5, 0) = 1e-300;
  EXPECT_FALSE(responses.take_rows(2, rows.data()));
  rows.setZero();
  EXPECT_FALSE(responses.take_rows(1, rows.data()));
  rows = Matrix::Ones(robot.nv(), 4), rows.bottomRows(3).setZero();
  EXPECT_TRUE(responses.take_rows(3, rows.data()));
  EXPECT_FALSE(responses.take_rows(4, rows.data()));
}

TEST(Clusters, ServeOneLinkageAlone) {
  const Robot alone(generate_four_bars(1));
  EXPECT_TRUE(clusters_of(alone).serves());
  RobotDescription made = generate_four_bars(1);
  LinkDescription hand = made.links[1];
  hand.name = "hand";
  JointDescription wrist = made.joints[0];
  wrist.name = wrist.child = "hand";
  wrist.parent = "coupler_1";
  made.links.push_back(hand);
  made.joints.push_back(wrist);
  EXPECT_FALSE(clusters_of(Robot(made)).serves());
  for (const char* name : {"builtin:four_bar", "builtin:five_bar"}) {
    const Robot robot = load(name);
    const std::vector<double> closed = robot.closed();
    expect_dense(robot, Vector::Map(closed.data(), robot.nq()), 1e-9);
    expect_impulse(robot, 0.3, 1e-12);
  }
}

TEST(Clusters, TakeImpulses) {
  for (const int branches : {1, 2})
    for (const double restitution : {0.0, 0.4, 1.0})
      expect_impulse(Robot(generate_four_bars(5, branches)), restitution, 1e-9);
}

/// Seen from the ground, inertias of the first linkage would be 1e14 times their own size.
TEST(Clusters, KeepTheirDigitsFarFromTheGround) {
  const RobotDescription near = generate_four_bars(3);
  RobotDescription far = near;
  for (JointDescription& joint : far.joints)
    if (joint.parent == "base") joint.geometry.placement.p.x += 1 << 20;  // keeps 33 binary digits
  ConstrainedDynamics here((Robot(near))), there((Robot(far)));
  const std::vector<double> q = here.robot().closed();
  const Vector tau = Vector::LinSpaced(9, 1, -1);
  const Vector v = here.project(q, Vector::LinSpaced(9, -1, 1));
  const ConstrainedForward a = here.forward(q, v, tau), b = there.forward(q, v, tau);
  EXPECT_LE(largest(a.a - b.a), 1e-7 * largest(a.a));
  EXPECT_LE(largest(a.lambda - b.lambda), 1e-7 * largest(a.lambda));
}

/// Rank, inverse dynamics and the door itself do not grow with the cube of the linkages: a robot of
/// many is made and used.
TEST(Clusters, OfManyLinkagesAreTakenApartOneByOne) {
  const int linkages = 128;
  const Robot robot(generate_four_bars(linkages));
  ConstrainedDynamics dyn(robot);
  EXPECT_EQ(dyn.rank(), 2 * linkages);
  EXPECT_EQ(dyn.mobility(), linkages);
  const std::vector<double> q = robot.closed();
  const int n = robot.nv();
  const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1));
  const Vector tau = [&] {
    Vector forces = Vector::LinSpaced(n, 1, -1);
    for (int k = 0; k < n; ++k)
      if (!robot.actuated()[size_t(k)]) forces[k] = 0;
    return forces;
  }();
  const ConstrainedForward moved = dyn.forward(q, v, tau);
  const ConstrainedInverse back = dyn.inverse(q, v, moved.a);
  EXPECT_LE(largest(back.tau - tau), 1e-9 * largest(moved.a));
  EXPECT_LE(largest(back.lambda - moved.lambda), 1e-9 * largest(moved.lambda));
}

TEST(Clusters, SolveTheDenseEquations) {
  for (const int branches : {1, 2, 3})
    for (const int n : {2, 5, 9}) {
      const Robot robot(generate_four_bars(n, branches));
      const std::vector<double> closed = robot.closed();
      expect_dense(
          robot, Vector::Map(closed.data(), robot.nq()) + Vector::LinSpaced(robot.nq(), 0.1, -0.1),
          1e-9);
    }
}

/// Derivatives and series, which go their own ways, know of the same motion.
TEST(Clusters, AgreeWithDerivativesAndSeries) {
  const Robot robot(generate_four_bars(5, 2));
  ConstrainedDynamics dyn(robot);
  const int n = robot.nv();
  const std::vector<double> q = robot.closed();
  const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1)), tau = Vector::LinSpaced(n, 1, -1);
  const ConstrainedForward found = dyn.forward(q, v, tau);
  const double size = largest(found.a);
  const Vector push = Vector::LinSpaced(n, -0.3, 0.7);
  const auto d = ConstrainedDerivatives(robot).forward(q, v, tau);
  const ConstrainedForward pushed = dyn.forward(q, v, tau + push);
  EXPECT_LE(largest(d.da_dtau * push - (pushed.a - found.a)), 1e-10 * size);
  EXPECT_LE(largest(d.dlambda_dtau * push - (pushed.lambda - found.lambda)),
            1e-10 * largest(found.lambda));
  const auto flags = std::make_unique<bool[]>(size_t(n));
  flags[0] = true;
  const ConstrainedHybrid h = dyn.hybrid({flags.get(), size_t(n)}, q, v, found.a, tau);
  EXPECT_LE(largest(h.a - found.a), 1e-10 * size);
  EXPECT_LE(largest(h.tau - tau), 1e-10 * size);
  Matrix taus = Matrix::Zero(n, 2);
  taus.col(0) = tau;
  const auto series = ConstrainedSeries(robot, 1).forward(q, v, taus);
  EXPECT_LE(largest(series.motion.col(1) - found.a), 1e-10 * size);
  EXPECT_LE(largest(series.lambdas.col(0) - found.lambda), 1e-10 * largest(found.lambda));
}

/// Flags of a robot of four-bars, each of which has a crank, a coupler and a rocker.
std::unique_ptr<bool[]> held_of(int linkages, auto is_held) {
  auto flags = std::make_unique<bool[]>(size_t(3 * linkages));
  for (int k = 0; k < 3 * linkages; ++k) flags[size_t(k)] = is_held(k / 3, k % 3);
  return flags;
}
/// Hybrid dynamics by clusters and by factors, with what touches the ground.
void expect_same_hybrid(const Robot& robot, const bool* flags, std::span<const Contact> contacts,
                        bool by_clusters) {
  ConstrainedDynamics dyn(robot);
  const int n = robot.nv();
  const std::vector<double> q = robot.closed();
  const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1), contacts);
  const Vector tau = Vector::LinSpaced(n, 1, -1);
  const Vector a = dyn.forward(q, v, tau, {}, contacts).a;  // which suits the loops
  const std::span<const bool> held(flags, size_t(n));
  const ConstrainedHybrid found = dyn.hybrid(held, q, v, a, 2 * tau, {}, contacts);
  dyn.set_path(ConstrainedPath::factors);
  const ConstrainedHybrid same = dyn.hybrid(held, q, v, a, 2 * tau, {}, contacts);
  EXPECT_LE(largest(found.a - same.a), 1e-9 * largest(same.a));
  EXPECT_LE(largest(found.tau - same.tau), 1e-9 * largest(same.tau));
  EXPECT_LE(largest(found.lambda - same.lambda), 1e-9 * largest(same.lambda));
  EXPECT_EQ(found.rank, same.rank);
  EXPECT_EQ(found.free_dimension, same.free_dimension);
  EXPECT_LE(found.residual, 1e-9 * largest(same.a));
  EXPECT_EQ(found.rank_margin != same.rank_margin, by_clusters) << "each has pivots of its own";
}
TEST(Clusters, TakePrescribedCoordinates) {
  for (const int branches : {1, 2}) {
    const Robot robot(generate_four_bars(5, branches));
    const auto cranks = held_of(5, [](int, int bar) { return bar == 0; });
    const auto some = held_of(5, [](int i, int bar) { return i % 2 == 0 && bar == 2; });
    const auto none = held_of(5, [](int, int) { return false; });
    const auto strained = held_of(5, [](int i, int bar) { return bar == 0 || i == 2; });
    expect_same_hybrid(robot, cranks.get(), {}, true);
    expect_same_hybrid(robot, some.get(), {}, true);
    expect_same_hybrid(robot, none.get(), {}, true);
    expect_same_hybrid(robot, strained.get(), {}, false);
  }
}

TEST(Clusters, CarryContacts) {
  for (const int branches : {1, 2}) {
    const Robot robot(generate_four_bars(8, branches));
    const Contact held[] = {{robot.frame("coupler_8"), LoopKind::point},
                            {robot.frame("rocker_4"), LoopKind::knife_edge}};
    for (const size_t many : {1u, 2u, 1u}) {  // switched on and off
      const std::span<const Contact> contacts(held, many);
      ConstrainedDynamics dyn(robot);
      const int n = robot.nv();
      const std::vector<double> q = robot.closed();
      const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1), contacts);
      const Vector tau = Vector::LinSpaced(n, 1, -1);
      const ConstrainedForward found = dyn.forward(q, v, tau, {}, contacts);
      const Impulse after = dyn.impulse(q, tau, contacts, 0.3);
      dyn.set_path(ConstrainedPath::factors);
      const ConstrainedForward same = dyn.forward(q, v, tau, {}, contacts);
      const Impulse also = dyn.impulse(q, tau, contacts, 0.3);
      EXPECT_EQ(found.rank, same.rank);
      EXPECT_NE(found.rank_margin, same.rank_margin) << "each has pivots of its own";
      EXPECT_LE(largest(found.a - same.a), 1e-9 * largest(same.a));
      EXPECT_LE(largest(found.lambda - same.lambda), 1e-9 * largest(same.lambda));
      EXPECT_LE(found.residual, 1e-10 * largest(same.a));
      EXPECT_LE(largest(dyn.jacobian(q, contacts) * found.a + dyn.bias(q, v, contacts)),
                1e-10 * largest(same.a));
      EXPECT_LE(largest(after.v - also.v), 1e-10 * largest(also.v));
      EXPECT_LE(largest(after.lambda - also.lambda), 1e-9 * largest(also.lambda));
      const auto some = held_of(8, [](int i, int bar) { return i == 0 && bar == 0; });
      expect_same_hybrid(robot, some.get(), contacts, true);
    }
  }
}
/// Room for the largest set has been seen: nothing is taken from the heap again.
TEST(Clusters, CarryContactsWithoutAllocation) {
  const Robot robot(generate_four_bars(8));
  const Contact held[] = {{robot.frame("coupler_8"), LoopKind::point},
                          {robot.frame("rocker_4"), LoopKind::knife_edge}};
  ConstrainedDynamics dyn(robot);
  const std::vector<double> q = robot.closed();
  const Vector v = Vector::Zero(24), tau = Vector::LinSpaced(24, 1, -1);
  const auto flags = held_of(8, [](int i, int bar) { return i == 0 && bar == 0; });
  Vector a(24), forces(24), lambda(44);
  const auto run = [&] {
    for (const size_t many : {2u, 1u, 0u}) {
      const std::span<const Contact> contacts(held, many);
      const int rows = dyn.rows() + ConstrainedDynamics::rows(contacts);
      const Into<double> to(lambda.data(), rows, 1);
      dyn.forward(q, v, tau, {}, contacts, into(a), to);
      dyn.hybrid({flags.get(), 24}, q, v, v, tau, {}, contacts, Optimum::force, into(a),
                 into(forces), to);
    }
  };
  run();
  const NoAllocation here;
  run();
}
TEST(Clusters, LeaveDependentContactsToTheFactors) {
  const Robot robot(generate_four_bars(5, 2));
  ConstrainedDynamics dyn(robot);
  const int n = robot.nv();
  const std::vector<double> q = robot.closed();
  const Contact tip[] = {{robot.frame(robot.description().links.back().name), LoopKind::point}};
  const Vector v = dyn.project(q, Vector::LinSpaced(n, -1, 1), tip);
  const Vector tau = Vector::LinSpaced(n, 1, -1);
  const ConstrainedForward held = dyn.forward(q, v, tau, {}, tip);
  EXPECT_EQ(held.rank, dyn.rank() + 2) << "the plane holds the tip already, across it";
  Dynamics open(robot);
  const Matrix M = open.mass(q), A = dyn.jacobian(q, tip);
  const Vector b = open.inverse(q, v, Vector::Zero(n)), bias = dyn.bias(q, v, tip);
  const double size = largest(M) * largest(held.a) + largest(b);
  EXPECT_LE(largest(M * held.a + b - tau - A.transpose() * held.lambda), 1e-11 * size);
  EXPECT_LE(largest(A * held.a + bias), 1e-10 * largest(held.a));
  EXPECT_GT(largest(held.a - dyn.forward(q, v, tau).a), 1e-3);
}

/// Bodies of other kinds between the linkages, on a free base, two loops in one cluster.
TEST(Clusters, StandAmongOtherJoints) {
  RobotDescription made = generate_four_bars(4, 2);
  for (JointDescription& joint : made.joints) {
    if (joint.name != "crank_3" && joint.name != "crank_4") continue;
    // a wrist between this linkage and the coupler that carries it
    const std::string wrist = "wrist_" + joint.name.substr(6), on = joint.parent;
    LinkDescription link = made.links[1];
    link.name = wrist;
    JointDescription ball;
    ball.name = ball.child = wrist;
    ball.parent = on;
    ball.geometry.kind = JointKind::spherical;
    made.links.push_back(link);
    for (JointDescription& other : made.joints)
      if (other.parent == on && other.name.substr(0, 8) != "coupler_" && other.child != wrist)
        other.parent = wrist;
    made.joints.push_back(ball);
    break;
  }
  LoopDescription brace = made.loops[0];
  brace.name = "brace";
  brace.kind = LoopKind::spherical;
  made.loops.push_back(brace);
  JointDescription base;
  base.name = "floating";
  base.child = "base";
  base.parent = "world";
  base.geometry.kind = JointKind::free;
  LinkDescription world;
  world.name = "world";
  made.links.insert(made.links.begin(), world);
  made.joints.push_back(base);
  const Robot robot(made);
  ASSERT_TRUE(clusters_of(robot).serves());
  const std::vector<double> closed = robot.closed();
  expect_dense(robot, Vector::Map(closed.data(), robot.nq()), 1e-9);
}

}  // namespace
}  // namespace jounce::test
