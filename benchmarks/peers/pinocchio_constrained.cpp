// SPDX-License-Identifier: BSD-3-Clause
// Forward dynamics of closed loops and contacts, and its derivatives, by Pinocchio.
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>

#include "benchmarks/peers/pinocchio.hpp"

namespace jounce::bench::JOUNCE_PINOCCHIO {
namespace {

using Loop = pin::RigidConstraintModel;
using LoopData = pin::RigidConstraintData;

struct Loops {
  Loops(const Work& w, const PeerTree& tree) {
    for (const PeerLoop& loop : tree.loops) {
      model.emplace_back(loop.point ? pin::CONTACT_3D : pin::CONTACT_6D, w.model,
                         w.joint[size_t(loop.end_1.body)], pose(loop.end_1.frame),
                         w.joint[size_t(loop.end_2.body)], pose(loop.end_2.frame), pin::LOCAL);
      data.emplace_back(model.back());
    }
    // Where rows depend on one another it regularises and repeats; elsewhere its own defaults.
    if (tree.rows_depend) settings = pin::ProximalSettings(1e-12, 1e-8, 10);
  }

  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(Loop) model;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(LoopData) data;
  pin::ProximalSettings settings;
};

}  // namespace

void add_constrained(const SharedWork& w, const PeerTree& tree, std::vector<PeerCall>& calls) {
  const auto loops = std::make_shared<Loops>(*w, tree);
  pin::initConstraintDynamics(w->model, w->data, loops->model);
  const auto forward = [loops](auto& m, auto& d, auto& s) {
    pin::constraintDynamics(m, d, s.q, s.v, s.tau, loops->model, loops->data, loops->settings);
  };
  calls.push_back(
      call(w, "constrained-forward", forward, [](const Work& x) { return x.ours(x.data.ddq); }));
  calls.push_back(call(
      w, "constrained-forward-derivatives",
      [=](auto& m, auto& d, auto& s) {
        forward(m, d, s);
        pin::computeConstraintDynamicsDerivatives(m, d, loops->model, loops->data, loops->settings);
      },
      [](const Work& x) {
        return list({x.ours_square(x.data.ddq_dq), x.ours_square(x.data.ddq_dv),
                     x.ours_square(x.data.ddq_dtau)});
      }));
}

}  // namespace jounce::bench::JOUNCE_PINOCCHIO
