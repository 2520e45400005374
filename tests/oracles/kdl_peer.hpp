// SPDX-License-Identifier: BSD-3-Clause
// A robot computed by Orocos KDL, asked and answered in our conventions.
#pragma once

#include <Eigen/Core>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/model/robot.hpp>
#include <memory>
#include <string>

namespace jounce::test {

/// Revolute, prismatic and fixed joints on a fixed base; mimic joints follow. Links and frames go
/// by name.
class KdlPeer {
 public:
  explicit KdlPeer(const Robot& robot);
  KdlPeer(const KdlPeer&) = delete;
  KdlPeer& operator=(const KdlPeer&) = delete;
  ~KdlPeer();

  void set(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  Eigen::Matrix4d pose(const std::string& frame) const;
  Eigen::VectorXd twist_hybrid(const std::string& frame) const;
  Eigen::MatrixXd jacobian_hybrid(const std::string& frame) const;
  Eigen::MatrixXd jacobian_rate(const std::string& frame, Representation in) const;

  /// The forces that give the accelerations a.
  Eigen::VectorXd inverse(const Eigen::VectorXd& a) const;

  // Of robots that are one chain without mimic joints, by the solvers that KDL has for chains.
  Eigen::MatrixXd chain_mass_matrix(const std::string& tip) const;
  Eigen::VectorXd chain_coriolis_forces(const std::string& tip) const;
  Eigen::VectorXd chain_gravity_forces(const std::string& tip) const;
  Eigen::VectorXd chain_forward(const std::string& tip, const Eigen::VectorXd& tau) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce::test
