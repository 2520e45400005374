// SPDX-License-Identifier: BSD-3-Clause
// Orocos KDL: inverse dynamics of trees; forward dynamics and the mass matrix of chains alone. It
// has no free joint: three slides and three turns with massless bodies between them stand for it.
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

KDL::Vector vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
KDL::Frame frame(const PeerBody& body) {
  const auto& R = body.placement.R;
  return {KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
          vector(body.placement.p)};
}
KDL::RigidBodyInertia inertia(const PeerBody& body) {
  const auto& I = body.I_com;
  return KDL::RigidBodyInertia(body.mass, vector(body.com),
                               KDL::RotationalInertia(I[0], I[4], I[8], I[1], I[2], I[5]));
}

class Builder {
 public:
  explicit Builder(const PeerTree& tree) : tree_("0") {
    for (size_t i = 1; i < tree.bodies.size(); ++i) add(tree.bodies[i], std::to_string(i));
  }
  const KDL::Tree& tree() const { return tree_; }

 private:
  /// A KDL joint moves before its segment's constant pose: the placement goes to a fixed segment.
  void add(const PeerBody& body, const std::string& name) {
    using Joint = KDL::Joint;
    std::string last = std::to_string(body.parent);
    const auto append = [&](const std::string& next, Joint::JointType type, const KDL::Frame& tip,
                            const KDL::RigidBodyInertia& G) {
      tree_.addSegment(KDL::Segment(next, Joint(next, type), tip, G), last);
      last = next;
    };
    const KDL::RigidBodyInertia none = KDL::RigidBodyInertia::Zero();
    const KDL::Frame here = KDL::Frame::Identity();
    append("placement " + name, Joint::Fixed, frame(body), none);
    if (body.joint == PeerJoint::free)
      for (const Joint::JointType type :
           {Joint::TransX, Joint::TransY, Joint::TransZ, Joint::RotX, Joint::RotY})
        append(name + " axis " + std::to_string(int(type)), type, here, none);
    append(name, body.joint == PeerJoint::prismatic ? Joint::TransZ : Joint::RotZ, here,
           inertia(body));
  }

  KDL::Tree tree_;
};

struct Work {
  explicit Work(const PeerTree& robot)
      : tree(Builder(robot).tree()),
        gravity(vector(robot.gravity)),
        inverse(tree, gravity),
        q(tree.getNrOfJoints()),
        v(q.rows()),
        a(q.rows()),
        tau(q.rows()) {
    for (unsigned k = 0; k < q.rows(); ++k) q(k) = 0.3 + 0.01 * k, v(k) = a(k) = 0.1;
  }

  KDL::Tree tree;
  KDL::Vector gravity;
  KDL::TreeIdSolver_RNE inverse;
  KDL::JntArray q, v, a, tau;
};

/// Column by column, at rest: KDL has no mass matrix of trees.
double mass_trace(const Work& w) {
  KDL::TreeIdSolver_RNE solver(w.tree, KDL::Vector::Zero());
  const unsigned n = w.q.rows();
  const KDL::JntArray zero(n);
  double trace = 0;
  for (unsigned k = 0; k < n; ++k) {
    KDL::JntArray unit(n), column(n);
    unit(k) = 1;
    solver.CartToJnt(zero, zero, unit, KDL::WrenchMap(), column);
    trace += column(k);
  }
  return trace;
}

struct ChainWork {
  explicit ChainWork(const Work& w, const std::string& tip)
      : chain(chain_of(w.tree, tip)),
        parameters(chain, w.gravity),
        forward(chain, w.gravity),
        outside(chain.getNrOfSegments(), KDL::Wrench::Zero()),
        M(chain.getNrOfJoints()) {}
  static KDL::Chain chain_of(const KDL::Tree& tree, const std::string& tip) {
    KDL::Chain chain;
    tree.getChain("0", tip, chain);
    return chain;
  }

  KDL::Chain chain;
  KDL::ChainDynParam parameters;
  KDL::ChainFdSolver_RNE forward;
  KDL::Wrenches outside;
  KDL::JntSpaceInertiaMatrix M;
};

}  // namespace

PeerCalls kdl_calls(const PeerTree& robot) {
  const auto w = std::make_shared<Work>(robot);
  PeerCalls calls;
  calls.mass_trace = mass_trace(*w);
  calls.add("inverse", [w] { w->inverse.CartToJnt(w->q, w->v, w->a, KDL::WrenchMap(), w->tau); });
  const size_t bodies = robot.bodies.size();
  bool is_chain = true;
  for (size_t i = 1; i < bodies; ++i)
    is_chain &= robot.bodies[i].parent + 1 == int(i) && robot.bodies[i].joint != PeerJoint::free;
  if (!is_chain) return calls;
  const auto c = std::make_shared<ChainWork>(*w, std::to_string(bodies - 1));
  calls.add("forward", [w, c] { c->forward.CartToJnt(w->q, w->v, w->v, c->outside, w->a); });
  calls.add("mass", [w, c] { c->parameters.JntToMass(w->q, c->M); });
  return calls;
}

}  // namespace jounce::bench
