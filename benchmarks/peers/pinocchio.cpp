// SPDX-License-Identifier: BSD-3-Clause
// Pinocchio from its headers, in the fastest build it has: all flags of this processor. Its inverse
// of the mass matrix is the upper triangle alone, beside the derivatives of forward dynamics too.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
using Vector = Eigen::Map<const Eigen::Vector3d>;

pinocchio::Model model_of(const PeerTree& tree) {
  pinocchio::Model model;
  model.gravity.linear(Vector(tree.gravity.data()));
  for (size_t i = 1; i < tree.bodies.size(); ++i) {
    const PeerBody& body = tree.bodies[i];
    const auto parent = static_cast<pinocchio::JointIndex>(body.parent);
    const pinocchio::SE3 T(Rows(body.R.data()), Vector(body.p.data()));
    const std::string name = "joint " + std::to_string(i);
    pinocchio::JointIndex joint = 0;
    if (body.joint == PeerJoint::free)
      joint = model.addJoint(parent, pinocchio::JointModelFreeFlyer(), T, name);
    else if (body.joint == PeerJoint::prismatic)
      joint = model.addJoint(parent, pinocchio::JointModelPZ(), T, name);
    else joint = model.addJoint(parent, pinocchio::JointModelRZ(), T, name);
    const pinocchio::Inertia G(body.mass, Vector(body.com.data()), Rows(body.I_com.data()));
    model.appendBodyToJoint(joint, G, pinocchio::SE3::Identity());
  }
  return model;
}

struct Work {
  explicit Work(const PeerTree& tree) : model(model_of(tree)), data(model) {
    q = pinocchio::randomConfiguration(model, Eigen::VectorXd::Constant(model.nq, -1),
                                       Eigen::VectorXd::Constant(model.nq, 1));
    v = Eigen::VectorXd::Constant(model.nv, 0.1);
  }

  pinocchio::Model model;
  pinocchio::Data data;
  Eigen::VectorXd q, v;
};

template <class F>
std::function<void()> call(const std::shared_ptr<Work>& w, F f) {
  return [w, f] {
    keep(w->q);
    f(w->model, w->data, w->q, w->v);
    keep(w->data);
  };
}

}  // namespace

PeerCalls pinocchio_calls(const PeerTree& tree) {
  namespace pin = pinocchio;
  const auto w = std::make_shared<Work>(tree);
  PeerCalls calls;
  pin::crba(w->model, w->data, pin::neutral(w->model));
  calls.mass_trace = w->data.M.trace();
  calls.inverse = call(w, [](auto& m, auto& d, auto& q, auto& v) { pin::rnea(m, d, q, v, v); });
  calls.forward = call(w, [](auto& m, auto& d, auto& q, auto& v) { pin::aba(m, d, q, v, v); });
  calls.mass = call(w, [](auto& m, auto& d, auto& q, auto&) { pin::crba(m, d, q); });
  calls.mass_inverse =
      call(w, [](auto& m, auto& d, auto& q, auto&) { pin::computeMinverse(m, d, q); });
  calls.coriolis =
      call(w, [](auto& m, auto& d, auto& q, auto& v) { pin::computeCoriolisMatrix(m, d, q, v); });
  calls.inverse_derivatives = call(
      w, [](auto& m, auto& d, auto& q, auto& v) { pin::computeRNEADerivatives(m, d, q, v, v); });
  calls.forward_derivatives = call(
      w, [](auto& m, auto& d, auto& q, auto& v) { pin::computeABADerivatives(m, d, q, v, v); });
  calls.inverse_second_derivatives = call(w, [](auto& m, auto& d, auto& q, auto& v) {
    pin::ComputeRNEASecondOrderDerivatives(m, d, q, v, v);
  });
  return calls;
}

}  // namespace jounce::bench
