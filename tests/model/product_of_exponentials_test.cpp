// SPDX-License-Identifier: BSD-3-Clause
// Products of exponentials: the three forms, their Jacobians, robots and Denavit-Hartenberg tables.
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/group/matrices.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/product_of_exponentials.hpp>
#include <jounce/model/workspace.hpp>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

/// A revolute, prismatic or helical screw somewhere in space.
Twist<double> random_screw(Random& random) {
  const Vec3<double> axis = random.unit_vec3(), point = random.vec3();
  const auto kind = random.bits() % 3;
  if (kind == 0) return {{}, axis};
  return {axis, cross(point, axis) + axis * (kind == 1 ? 0.0 : random.number(0.1, 0.5))};
}
PoeLocal random_local(Random& random, int n) {
  PoeLocal local;
  for (int i = 0; i < n; ++i) {
    local.P.push_back(random_screw(random));
    local.M.push_back(random.pose());
  }
  return local;
}
template <class Real = double>
std::vector<Real> random_numbers(Random& random, size_t n) {
  std::vector<Real> q;
  for (size_t i = 0; i < n; ++i) q.push_back(random.number<Real>(-3, 3));
  return q;
}

template <class Real>
class ProductOfExponentialsOf : public testing::Test {};
using Kinds = testing::Types<double, Taylor<double, 3>, Dual<double, 2>, Pack<double, 4>>;
TYPED_TEST_SUITE(ProductOfExponentialsOf, Kinds);

TYPED_TEST(ProductOfExponentialsOf, ThreeFormsAgree) {
  using Real = TypeParam;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const PoeLocal local = random_local(random, 1 + static_cast<int>(seed % 8));
    const PoeSpace space = to_space(local);
    const PoeBody body = to_body(local);
    const auto q = random_numbers<Real>(random, local.P.size());
    const SE3<Real> f = local.forward(q);
    const auto J_body = local.jacobian_body(q), J_space = local.jacobian_space(q);
    const double tolerance = rounding<Real>(500);  // up to 16 products of poses, lengths up to 20
    expect_near(space.forward(q), f, tolerance, seed);
    expect_near(body.forward(q), f, tolerance, seed);
    for (size_t i = 0; i < q.size(); ++i) {
      expect_near(space.jacobian_body(q)[i], J_body[i], tolerance, seed);
      expect_near(body.jacobian_body(q)[i], J_body[i], tolerance, seed);
      expect_near(space.jacobian_space(q)[i], J_space[i], tolerance, seed);
      expect_near(body.jacobian_space(q)[i], J_space[i], tolerance, seed);
      expect_near(Ad(f, J_body[i]), J_space[i], tolerance, seed);
    }
  }
}

TEST(ProductOfExponentials, ConversionsGoRoundAndComeBack) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const PoeLocal local = random_local(random, 1 + static_cast<int>(seed % 8));
    const std::vector<SE3<double>> home = home_poses(local);
    const std::span<const SE3<double>> inner(home.data(), home.size() - 1);
    const PoeSpace space = to_space(local);
    expect_near(home.back(), space.M, 0, seed);
    for (const PoeLocal& back : {to_local(space, inner), to_local(to_body(local), inner)})
      for (size_t i = 0; i < local.P.size(); ++i) {
        expect_near(back.P[i], local.P[i], 1e-14, seed);
        expect_near(back.M[i], local.M[i], 1e-14, seed);
      }
    for (const PoeLocal& other : {to_local(space), to_local(to_body(space))}) {
      const PoeSpace again = to_space(other);
      expect_near(again.M, space.M, 1e-14, seed);
      for (size_t i = 0; i < space.A.size(); ++i) expect_near(again.A[i], space.A[i], 1e-14, seed);
    }
  }
}

TEST(ProductOfExponentials, JacobiansAreDerivatives) {
  constexpr int n = 6;
  using D = Dual<double, n>;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const PoeSpace space = to_space(random_local(random, n));
    const auto q = random_numbers(random, n);
    std::vector<D> x;
    for (int i = 0; i < n; ++i) x.push_back(D::variable(q[static_cast<size_t>(i)], i));
    const SE3<D> T = space.forward(x);
    const SE3<double> f = map(T, [](const D& y) { return y.a; });
    const auto J_body = space.jacobian_body(q), J_space = space.jacobian_space(q);
    for (int i = 0; i < n; ++i) {
      const SE3<double> df = map(T, [i](const D& y) { return y.d[i]; });
      const Twist<double> V{vee(transpose(f.R.m) * df.R.m), inverse_times(f.R, df.p)};
      expect_near(J_body[static_cast<size_t>(i)], V, 1e-13, seed);
      expect_near(J_space[static_cast<size_t>(i)], Ad(f, V), 1e-13, seed);
    }
  }
}

