// SPDX-License-Identifier: BSD-3-Clause
// Constrained dynamics of higher order: the five-bar's in 50 digits, motion and multipliers of
// nearby states as power series, and there and back.
#include <gtest/gtest.h>

#include <jounce/constrained_series.hpp>
#include <jounce/model/generate.hpp>

#include "constraints/counted_states.hpp"
#include "constraints/expand_rows.hpp"
#include "constraints/mechanisms.hpp"
#include "constraints/random_loops.hpp"
#include "constraints/surroundings_in_time.hpp"
#include "constraints/vectors.hpp"
#include "model/loop_lists.hpp"
#include "support/largest.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

TEST(ConstrainedSeries, OfTheFiveBar) {
  ConstrainedSeries series(load("builtin:five_bar"), 8);
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  const Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  Matrix taus(4, 9);
  taus << 0.09, -0.11, -0.09, 0.08, 0.18, 0.01, -0.2, -0.03, -0.03,  //
      0.15, 0.07, 0.17, -0.14, -0.17, 0.14, 0.15, 0.02, -0.02,       //
      -0.15, -0.13, -0.11, 0.14, 0.02, 0.1, -0.02, -0.07, -0.16,     //
      0.07, -0.08, -0.05, 0.12, -0.09, 0.01, -0.13, -0.19, -0.19;
  const ConstrainedSeriesResult found = series.forward(q, v, taus);
  const std::pair<int, Eigen::Vector4d> derivatives[] = {
      {0, {40.5155245862959, -78.6478155517971, -55.31341382281466, 82.37048503269038}},
      {1, {-81.70886573784844, 177.28840758370046, 79.09436732273291, -119.78738727847018}},
      {2, {-3618.8766068869413, 5587.902498619872, 2625.75449742989, -6536.177450563708}},
      {8, {-3797071915648.6245, 10342638556906.39, -5072178901863.673, 10440150102488.697}}};
  for (const auto& [k, a] : derivatives)
    EXPECT_LE(largest(found.motion.col(k + 1) - a), 1e-12 * largest(a)) << "order " << k;
  const std::pair<int, Eigen::Vector2d> forces[] = {{0, {0.7197765824033405, -0.5978803135517125}},
                                                    {1, {-0.3773859407796219, 1.9664335308830128}},
                                                    {8, {-77088246043.8625, 28799556497.217056}}};
  for (const auto& [k, f] : forces)
    EXPECT_LE(largest(found.lambdas.col(k).segment(2, 2) - f), 1e-12 * largest(f)) << "order " << k;
}

/// 50-digit arithmetic, of bars with three inertias of their own.
TEST(ConstrainedSeries, OfBennettsLinkage) {
  RobotDescription made = bennett(0.9);
  const double a = 0.3, b = a * std::sin(1.2) / std::sin(0.7);
  const Sym3<double> one{0.002, 0, 0.01, 0, 0, 0.011};
  const Sym3<double> two{0.003, 0.0002, 0.012, 0.0001, 0, 0.013};
  const auto weigh = [&](size_t link, double mass, const Vec3<double>& com,
                         const Sym3<double>& I_com) {
    made.links[link].mass = mass, made.links[link].com = com, made.links[link].I_com = I_com;
  };
  weigh(1, 0.5, {a / 2, 0, 0.02}, one);
  weigh(2, 0.7, {b / 2, 0.01, 0}, two);
  weigh(3, 0.6, {a / 2, 0, 0}, one);
  ConstrainedSeries series((Robot(made)), 8);
  const Vector q = Eigen::Vector3d(0.9, 2.8498333431419915, -0.9);
  const Vector v = Eigen::Vector3d(0.8, -0.2937599887106797, -0.8);
  Matrix taus(3, 9);
  taus << -0.17, 0.02, -0.04, 0.06, -0.01, -0.13, -0.2, 0.07, 0.19,  //
      0.01, -0.17, 0.19, 0.14, -0.2, -0.19, -0.01, 0.03, -0.09,      //
      0.02, 0.19, 0, 0.02, -0.13, 0.15, -0.05, 0.02, -0.1;
  const ConstrainedSeriesResult found = series.forward(q, v, taus);
  const std::pair<int, Eigen::Vector3d> derivatives[] = {
      {0, {-16.684034697332475, 6.025534245785447, 16.684034697332475}},
      {1, {-0.061826153867829074, 6.198706822220391, 0.061826153867829074}},
      {2, {-36.17964047513389, -101.7279407641304, 36.17964047513389}},
      {8, {249500468.60687572, 113375991.29022445, -249500468.60687572}}};
  for (const auto& [k, exact] : derivatives)
    EXPECT_LE(largest(found.motion.col(k + 1) - exact), 1e-12 * largest(exact)) << "order " << k;
  const std::pair<int, std::array<double, 5>> forces[] = {
      {0,
       {2.2976127895451617, 0.3350391195816018, 0.3877064356831092, 1.5532227775774634,
        1.071398588045967}},
      {1,
       {-1.029139593842927, -0.05188651883851851, -0.17366026406398585, -2.1897737721227415,
        -1.4531429823795181}},
      {8,
       {-453228152.6843762, 37112393.840384975, -76479149.32754406, -291417699.3523697,
        -214893614.7551889}}};
  for (const auto& [k, numbers] : forces) {
    const Vector f = Vector::Map(numbers.data(), 5);
    EXPECT_LE(largest(found.lambdas.col(k) - f), 1e-12 * largest(f)) << "order " << k;
  }
}

