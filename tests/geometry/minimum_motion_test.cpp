// SPDX-License-Identifier: BSD-3-Clause
// Motion that costs least: gradients against dual numbers and differences, minima that stand still,
// and refusals.
#include <gtest/gtest.h>

#include <jounce/any_number.hpp>
#include <jounce/io.hpp>
#include <jounce/minimum_motion.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/series.hpp>

#include "geometry/cases.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

double dense_largest(const dense::Matrix& x) { return largest_of(x.numbers); }

struct MotionEnds {
  Numbers q0, q1;
};
/// Two configurations inside the limits, far apart.
MotionEnds ends_of(const Robot& robot) {
  if (robot.nv() == 2) return {{0.2, 0.3}, {1.4, 1.9}};
  MotionEnds found;
  for (int k = 0; k < robot.nv(); ++k) {
    const double low = robot.limits().lower[size_t(k)], high = robot.limits().upper[size_t(k)];
    const double middle = (low + high) / 2, half = (high - low) / 2;
    found.q0.push_back(middle + 0.4 * half * std::sin(2.0 * k + 1));
    found.q1.push_back(middle - 0.5 * half * std::cos(1.3 * k));
  }
  return found;
}

SplinePath bent(MinimumMotion& motion, const MotionEnds& ends) {
  SplinePath path = motion.line(ends.q0, ends.q1);
  for (int i = 4; i + 4 < path.control.columns; ++i)
    for (int k = 0; k < path.control.rows; ++k)
      path.control(k, i) += 0.05 * std::sin(1.9 * (k + path.control.rows * i) + 0.3);
  return path;
}

class MotionOfArms : public testing::TestWithParam<const char*> {
 protected:
  Robot robot = load(std::string("builtin:") + GetParam());
  MotionEnds ends = ends_of(robot);
};

constexpr double gauss_point[] = {-0.90617984593866399, -0.53846931010568309, 0,
                                  0.53846931010568309, 0.90617984593866399};
constexpr double gauss_weight[] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                   0.47862867049936647, 0.23692688505618909};

/// The gradient by one control point, on dual numbers through the same nodes.
TEST_P(MotionOfArms, GradientAgainstDualNumbers) {
  using Number = Dual<double, 1>;
  BasicDynamics<Number, double> dual(robot);
  const int n = robot.nv();
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force}) {
    MinimumMotion motion(robot, {.cost = cost, .duration = 1.3});
    const SplinePath path = bent(motion, ends);
    dense::Matrix g;
    const double value = motion.cost(path, &g);
    const int spans = path.control.columns - 5;
    for (int i = 4; i < 10; ++i)
      for (int j = 0; j < n; ++j) {
        SplinePath change = path;
        std::fill(change.control.numbers.begin(), change.control.numbers.end(), 0.0);
        change.control(j, i) = 1;
        Number sum(0.0);
        for (int s = 0; s < spans; ++s)
          for (int k = 0; k < 5; ++k) {
            const double t = (s + 0.5 + 0.5 * gauss_point[k]) / spans * path.duration;
            std::vector<Number> x[3];
            for (int order = 0; order < 3; ++order)
              for (int c = 0; c < n; ++c) {
                x[order].emplace_back(path(t, order)[size_t(c)]);
                x[order].back().d[0] = change(t, order)[size_t(c)];
              }
            const double w = gauss_weight[k] / 2 / spans * path.duration;
            if (cost == MotionCost::energy) {
              sum += dual.energy(x[0], x[1]).kinetic * (2 * w);
            } else {
              BasicSurroundings<Number> around;
              around.passive = false;
              for (const Number& tau : dual.inverse(x[0], x[1], x[2], around)) sum += tau * tau * w;
            }
          }
        EXPECT_NEAR(sum.a, value, 1e-12 * value);
        EXPECT_NEAR(sum.d[0], g(j, i), 1e-10 * dense_largest(g));
      }
  }
}

