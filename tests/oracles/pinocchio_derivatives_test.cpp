// SPDX-License-Identifier: BSD-3-Clause
// First and second derivatives of inverse and forward dynamics against numbers of Pinocchio 3.7.
#include <gtest/gtest.h>

#include "oracles/agreement.hpp"
#include "oracles/pinocchio_oracle.hpp"

namespace jounce::test {
namespace {

/// Their tensors have our order of indices.
void compare_second(Dynamics& dyn, const OracleValues& state, const PinocchioOrder& order,
                    Agreement& agreement) {
  const Eigen::VectorXd q = order.positions(state.vector("q"));
  const InverseSecondDerivativesResult ours =
      dyn.inverse_second_derivatives(q, order.velocities(state.vector("v")),
                                     order.velocities(state.vector("a")), {.passive = false});
  const auto compare = [&](const char* key, const TensorView& T) {
    const std::vector<Eigen::MatrixXd> theirs = state.slices(key);
    for (int l = 0; !theirs.empty() && l < T.n; ++l)
      agreement.compare(key, T.slice(l), order.matrix(theirs[size_t(order.v[size_t(l)])]));
  };
  compare("d2tau_dqdq", ours.d2tau_dqdq);
  compare("d2tau_dqdv", ours.d2tau_dqdv);
  compare("d2tau_dvdv", ours.d2tau_dvdv);
  compare("d2tau_dadq", ours.d2tau_dadq);
}

void compare(const std::string& name, Agreement& agreement) {
  PinocchioOracle oracle(name);
  const Robot robot = oracle.robot();
  const PinocchioOrder order = pinocchio_order(robot, oracle.joints());
  Dynamics dyn(robot);
  const Surroundings around{.passive = false};
  dyn.reserve_second_derivatives();
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    agreement.at(name + ", state " + std::to_string(i));
    const Eigen::VectorXd q = order.positions(state.vector("q"));
    const Eigen::VectorXd v = order.velocities(state.vector("v"));
    const Eigen::VectorXd a = order.velocities(state.vector("a"));
    const Eigen::VectorXd tau = order.velocities(state.vector("tau_in"));
    const InverseDerivativesResult inverse = dyn.inverse_derivatives(q, v, a, around);
    agreement.compare("dtau_dq", inverse.dtau_dq, order.matrix(state.matrix("dtau_dq")));
    agreement.compare("dtau_dv", inverse.dtau_dv, order.matrix(state.matrix("dtau_dv")));
    const ForwardDerivativesResult forward = dyn.forward_derivatives(q, v, tau, around);
    agreement.compare("ddq_dq", forward.da_dq, order.matrix(state.matrix("ddq_dq")));
    agreement.compare("ddq_dv", forward.da_dv, order.matrix(state.matrix("ddq_dv")));
    compare_second(dyn, state, order, agreement);
  }
}

TEST(PinocchioDerivatives, Agree) {
  if (!oracle_folder()) return;
  Agreement agreement("Pinocchio");
  for (const char* name : {"ur5", "solo12_ff"}) compare(name, agreement);
}

}  // namespace
}  // namespace jounce::test
