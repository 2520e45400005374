// SPDX-License-Identifier: BSD-3-Clause
// What damping, friction and springs add to the derivatives.
#pragma once

#include <jounce/equations/passive.hpp>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {

/// f(row, column, dtau/dq) and g(k, dtau_k/dv_k) for all that damping, friction and springs add.
template <class F, class G>
void Dynamics::Impl::for_each_passive_entry(std::span<const double> q_, std::span<const double> v_,
                                            F f, G g) {
  const Passive<double>& p = robot.system().passive;
  if (!p.any) return;
  for (int k = 0; k < robot.nv(); ++k) g(k, resistance_slope(p, k, v_[size_t(k)]));
  for_each_spring_slope(p, q_.data(), f);
}

/// f(i, k, l, d2 tau_i/dq_k dq_l) and g(k, d2 tau_k/dv_k dv_k), likewise.
template <class F, class G>
void Dynamics::Impl::for_each_passive_curve(std::span<const double> q_, std::span<const double> v_,
                                            F f, G g) {
  const Passive<double>& p = robot.system().passive;
  if (!p.any) return;
  for (int k = 0; k < robot.nv(); ++k) g(k, resistance_curve(p, k, v_[size_t(k)]));
  for_each_spring_curve(p, q_.data(), f);
}

}  // namespace jounce
