// SPDX-License-Identifier: BSD-3-Clause
// Kinematics of closed mechanisms: what their motors do to a frame, where they are singular, and
// configurations that close the loops and bring frames to poses.
//
//   jounce::ClosedKinematics closed(jounce::load("builtin:five_bar"));
//   const Eigen::MatrixXd J = closed.jacobian(q, tip);          // a column for every motor
//   const jounce::Singularity s = closed.singularity(q, tip);   // s.rows, s.passive, s.frame
//   const jounce::ClosedIkResult found = closed.solve({{tip, target}}, q_guess);
// With the rows A of the loops, velocities that suit them are v = G y, G a basis of what A leaves.
// Coordinates are driven where a choice of them determines y: v = G G_d^+ v_d.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/inverse_kinematics.hpp>

namespace jounce {

/// Three ways to be singular, each by its smallest singular value; they are different things.
struct Singularity {
  /// Of the rows that count, of the largest. Zero where branches of the motion meet: more
  /// velocities suit the loops than motions go on.
  double rows = 1;
  /// Of the columns of coordinates that are not driven, of the largest of all. Zero where the
  /// mechanism moves while all driven ones stand still: motors lose control of it.
  double passive = 1;
  /// Of the frame's body Jacobian on what suits the loops, the last of as many as it can have, in
  /// rad and m. Zero where the frame loses a direction.
  double frame = 0;
  double position = 0;    ///< the same of the velocity of its origin alone, in m
  int mobility = 0;       ///< motions that go on: nv - rank
  int instantaneous = 0;  ///< velocities that suit the loops here: more at a change point
};

enum class ClosedIkEnd : unsigned char {
  converged,
  open_loops,    ///< no start could be closed
  limits,        ///< coordinates stand at their limits, or no closed start is within them
  out_of_reach,  ///< no step helps
  iterations     ///< steps would have helped on
};
inline namespace JOUNCE_ISA {

/// "converged", "open_loops", ...
inline const char* name(ClosedIkEnd end) {
  constexpr const char* names[] = {"converged", "open_loops", "limits", "out_of_reach",
                                   "iterations"};
  return names[static_cast<size_t>(end)];
}

}  // namespace JOUNCE_ISA

struct ClosedIkReport : IkReport {
  ClosedIkEnd end = ClosedIkEnd::open_loops;  ///< of the best start
  AssemblyReport assembly;                    ///< of its loops, at q
};
struct ClosedIkResult : ClosedIkReport {
  Eigen::VectorXd q;
};

class ClosedKinematics {
 public:
  explicit ClosedKinematics(Robot robot);
  ClosedKinematics(ClosedKinematics&&) noexcept;
  ClosedKinematics& operator=(ClosedKinematics&&) noexcept;
  ~ClosedKinematics();

  const Robot& robot() const;
  int mobility() const;
  /// Decides again how many rows of the loops count, as ConstrainedDynamics::decide_rank.
  int decide_rank(const VectorArg& q, double time = 0);
  /// Another one that takes as many rows: what clone(door) gives.
  ClosedKinematics another() const;

  /// Velocities of all coordinates, a column for every driven one (flags by velocity; without them
  /// the motors of Robot::actuated): nv x driven. Driven ones that are more than the mobility
  /// depend on one another; what suits the loops best is taken of them. ComputationError where they
  /// are too few, or lose control.
  template <class Owned = OwnedMatrix>
  Owned motion(const VectorArg& q, std::span<const bool> driven = {}, double time = 0) {
    Owned found(robot().nv(), driven_count(driven));
    motion(q, driven, Into<double>(detail::OwnedAccess::numbers(found), found.rows(), found.cols()),
           time);
    return found;
  }
  void motion(const VectorArg& q, std::span<const bool> driven, const Into<double>& found,
              double time = 0);

  /// The twist of a frame, a column for every driven coordinate: 6 x driven.
  template <class Owned = OwnedMatrix>
  Owned jacobian(const VectorArg& q, FrameId frame, Representation in = Representation::body,
                 std::span<const bool> driven = {}, double time = 0) {
    Owned found(6, driven_count(driven));
    jacobian(q, frame, in, driven,
             Into<double>(detail::OwnedAccess::numbers(found), found.rows(), found.cols()), time);
    return found;
  }
  void jacobian(const VectorArg& q, FrameId frame, Representation in, std::span<const bool> driven,
                const Into<double>& found, double time = 0);

  Singularity singularity(const VectorArg& q, FrameId frame, std::span<const bool> driven = {},
                          double time = 0);

  /// As InverseKinematics::solve, with the loops closed: the guess is closed first, steps stay
  /// among the velocities that suit the loops, and each is followed by an assembly. A preferred
  /// configuration is not approached.
  ClosedIkResult solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                       const IkOptions& options = {}, double time = 0) {
    ClosedIkResult found{{}, Eigen::VectorXd(robot().nq())};
    static_cast<ClosedIkReport&>(found) = solve(goals, q_guess, options, into(found.q), time);
    return found;
  }
  ClosedIkResult solve(std::initializer_list<PoseGoal> goals, const VectorArg& q_guess,
                       const IkOptions& options = {}, double time = 0) {
    return solve(std::span(goals.begin(), goals.size()), q_guess, options, time);
  }
  ClosedIkReport solve(std::span<const PoseGoal> goals, const VectorArg& q_guess,
                       const IkOptions& options, const Into<double>& q, double time = 0);

 private:
  int driven_count(std::span<const bool> driven) const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<ClosedKinematics> = true;

}  // namespace jounce
