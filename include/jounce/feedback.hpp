// SPDX-License-Identifier: BSD-3-Clause
// What acts on a simulated robot from time and state: controllers, wrenches, rotors, the ground.
//
//   sim.controller([&](double, auto q, auto v) { return pd(q, v); }, {.sample = 1e-3});
//   sim.wrench("flange", [](double t, auto, auto) { return jounce::Wrench<double>{...}; });
#pragma once

#include <cmath>
#include <functional>
#include <jounce/dynamics.hpp>
#include <limits>
#include <string>

namespace jounce {

/// Numbers from time and state: anything that is called with (t, q, v) and gives a vector or a
/// wrench (moment first), or with (t, q, v, to) and writes all of `to`.
class Feedback {
 public:
  using Numbers = std::span<const double>;
  /// Writes its numbers, as many as there is room for, and returns how many it has.
  using Function = std::function<size_t(double t, Numbers q, Numbers v, std::span<double> to)>;

  template <class F>
  requires std::invocable<F&, double, Numbers, Numbers> Feedback(F law)  // NOLINT: an argument type
      : function_([law = std::move(law)](double t, Numbers q, Numbers v, std::span<double> to) {
          return copied(law(t, q, v), to);
        }) {}
  template <class F>
  requires std::invocable<F&, double, Numbers, Numbers, std::span<double>> Feedback(
      F law)  // NOLINT
      : function_([law = std::move(law)](double t, Numbers q, Numbers v, std::span<double> to) {
          law(t, q, v, to);
          return to.size();
        }) {}

  size_t operator()(double t, Numbers q, Numbers v, std::span<double> to) const {
    return function_(t, q, v, to);
  }

 private:
  template <class Vector>
  static size_t copied(const Vector& x, std::span<double> to) {
    const auto size = static_cast<size_t>(x.size());
    for (size_t k = 0; k < std::min(size, to.size()); ++k)
      to[k] = x[static_cast<decltype(x.size())>(k)];
    return size;
  }
  static size_t copied(const Wrench<double>& F, std::span<double> to) {
    const double numbers[] = {F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z};
    return copied(std::span<const double>(numbers), to);
  }

  Function function_;
};

struct FeedbackOptions {
  /// s from sample to sample, between which the last one is held; a step ends at every sample. 0:
  /// always evaluated, in all stages of a step.
  double sample = 0;
  double delay = 0;  ///< s from a sample until it acts; nothing acts before the first one does
  /// By how much a number may change in a second, from the first sample on. Needs a sample time.
  double rate_limit = std::numeric_limits<double>::infinity();
  std::string name{};  ///< for messages
};

/// A plane that pushes back where a point is below it: a compliant law, not a rigid contact.
///
/// With d the depth, the normal force is k d (1 + c d') and never pulls (Hunt and Crossley 1975: it
/// begins at zero, whatever the speed); along the plane there is mu times it, against the motion,
/// times tanh(speed / slip_speed). What it is not: a load m g rests m g / k below the plane, and a
/// point that a force below friction pushes creeps, by slip_speed atanh(force / friction) at most.
/// Stiff grounds make the motion stiff: rodas4 or auto.
struct CompliantGround {
  double stiffness = 0;      ///< k, N/m
  double damping = 0;        ///< c, s/m
  double friction = 0;       ///< mu
  double slip_speed = 1e-3;  ///< m/s
  Plane plane{};
};

inline namespace JOUNCE_ISA {

/// The force of the ground on a point at p with velocity v.
inline Vec3<double> ground_force(const CompliantGround& ground, const Vec3<double>& p,
                                 const Vec3<double>& v) {
  const Vec3<double> n = ground.plane.normal;
  const double depth = -dot(n, p - ground.plane.point), sinking = -dot(n, v);
  const double push = ground.stiffness * depth * (1 + ground.damping * sinking);
  if (depth <= 0 || push <= 0) return {0, 0, 0};
  const Vec3<double> slip = v + n * sinking;
  const double speed = norm(slip);
  if (speed == 0) return n * push;
  const double drag = ground.friction * push * std::tanh(speed / ground.slip_speed);
  return n * push - slip * (drag / speed);
}

}  // namespace JOUNCE_ISA
}  // namespace jounce
