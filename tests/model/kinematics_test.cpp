// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and accelerations of random trees, against series run through the poses alone.
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/workspace.hpp>
#include <map>

#include "joint_reference.hpp"

namespace jounce::test {
namespace {

using Series = Taylor<double, 4>;
constexpr int robots = 100;

Robot random_tree(std::uint64_t seed) {
  GeneratorOptions options;
  options.shape = static_cast<TreeShape>(seed % 4);
  options.branches = 3;
  options.bodies = 2 + static_cast<int>(seed % 14);
  options.kinds = all_joint_kinds();
  options.free_base = seed % 3 == 0;
  options.fixed_links = options.child_placements = true;
  options.seed = seed;
  return Robot(generate(options));
}
const JointGeometry& geometry_of(const Robot& robot, const JointInfo& joint) {
  return robot.description().joints[static_cast<size_t>(joint.description)].geometry;
}

/// A smooth motion of a robot: q(t) with velocity v(t) and acceleration a(t).
struct Curve {
  std::vector<Series> q, v, a;

  Curve(const Robot& robot, Random& random) {
    for (const JointInfo& joint : robot.joints())
      random_coordinates(geometry_of(robot, joint), random, q);
    v = random_numbers<Series>(random, robot.nv());
    for (const Series& x : v) a.push_back(time_derivative(x));
    follow(q, v, [&](const Series* x, const Series* y, Series* rate) {
      for (const JointInfo& joint : robot.joints())
        coordinate_rate(geometry_of(robot, joint), x + joint.q, y + joint.v, rate + joint.q);
    });
  }
};
std::vector<double> values(const std::vector<Series>& x) {
  std::vector<double> y;
  for (const Series& number : x) y.push_back(number.c[0]);
  return y;
}
double value(const Series& x) { return x.c[0]; }

TEST(Kinematics, PosesAreProductsOfTheDescription) {
  for (std::uint64_t seed = 0; seed < robots; ++seed) {
    const Robot robot = random_tree(seed);
    Random random(seed);
    const std::vector<double> q = values(Curve(robot, random).q);
    const std::vector<double> zero(static_cast<size_t>(robot.nv()), 0.0);
    WorkspaceStorage<double> storage(robot.model());
    forward_poses(robot.model(), State<double>{q.data(), zero.data(), zero.data()}, storage.view());
    std::map<std::string, const double*> at;
    for (const JointInfo& joint : robot.joints()) at[joint.name] = q.data() + joint.q;
    std::map<std::string, SE3<double>> pose{{"", {}}, {robot.description().links[0].name, {}}};
    for (const JointDescription& joint : robot.description().joints)
      pose[joint.child] = pose.at(joint.parent) * described_pose(joint.geometry, at[joint.name]) *
                          joint.child_placement;
    for (const FrameInfo& frame : robot.frames().first(robot.description().links.size()))
      expect_near(storage.view().pose[frame.body] * frame.offset, pose.at(frame.name), 1e-13, seed);
  }
}

/// Twist and acceleration of every body at t = 0, computed in doubles, are the first terms of
/// (T^-1 dT/dt)^vee, where T(t) is the pose along the curve.
TEST(Kinematics, TwistsAndAccelerationsOfACurve) {
  for (std::uint64_t seed = 0; seed < robots; ++seed) {
    const Robot robot = random_tree(seed);
    const Model<double>& m = robot.model();
    Random random(seed);
    const Curve curve(robot, random);
    const std::vector<Series> still(curve.v.size());
    WorkspaceStorage<Series> series(m);
    forward_poses(m, State<Series>{curve.q.data(), still.data(), still.data()}, series.view());
    const std::vector<double> q = values(curve.q), v = values(curve.v), a = values(curve.a);
    WorkspaceStorage<double> storage(m);
    Workspace<double>& w = storage.view();
    const State<double> x{q.data(), v.data(), a.data()};
    w.V[0] = w.Vdot[0] = {};
    forward_poses(m, x, w);
    forward_twists(m, x, w);
    forward_accelerations(m, x, w);
    for (int i = 1; i < m.bodies; ++i) {
      SCOPED_TRACE("body " + std::to_string(i));
      const Twist<Series> V = twist_of_curve(series.view().pose[i]);
      expect_near(w.pose[i], map(series.view().pose[i], value), 1e-13, seed);
      expect_near(w.V[i], map(V, value), 1e-12, seed);
      expect_near(w.Vdot[i], map(time_derivative_of(V), value), 1e-12, seed);
    }
  }
}

/// The same on series, hence for every derivative of twist and acceleration; on a moving base.
TEST(Kinematics, SeriesOnAMovingBase) {
  for (std::uint64_t seed = 0; seed < robots; ++seed) {
    const Robot robot = random_tree(seed);
    const Model<double>& m = robot.model();
    Random random(seed);
    const Curve curve(robot, random);
    const SE3<Series> base = random.pose<Series>();
    WorkspaceStorage<Series> storage(m);
    Workspace<Series>& w = storage.view();
    const State<Series> x{curve.q.data(), curve.v.data(), curve.a.data()};
    w.V[0] = twist_of_curve(base);
    w.Vdot[0] = time_derivative_of(w.V[0]);
    forward_poses(m, x, w);
    forward_twists(m, x, w);
    forward_accelerations(m, x, w);
    for (int i = 1; i < m.bodies; ++i) {
      SCOPED_TRACE("body " + std::to_string(i));
      const Twist<Series> V = twist_of_curve(base * w.pose[i]);
      expect_near(up_to<3>(w.V[i]), up_to<3>(V), 1e-11, seed);
      expect_near(up_to<2>(w.Vdot[i]), up_to<2>(time_derivative_of(V)), 1e-11, seed);
    }
  }
}

/// Lanes, series and dual numbers agree with doubles through all three recursions.
TEST(Kinematics, LanesAgreeWithDoubles) {
  using Lanes = Pack<double, 4>;
  for (std::uint64_t seed = 0; seed < robots; ++seed) {
    const Robot robot = random_tree(seed);
    const Model<double>& m = robot.model();
    Random random(seed);
    std::vector<Lanes> q;
    for (const JointInfo& joint : robot.joints())
      random_coordinates(geometry_of(robot, joint), random, q);
    const auto v = random_numbers<Lanes>(random, m.nv), a = random_numbers<Lanes>(random, m.nv);
    WorkspaceStorage<Lanes> lanes(m);
    WorkspaceStorage<double> one(m);
    const auto run = [&m](const auto& x, auto& w) {
      w.V[0] = w.Vdot[0] = {};
      forward_poses(m, x, w);
      forward_twists(m, x, w);
      forward_accelerations(m, x, w);
    };
    run(State<Lanes>{q.data(), v.data(), a.data()}, lanes.view());
    for (int lane = 0; lane < 4; ++lane) {
      const auto pick = [lane](const Lanes& x) { return x[lane]; };
      const auto all = [&](const std::vector<Lanes>& x) {
        std::vector<double> y;
        for (const Lanes& number : x) y.push_back(pick(number));
        return y;
      };
      const auto q1 = all(q), v1 = all(v), a1 = all(a);
      run(State<double>{q1.data(), v1.data(), a1.data()}, one.view());
      for (int i = 1; i < m.bodies; ++i) {
        expect_near(map(lanes.view().pose[i], pick), one.view().pose[i], 1e-13, seed);
        expect_near(map(lanes.view().V[i], pick), one.view().V[i], 1e-13, seed);
        expect_near(map(lanes.view().Vdot[i], pick), one.view().Vdot[i], 1e-13, seed);
      }
    }
  }
}

}  // namespace
}  // namespace jounce::test
