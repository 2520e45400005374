// SPDX-License-Identifier: BSD-3-Clause
// Geodesics, parallel transport, shortest paths and flat robots.
#include <gtest/gtest.h>

#include <jounce/io.hpp>
#include <jounce/minimum_motion.hpp>
#include <jounce/simulation.hpp>

#include "geometry/cases.hpp"
#include "support/message.hpp"

namespace jounce::test {
namespace {

Robot weightless(const std::string& name) {
  RobotDescription robot = read_robot("builtin:" + name).robot;
  robot.gravity = {};
  return Robot(robot);
}

/// Constant speed, and the free motion of forward dynamics by another integrator.
TEST(Geodesics, AreFreeMotion) {
  int checked = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    GeometryCase c(seed);
    if (!c.regular() || condition(c.dyn.mass(c.q)) > 1e5) continue;
    const double time = 0.3;
    GeodesicPath found;
    try {
      found = c.geometry.geodesic(c.q, c.v, {0.0, time / 2, time});
    } catch (const ComputationError&) {  // some custom joints lead to a singular mass matrix
      continue;
    }
    ++checked;
    const GeodesicPath& path = found;
    const auto speed = [&](int k) {
      return c.dyn
          .energy(std::span(path.q.column(k), c.q.size()), std::span(path.v.column(k), size_t(c.n)))
          .kinetic;
    };
    EXPECT_NEAR(speed(1), speed(0), 1e-11 * speed(0)) << "seed " << seed;
    EXPECT_NEAR(speed(2), speed(0), 1e-11 * speed(0)) << "seed " << seed;
    Simulation sim(
        c.robot,
        {.integrator = Integrator::rk4, .step = time / 2000, .passive = false, .gravity = false});
    SimulationState x = sim.start(c.q, c.v);
    sim.run(x, time, {.energy = false});
    const Numbers &q = x.q, &v = x.v;
    Numbers between(v.size());
    c.robot.difference(q, std::span(path.q.column(2), q.size()), between);
    const double size = largest_of(v) + c.v.norm();
    EXPECT_LE(largest_of(between), 1e-7 * size) << "seed " << seed << " steps " << path.steps;
  }
  EXPECT_GE(checked, 15);
}

/// Lengths and angles are kept, a rate of the field that transport makes is zero, and around a
/// small square the curvature appears.
TEST(Geodesics, ParallelTransport) {
  const Robot robot = weightless("arm7");
  Geometry geometry(robot);
  Dynamics dyn(robot);
  const int n = robot.nv();
  const Numbers q0 = robot.random(5);
  const auto curve = [&](double t, std::span<double> q, std::span<double> v) {
    for (size_t k = 0; k < q.size(); ++k) {
      const double rate = 1 + 0.3 * double(k);
      q[k] = q0[k] + std::sin(rate * t), v[k] = rate * std::cos(rate * t);
    }
  };
  const Eigen::MatrixXd start = Eigen::MatrixXd::Identity(n, n);
  const auto metric = [&](double t) -> Eigen::MatrixXd {
    Numbers q(q0), v(q0);
    curve(t, q, v);
    return dyn.mass(q);
  };
  const Eigen::MatrixXd end = geometry.transport(curve, 0, 1, 40, start);
  const Eigen::MatrixXd M0 = metric(0), M1 = metric(1);
  EXPECT_LE(largest(end.transpose() * M1 * end - M0), 1e-12 * largest(M0));
  const Eigen::MatrixXd finer = geometry.transport(curve, 0, 1, 80, start);
  EXPECT_LE(largest(end - finer), 1e-4 * largest(end));
  // the covariant derivative of what is carried is zero
  Numbers q(q0), v(q0);
  const double t = 0.4, h = 1e-3;
  const auto field = [&](double at) -> Eigen::MatrixXd {
    return geometry.transport(curve, t, at, 4, start.col(2));
  };
  const Eigen::MatrixXd rate =
      (8 * (field(t + h) - field(t - h)) - (field(t + 2 * h) - field(t - 2 * h))) / (12 * h);
  curve(t, q, v);
  const Eigen::VectorXd D =
      geometry.covariant_derivative(q, v, Eigen::VectorXd(start.col(2)), Eigen::VectorXd(rate));
  EXPECT_LE(largest(D), 1e-8 * largest(rate));
}

TEST(Geodesics, HolonomyIsCurvature) {
  const Robot robot = weightless("arm7");
  Geometry geometry(robot);
  const int n = robot.nv(), k = 1, l = 2;
  const Numbers q0 = robot.random(5);
  const Eigen::VectorXd Y = Eigen::VectorXd::LinSpaced(n, 1, -1);
  const Curvature R = geometry.curvature(q0);
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) expected[i] -= R(i, j, k, l) * Y[j];
  expected = solve_positive(R.mass, expected);
  for (const double side : {1e-2, 1e-3}) {
    Eigen::MatrixXd carried = Y;
    Numbers corner = q0;
    corner[size_t(k)] -= side / 2, corner[size_t(l)] -= side / 2;
    for (int edge = 0; edge < 4; ++edge) {
      const size_t along = size_t(edge % 2 == 0 ? k : l);
      const double sign = edge < 2 ? 1 : -1;
      const auto straight = [&](double t, std::span<double> q, std::span<double> v) {
        std::copy(corner.begin(), corner.end(), q.begin());
        std::fill(v.begin(), v.end(), 0.0);
        q[along] += sign * t, v[along] = sign;
      };
      carried = geometry.transport(straight, 0, side, 8, carried);
      corner[along] += sign * side;
    }
    const Eigen::VectorXd turned = (carried - Y) / (side * side);
    EXPECT_LE(largest(turned - expected), side * largest(expected)) << side;
  }
}

