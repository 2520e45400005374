// SPDX-License-Identifier: BSD-3-Clause
// The experiment of [Ali] section 7 integrated in time: the aerial manipulator flown by its six
// rotors and six motors, along the reference of aerial_experiment.hpp.
//
// Feedforward: forces of inverse dynamics along the reference, at every instant. Feedback: computed
// torque, inverse dynamics at a_ref + 2 w (v_ref - v) + w^2 (q_ref - q), what is added to a_ref
// limited, sampled and held. Rotors cannot pull, nor turn faster than they can.
#pragma once

#include <jounce/simulation.hpp>

#include "apps/jounce/tour/aerial_experiment.hpp"

namespace jounce::app {

struct AerialFlight {
  bool feedback = false;
  double sample = 0.004;  ///< s, of feedback
  double rate = 6;        ///< w, 1/s
  double fall = 0;        ///< s from the start in which rotors and motors are off
  double off = 0;         ///< m and rad: how far the start is off the reference
  double duration = AerialExperiment::duration;
  double tol = 1e-10;
};

class AerialMotion {
 public:
  explicit AerialMotion(const AerialFlight& flight)
      : flight_(flight), sim_(dyn_.robot(), {.integrator = Integrator::dop853, .tol = flight.tol}) {
    const FeedbackOptions how{.sample = flight.feedback ? flight.sample : 0};
    sim_.propellers(
        "base", experiment_.propellers,
        [this](double t, auto q, auto v) { return rotor_speeds(forces(t, q, v).head(6)); }, how);
    sim_.controller(
        [this](double t, auto q, auto v) {
          Eigen::VectorXd tau = forces(t, q, v);
          tau.head(6).setZero();  // the rotors' part
          return tau;
        },
        how);
  }
  AerialMotion(const AerialMotion&) = delete;  // the simulation calls it
  AerialMotion& operator=(const AerialMotion&) = delete;

  /// Flies; rows of the record are `every` apart.
  RunReport fly(Record& record, double every = 0.02) {
    AerialExperiment::Reference at = experiment_.reference(0);
    Eigen::VectorXd step = Eigen::VectorXd::Constant(AerialExperiment::nv, flight_.off);
    Eigen::VectorXd q = at.q;
    robot().integrate(span(at.q), span(step), {q.data(), size_t(q.size())});
    SimulationState x = sim_.start(q, at.motion.col(0));
    return sim_.run(x, flight_.duration, record, {.every = every});
  }
  /// How far a configuration is off the reference: of the base in m, of its attitude and of the
  /// joints in rad, the largest.
  struct Off {
    double position = 0, attitude = 0, joints = 0;
  };
  Off off(double t, std::span<const double> q) const {
    const Eigen::VectorXd d = difference(q, AerialExperiment::reference(t).q);
    return {d.segment(3, 3).norm(), d.head(3).norm(), d.tail(6).cwiseAbs().maxCoeff()};
  }
  const Robot& robot() const { return dyn_.robot(); }

 private:
  static std::span<const double> span(const Eigen::VectorXd& x) {
    return {x.data(), size_t(x.size())};
  }
  Eigen::VectorXd difference(std::span<const double> q, const Eigen::VectorXd& to) const {
    Eigen::VectorXd d(AerialExperiment::nv);
    robot().difference(q, span(to), {d.data(), size_t(d.size())});
    return d;
  }
  Eigen::VectorXd forces(double t, std::span<const double> q, std::span<const double> v) {
    if (t < flight_.fall) return Eigen::VectorXd::Zero(AerialExperiment::nv);
    const AerialExperiment::Reference ref = AerialExperiment::reference(t);
    const Eigen::VectorXd speed = ref.motion.col(0), a = ref.motion.col(1);
    if (!flight_.feedback) return dyn_.inverse(ref.q, speed, a);
    const Eigen::VectorXd now = Eigen::VectorXd::Map(v.data(), Eigen::Index(v.size()));
    const double w = flight_.rate;
    Eigen::VectorXd pull = 2 * w * (speed - now) + w * w * difference(q, ref.q);
    const auto limit = [&](Eigen::Index first, Eigen::Index count, double most) {
      const double size = pull.segment(first, count).norm();
      if (size > most) pull.segment(first, count) *= most / size;
    };
    limit(0, 3, most_turning), limit(3, 3, most_pull), limit(6, 6, most_joints);
    return dyn_.inverse(q, v, a + pull);
  }
  /// The nearest that the rotors can do, one by one.
  Eigen::VectorXd rotor_speeds(const Eigen::VectorXd& wrench) const {
    const double most = AerialExperiment::max_speed;
    const Eigen::VectorXd squared = experiment_.propellers.squared_speeds(wrench);
    return squared.cwiseMax(0).cwiseMin(most * most).cwiseSqrt();
  }

  /// What feedback may ask for, rad/s^2 and m/s^2: rotors that carry the weight have little more.
  static constexpr double most_turning = 20, most_pull = 3, most_joints = 60;

  AerialFlight flight_;
  AerialExperiment experiment_;
  Dynamics dyn_{load("builtin:aerial_manipulator")};
  Simulation sim_;
};

}  // namespace jounce::app
