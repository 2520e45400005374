// SPDX-License-Identifier: BSD-3-Clause
// Builds a DART skeleton from a robot's description and translates coordinates and answers.
//
// A DART joint has a placement in the parent, a motion and the pose of the joint in the child: our
// three factors. What DART has no joint for (cylindrical, composite, Euler angles about any axes)
// becomes several joints with massless bodies between them. Velocities are related by u = E(q) v,
// u DART's and v ours, so that
//   du/dt = E a + Edot v,   J = J_dart E,   Jdot = Jdot_dart E + J_dart Edot,
//   tau = E^T tau_dart,     M = E^T M_dart E.
// E is the identity but for planar joints, whose DART velocities are dx/dt and dy/dt (ours are
// those in the moving frame), and for mimic joints, which DART does not know.
#include "oracles/dart_peer.hpp"

#include <Eigen/LU>
#include <cmath>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/constraint/WeldJointConstraint.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/EulerJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ScrewJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <jounce/group/eigen.hpp>
#include <numbers>

namespace jounce::test {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d to_isometry(const SE3<double>& T) {
  Eigen::Isometry3d isometry;
  isometry.matrix() = to_eigen(T);
  return isometry;
}

/// The rotation vector of a quaternion x, y, z, w.
Eigen::Vector3d rotation_vector(const Eigen::Vector4d& q) {
  const Eigen::Vector3d axis = q.head<3>();
  const double sine = axis.norm();
  return sine == 0 ? axis : axis * (2 * std::atan2(sine, q[3]) / sine);
}

/// The columns of the shortest rotation that takes z to the axis span the plane of a planar joint.
Eigen::Matrix3d plane_of(const Vec3<double>& axis) {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ(), n = to_eigen(axis);
  if (n.z() < -1 + 1e-12) return Eigen::Vector3d(1, -1, -1).asDiagonal();
  const Eigen::Vector3d c = z.cross(n);
  Eigen::Matrix3d hat;
  hat << 0, -c.z(), c.y(), c.z(), 0, -c.x(), -c.y(), c.x(), 0;
  return Eigen::Matrix3d::Identity() + hat + hat * hat / (1 + n.z());
}

/// Whether the axes are unit vectors of the joint frame in this order.
bool are(const std::vector<Vec3<double>>& axes, const Eigen::Matrix3d& wanted) {
  for (int k = 0; k < 3; ++k)
    if (to_eigen(axes[static_cast<size_t>(k)]) != wanted.col(k)) return false;
  return true;
}

/// One DART joint and the coordinates of ours that move it: ratio * q + offset.
struct Step {
  dd::Joint* joint = nullptr;
  JointKind kind = JointKind::fixed;
  int q = 0, v = 0;
  double ratio = 1, offset = 0;
};

class Builder {
 public:
  Builder(dd::Skeleton& skeleton, std::vector<Step>& steps) : skeleton_(skeleton), steps_(steps) {}

  void add(const JointDescription& joint, const JointInfo* info, const LinkDescription& link) {
    body_ = joint.parent.empty() ? nullptr : skeleton_.getBodyNode(joint.parent);
    last_ = Step{};
    if (info) last_.q = info->q, last_.v = info->v;
    if (joint.mimic) last_.ratio = joint.mimic->multiplier, last_.offset = joint.mimic->offset;
    add(joint.geometry, joint.geometry.placement);
    last_.joint->setTransformFromChildBodyNode(to_isometry(inverse(joint.child_placement)));
    body_->setName(link.name);
    if (body_->getNumDependentGenCoords() == 0) return;  // part of the ground
    const Eigen::Matrix3d I = to_eigen(to_matrix(link.I_com));
    body_->setInertia(dd::Inertia(link.mass, to_eigen(link.com), I));
  }

