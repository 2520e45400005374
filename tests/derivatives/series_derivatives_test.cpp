// SPDX-License-Identifier: BSD-3-Clause
// First derivatives of dynamics of any order: dual numbers through the series, differences.
#include <jounce/algorithm/inverse_series.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/series_derivatives.hpp>
#include <memory>

#include "derivatives/cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

/// A random robot, a motion of it and of its base, to a given order.
struct SeriesDerivativeCase : DerivativeCase {
  SeriesDerivativeCase(std::uint64_t seed, int largest, int order_)
      : DerivativeCase(seed, largest),
        order(order_),
        motion(robot.nv(), order + 2),
        series(robot, order) {
    for (Eigen::Index k = 0; k < motion.cols(); ++k) motion.col(k) = random();
    for (const OutsideWrench<double>& one : external) {
      std::vector<Wrench<double>>& F = wrenches.emplace_back();
      for (int k = 0; k <= order; ++k) F.push_back(rng.wrench());
      outside.push_back({one.frame, {}, one.in});
    }
    for (size_t k = 0; k < outside.size(); ++k) outside[k].derivatives = wrenches[k];
    if (seed % 4 == 1) {
      for (int k = 0; k < order + 2; ++k) base.push_back(rng.twist());
    }
  }
  SeriesSurroundings series_around() const { return {.wrenches = outside, .ground = base}; }
  bool has_custom() const {
    bool found = false;
    for (const JointInfo& joint : robot.joints()) found |= joint.kind == JointKind::custom;
    return found;
  }
  std::vector<double> moved_q(const Vector& d) const {
    const Vector to = moved(d);
    return {to.begin(), to.end()};
  }

  int order;
  DenseMatrix motion;
  std::vector<Twist<double>> base;
  std::vector<std::vector<Wrench<double>>> wrenches;
  std::vector<OutsideWrenchSeries> outside;
  SeriesDerivatives series;
};

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// d tau^(r)/d number s of the robot for all r, one below the other: inverse_series on dual
/// numbers.
DenseMatrix by_dual_series(const SeriesDerivativeCase& c, int s) {
  const Model<double>& m = c.robot.model();
  const DenseMatrix A = coupling_matrix(c.robot);
  const Vector q = tree_q(c.robot, c.q);
  DenseMatrix rates = DenseMatrix::Zero(q.size(), A.cols());
  for (Eigen::Index k = 0; s == 0 && k < A.cols(); ++k)
    rates.col(k) = tree_rates(c.robot, q, A.col(k));
  const DenseMatrix none = DenseMatrix::Zero(A.rows(), A.cols());
  SeriesStorage<Gradient> storage(m, c.order);
  SeriesWorkspace<Gradient>& w = storage.view();
  std::vector<Twist<Gradient>> V_0;
  for (size_t k = 0; k < c.base.size(); ++k)
    V_0.push_back(as<Gradient>(c.base[k] * (1 / factorial(int(k)))));
  DenseMatrix tree(m.nv * (c.order + 1), A.cols());
  for (int first = 0; first < A.cols(); first += directions) {
    const std::vector<Gradient> position = growing(q, rates, first);
    for (int k = 0; k <= c.order + 1; ++k) {
      const std::vector<Gradient> row = growing(A * c.motion.col(k), k == s - 1 ? A : none, first);
      for (int j = 0; j < m.nv; ++j) w.v[k][j] = row[size_t(j)] * (1 / factorial(k));
    }
    start_series(m, position.data(), w);
    start_ground(m, V_0.empty() ? nullptr : V_0.data(), c.order, w);
    inverse_series(m, position.data(), c.order, w);
    for (int r = 0; r <= c.order; ++r)
      for (int j = 0; j < m.nv; ++j)
        for (int d = 0; d < directions && first + d < A.cols(); ++d)
          tree(m.nv * r + j, first + d) = w.tau[r][j].d[d] * factorial(r);
  }
  DenseMatrix found(A.cols() * (c.order + 1), A.cols());
  for (int r = 0; r <= c.order; ++r)
    found.middleRows(A.cols() * r, A.cols()) = A.transpose() * tree.middleRows(m.nv * r, m.nv);
  return found;
}

