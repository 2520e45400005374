// SPDX-License-Identifier: BSD-3-Clause
// Inverse kinematics on SE(3): configurations that bring frames to poses, velocities that give
// frames twists.
//
//   jounce::InverseKinematics ik(arm);
//   const auto found = ik.solve({{arm.frame("flange"), target}}, q_guess);
//   if (found.converged) move_to(found.q);
// An unreachable target ends with converged = false and the configuration of the least residual
// that was met. That is where one of the descents ended, a nearest pose among its neighbours; more
// restarts make it likelier that there is none better elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <jounce/door/clone.hpp>
#include <jounce/kinematics.hpp>

namespace jounce {

/// A pose that a frame should have. A weight of zero leaves that part of the pose free.
struct PoseGoal {
  FrameId frame{};
  SE3<double> pose;
  double rotation_weight = 1;  ///< per rad
  double position_weight = 1;  ///< per m
};

struct IkOptions {
  int max_iterations = 100;  ///< of one start
  int max_restarts = 20;     ///< from random configurations; 0: the guess only
  std::uint64_t seed = 1;    ///< of the restarts
  double tolerance = 1e-9;   ///< of the residual
  bool respect_limits = true;
  std::vector<double> preferred;  ///< a configuration to come near to in the null space, or empty
  double preference_gain = 0.3;   ///< share of the way to it per iteration
};

/// How a search ended.
struct IkReport {
  bool converged = false;
  double residual = 0;  ///< norm of the weighted errors, rad and m
  int iterations = 0;   ///< over all starts
  int restarts = 0;
};
struct IkResult : IkReport {
  Eigen::VectorXd q;
};

/// A twist that a frame should have.
struct TwistGoal {
  FrameId frame{};
  Twist<double> twist;
  Representation in = Representation::hybrid;
  /// Which components count, angular first; the others are free.
  std::array<bool, 6> components{true, true, true, true, true, true};
};

struct VelocityOptions {
  double singular_below =
      0.02;               ///< singular values below this are damped (Nakamura, Hanafusa 1986)
  double damping = 0.02;  ///< at a singularity
};

struct VelocityReport {
  double primary_error = 0;  ///< norm of what is missing of the primary twists
  double secondary_error = 0;
};
struct VelocityResult : VelocityReport {
  Eigen::VectorXd v;
};

/// Owns its memory: a call allocates only when the number of goals differs from the last call.
class InverseKinematics {
 public:
  explicit InverseKinematics(Robot robot);
  InverseKinematics(InverseKinematics&&) noexcept;
  InverseKinematics& operator=(InverseKinematics&&) noexcept;
  ~InverseKinematics();

  const Robot& robot() const;

  /// Levenberg-Marquardt from q_guess, then from random configurations, until converged.
  IkResult solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                 const IkOptions& options = {}) {
    IkResult found{{}, Eigen::VectorXd(robot().nq())};
    static_cast<IkReport&>(found) = solve(goals, q_guess, options, into(found.q));
    return found;
  }
  IkResult solve(std::initializer_list<PoseGoal> goals, const VectorArg& q_guess,
                 const IkOptions& options = {}) {
    return solve(std::span(goals.begin(), goals.size()), q_guess, options);
  }
  IkReport solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                 const IkOptions& options, const Into<double>& q);

  /// Joint velocities at q that give the primary goals first and, with what freedom remains, the
  /// secondary ones.
  VelocityResult velocity(const VectorArg& q, std::span<const TwistGoal> primary,
                          std::span<const TwistGoal> secondary = {},
                          const VelocityOptions& options = {}) {
    VelocityResult found{{}, Eigen::VectorXd(robot().nv())};
    static_cast<VelocityReport&>(found) = velocity(q, primary, secondary, options, into(found.v));
    return found;
  }
  VelocityReport velocity(const VectorArg& q, std::span<const TwistGoal> primary,
                          std::span<const TwistGoal> secondary, const VelocityOptions& options,
                          const Into<double>& v);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<InverseKinematics> = true;

}  // namespace jounce
