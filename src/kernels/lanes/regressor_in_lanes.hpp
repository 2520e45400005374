// SPDX-License-Identifier: BSD-3-Clause
// The force regressor of one state, with the ten columns of a link in the lanes of packs.
//
// The reference (force_columns) carries ten wrenches from joint to joint. Here they are computed
// together, eight lanes and two, seen once in ground axes from the model's centre (origins.hpp),
// and an entry is one scalar product.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/regressor.hpp>
#include <jounce/scalar/pack.hpp>

namespace jounce {

/// A link with the parameters of its ten unit inertias in its body's frame: parameter p of unit c.
struct LinkUnits {
  LinkSeat seat;
  double parameter[10][10] = {};

  explicit LinkUnits(const LinkSeat& link) : seat(link) {
    for (int c = 0; c < 10; ++c) {
      double pi[10];
      to_parameters(unit_inertia<double>(link, c), pi);
      for (int p = 0; p < 10; ++p) parameter[p][c] = pi[p];
    }
  }
};

namespace detail::inline JOUNCE_ISA {

template <class Lanes>
Inertia<Lanes> units(const LinkUnits& link, int first) {
  const auto at = [&](int p) { return Lanes::load(&link.parameter[p][first]); };
  return {at(0), {at(1), at(2), at(3)}, {at(4), at(5), at(6), at(7), at(8), at(9)}};
}

/// Columns first, first + 1, ... of a link, in ground axes.
template <class Lanes>
void lane_columns(const Model<double>& m, const Workspace<double>& w, const Twist<double>* V_r,
                  const Twist<double>* S, Factorization f, const LinkUnits& link, int first,
                  double* Y) {
  const int i = link.seat.body;
  const Inertia<Lanes> G = units<Lanes>(link, first);
  const SE3<double> T{w.pose[i].R, w.central[i]};
  const Wrench<Lanes> F = dual_Ad_inv(T, G * w.Vdot[i] + coriolis_wrench(f, G, w.V[i], V_r[i]));
  Y += first * std::ptrdiff_t(m.nv);
  for (int b = i; b > 0; b = m.parent[b])
    for (int k = m.v_at[b]; k < m.v_at[b + 1]; ++k) {
      const Lanes entry = dot(F, S[k]);
      for (int lane = 0; lane < Lanes::lanes; ++lane)
        Y[std::ptrdiff_t(m.nv) * lane + k] = entry[lane];
    }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// All links' columns (nv x 10 links, column by column); V[0], V_r[0] and Vdot[0] are the ground's,
/// S is room for one screw per velocity. Entries that are always zero are not written.
inline void regressor_in_lanes(const Model<double>& m, const State<double>& x, const double* v_r,
                               Factorization f, const LinkUnits* link, int links,
                               Workspace<double>& w, Twist<double>* V_r, Twist<double>* S,
                               double* Y) noexcept {
  reference_motion(m, x, v_r, V_r, w);
  place_bodies(m, w);
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      S[k] = detail::screw_from(m, w, i, k, w.central[i]);
  for (int k = 0; k < links; ++k, Y += 10 * std::ptrdiff_t(m.nv)) {
    if (link[k].seat.body == 0) continue;
    detail::lane_columns<Pack<double, 8>>(m, w, V_r, S, f, link[k], 0, Y);
    detail::lane_columns<Pack<double, 2>>(m, w, V_r, S, f, link[k], 8, Y);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