/// Series of order r lose about a digit each two orders to the growth of their terms: 1e-12 of the
/// largest derivative of tau^(r) by anything.
TEST(SeriesDerivatives, ByDualNumbers) {
  for (std::uint64_t seed = 1; seed < scaled<std::uint64_t>(60); ++seed) {
    SeriesDerivativeCase c(seed, 12, int(seed / 5 % 5));
    const SeriesPartials found =
        c.series.inverse(c.q, c.motion, {.ground = c.base, .passive = false});
    const int n = c.robot.nv();
    for (int s = 0; s <= c.order + 2; ++s) {
      const DenseMatrix exact = by_dual_series(c, s);
      for (int r = 0; r <= c.order; ++r) {
        const DenseMatrix rows = exact.middleRows(n * r, n);
        if (s > r + 2) EXPECT_EQ(largest(rows), 0) << seed;
        else
          EXPECT_TRUE(within(1e-12 * largest(exact) + 1e-15, found(r, s), rows, c))
              << r << " by " << s;
      }
    }
  }
}

/// Of the largest derivative, which is one of tau^(10): 1e-16 found.
TEST(SeriesDerivatives, OfHighOrderByDualNumbers) {
  for (const std::uint64_t seed : {3, 6}) {
    SeriesDerivativeCase c(seed, seed == 3 ? 8 : 12, 10);
    ASSERT_EQ(c.has_custom(), seed == 6);
    const SeriesPartials found =
        c.series.inverse(c.q, c.motion, {.ground = c.base, .passive = false});
    const int n = c.robot.nv();
    for (int s : {0, 1, 5, 12}) {
      const DenseMatrix exact = by_dual_series(c, s);
      EXPECT_TRUE(within(1e-13 * largest(exact), found(10, s), exact.middleRows(n * 10, n), c))
          << s;
    }
  }
}

/// Of robots without custom joints, whose series on dual numbers end at order 16. Series lose about
/// a digit each three orders to the growth of their terms: 3e-12 found.
TEST(SeriesDerivatives, OfOrder20ByDualNumbers) {
  int compared = 0;
  for (std::uint64_t seed = 3; seed < 20 && compared < 3; ++seed) {
    SeriesDerivativeCase c(seed, 7, 20);
    if (c.has_custom()) continue;
    ++compared;
    const SeriesPartials found =
        c.series.inverse(c.q, c.motion, {.ground = c.base, .passive = false});
    const int n = c.robot.nv();
    for (int s : {0, 1, 9, 22}) {
      const DenseMatrix exact = by_dual_series(c, s);
      EXPECT_TRUE(within(1e-11 * largest(exact), found(20, s), exact.middleRows(n * 20, n), c))
          << s;
    }
  }
  EXPECT_EQ(compared, 3);
}

/// The first columns of a motion have the derivatives of lower orders, across the borders between
/// kinds of number.
TEST(SeriesDerivatives, OfHighOrderHaveThoseOfLowerOnes) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SeriesDerivativeCase c(seed, 5, 18);
    const SeriesPartials all = c.series.inverse(c.q, c.motion, c.series_around());
    for (const int order : {3, 4, 5, 16, 17}) {
      SeriesDerivatives lower(c.robot, order);
      SeriesSurroundings around = c.series_around();
      around.ground = around.ground.first(std::min(around.ground.size(), size_t(order) + 2));
      const SeriesPartials found = lower.inverse(c.q, c.motion.leftCols(order + 2), around);
      double size = 0;  // of what is summed to derivatives of this order
      for (int s = 0; s <= order + 2; ++s) size = std::max(size, largest(all(order, s)));
      for (int s = 0; s <= order + 2; ++s)
        EXPECT_TRUE(within(1e-12 * size + 1e-15, found(order, s), all(order, s), c))
            << order << " by " << s;
    }
  }
}

TEST(SeriesDerivatives, OfOrderZeroAreTheMatrices) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    DerivativeCase c(seed, 20);
    SeriesDerivatives series(c.robot, 0);
    DenseMatrix motion(c.robot.nv(), 2);
    motion << c.v, c.a;
    const SeriesPartials d = series.inverse(c.q, motion);
    const InverseDerivatives x = c.derivatives.inverse(c.q, c.v, c.a);
    EXPECT_TRUE(within(1e-12 * largest(x.dq), d(0, 0), x.dq, c));
    EXPECT_TRUE(within(1e-12 * largest(x.dv) + 1e-15, d(0, 1), x.dv, c));
    EXPECT_TRUE(within(1e-12 * largest(x.da), d(0, 2), x.da, c));
  }
}