/// Bennett's rows depend on one another in another way at every state.
TEST(ConstrainedSeries, AreThoseOfStatesNearby) {
  const Robot robot(bennett(0.9));
  ConstrainedDynamics dyn(robot);
  ConstrainedSeries series(robot, 6);
  const Vector q = Vector::Map(robot.closed().data(), 3);
  const Vector v = dyn.project(q, Vector::Constant(3, 0.8));
  Matrix taus(3, 7);
  for (int k = 0; k < 7; ++k) taus.col(k) = Eigen::Vector3d(0.3, 0.1 * k, -0.2);
  const ConstrainedSeriesResult found = series.forward(q, v, taus);
  for (const double t : {0.02, 0.01}) {
    Matrix positions(3, found.motion.cols() + 1);
    positions << q, found.motion;
    const Vector there = at_time(positions, t), speed = at_time(found.motion, t);
    EXPECT_LE(largest(dyn.closure(there)), 20 * std::pow(t, 8) + 1e-14) << "it stays closed";
    const ConstrainedForward exact = dyn.forward(there, speed, at_time(taus, t));
    const Matrix accelerations = found.motion.rightCols(7);
    // what is left out begins with t^7
    EXPECT_LE(largest(at_time(accelerations, t) - exact.a), 1e5 * std::pow(t, 7) + 1e-11);
    EXPECT_LE(largest(at_time(found.lambdas, t) - exact.lambda), 1e5 * std::pow(t, 7) + 1e-11);
  }
}

class SeriesOfLoops : public CountedStates {};

TEST_P(SeriesOfLoops, LeadBack) {
  for (const bool mimic : {false, true}) {
    LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 2, mimic);
    const int n = x.robot.nv(), order = 3;
    const std::vector<Contact> feet = x.feet();
    SurroundingsInTime surroundings(x.motion, order);
    const SeriesSurroundings around = surroundings.series();
    const Surroundings now = surroundings.at(0);
    x.v = x.dyn.project(x.q, x.v, feet);
    const ConstrainedForward start = x.dyn.forward(x.q, x.v, x.tau, now, feet);
    if (!compares(start.rank < n && start.rank_margin >= 1e-2)) continue;
    ConstrainedSeries series(x.robot, order);
    Matrix taus(n, order + 1);
    for (int k = 0; k <= order; ++k) taus.col(k) = x.motion.random(n);
    const ConstrainedSeriesResult f = series.forward(x.q, x.v, taus, around, feet);
    const ConstrainedForward first = x.dyn.forward(x.q, x.v, taus.col(0), now, feet);
    EXPECT_LE(largest(f.motion.col(1) - first.a), 1e-9 * largest(first.a));
    EXPECT_LE(largest(f.lambdas.col(0) - first.lambda), 1e-8 * largest(first.lambda));
    // open dynamics of the same motion need what the loops give as well
    const Matrix open = Series(x.robot, order).inverse(x.q, f.motion, around);
    const Matrix A = x.dyn.jacobian(x.q, feet);
    EXPECT_LE(largest(open.col(0) - taus.col(0) - A.transpose() * f.lambdas.col(0)),
              1e-9 * (largest(open.col(0)) + largest(A) * largest(f.lambdas.col(0))));
    const auto flags = std::make_unique<bool[]>(size_t(n));
    flags[size_t(GetParam() % n)] = true;
    const std::span<const bool> prescribed(flags.get(), size_t(n));
    const ConstrainedHybrid hybrid = x.dyn.hybrid(prescribed, x.q, x.v, first.a, x.tau, now, feet);
    if (hybrid.free_dimension > 0 || hybrid.rank_margin < 1e-2) continue;
    const ConstrainedSeriesResult h = series.hybrid(prescribed, x.q, f.motion, taus, around, feet);
    for (int k = 0; k <= order; ++k) {
      const double scale = largest(f.motion.leftCols(k + 2));
      EXPECT_LE(largest(h.motion.col(k + 1) - f.motion.col(k + 1)), 1e-8 * scale)
          << "seed " << GetParam() << ", order " << k;
      EXPECT_LE(largest(h.taus.col(k) - taus.col(k)), 1e-7 * largest(open.leftCols(k + 1)))
          << "seed " << GetParam() << ", order " << k;
    }
  }
}

