// SPDX-License-Identifier: BSD-3-Clause
// A singular mass matrix is refused by all calls alike, and the refusal says why.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/mass_bound.hpp>
#include <jounce/any_number.hpp>
#include <jounce/jounce.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/model/singular_mass.hpp>
#include <jounce/model/workspace.hpp>

#include "model/random_robot.hpp"
#include "support/allocation_guard.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::message;
using Lanes = Pack<double, 4>;

/// A chain of one kind of joint about or along random axes; only the last link has mass.
RobotDescription chain(JointKind kind, int joints, std::uint64_t seed) {
  test::Random rng(seed);
  RobotDescription robot{.name = "chain"};
  robot.links.push_back({.name = "ground"});
  for (int k = 0; k < joints; ++k) {
    const std::string number = std::to_string(k + 1);
    robot.links.push_back({.name = "link_" + number});
    JointDescription joint{"joint_" + number, robot.links[size_t(k)].name, "link_" + number};
    const Vec3<double> axis = rng.vec3();
    joint.geometry = {.kind = kind,
                      .placement = {exp(rng.vec3()), rng.vec3() * 0.3},
                      .axes = {axis * (1 / norm(axis))},
                      .pitch = kind == JointKind::helical ? rng.uniform(-0.1, 0.1) : 0};
    robot.joints.push_back(joint);
  }
  LinkDescription& last = robot.links.back();
  last.mass = 1, last.com = {0.05, 0.1, 0.02}, last.I_com = {0.01, 0, 0.02, 0, 0, 0.025};
  return robot;
}

/// Every call that solves with the mass matrix, by name.
struct Solvers {
  explicit Solvers(const Robot& robot_)
      : robot(robot_),
        dynamics(robot_),
        factors(robot_),
        derivatives(robot_),
        second(robot_),
        series(robot_, 1),
        lanes(robot_),
        lane_factors(robot_) {}

  std::vector<std::pair<std::string, std::string>> answers(const VectorXd& q) {
    const int n = robot.nv();
    const VectorXd v = VectorXd::Zero(n), tau = VectorXd::Ones(n);
    const MatrixXd taus = MatrixXd::Ones(n, 2), motion = MatrixXd::Zero(n, 3);
    const std::vector<Lanes> at(q.begin(), q.end()), zero(size_t(n), Lanes(0.0)),
        one(size_t(n), Lanes(1.0));
    const auto flags = std::make_unique<bool[]>(size_t(n));
    const std::span<const bool> none(flags.get(), size_t(n));
    Dynamics& d = dynamics;
    const std::pair<std::string, std::function<void()>> calls[] = {
        {"forward", [&] { d.forward(q, v, tau); }},
        {"hybrid", [&] { d.hybrid(none, q, v, v, tau); }},
        {"mass_inverse", [&] { d.mass_inverse(q); }},
        {"at", [&] { factors.at(q); }},
        {"forward_derivatives", [&] { derivatives.forward(q, v, tau); }},
        {"hybrid_derivatives", [&] { derivatives.hybrid(none, q, v, v, tau); }},
        {"forward_vector_jacobian", [&] { derivatives.forward_vector_jacobian(tau, q, v, tau); }},
        {"forward_jacobian_vector",
         [&] { derivatives.forward_jacobian_vector(q, v, tau, v, v, tau); }},
        {"forward_second_derivatives", [&] { second.forward(q, v, tau); }},
        {"forward_second_products", [&] { second.forward_products(tau, q, v, tau); }},
        {"forward_series", [&] { series.forward(q, v, taus); }},
        {"hybrid_series", [&] { series.hybrid(none, q, motion, taus); }},
        {"forward", [&] { lanes.forward(at, zero, one); }},
        {"hybrid", [&] { lanes.hybrid(none, at, zero, zero, one); }},
        {"mass_inverse", [&] { lanes.mass_inverse(at); }},
        {"at", [&] { lane_factors.at(at); }}};
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& [name, call] : calls) found.emplace_back(name, message(call));
    return found;
  }

  void expect_refused(const VectorXd& q, const std::string& why) {
    for (const auto& [name, told] : answers(q)) EXPECT_EQ(told, name + ": " + why);
  }

  Robot robot;
  Dynamics dynamics;
  MassFactors factors;
  Derivatives derivatives;
  SecondDerivatives second;
  Series series;
  BasicDynamics<Lanes> lanes;
  BasicMassFactors<Lanes> lane_factors;
};