/// Forces of order 0 come out of the sweep that gives the matrices, which are written over what
/// forward dynamics left in the result: those of Series to 1e-12 of the largest. Some robots are
/// long chains, whose bodies have origins of their own.
TEST(SeriesDerivatives, OfOrderZeroComeWithTheForces) {
  const auto expect_same = [](SeriesDerivatives& derivatives, const VectorArg& q,
                              const DenseMatrix& motion, const SeriesSurroundings& around) {
    const Robot& robot = derivatives.robot();
    const DenseMatrix taus = Series(robot, 0).inverse(q, motion, around);
    const SeriesPartials fresh = derivatives.inverse(q, motion, around);
    SeriesPartials again(robot, 0);
    derivatives.forward(q, motion.col(0).eval(), taus, around, into(again));
    derivatives.inverse(q, motion, around, into(again));
    EXPECT_LE(largest(fresh.series() - taus), 1e-12 * largest(taus)) << robot.name();
    EXPECT_EQ(largest(again.series() - fresh.series()), 0) << robot.name();
    for (int s = 0; s <= 2; ++s) EXPECT_EQ(largest(again(0, s) - fresh(0, s)), 0) << robot.name();
  };
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    SeriesDerivativeCase c(seed, 20, 0);
    const DenseMatrix torques = c.random();
    expect_same(c.series, c.q, c.motion,
                {.wrenches = c.outside, .ground = c.base, .joint_torques = torques});
  }
  SeriesDerivatives chain(Robot(generate_chain(100)), 0);
  const std::vector<Wrench<double>> pushed{{{1, 2, 3}, {4, 5, 6}}};
  const auto last = FrameId(int(chain.robot().frames().size()) - 1);
  for (const Representation in :
       {Representation::body, Representation::hybrid, Representation::space}) {
    const std::vector<OutsideWrenchSeries> outside{{last, pushed, in}};
    expect_same(chain, chain.robot().random(1), DenseMatrix::Random(100, 2), {.wrenches = outside});
  }
}

/// Without gravity and passive forces, as of a robot that has neither.
TEST(SeriesDerivatives, WithoutGravityAndPassiveForces) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SeriesDerivativeCase c(seed, 8, 2);
    RobotDescription bare = c.robot.description();
    bare.gravity = {};
    for (JointDescription& joint : bare.joints)
      joint.properties.damping = joint.properties.friction = joint.properties.drag =
          joint.properties.stiffness = {};
    SeriesDerivatives other(Robot(bare), 2);
    const SeriesPartials found = c.series.inverse(
        c.q, c.motion,
        {.wrenches = c.outside, .ground = c.base, .passive = false, .gravity = false});
    const SeriesPartials expected = other.inverse(c.q, c.motion, c.series_around());
    for (int r = 0; r <= 2; ++r)
      for (int s = 0; s <= r + 2; ++s) {
        const DenseMatrix needed = expected(r, s);
        EXPECT_TRUE(within(1e-13 * (1 + largest(needed)), found(r, s), needed, c))
            << r << " by " << s;
      }
  }
}

/// Passive forces, custom joints and wrenches from outside too: differences keep 1e-6 where
/// friction bends within 0.01.
TEST(SeriesDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(24); ++seed) {
    SeriesDerivativeCase c(seed, 6, int(seed % 4));
    for (double& x : c.motion.col(0)) x = std::copysign(0.2 + std::abs(x), x);
    const SeriesPartials found = c.series.inverse(c.q, c.motion, c.series_around());
    Series series(c.robot, c.order);
    const int n = c.robot.nv();
    for (int s = 0; s <= c.order + 2; ++s) {
      const DenseMatrix slopes = differences(n, [&](const Vector& d) -> Vector {
        DenseMatrix motion = c.motion;
        if (s > 0) motion.col(s - 1) += d;
        const DenseMatrix taus =
            series.inverse(s == 0 ? c.moved(d) : c.q, motion, c.series_around());
        return taus.reshaped();
      });
      for (int r = std::max(0, s - 2); r <= c.order; ++r)
        EXPECT_TRUE(
            within(1e-6 * (1 + largest(slopes)), found(r, s), slopes.middleRows(n * r, n), c))
            << r << " by " << s;
    }
  }
}

