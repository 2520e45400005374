// SPDX-License-Identifier: BSD-3-Clause
// The paper's aerial manipulator: its experiment, its propellers, and its Table 5 (a) to (d)
// written by hand.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <fstream>
#include <jounce/error.hpp>
#include <jounce/group/matrices.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/series.hpp>
#include <nlohmann/json.hpp>

#include "apps/jounce/tour/passive_arms.hpp"
#include "support/largest.hpp"
#include "support/near.hpp"
#include "support/random.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using app::AerialExperiment;
using app::PassiveArms;
using Eigen::MatrixXd;
using test::largest;

/// The motion comes back, from acceleration to the seventh derivative of position. An error of
/// q^(k) returns in q^(k+2) times the square of the fastest pendulum, some 100 / s^2 for arms of
/// 0.2 m: a factor of ten per order.
TEST(AerialManipulator, ForwardReproducesTheReference) {
  AerialExperiment experiment;
  for (double t = 0; t <= AerialExperiment::duration; t += 0.25) {
    const AerialExperiment::Step at = experiment.step(t);
    for (int k = 0; k <= AerialExperiment::order + 1; ++k) {
      const double size = largest(at.reference.motion.col(k));
      EXPECT_TRUE(test::within(1e-13 * std::pow(10, k) * (1 + size), at.reproduced.col(k),
                               at.reference.motion.col(k)))
          << t << " order " << k;
    }
    EXPECT_LE(at.speeds.col(0).maxCoeff<Eigen::PropagateNaN>(), AerialExperiment::max_speed);
    EXPECT_LE((at.wrench - at.taus.col(0).head(6)).norm(), 1e-12 * at.wrench.norm());
  }
}

/// The reference's derivatives, and the speeds', are derivatives: by central differences.
TEST(AerialManipulator, ColumnsAreDerivatives) {
  AerialExperiment experiment;
  const double h = 1e-4;
  for (const double t : {0.3, 2.1, 7.7}) {
    const auto before = experiment.step(t - h), now = experiment.step(t),
               after = experiment.step(t + h);
    for (int k = 0; k <= AerialExperiment::order; ++k) {
      const MatrixXd rate =
          (after.reference.motion.col(k) - before.reference.motion.col(k)) / (2 * h);
      EXPECT_TRUE(test::within(1e-7, rate, now.reference.motion.col(k + 1)));
    }
    for (int k = 0; k < AerialExperiment::order; ++k) {
      const MatrixXd rate = (after.speeds.col(k) - before.speeds.col(k)) / (2 * h);
      const double size = largest(now.speeds.col(k + 1));
      EXPECT_TRUE(test::within(1e-6 * (1 + size), rate, now.speeds.col(k + 1)));
    }
  }
}

TEST(AerialManipulator, PropellersAreThoseOfTheModel) {
  std::ifstream file(std::string(JOUNCE_SOURCE_FOLDER) +
                     "/models/aerial_manipulator_propellers.json");
  const nlohmann::json model = nlohmann::json::parse(file);
  const AerialExperiment experiment;
  const auto vector = [](const nlohmann::json& x) {
    return Vec3<double>{x[0].get<double>(), x[1].get<double>(), x[2].get<double>()};
  };
  for (int k = 0; k < 6; ++k) {
    const nlohmann::json& one = model["propellers"][size_t(k)];
    const Vec3<double> z = vector(one["axis"]), f = z * one["thrust_coefficient"].get<double>();
    const Vec3<double> m = cross(vector(one["position"]), f) -
                           z * (one["drag_coefficient"].get<double>() * one["spin"].get<double>());
    const auto column = experiment.propellers.allocation().col(k);
    const double expected[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(column[i], expected[i], 1e-20);
  }
}

TEST(AerialManipulator, PropellersRefuse) {
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { Propellers(std::vector<Propeller>{}); }),
            "Propellers: 0 propellers, needs 1 or more");
  EXPECT_EQ(message([] {
              Propellers({{.axis = {0, 0, 2}}});
            }),
            "Propellers: propeller 1: axis has length 2, needs 1");
  EXPECT_EQ(message([] {
              Propellers({{.axis = {0, 0, 1}, .spin = 3}});
            }),
            "Propellers: propeller 1: spin is 3, needs 1 or -1");
  const Propellers six = tilted_hexarotor(0.3, 0, 0.4, 1e-5, 1e-7);
  EXPECT_EQ(message([&] { six.speeds(Eigen::MatrixXd::Ones(7, 2)); }),
            "Propellers::speeds: wrenches have 7 rows, need 6");
  EXPECT_EQ(message([&] { six.wrench(Eigen::VectorXd::Ones(5)); }),
            "Propellers::wrench: speeds have 5 rows, need 6");
  const Propellers flat = tilted_hexarotor(0.3, 0, 0, 1e-5, 1e-7);  // no force along x and y
  EXPECT_EQ(flat.rank(), 4);
  const MatrixXd push = (MatrixXd(6, 1) << 0, 0, 0, 3, 0, 4).finished();
  EXPECT_EQ(message([&] { flat.speeds(push); }),
            "Propellers: 6 propellers of rank 4 miss derivative 0 of the wrench by 3 of 5");
  const AerialExperiment experiment;
  const MatrixXd down = (MatrixXd(6, 1) << 0, 0, 0, 0, 0, -1).finished();
  EXPECT_NE(message([&] { experiment.propellers.speeds(down); }).find("propeller 1 would need"),
            std::string::npos);
}