VectorXd random_q(const Robot& robot, std::uint64_t seed) {
  const std::vector<double> q = robot.random(seed);
  return VectorXd::Map(q.data(), Eigen::Index(q.size()));
}

TEST(SingularMass, MoreFreedomsThanABodyHas) {
  for (int seed = 0; seed < test::scaled(60); ++seed)
    for (const auto& [kind, joints] : {std::pair(JointKind::revolute, 7),
                                       {JointKind::revolute, 8},
                                       {JointKind::prismatic, 4},
                                       {JointKind::helical, 7}}) {
      SCOPED_TRACE(std::to_string(seed) + " with " + std::to_string(joints));
      Solvers solvers(Robot(chain(kind, joints, std::uint64_t(seed))));
      std::string names;
      for (int k = 1; k <= joints; ++k)
        names += (k == 1        ? "\"joint_"
                  : k == joints ? " and \"joint_"
                                : ", \"joint_") +
                 std::to_string(k) + "\"";
      solvers.expect_refused(random_q(solvers.robot, std::uint64_t(seed)),
                             "joints " + names + " can move together without moving any mass");
    }
}

TEST(SingularMass, TwoSlidesAlongOneLine) {
  RobotDescription slides = chain(JointKind::prismatic, 2, 0);
  for (JointDescription& joint : slides.joints)
    joint.geometry = {.kind = JointKind::prismatic, .axes = {{0.6, 0.8, 0}}};
  Solvers solvers{Robot(slides)};
  solvers.expect_refused(VectorXd::Zero(2),
                         "joints \"joint_1\" and \"joint_2\" move the same bodies: link "
                         "\"link_1\" between them has no mass");
}

TEST(SingularMass, NamesAllJointsThatMoveNoMass) {
  RobotDescription robot = generate_chain(4);
  for (const size_t k : {3, 4}) robot.links[k] = {.name = robot.links[k].name};
  Solvers(Robot(robot))
      .expect_refused(VectorXd::Constant(4, 0.3),
                      "joint \"joint_3\" moves links \"" + robot.links[3].name + "\" and \"" +
                          robot.links[4].name +
                          "\", which have no mass; joint \"joint_4\" moves "
                          "link \"" +
                          robot.links[4].name + "\", which has no mass");
}

TEST(SingularMass, MimicsThatMoveNoMass) {
  RobotDescription robot = generate_chain(4);
  robot.joints[3].mimic = Mimic{robot.joints[2].name, 1, 0};
  for (const size_t k : {3, 4}) robot.links[k] = {.name = robot.links[k].name};
  Solvers(Robot(robot))
      .expect_refused(VectorXd::Constant(3, 0.3),
                      "joint \"joint_3\" moves links \"" + robot.links[3].name + "\" and \"" +
                          robot.links[4].name + "\", which have no mass");
}

/// Joints and words of causes: "2 3: joint ...".
std::vector<std::string> words_of(const std::vector<SingularCause>& causes) {
  std::vector<std::string> words(causes.size());
  for (size_t k = 0; k < causes.size(); ++k) {
    for (const size_t j : causes[k].joints) words[k] += std::to_string(j) + " ";
    words[k] += causes[k].text;
  }
  return words;
}
std::vector<std::string> causes_of(const Robot& robot) {
  const MatrixXd M = Dynamics(robot).mass(robot.random(3));
  return words_of(singular_causes(robot, M.data(), nullptr, MassBounds(robot)));
}

TEST(SingularMass, CausesAsData) {
  RobotDescription given = generate_chain(6);
  EXPECT_TRUE(causes_of(Robot(given)).empty());
  EXPECT_TRUE(massless_joints(Robot(given)).empty());
  given.links[6] = {.name = given.links[6].name};
  given.links[2] = {.name = given.links[2].name};
  given.joints[2].geometry = {.kind = JointKind::prismatic, .axes = {{0, 0, 1}}};
  given.joints[1].geometry = given.joints[2].geometry;
  const std::string tip =
      "5 joint \"joint_6\" moves link \"" + given.links[6].name + "\", which has no mass";
  const Robot robot(given);
  EXPECT_EQ(causes_of(robot),
            (std::vector<std::string>{tip,
                                      "1 2 joints \"joint_2\" and \"joint_3\" move the same "
                                      "bodies: link \"" +
                                          given.links[2].name + "\" between them has no mass"}));
  EXPECT_EQ(words_of(massless_joints(robot)), std::vector<std::string>{tip});
}