/// Hybrid: every other coordinate prescribed. By differences of Series::hybrid; with all
/// coordinates prescribed it is inverse, with none forward, by other ways.
TEST(SeriesDerivatives, OfHybridByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    SeriesDerivativeCase c(seed, 6, int(seed % 3));
    for (double& x : c.motion.col(0)) x = std::copysign(0.2 + std::abs(x), x);
    const int n = c.robot.nv(), order = c.order;
    const DenseMatrix taus = c.series.inverse(c.q, c.motion, c.series_around()).series();
    const auto flags = std::make_unique<bool[]>(size_t(n));
    for (int j = int(seed % 2); j < n; j += 2) flags[size_t(j)] = true;
    const std::span<const bool> prescribed{flags.get(), size_t(n)};
    Series series(c.robot, order);
    const auto found_at = [&](const Vector& q, const DenseMatrix& motion,
                              const DenseMatrix& given) {
      const HybridSeriesResult x = series.hybrid(prescribed, q, motion, given, c.series_around());
      DenseMatrix mixed = x.taus;
      for (int j = 0; j < n; ++j)
        if (!prescribed[size_t(j)]) mixed.row(j) = x.motion.row(j).tail(order + 1);
      return mixed;
    };
    const SeriesPartials found =
        c.series.hybrid(prescribed, c.q, c.motion, taus, c.series_around());
    EXPECT_TRUE(within(1e-12 * (1 + largest(taus)), found.series(),
                       found_at(Vector(c.q), c.motion, taus), c));
    for (int s = 0; s <= order + 2; ++s) {
      const DenseMatrix slopes = differences(n, [&](const Vector& d) -> Vector {
        DenseMatrix motion = c.motion, given = taus;
        if (s == 1) motion.col(0) += d;
        for (int j = 0; s > 1 && j < n; ++j)
          (prescribed[size_t(j)] ? motion(j, s - 1) : given(j, s - 2)) += d[j];
        return found_at(s == 0 ? Vector(c.moved(d)) : Vector(c.q), motion, given).reshaped();
      });
      for (int r = std::max(0, s - 2); r <= order; ++r)
        EXPECT_TRUE(
            within(2e-5 * (1 + largest(slopes)), found(r, s), slopes.middleRows(n * r, n), c))
            << r << " by " << s;
    }
  }
}

/// Torques from outside at the joints count as forces: derivatives by them are those by tau.
TEST(SeriesDerivatives, ByJointTorquesAreThoseByForces) {
  const Robot arm = load("builtin:planar_2r");
  SeriesDerivatives derivatives(arm, 1);
  Series series(arm, 1);
  const std::vector<double> q{0.3, -0.5}, v{0.7, -0.2};
  const DenseMatrix taus = (DenseMatrix(2, 2) << 1, 2, 3, 4).finished();
  const SeriesPartials d = derivatives.forward(q, v, taus);
  for (int s = 2; s <= 3; ++s) {
    const DenseMatrix slopes = differences(2, [&](const Vector& step) -> Vector {
      DenseMatrix torques = DenseMatrix::Zero(2, 2);
      torques.col(s - 2) += step;
      const DenseMatrix motion = series.forward(q, v, taus, {.joint_torques = torques});
      return motion.rightCols(2).reshaped();
    });
    for (int r = s - 2; r < 2; ++r) {
      const DenseMatrix exact = d(r, s);
      EXPECT_LE(largest(exact - slopes.middleRows(2 * r, 2)), 1e-7 * largest(slopes));
    }
  }
}