/// The pose of a frame by forward_poses.
SE3<double> pose_of(const Robot& robot, const std::string& frame, const std::vector<double>& q) {
  WorkspaceStorage<double> storage(robot.model());
  const std::vector<double> v(static_cast<size_t>(robot.nv()), 0.0);
  forward_poses(robot.model(), State<double>{q.data(), v.data(), v.data()}, storage.view());
  const FrameInfo& info = robot.frame_info(robot.frame(frame));
  return storage.view().pose[info.body] * info.offset;
}

TEST(ProductOfExponentials, OfARobotIsItsForwardKinematics) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    GeneratorOptions options;
    options.shape = TreeShape::random_tree;
    options.bodies = 12;
    options.kinds = {JointKind::revolute, JointKind::prismatic, JointKind::helical,
                     JointKind::fixed};
    options.fixed_links = options.child_placements = true;
    options.seed = seed;
    const Robot robot(generate(options));
    const auto q = robot.random(seed);
    for (const FrameInfo& frame : robot.frames()) {
      const RobotChain chain = chain_to(robot, robot.frame(frame.name));
      std::vector<double> x;
      for (const int k : chain.q) x.push_back(q[static_cast<size_t>(k)]);
      expect_near(chain.poe.forward(x), pose_of(robot, frame.name, q), 1e-14, seed);
    }
  }
}

TEST(ProductOfExponentials, BecomesARobot) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const PoeLocal local = random_local(random, 1 + static_cast<int>(seed % 8));
    const Robot robot(to_description(local, "screws"));
    const auto q = random_numbers(random, local.P.size());
    expect_near(pose_of(robot, "tool", q), local.forward(q), 1e-14, seed);
    const RobotChain chain = chain_to(robot, robot.frame("tool"));
    const PoeSpace space = to_space(local);
    for (size_t i = 0; i < q.size(); ++i) expect_near(chain.poe.A[i], space.A[i], 1e-14, seed);
    for (size_t i = 0; i < q.size(); ++i) {
      const bool turns = norm(local.P[i].w) > 0.5;
      const bool advances = std::abs(dot(local.P[i].w, local.P[i].v)) > 0.05;
      EXPECT_EQ(robot.joints()[i].kind, !turns     ? JointKind::prismatic
                                        : advances ? JointKind::helical
                                                   : JointKind::revolute);
    }
  }
}

TEST(ProductOfExponentials, LinksKeepNamesAndInertias) {
  Random random(7);
  const PoeLocal local = random_local(random, 2);
  std::vector<LinkDescription> links(2);
  links[0] = {"upper", 2, {0.1, 0, 0}, {0.01, 0, 0.02, 0, 0, 0.02}, {}, {}};
  links[1].mass = 3;
  const Robot robot(to_description(local, "arm", links));
  EXPECT_EQ(robot.name(), "arm");
  EXPECT_EQ(robot.mass(), 5);
  EXPECT_EQ(robot.frames()[1].name, "upper");
  EXPECT_EQ(robot.frames()[2].name, "link_2");
  const auto home = home_poses(local);
  expect_near(pose_of(robot, "upper", robot.neutral()), home[0], 1e-15);
}

