// SPDX-License-Identifier: BSD-3-Clause
// Robots with loops that are built anew with one of their parameters changed and closed again, for
// differences by parameters.
#pragma once

#include <jounce/constrained_dynamics.hpp>

#include "derivatives/edited_parameters.hpp"

namespace jounce::test {

/// A state of a robot with one other parameter.
struct Edited {
  Edited(const Robot& robot, const Parameter& p, double more, const Eigen::VectorXd& start,
         const Eigen::VectorXd& speed, double time)
      : dyn(Robot(edited(robot.description(), p, more))),
        found(dyn.assemble(start, {}, time)),
        q(found.q) {
    if (found.converged) v = dyn.project(q, speed, {}, time);
  }
  ConstrainedDynamics dyn;
  Assembly found;
  Eigen::VectorXd q, v;
};

/// d/dp of a vector, to the fourth order in the step: small inertias change by much of themselves.
inline constexpr double parameter_step = 2e-5;
template <class F>
Eigen::VectorXd rate_by_parameter(F f) {
  constexpr double step = parameter_step;
  const Eigen::VectorXd near = f(step) - f(-step), far = f(2 * step) - f(-2 * step);
  return (8 * near - far) / (12 * step);
}

/// Robots with the parameter more and less, and their states.
struct Differences {
  Differences(const Robot& robot_, const Parameter& p, const Eigen::VectorXd& start,
              const Eigen::VectorXd& v, double time = 0)
      : robot(robot_), q(start) {
    for (const int k : {-2, -1, 1, 2})
      all.emplace_back(robot, p, k * parameter_step, start, v, time);
  }
  bool closed() const {
    return std::ranges::all_of(all, [](const Edited& one) { return one.found.converged; });
  }
  Edited& at(double h) {
    return all[h < 0 ? (h < -1.5 * parameter_step ? 0 : 1) : h > 1.5 * parameter_step ? 3 : 2];
  }
  Eigen::VectorXd dq() {
    const auto span = [](const Eigen::VectorXd& x) {
      return std::span<const double>(x.data(), size_t(x.size()));
    };
    return rate_by_parameter([&](double h) -> Eigen::VectorXd {
      Eigen::VectorXd between(robot.nv());
      robot.difference(span(q), span(at(h).q), {between.data(), size_t(between.size())});
      return between;
    });
  }
  Eigen::VectorXd dv() {
    return rate_by_parameter([&](double h) { return at(h).v; });
  }
  template <class F>
  Eigen::VectorXd of(F f) {
    return rate_by_parameter([&](double h) { return f(at(h)); });
  }
  Robot robot;
  Eigen::VectorXd q;
  std::vector<Edited> all;
};

inline std::string text(const Parameter& p) {
  return "kind " + std::to_string(int(p.kind)) + " of " + p.name + ", " +
         std::to_string(p.component);
}

/// Whether it is a length, radius, ratio or offset of a loop.
inline bool scalar_of_loop(const Parameter& p) {
  return p.kind >= ParameterKind::loop_length && p.kind <= ParameterKind::loop_offset;
}
/// Every `stride`-th one of a robot's, and those of its loops that have but one number.
inline std::vector<Parameter> some_parameters(const Robot& robot, size_t first, size_t stride) {
  const std::vector<Parameter> all = all_parameters(robot);
  std::vector<Parameter> some;
  for (size_t k = 0; k < all.size(); ++k)
    if (k % stride == first % stride || scalar_of_loop(all[k])) some.push_back(all[k]);
  return some;
}

}  // namespace jounce::test
