// SPDX-License-Identifier: BSD-3-Clause
// Joints of every kind: pose, screws and their rates, and kinds that are special cases of others.
#include <jounce/model/generate.hpp>
#include <jounce/model/workspace.hpp>

#include "joint_reference.hpp"

namespace jounce::test {
namespace {

constexpr int seeds = 30;

/// A robot of one joint on the ground, whose link frame is the moving joint frame.
Robot robot_of(const JointGeometry& joint) {
  RobotDescription robot;
  robot.name = "one";
  robot.links.resize(2);
  robot.links[0].name = "ground";
  robot.links[1].name = "link";
  robot.joints.resize(1);
  robot.joints[0].name = "joint";
  robot.joints[0].parent = "ground";
  robot.joints[0].child = "link";
  robot.joints[0].geometry = joint;
  return Robot(robot);
}
JointGeometry random_geometry(JointKind kind, std::uint64_t seed) {
  GeneratorOptions options;
  options.bodies = 1;
  options.kinds = {kind};
  options.seed = seed;
  return generate(options).joints[0].geometry;
}
std::vector<JointKind> moving_kinds() {
  std::vector<JointKind> kinds = all_joint_kinds(false, true);
  kinds.push_back(JointKind::circle);
  return kinds;
}

/// What a joint does, as numbers of its link's frame.
template <class Real>
struct Motion {
  SE3<Real> T;
  std::vector<Twist<Real>> S, Sdot;
  Twist<Real> Sdot_v;

  Twist<Real> along(const std::vector<Real>& v) const {
    Twist<Real> V = as<Real>(Twist<double>{});
    for (size_t k = 0; k < S.size(); ++k) V += S[k] * v[k];
    return V;
  }
};
template <class Real>
Motion<Real> motion_of(const JointGeometry& joint, const std::vector<Real>& q,
                       const std::vector<Real>& v) {
  const Robot robot = robot_of(joint);
  const Model<double>& m = robot.model();
  const SE3<double> offset = robot.frames()[1].offset;
  WorkspaceStorage<Real> storage(m);
  Workspace<Real>& w = storage.view();
  const State<Real> x{q.data(), v.data(), v.data()};
  move_angles(m, x, w);
  move_joint(m, x, 1, w);
  Motion<Real> motion{w.T[1] * offset, {}, {}, Ad_inv(offset, w.Sdot_v[1])};
  for (int k = 0; k < m.nv; ++k) {
    motion.S.push_back(Ad_inv(offset, w.S[k]));
    motion.Sdot.push_back(Ad_inv(offset, w.Sdot[k]));
  }
  expect_near(joint_twist(m, w, 1, v.data()), Ad(offset, motion.along(v)), rounding<Real>(50));
  return motion;
}

template <class Real>
class JointOf : public testing::Test {};
using Kinds = testing::Types<double, Taylor<double, 3>, Dual<double, 2>, Pack<double, 4>>;
TYPED_TEST_SUITE(JointOf, Kinds);

TYPED_TEST(JointOf, PoseIsThatOfTheDescription) {
  using Real = TypeParam;
  for (const JointKind kind : moving_kinds())
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(name(kind));
      Random random(seed);
      const JointGeometry joint = random_geometry(kind, seed);
      std::vector<Real> q;
      random_coordinates(joint, random, q);
      const auto v = random_numbers<Real>(random, joint_nv(joint));
      expect_near(motion_of(joint, q, v).T, described_pose(joint, q.data()), rounding<Real>(60),
                  seed);
    }
}

/// The double that a number holds: the value of a series or of a dual number, one lane of a pack.
double plain(double x, int) { return x; }
double plain(const Taylor<double, 3>& x, int) { return x.c[0]; }
double plain(const Dual<double, 2>& x, int) { return x.a; }
double plain(const Pack<double, 4>& x, int lane) { return x[lane]; }

TYPED_TEST(JointOf, ValuesAreThoseOfDoubles) {
  using Real = TypeParam;
  const auto values = [](const std::vector<Real>& x, int lane) {
    std::vector<double> y;
    for (const Real& number : x) y.push_back(plain(number, lane));
    return y;
  };
  for (const JointKind kind : moving_kinds())
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(name(kind));
      Random random(seed);
      const JointGeometry joint = random_geometry(kind, seed);
      std::vector<Real> q;
      random_coordinates(joint, random, q);
      const auto v = random_numbers<Real>(random, joint_nv(joint));
      const Motion<Real> all = motion_of(joint, q, v);
      for (int lane = 0; lane < 4; ++lane) {
        const auto value = [lane](const Real& x) { return plain(x, lane); };
        const Motion<double> one = motion_of(joint, values(q, lane), values(v, lane));
        expect_near(map(all.T, value), one.T, 4e-15, seed);
        expect_near(map(all.Sdot_v, value), one.Sdot_v, 1e-14, seed);
        for (size_t k = 0; k < v.size(); ++k)
          expect_near(map(all.S[k], value), one.S[k], 4e-15, seed);
      }
    }
}