 private:
  /// Appends a joint with a body that weighs nothing to speak of (DART warns of zero).
  template <class Joint>
  Joint* append(JointKind kind, const SE3<double>& placement) {
    typename Joint::Properties properties;
    properties.mName = "joint " + std::to_string(steps_.size());
    if constexpr (requires { properties.mDofNames; })
      for (std::string& dof : properties.mDofNames)
        dof = properties.mName + " " + std::to_string(&dof - properties.mDofNames.data());
    const auto [joint, body] = skeleton_.createJointAndBodyNodePair<Joint>(
        body_, properties, dd::BodyNode::AspectProperties("body of " + properties.mName));
    joint->setTransformFromParentBodyNode(to_isometry(placement));
    body->setInertia(
        dd::Inertia(1e-100, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity() * 1e-100));
    body_ = body;
    last_.joint = joint;
    last_.kind = kind;
    steps_.push_back(last_);
    const int nv = static_cast<int>(joint->getNumDofs());
    last_.v += nv;
    last_.q += nv + (kind == JointKind::spherical || kind == JointKind::free ? 1 : 0);
    return joint;
  }

  void add(const JointGeometry& g, const SE3<double>& placement) {
    switch (g.kind) {
      case JointKind::fixed:
        append<dd::WeldJoint>(g.kind, placement);
        return;
      case JointKind::revolute:
        append<dd::RevoluteJoint>(g.kind, placement)->setAxis(to_eigen(g.axes[0]));
        return;
      case JointKind::prismatic:
        append<dd::PrismaticJoint>(g.kind, placement)->setAxis(to_eigen(g.axes[0]));
        return;
      case JointKind::translational:
        append<dd::TranslationalJoint>(g.kind, placement);
        return;
      case JointKind::spherical:
        append<dd::BallJoint>(g.kind, placement);
        return;
      case JointKind::free:
        append<dd::FreeJoint>(g.kind, placement);
        return;
      default:
        add_with_axes(g, placement);
    }
  }
  void add_with_axes(const JointGeometry& g, const SE3<double>& placement) {
    switch (g.kind) {
      case JointKind::helical: {
        auto* joint = append<dd::ScrewJoint>(g.kind, placement);
        joint->setAxis(to_eigen(g.axes[0]));
        joint->setPitch(g.pitch * 2 * std::numbers::pi);  // metres per turn
        return;
      }
      case JointKind::universal: {
        auto* joint = append<dd::UniversalJoint>(g.kind, placement);
        joint->setAxis1(to_eigen(g.axes[0]));
        joint->setAxis2(to_eigen(g.axes[1]));
        return;
      }
      case JointKind::planar: {
        const Eigen::Matrix3d plane = plane_of(g.axes[0]);
        append<dd::PlanarJoint>(g.kind, placement)
            ->setArbitraryPlane(plane.col(0), plane.col(1), false);
        return;
      }
      case JointKind::euler_ball:
        return add_euler(g, placement);
      case JointKind::cylindrical:
        return add_cylindrical(g, placement);
      case JointKind::composite:
        return add_composite(g, placement);
      default:
        throw InputError(std::string("DartPeer: no joint of kind ") + name(g.kind));
    }
  }
  void add_euler(const JointGeometry& g, const SE3<double>& placement) {
    const Eigen::Matrix3d xyz = Eigen::Matrix3d::Identity(), zyx = xyz.rowwise().reverse();
    using Order = dd::EulerJoint::AxisOrder;
    if (are(g.axes, xyz) || are(g.axes, zyx)) {
      auto* joint = append<dd::EulerJoint>(g.kind, placement);
      joint->setAxisOrder(are(g.axes, xyz) ? Order::XYZ : Order::ZYX, false);
      return;
    }
    for (int k = 0; k < 3; ++k)
      append<dd::RevoluteJoint>(JointKind::revolute, k == 0 ? placement : SE3<double>{})
          ->setAxis(to_eigen(g.axes[static_cast<size_t>(k)]));
  }
  /// Turning about an axis and moving along it commute.
  void add_cylindrical(const JointGeometry& g, const SE3<double>& placement) {
    append<dd::RevoluteJoint>(JointKind::revolute, placement)->setAxis(to_eigen(g.axes[0]));
    append<dd::PrismaticJoint>(JointKind::prismatic, {})->setAxis(to_eigen(g.axes[0]));
  }
  void add_composite(const JointGeometry& g, SE3<double> placement) {
    for (const JointGeometry& part : g.parts) {
      add(part, placement * part.placement);
      placement = {};
    }
  }

