// SPDX-License-Identifier: BSD-3-Clause
// Results of finite arguments are finite or refused by the name of the call.
#include <gtest/gtest.h>

#include <functional>
#include <jounce/dynamics_of.hpp>
#include <jounce/jounce.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/regressor.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series_derivatives.hpp>

#include "model/random_robot.hpp"
#include "support/message.hpp"
#include "support/scale.hpp"

namespace jounce {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::message;

/// Everything that a call gave, as numbers.
struct Numbers {
  std::vector<double> x;

  Numbers& operator<<(double y) { return x.push_back(y), *this; }
  template <class Derived>
  Numbers& operator<<(const Eigen::MatrixBase<Derived>& y) {
    const MatrixXd copy = y;
    x.insert(x.end(), copy.data(), copy.data() + copy.size());
    return *this;
  }
  Numbers& operator<<(const TensorView& t) {
    for (int l = 0; l < t.n; ++l) *this << t.slice(l);
    return *this;
  }
  Numbers& operator<<(const Vec3<double>& y) { return *this << y.x << y.y << y.z; }
  Numbers& operator<<(const Twist<double>& V) { return *this << V.w << V.v; }
  Numbers& operator<<(const Wrench<double>& F) { return *this << F.m << F.f; }
  Numbers& operator<<(const SE3<double>& T) {
    const auto& [a, b, c] = T.R.m.row;
    return *this << a << b << c << T.p;
  }
};

struct Calls {
  explicit Calls(const Robot& robot_)
      : robot(robot_),
        dynamics(robot_),
        regressor(robot_, {true, true, true}),
        sensitivity(robot_, {{ParameterKind::inertia, robot_.frames().back().name, 0}}),
        series(robot_, 1),
        numbers(robot_),
        flags(std::make_unique<bool[]>(size_t(robot_.nv()))),
        last(FrameId(int(robot_.frames().size()) - 1)) {
    dynamics.reserve_second_derivatives();
    for (int k = 0; k < robot.nv(); k += 2) flags[size_t(k)] = true;
  }
  using Call = std::function<Numbers()>;
  std::vector<std::pair<std::string, Call>> of_state(const VectorXd& q, const VectorXd& x);
  std::vector<std::pair<std::string, Call>> of_derivatives(const VectorXd& q, const VectorXd& x);
  std::vector<std::pair<std::string, Call>> of_frames(const VectorXd& q, const VectorXd& x);
  std::vector<std::pair<std::string, Call>> of_others(const VectorXd& q, const VectorXd& x);

  /// Each call gives finite numbers or is refused under its name; returns how many were refused.
  int try_all(const VectorXd& q, const VectorXd& x, const std::string& where) {
    int refused = 0;
    for (const auto& list :
         {of_state(q, x), of_derivatives(q, x), of_frames(q, x), of_others(q, x)})
      for (const auto& [name, call] : list) {
        Numbers found;
        const std::string told = message([&] { found = call(); });
        if (told == "no error") {
          EXPECT_TRUE(std::all_of(found.x.begin(), found.x.end(),
                                  [](double y) { return std::isfinite(y); }))
              << name << ", " << where;
        } else {
          ++refused;
          EXPECT_EQ(told.substr(0, name.size() + 2), name + ": ") << told << ", " << where;
        }
      }
    return refused;
  }
  std::span<const bool> prescribed() const { return {flags.get(), size_t(robot.nv())}; }

