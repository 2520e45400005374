// SPDX-License-Identifier: BSD-3-Clause
// The robot in Pinocchio, its kinematics, and its conventions in ours.
#include "benchmarks/peers/pinocchio.hpp"

#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

namespace jounce::bench {
namespace JOUNCE_PINOCCHIO {
namespace {

using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
using Three = Eigen::Map<const Eigen::Vector3d>;

pin::JointIndex add_joint(pin::Model& model, pin::JointIndex parent, const PeerBody& body,
                          const std::string& name) {
  const pin::SE3 T = pose(body.placement);
  if (body.joint == PeerJoint::free)
    return model.addJoint(parent, pin::JointModelFreeFlyer(), T, name);
  if (body.joint == PeerJoint::prismatic)
    return model.addJoint(parent, pin::JointModelPZ(), T, name);
  return model.addJoint(parent, pin::JointModelRZ(), T, name);
}

/// The bodies that hang on body i, depth first: Pinocchio's matrices need it so.
void add_children(const PeerTree& tree, size_t i, pin::Model& model,
                  std::vector<pin::JointIndex>& joint) {
  for (size_t k = i + 1; k < tree.bodies.size(); ++k) {
    const PeerBody& body = tree.bodies[k];
    if (size_t(body.parent) != i) continue;
    joint[k] = add_joint(model, joint[i], body, "joint " + std::to_string(k));
    const pin::Inertia G(body.mass, Three(body.com.data()), Rows(body.I_com.data()));
    model.appendBodyToJoint(joint[k], G, pin::SE3::Identity());
    add_children(tree, k, model, joint);
  }
}

/// joint[i] is that of body i.
pin::Model model_of(const PeerTree& tree, std::vector<pin::JointIndex>& joint) {
  pin::Model model;
  joint.assign(tree.bodies.size(), 0);
  model.gravity.linear(Three(tree.gravity.data()));
  add_children(tree, 0, model, joint);
  model.addFrame(
      pin::Frame("tip", joint[size_t(tree.tip)], 0, pose(tree.tip_frame), pin::OP_FRAME));
  return model;
}

/// Where our coordinates are in Pinocchio's q and v.
struct Places {
  std::vector<int> q, v;
};
Places places_of(const PeerTree& tree, const pin::Model& model,
                 const std::vector<pin::JointIndex>& joint) {
  Places found;
  for (size_t i = 1; i < tree.bodies.size(); ++i) {
    const int q = model.idx_qs[joint[i]], v = model.idx_vs[joint[i]];
    for (int k = 0; k < model.nqs[joint[i]]; ++k) found.q.push_back(q + k);
    if (tree.bodies[i].joint != PeerJoint::free) found.v.push_back(v);
    else
      for (const int k : {3, 4, 5, 0, 1, 2}) found.v.push_back(v + k);
  }
  return found;
}

Vector at_places(const std::vector<double>& x, const std::vector<int>& places) {
  Vector y(Eigen::Index(x.size()));
  for (size_t k = 0; k < x.size(); ++k) y[places[k]] = x[k];
  return y;
}

Matrix swapped(const Matrix& x) {
  Matrix y(6, x.cols());
  y << x.bottomRows(3), x.topRows(3);
  return y;
}

}  // namespace

pin::SE3 pose(const PeerPose& T) { return pin::SE3(Rows(T.R.data()), Three(T.p.data())); }

Work::Work(const PeerTree& tree)
    : model(model_of(tree, joint)),
      data(model),
      tip_frame(model.getFrameId("tip")),
      tip_joint(joint[size_t(tree.tip)]),
      tip_placement(pose(tree.tip_frame)) {
  const Places at = places_of(tree, model, joint);
  order = at.v;
  for (const PeerState& s : tree.states)
    states.push_back(
        {at_places(s.q, at.q), at_places(s.v, at.v), at_places(s.a, at.v), at_places(s.tau, at.v)});
}

Matrix Work::ours_columns(const Matrix& x) const {
  Matrix y(x.rows(), x.cols());
  for (size_t k = 0; k < order.size(); ++k) y.col(Eigen::Index(k)) = x.col(order[k]);
  return y;
}
Matrix Work::ours_square(const Matrix& x) const {
  return ours_columns(ours_columns(x).transpose()).transpose();
}
std::vector<double> Work::ours(const Vector& x) const { return list(ours_columns(x.transpose())); }
Matrix Work::ours_twists(const Matrix& x) const { return swapped(ours_columns(x)); }
Matrix Work::ours_twist(const Matrix& x) { return swapped(x); }

void add_kinematics(const SharedWork& w, std::vector<PeerCall>& calls) {
  const auto J = std::make_shared<Matrix6x>(Matrix6x::Zero(6, w->model.nv));
  const auto Jacobian = [J](const Work& x) { return list(x.ours_twists(*J)); };
  const auto pose_of_tip = [](const Work& x) -> Matrix {
    return (x.data.oMi[x.tip_joint] * x.tip_placement).toHomogeneousMatrix();
  };
  const pin::FrameIndex tip = w->tip_frame;
  calls.push_back(call(
      w, "fk", [](auto& m, auto& d, auto& s) { pin::forwardKinematics(m, d, s.q); },
      [=](const Work& x) { return list(pose_of_tip(x)); }));
  calls.push_back(call(
      w, "fk-velocity-acceleration",
      [](auto& m, auto& d, auto& s) { pin::forwardKinematics(m, d, s.q, s.v, s.a); },
      [=](const Work& x) {
        const Vector V = x.tip_placement.actInv(x.data.v[x.tip_joint]).toVector();
        const Vector A = x.tip_placement.actInv(x.data.a[x.tip_joint]).toVector();
        return list({pose_of_tip(x), x.ours_twist(V), x.ours_twist(A)});
      }));
  calls.push_back(call(
      w, "jacobian",
      [=](auto& m, auto& d, auto& s) {
        pin::computeJointJacobians(m, d, s.q);
        pin::getFrameJacobian(m, d, tip, pin::LOCAL_WORLD_ALIGNED, *J);
      },
      Jacobian));
  calls.push_back(call(
      w, "jacobian-path",
      [=](auto& m, auto& d, auto& s) {
        J->setZero();  // as it asks for: it writes the columns of the path alone, ours are all
        pin::computeFrameJacobian(m, d, s.q, tip, pin::LOCAL, *J);
      },
      Jacobian));
  calls.push_back(call(
      w, "jacobian-rate",
      [=](auto& m, auto& d, auto& s) {
        pin::computeJointJacobiansTimeVariation(m, d, s.q, s.v);
        pin::getFrameJacobianTimeVariation(m, d, tip, pin::LOCAL, *J);
      },
      Jacobian));
}

}  // namespace JOUNCE_PINOCCHIO

PeerCalls JOUNCE_PINOCCHIO_CALLS(const PeerTree& tree) {
  using namespace JOUNCE_PINOCCHIO;
  const auto w = std::make_shared<Work>(tree);
  PeerCalls all;
  if (!tree.loops.empty()) {
    add_constrained(w, tree, all.calls);
  } else {
    add_kinematics(w, all.calls);
    add_dynamics(w, all.calls);
    add_forward_dynamics(w, all.calls);
    add_derivatives(w, all.calls);
    if (w->model.nv <= 64) add_second_derivatives(w, all.calls);  // nv^3 numbers
    add_sums(w, all.calls);
  }
  Vector q = Vector::Zero(w->model.nq);
  for (size_t i = 1; i < tree.bodies.size(); ++i)
    if (tree.bodies[i].joint == PeerJoint::free) q[w->model.idx_qs[w->joint[i]] + 6] = 1;
  all.mass_trace = mass_trace(*w, q);
  return all;
}

}  // namespace jounce::bench
