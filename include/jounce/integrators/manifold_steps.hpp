// SPDX-License-Identifier: BSD-3-Clause
// Steps on the configuration manifold, factor by factor.
//
// Within a step q(t) = q (+) u(t), and u moves in a vector space by udot = dexp^-1(u) v
// (Munthe-Kaas 1998): on (u, v) any method for vectors works, q stays on the manifold to rounding.
#pragma once

#include <jounce/model/manifold.hpp>
#include <span>

namespace jounce::inline JOUNCE_ISA {

/// q (+) u.
template <class Real>
void move_along(std::span<const Factor> factors, const Real* q, const Real* u, Real* out) {
  for (const Factor& f : factors) integrate(f, q + f.q, u + f.v, out + f.q);
}
/// udot = dexp^-1(u) v.
template <class Real>
void tangent_rate(std::span<const Factor> factors, const Real* u, const Real* v, Real* udot) {
  for (const Factor& f : factors) dexp_inv(f, u + f.v, v + f.v, udot + f.v);
}

}  // namespace jounce::inline JOUNCE_ISA
