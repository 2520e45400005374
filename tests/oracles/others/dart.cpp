// SPDX-License-Identifier: BSD-3-Clause
// DART with its own reader of URDF (Debian: libdart-utils-urdf-dev).
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <stdexcept>

#include "oracles/others/peer.hpp"

namespace jounce::others {
namespace {

using dart::utils::DartLoader;

dart::dynamics::SkeletonPtr read(const Question& question) {
  // Links without <inertial> weigh 1 kg there unless it is told otherwise, and never nothing.
  const dart::dynamics::Inertia nothing(1e-100, Eigen::Vector3d::Zero(),
                                        Eigen::Matrix3d::Identity() * 1e-100);
  const auto root =
      question.floating ? DartLoader::RootJointType::FLOATING : DartLoader::RootJointType::FIXED;
  DartLoader loader;
  loader.setOptions(DartLoader::Options(nullptr, root, nothing));
  auto robot = loader.parseSkeletonString(question.text, dart::common::Uri("file:///robot.urdf"));
  if (robot == nullptr) throw std::runtime_error("refused");
  if (question.floating) robot->getRootJoint()->setName(base);
  return robot;
}

/// Free of passive forces, at its place.
void prepare(dart::dynamics::Joint& joint) {
  joint.setActuatorType(dart::dynamics::Joint::FORCE);
  for (std::size_t k = 0; k < joint.getNumDofs(); ++k) {
    joint.setDampingCoefficient(k, 0);
    joint.setCoulombFriction(k, 0);
    joint.setSpringStiffness(k, 0);
  }
  if (joint.getNumDofs() == 1) joint.setPosition(0, number_of(joint.getName(), "q"));
  if (joint.getNumDofs() != 6) return;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond(quaternion_of(joint.getName())).matrix();
  pose.translation() = position_of(joint.getName());
  joint.setPositions(dart::dynamics::FreeJoint::convertToPositions(pose));
}

}  // namespace

Answer ask_dart(const Question& question) {
  const auto robot = read(question);
  Answer answer;
  answer.nq = answer.nv = int(robot->getNumDofs());
  for (std::size_t k = 0; k < robot->getNumDofs();) {
    auto* joint = robot->getDof(k)->getJoint();
    const auto n = joint->getNumDofs();
    if (n != 1 && n != 6) return answer.coordinates.clear(), answer;
    answer.nq += n == 6 ? 1 : 0;  // a rotation vector there, a quaternion here
    for (std::string& name : coordinates_of(joint->getName(), int(n)))
      answer.coordinates.push_back(std::move(name));
    prepare(*joint);
    k += n;
  }
  if (answer.coordinates.empty()) return answer;
  robot->setVelocities(numbers_of(answer.coordinates, "v"));
  answer.M = robot->getMassMatrix();
  robot->setAccelerations(numbers_of(answer.coordinates, "a"));
  robot->computeInverseDynamics(false, false, false);
  answer.tau = robot->getForces();
  robot->setForces(numbers_of(answer.coordinates, "tau"));
  robot->computeForwardDynamics();
  answer.a = robot->getAccelerations();
  return answer;
}

}  // namespace jounce::others
