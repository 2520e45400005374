// SPDX-License-Identifier: BSD-3-Clause
// How forces and accelerations depend on named parameters of a robot.
//
//   jounce::Sensitivity to(arm, {{jounce::ParameterKind::inertia, "link_3", 0},
//                                {jounce::ParameterKind::placement, "joint_4", 5}});
//   Eigen::MatrixXd dtau = to.force(q, v, a);  // nv x 2
#pragma once

#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/vector_arg.hpp>

namespace jounce {

enum class ParameterKind : unsigned char {
  inertia,    ///< of a link: m, m c_x, ..., I_zz about its frame's origin (component 0 to 9)
  payload,    ///< a point mass at a frame's origin
  placement,  ///< of a joint: its frame moved along its own twist axes (0 to 5, angular first)
  axis,       ///< of a joint: its axis turned about an axis of the joint frame (0 to 2)
  pitch,      ///< of a helical joint
  gravity,    ///< a component of the vector (0 to 2)
  bushing_stiffness,  ///< of a bushing, along one of its twist axes (0 to 5, angular first)
  bushing_damping,    ///< likewise
  armature,           ///< rotor inertia on a velocity coordinate of a joint (component: which one)
  stiffness,          ///< spring on a velocity coordinate of a joint
  damping,            ///< viscous damping of a velocity coordinate of a joint
  friction,           ///< Coulomb friction of a velocity coordinate of a joint
  drag                ///< quadratic drag of a velocity coordinate of a joint
};

struct Parameter {
  ParameterKind kind = ParameterKind::gravity;
  std::string name;  ///< of the link, frame, joint or bushing; empty for gravity
  int component = 0;
};

class ConstrainedSensitivity;

/// Sensitivity matrices, one column per parameter.
class Sensitivity {
 public:
  /// InputError where the robot has no such parameter.
  Sensitivity(Robot robot, std::vector<Parameter> parameters);
  Sensitivity(Sensitivity&&) noexcept;
  Sensitivity& operator=(Sensitivity&&) noexcept;
  ~Sensitivity();

  const Robot& robot() const;
  std::span<const Parameter> parameters() const;
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

 private:
  friend class ConstrainedSensitivity;
  /// force, of a call with this name.
  void write_force(const char* caller, const VectorArg& q, const VectorArg& v, const VectorArg& a,
                   const Surroundings& around, const Into<double>& found);
  template <class Write>
  OwnedMatrix made(Write write) {
    const auto count = static_cast<int>(parameters().size());
    OwnedMatrix x(robot().nv(), count);
    write(Into<double>(detail::OwnedAccess::numbers(x), robot().nv(), count));
    return x;
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce
