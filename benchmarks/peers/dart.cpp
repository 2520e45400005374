// SPDX-License-Identifier: BSD-3-Clause
// DART: a skeleton remembers what it computed until its state changes, so every call moves it to
// the other one of two states.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

namespace dd = dart::dynamics;

using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
using Vector = Eigen::Map<const Eigen::Vector3d>;

template <class Joint>
dd::BodyNode* append(dd::Skeleton& skeleton, dd::BodyNode* parent, const PeerBody& body) {
  const std::string name = std::to_string(skeleton.getNumBodyNodes());
  typename Joint::Properties properties;
  properties.mName = "joint " + name;
  const auto [joint, node] = skeleton.createJointAndBodyNodePair<Joint>(
      parent, properties, dd::BodyNode::AspectProperties("body " + name));
  if constexpr (!std::is_same_v<Joint, dd::FreeJoint>) joint->setAxis(Eigen::Vector3d::UnitZ());
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = Rows(body.placement.R.data());
  T.translation() = Vector(body.placement.p.data());
  joint->setTransformFromParentBodyNode(T);
  node->setInertia(dd::Inertia(body.mass, Vector(body.com.data()), Rows(body.I_com.data())));
  return node;
}

dd::SkeletonPtr skeleton_of(const PeerTree& tree) {
  const dd::SkeletonPtr skeleton = dd::Skeleton::create();
  std::vector<dd::BodyNode*> nodes(tree.bodies.size(), nullptr);
  for (size_t i = 1; i < tree.bodies.size(); ++i) {
    const PeerBody& body = tree.bodies[i];
    dd::BodyNode* parent = nodes[static_cast<size_t>(body.parent)];
    if (body.joint == PeerJoint::free) nodes[i] = append<dd::FreeJoint>(*skeleton, parent, body);
    else if (body.joint == PeerJoint::prismatic)
      nodes[i] = append<dd::PrismaticJoint>(*skeleton, parent, body);
    else nodes[i] = append<dd::RevoluteJoint>(*skeleton, parent, body);
  }
  skeleton->setGravity(Vector(tree.gravity.data()));
  return skeleton;
}

struct Work {
  explicit Work(const PeerTree& tree) : skeleton(skeleton_of(tree)) {
    const auto n = static_cast<Eigen::Index>(skeleton->getNumDofs());
    for (const int k : {0, 1}) {
      q[k] = Eigen::VectorXd::LinSpaced(n, -0.5 + k, 0.7);
      v[k] = Eigen::VectorXd::Constant(n, 0.1 + k);
    }
  }
  void move() {
    now = 1 - now;
    skeleton->setPositions(q[now]);
  }

  dd::SkeletonPtr skeleton;
  Eigen::VectorXd q[2], v[2];
  int now = 0;
};

}  // namespace

PeerCalls dart_calls(const PeerTree& tree) {
  const auto w = std::make_shared<Work>(tree);
  PeerCalls calls;
  w->skeleton->setPositions(Eigen::VectorXd::Zero(w->q[0].size()));
  calls.mass_trace = w->skeleton->getMassMatrix().trace();
  calls.add("inverse", [w] {
    w->move();
    w->skeleton->setVelocities(w->v[w->now]);
    w->skeleton->setAccelerations(w->v[w->now]);
    w->skeleton->computeInverseDynamics();
  });
  calls.add("forward", [w] {
    w->move();
    w->skeleton->setVelocities(w->v[w->now]);
    w->skeleton->setForces(w->v[w->now]);
    w->skeleton->computeForwardDynamics();
  });
  calls.add("mass", [w] {
    w->move();
    keep(w->skeleton->getMassMatrix());
  });
  calls.add("mass-inverse", [w] {
    w->move();
    keep(w->skeleton->getInvMassMatrix());
  });
  return calls;
}

}  // namespace jounce::bench