/// What a joint and its mimics move has mass where any of them moves some, or has a rotor.
TEST(SingularMass, MassThatAMimicOrARotorMoves) {
  RobotDescription given = generate_chain(3);
  given.links[3] = {.name = given.links[3].name};
  RobotDescription rotor = given, led = given;
  rotor.joints[2].properties.armature = {0.1};
  led.joints[1].mimic = Mimic{led.joints[2].name, 2, 0};
  RobotDescription turning = given;
  turning.links[3].I_com = {0.1, 0, 0.1, 0, 0, 0.1};  // a wheel whose mass is another link's
  for (const RobotDescription& one : {rotor, led, turning}) {
    EXPECT_TRUE(massless_joints(Robot(one)).empty());
    EXPECT_TRUE(causes_of(Robot(one)).empty());
  }
  given.joints[2].geometry = {.kind = JointKind::universal, .axes = {{1, 0, 0}, {0, 1, 0}}};
  given.joints[2].properties = {.armature = {0.1, 0}};
  EXPECT_EQ(words_of(massless_joints(Robot(given))), causes_of(Robot(given)));
  RobotDescription both = generate_chain(3);
  for (const size_t k : {2, 3}) both.links[k] = {.name = both.links[k].name};
  both.joints[2].mimic = Mimic{both.joints[1].name, 1, 0};
  EXPECT_EQ(massless_joints(Robot(both)).size(), 1u);  // the leader
}

TEST(SingularMass, ManyLinksWithoutMassAreCounted) {
  RobotDescription given = generate_chain(30);
  for (LinkDescription& link : given.links) link = {.name = link.name};
  const std::vector<SingularCause> causes = massless_joints(Robot(given));
  ASSERT_EQ(causes.size(), 30u);
  EXPECT_TRUE(causes[0].text.ends_with(" and 18 others, which have no mass")) << causes[0].text;
}

TEST(SingularMass, MassOnTheAxisOfItsJoint) {
  RobotDescription robot = chain(JointKind::revolute, 1, 3);
  LinkDescription& link = robot.links.back();
  link.com = robot.joints[0].geometry.axes[0] * 0.7, link.I_com = {};
  Solvers(Robot(robot))
      .expect_refused(VectorXd::Constant(1, 0.4),
                      "joint \"joint_1\" can move without moving any mass");
}

TEST(SingularMass, AFreeBaseOnARootWithoutMass) {
  RobotDescription wheel = chain(JointKind::revolute, 1, 5);
  const Robot floating = with_base(Robot(wheel), JointKind::free);
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    Solvers(floating).expect_refused(
        random_q(floating, seed),
        "joints \"base\" and \"joint_1\" move the same bodies: link \"ground\" between them has no "
        "mass; fix the base, or give it a mass");
  wheel.joints[0].geometry = {.kind = JointKind::free};
  const Robot twice = with_base(Robot(wheel), JointKind::free);
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    Solvers(twice).expect_refused(
        random_q(twice, seed),
        "joints \"base\" and \"joint_1\" move the same bodies: link \"ground\" between them has no "
        "mass; joint \"joint_1\" lets the robot float already, so fix its base");
}

/// Six joints that move a body in all directions, some only just: regular, however small a pivot.
TEST(SingularMass, NearlySingularIsNotSingular) {
  double smallest = 1;
  for (int seed = 0; seed < 1000; ++seed) {
    Solvers solvers(Robot(chain(JointKind::revolute, 6, std::uint64_t(seed))));
    const VectorXd q = random_q(solvers.robot, std::uint64_t(seed));
    const MatrixXd M = solvers.dynamics.mass(q), LD = solvers.factors.at(q).LD();
    const double part = (LD.diagonal().array() / M.diagonal().array()).minCoeff();
    smallest = std::min(smallest, part);
    if (part > 1e-6) continue;
    for (const auto& [name, told] : solvers.answers(q))
      EXPECT_EQ(told, "no error") << seed << ' ' << name;
  }
  EXPECT_LT(smallest, 1e-6);
}

/// Prescribed coordinates take no part: what they alone made singular is regular.
TEST(SingularMass, PrescribedCoordinatesDoNotCount) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Robot robot(chain(JointKind::revolute, 7, seed));
    Dynamics d(robot);
    const VectorXd q = random_q(robot, seed), zero = VectorXd::Zero(7), tau = VectorXd::Ones(7);
    const bool one[] = {false, false, false, true, false, false, false};
    const HybridResult found = d.hybrid(one, q, zero, zero, tau);
    const VectorXd a = found.a, forces = found.tau, back = d.inverse(q, zero, a);
    EXPECT_LE((back - forces).cwiseAbs().maxCoeff(), 1e-6 * forces.cwiseAbs().maxCoeff()) << seed;
    EXPECT_EQ(message([&] { Derivatives(robot).hybrid(one, q, zero, zero, tau); }), "no error");
    EXPECT_EQ(message([&] {
                Series(robot, 0).hybrid(one, q, MatrixXd::Zero(7, 2), MatrixXd::Ones(7, 1));
              }),
              "no error");
  }
}