/// Elementary 4x4 matrices, written out.
Mat4<double> rotate_z(double t) {
  return {{{std::cos(t), -std::sin(t), 0, 0},
           {std::sin(t), std::cos(t), 0, 0},
           {0, 0, 1, 0},
           {0, 0, 0, 1}}};
}
Mat4<double> rotate_x(double t) {
  return {{{1, 0, 0, 0},
           {0, std::cos(t), -std::sin(t), 0},
           {0, std::sin(t), std::cos(t), 0},
           {0, 0, 0, 1}}};
}
Mat4<double> translate(double x, double z) {
  return {{{1, 0, 0, x}, {0, 1, 0, 0}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}
Mat4<double> row_matrix(const DhRow& row, DhConvention convention, double q) {
  const bool turns = row.kind == JointKind::revolute;
  const Mat4<double> z =
      rotate_z(row.theta + (turns ? q : 0)) * translate(0, row.d + (turns ? 0 : q));
  if (convention == DhConvention::standard) return z * translate(row.a, 0) * rotate_x(row.alpha);
  return rotate_x(row.alpha) * translate(row.a, 0) * z;
}

DhTable random_table(Random& random, DhConvention convention, int n) {
  DhTable table{convention, {}, random.pose(), random.pose()};
  for (int i = 0; i < n; ++i)
    table.rows.push_back({random.number(), random.number(-3, 3), random.number(),
                          random.number(-3, 3),
                          random.bits() % 3 ? JointKind::revolute : JointKind::prismatic});
  return table;
}

TEST(DenavitHartenberg, BothConventionsAgainstMatrixProducts) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const DhConvention convention : {DhConvention::standard, DhConvention::modified}) {
      Random random(seed);
      const DhTable table = random_table(random, convention, 1 + static_cast<int>(seed % 7));
      const auto q = random_numbers(random, table.rows.size());
      Mat4<double> T = to_matrix(table.base);
      const Robot robot(to_description(table, "dh"));
      for (size_t i = 0; i < q.size(); ++i) {
        T = T * row_matrix(table.rows[i], convention, q[i]);
        expect_near(to_matrix(pose_of(robot, "link_" + std::to_string(i + 1), q)), T, 1e-14, seed);
      }
      T = T * to_matrix(table.tool);
      expect_near(to_matrix(to_local(table).forward(q)), T, 1e-14, seed);
      expect_near(to_matrix(to_space(to_local(table)).forward(q)), T, 1e-14, seed);
      expect_near(to_matrix(pose_of(robot, "tool", q)), T, 1e-14, seed);
    }
}

constexpr double quarter = pi / 2;
constexpr double a2 = 0.4318, a3 = 0.0203, d3 = 0.15005, d4 = 0.4318;

/// Corke and Armstrong-Helouvry 1994, standard convention.
DhTable puma_standard() {
  return {DhConvention::standard,
          {{0, quarter, 0, 0},
           {a2, 0, 0, 0},
           {a3, -quarter, d3, 0},
           {0, quarter, d4, 0},
           {0, -quarter, 0, 0},
           {0, 0, 0, 0}},
          {},
          {}};
}
/// Craig, Introduction to Robotics, figure 3.21.
DhTable puma_modified() {
  return {DhConvention::modified,
          {{0, 0, 0, 0},
           {0, -quarter, 0, 0},
           {a2, 0, d3, 0},
           {a3, -quarter, d4, 0},
           {0, quarter, 0, 0},
           {0, -quarter, 0, 0}},
          {},
          {}};
}

TEST(DenavitHartenberg, PumaAtPublishedPoses) {
  const PoeLocal puma = to_local(puma_standard());
  const SE3<double> zero = puma.forward(std::vector<double>(6, 0.0));
  expect_near(zero, SE3<double>{{}, {0.4521, -0.15005, 0.4318}}, 1e-15);
  // Corke, Robotics, Vision and Control, 7.2.1: the nominal pose, printed with four decimals.
  const SE3<double> nominal = puma.forward(std::vector<double>{0, pi / 4, pi, 0, pi / 4, 0});
  const SE3<double> printed{{{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}}, {0.5963, -0.1501, -0.0144}};
  expect_near(nominal, printed, 6e-5);
}

TEST(DenavitHartenberg, PumaWristInClosedForm) {
  const PoeLocal puma = to_local(puma_standard());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto q = random_numbers(random, 6);
    const SinCos<double> t1 = sincos(q[0]), t2 = sincos(q[1]), t23 = sincos(q[1] + q[2]);
    const double reach = a2 * t2.cos + a3 * t23.cos - d4 * t23.sin;
    const Vec3<double> wrist{t1.cos * reach + d3 * t1.sin, t1.sin * reach - d3 * t1.cos,
                             a2 * t2.sin + a3 * t23.sin + d4 * t23.cos};
    expect_near(puma.forward(q).p, wrist, 1e-14, seed);
  }
}