/// The rate of the force by a series of dual numbers.
TEST_P(MotionOfArms, GradientOfTheRateAgainstDualNumbers) {
  using Slope = Dual<double, 1>;
  using Number = Taylor<Slope, 1>;
  BasicDynamics<Number, double> dual(robot);
  BasicSurroundings<Number> around;
  around.passive = false;
  MinimumMotion motion(robot, {.cost = MotionCost::force_rate});
  const SplinePath path = bent(motion, ends);
  dense::Matrix g;
  const double value = motion.cost(path, &g);
  const int n = robot.nv(), spans = path.control.columns - 5;
  for (int i = 4; i < 10; i += 2)
    for (int j = 0; j < n; j += 2) {
      SplinePath change = path;
      std::fill(change.control.numbers.begin(), change.control.numbers.end(), 0.0);
      change.control(j, i) = 1;
      Slope sum(0.0);
      for (int node = 0; node < 5 * spans; ++node) {
        const double t = (node / 5 + 0.5 + 0.5 * gauss_point[node % 5]) / spans;
        const auto number = [&](int order, int c) {
          Slope x(path(t, order)[size_t(c)]);
          x.d[0] = change(t, order)[size_t(c)];
          return x;
        };
        std::vector<Number> x[3];
        for (int order = 0; order < 3; ++order)
          for (int c = 0; c < n; ++c) {
            Number& one = x[order].emplace_back(Number(0.0));
            one.c[0] = number(order, c), one.c[1] = number(order + 1, c);
          }
        for (const Number& tau : dual.inverse(x[0], x[1], x[2], around))
          sum += tau.c[1] * tau.c[1] * (gauss_weight[node % 5] / 2 / spans);
      }
      EXPECT_NEAR(sum.a, value, 1e-11 * value);
      EXPECT_NEAR(sum.d[0], g(j, i), 1e-10 * dense_largest(g));
    }
}

/// Second derivatives against fourth-order differences of the gradient.
TEST_P(MotionOfArms, HessianAgainstDifferences) {
  const int n = robot.nv();
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate}) {
    MinimumMotion motion(robot, {.cost = cost, .duration = 1.3});
    const SplinePath path = bent(motion, ends);
    dense::Matrix H;
    motion.cost(path, nullptr, &H);
    const int free = H.rows / n, first = (path.control.columns - free) / 2;
    double error = 0;
    for (int column = 0; column < H.columns; column += 3) {
      const auto gradient = [&](double by) {
        SplinePath moved = path;
        moved.control(column % n, first + column / n) += by;
        dense::Matrix g;
        motion.cost(moved, &g);
        return Numbers(g.column(first), g.column(first) + H.rows);
      };
      constexpr double h = 2e-3;
      const Numbers a = gradient(h), b = gradient(-h), c = gradient(2 * h), d = gradient(-2 * h);
      for (int row = 0; row < H.rows; ++row) {
        const size_t k = size_t(row);
        const double expected = (8 * (a[k] - b[k]) - (c[k] - d[k])) / (12 * h);
        error = worse(error, std::abs(H(row, column) - expected));
      }
    }
    EXPECT_LE(error, 1e-7 * dense_largest(H)) << int(cost);
  }
}

/// Any two configurations, with limits and without, to the gradient's tolerance.
TEST_P(MotionOfArms, BetweenRandomConfigurations) {
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate})
    for (const bool limits : {false, true}) {
      MinimumMotion motion(robot, {.cost = cost, .limits = limits});
      const int pairs = cost == MotionCost::energy ? 100 : 10;
      int converged = 0;
      for (int s = 0; s < pairs; ++s) {
        const Numbers q0 = robot.random(std::uint64_t(1000 + 2 * s));
        const Numbers q1 = robot.random(std::uint64_t(1001 + 2 * s));
        const MinimumMotionResult found = motion.find(q0, q1);
        converged += found.converged;
        EXPECT_LE(found.value, found.straight);
        EXPECT_LE(found.iterations, 100) << int(cost) << limits << " pair " << s;
        EXPECT_EQ(found.values.size(), size_t(found.iterations) + 1);
      }
      EXPECT_EQ(converged, pairs) << int(cost) << limits;
    }
}

