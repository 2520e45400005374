// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/simulate_start.hpp"

#include <cmath>
#include <cstdio>
#include <jounce/constrained_derivatives.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/record_io.hpp>

#include "apps/jounce/model_options.hpp"
#include "io/number_text.hpp"

namespace jounce::app {
namespace {

/// 1 rad/s, or 0.1 m/s where a coordinate turns nothing, of those with motors.
std::vector<double> motor_speeds(const Robot& robot, const std::vector<double>& q) {
  Kinematics kinematics(robot);
  kinematics.at(q);
  std::vector<double> v(size_t(robot.nv()));
  for (const JointInfo& joint : robot.joints()) {
    const std::string& link = robot.description().joints[size_t(joint.description)].child;
    const auto J = kinematics.jacobian_space(robot.frame(link));
    for (int k = joint.v; k < joint.v + joint.nv && !joint.mimic; ++k)
      if (robot.actuated()[size_t(k)]) v[size_t(k)] = J.col(k).head<3>().norm() > 1e-9 ? 1 : 0.1;
  }
  return v;
}

std::vector<double> configuration(const StartOptions& options, const Robot& robot) {
  if (options.q0.empty()) return robot.closed();
  return parse_numbers("--q0", options.q0, robot.nq(),
                       std::to_string(robot.nq()) + " numbers with commas between them");
}

/// |da/dv| at a state, and the coordinate whose row is the largest.
std::pair<double, int> damping_rate(const Simulation& sim, const SimulationState& x) {
  const Robot& robot = sim.robot();
  const std::vector<double> tau(x.v.size());
  const Surroundings around{.passive = sim.options().passive, .gravity = sim.options().gravity};
  const auto largest = [&](const auto& a_v) {
    std::pair<double, int> found;
    for (int i = 0; i < robot.nv(); ++i) {
      double row = 0;
      for (int j = 0; j < robot.nv(); ++j) row += std::abs(a_v(i, j));
      if (row > found.first) found = {row, i};
    }
    return found;
  };
  if (robot.loops().empty()) return largest(Derivatives(robot).forward(x.q, x.v, tau, around).dv);
  return largest(ConstrainedDerivatives(robot).forward(x.q, x.v, tau, around).da_dv);
}

void tell_closing(const std::string& model, const Robot& robot, const StartOptions& options,
                  const SimulationState& x) {
  std::vector<double> way(x.v.size());
  robot.difference(configuration(options, robot), x.q, way);
  const auto largest = std::max_element(
      way.begin(), way.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (way.empty() || std::abs(*largest) <= 1e-6) return;
  std::fprintf(stderr,
               "jounce: %s: the start leaves loops open; to close them \"%s\" moves by %s\n",
               model.c_str(), joint_of(robot, int(largest - way.begin())).c_str(),
               io::number_text(*largest).c_str());
}

}  // namespace

SimulationState start_state(const StartOptions& options, Simulation& sim) {
  const Robot& robot = sim.robot();
  if (!options.resume.empty()) {
    if (!options.q0.empty() || !options.v0.empty())
      throw InputError("simulate: --resume has its own start: --q0 and --v0 do not apply");
    return load_checkpoint(robot, options.resume);
  }
  const std::vector<double> q = configuration(options, robot);
  const std::vector<double> v =
      options.v0.empty()
          ? motor_speeds(robot, q)
          : parse_numbers("--v0", options.v0, robot.nv(),
                          std::to_string(robot.nv()) + " numbers with commas between them");
  return sim.start(q, v);
}

void tell_start(const std::string& model, const Simulation& sim, const StartOptions& options,
                const SimulationState& x) {
  if (options.resume.empty()) tell_closing(model, sim.robot(), options, x);
  const double h = sim.options().step;
  const Integrator one = sim.options().integrator;
  if (h == 0 || (one != Integrator::rk4 && one != Integrator::rkmk4)) return;
  constexpr double stable = 2.7;  // rk4's interval on the negative axis ends at 2.785
  const auto [rate, v] = damping_rate(sim, x);
  if (h * rate <= stable) return;
  std::fprintf(stderr,
               "jounce: %s: steps of %s s are too long for the damping of joint \"%s\": "
               "h |da/dv| is %.3g, needs %.1f; shorter steps or rodas4 help\n",
               model.c_str(), io::number_text(h).c_str(), joint_of(sim.robot(), v).c_str(),
               h * rate, stable);
}

std::string joint_of(const Robot& robot, int v) {
  for (const JointInfo& joint : robot.joints())
    if (!joint.mimic && v >= joint.v && v < joint.v + joint.nv)
      return joint.nv == 1 ? joint.name : joint.name + ":" + std::to_string(v - joint.v);
  return "?";
}

}  // namespace jounce::app