TEST(DenavitHartenberg, PumaAgainstCraigsEquation) {
  const PoeLocal puma = to_local(puma_modified());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto q = random_numbers(random, 6);
    const auto [s1, c1] = sincos(q[0]);
    const auto [s2, c2] = sincos(q[1]);
    const auto [s23, c23] = sincos(q[1] + q[2]);
    const auto [s4, c4] = sincos(q[3]);
    const auto [s5, c5] = sincos(q[4]);
    const auto [s6, c6] = sincos(q[5]);
    const SE3<double> f = puma.forward(q);
    const double u = c4 * c5 * c6 - s4 * s6, w = s4 * c5 * c6 + c4 * s6;  // his equation (3.14)
    const double reach = a2 * c2 + a3 * c23 - d4 * s23;
    const Vec3<double> x{c1 * (c23 * u - s23 * s5 * c6) + s1 * w,
                         s1 * (c23 * u - s23 * s5 * c6) - c1 * w, -s23 * u - c23 * s5 * c6};
    const Vec3<double> z{-c1 * (c23 * c4 * s5 + s23 * c5) - s1 * s4 * s5,
                         -s1 * (c23 * c4 * s5 + s23 * c5) + c1 * s4 * s5, s23 * c4 * s5 - c23 * c5};
    const Vec3<double> p{c1 * reach - d3 * s1, s1 * reach + d3 * c1,
                         -a3 * s23 - a2 * s2 - d4 * c23};
    expect_near(f.p, p, 1e-14, seed);
    expect_near(f.R * Vec3<double>{1, 0, 0}, x, 1e-14, seed);
    expect_near(f.R * Vec3<double>{0, 0, 1}, z, 1e-14, seed);
  }
}

TEST(ProductOfExponentials, RefusesWrongSizes) {
  Random random(1);
  PoeLocal local = random_local(random, 3);
  const PoeSpace space = to_space(local);
  const std::vector<double> q(2);
  const std::string found = ": q has 2 elements, the chain has 3 joints";
  EXPECT_EQ(message([&] { local.forward(q); }), "forward" + found);
  EXPECT_EQ(message([&] { space.jacobian_body(q); }), "jacobian_body" + found);
  EXPECT_EQ(message([&] { to_body(space).jacobian_space(q); }), "jacobian_space" + found);
  EXPECT_EQ(message([&] { to_local(space, local.M); }), "to_local: home has 3 elements, needs 2");
  EXPECT_EQ(message([] { to_local(PoeSpace{}); }), "to_local: form (12) needs at least one joint");
  EXPECT_EQ(message([&] { to_description(local, "arm", std::vector<LinkDescription>(2)); }),
            "to_description: links has 2 elements, the chain has 3 joints");
  local.M.pop_back();
  const std::string uneven = ": P has 3 elements, M has 2";
  EXPECT_EQ(message([&] { local.forward(std::vector<double>(3)); }), "forward" + uneven);
  EXPECT_EQ(message([&] { to_space(local); }), "to_space" + uneven);
  EXPECT_EQ(message([&] { to_body(local); }), "to_body" + uneven);
  EXPECT_EQ(message([&] { home_poses(local); }), "home_poses" + uneven);
  EXPECT_EQ(message([&] { to_description(local, "arm"); }), "to_description" + uneven);
}

TEST(ProductOfExponentials, RefusesScrewsWithoutUnitLength) {
  PoeLocal local{{{{0, 0, 1}, {}}, {{0, 0, 2}, {}}}, {{}, {}}};
  EXPECT_EQ(message([&] { to_description(local, "arm"); }),
            "to_description: screw 2: angular part has length 2, needs 1 or 0");
  local.P[1] = {{}, {0, 0.5, 0}};
  EXPECT_EQ(message([&] { to_description(local, "arm"); }),
            "to_description: screw 2: linear part has length 0.5, needs 1");
}

TEST(ProductOfExponentials, NamesTheJointThatIsNoScrew) {
  GeneratorOptions options;
  options.bodies = 3;
  options.kinds = {JointKind::spherical};
  const Robot ball(generate(options));
  EXPECT_EQ(message([&] { chain_to(ball, ball.frame("tool")); }),
            "chain_to: joint \"joint_1\" is spherical, needs revolute, prismatic or helical");
  RobotDescription two = generate_chain(2);
  two.joints[1].mimic = Mimic{"joint_1", 1, 0};
  const Robot coupled(two);
  EXPECT_EQ(message([&] { chain_to(coupled, coupled.frame("tool")); }),
            "chain_to: joint \"joint_2\" is a mimic, needs its own coordinate");
  EXPECT_TRUE(chain_to(ball, ball.frame("base")).q.empty());
}

TEST(DenavitHartenberg, RefusesBadRows) {
  DhTable table = puma_standard();
  table.rows[1].kind = JointKind::helical;
  EXPECT_EQ(message([&] { to_local(table); }),
            "Denavit-Hartenberg row 2 is helical, needs revolute or prismatic");
  table = puma_standard();
  table.rows[2].alpha = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message([&] { to_description(table, "arm"); }),
            "Denavit-Hartenberg row 3: alpha is not finite");
  table.rows.clear();
  EXPECT_EQ(message([&] { to_local(table); }), "Denavit-Hartenberg table has no rows");
}

}  // namespace
}  // namespace jounce::test