/// Table 5 (a), (b) by hand: inverse dynamics of orders 0 and 1 of the seven bodies, in the
/// inertial frame, without a recursion over a tree.
///   V' = V_p' + ad_V S q' + S q''
///   V'' = V_p'' + (ad_V' + ad_V ad_V) S q' + 2 ad_V S q'' + S q'''
///   P' = M V' - ad_V^T M V,   P'' = M V'' + 2 M' V' + M'' V
///   tau = S.W,   tau' = S.W' + (ad_V S).W
struct Link {
  Eigen::Matrix<double, 6, 1> S, V, V1, V2, W, W1;
};
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6E = Eigen::Matrix<double, 6, 6>;

Vec6 vec(const Twist<double>& X) {
  return (Vec6() << X.w.x, X.w.y, X.w.z, X.v.x, X.v.y, X.v.z).finished();
}
template <class M>
Mat6E mat(const M& a) {
  Mat6E b;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) b(i, j) = a(i, j);
  return b;
}
Mat6E ad6(const Vec6& V) {
  return mat(ad_matrix(Twist<double>{{V[0], V[1], V[2]}, {V[3], V[4], V[5]}}));
}

void expect_table_5(const AerialExperiment::Reference& at) {
  const Robot robot = load("builtin:aerial_manipulator");
  Kinematics kinematics(robot);
  kinematics.at(at.q);
  const Vec6 gamma = (Vec6() << 0, 0, 0, 0, 0, -9.81).finished();
  const auto own_wrench = [&](const char* name, Link& x) {  // what the body's motion asks for
    const SE3<double> C = kinematics.pose(robot.frame(name));
    for (const LinkDescription& link : robot.description().links) {
      if (link.name != name) continue;
      const Mat6E M = mat(dual_Ad_inv_matrix(C) * to_matrix(link_inertia(link)) * Ad_inv_matrix(C));
      const Mat6E a = ad6(x.V), a1 = ad6(x.V1);
      const Mat6E M1 = -(M * a + a.transpose() * M);
      const Mat6E M2 = -(M1 * a + a.transpose() * M1 + M * a1 + a1.transpose() * M);
      x.W = M * x.V1 - a.transpose() * M * x.V - M * gamma;
      x.W1 = M * x.V2 + 2 * M1 * x.V1 + M2 * x.V - M1 * gamma;
    }
  };
  const auto moved = [&](const Link& parent, const char* joint, const char* link) {
    const JointInfo& info = robot.joint(joint);
    const Eigen::RowVectorXd rate = at.motion.row(info.v);
    Link x;
    const SE3<double> C = kinematics.pose(robot.frame(link));
    Vec3<double> axis{};
    for (const JointDescription& d : robot.description().joints)
      if (d.name == joint) axis = d.geometry.axes[0];
    x.S = vec(Ad(C, Twist<double>{axis, {}}));
    x.V = parent.V + x.S * rate[0];
    const Vec6 S1 = ad6(x.V) * x.S;
    x.V1 = parent.V1 + S1 * rate[0] + x.S * rate[1];
    x.V2 =
        parent.V2 + (ad6(x.V1) * x.S + ad6(x.V) * S1) * rate[0] + 2 * S1 * rate[1] + x.S * rate[2];
    own_wrench(link, x);
    return x;
  };
  Link base;
  const SE3<double> C = kinematics.pose(robot.frame("base"));
  const Mat6E A = mat(Ad_matrix(C));
  base.V = A * at.motion.col(0).head(6);
  const Mat6E A1 = ad6(base.V) * A;
  base.V1 = A * at.motion.col(1).head(6) + A1 * at.motion.col(0).head(6);
  const Mat6E A2 = ad6(base.V1) * A + ad6(base.V) * A1;
  base.V2 = A * at.motion.col(2).head(6) + 2 * A1 * at.motion.col(1).head(6) +
            A2 * at.motion.col(0).head(6);
  own_wrench("base", base);
  const MatrixXd taus = Series(robot, 1).inverse(at.q, at.motion.leftCols(3));
  const auto compare = [&](const Link& x, const char* joint) {
    const int v = robot.joint(joint).v;
    const double size = largest(taus);
    EXPECT_NEAR(taus(v, 0), x.S.dot(x.W), 1e-13 * size) << joint;
    EXPECT_NEAR(taus(v, 1), x.S.dot(x.W1) + (ad6(x.V) * x.S).dot(x.W), 1e-13 * size) << joint;
  };
  for (const std::string side : {"left", "right"}) {
    const auto joint = [&](const char* n) { return side + "_joint_" + n; };
    const auto link = [&](const char* n) { return side + "_link_" + n; };
    Link one = moved(base, joint("1").c_str(), link("1").c_str());
    Link two = moved(one, joint("2").c_str(), link("2").c_str());
    const Link three = moved(two, joint("3").c_str(), link("3").c_str());
    two.W += three.W, two.W1 += three.W1;
    one.W += two.W, one.W1 += two.W1;
    base.W += one.W, base.W1 += one.W1;
    compare(three, joint("3").c_str());
    compare(two, joint("2").c_str());
    compare(one, joint("1").c_str());
  }
  const Vec6 wrench = A.transpose() * base.W;
  const Vec6 rate = A.transpose() * base.W1 + A1.transpose() * base.W;
  EXPECT_LE((taus.col(0).head(6) - wrench).norm(), 1e-13 * wrench.norm());
  EXPECT_LE((taus.col(1).head(6) - rate).norm(), 1e-12 * (rate.norm() + wrench.norm()));
}