/// Small joints on large robots, sliding and custom ones, and the armature of a joint without mass.
TEST(SingularMass, RegularRobotsAreAnswered) {
  for (int seed = 0; seed < test::scaled(100); ++seed) {
    test::RobotInMotion c(std::uint64_t(seed), seed % 3 == 0);
    if (c.robot.nv() == 0) continue;
    Solvers solvers(c.robot);
    for (const auto& [name, told] : solvers.answers(c.q))
      EXPECT_EQ(told, "no error") << seed << ' ' << name;
  }
  RobotDescription finger = generate_chain(5);
  LinkDescription& tip = finger.links.back();
  tip.mass = 1e-6, tip.com = {0, 0, 1e-3}, tip.I_com = {1e-14, 0, 1e-14, 0, 0, 1e-14};
  finger.joints[1].geometry = {.kind = JointKind::prismatic, .axes = {{0, 1, 0}}};
  for (const auto& [name, told] : Solvers(Robot(finger)).answers(VectorXd::Constant(5, 0.2)))
    EXPECT_EQ(told, "no error") << name;
  RobotDescription rotor = generate_chain(3);
  rotor.links.back() = {.name = rotor.links.back().name};
  rotor.joints.back().properties.armature = {1e-3};
  for (const auto& [name, told] : Solvers(Robot(rotor)).answers(VectorXd::Constant(3, 0.2)))
    EXPECT_EQ(told, "no error") << name;
}

/// The screen is an upper bound: no diagonal entry is above it, whatever joints slide or move.
TEST(SingularMass, BoundsHold) {
  for (int seed = 0; seed < test::scaled(200); ++seed) {
    const Robot robot = test::random_robot(std::uint64_t(seed));
    const MassBounds bounds(robot);
    Dynamics d(robot);
    const VectorXd q = random_q(robot, std::uint64_t(seed));
    WorkspaceStorage<double> storage(robot.model());
    const std::vector<double> zero(size_t(robot.model().nv));
    const State<double> x{q.data(), zero.data(), zero.data()};
    forward_poses(robot.model(), x, storage.view());
    const MatrixXd M = d.mass(q);
    for (int k = 0; k < robot.nv(); ++k)
      for (const double part : {0.9e-7, 1.1e-7}) {  // of M_kk: beside the limit of doubt
        std::fill_n(storage.view().D, 6 * robot.nv(), 1e-300);  // all others beyond doubt
        storage.view().D[bounds.place(k)] = 1 / (part * M(k, k));
        EXPECT_EQ(bounds.doubtful(k, part * M(k, k), M(k, k)), part < 1e-7) << seed << ' ' << k;
        EXPECT_TRUE(part > 1e-7 || !bounds.beyond_doubt(storage.view())) << seed << ' ' << k;
      }
  }
}

/// The second screen, in one configuration: the diagonal with the trace of what turns in place of
/// its moment about the axis, from composite inertias.
TEST(SingularMass, BoundsOfAConfigurationHold) {
  for (int seed = 0; seed < test::scaled(200); ++seed) {
    const Robot robot = test::random_robot(std::uint64_t(seed));
    const Model<double>& m = robot.model();
    const VectorXd q = random_q(robot, std::uint64_t(seed));
    WorkspaceStorage<double> storage(m);
    const Workspace<double> w = storage.view();
    const std::vector<double> zero(size_t(m.nv));
    forward_poses(m, State<double>{q.data(), zero.data(), zero.data()}, storage.view());
    std::vector<Inertia<double>> composite(m.G, m.G + m.bodies);
    for (int i = m.bodies - 1; i > 0; --i)
      composite[size_t(m.parent[i])] =
          composite[size_t(m.parent[i])] + push_forward(w.T[i], composite[size_t(i)]);
    const MatrixXd M = Dynamics(robot).mass(q);
    std::vector<MassSpread<double>> spread(composite.size());
    int seen = 0;
    for_each_mass_bound(m, w, spread.data(), [&](int k, double bound) {
      int i = 1;
      while (m.v_at[i + 1] <= k) ++i;
      const Inertia<double>& G = composite[size_t(i)];
      const Twist<double>& S = w.S[k];
      const Wrench<double> felt = G * S;
      const double turning = dot(G.I * S.w, S.w),
                   traced = dot(S.w, S.w) * (G.I.xx + G.I.yy + G.I.zz) / 2;
      const double expected = dot(felt, S) + m.armature[k] - turning + traced;
      EXPECT_NEAR(bound, expected, 1e-12 * (std::abs(expected) + traced)) << seed << ' ' << k;
      EXPECT_GE(bound, M(k, k) * (1 - 1e-12) - 1e-12 * traced) << seed << ' ' << k;
      ++seen;
    });
    EXPECT_EQ(seen, m.nv);
  }
}