/// M a + b - A^T lambda = tau and A a + Adot v = 0, coefficient by coefficient.
TEST_P(SeriesOfLoops, SolveTheDenseEquations) {
  for (const bool mimic : {false, true}) {
    LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 3, mimic);
    const int n = x.robot.nv(), order = 4;
    const std::vector<Contact> feet = x.feet();
    SurroundingsInTime surroundings(x.motion, order);
    const SeriesSurroundings around = surroundings.series();
    x.v = x.dyn.project(x.q, x.v, feet);
    if (!compares(x.dyn.forward(x.q, x.v, x.tau, surroundings.at(0), feet).rank_margin >= 1e-2))
      continue;
    Matrix taus(n, order + 1);
    for (int k = 0; k <= order; ++k) taus.col(k) = x.motion.random(n);
    const ConstrainedSeriesResult found =
        ConstrainedSeries(x.robot, order).forward(x.q, x.v, taus, around, feet);
    LoopLists lists(x.robot);
    lists.set_contacts("series", feet);
    RowsInTime rows(x.robot);
    rows.resize(lists.view(), lists.view().rows);
    expand_rows(x.q, found.motion, rows);
    rows.run(lists.view());
    const Matrix open = Series(x.robot, order).inverse(x.q, found.motion, around);
    double scale = 1;  // of coefficients to this order, k! of each
    for (int k = 0, factorial = 1; k <= order; factorial *= ++k) {
      Vector left = (open.col(k) - taus.col(k)) / factorial, opens(lists.view().rows);
      for (int i = 0, of_lambda = factorial; i <= k; of_lambda /= std::max(1, k - i), ++i)
        for (int j = 0; j < n; ++j)
          for (int r = 0; r < opens.size(); ++r)
            left[j] -=
                rows.A[size_t(rows.width * j + r)].c[i] * found.lambdas(r, k - i) / of_lambda;
      for (int r = 0; r < opens.size(); ++r) opens[r] = rows.rate[size_t(r)].c[k];
      scale = std::max(
          {scale, largest(open.col(k)) / factorial, largest(found.motion.col(k + 1)) / factorial});
      EXPECT_LE(largest(left), 1e-9 * scale) << "seed " << GetParam() << ", order " << k;
      EXPECT_LE(largest(opens), 1e-9 * scale) << "seed " << GetParam() << ", order " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeriesOfLoops, testing::Range(1, 21));

/// Many small loops: by clusters, and by factors of the whole.
/// A parallelogram moves as its crank with two coordinates that follow it, whose series know no
/// loop. Gravity pulls along the bars.
TEST(ConstrainedSeries, OfAnyOrderOfAParallelogram) {
  RobotDescription closed = parallelogram(0.7), coupled = closed;
  closed.gravity = coupled.gravity = {0, -9.81, 0};
  closed.joints[0].actuated = true;
  coupled.loops.clear();
  coupled.joints[1].mimic = Mimic{"crank", -1, 0};
  coupled.joints[2].mimic = Mimic{"crank", 1, 0};
  const Robot follower(coupled), robot(closed);
  ASSERT_EQ(follower.nv(), 1);
  const Vector q = Eigen::Vector3d(0.7, -0.7, 0.7), ratios = Eigen::Vector3d(1, -1, 1);
  for (const int order : {4, 5, 16, 17, 24}) {
    const Matrix taus = Vector::LinSpaced(order + 1, 0.3, 3).transpose();
    const Matrix motion =
        ratios * Matrix(Series(follower, order).forward(q.head(1), Vector::Constant(1, 1.3), taus));
    const Matrix found = ConstrainedSeries(robot, order).inverse(q, motion).taus;
    const Matrix open = Series(robot, order).inverse(q, motion);
    // what its parts need on their own cancels: 2e-10 of it found at order 23
    for (int k = 0; k <= order; ++k)
      EXPECT_NEAR(found(0, k), taus(0, k), 1e-9 * largest(open.col(k)))
          << "order " << k << " of " << order;
  }
}

/// Random loops, rows that users write among them: the coefficients below do not know of those
/// above.
TEST_P(SeriesOfLoops, OfLowerOrdersAreTheFirstColumns) {
  LoopedRobot x(std::uint64_t(GetParam()), 1 + GetParam() % 3, GetParam() % 2 == 0);
  const int n = x.robot.nv(), highest = 18;
  const std::vector<Contact> feet = x.feet();
  x.v = x.dyn.project(x.q, x.v, feet);
  const ConstrainedForward start = x.dyn.forward(x.q, x.v, x.tau, {}, feet);
  if (!compares(start.rank < n && start.rank_margin >= 1e-2)) return;
  Matrix taus(n, highest + 1);
  for (int k = 0; k <= highest; ++k) taus.col(k) = x.motion.random(n);
  const ConstrainedSeriesResult all =
      ConstrainedSeries(x.robot, highest).forward(x.q, x.v, taus, {}, feet);
  for (const int order : {4, 5, 16, 17}) {
    const ConstrainedSeriesResult low =
        ConstrainedSeries(x.robot, order).forward(x.q, x.v, taus.leftCols(order + 1), {}, feet);
    // rounding of one order returns in those above by the stiffness of what moves
    for (int k = 0; k <= order; ++k)
      EXPECT_LE(largest(low.motion.col(k + 1) - all.motion.col(k + 1)),
                1e-9 * std::pow(4, k) * largest(all.motion.leftCols(k + 2)))
          << "seed " << GetParam() << ", order " << k << " of " << order;
  }
}

TEST(ConstrainedSeries, AreTheSameOnBothPaths) {
  for (const int branches : {1, 2}) {
    const Robot robot(generate_four_bars(6, branches));
    const int n = robot.nv(), order = 5;
    ConstrainedDynamics dyn(robot);
    const Vector q = dyn.assemble(robot.closed()).q;
    const Vector v = dyn.project(q, Vector::LinSpaced(n, -0.7, 0.9));
    Matrix taus(n, order + 1);
    for (int k = 0; k <= order; ++k) taus.col(k) = Vector::LinSpaced(n, 0.3, 0.1 * k - 0.2);
    ConstrainedSeries series(robot, order);
    const ConstrainedSeriesResult found = series.forward(q, v, taus);
    series.set_path(ConstrainedPath::factors);
    const ConstrainedSeriesResult exact = series.forward(q, v, taus);
    for (int k = 0; k <= order; ++k) {
      const auto same = [&](const Matrix& x, const Matrix& y) {
        return largest(x - y) <= 1e-11 * largest(y);
      };
      EXPECT_TRUE(same(found.motion.col(k + 1), exact.motion.col(k + 1))) << "order " << k;
      EXPECT_TRUE(same(found.lambdas.col(k), exact.lambdas.col(k))) << "order " << k;
    }
  }
}

TEST(ConstrainedSeries, InverseOfForward) {
  ConstrainedSeries series(load("builtin:five_bar"), 4);
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  const Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  Matrix taus = Matrix::Zero(4, 5);
  taus.row(0) << 0.09, -0.11, -0.09, 0.08, 0.18;
  taus.row(2) << -0.15, -0.13, -0.11, 0.14, 0.02;
  const ConstrainedSeriesResult f = series.forward(q, v, taus);
  const ConstrainedSeriesResult g = series.inverse(q, f.motion);
  // forces of higher order balance large motions
  const Matrix open = Series(series.robot(), 4).inverse(q, f.motion);
  for (int k = 0; k < 5; ++k) {
    EXPECT_LE(largest(g.taus.col(k) - taus.col(k)), 1e-12 * largest(open.col(k)));
    EXPECT_LE(largest(g.lambdas.col(k) - f.lambdas.col(k)), 1e-11 * largest(f.lambdas.col(k)));
  }
}

/// Along a closed motion, polynomials of motor forces and multipliers against both at instants
/// nearby, with the given optimum: of motors that are known to move so, and of motors that are
/// made to, the others having the forces of the motion.
void expect_optima(RobotDescription made, std::initializer_list<int> motors, const Vector& q,
                   int free_dimension) {
  for (JointDescription& joint : made.joints) joint.actuated = false;
  for (const int k : motors) made.joints[size_t(k)].actuated = true;
  const Robot robot(made);
  const int n = robot.nv(), order = 5;
  ConstrainedDynamics dyn(robot);
  ConstrainedSeries series(robot, order);
  const Vector v = dyn.project(q, Vector::Constant(n, 0.4));
  Matrix given(n, order + 1);
  for (int k = 0; k <= order; ++k) given.col(k) = Vector::LinSpaced(n, 0.05, 0.02 * k - 0.04);
  const ConstrainedSeriesResult way = series.forward(q, v, given);
  Matrix positions(n, order + 3);
  positions << q, way.motion;
  for (const Optimum optimum : {Optimum::force, Optimum::torque}) {
    const ConstrainedSeriesResult found = series.inverse(q, way.motion, {}, {}, optimum);
    const auto held = robot.actuated();
    const ConstrainedSeriesResult made_to =
        series.hybrid(held, q, way.motion, given, {}, {}, optimum);
    EXPECT_LE(largest(made_to.motion - way.motion), 1e-9 * largest(way.motion));
    for (const double t : {0.0, 0.01, 0.02}) {
      const Vector there = at_time(positions, t), speed = at_time(way.motion, t);
      const Vector a = at_time(way.motion.rightCols(order + 1), t);
      // what is left out of a, of the forces and so of the loops begins with t^6
      const ConstrainedInverse exact = dyn.inverse(there, speed, a, {}, {}, optimum);
      ASSERT_EQ(exact.free_dimension, free_dimension);
      EXPECT_LE(largest(at_time(found.taus, t) - exact.tau), 1e5 * std::pow(t, 6) + 1e-11)
          << made.name << ", t = " << t;
      EXPECT_LE(largest(at_time(found.lambdas, t) - exact.lambda), 1e5 * std::pow(t, 6) + 1e-11)
          << made.name << ", t = " << t;
      const ConstrainedHybrid strained =
          dyn.hybrid(held, there, speed, a, at_time(given, t), {}, {}, optimum);
      ASSERT_EQ(strained.free_dimension, free_dimension);
      EXPECT_LE(largest(at_time(made_to.taus, t) - strained.tau), 1e5 * std::pow(t, 6) + 1e-11)
          << made.name << ", t = " << t;
      EXPECT_LE(largest(at_time(made_to.lambdas, t) - strained.lambda),
                1e5 * std::pow(t, 6) + 1e-11)
          << made.name << ", t = " << t;
    }
  }
}
TEST(ConstrainedSeries, OfOptima) {
  const RobotDescription five_bar = read_robot("builtin:five_bar").robot;
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  expect_optima(five_bar, {0, 2}, q, 0);
  expect_optima(five_bar, {0, 1, 2}, q, 1);
  expect_optima(five_bar, {0, 1, 2, 3}, q, 2);
  const Robot linkage(bennett(0.9));
  const Vector closed = Vector::Map(linkage.closed().data(), 3);
  expect_optima(bennett(0.9), {0, 2}, closed, 1);
  expect_optima(bennett(0.9), {0, 1, 2}, closed, 2);
}
TEST(ConstrainedSeries, RefuseMotionThatOpensLoops) {
  ConstrainedSeries series(load("builtin:five_bar"), 2);
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  const Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  Matrix motion = Matrix(series.forward(q, v, Matrix::Zero(4, 3)).motion);
  const bool held[] = {true, true, true, false};
  EXPECT_EQ(series.hybrid(held, q, motion, Matrix::Zero(4, 3)).taus.cols(), 3);
  motion(1, 2) += 1;  // of the jerk
  EXPECT_EQ(message([&] { series.hybrid(held, q, motion, Matrix::Zero(4, 3)); }).substr(0, 76),
            "constrained_hybrid_series: the prescribed accelerations contradict the loops");
}

}  // namespace
}  // namespace jounce::test
