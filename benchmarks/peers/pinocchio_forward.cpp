// SPDX-License-Identifier: BSD-3-Clause
// Forward dynamics, its derivatives and the inverse of the mass matrix by Pinocchio.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>

#include "benchmarks/peers/pinocchio.hpp"

namespace jounce::bench::JOUNCE_PINOCCHIO {

void add_forward_dynamics(const SharedWork& w, std::vector<PeerCall>& calls) {
  for (const pin::Convention convention : {pin::Convention::LOCAL, pin::Convention::WORLD})
    calls.push_back(call(
        w, "forward",
        [=](auto& m, auto& d, auto& s) { pin::aba(m, d, s.q, s.v, s.tau, convention); },
        [](const Work& x) { return x.ours(x.data.ddq); }));
  const auto full = [](const Matrix& upper) -> Matrix {
    return upper.selfadjointView<Eigen::Upper>();
  };
  calls.push_back(call(
      w, "mass-inverse", [](auto& m, auto& d, auto& s) { pin::computeMinverse(m, d, s.q); },
      [=](const Work& x) { return list(x.ours_square(full(x.data.Minv))); }));
  calls.push_back(call(
      w, "forward-derivatives",
      [](auto& m, auto& d, auto& s) { pin::computeABADerivatives(m, d, s.q, s.v, s.tau); },
      [=](const Work& x) {
        return list({x.ours_square(x.data.ddq_dq), x.ours_square(x.data.ddq_dv),
                     x.ours_square(full(x.data.Minv))});
      }));
}

}  // namespace jounce::bench::JOUNCE_PINOCCHIO
