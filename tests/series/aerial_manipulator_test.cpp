// SPDX-License-Identifier: BSD-3-Clause
// The paper's aerial manipulator: its experiment, its propellers, and its Table 5 (a) and (b)
// written by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <jounce/error.hpp>
#include <jounce/group/matrices.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/series.hpp>
#include <nlohmann/json.hpp>

#include "apps/jounce/tour/aerial_experiment.hpp"
#include "support/largest.hpp"
#include "support/near.hpp"
#include "support/random.hpp"
#include "support/within.hpp"

namespace jounce {
namespace {

using app::AerialExperiment;
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
  EXPECT_EQ(message([] { Propellers({}); }), "Propellers: 0 propellers, needs 6");
  const Propellers six = tilted_hexarotor(0.3, 0, 0.4, 1e-5, 1e-7);
  std::vector<double> seven(7, 1.0);
  EXPECT_EQ(message([&] { six.to_speeds(seven); }),
            "Propellers::to_speeds: 7 numbers, needs six for every order");
  EXPECT_EQ(message([&] { six.speeds(Eigen::MatrixXd::Ones(7, 2)); }),
            "Propellers::speeds: wrenches have 7 rows, need 6");
  EXPECT_EQ(message([&] { six.wrench(Eigen::VectorXd::Ones(5)); }),
            "Propellers::wrench: speeds have 5 rows, need 6");
  EXPECT_EQ(message([] { tilted_hexarotor(0.3, 0, 0, 1e-5, 1e-7); }),
            "Propellers: these propellers cannot give every wrench");
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

/// The experiment's reference, which neither rolls, pitches nor climbs, and random motions.
TEST(AerialManipulator, Table5ByHand) {
  AerialExperiment::Reference at = AerialExperiment::reference(1.3);
  expect_table_5(at);
  const Robot robot = load("builtin:aerial_manipulator");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    test::Random rng(seed);
    robot.random(seed, {at.q.data(), size_t(at.q.size())});
    for (double& rate : at.motion.reshaped()) rate = rng.uniform(-1, 1);
    expect_table_5(at);
  }
}

}  // namespace
}  // namespace jounce
