// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Sensitivities": derivatives checked by differences, and what an arm's forces
// depend on most.
#include <algorithm>
#include <cmath>
#include <functional>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series_derivatives.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/largest.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;

Vector waves(Eigen::Index n, double phase) {
  Vector x(n);
  for (Eigen::Index k = 0; k < n; ++k) x[k] = std::sin(phase + 1.7 * double(k));
  return x;
}

/// Differences of fourth order along every coordinate, relative to the largest entry.
double error(const DenseMatrix& found, const std::function<Vector(const Vector&)>& f) {
  const double h = 1e-3;
  const Eigen::Index n = found.cols();
  DenseMatrix slopes(found.rows(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto at = [&](double step) { return f(Vector::Unit(n, k) * step); };
    slopes.col(k) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return largest(found - slopes) / largest(found);
}

std::vector<double> moved(const Robot& robot, const std::vector<double>& q, const Vector& d) {
  std::vector<double> to(q.size());
  robot.integrate(q, {d.data(), size_t(d.size())}, to);
  return to;
}

void add_errors(const std::string& name, const std::string& what, std::span<const double> errors,
                report::Table& table, report::Checks& checks) {
  std::vector<std::string> row{name};
  for (const double e : errors) row.push_back(report::significant(e, 2));
  table.rows.push_back(row);
  checks.rows.push_back(report::at_most("derivatives of " + what + name,
                                        *std::max_element(errors.begin(), errors.end()), 1e-6));
}

/// The error of d2 tau/dq dq, a tensor, by differences along every coordinate of its last index.
double second_error(Derivatives& first, const Vector& v, const Vector& a,
                    const Surroundings& around,
                    const std::function<std::vector<double>(const Vector&)>& at) {
  const int n = first.robot().nv();
  SecondDerivatives second(first.robot());
  const Tensor T = second.inverse(at(Vector::Zero(n)), v, a, around).dqdq;
  return error(Eigen::Map<const DenseMatrix>(T.data(), Eigen::Index(n) * n, n),
               [&](const Vector& d) -> Vector {
                 return DenseMatrix(first.inverse(at(d), v, a, around).dq).reshaped();
               });
}

void check_robot(const std::string& name, report::Table& table, report::Checks& checks) {
  Dynamics dyn(load("builtin:" + name));
  const Robot& robot = dyn.robot();
  const std::vector<double> start = robot.random(3);
  const Vector q = Vector::Map(start.data(), robot.nq()), v = waves(robot.nv(), 1),
               a = waves(robot.nv(), 2), tau = dyn.inverse(q, v, a);
  const auto at = [&](const Vector& d) { return moved(robot, start, d); };
  const Surroundings around{.passive = false};
  Derivatives derivatives(robot);
  const InverseDerivatives dtau = derivatives.inverse(q, v, a, around);
  const ForwardDerivatives da = derivatives.forward(q, v, tau, around);
  const double errors[] = {
      error(dtau.dq, [&](const Vector& d) { return dyn.inverse(at(d), v, a, around); }),
      error(dtau.dv, [&](const Vector& d) { return dyn.inverse(q, v + d, a, around); }),
      error(da.dq, [&](const Vector& d) { return dyn.forward(at(d), v, tau, around); }),
      error(da.dv, [&](const Vector& d) { return dyn.forward(q, v + d, tau, around); }),
      second_error(derivatives, v, a, around, at)};
  add_errors(name, "", errors, table, checks);
}

Vector numbers(const Vec3<double>& x, const Vec3<double>& y) {
  return Vector{{x.x, x.y, x.z, y.x, y.y, y.z}};
}

/// Along q: the last frame's acceleration, momentum, energy, and tau'' of a motion with snap.
void check_more(const std::string& name, report::Table& table, report::Checks& checks) {
  Dynamics dyn(load("builtin:" + name));
  const Robot& robot = dyn.robot();
  Kinematics kinematics(robot);
  Derivatives derivatives(robot);
  Series series(robot, 2);
  SeriesDerivatives series_derivatives(robot, 2);
  const std::vector<double> q = robot.random(3);
  const Vector v = waves(robot.nv(), 1), a = waves(robot.nv(), 2);
  DenseMatrix motion(robot.nv(), 4);
  for (int k = 0; k < 4; ++k) motion.col(k) = waves(robot.nv(), 1 + k);
  const auto at = [&](const Vector& d) { return moved(robot, q, d); };
  const auto frame = FrameId(int(robot.frames().size()) - 1);
  const OwnedMatrix acceleration =
      derivatives.classical_acceleration(frame, Representation::hybrid, q, v, a).dq;
  const OwnedMatrix momentum = derivatives.momentum(q, v, a).momentum_dq;
  const DenseMatrix energy = derivatives.energy(q, v).kinetic_dq.transpose();
  const SeriesSurroundings no_friction{.passive = false};
  const SeriesPartials of_series = series_derivatives.inverse(q, motion, no_friction);
  const double errors[] = {
      error(acceleration,
            [&](const Vector& d) {
              const Twist<double> A =
                  kinematics.at(at(d), v, a).classical_acceleration_hybrid(frame);
              return numbers(A.w, A.v);
            }),
      error(momentum,
            [&](const Vector& d) {
              const Wrench<double> h = dyn.momentum(at(d), v).about_com;
              return numbers(h.m, h.f);
            }),
      error(energy, [&](const Vector& d) { return Vector{{dyn.energy(at(d), v).kinetic}}; }),
      error(of_series(2, 0), [&](const Vector& d) -> Vector {
        return series.inverse(at(d), motion, no_friction).col(2);
      })};
  add_errors(name, "kinematics, momentum, energy and tau'' of ", errors, table, checks);
}

struct Influence {
  std::string what;
  double force = 0;  ///< root mean square over the motion and the joints
};

/// What one per cent of a link's mass, one millimetre and one milliradian change in the forces of a
/// seven-joint arm along a motion.
std::vector<Influence> influences() {
  const Robot arm = load("builtin:arm7");
  std::vector<Parameter> parameters;
  std::vector<Influence> found;
  std::vector<double> steps;
  const auto add = [&](ParameterKind kind, const std::string& name, int component, double step,
                       const std::string& what) {
    parameters.push_back({kind, name, component});
    found.push_back({what});
    steps.push_back(step);
  };
  for (const LinkDescription& link : arm.description().links)
    if (link.mass > 0)
      add(ParameterKind::inertia, link.name, 0, 0.01 * link.mass, "mass of " + link.name + ", 1 %");
  const char* axes[] = {"x", "y", "z"};
  for (const JointInfo& joint : arm.joints())
    for (int k = 0; k < 3; ++k) {
      add(ParameterKind::placement, joint.name, 3 + k, 1e-3,
          joint.name + " along " + axes[k] + ", 1 mm");
      add(ParameterKind::placement, joint.name, k, 1e-3,
          joint.name + " about " + axes[k] + ", 1 mrad");
    }
  Sensitivity sensitivity(arm, parameters);
  constexpr int samples = 100;
  for (int i = 0; i < samples; ++i) {
    const double t = 2 * M_PI * i / samples;
    const DenseMatrix S = sensitivity.force(waves(7, t), waves(7, t + M_PI / 2), -waves(7, t));
    for (size_t j = 0; j < found.size(); ++j)
      found[j].force += S.col(Eigen::Index(j)).squaredNorm() * steps[j] * steps[j];
  }
  for (Influence& one : found) one.force = std::sqrt(one.force / (7 * samples));
  std::sort(found.begin(), found.end(),
            [](const Influence& x, const Influence& y) { return x.force > y.force; });
  return found;
}

/// Forces at rest are linear in gravity.
double gravity_error() {
  const Robot arm = load("builtin:arm7");
  Dynamics dynamics(arm);
  Sensitivity to_gravity(arm, {{ParameterKind::gravity, "", 2}});
  const Vector q = waves(7, 1), zero = Vector::Zero(7), weight = dynamics.gravity(q);
  return largest(to_gravity.force(q, zero, zero) * arm.gravity().z - weight) / largest(weight);
}

}  // namespace

report::Chapter tour_sensitivities() {
  report::Table errors{"Analytic derivatives against differences, relative to the largest entry",
                       {"robot", "dtau/dq", "dtau/dv", "da/dq", "da/dv", "d2tau/dqdq"},
                       {}};
  report::Checks checks;
  report::Table more{"The same along q: a frame's acceleration, momentum, energy, tau''",
                     {"robot", "acceleration", "momentum", "kinetic energy", "tau''"},
                     {}};
  for (const char* name : {"puma560", "arm7", "quadruped", "humanoid"}) {
    check_robot(name, errors, checks);
    check_more(name, more, checks);
  }
  report::Table table{"What the forces of arm7 depend on most along a swing of all joints",
                      {"parameter", "change of the forces (N m)"},
                      {}};
  const std::vector<Influence> all = influences();
  for (size_t k = 0; k < 8; ++k)
    table.rows.push_back({all[k].what, report::significant(all[k].force, 3)});
  checks.rows.push_back(
      report::at_most("gravity times its sensitivity is the weight, arm7", gravity_error(), 1e-13));
  return {"Sensitivities",
          "sensitivities",
          {report::Paragraph{"Forces and accelerations differentiated by state and by any number "
                             "that a robot is made of."},
           errors, more, table, checks}};
}

}  // namespace jounce::app