/// tau(q, v, a(q, v, tau), ...) = tau: its derivative by every input is zero or one, to 1e-10 of
/// the terms of the sum.
TEST(SeriesDerivatives, ForwardUndoesInverse) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(40); ++seed) {
    SeriesDerivativeCase c(seed, 10, int(seed / 5 % 5));
    for (double& x : c.motion.col(0)) x = std::copysign(0.2 + std::abs(x), x);
    const int n = c.robot.nv(), order = c.order;
    const DenseMatrix taus = c.series.inverse(c.q, c.motion, c.series_around()).series();
    const SeriesPartials forward = c.series.forward(c.q, c.motion.col(0), taus, c.series_around());
    const SeriesPartials inverse =  // along the motion found, not that sought
        c.series.inverse(c.q, forward.series(), c.series_around());
    for (int s = 0; s <= order + 2; ++s)
      for (int r = std::max(0, s - 2); r <= order; ++r) {
        DenseMatrix sum = DenseMatrix::Zero(n, n), size = DenseMatrix::Zero(n, n);
        if (s < 2) sum = inverse(r, s), size = sum.cwiseAbs();
        for (int j = std::max(0, s - 2); j <= r; ++j) {
          sum += inverse(r, 2 + j) * forward(j, s);
          size += inverse(r, 2 + j).cwiseAbs() * forward(j, s).cwiseAbs();
        }
        if (r == s - 2) sum -= DenseMatrix::Identity(n, n);
        EXPECT_LE(largest(sum), 1e-10 * largest(size) + 1e-15) << seed << ": " << r << " by " << s;
      }
  }
}

/// d a^(r)/d(q, v, tau, tau', ...) against differences of Series::forward: those of ByDifferences,
/// times the condition of the mass matrix (4e-8 found).
void expect_forward_slopes(SeriesDerivativeCase& c) {
  for (double& x : c.motion.col(0)) x = std::copysign(0.2 + std::abs(x), x);
  const int n = c.robot.nv();
  const DenseMatrix taus = c.series.inverse(c.q, c.motion, c.series_around()).series();
  const SeriesPartials found = c.series.forward(c.q, c.motion.col(0), taus, c.series_around());
  Series series(c.robot, c.order);
  for (int s = 0; s <= c.order + 2; ++s) {
    const DenseMatrix slopes = differences(n, [&](const Vector& d) -> Vector {
      DenseMatrix given = taus;
      if (s > 1) given.col(s - 2) += d;
      const Vector v = s == 1 ? Vector(c.motion.col(0) + d) : Vector(c.motion.col(0));
      const DenseMatrix motion =
          series.forward(s == 0 ? c.moved(d) : c.q, v, given, c.series_around());
      return motion.rightCols(c.order + 1).reshaped();
    });
    for (int r = std::max(0, s - 2); r <= c.order; ++r)
      EXPECT_TRUE(within(1e-6 * (1 + largest(slopes)), found(r, s), slopes.middleRows(n * r, n), c))
          << r << " by " << s;
  }
}

TEST(SeriesDerivatives, OfForwardByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(12); ++seed) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, seed);
    SeriesDerivativeCase c(seed, 5, 2);
    expect_forward_slopes(c);
  }
}

/// Seeds whose robots have mimic joints, which few small ones do.
TEST(SeriesDerivatives, OfForwardWithMimicJointsByDifferences) {
  for (const auto& [seed, bodies] : {std::pair(300, 6), std::pair(10, 10), std::pair(10, 12)}) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, bodies);
    SeriesDerivativeCase c(std::uint64_t(seed), bodies, 2);
    ASSERT_TRUE(c.robot.has_mimic());
    expect_forward_slopes(c);
  }
}

TEST(SeriesDerivatives, AllocateNothing) {
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    SeriesDerivativeCase c(seed, 10, 3);
    SeriesPartials found = c.series.inverse(c.q, c.motion, c.series_around());
    const DenseMatrix taus = found.series();
    NoAllocation scope;
    c.series.inverse(c.q, c.motion, c.series_around(), into(found));
    c.series.forward(c.q, c.v, taus, c.series_around(), into(found));
  }
}

TEST(SeriesDerivatives, RefuseBadInput) {
  const Robot arm = load("builtin:arm7");
  EXPECT_EQ(message([&] { SeriesDerivatives(arm, -1); }),
            "SeriesDerivatives: order is -1, needs 0 or more");
  SeriesDerivatives derivatives(arm, 1);
  const std::vector<double> q(7);
  EXPECT_EQ(message([&] { derivatives.inverse(q, DenseMatrix::Zero(7, 2)); }),
            "inverse_series: motion has 2 columns, order 1 needs 3");
  const SeriesPartials d = derivatives.inverse(q, DenseMatrix::Zero(7, 3));
  EXPECT_EQ(message([&] { d(0, 3); }), "SeriesPartials: (0, 3) is out of range, order 1");
}

}  // namespace
}  // namespace jounce::test
