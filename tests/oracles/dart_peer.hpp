// SPDX-License-Identifier: BSD-3-Clause
// A robot computed by DART, asked and answered in our conventions.
#pragma once

#include <Eigen/Core>
#include <jounce/model/robot.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jounce::test {

/// All kinds of joint but custom ones. The centre of mass leaves out what is fixed to the ground.
class DartPeer {
 public:
  explicit DartPeer(const Robot& robot);
  DartPeer(const DartPeer&) = delete;
  DartPeer& operator=(const DartPeer&) = delete;
  ~DartPeer();

  void set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a);

  Eigen::Matrix4d pose(const std::string& link) const;
  Eigen::VectorXd twist_body(const std::string& link) const;
  Eigen::VectorXd twist_hybrid(const std::string& link) const;
  Eigen::VectorXd spatial_acceleration_body(const std::string& link) const;
  Eigen::VectorXd classical_acceleration_hybrid(const std::string& link) const;

  Eigen::MatrixXd jacobian_body(const std::string& link) const;
  Eigen::MatrixXd jacobian_hybrid(const std::string& link) const;
  /// DART's "spatial" derivative: the rate of the space Jacobian, seen from the body (Ad_{T^-1}).
  Eigen::MatrixXd jacobian_space_rate_in_body(const std::string& link) const;
  Eigen::MatrixXd jacobian_hybrid_rate(const std::string& link) const;

  double mass() const;
  Eigen::Vector3d com() const;
  Eigen::Vector3d com_velocity() const;
  Eigen::Vector3d com_acceleration() const;
  Eigen::MatrixXd com_jacobian() const;

  Eigen::MatrixXd mass_matrix() const;
  Eigen::VectorXd gravity_forces() const;
  Eigen::VectorXd bias() const;  ///< Coriolis, centrifugal and gravity forces
  /// The forces that give the accelerations of the state.
  Eigen::VectorXd inverse();
  /// The accelerations that forces give; not for robots with mimic joints, which DART has not.
  Eigen::VectorXd forward(const Eigen::VectorXd& tau);
  /// All accelerations and forces where those of some joints, whole ones, are prescribed: DART's
  /// joints of kind ACCELERATION among those of kind FORCE. Not for robots with mimic joints.
  using Both = std::pair<Eigen::VectorXd, Eigen::VectorXd>;
  Both hybrid(const std::vector<bool>& prescribed, const Eigen::VectorXd& a,
              const Eigen::VectorXd& tau);
  /// The same of a robot at rest with its loops closed: those of kind fixed and spherical, which
  /// are all that DART has. It closes them by impulses: loops hold velocities after a step, so that
  /// of its accelerations Adot v is missing.
  Eigen::VectorXd forward_with_loops(const Robot& robot, const Eigen::VectorXd& tau);
  /// Steps of its own simulation from the state that was set, without forces: Euler's with the new
  /// velocity. Of robots whose joints are angles and lengths; positions, then velocities.
  Eigen::VectorXd swing(const Robot& robot, double step, int steps);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jounce::test
