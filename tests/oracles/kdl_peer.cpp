// SPDX-License-Identifier: BSD-3-Clause
// Builds a KDL tree from a robot's description and translates what its solvers say.
//
// A KDL segment is a joint with origin and axis in the frame before it, then the constant pose of
// the segment's tip: for us, of the child link. KDL writes the linear part first, and its Jacobians
// are hybrid: axes of the root, reference point at the tip.
//
// All solvers but that of inverse dynamics are those of chains. Most of those of trees copy the
// tree, and a copy of a KDL tree numbers its joints anew, depth first.
#include "oracles/kdl_peer.hpp"

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <map>

#include "oracles/convert.hpp"

namespace jounce::test {
namespace {

KDL::Vector to_kdl(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
KDL::Frame to_kdl(const SE3<double>& T) {
  const auto& [a, b, c] = T.R.m.row;
  return {KDL::Rotation(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z), to_kdl(T.p)};
}
Eigen::Matrix4d to_eigen(const KDL::Frame& frame) {
  Eigen::Matrix4d T;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) T(i, j) = frame(i, j);
  return T;
}

/// About the link's frame, which is the tip of its segment.
KDL::RigidBodyInertia kdl_inertia(const LinkDescription& link) {
  const auto& I = link.I_com;
  return KDL::RigidBodyInertia(link.mass, to_kdl(link.com),
                               KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
}

KDL::Joint kdl_joint(const JointDescription& joint) {
  const SE3<double>& T = joint.geometry.placement;
  if (joint.geometry.kind == JointKind::fixed) return KDL::Joint(joint.name, KDL::Joint::Fixed);
  const KDL::Vector axis = to_kdl(T.R * joint.geometry.axes.at(0));
  if (joint.geometry.kind == JointKind::revolute)
    return {joint.name, to_kdl(T.p), axis, KDL::Joint::RotAxis};
  if (joint.geometry.kind == JointKind::prismatic)
    return {joint.name, to_kdl(T.p), axis, KDL::Joint::TransAxis};
  throw InputError("KdlPeer: joint \"" + joint.name + "\" is " + name(joint.geometry.kind));
}

void check(int status, const char* what) {
  if (status < 0) throw InputError(std::string("KDL: ") + what + " failed");
}

/// A KDL coordinate is ratio * ours + offset.
struct Coordinate {
  int ours = 0;
  double ratio = 1, offset = 0;
};

}  // namespace

struct KdlPeer::Impl {
  explicit Impl(const Robot& robot)
      : nv(robot.nv()), gravity(to_kdl(robot.gravity())), tree(robot.description().links[0].name) {
    for (const JointDescription& joint : robot.description().joints) {
      const KDL::Frame tip = to_kdl(joint.geometry.placement * joint.child_placement);
      const auto link = static_cast<size_t>(robot.frame(joint.child));
      const KDL::Segment segment(joint.child, kdl_joint(joint), tip,
                                 kdl_inertia(robot.description().links[link]));
      if (!tree.addSegment(segment, joint.parent))
        throw InputError("KdlPeer: link \"" + joint.parent + "\" comes too late");
      if (joint.geometry.kind == JointKind::fixed) continue;
      Coordinate c{robot.joint(joint.name).v};
      if (joint.mimic) c.ratio = joint.mimic->multiplier, c.offset = joint.mimic->offset;
      place[joint.name] = coordinates.size();
      coordinates.push_back(c);
    }
    for (const FrameDescription& frame : robot.description().frames)
      tree.addSegment(
          KDL::Segment(frame.name, KDL::Joint(KDL::Joint::Fixed), to_kdl(frame.placement)),
          frame.link);
  }

  KDL::Chain chain_to(const std::string& frame) const {
    KDL::Chain chain;
    if (!tree.getChain(tree.getRootSegment()->first, frame, chain))
      throw InputError("KdlPeer: no frame \"" + frame + "\"");
    return chain;
  }
  /// The places in `coordinates` of the joints that move along a chain.
  std::vector<size_t> moving(const KDL::Chain& chain) const {
    std::vector<size_t> places;
    for (const KDL::Segment& segment : chain.segments)
      if (segment.getJoint().getType() != KDL::Joint::Fixed)
        places.push_back(place.at(segment.getJoint().getName()));
    return places;
  }
  KDL::JntArrayVel state_of(const KDL::Chain& chain) const {
    const std::vector<size_t> places = moving(chain);
    KDL::JntArrayVel state(static_cast<unsigned>(places.size()));
    for (size_t k = 0; k < places.size(); ++k) {
      const auto row = static_cast<unsigned>(k), from = static_cast<unsigned>(places[k]);
      state.q(row) = q(from);
      state.qdot(row) = v(from);
    }
    return state;
  }
  /// Columns for KDL's coordinates become columns for ours; followers add to their leader's.
  Eigen::MatrixXd columns(const KDL::Jacobian& J, const std::vector<size_t>& places) const {
    Eigen::MatrixXd ours = Eigen::MatrixXd::Zero(6, nv);
    for (size_t k = 0; k < places.size(); ++k) {
      const Coordinate& c = coordinates[places[k]];
      ours.col(c.ours) += c.ratio * J.data.col(static_cast<Eigen::Index>(k));
    }
    return swap_parts(ours);
  }