/// S_k = (T^-1 dT)^vee for dq along velocity k, and Sdot_k = dS_k for dq along v.
TEST(Joint, ScrewsAndTheirRatesByDualNumbers) {
  using D = Dual<double, 7>;
  for (const JointKind kind : moving_kinds())
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(name(kind));
      Random random(seed);
      const JointGeometry joint = random_geometry(kind, seed);
      const int nv = joint_nv(joint);
      std::vector<double> q;
      random_coordinates(joint, random, q);
      std::vector<double> rate(q.size());
      const auto v = random_numbers<double>(random, nv);
      std::vector<D> x(q.begin(), q.end()), y(v.begin(), v.end());
      for (int k = 0; k <= nv; ++k) {  // the last direction is v itself
        std::vector<double> e(7, 0.0);
        if (k < nv) e[static_cast<size_t>(k)] = 1;
        coordinate_rate(joint, q.data(), k < nv ? e.data() : v.data(), rate.data());
        for (size_t i = 0; i < q.size(); ++i) x[i].d[k] = rate[i];
      }
      const Motion<double> expected = motion_of(joint, q, v);
      const Motion<D> motion = motion_of(joint, x, y);
      for (int k = 0; k < nv; ++k) {
        const auto i = static_cast<size_t>(k);
        const SE3<double> dT = map(motion.T, [k](const D& z) { return z.d[k]; });
        const Twist<double> S{vee(transpose(expected.T.R.m) * dT.R.m),
                              inverse_times(expected.T.R, dT.p)};
        expect_near(expected.S[i], S, 1e-14, seed);
        const auto along_v = [nv](const D& z) { return z.d[nv]; };
        expect_near(Twist<double>(expected.S[i] + expected.Sdot[i]),
                    Twist<double>(expected.S[i] + map(motion.S[i], along_v)), 1e-14, seed);
      }
    }
}

/// Along a curve q(t) with velocity v(t): (T^-1 dT/dt)^vee = S v, and d/dt (S v) = Sdot v + S
/// dv/dt, as series: a law about every derivative of S.
TEST(Joint, ScrewsAndTheirRatesAlongACurve) {
  using Series = Taylor<double, 3>;
  for (const JointKind kind : moving_kinds())
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(name(kind));
      Random random(seed);
      const JointGeometry joint = random_geometry(kind, seed);
      std::vector<Series> q;
      random_coordinates(joint, random, q);
      const auto v = random_numbers<Series>(random, joint_nv(joint));
      follow(q, v, [&](const Series* x, const Series* y, Series* rate) {
        coordinate_rate(joint, x, y, rate);
      });
      const Motion<Series> motion = motion_of(joint, q, v);
      std::vector<Series> dv;
      for (const Series& x : v) dv.push_back(time_derivative(x));
      const Twist<Series> V = motion.along(v);
      expect_near(up_to<2>(V), up_to<2>(twist_of_curve(motion.T)), 1e-13, seed);
      expect_near(up_to<2>(Twist<Series>(motion.Sdot_v + motion.along(dv))),
                  up_to<2>(time_derivative_of(V)), 1e-13, seed);
    }
}

