// SPDX-License-Identifier: BSD-3-Clause
// DART with its own reader of URDF (Debian: libdart-utils-urdf-dev).
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/Joint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <stdexcept>

#include "oracles/others/peer.hpp"

namespace jounce::others {

Answer ask_dart(const std::string& /*path*/, const std::string& text) {
  // Links without <inertial> weigh 1 kg there unless it is told otherwise, and never nothing.
  const dart::dynamics::Inertia nothing(1e-100, Eigen::Vector3d::Zero(),
                                        Eigen::Matrix3d::Identity() * 1e-100);
  dart::utils::DartLoader loader;
  loader.setOptions(dart::utils::DartLoader::Options(
      nullptr, dart::utils::DartLoader::RootJointType::FIXED, nothing));
  const auto robot = loader.parseSkeletonString(text, dart::common::Uri("file:///robot.urdf"));
  if (robot == nullptr) throw std::runtime_error("refused");
  Answer answer;
  answer.nq = answer.nv = int(robot->getNumDofs());
  for (std::size_t k = 0; k < robot->getNumDofs(); ++k) {
    auto* dof = robot->getDof(k);
    if (dof->getJoint()->getNumDofs() != 1) return answer.joints.clear(), answer;
    answer.joints.push_back(dof->getJoint()->getName());
    dof->setDampingCoefficient(0);
    dof->setCoulombFriction(0);
    dof->setSpringStiffness(0);
    dof->getJoint()->setActuatorType(dart::dynamics::Joint::FORCE);
  }
  if (answer.joints.empty()) return answer;
  robot->setPositions(numbers_of(answer.joints, "q"));
  robot->setVelocities(numbers_of(answer.joints, "v"));
  answer.M = robot->getMassMatrix();
  robot->setAccelerations(numbers_of(answer.joints, "a"));
  robot->computeInverseDynamics(false, false, false);
  answer.tau = robot->getForces();
  robot->setForces(numbers_of(answer.joints, "tau"));
  robot->computeForwardDynamics();
  answer.a = robot->getAccelerations();
  return answer;
}

}  // namespace jounce::others
