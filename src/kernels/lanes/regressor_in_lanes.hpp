// SPDX-License-Identifier: BSD-3-Clause
// The force regressor of one state, with the ten columns of a link in the lanes of packs.
//
// The reference (force_columns) carries ten wrenches from joint to joint. Here they are computed
// together, eight lanes and two, seen once in ground axes from the model's centre (origins.hpp),
// and an entry is one scalar product; on long chains, rows of a column at a time (long_runs.hpp).
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/regressor.hpp>
#include <jounce/scalar/pack.hpp>

#include "kernels/lanes/long_runs.hpp"

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

/// The wrenches of units first, first + 1, ... of a link, in ground axes about the model's centre.
template <class Lanes>
[[gnu::always_inline]] inline Wrench<Lanes> unit_wrenches(const Workspace<double>& w,
                                                          const Twist<double>* V_r, Factorization f,
                                                          const LinkUnits& link, int first) {
  const int i = link.seat.body;
  const Inertia<Lanes> G = units<Lanes>(link, first);
  const SE3<double> T{w.pose[i].R, w.central[i]};
  return dual_Ad_inv(T, G * w.Vdot[i] + coriolis_wrench(f, G, w.V[i], V_r[i]));
}
/// Entry k of the columns of all lanes, which are nv numbers apart.
template <class Lanes>
[[gnu::always_inline]] inline void write_entry(const Lanes& entry, std::ptrdiff_t nv, double* Y) {
  for (int lane = 0; lane < Lanes::lanes; ++lane) Y[nv * lane] = entry[lane];
}
/// The columns of the wrenches F along runs of coordinates.
template <class Lanes>
[[gnu::always_inline]] inline void write_rows(const Model<double>& m, const lanes::SixRows& S,
                                              const int* run, int i, const Wrench<Lanes>& F,
                                              double* Y) {
  constexpr int most = Lanes::lanes < 4 ? Lanes::lanes : 4;  // that share what a piece loads
  const std::ptrdiff_t nv = m.nv;
  for (int lane = 0; lane < Lanes::lanes; lane += most, Y += most * nv) {
    lanes::Six<double> set[most];
    for (int r = 0; r < most; ++r)
      set[r] = {F.m.x[lane + r], F.m.y[lane + r], F.m.z[lane + r],
                F.f.x[lane + r], F.f.y[lane + r], F.f.z[lane + r]};
    for (int b = i; b > 0; b = m.parent[run[b]])
      lanes::write_products({m.v_at[run[b]], m.v_at[b + 1]}, S, set,
                            [&](int r) { return Y + nv * r; });
  }
}

/// Screws of all coordinates in ground axes: one after the other or, for long runs, by component.
struct RegressorScrews {
  double* x;
  std::ptrdiff_t stride;
  const int* run;  ///< null where there are no long ones

  lanes::SixRows rows() const { return {x, stride}; }
  void put(int k, const Twist<double>& S) const {
    if (run != nullptr) return rows().put(k, S.w, S.v);
    lanes::SixRows{x + 6 * k, 1}.put(0, S.w, S.v);
  }
  Twist<double> at(int k) const {
    const double* s = x + 6 * k;
    return {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
  }
};

/// The ten columns of a link.
[[gnu::flatten]] inline void link_columns(const Model<double>& m, const Workspace<double>& w,
                                          const Twist<double>* V_r, const RegressorScrews& S,
                                          Factorization f, const LinkUnits& link, double* Y) {
  const std::ptrdiff_t n = m.nv;
  const auto F = unit_wrenches<Pack<double, 8>>(w, V_r, f, link, 0);
  const auto last = unit_wrenches<Pack<double, 2>>(w, V_r, f, link, 8);
  if (S.run != nullptr) {
    write_rows(m, S.rows(), S.run, link.seat.body, F, Y);
    return write_rows(m, S.rows(), S.run, link.seat.body, last, Y + 8 * n);
  }
  for (int b = link.seat.body; b > 0; b = m.parent[b])
    for (int k = m.v_at[b]; k < m.v_at[b + 1]; ++k) {
      const Twist<double> screw = S.at(k);
      write_entry(dot(F, screw), n, Y + k);
      write_entry(dot(last, screw), n, Y + 8 * n + k);
    }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// All links' columns (nv x 10 links, column by column); V[0], V_r[0] and Vdot[0] are the ground's.
/// Without v_r those of the motion itself, whose poses, twists and accelerations are there. Entries
/// that are always zero are not written.
inline void regressor_in_lanes(const Model<double>& m, const State<double>& x, const double* v_r,
                               Factorization f, const LinkUnits* link, int links,
                               Workspace<double>& w, const KernelRoom& room, Twist<double>* V_r,
                               double* Y) noexcept {
  const bool rows = lanes::has_long_runs(m, room.run);
  const detail::RegressorScrews S{room.rows.x, room.rows.stride, rows ? room.run : nullptr};
  if (v_r != nullptr) {
    reference_motion(m, x, v_r, V_r, w);
    place_bodies(m, w);
  }
  const Twist<double>* reference = v_r != nullptr ? V_r : w.V;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      S.put(k, detail::screw_from(m, w, i, k, w.central[i]));
  for (int l = 0; l < links; ++l, Y += 10 * std::ptrdiff_t(m.nv))
    if (link[l].seat.body > 0) detail::link_columns(m, w, reference, S, f, link[l], Y);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