  dd::Skeleton& skeleton_;
  std::vector<Step>& steps_;
  dd::BodyNode* body_ = nullptr;  ///< what the next joint hangs on
  Step last_;                     ///< the last joint, with the coordinates of the next
};

}  // namespace

struct DartPeer::Impl {
  dd::SkeletonPtr skeleton = dd::Skeleton::create();
  std::vector<Step> steps;
  Eigen::MatrixXd E, Edot;  ///< dofs of DART x nv
  Eigen::VectorXd drift;    ///< Edot v

  const dd::BodyNode* body(const std::string& link) const {
    const dd::BodyNode* node = skeleton->getBodyNode(link);
    if (!node) throw InputError("DartPeer: no link \"" + link + "\"");
    return node;
  }
  Eigen::MatrixXd rate(const Eigen::MatrixXd& J, const Eigen::MatrixXd& Jdot) const {
    return Jdot * E + J * Edot;
  }

  /// DART's coordinates of one joint, and its blocks of E and Edot.
  void move(const Step& step, const double* q, const double* v, Eigen::VectorXd& theirs) {
    const auto n = static_cast<Eigen::Index>(step.joint->getNumDofs());
    if (n == 0) return;
    const auto row = static_cast<Eigen::Index>(step.joint->getIndexInSkeleton(0));
    E.block(row, step.v, n, n).setIdentity() *= step.ratio;
    const Eigen::Map<const Eigen::VectorXd> ours(q, n);
    if (step.kind == JointKind::spherical) {
      theirs.segment<3>(row) = rotation_vector(Eigen::Map<const Eigen::Vector4d>(q));
    } else if (step.kind == JointKind::free) {
      theirs.segment<3>(row) = rotation_vector(Eigen::Map<const Eigen::Vector4d>(q + 3));
      theirs.segment<3>(row + 3) = ours.head<3>();
    } else {
      theirs.segment(row, n) = (ours.head(n) * step.ratio).array() + step.offset;
    }
    if (step.kind == JointKind::planar) move_planar(row, step.v, q[2], v[0]);
  }
  /// (dx/dt, dy/dt, omega) from (omega, v_x, v_y).
  void move_planar(Eigen::Index row, Eigen::Index column, double angle, double omega) {
    const double s = std::sin(angle), c = std::cos(angle);
    E.block<3, 3>(row, column) << 0, c, -s, 0, s, c, 1, 0, 0;
    Edot.block<3, 3>(row, column) << 0, -s, -c, 0, c, -s, 0, 0, 0;
    Edot.block<3, 3>(row, column) *= omega;
  }
};

DartPeer::DartPeer(const Robot& robot) : impl_(std::make_unique<Impl>()) {
  const RobotDescription& d = robot.description();
  const auto link = [&](const std::string& name) -> const LinkDescription& {
    return d.links[static_cast<size_t>(robot.frame(name))];
  };
  Builder builder(*impl_->skeleton, impl_->steps);
  const bool has_base_joint = !d.joints.empty() && d.joints[0].parent.empty();
  if (!has_base_joint) {
    JointDescription ground;
    builder.add(ground, nullptr, d.links[0]);
  }
  for (size_t k = 0; k < d.joints.size(); ++k) {
    const JointDescription& joint = d.joints[k];
    const JointInfo* info =
        joint.geometry.kind == JointKind::fixed ? nullptr : &robot.joint(joint.name);
    builder.add(joint, info, link(joint.child));
  }
  const auto dofs = static_cast<Eigen::Index>(impl_->skeleton->getNumDofs());
  impl_->E = impl_->Edot = Eigen::MatrixXd::Zero(dofs, robot.nv());
  impl_->skeleton->setGravity(to_eigen(robot.gravity()));
}
DartPeer::~DartPeer() = default;