/// Table 5 (c), (d) by hand: forward dynamics of orders 0 and 1, backward and forward recursion of
/// the seven bodies in the inertial frame, from the torques and the wrench that (b) found.
struct ForwardLink {
  Vec6 S, S1, S2, V, V1, V2, own, own1, W, bias, bias1;
  Mat6E M, M1, MA;
  Vec6 WA, WA1, U;
  double D = 0, rates[3] = {}, taus[2] = {}, qt = 0;
  ForwardLink* parent = nullptr;

  void start(const Mat6E& inertia) {
    MA = M = inertia;
    const Mat6E a = ad6(V);
    M1 = -(M * a + a.transpose() * M);
    own = -a.transpose() * M * V - M * gamma();
    S1 = a * S;
    bias = S1 * rates[0];
    WA = own;
  }
  static Vec6 gamma() { return (Vec6() << 0, 0, 0, 0, 0, -9.81).finished(); }
  /// (c), order 0: to the parent.
  void gather() {
    U = MA * S;
    D = S.dot(U);
    qt = (taus[0] - S.dot(MA * bias + WA)) / D;
    parent->MA += MA - U * U.transpose() / D;
    parent->WA += WA + MA * (S * qt + bias);
  }
  /// (d), order 0.
  void spread() {
    rates[1] = qt - U.dot(parent->V1) / D;
    V1 = parent->V1 + bias + S * rates[1];
  }
  /// What order 0 fixes of order 1.
  void start_rate() {
    const Mat6E a = ad6(V), a1 = ad6(V1);
    const Mat6E M2 = -(M1 * a + a.transpose() * M1 + M * a1 + a1.transpose() * M);
    own1 = 2 * M1 * V1 + M2 * V - M1 * gamma();
    S2 = a1 * S + a * S1;
    bias1 = S2 * rates[0] + 2 * S1 * rates[1];
    W = MA * V1 + WA;
    WA1 = own1;
  }
  /// (c), order 1: with the same MA, U and D.
  void gather_rate() {
    qt = (taus[1] - S1.dot(W) - S.dot(MA * bias1 + WA1)) / D;
    parent->WA1 += WA1 + MA * (S * qt + bias1);
  }
  void spread_rate() {
    rates[2] = qt - U.dot(parent->V2) / D;
    V2 = parent->V2 + bias1 + S * rates[2];
  }
};

