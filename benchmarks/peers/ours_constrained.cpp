// SPDX-License-Identifier: BSD-3-Clause
// Our calls of closed loops and contacts.
#include <jounce/constrained_derivatives.hpp>
#include <jounce/dynamics.hpp>

#include "benchmarks/peers/ours.hpp"

namespace jounce::bench {
namespace {

struct ConstrainedDoors {
  explicit ConstrainedDoors(const HeldRobot& held_, const PeerTree& tree)
      : held(held_), states(tree.states) {}

  HeldRobot held;
  std::vector<PeerState> states;
  ConstrainedDynamics dynamics{held.robot};
  ConstrainedDerivatives derivatives{held.robot};
  int rows = dynamics.rows() + ConstrainedDynamics::rows(held.contacts);
  std::vector<double> a = std::vector<double>(size_t(held.robot.nv()));
  std::vector<double> lambda = std::vector<double>(size_t(rows));
  ConstrainedForwardDerivatives d{held.robot, rows};

  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const Eigen::MatrixXd& x :
         {Eigen::MatrixXd(d.da_dq), Eigen::MatrixXd(d.da_dv), Eigen::MatrixXd(d.da_dtau)})
      all.insert(all.end(), x.data(), x.data() + x.size());
    return all;
  }
};

}  // namespace

PeerCalls our_calls(const HeldRobot& held, const PeerTree& tree) {
  const auto d = std::make_shared<ConstrainedDoors>(held, tree);
  PeerCalls all;
  all.calls.push_back({"constrained-forward",
                       [d](size_t k) {
                         const PeerState& s = d->states[k];
                         d->dynamics.forward(s.q, s.v, s.tau, {}, d->held.contacts, into(d->a),
                                             into(d->lambda));
                       },
                       [d] { return d->a; }});
  if (!tree.rows_depend && held.robot.nv() <= 64)
    all.calls.push_back({"constrained-forward-derivatives",
                         [d](size_t k) {
                           const PeerState& s = d->states[k];
                           d->derivatives.forward(s.q, s.v, s.tau, {}, d->held.contacts,
                                                  into(d->d));
                         },
                         [d] { return d->numbers(); }});
  all.mass_trace = Dynamics(held.robot).mass(held.robot.neutral()).trace();
  return all;
}

}  // namespace jounce::bench
