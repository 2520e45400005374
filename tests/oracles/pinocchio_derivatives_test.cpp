// SPDX-License-Identifier: BSD-3-Clause
// First and second derivatives of inverse and forward dynamics against numbers of Pinocchio 3.7.
#include <gtest/gtest.h>

#include <jounce/derivatives.hpp>
#include <jounce/second_derivatives.hpp>

#include "oracles/agreement.hpp"
#include "oracles/pinocchio_oracle.hpp"

namespace jounce::test {
namespace {

/// Their tensors have our order of indices.
void compare_second(SecondDerivatives& second, const OracleValues& state,
                    const PinocchioOrder& order, Agreement& agreement) {
  const Eigen::VectorXd q = order.positions(state.vector("q"));
  const InverseSecondDerivatives ours =
      second.inverse(q, order.velocities(state.vector("v")), order.velocities(state.vector("a")),
                     {.passive = false});
  const auto compare = [&](const char* key, const Tensor& T) {
    const std::vector<Eigen::MatrixXd> theirs = state.slices(key);
    for (int l = 0; !theirs.empty() && l < T.n(); ++l)
      agreement.compare(key, T.slice(l), order.matrix(theirs[size_t(order.v[size_t(l)])]));
  };
  compare("d2tau_dqdq", ours.dqdq);
  compare("d2tau_dqdv", ours.dqdv);
  compare("d2tau_dvdv", ours.dvdv);
  compare("d2tau_dadq", ours.dadq);
}

void compare(const std::string& name, Agreement& agreement) {
  PinocchioOracle oracle(name);
  const Robot robot = oracle.robot();
  const PinocchioOrder order = pinocchio_order(robot, oracle.joints());
  Derivatives derivatives(robot);
  SecondDerivatives second(robot);
  const Surroundings around{.passive = false};
  for (int i = 0; i < oracle.states(); ++i) {
    const OracleValues state = oracle.state(i);
    agreement.at(name + ", state " + std::to_string(i));
    const Eigen::VectorXd q = order.positions(state.vector("q"));
    const Eigen::VectorXd v = order.velocities(state.vector("v"));
    const Eigen::VectorXd a = order.velocities(state.vector("a"));
    const Eigen::VectorXd tau = order.velocities(state.vector("tau_in"));
    const InverseDerivatives inverse = derivatives.inverse(q, v, a, around);
    agreement.compare("dtau_dq", inverse.dq, order.matrix(state.matrix("dtau_dq")));
    agreement.compare("dtau_dv", inverse.dv, order.matrix(state.matrix("dtau_dv")));
    const ForwardDerivatives forward = derivatives.forward(q, v, tau, around);
    agreement.compare("ddq_dq", forward.dq, order.matrix(state.matrix("ddq_dq")));
    agreement.compare("ddq_dv", forward.dv, order.matrix(state.matrix("ddq_dv")));
    compare_second(second, state, order, agreement);
  }
}

TEST(PinocchioDerivatives, Agree) {
  if (!oracle_folder()) return;
  Agreement agreement("Pinocchio");
  for (const char* name : {"ur5", "solo12_ff"}) compare(name, agreement);
}

}  // namespace
}  // namespace jounce::test