/// All costs go down to where no gradient is left, from the straight line, with and without limits.
TEST_P(MotionOfArms, FindsAMinimum) {
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate})
    for (const bool limits : {false, true}) {
      MinimumMotion motion(robot, {.cost = cost, .limits = limits});
      const MinimumMotionResult found = motion.find(ends.q0, ends.q1);
      EXPECT_TRUE(found.converged) << int(cost) << limits << " residual " << found.residual;
      EXPECT_LT(found.value, found.straight);
      EXPECT_NEAR(motion.cost(found.path), found.value, 1e-12 * found.value);
      for (size_t k = 1; k < found.values.size(); ++k)
        EXPECT_LE(found.values[k], found.values[k - 1] * (1 + 1e-13));
      for (size_t k = 0; k < ends.q0.size(); ++k) {
        EXPECT_EQ(found.path(0)[k], ends.q0[k]);
        EXPECT_NEAR(found.path(1)[k], ends.q1[k], 1e-15);
        const double speed = cost == MotionCost::energy ? 0 : found.path(1, 1)[k];
        EXPECT_NEAR(speed, 0, 1e-11);
      }
      for (double t = 0; t <= 1 && limits; t += 0.01)
        for (size_t k = 0; k < ends.q0.size(); ++k) {
          EXPECT_GE(found.path(t)[k], robot.limits().lower[k] - 1e-12);
          EXPECT_LE(found.path(t)[k], robot.limits().upper[k] + 1e-12);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Bundled, MotionOfArms, testing::Values("planar_2r", "puma560", "arm7"),
                         [](const auto& x) { return std::string(x.param); });

/// On a slide least energy is even speed; least force would be a cubic, which does not end with
/// zero acceleration as splines here do.
TEST(MinimumMotion, OfASlideIsAPolynomial) {
  RobotDescription slide{.name = "slide", .gravity = {}};
  slide.links = {{.name = "block", .mass = 2}};
  slide.joints = {{"rail", "", "block", {JointKind::prismatic, {}, {{1, 0, 0}}}}};
  MinimumMotion force(Robot(slide), {.cost = MotionCost::force, .duration = 2});
  const MinimumMotionResult found = force.find({0.0}, {1.0});
  const double cubic = 4 * 12 / 8.0;  // m^2 12 x^2 / T^3
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.value, cubic);
  MinimumMotion energy(Robot(slide), {.duration = 2});
  const MinimumMotionResult even = energy.find({0.0}, {1.0});
  EXPECT_NEAR(even.value, 2 * 0.5, 1e-12);  // m x^2 / T
  EXPECT_NEAR(even.path(0.7)[0], 0.35, 1e-12);
}

/// To stand still costs nothing where nothing pulls: to the last digit.
TEST(MinimumMotion, BetweenAPointAndItself) {
  const Robot arm = load("builtin:arm7");
  const Numbers q = ends_of(arm).q0;
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate}) {
    MinimumMotion motion(arm, {.cost = cost, .gravity = false});
    const MinimumMotionResult found = motion.find(q, q);
    EXPECT_TRUE(found.converged) << int(cost);
    EXPECT_EQ(found.value, 0) << int(cost);
    EXPECT_EQ(found.residual, 0) << int(cost);
    EXPECT_EQ(found.iterations, 0) << int(cost);
  }
}

TEST(MinimumMotion, OfARobotWithoutCoordinates) {
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate}) {
    const MinimumMotionResult found =
        MinimumMotion(stone(), {.cost = cost}).find(Numbers{}, Numbers{});
    EXPECT_TRUE(found.converged) << int(cost);
    EXPECT_EQ(found.value, 0) << int(cost);
    EXPECT_EQ(found.residual, 0) << int(cost);
  }
}