void DartPeer::set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a) {
  impl_->E.setZero();
  impl_->Edot.setZero();
  Eigen::VectorXd theirs(impl_->E.rows());
  for (const Step& step : impl_->steps)
    impl_->move(step, q.data() + step.q, v.data() + step.v, theirs);
  impl_->skeleton->setPositions(theirs);
  impl_->skeleton->setVelocities(impl_->E * v);
  impl_->drift = impl_->Edot * v;
  impl_->skeleton->setAccelerations(impl_->E * a + impl_->drift);
}

Eigen::Matrix4d DartPeer::pose(const std::string& link) const {
  return impl_->body(link)->getWorldTransform().matrix();
}
Eigen::VectorXd DartPeer::twist_body(const std::string& link) const {
  return impl_->body(link)->getSpatialVelocity();
}
Eigen::VectorXd DartPeer::twist_hybrid(const std::string& link) const {
  Eigen::VectorXd V(6);
  V << impl_->body(link)->getAngularVelocity(), impl_->body(link)->getLinearVelocity();
  return V;
}
Eigen::VectorXd DartPeer::spatial_acceleration_body(const std::string& link) const {
  return impl_->body(link)->getSpatialAcceleration();
}
Eigen::VectorXd DartPeer::classical_acceleration_hybrid(const std::string& link) const {
  Eigen::VectorXd A(6);
  A << impl_->body(link)->getAngularAcceleration(), impl_->body(link)->getLinearAcceleration();
  return A;
}

Eigen::MatrixXd DartPeer::jacobian_body(const std::string& link) const {
  return impl_->skeleton->getJacobian(impl_->body(link)) * impl_->E;
}
Eigen::MatrixXd DartPeer::jacobian_hybrid(const std::string& link) const {
  return impl_->skeleton->getWorldJacobian(impl_->body(link)) * impl_->E;
}
Eigen::MatrixXd DartPeer::jacobian_space_rate_in_body(const std::string& link) const {
  const dd::BodyNode* body = impl_->body(link);
  return impl_->rate(impl_->skeleton->getJacobian(body),
                     impl_->skeleton->getJacobianSpatialDeriv(body));
}
Eigen::MatrixXd DartPeer::jacobian_hybrid_rate(const std::string& link) const {
  const dd::BodyNode* body = impl_->body(link);
  return impl_->rate(impl_->skeleton->getWorldJacobian(body),
                     impl_->skeleton->getJacobianClassicDeriv(body));
}

double DartPeer::mass() const { return impl_->skeleton->getMass(); }
Eigen::Vector3d DartPeer::com() const { return impl_->skeleton->getCOM(); }
Eigen::Vector3d DartPeer::com_velocity() const { return impl_->skeleton->getCOMLinearVelocity(); }
Eigen::Vector3d DartPeer::com_acceleration() const {
  return impl_->skeleton->getCOMLinearAcceleration();
}
Eigen::MatrixXd DartPeer::com_jacobian() const {
  return impl_->skeleton->getCOMLinearJacobian() * impl_->E;
}

Eigen::MatrixXd DartPeer::mass_matrix() const {
  return impl_->E.transpose() * impl_->skeleton->getMassMatrix() * impl_->E;
}
Eigen::VectorXd DartPeer::gravity_forces() const {
  return impl_->E.transpose() * impl_->skeleton->getGravityForces();
}
Eigen::VectorXd DartPeer::bias() const {
  const Eigen::VectorXd theirs = impl_->skeleton->getCoriolisAndGravityForces() +
                                 impl_->skeleton->getMassMatrix() * impl_->drift;
  return impl_->E.transpose() * theirs;
}
Eigen::VectorXd DartPeer::inverse() {
  impl_->skeleton->computeInverseDynamics();
  return impl_->E.transpose() * impl_->skeleton->getForces();
}
Eigen::VectorXd DartPeer::forward(const Eigen::VectorXd& tau) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> E(impl_->E);
  impl_->skeleton->setForces(E.transpose().solve(tau));
  impl_->skeleton->computeForwardDynamics();
  return E.solve(impl_->skeleton->getAccelerations() - impl_->drift);
}