void expect_table_5_forward(const AerialExperiment::Reference& at) {
  const Robot robot = load("builtin:aerial_manipulator");
  Kinematics kinematics(robot);
  kinematics.at(at.q);
  const MatrixXd taus = Series(robot, 1).inverse(at.q, at.motion.leftCols(3));
  const Mat6E A = mat(Ad_matrix(kinematics.pose(robot.frame("base"))));
  const auto inertia = [&](const std::string& name) -> Mat6E {
    const SE3<double> C = kinematics.pose(robot.frame(name));
    for (const LinkDescription& link : robot.description().links)
      if (link.name == name)
        return mat(dual_Ad_inv_matrix(C) * to_matrix(link_inertia(link)) * Ad_inv_matrix(C));
    return Mat6E::Zero();
  };
  ForwardLink body[7];
  body[0].S = Vec6::Zero();
  body[0].V = A * at.motion.col(0).head(6);
  body[0].start(inertia("base"));
  for (int j = 1; j < 7; ++j) {
    const std::string side = j < 4 ? "left" : "right", n = std::to_string(j < 4 ? j : j - 3);
    const JointInfo& info = robot.joint(side + "_joint_" + n);
    ForwardLink& x = body[j];
    x.parent = &body[j == 4 ? 0 : j - 1];
    x.rates[0] = at.motion(info.v, 0);
    x.taus[0] = taus(info.v, 0), x.taus[1] = taus(info.v, 1);
    for (const JointDescription& d : robot.description().joints)
      if (d.name == info.name)
        x.S = vec(Ad(kinematics.pose(robot.frame(d.child)), Twist<double>{d.geometry.axes[0], {}}));
    x.V = x.parent->V + x.S * x.rates[0];
    x.start(inertia(side + "_link_" + n));
  }
  const Mat6E back = A.inverse().transpose(), A1 = ad6(body[0].V) * A;
  const Vec6 W = back * taus.col(0).head(6);
  const Vec6 W1 = back * taus.col(1).head(6) - ad6(body[0].V).transpose() * W;  // (68)
  for (int j = 6; j > 0; --j) body[j].gather();
  body[0].V1 = body[0].MA.ldlt().solve(W - body[0].WA);  // (50)
  for (int j = 1; j < 7; ++j) body[j].spread();
  for (ForwardLink& x : body) x.start_rate();
  for (int j = 6; j > 0; --j) body[j].gather_rate();
  body[0].V2 = body[0].MA.ldlt().solve(W1 - body[0].WA1);  // (56)
  for (int j = 1; j < 7; ++j) body[j].spread_rate();
  const double size = 1 + largest(at.motion.leftCols(3));
  for (int j = 1; j < 7; ++j) {
    const std::string side = j < 4 ? "left" : "right", n = std::to_string(j < 4 ? j : j - 3);
    const int v = robot.joint(side + "_joint_" + n).v;
    EXPECT_NEAR(body[j].rates[1], at.motion(v, 1), 1e-10 * size) << j;
    EXPECT_NEAR(body[j].rates[2], at.motion(v, 2), 1e-9 * size) << j;
  }
  const Vec6 V1 = A * at.motion.col(1).head(6) + A1 * at.motion.col(0).head(6);
  const Mat6E A2 = ad6(V1) * A + ad6(body[0].V) * A1;
  const Vec6 V2 = A * at.motion.col(2).head(6) + 2 * A1 * at.motion.col(1).head(6) +
                  A2 * at.motion.col(0).head(6);
  EXPECT_LE((body[0].V1 - V1).norm(), 1e-10 * (size + V1.norm()));
  EXPECT_LE((body[0].V2 - V2).norm(), 1e-9 * (size + V2.norm()));
}

/// The experiment's reference, which rolls, pitches and climbs, and random motions.
TEST(AerialManipulator, Table5ByHand) {
  AerialExperiment::Reference at = AerialExperiment::reference(1.3);
  expect_table_5(at);
  expect_table_5_forward(at);
  for (int j = 0; j < 6; ++j) EXPECT_GT(std::abs(at.motion(j, 1)), 1e-3) << j;  // all six move
  const Robot robot = load("builtin:aerial_manipulator");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    test::Random rng(seed);
    robot.random(seed, {at.q.data(), size_t(at.q.size())});
    for (double& rate : at.motion.reshaped()) rate = rng.uniform(-1, 1);
    expect_table_5(at);
    expect_table_5_forward(at);
  }
}

/// Section 6: the wrench and the forces of the arms are those that inverse dynamics wants for the
/// motion found, and Taylor steps of order 7 converge: half the step, a hundredth of the error.
TEST(AerialManipulator, PassiveArmsWhileTheBaseTracks) {
  const auto swing = [](double h) {
    PassiveArms arms;
    PassiveArms::Step x = arms.start();
    for (int k = 0; k < int(std::lround(1 / h)); ++k) x = arms.next(x, h);
    return x;
  };
  const PassiveArms::Step coarse = swing(0.1), fine = swing(0.05), finest = swing(0.0125);
  const Robot robot = load("builtin:aerial_manipulator");
  const MatrixXd taus = Series(robot, AerialExperiment::order).inverse(finest.q, finest.motion);
  for (int k = 0; k <= AerialExperiment::order; ++k)
    EXPECT_TRUE(test::within(1e-9 * (1 + largest(MatrixXd(finest.motion.leftCols(k + 2)))),
                             taus.col(k), finest.taus.col(k)))
        << k;
  EXPECT_GT(largest(MatrixXd(finest.q.tail(6))), 0.01);  // they do swing
  const double coarse_error = largest(MatrixXd(coarse.q - finest.q)),
               fine_error = largest(MatrixXd(fine.q - finest.q));
  EXPECT_LE(fine_error, coarse_error / 30);
  EXPECT_LE(fine_error, 1e-6);
}

}  // namespace
}  // namespace jounce