  Robot robot;
  Dynamics dynamics;
  Regressor regressor;
  Sensitivity sensitivity;
  SeriesDerivatives series;
  DynamicsOf<double> numbers;
  std::unique_ptr<bool[]> flags;
  FrameId last;
};

std::vector<std::pair<std::string, Calls::Call>> Calls::of_state(const VectorXd& q,
                                                                 const VectorXd& x) {
  Dynamics& d = dynamics;
  return {
      {"inverse", [&] { return Numbers() << d.inverse(q, x, x); }},
      {"forward", [&] { return Numbers() << d.forward(q, x, x); }},
      {"hybrid",
       [&] {
         const HybridResult y = d.hybrid(prescribed(), q, x, x, x);
         return Numbers() << y.a << y.tau;
       }},
      {"mass", [&] { return Numbers() << d.mass(q); }},
      {"mass_inverse", [&] { return Numbers() << d.mass_inverse(q); }},
      {"mass_factors", [&] { return Numbers() << d.mass_factors(q).LD; }},
      {"bias", [&] { return Numbers() << d.bias(q, x); }},
      {"gravity", [&] { return Numbers() << d.gravity(q); }},
      {"energy",
       [&] {
         const Energy e = d.energy(q, x);
         return Numbers() << e.kinetic << e.potential;
       }},
      {"coriolis",
       [&] {
         const CoriolisResult y = d.coriolis(q, x);
         return Numbers() << y.matrix << y.mass_rate;
       }},
      {"inverse_passive", [&] { return Numbers() << d.inverse_passive(q, x, x, x); }},
      {"centroidal",
       [&] {
         const CentroidalResult y = d.centroidal(q, x);
         return Numbers() << y.matrix << y.rate;
       }},
      {"momentum", [&] { return Numbers() << d.momentum(q, x).about_com << d.momentum(q, x).com; }},
      {"energy_rate",
       [&] {
         const EnergyRate<double> y = d.energy_rate(q, x, x);
         return Numbers() << y.kinetic << y.potential;
       }},
      {"power_balance",
       [&] {
         const PowerBalance y = d.power_balance(q, x, x);
         return Numbers() << y.kinetic_rate << y.potential_rate << y.actuators << y.passive
                          << y.external << y.base;
       }},
      {"joint_wrenches", [&] {
         const JointWrenches y = d.joint_wrenches(q, x, x, Representation::space);
         Numbers all;
         for (const Wrench<double>& F : y.joints) all << F;
         return all << y.base;
       }}};
}

std::vector<std::pair<std::string, Calls::Call>> Calls::of_derivatives(const VectorXd& q,
                                                                       const VectorXd& x) {
  Dynamics& d = dynamics;
  return {{"inverse_derivatives",
           [&] {
             const auto y = d.inverse_derivatives(q, x, x);
             return Numbers() << y.dtau_dq << y.dtau_dv << y.dtau_da;
           }},
          {"forward_derivatives",
           [&] {
             const auto y = d.forward_derivatives(q, x, x);
             return Numbers() << y.da_dq << y.da_dv << y.da_dtau;
           }},
          {"hybrid_derivatives",
           [&] {
             const auto y = d.hybrid_derivatives(prescribed(), q, x, x, x);
             return Numbers() << y.dq << y.dv << y.given;
           }},
          {"inverse_vector_jacobian",
           [&] {
             const auto y = d.inverse_vector_jacobian(x, q, x, x);
             return Numbers() << y.dq << y.dv << y.da;
           }},
          {"forward_vector_jacobian",
           [&] {
             const auto y = d.forward_vector_jacobian(x, q, x, x);
             return Numbers() << y.dq << y.dv << y.da;
           }},
          {"inverse_jacobian_vector",
           [&] { return Numbers() << d.inverse_jacobian_vector(q, x, x, x, x, x); }},
          {"forward_jacobian_vector",
           [&] { return Numbers() << d.forward_jacobian_vector(q, x, x, x, x, x); }},
          {"momentum_derivatives",
           [&] {
             const auto y = d.momentum_derivatives(q, x, x);
             return Numbers() << y.momentum_dq << y.momentum_dv << y.rate_dq << y.rate_dv;
           }},
          {"energy_derivatives",
           [&] {
             const auto y = d.energy_derivatives(q, x);
             return Numbers() << y.kinetic_dq << y.kinetic_dv << y.potential_dq;
           }},
          {"inverse_second_derivatives",
           [&] {
             const auto y = d.inverse_second_derivatives(q, x, x);
             return Numbers() << y.d2tau_dqdq << y.d2tau_dqdv << y.d2tau_dvdv << y.d2tau_dadq;
           }},
          {"forward_second_derivatives",
           [&] {
             const auto y = d.forward_second_derivatives(q, x, x);
             return Numbers() << y.d2a_dqdq << y.d2a_dqdv << y.d2a_dvdv << y.d2a_dtaudq;
           }},
          {"inverse_second_products",
           [&] {
             const auto y = d.inverse_second_products(x, q, x, x);
             return Numbers() << y.dqdq << y.dqdv << y.dvdv << y.dadq;
           }},
          {"forward_second_products",
           [&] {
             const auto y = d.forward_second_products(x, q, x, x);
             return Numbers() << y.dqdq << y.dqdv << y.dvdv << y.dadq;
           }},
          {"mass_derivatives", [&] { return Numbers() << d.mass_derivatives(q); }},
          {"mass_second_derivative",
           [&] { return Numbers() << d.mass_second_derivative(q, 0, robot.nv() - 1); }}};
}

/// One query after a kinematics call at this state.
std::vector<std::pair<std::string, Calls::Call>> Calls::of_frames(const VectorXd& q,
                                                                  const VectorXd& x) {
  Dynamics& d = dynamics;
  d.kinematics(q, x, x);
  const auto body = Representation::body;
  return {
      {"pose", [&] { return Numbers() << d.pose(last); }},
      {"twist_body", [&] { return Numbers() << d.twist_body(last); }},
      {"twist_space", [&] { return Numbers() << d.twist_space(last); }},
      {"twist_hybrid", [&] { return Numbers() << d.twist_hybrid(last); }},
      {"spatial_acceleration_body", [&] { return Numbers() << d.spatial_acceleration_body(last); }},
      {"spatial_acceleration_space",
       [&] { return Numbers() << d.spatial_acceleration_space(last); }},
      {"classical_acceleration_body",
       [&] { return Numbers() << d.classical_acceleration_body(last); }},
      {"classical_acceleration_hybrid",
       [&] { return Numbers() << d.classical_acceleration_hybrid(last); }},
      {"jacobian", [&] { return Numbers() << d.jacobian(last, Representation::space, q); }},
      {"jacobian_body", [&] { return Numbers() << d.jacobian_body(last); }},
      {"jacobian_space", [&] { return Numbers() << d.jacobian_space(last); }},
      {"jacobian_hybrid", [&] { return Numbers() << d.jacobian_hybrid(last); }},
      {"jacobian_space_rate", [&] { return Numbers() << d.jacobian_space_rate(last); }},
      {"com",
       [&] {
         const Com<double> y = d.com();
         return Numbers() << y.position << y.velocity << y.acceleration;
       }},
      {"com_jacobian", [&] { return Numbers() << d.com_jacobian(); }},
      {"twist_derivatives",
       [&, body] {
         const auto y = d.twist_derivatives(last, body);
         return Numbers() << y.dq << y.dv;
       }},
      {"spatial_acceleration_derivatives",
       [&, body] {
         const auto y = d.spatial_acceleration_derivatives(last, body);
         return Numbers() << y.dq << y.dv << y.da;
       }},
      {"com_derivatives", [&] { return Numbers() << d.com_derivatives().acceleration_dq; }}};
}

std::vector<std::pair<std::string, Calls::Call>> Calls::of_others(const VectorXd& q,
                                                                  const VectorXd& x) {
  Dynamics& d = dynamics;
  const auto motion = [x] { return MatrixXd(x.replicate(1, 3)); };
  const std::vector<double> at(q.begin(), q.end()), given(x.begin(), x.end());
  const auto of = [](std::span<const double> y) {
    return Numbers{std::vector<double>(y.begin(), y.end())};
  };
  return {
      {"inverse_series", [&, motion] { return Numbers() << d.inverse_series(q, motion(), 1); }},
      {"forward_series", [&, motion] { return Numbers() << d.forward_series(q, x, motion(), 1); }},
      {"hybrid_series",
       [&, motion] {
         const auto y = d.hybrid_series(prescribed(), q, motion(), motion(), 1);
         return Numbers() << y.motion << y.taus;
       }},
      {"regressor", [&] { return Numbers() << regressor.force(q, x, x); }},
      {"energy regressor", [&] { return Numbers() << regressor.energy(q, x); }},
      {"momentum regressor", [&] { return Numbers() << regressor.momentum(q, x); }},
      {"force sensitivity", [&] { return Numbers() << sensitivity.force(q, x, x); }},
      {"integrate",
       [&, of, at, given] {
         std::vector<double> to(at.size());
         robot.integrate(at, given, to);
         return of(to);
       }},
      {"inverse", [&, of, at, given] { return of(numbers.inverse(at, given, given)); }},
      {"forward", [&, of, at, given] { return of(numbers.forward(at, given, given)); }},
      {"bias", [&, of, at, given] { return of(numbers.bias(at, given)); }},
      {"energy", [&, at, given] {
         const auto e = numbers.energy(at, given);
         return Numbers() << e.kinetic << e.potential;
       }}};
}

/// q of joints without quaternions at all sizes, v, a and tau at all sizes.
TEST(FiniteResults, OfEveryCallAtEverySize) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t(test::scaled(12)); ++seed) {
    const test::RobotInMotion c(seed, seed % 3 == 1, 4 + int(seed % 4));
    if (c.robot.nv() == 0 || c.robot.mass() == 0) continue;
    Calls calls(c.robot);
    for (const double size : {1.0, 1e7, 1e9, 1e40, 1e77, 1e120, 1e154, 1e200, 1e300, 1e308}) {
      const std::string where = "seed " + std::to_string(seed) + ", " + std::to_string(size);
      refused += calls.try_all(c.q, c.v * size, where);
      VectorXd q = c.q;
      for (const JointInfo& joint : c.robot.joints())
        if (!joint.mimic && joint.nq == joint.nv)
          for (double& x : q.segment(joint.q, joint.nq)) x = std::clamp(x * size, -1e308, 1e308);
      calls.try_all(q, c.v, "q, " + where);
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(FiniteResults, NameCallerAndJoint) {
  const Robot arm = load("builtin:arm7");
  Dynamics d(arm);
  const VectorXd q = VectorXd::Constant(7, 0.3), large = VectorXd::Constant(7, 1e154);
  EXPECT_EQ(message([&] { d.inverse(q, large, q); }),
            "inverse: tau[0] (joint \"joint_1\") is not finite");
  EXPECT_EQ(message([&] { d.energy(q, large * 1e6); }), "energy: kinetic is not finite");
  EXPECT_EQ(message([&] { d.forward(q, q, large * 1e154); }).substr(0, 11), "forward: a[");
  DynamicsOf<Pack<double, 2>> lanes(arm);
  using Lanes = Pack<double, 2>;
  const std::vector<Lanes> zero(7, Lanes(0.0));
  std::vector<Lanes> fast = zero;
  fast[1] = Lanes::generate([](int lane) { return lane == 1 ? 1e160 : 0.0; });
  EXPECT_EQ(message([&] { lanes.inverse(zero, fast, zero); }).substr(0, 23),
            "inverse: lane 1 of tau[");
}

TEST(FiniteResults, OfACustomJointThatGivesNaN) {
  RobotDescription robot = generate_chain(3);
  robot.joints[1].geometry = {.kind = JointKind::custom,
                              .custom = custom_joint<1>([](const auto* q) {
                                using Real = std::remove_cvref_t<decltype(*q)>;
                                const Vec3<Real> turn{Real(0), Real(0), q[0]};
                                const Vec3<Real> place{sqrt(q[0] - 1), Real(0), Real(0)};
                                return SE3<Real>{exp(turn), place};
                              })};
  Dynamics d{Robot(robot)};
  const VectorXd q = VectorXd::Constant(3, 0.3);
  EXPECT_EQ(message([&] { d.inverse(q, q, q); }),
            "inverse: tau[0] (joint \"joint_1\") is not finite");
  EXPECT_NE(message([&] { d.forward(q, q, q); }), "no error");
  EXPECT_NE(message([&] { d.mass(q); }), "no error");
  EXPECT_NE(message([&] { d.inverse_derivatives(q, q, q); }), "no error");
  EXPECT_EQ(message([&] { d.inverse(VectorXd::Constant(3, 2), q, q); }), "no error");
}

TEST(FiniteResults, OfTheManifold) {
  RobotDescription ball = generate_chain(1);
  ball.joints[0].geometry = {.kind = JointKind::spherical};
  ball.joints[0].properties = {};
  const Robot robot(ball);
  const std::vector<double> q = robot.neutral(), turn(3, 1e160);
  std::vector<double> out(4);
  EXPECT_EQ(message([&] { robot.integrate(q, turn, out); }),
            "integrate: q[0] (joint \"joint_1\") is not finite");
}

}  // namespace
}  // namespace jounce
