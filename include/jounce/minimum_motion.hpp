// SPDX-License-Identifier: BSD-3-Clause
// The motion between two configurations that costs least, over B-splines.
//
//   jounce::MinimumMotion motion(arm, {.cost = jounce::MotionCost::force});
//   const auto best = motion.find(q0, q1);       // best.path, best.value, best.converged
// Costs: the energy integral of v . M v (whose minima are geodesics), of tau^2, and of the square
// of the force's rate. What is found is a local minimum, from a straight line or from a path of the
// caller's; gravity and passive forces act as options say. docs/geometry.md.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

struct MotionProblem;

enum class MotionCost : unsigned char {
  energy,     ///< integral of v . M v dt
  force,      ///< integral of |tau|^2 dt, from rest to rest, accelerations zero at both ends
  force_rate  ///< integral of |dtau/dt|^2 dt, from rest to rest, accelerations and jerks zero there
};

struct MinimumMotionOptions {
  MotionCost cost = MotionCost::energy;
  double duration = 1;
  int control_points = 14;  ///< of each joint; at least 7, of force_rate 9
  bool limits = true;       ///< keep the robot's limits of position
  bool gravity = true;      ///< force and force_rate: whether it acts
  bool passive = false;     ///< the same of passive joint forces
  double tolerance =
      1e-8;              ///< of the gradient, in the norm of the problem and relative to the cost
  int iterations = 300;  ///< at most
};

/// A clamped quintic B-spline: a joint stays between its smallest and largest control point.
struct SplinePath {
  double duration = 1;
  dense::Matrix control;  ///< nv x control points; the first and the last are the ends

  /// The derivative of order 0 to 5 at time t, nv numbers; before 0 and after the end as there.
  /// InputError where t is not finite, and for fewer than 6 control points.
  void derivative(double t, int order, std::span<double> out) const;
  std::vector<double> operator()(double t, int order = 0) const;
};

struct MinimumMotionResult {
  SplinePath path;
  double value = 0;            ///< its cost
  double straight = 0;         ///< that of the path it started from
  std::vector<double> values;  ///< after every iteration, the start's first
  double residual = 0;         ///< of the gradient, as the tolerance
  int iterations = 0;
  int at_limits = 0;       ///< control points that a limit holds
  bool converged = false;  ///< to a local minimum: another start may lead to another
};

class MinimumMotion {
 public:
  /// InputError for options out of range, and for joints whose velocities are not the rates of
  /// their coordinates: planar, spherical, free and circle.
  explicit MinimumMotion(Robot robot, const MinimumMotionOptions& options = {});
  MinimumMotion(MinimumMotion&&) noexcept;
  MinimumMotion& operator=(MinimumMotion&&) noexcept;
  ~MinimumMotion();

  const Robot& robot() const;
  const MinimumMotionOptions& options() const;
  /// Another one with the same options: what clone(door) gives.
  MinimumMotion another() const { return MinimumMotion(robot(), options()); }

  /// From the straight line. InputError where the limits exclude an end; ComputationError where
  /// the mass matrix is singular anywhere on the path that it starts from, of energy also on that
  /// which it finds.
  MinimumMotionResult find(const VectorArg& q0, const VectorArg& q1);
  /// From a path with the ends' control points and as many as the options say.
  MinimumMotionResult find(const SplinePath& start);
  /// The straight line at the pace that the cost starts from.
  SplinePath line(const VectorArg& q0, const VectorArg& q1) const;

  /// The cost of a path, its gradient by the control points, zero for those that are fixed, and its
  /// second derivatives by all numbers of those that are not, one control point after the other.
  double cost(const SplinePath& path, dense::Matrix* gradient = nullptr,
              dense::Matrix* hessian = nullptr);

 private:
  std::unique_ptr<MotionProblem> problem_;
};

template <>
inline constexpr bool is_clonable<MinimumMotion> = true;

}  // namespace jounce