/// Two descriptions of the same joint do the same, coordinate by coordinate.
void expect_same_joint(const JointGeometry& a, const JointGeometry& b) {
  using Series = Taylor<double, 3>;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    std::vector<Series> q;
    random_coordinates(a, random, q);
    const auto v = random_numbers<Series>(random, joint_nv(a));
    const Motion<Series> one = motion_of(a, q, v), other = motion_of(b, q, v);
    expect_near(one.T, other.T, 1e-14, seed);
    expect_near(Twist<Series>(one.Sdot_v + one.along(v)),
                Twist<Series>(other.Sdot_v + other.along(v)), 1e-14, seed);
    for (size_t k = 0; k < v.size(); ++k) expect_near(one.S[k], other.S[k], 1e-14, seed);
  }
}
JointGeometry single(JointKind kind, std::vector<Vec3<double>> axes, double pitch = 0) {
  return {kind, {}, std::move(axes), pitch, {}, {}};
}
JointGeometry product(std::vector<JointGeometry> parts) {
  return {JointKind::composite, {}, {}, 0, std::move(parts), {}};
}

TEST(Joint, CompositesOfSimplerJoints) {
  using enum JointKind;
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Random random(5);
  const Vec3<double> a = random.unit_vec3(), b = random.unit_vec3(), c = random.unit_vec3();
  expect_same_joint(product({single(revolute, {a}), single(prismatic, {a})}),
                    single(cylindrical, {a}));
  expect_same_joint(product({single(revolute, {a}), single(revolute, {b})}),
                    single(universal, {a, b}));
  expect_same_joint(product({single(revolute, {a}), single(revolute, {b}), single(revolute, {c})}),
                    single(euler_ball, {a, b, c}));
  expect_same_joint(
      product({single(prismatic, {x}), single(prismatic, {y}), single(prismatic, {z})}),
      single(translational, {}));
  expect_same_joint(product({single(universal, {a, b}), single(revolute, {c})}),
                    product({single(revolute, {a}), single(universal, {b, c})}));
  expect_same_joint(single(helical, {a}, 0), single(revolute, {a}));
  for (const JointKind kind : {revolute, prismatic, cylindrical, planar})
    expect_same_joint(product({single(kind, {a})}), single(kind, {a}));
  for (const JointKind kind : {spherical, free, translational})
    expect_same_joint(product({single(kind, {})}), single(kind, {}));
}

TEST(Joint, PlacementsOfPartsMultiply) {
  Random random(6);
  const Vec3<double> a = random.unit_vec3(), b = random.unit_vec3();
  const SE3<double> A = random.pose(), B = random.pose(), C = random.pose();
  JointGeometry first = single(JointKind::revolute, {a}), second = single(JointKind::helical, {b});
  JointGeometry between = single(JointKind::fixed, {});
  second.pitch = 0.3;
  first.placement = A;
  between.placement = B;
  second.placement = C;
  JointGeometry merged = second;
  merged.placement = B * C;
  expect_same_joint(product({first, between, second}), product({first, merged}));
  JointGeometry outside = product({single(JointKind::revolute, {a}), merged});
  outside.placement = A;
  expect_same_joint(product({first, merged}), outside);
  expect_same_joint(product({product({first}), merged}), outside);
}

/// Different velocity coordinates, the same motion: x' and y' in the plane, p' in space.
TEST(Joint, PlanarAndFreeAsComposites) {
  using enum JointKind;
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const JointGeometry xy_theta =
      product({single(prismatic, {x}), single(prismatic, {y}), single(revolute, {z})});
  const JointGeometry p_q = product({single(translational, {}), single(spherical, {})});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    std::vector<double> q3, q7;
    random_coordinates(xy_theta, random, q3);
    random_coordinates(p_q, random, q7);
    const auto v3 = random_numbers<double>(random, 3), v6 = random_numbers<double>(random, 6);
    const Motion<double> plane = motion_of(xy_theta, q3, v3), space = motion_of(p_q, q7, v6);
    const Twist<double> V = plane.along(v3), W = space.along(v6);
    const Motion<double> planar_motion = motion_of(single(planar, {z}), q3, v3);
    const Motion<double> free_motion = motion_of(single(free, {}), q7, v6);
    expect_near(planar_motion.T, plane.T, 1e-15, seed);
    expect_near(free_motion.T, space.T, 1e-15, seed);
    expect_near(planar_motion.along({V.w.z, V.v.x, V.v.y}), V, 1e-15, seed);
    expect_near(free_motion.along({W.w.x, W.w.y, W.w.z, W.v.x, W.v.y, W.v.z}), W, 1e-15, seed);
  }
}

