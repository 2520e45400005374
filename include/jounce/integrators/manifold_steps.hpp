// SPDX-License-Identifier: BSD-3-Clause
// Steps on the configuration manifold, factor by factor.
//
// Within a step q(t) = q (+) u(t), and u moves in a vector space by udot = dexp^-1(u) v
// (Munthe-Kaas 1998): on (u, v) any method for vectors works, q stays on the manifold to rounding.
#pragma once

#include <algorithm>
#include <jounce/model/manifold.hpp>
#include <span>
#include <vector>

namespace jounce::inline JOUNCE_ISA {

/// The factors with those that are flat and in a row as one, which is most of a robot: what follows
/// then takes a loop instead of a turn for each.
inline std::vector<Factor> in_runs(std::span<const Factor> factors) {
  std::vector<Factor> runs;
  for (const Factor& f : factors) {
    const Factor* last = runs.empty() ? nullptr : &runs.back();
    const bool goes_on = last != nullptr && is_flat(*last) && is_flat(f) &&
                         f.q == last->q + last->nq && f.v == last->v + last->nv;
    if (goes_on) runs.back().nq += f.nq, runs.back().nv += f.nv;
    else runs.push_back(f);
  }
  return runs;
}

/// q (+) u.
template <class Real>
void move_along(std::span<const Factor> factors, const Real* q, const Real* u, Real* out) {
  for (const Factor& f : factors) {
    if (!is_flat(f)) integrate(f, q + f.q, u + f.v, out + f.q);
    else
      for (int k = 0; k < f.nq; ++k) out[f.q + k] = q[f.q + k] + u[f.v + k];
  }
}
/// udot = dexp^-1(u) v.
template <class Real>
void tangent_rate(std::span<const Factor> factors, const Real* u, const Real* v, Real* udot) {
  for (const Factor& f : factors) {
    if (!motions_add(f)) dexp_inv(f, u + f.v, v + f.v, udot + f.v);
    else std::copy_n(v + f.v, f.nv, udot + f.v);
  }
}
/// v = dexp(u) udot.
template <class Real>
void velocity_along(std::span<const Factor> factors, const Real* u, const Real* udot, Real* v) {
  for (const Factor& f : factors) {
    if (!motions_add(f))
      coordinates(f.kind, dexp_body(group_twist(f.kind, u + f.v), group_twist(f.kind, udot + f.v)),
                  v + f.v);
    else
      for (int k = f.v; k < f.v + f.nv; ++k) v[k] = udot[k];
  }
}

}  // namespace jounce::inline JOUNCE_ISA