TEST(SingularMass, OtherNumbersHaveTheSameRule) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Robot robot(chain(JointKind::revolute, 7, seed));
    const VectorXd q = random_q(robot, seed);
    const std::vector<float> q_float(q.begin(), q.end()), zero(7), one(7, 1.0F);
    BasicDynamics<float> floats(robot);
    EXPECT_EQ(message([&] { floats.forward(q_float, zero, one); }).substr(0, 44),
              "forward: joints \"joint_1\", \"joint_2\", \"joint")
        << seed;
    BasicDynamics<Lanes> lanes(robot);
    std::vector<Lanes> q_lanes(7), v(7, Lanes(0.0)), tau(7, Lanes(1.0));
    for (size_t k = 0; k < 7; ++k) q_lanes[k] = Lanes(q[Eigen::Index(k)]);
    EXPECT_EQ(message([&] { lanes.forward(q_lanes, v, tau); }).substr(0, 44),
              "forward: joints \"joint_1\", \"joint_2\", \"joint")
        << seed;
  }
  const Robot arm = load("builtin:arm7");
  BasicDynamics<float> floats(arm);
  const std::vector<float> q(7, 0.3F);
  EXPECT_EQ(message([&] { floats.forward(q, q, q); }), "no error");
}

/// An inertia that was made larger than the robot's own: the robot's bounds no longer hold.
TEST(SingularMass, ChangedInertiasAreJudgedAsTheyAre) {
  BasicDynamics<Lanes> numbers{Robot(chain(JointKind::revolute, 7, 1))};
  const std::vector<double> start = numbers.robot().random(2);
  const std::vector<Lanes> q(start.begin(), start.end()), one(7, Lanes(1.0));
  Inertia<double>& G = numbers.inertia(7);
  const Inertia<double> before = G;
  G = {before.mass * 1e20, before.h * 1e20, before.I};
  G.I.xx *= 1e20, G.I.xy *= 1e20, G.I.yy *= 1e20, G.I.xz *= 1e20, G.I.yz *= 1e20, G.I.zz *= 1e20;
  EXPECT_NE(message([&] { numbers.forward(q, one, one); }), "no error");
}

/// Robots of many coordinates are judged without their mass matrix, those below with it: the same
/// rule. A chain whose links all have mass is answered; without that of the last one it is refused.
TEST(SingularMass, LongChainsHaveTheSameRule) {
  for (const int joints : {900, 1100}) {
    RobotDescription robot = generate({.bodies = joints, .seed = 2});
    const VectorXd zero = VectorXd::Zero(joints);
    const auto forward = [&] {
      const Robot compiled(robot);
      return message([&] { Dynamics(compiled).forward(compiled.neutral(), zero, zero); });
    };
    EXPECT_EQ(forward(), "no error") << joints;
    LinkDescription& last = robot.links.back();
    last.mass = 0, last.I_com = {};
    EXPECT_NE(forward().find("\"" + robot.joints.back().name + "\""), std::string::npos)
        << joints << ": " << forward();
  }
}

/// Robots whose bounds depend on q are judged without allocation, too.
TEST(SingularMass, AllocatesNothing) {
  RobotDescription robot = generate_chain(4);
  robot.joints[2].geometry = {
      .kind = JointKind::custom,
      .custom = custom_joint<1>([](const auto* q) {
        using Real = std::remove_cvref_t<decltype(*q)>;
        const Vec3<Real> turn{Real(0), Real(0), q[0]}, place{q[0] * q[0], Real(0), Real(0)};
        return SE3<Real>{exp(turn), place};
      })};
  Dynamics d{Robot(robot)};
  MassFactors factors(d.robot());
  const VectorXd q = VectorXd::Constant(4, 0.3);
  VectorXd a = q;
  const test::NoAllocation scope;
  d.forward(q, q, q, into(a));
  factors.at(q);
}

}  // namespace
}  // namespace jounce
