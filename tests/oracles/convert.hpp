// SPDX-License-Identifier: BSD-3-Clause
// Vectors and matrices of other libraries in our conventions: order of joints, angular part first.
//
// Pinocchio and KDL put the linear part of motions and forces first. Pinocchio's free base has our
// q (position, quaternion x y z w) and the velocity (v, omega) in the base frame, so that all that
// separates its vectors from ours is a permutation.
#pragma once

#include <Eigen/Core>
#include <jounce/model/robot.hpp>
#include <span>
#include <string>
#include <vector>

namespace jounce::test {

/// Six rows with the linear part first: the same with the angular part first, and the other way.
inline Eigen::MatrixXd swap_parts(const Eigen::MatrixXd& six_rows) {
  Eigen::MatrixXd swapped(6, six_rows.cols());
  swapped << six_rows.bottomRows(3), six_rows.topRows(3);
  return swapped;
}

/// A joint of Pinocchio's, by our name for it.
struct PinocchioJoint {
  std::string name;
  int q = 0, v = 0;  ///< idx_q and idx_v: its first coordinate in Pinocchio's vectors
};

/// Where our coordinates stand in Pinocchio's vectors: ours[k] = theirs[q[k]].
struct PinocchioOrder {
  std::vector<int> q, v;

  Eigen::VectorXd positions(const Eigen::VectorXd& theirs) const { return theirs(q); }
  /// Velocities, accelerations and forces.
  Eigen::VectorXd velocities(const Eigen::VectorXd& theirs) const { return theirs(v); }
  /// A Jacobian: one column per velocity.
  Eigen::MatrixXd columns(const Eigen::MatrixXd& theirs) const { return theirs(Eigen::all, v); }
  /// A regressor: one row per velocity.
  Eigen::MatrixXd rows(const Eigen::MatrixXd& theirs) const { return theirs(v, Eigen::all); }
  /// A mass matrix or a derivative of forces: one row and one column per velocity.
  Eigen::MatrixXd matrix(const Eigen::MatrixXd& theirs) const { return theirs(v, v); }
};

/// `theirs` names every joint of the robot that has coordinates, and no other.
inline PinocchioOrder pinocchio_order(const Robot& robot, std::span<const PinocchioJoint> theirs) {
  PinocchioOrder order{std::vector<int>(static_cast<size_t>(robot.nq()), -1),
                       std::vector<int>(static_cast<size_t>(robot.nv()), -1)};
  for (const PinocchioJoint& joint : theirs) {
    const JointInfo& ours = robot.joint(joint.name);
    const bool free = ours.kind == JointKind::free;
    for (int k = 0; k < ours.nq; ++k) order.q[static_cast<size_t>(ours.q + k)] = joint.q + k;
    for (int k = 0; k < ours.nv; ++k)
      order.v[static_cast<size_t>(ours.v + k)] = joint.v + (free ? (k + 3) % 6 : k);
  }
  for (const int place : order.q)
    if (place < 0) throw InputError("pinocchio_order: a joint of \"" + robot.name() + "\" missing");
  return order;
}

}  // namespace jounce::test