/// Twenty pairs for every arm and distance; the length is that of the best spline.
TEST(Geodesics, BetweenTwoConfigurations) {
  for (const char* name : {"planar_2r", "puma560", "arm7"}) {
    const Robot robot = weightless(name);
    Geometry geometry(robot);
    int solved = 0;
    for (const double reach : {0.5, 1.0, 2.0})
      for (int s = 0; s < 20; ++s) {
        Numbers q0 = robot.random(std::uint64_t(100 + s)), q1(q0.size());
        double most = 0;
        for (size_t k = 0; k < q0.size(); ++k)
          most = std::max(most, std::abs(std::sin(3.1 * double(k) + s)));
        for (size_t k = 0; k < q0.size(); ++k) {
          q0[k] /= 2;
          q1[k] = q0[k] + reach * std::sin(3.1 * double(k) + s) / most;
        }
        const ShortestPath path = geometry.shortest_path(q0, q1);
        solved += path.converged;
        EXPECT_LE(path.residual, 1e-5) << name << " " << reach << " " << s;
        EXPECT_LE(path.unevenness, 1e-4) << name << " " << reach << " " << s;
      }
    EXPECT_EQ(solved, 60) << name;
  }
}

TEST(Geodesics, HaveTheEnergyOfTheBestSpline) {
  for (const char* name : {"puma560", "arm7"}) {
    const Robot robot = load(std::string("builtin:") + name);
    Numbers from = robot.random(7), to = from;
    for (size_t k = 0; k < from.size(); ++k)
      from[k] /= 2, to[k] = from[k] + 0.6 * std::sin(1.3 * double(k));
    MinimumMotion motion(robot, {.control_points = 30, .limits = false});
    const double best = motion.find(from, to).value;
    const ShortestPath path = Geometry(robot).shortest_path(from, to);
    EXPECT_TRUE(path.converged) << name;
    EXPECT_NEAR(path.length * path.length, best, 1e-9 * best) << name;
  }
  const Robot robot = load("builtin:planar_2r");
  Geometry geometry(robot);
  MinimumMotion motion(robot, {.control_points = 30, .limits = false, .tolerance = 1e-9});
  const Numbers q0{0.2, 0.3}, q1{1.4, 1.9};
  const double best = motion.find(q0, q1).value;
  const ShortestPath path = geometry.shortest_path(q0, q1);
  EXPECT_TRUE(path.converged);
  EXPECT_NEAR(path.length * path.length, best, 1e-11 * best);
  // and its first velocity takes free motion to the other end
  const GeodesicPath free =
      geometry.geodesic(q0, Numbers(path.v.column(0), path.v.column(0) + 2), {1.0});
  EXPECT_NEAR(free.q(0, 0), q1[0], 1e-8);
  EXPECT_NEAR(free.q(1, 0), q1[1], 1e-8);
}

struct LinkOf {
  JointKind kind;
  Vec3<double> axis, place;
  double mass;
  Vec3<double> com;
  double inertia;
};
Robot chain_of(const std::vector<LinkOf>& links) {
  RobotDescription robot{.name = "chain", .gravity = {}};
  std::string parent;
  for (size_t k = 0; k < links.size(); ++k) {
    const LinkOf& x = links[k];
    const std::string link = "link_" + std::to_string(k);
    const double I = x.inertia;
    robot.links.push_back({link, x.mass, x.com, {I, 0, I, 0, 0, I}, {}, {}});
    const bool has_axis = x.kind != JointKind::spherical;
    robot.joints.push_back(
        {"joint_" + std::to_string(k),
         parent,
         link,
         {x.kind, {{}, x.place}, has_axis ? std::vector{x.axis} : std::vector<Vec3<double>>{}}});
    parent = link;
  }
  return Robot(robot);
}

constexpr JointKind R = JointKind::revolute, P = JointKind::prismatic;
const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, o{0, 0, 0};