/// Parallel axes so near that M^2 is singular in double, and M is not.
TEST(MinimumMotion, OfAxesThatNearlyMeet) {
  RobotDescription near{.name = "near"};
  near.links = {{.name = "shim"}, {"bar", 1, {0.5, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}, {}, {}}};
  const std::vector<Vec3<double>> axis{{0, 0, 1}};
  near.joints = {{"first", "", "shim", {JointKind::revolute, {}, axis}},
                 {"second", "shim", "bar", {JointKind::revolute, {{}, {1e-5, 0, 0}}, axis}}};
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate}) {
    MinimumMotion motion(Robot(near), {.cost = cost, .iterations = 20});
    for (int s = 0; s < 8; ++s) {
      const Numbers q0{0.1 * s, 0.3 + 0.2 * s}, q1{1.0, 0.3 + 0.2 * s};
      EXPECT_NO_THROW({
        const MinimumMotionResult found = motion.find(q0, q1);
        EXPECT_LE(found.value, found.straight);
      }) << int(cost)
         << " " << s;
    }
  }
}

/// A custom joint that is a revolute one has the same motions and geodesics.
TEST(MinimumMotion, OfACustomJoint) {
  RobotDescription arm = read_robot("builtin:planar_2r").robot;
  const Robot plain(arm);
  JointGeometry& elbow = arm.joints[1].geometry;
  const Vec3<double> axis = elbow.axes[0];
  elbow.kind = JointKind::custom;
  elbow.axes.clear();
  elbow.custom = custom_joint<1>([axis](const auto* q) {
    using Real = std::decay_t<decltype(*q)>;
    return SE3<Real>{exp(Vec3<Real>{axis.x * q[0], axis.y * q[0], axis.z * q[0]}), {}};
  });
  const Robot custom(arm);
  const Numbers q0{0.2, 0.3}, q1{1.4, 1.9};
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force, MotionCost::force_rate}) {
    const MinimumMotionResult a = MinimumMotion(plain, {.cost = cost}).find(q0, q1);
    const MinimumMotionResult b = MinimumMotion(custom, {.cost = cost}).find(q0, q1);
    EXPECT_TRUE(b.converged) << int(cost);
    EXPECT_NEAR(a.value, b.value, 1e-12 * a.value) << int(cost);
  }
  Geometry one(plain), other(custom);
  EXPECT_NEAR(one.curvature(q0).scalar(), other.curvature(q0).scalar(), 1e-12);
  EXPECT_NEAR(one.shortest_path(q0, q1).length, other.shortest_path(q0, q1).length, 1e-10);
}

