// SPDX-License-Identifier: BSD-3-Clause
// Dynamics and kinematics with their time derivatives, to any order.
//
//   jounce::Series series(arm, 3);                                // up to tau''' and v''''
//   Eigen::MatrixXd motion = series.forward(q, v, taus);          // v, a, jerk, snap, ...
//   jounce::KinematicSeries frames(arm, 2);
//   auto J2 = frames.at(q, motion).jacobian(flange, body, 2);     // d2 J/dt2
// Column k of a matrix holds the k-th derivative: motion is v, a, jerk, ..., taus is tau, tau', ...
// The order of an answer is that of what is given, at most that of the constructor.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/series_surroundings.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>
#include <vector>

namespace jounce {

struct HybridSeriesResult {
  OwnedMatrix motion;  ///< v, a, jerk, ..., v^(order + 1) of all coordinates
  OwnedMatrix taus;    ///< tau, tau', ..., tau^(order)
};

/// What every joint transmits, with its derivatives.
class JointWrenchSeries {
 public:
  JointWrenchSeries(int joints, int order)
      : order_(order), all_(size_t(joints + 1) * size_t(order + 1)) {}
  int order() const { return order_; }
  /// The k-th derivative of the wrench on the child of Robot::joints()[joint], from its parent.
  const Wrench<double>& operator()(int joint, int k) const { return all_.at(place(joint, k)); }
  /// That of the ground on the robot, in the ground frame.
  const Wrench<double>& ground(int k) const {
    return all_.at(all_.size() - size_t(order_ + 1 - k));
  }

 private:
  friend class Series;
  size_t place(int joint, int k) const { return size_t(joint) * size_t(order_ + 1) + size_t(k); }

  int order_;
  std::vector<Wrench<double>> all_;  ///< [joints and ground][order + 1]
};

class Series {
 public:
  /// The highest order of an answer: as memory allows. Robots whose laws run on series of their own
  /// (docs/higher-order.md) take some of it in the first call.
  Series(Robot robot, int order);
  Series(Series&&) noexcept;
  Series& operator=(Series&&) noexcept;
  ~Series();

  const Robot& robot() const;
  int order() const;

  /// The forces and their derivatives for a motion v, a, ..., v^(r + 1), passive joint forces
  /// included: tau, tau', ..., tau^(r).
  OwnedMatrix inverse(const VectorArg& q, const MatrixArg& motion,
                      const SeriesSurroundings& around = {}) {
    OwnedMatrix taus = columns(motion.columns() - 1);
    inverse(q, motion, around, to(taus));
    return taus;
  }
  void inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
               const Into<double>& taus);
  /// The motion v, a, ..., v^(r + 1) that forces tau, tau', ..., tau^(r) give.
  OwnedMatrix forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                      const SeriesSurroundings& around = {}) {
    OwnedMatrix motion = columns(taus.columns() + 1);
    forward(q, v, taus, around, to(motion));
    return motion;
  }
  void forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
               const SeriesSurroundings& around, const Into<double>& motion);
  /// Motion where prescribed, forces elsewhere; one flag per velocity coordinate. Column 0 of
  /// motion is v of all. A free base with a given motion has its six coordinates prescribed.
  HybridSeriesResult hybrid(std::span<const bool> prescribed, const VectorArg& q,
                            const MatrixArg& motion, const MatrixArg& taus,
                            const SeriesSurroundings& around = {}) {
    HybridSeriesResult found{columns(motion.columns()), columns(motion.columns() - 1)};
    hybrid(prescribed, q, motion, taus, around, to(found.motion), to(found.taus));
    return found;
  }
  void hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
              const MatrixArg& taus, const SeriesSurroundings& around,
              const Into<double>& motion_found, const Into<double>& taus_found);

  /// The constraint wrenches of orders 0 to r along a motion v, a, ..., v^(r + 1): in the child
  /// link's frame (body), in ground axes at its origin (hybrid) or in the ground frame (space).
  JointWrenchSeries joint_wrenches(const VectorArg& q, const MatrixArg& motion,
                                   Representation in = Representation::body,
                                   const SeriesSurroundings& around = {}) {
    const int order = motion.columns() > 2 ? motion.columns() - 2 : 0;
    JointWrenchSeries found(int(robot().joints().size()), order);
    joint_wrenches(q, motion, in, around, into(found.all_));
    return found;
  }

 private:
  /// [joints and ground][order + 1].
  void joint_wrenches(const VectorArg& q, const MatrixArg& motion, Representation in,
                      const SeriesSurroundings& around, const Into<Wrench<double>>& found);
  OwnedMatrix columns(int count) const { return {robot().nv(), count > 0 ? count : 0}; }
  static Into<double> to(OwnedMatrix& x) {
    return {detail::OwnedAccess::numbers(x), long(x.rows()), long(x.cols())};
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Poses, twists and Jacobians of frames with their derivatives along a motion: the one given to
/// `at` is what everything else answers about.
class KinematicSeries {
 public:
  /// The highest order of a motion's last derivative, v^(order): as memory allows. Custom joints
  /// take some of it in the first call.
  KinematicSeries(Robot robot, int order);
  KinematicSeries(KinematicSeries&&) noexcept;
  KinematicSeries& operator=(KinematicSeries&&) noexcept;
  ~KinematicSeries();

  const Robot& robot() const;
  int order() const;

  /// A motion v, a, ..., v^(r). The ground's own is V, V', ... of its body twist.
  KinematicSeries& at(const VectorArg& q, const MatrixArg& motion,
                      std::span<const Twist<double>> ground = {});
  /// The k-th derivative of the 4 x 4 pose of a frame, k up to r + 1.
  Mat4<double> pose(FrameId frame, int k) const;
  /// The k-th derivative of twist_body, twist_space or twist_hybrid, component by component.
  Twist<double> twist(FrameId frame, Representation in, int k) const;
  /// The k-th derivative of the Jacobian, 6 x nv; k up to r + 1.
  OwnedMatrix jacobian(FrameId frame, Representation in, int k) {
    OwnedMatrix J(6, robot().nv());
    jacobian(frame, in, k, Into<double>(detail::OwnedAccess::numbers(J), 6, robot().nv()));
    return J;
  }
  void jacobian(FrameId frame, Representation in, int k, const Into<double>& J);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<Series> = true;
template <>
inline constexpr bool is_clonable<KinematicSeries> = true;

}  // namespace jounce