TEST(Flatness, IsRecognised) {
  const std::vector<Robot> flat = {
      chain_of({{R, z, o, 1, {0.5, 0, 0}, 0.1}, {R, z, {1, 0, 0}, 0.5, o, 0.03}}),
      chain_of({{P, x, o, 1, {0.1, 0, 0}, 0.1},
                {P, {0.6, 0.8, 0}, o, 2, {0.1, 0.3, 0}, 0.1},
                {P, {0, 0.6, 0.8}, o, 3, {0, 0, 0.2}, 0.1}}),
      chain_of({{R, z, o, 0, o, 0}, {P, x, o, 2, {1, 0, 0}, 0}}),
      chain_of({{R, z, o, 0, o, 0}, {R, y, o, 0, o, 0}, {P, x, o, 2, {1, 0, 0}, 0}}),
      chain_of({{JointKind::planar, z, o, 2, {0.3, 0.1, 0}, 0.2}})};
  for (const Robot& robot : flat) {
    Geometry geometry(robot);
    const Flatness found = geometry.flatness();
    EXPECT_TRUE(found.flat) << found.ratio;
    // coordinates in which free motion is a straight line
    const Numbers q0 = robot.random(3);
    Numbers v(size_t(robot.nv()), 0.3);
    v[0] = -0.2;
    const GeodesicPath path = geometry.geodesic(q0, v, {0.5, 1.0});
    const auto at = [&](int k) {
      return geometry.flat_coordinates(q0, Numbers(path.q.column(k), path.q.column(k) + q0.size()));
    };
    const FlatPoint half = at(0), whole = at(1);
    Dynamics dyn(robot);
    const Eigen::MatrixXd M = dyn.mass(Numbers(path.q.column(1), path.q.column(1) + q0.size()));
    const int n = robot.nv();
    const Eigen::MatrixXd N = Eigen::Map<const Eigen::MatrixXd>(whole.N.data(), n, n);
    EXPECT_LE(largest(N.transpose() * N - M), 1e-10 * largest(M));
    for (int k = 0; k < n; ++k)
      EXPECT_NEAR(whole.y[size_t(k)], 2 * half.y[size_t(k)], 1e-10 * largest_of(whole.y));
  }
}

TEST(Flatness, OthersAreCurved) {
  const auto off = [](double by) {
    return chain_of({{R, z, o, 1, {0.5, 0, 0}, 0.1}, {R, z, {1, 0, 0}, 0.5, {by, 0, 0}, 0.03}});
  };
  EXPECT_TRUE(Geometry(off(1e-13)).flatness().flat);
  EXPECT_NEAR(Geometry(off(1e-6)).flatness().ratio, 6e-7, 2e-7);
  EXPECT_FALSE(Geometry(off(1e-6)).flatness().flat);
  for (const char* name : {"planar_2r", "puma560", "arm7"})
    EXPECT_GT(Geometry(load(std::string("builtin:") + name)).flatness().ratio, 0.01) << name;
  EXPECT_GT(
      Geometry(chain_of({{JointKind::spherical, z, o, 2, {0.3, 0.1, 0}, 0.2}})).flatness().ratio,
      0.1);
}

/// A light link has a mass matrix of large condition, which is no rounding.
TEST(Flatness, SeesTheScaleOfNoMass) {
  const auto light = [](double by) {
    return chain_of({{R, z, o, 1, {0.5, 0, 0}, 0.1}, {R, z, {1, 0, 0}, 1e-9, {by, 0, 0}, 6e-11}});
  };
  const Flatness found = Geometry(light(0.3)).flatness();
  EXPECT_FALSE(found.flat) << found.ratio;
  EXPECT_TRUE(Geometry(light(0)).flatness().flat);
}

TEST(Geodesics, OfARobotWithoutCoordinates) {
  Geometry none{stone()};
  const Flatness found = none.flatness();
  EXPECT_TRUE(found.flat);
  EXPECT_EQ(found.ratio, 0);
  const GeodesicPath path = none.geodesic(Numbers{}, Numbers{}, {0.5, 1.0});
  EXPECT_EQ(path.q.rows, 0);
  EXPECT_EQ(path.q.columns, 2);
  EXPECT_EQ(none.flat_coordinates(Numbers{}, Numbers{}).y.size(), 0u);
  const ShortestPath shortest = none.shortest_path(Numbers{}, Numbers{});
  EXPECT_TRUE(shortest.converged);
  EXPECT_EQ(shortest.length, 0);
}