DartPeer::Both DartPeer::hybrid(const std::vector<bool>& prescribed, const Eigen::VectorXd& a,
                                const Eigen::VectorXd& tau) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> E(impl_->E);
  const Eigen::VectorXd theirs = impl_->E * a + impl_->drift, forces = E.transpose().solve(tau);
  for (const Step& step : impl_->steps) {
    if (step.joint->getNumDofs() == 0) continue;
    const bool fixed = prescribed[size_t(step.v)];
    const long row = long(step.joint->getIndexInSkeleton(0)), n = long(step.joint->getNumDofs());
    step.joint->setActuatorType(fixed ? dd::Joint::ACCELERATION : dd::Joint::FORCE);
    step.joint->setCommands((fixed ? theirs : forces).segment(row, n));
  }
  impl_->skeleton->computeForwardDynamics();
  const dd::Skeleton& x = *impl_->skeleton;
  for (const Step& step : impl_->steps) step.joint->setActuatorType(dd::Joint::FORCE);
  return {E.solve(x.getAccelerations() - impl_->drift), impl_->E.transpose() * x.getForces()};
}

Eigen::VectorXd DartPeer::forward_with_loops(const Robot& robot, const Eigen::VectorXd& tau) {
  namespace dc = dart::constraint;
  dc::DynamicJointConstraint::setErrorReductionParameter(0);
  dc::DynamicJointConstraint::setConstraintForceMixing(1e-9);  // its least
  const auto world = dart::simulation::World::create();
  world->setTimeStep(1e-5);  // a free base's velocities are turned by the step, in second order
  world->setGravity(to_eigen(robot.gravity()));
  world->addSkeleton(impl_->skeleton);
  const auto body = [&](const std::string& link) {
    return link.empty() ? nullptr : impl_->skeleton->getBodyNode(link);
  };
  for (const LoopDescription& loop : robot.loops()) {
    dd::BodyNode *one = body(loop.link_1), *two = body(loop.link_2);
    if (one == nullptr) std::swap(one, two);
    dc::DynamicJointConstraintPtr closed;
    if (loop.kind == LoopKind::fixed) {
      if (two == nullptr) closed = std::make_shared<dc::WeldJointConstraint>(one);
      else closed = std::make_shared<dc::WeldJointConstraint>(one, two);
    } else {
      const bool first = one == body(loop.link_1);
      const SE3<double>& at = first ? loop.placement_1 : loop.placement_2;
      const Eigen::Vector3d p = one->getWorldTransform() * to_eigen(at.p);
      if (two == nullptr) closed = std::make_shared<dc::BallJointConstraint>(one, p);
      else closed = std::make_shared<dc::BallJointConstraint>(one, two, p);
    }
    world->getConstraintSolver()->addConstraint(closed);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> E(impl_->E);
  impl_->skeleton->setForces(E.transpose().solve(tau));
  world->step();
  return E.solve(impl_->skeleton->getVelocities()) / world->getTimeStep();
}

Eigen::VectorXd DartPeer::swing(const Robot& robot, double step, int steps) {
  const auto world = dart::simulation::World::create();
  world->setTimeStep(step);
  world->setGravity(to_eigen(robot.gravity()));
  world->addSkeleton(impl_->skeleton);
  impl_->skeleton->setForces(Eigen::VectorXd::Zero(robot.nv()));
  for (int k = 0; k < steps; ++k) world->step();
  const Eigen::PartialPivLU<Eigen::MatrixXd> E(impl_->E);
  Eigen::VectorXd end(2 * robot.nv());
  end << E.solve(impl_->skeleton->getPositions()), E.solve(impl_->skeleton->getVelocities());
  return end;
}

}  // namespace jounce::test