/// Singular at one moment between samples, in one coordinate and in two together.
TEST(MinimumMotion, ThroughASingularMassMatrix) {
  RobotDescription sphere{.name = "sphere", .gravity = {}};
  sphere.links = {{.name = "ring"}, {.name = "point", .mass = 1, .com = {0, 0, 1}}};
  sphere.joints = {{"azimuth", "", "ring", {JointKind::revolute, {}, {{0, 0, 1}}}},
                   {"polar", "ring", "point", {JointKind::revolute, {}, {{0, 1, 0}}}}};
  const Robot robot(sphere);
  const Numbers q0{0, 0.7}, q1{0.3, -0.4}, beside{0.3, 0.4};
  for (const MotionCost cost : {MotionCost::energy, MotionCost::force}) {
    MinimumMotion motion(robot, {.cost = cost});
    const std::string text = message([&] { motion.find(q0, q1); });
    EXPECT_EQ(text.substr(0, 22), "MinimumMotion: at t = ") << text;
    EXPECT_EQ(text.substr(text.find(": joint")),
              ": joint \"azimuth\" can move without moving any mass");
    const double t = std::stod(text.substr(22));
    EXPECT_NEAR(motion.line(q0, q1)(t)[1], 0, 1e-5);
    EXPECT_EQ(message([&] { motion.find(q0, beside); }), "no error");
  }
  Geometry geometry(robot);
  EXPECT_EQ(message([&] { geometry.shortest_path(q0, q1); }).substr(0, 22),
            "shortest_path: at t = ");
  EXPECT_EQ(message([&] { geometry.shortest_path(q0, beside); }), "no error");
  const auto meridian = [](double t, std::span<double> q, std::span<double> v) {
    q[0] = 0.1, q[1] = t - 0.3111, v[0] = 0, v[1] = 1;
  };
  EXPECT_EQ(message([&] { geometry.transport(meridian, 0, 1, 20, Eigen::Vector2d(1, 1)); }),
            "transport: at t = 0.3111: joint \"azimuth\" can move without moving any mass");
  EXPECT_EQ(message([&] { geometry.transport(meridian, 0, 0.3, 20, Eigen::Vector2d(1, 1)); }),
            "no error");
  EXPECT_EQ(message([&] { geometry.flat_coordinates(q0, q1); }).substr(0, 25),
            "flat_coordinates: at t = ");
}

TEST(MinimumMotion, Refusals) {
  const Robot arm = load("builtin:arm7");
  MinimumMotion motion(arm);
  Numbers q0(7), q1(7);
  q1[1] = 40;
  const std::string text = message([&] { motion.find(q0, q1); });
  EXPECT_EQ(text.substr(0, 20), "MinimumMotion: q1[1]") << text;
  EXPECT_NE(text.find("its limits are"), std::string::npos) << text;
  EXPECT_EQ(message([&] { motion.find(Numbers(6), q1); }),
            "MinimumMotion: q0 has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { MinimumMotion(arm, {.control_points = 6}); }),
            "MinimumMotion: control_points is 6, needs at least 7");
  EXPECT_EQ(message([&] { MinimumMotion(arm, {.duration = 0}); }),
            "MinimumMotion: duration must be positive");
  const std::string free = message([&] { MinimumMotion{load("builtin:quadruped")}; });
  EXPECT_NE(free.find("is free: its velocities are not the rates of its coordinates"),
            std::string::npos)
      << free;
  RobotDescription light = generate_chain(2);
  light.links.back() = {.name = light.links.back().name};
  MinimumMotion massless{Robot(light)};
  EXPECT_EQ(message([&] {
              massless.find(Numbers(2), Numbers{0.1, 0.2});
            }),
            "MinimumMotion: joint \"joint_2\" moves link \"link_2\", which has no mass");
  EXPECT_EQ(
      message([&] { motion.find(SplinePath{}); }),
      "MinimumMotion: a path of 0 x 0 numbers and duration 1.000000, robot \"arm7\" needs 7 x "
      "14 and duration 1.000000");
  const SplinePath line = motion.line(q0, Numbers(7, 0.1));
  SplinePath broken = line;
  broken.control(2, 5) = NAN;
  EXPECT_EQ(message([&] { motion.cost(broken); }), "MinimumMotion: control(2, 5) is not finite");
  EXPECT_EQ(message([&] { line(NAN); }), "SplinePath: t is NaN");
  EXPECT_EQ(message([&] { line(INFINITY, 1); }), "SplinePath: t is infinite");
  EXPECT_EQ(message([&] { SplinePath{}(0.5); }), "SplinePath: 0 control points, needs at least 6");
  EXPECT_EQ(message([&] {
              SplinePath{0, line.control}(0);
            }),
            "SplinePath: duration must be positive");
  MinimumMotion quick(arm, {.cost = MotionCost::force, .duration = 1e-80});
  EXPECT_EQ(message([&] { quick.find(q0, Numbers(7, 0.1)); }), "MinimumMotion: cost is not finite");
}

}  // namespace
}  // namespace jounce::test