TEST(Geodesics, BetweenAPointAndItself) {
  for (const char* name : {"planar_2r", "puma560", "arm7"}) {
    const Robot robot = load(std::string("builtin:") + name);
    const Numbers q = robot.random(3);
    const ShortestPath path = Geometry(robot).shortest_path(q, q);
    EXPECT_TRUE(path.converged) << name;
    EXPECT_EQ(path.length, 0) << name;
    EXPECT_EQ(path.residual, 0) << name;
    EXPECT_EQ(largest_of(path.v.numbers), 0) << name;
    for (int k = 0; k < path.q.columns; ++k)
      EXPECT_EQ(Numbers(path.q.column(k), path.q.column(k) + q.size()), q) << name;
  }
}

/// Gauss and Bonnet: the integral of the curvature over the torus of a 2R is zero.
TEST(Flatness, MeanCurvatureOfA2RVanishes) {
  for (int seed = 1; seed <= 5; ++seed) {
    GeneratorOptions options;
    options.seed = std::uint64_t(seed);
    options.bodies = 2;
    Geometry geometry{Robot(generate(options))};
    double sum = 0, size = 0;
    constexpr int count = 400;
    for (int k = 0; k < count; ++k) {
      const Curvature found = geometry.curvature({0.0, 2 * 3.14159265358979323846 * k / count});
      const double density = found.scalar() * std::sqrt(found.mass.determinant());
      sum += density, size += std::abs(density);
    }
    EXPECT_LE(std::abs(sum), 1e-10 * size) << "seed " << seed;
  }
}

TEST(Geodesics, Refusals) {
  Geometry geometry(load("builtin:planar_2r"));
  EXPECT_EQ(message([&] {
              geometry.geodesic({0, 0}, {1, 1}, {0.5, 0.2});
            }),
            "geodesic: times must ascend from 0");
  EXPECT_EQ(message([&] { geometry.flatness(0); }), "flatness: samples must be positive");
  EXPECT_EQ(message([&] {
              geometry.shortest_path({0, 0}, {1, 1}, 3);
            }),
            "shortest_path: points must be at least 5");
  RobotDescription light = generate_chain(2);
  light.links.back() = {.name = light.links.back().name};
  Geometry massless{Robot(light)};
  const std::string why = "joint \"joint_2\" moves link \"link_2\", which has no mass";
  EXPECT_EQ(message([&] { massless.shortest_path({0, 0}, {1, 1}); }), "shortest_path: " + why);
  EXPECT_EQ(message([&] { massless.second_kind({0, 0}); }), "second_kind: " + why);
  const auto still = [](double, std::span<double> q, std::span<double> v) {
    std::fill(q.begin(), q.end(), 0.1), std::fill(v.begin(), v.end(), 0.0);
  };
  EXPECT_EQ(message([&] { massless.transport(still, 0, 1, 2, Eigen::Vector2d(1, 0)); }),
            "transport: " + why);
  EXPECT_EQ(message([&] { massless.geodesic({0, 0}, {1, 1}, {1}); }), "geodesic: " + why);
  EXPECT_EQ(message([&] {
              geometry.shortest_path({0, 0, 0}, {1, 1});
            }),
            "shortest_path: q0 has 3 elements, robot \"planar_2r\" needs 2");
}

/// Numbers whose products overflow are refused by name, and no step is too short to end.
TEST(Geodesics, WhatIsNotFiniteIsRefused) {
  Geometry geometry(load("builtin:planar_2r"));
  const auto moving = [](double speed) {
    return [speed](double t, std::span<double> q, std::span<double> v) {
      std::fill(q.begin(), q.end(), 0.1 + t), std::fill(v.begin(), v.end(), speed);
    };
  };
  const auto refused = [&](double speed, double to, double Y) {
    return message([&] { geometry.transport(moving(speed), 0, to, 4, Eigen::Vector2d(Y, 0)); });
  };
  EXPECT_EQ(refused(1, 1, 1), "no error");
  EXPECT_EQ(refused(1e120, 1, 1), "transport: Y[0] (joint \"joint_1\") is not finite");
  EXPECT_EQ(refused(1, INFINITY, 1), "transport: from and to must be finite");
  EXPECT_EQ(refused(1, 1, NAN), "transport: Y[0] is NaN");
  EXPECT_EQ(message([&] {
              geometry.flat_coordinates({0, 0}, {1e300, 1});
            }),
            "flat_coordinates: y[0] (joint \"joint_1\") is not finite");
  EXPECT_EQ(message([&] {
              geometry.geodesic({0, 0}, {1, 1}, {1e300});
            }).substr(0, 20),
            "geodesic: a step of ");
  // a tolerance below rounding is rounding
  const GeodesicPath fine = geometry.geodesic({0, 0}, {1, 1}, {0.5}, 1e-250);
  const GeodesicPath usual = geometry.geodesic({0, 0}, {1, 1}, {0.5});
  EXPECT_LT(fine.steps, 4 * usual.steps);
  EXPECT_NEAR(fine.q(1, 0), usual.q(1, 0), 1e-12);
}

}  // namespace
}  // namespace jounce::test