  int nv;
  KDL::Vector gravity;
  KDL::Tree tree;
  std::vector<Coordinate> coordinates;  ///< of all moving joints
  std::map<std::string, size_t> place;  ///< of a joint in `coordinates`
  KDL::JntArray q, v;
};

KdlPeer::KdlPeer(const Robot& robot) : impl_(std::make_unique<Impl>(robot)) {}
KdlPeer::~KdlPeer() = default;

void KdlPeer::set(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const auto n = static_cast<unsigned>(impl_->coordinates.size());
  impl_->q.resize(n);
  impl_->v.resize(n);
  for (unsigned k = 0; k < n; ++k) {
    const Coordinate& c = impl_->coordinates[k];
    impl_->q(k) = c.ratio * q[c.ours] + c.offset;
    impl_->v(k) = c.ratio * v[c.ours];
  }
}

Eigen::Matrix4d KdlPeer::pose(const std::string& frame) const {
  const KDL::Chain chain = impl_->chain_to(frame);
  KDL::ChainFkSolverPos_recursive solver(chain);
  KDL::Frame T;
  check(solver.JntToCart(impl_->state_of(chain).q, T), "ChainFkSolverPos");
  return to_eigen(T);
}

Eigen::VectorXd KdlPeer::twist_hybrid(const std::string& frame) const {
  const KDL::Chain chain = impl_->chain_to(frame);
  KDL::ChainFkSolverVel_recursive solver(chain);
  KDL::FrameVel T;
  check(solver.JntToCart(impl_->state_of(chain), T), "ChainFkSolverVel");
  Eigen::VectorXd linear_first(6);
  for (int k = 0; k < 6; ++k) linear_first[k] = T.GetTwist()(k);
  return swap_parts(linear_first);
}

Eigen::MatrixXd KdlPeer::jacobian_hybrid(const std::string& frame) const {
  const KDL::Chain chain = impl_->chain_to(frame);
  KDL::ChainJntToJacSolver solver(chain);
  KDL::Jacobian J(chain.getNrOfJoints());
  check(solver.JntToJac(impl_->state_of(chain).q, J), "ChainJntToJacSolver");
  return impl_->columns(J, impl_->moving(chain));
}

Eigen::MatrixXd KdlPeer::jacobian_rate(const std::string& frame, Representation in) const {
  const KDL::Chain chain = impl_->chain_to(frame);
  KDL::ChainJntToJacDotSolver solver(chain);
  if (in == Representation::body) solver.setBodyFixedRepresentation();
  if (in == Representation::space) solver.setInertialRepresentation();
  KDL::Jacobian J(chain.getNrOfJoints());
  check(solver.JntToJacDot(impl_->state_of(chain), J), "ChainJntToJacDotSolver");
  return impl_->columns(J, impl_->moving(chain));
}

Eigen::VectorXd KdlPeer::inverse(const Eigen::VectorXd& a) const {
  const auto n = static_cast<unsigned>(impl_->coordinates.size());
  KDL::JntArray acceleration(n), torque(n);
  for (unsigned k = 0; k < n; ++k) {
    const Coordinate& c = impl_->coordinates[k];
    acceleration(k) = c.ratio * a[c.ours];
  }
  KDL::TreeIdSolver_RNE solver(impl_->tree, impl_->gravity);
  check(solver.CartToJnt(impl_->q, impl_->v, acceleration, KDL::WrenchMap(), torque),
        "TreeIdSolver_RNE");
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(impl_->nv);
  for (unsigned k = 0; k < n; ++k) {
    const Coordinate& c = impl_->coordinates[k];
    tau[c.ours] += c.ratio * torque(k);
  }
  return tau;
}

Eigen::MatrixXd KdlPeer::chain_mass_matrix(const std::string& tip) const {
  const KDL::Chain chain = impl_->chain_to(tip);
  KDL::ChainDynParam solver(chain, impl_->gravity);
  KDL::JntSpaceInertiaMatrix M(chain.getNrOfJoints());
  check(solver.JntToMass(impl_->state_of(chain).q, M), "ChainDynParam");
  return M.data;
}
Eigen::VectorXd KdlPeer::chain_coriolis_forces(const std::string& tip) const {
  const KDL::Chain chain = impl_->chain_to(tip);
  KDL::ChainDynParam solver(chain, impl_->gravity);
  KDL::JntArray forces(chain.getNrOfJoints());
  const KDL::JntArrayVel state = impl_->state_of(chain);
  check(solver.JntToCoriolis(state.q, state.qdot, forces), "ChainDynParam");
  return forces.data;
}
Eigen::VectorXd KdlPeer::chain_gravity_forces(const std::string& tip) const {
  const KDL::Chain chain = impl_->chain_to(tip);
  KDL::ChainDynParam solver(chain, impl_->gravity);
  KDL::JntArray forces(chain.getNrOfJoints());
  check(solver.JntToGravity(impl_->state_of(chain).q, forces), "ChainDynParam");
  return forces.data;
}
Eigen::VectorXd KdlPeer::chain_forward(const std::string& tip, const Eigen::VectorXd& tau) const {
  const KDL::Chain chain = impl_->chain_to(tip);
  KDL::ChainFdSolver_RNE solver(chain, impl_->gravity);
  const KDL::JntArrayVel state = impl_->state_of(chain);
  KDL::JntArray forces(chain.getNrOfJoints()), acceleration(chain.getNrOfJoints());
  forces.data = tau;
  const KDL::Wrenches none(chain.getNrOfSegments(), KDL::Wrench::Zero());
  check(solver.CartToJnt(state.q, state.qdot, forces, none, acceleration), "ChainFdSolver_RNE");
  return acceleration.data;
}

}  // namespace jounce::test