template <class Real>
SE3<Real> about(const Vec3<double>& axis, const Real& angle) {
  return {exp(as<Real>(axis) * angle), as<Real>(Vec3<double>{})};
}
JointGeometry custom(std::shared_ptr<const CustomJoint> function) {
  return {JointKind::custom, {}, {}, 0, {}, std::move(function)};
}

TEST(Joint, CustomEqualsBuiltIn) {
  Random random(8);
  const Vec3<double> a = random.unit_vec3(), b = random.unit_vec3();
  const auto hinge = custom_joint<1>([a](const auto* q) { return about(a, q[0]); });
  const auto cross_joint =
      custom_joint<2>([a, b](const auto* q) { return about(a, q[0]) * about(b, q[1]); });
  const auto slide = custom_joint<3>([](const auto* q) {
    using Real = std::remove_cvref_t<decltype(q[0])>;
    return SE3<Real>{as<Real>(SO3<double>{}), {q[0], q[1], q[2]}};
  });
  JointGeometry revolute = single(JointKind::revolute, {a}), mine = custom(hinge);
  expect_same_joint(mine, revolute);
  mine.placement = revolute.placement = random.pose();
  expect_same_joint(mine, revolute);
  expect_same_joint(custom(cross_joint), single(JointKind::universal, {a, b}));
  expect_same_joint(custom(slide), single(JointKind::translational, {}));
}

/// A cam lifts its follower by h(q) = (1 - cos q) / 5: S = h' along z, Sdot v = h'' v^2.
TEST(Joint, CustomCamInClosedForm) {
  const auto cam = custom_joint<1>([](const auto* q) {
    using Real = std::remove_cvref_t<decltype(q[0])>;
    return SE3<Real>{as<Real>(SO3<double>{}),
                     {Real(0), Real(0), Real(0.2) * (Real(1) - cos(q[0]))}};
  });
  for (const double q : {-2.0, -0.3, 0.0, 0.7, 3.0}) {
    const double v = 1.3;
    const Motion<double> motion = motion_of<double>(custom(cam), {q}, {v});
    expect_near(motion.T.p, Vec3<double>{0, 0, 0.2 * (1 - std::cos(q))}, 1e-15);
    expect_near(motion.S[0], Twist<double>{{}, {0, 0, 0.2 * std::sin(q)}}, 1e-15);
    expect_near(motion.Sdot_v, Twist<double>{{}, {0, 0, 0.2 * std::cos(q) * v * v}}, 1e-15);
  }
}

/// The rotation that turns an axis onto z must be accurate also for axes close to -z.
TEST(Joint, AxesCloseToMinusZ) {
  for (const double tilt : {0.3, 1e-2, 1e-4, 1e-7, 1e-8, 1e-9, 1e-12, 1e-100, 1e-300, 0.0})
    for (const JointKind kind : {JointKind::revolute, JointKind::planar}) {
      const Vec3<double> axis{std::sin(tilt), 0, -std::cos(tilt)};
      const JointGeometry joint = single(kind, {axis});
      const std::vector<double> q = {0.3, -0.4, 0.5}, v = {0.2, 0.6, -0.3};
      const SE3<double> T = motion_of(joint, q, v).T;
      SCOPED_TRACE(tilt);
      if (kind == JointKind::revolute) expect_near(T, described_pose(joint, q.data()), 2e-15);
      expect_near(T.R, exp(axis * q[kind == JointKind::revolute ? 0 : 2]), 2e-15);
      EXPECT_NEAR(norm(T.p), kind == JointKind::revolute ? 0 : 0.5, 2e-15);
      EXPECT_NEAR(dot(T.p, axis), 0, 2e-15);
    }
}

}  // namespace
}  // namespace jounce::test
