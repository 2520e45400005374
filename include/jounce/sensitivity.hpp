// SPDX-License-Identifier: BSD-3-Clause
// How forces and accelerations depend on named parameters of a robot.
//
//   jounce::Sensitivity to(arm, {{jounce::ParameterKind::inertia, "link_3", 0},
//                                {jounce::ParameterKind::placement, "joint_4", 5}});
//   Eigen::MatrixXd dtau = to.force(q, v, a);  // nv x 2
// A number of one's own that moves several of them at once, a length say, is a function of dual
// numbers: with rates = parameter_rates(f, p), to.force(q, v, a) * rates is the derivative by p.
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/scalar/dual.hpp>
#include <jounce/vector_arg.hpp>

namespace jounce {

enum class ParameterKind : unsigned char {
  inertia,    ///< of a link: m, m c_x, ..., I_zz about its frame's origin (component 0 to 9)
  payload,    ///< a point mass at a frame's origin
  placement,  ///< of a joint: its frame moved along its own twist axes (0 to 5, angular first)
  axis,       ///< of a joint: its axis turned about an axis of the joint frame (0 to 2)
  pitch,      ///< of a helical joint
  gravity,    ///< a component of the vector (0 to 2)
  wrench,     ///< from outside on a frame, in its axes (0 to 5, moment first)
  bushing_stiffness,    ///< of a bushing, along one of its twist axes (0 to 5, angular first)
  bushing_damping,      ///< likewise
  bushing_placement_1,  ///< of a bushing: its frame 1 moved along its own twist axes (0 to 5)
  bushing_placement_2,  ///< likewise frame 2
  loop_placement_1,     ///< of a loop: its frame 1 moved along its own twist axes (0 to 5)
  loop_placement_2,     ///< likewise frame 2
  loop_length,          ///< of a distance
  loop_radius,          ///< of a disc that rolls
  loop_ratio,           ///< of a gear, for one of its joints (component: which one)
  loop_offset,          ///< of a gear
  armature,   ///< rotor inertia on a velocity coordinate of a joint (component: which one)
  stiffness,  ///< spring on a velocity coordinate of a joint
  rest,       ///< where that spring is free, moved along a velocity coordinate
  damping,    ///< viscous damping of a velocity coordinate of a joint
  friction,   ///< Coulomb friction of a velocity coordinate of a joint
  drag        ///< quadratic drag of a velocity coordinate of a joint
};

struct Parameter {
  ParameterKind kind = ParameterKind::gravity;
  std::string name;  ///< of the link, frame, joint, bushing or loop; empty for gravity
  int component = 0;
};

class ConstrainedSensitivity;

/// "inertia", "gravity", ...: the kind with this name. InputError where there is none.
ParameterKind parameter_kind(const std::string& name);

/// How fast the numbers that f makes of p grow with it: f runs on a dual number.
template <class F>
Eigen::VectorXd parameter_rates(F f, double p) {
  const auto values = f(Dual<double, 1>::variable(p, 0));
  Eigen::VectorXd rates(static_cast<Eigen::Index>(std::size(values)));
  Eigen::Index k = 0;
  for (const Dual<double, 1>& value : values) rates[k++] = value.d[0];
  return rates;
}

/// Sensitivity matrices, one column per parameter. What belongs to a loop has columns of zeros:
/// this door leaves loops open (ConstrainedSensitivity does not).
class Sensitivity {
 public:
  /// InputError where the robot has no such parameter.
  Sensitivity(Robot robot, std::vector<Parameter> parameters);
  Sensitivity(Sensitivity&&) noexcept;
  Sensitivity& operator=(Sensitivity&&) noexcept;
  ~Sensitivity();

  const Robot& robot() const;
  std::span<const Parameter> parameters() const;
  /// Another one by the same parameters: what clone(door) gives.
  Sensitivity another() const { return {robot(), {parameters().begin(), parameters().end()}}; }
  /// Derivatives of inverse(q, v, a, around), nv x parameters. A wrench in ground axes stays as
  /// it is where a parameter moves the body that it acts on.
  OwnedMatrix force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                    const Surroundings& around = {}) {
    return made([&](const Into<double>& to) { force(q, v, a, around, to); });
  }
  void force(const VectorArg& q, const VectorArg& v, const VectorArg& a, const Surroundings& around,
             const Into<double>& found);
  /// Derivatives of forward(q, v, tau, around), nv x parameters.
  OwnedMatrix acceleration(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                           const Surroundings& around = {}) {
    return made([&](const Into<double>& to) { acceleration(q, v, tau, around, to); });
  }
  void acceleration(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                    const Surroundings& around, const Into<double>& found);
  /// Derivatives of what hybrid(prescribed, q, v, a, tau, around) finds, nv x parameters: a row of
  /// forces where a coordinate is prescribed, of accelerations elsewhere. [Kim] Table 7.
  OwnedMatrix hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                     const VectorArg& a, const VectorArg& tau, const Surroundings& around = {}) {
    return made([&](const Into<double>& to) { hybrid(prescribed, q, v, a, tau, around, to); });
  }
  void hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
              const VectorArg& a, const VectorArg& tau, const Surroundings& around,
              const Into<double>& found);
  /// Derivatives of the mass matrix, nv^2 x parameters: column p has the columns of dM/dp.
  OwnedMatrix mass(const VectorArg& q) {
    return made([&](const Into<double>& to) { mass(q, to); }, robot().nv() * robot().nv());
  }
  void mass(const VectorArg& q, const Into<double>& found);
  /// Derivatives of Dynamics::energy, 2 x parameters: kinetic, potential.
  OwnedMatrix energy(const VectorArg& q, const VectorArg& v) {
    return made([&](const Into<double>& to) { energy(q, v, to); }, 2);
  }
  void energy(const VectorArg& q, const VectorArg& v, const Into<double>& found);

 private:
  friend class ConstrainedSensitivity;
  /// force, of a call with this name.
  void write_force(const char* caller, const VectorArg& q, const VectorArg& v, const VectorArg& a,
                   const Surroundings& around, const Into<double>& found);
  template <class Write>
  OwnedMatrix made(Write write, int rows) {
    const auto count = static_cast<int>(parameters().size());
    OwnedMatrix x(rows, count);
    write(Into<double>(detail::OwnedAccess::numbers(x), rows, count));
    return x;
  }
  template <class Write>
  OwnedMatrix made(Write write) {
    return made(write, robot().nv());
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<Sensitivity> = true;

}  // namespace jounce
