// SPDX-License-Identifier: BSD-3-Clause
// The force regressor of one state, with the ten columns of a link in the lanes of packs.
//
// The reference (force_columns) carries ten wrenches from joint to joint. Here they are computed
// together, seen once in ground axes from the model's centre (origins.hpp), and an entry is one
// scalar product; on long chains, rows of a column at a time (long_runs.hpp). Of the motion itself,
// with the link's axes r_j, its origin at p with the acceleration a, and K = [alpha] + [w][w],
//   mass  f = a      m = p x f
//   h_j   f = K r_j  m = r_j x a + p x f
//   I_jk  f = 0      m = r_j (r_k . alpha) + w x r_j (r_k . w), and where j is not k the same of k,
//   j;
// beside a reference motion by the inertias of unit parameters, eight lanes and two.
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
/// The wrenches of ten units: of the mass and the first moments, and moments of the second moments.
struct TenWrenches {
  Wrench<Pack<double, 4>> first;
  Vec3<Pack<double, 4>> second;
  Vec3<Pack<double, 2>> last;
};
template <int count>
[[gnu::always_inline]] inline Vec3<Pack<double, count>> packed(const lanes::Columns3& rows) {
  const auto pack = [](const lanes::Column& row) {
    return Pack<double, count>::generate([&](int k) { return row[k]; });
  };
  return {pack(rows.x), pack(rows.y), pack(rows.z)};
}
/// The wrenches of a link's ten units that the motion itself takes.
[[gnu::always_inline]] inline TenWrenches ten_wrenches(const Workspace<double>& w,
                                                       const LinkSeat& link) {
  using namespace lanes;
  const int i = link.body;
  const Twist<double>&V = w.V[i], &A = w.Vdot[i];
  const Pose U = InRegisters::pose({w.pose[i].R, w.central[i]}), T = U * link.offset;
  const Column turn = turned_by(U, V.w), alpha = turned_by(U, A.w), d = T.p - U.p;
  const auto spun = [&](const Column& r, const Column& turned) {  // K r, given w x r
    return cross_sum(alpha, r, turn, turned);
  };
  const Column a = turned_by(U, A.v) + cross(turn, turned_by(U, V.v)) + spun(d, cross(turn, d));
  const Vec3<double> along = inverse_times(link.offset.R, V.w),
                     change = inverse_times(link.offset.R, A.w);
  const Column wx = cross(turn, T.x), wy = cross(turn, T.y), wz = cross(turn, T.z);
  const Column fx = spun(T.x, wx), fy = spun(T.y, wy), fz = spun(T.z, wz);
  const auto second = [&](const Column& r, const Column& turned, double k_change, double k_along) {
    return r * k_change + turned * k_along;
  };
  const Column xx = second(T.x, wx, change.x, along.x),
               xy = second(T.x, wx, change.y, along.y) + second(T.y, wy, change.x, along.x),
               yy = second(T.y, wy, change.y, along.y),
               xz = second(T.x, wx, change.z, along.z) + second(T.z, wz, change.x, along.x),
               yz = second(T.y, wy, change.z, along.z) + second(T.z, wz, change.y, along.y),
               zz = second(T.z, wz, change.z, along.z);
  return {{packed<4>(rows_of(cross(T.p, a), cross_sum(T.x, a, T.p, fx), cross_sum(T.y, a, T.p, fy),
                             cross_sum(T.z, a, T.p, fz))),
           packed<4>(rows_of(a, fx, fy, fz))},
          packed<4>(rows_of(xx, xy, yy, xz)),
          packed<2>(rows_of(yz, zz, zz, zz))};
}

/// Entry k of the columns of all lanes, which are nv numbers apart.
template <class Lanes>
[[gnu::always_inline]] inline void write_entry(const Lanes& entry, std::ptrdiff_t nv, double* Y) {
  for (int lane = 0; lane < Lanes::lanes; ++lane) Y[nv * lane] = entry[lane];
}
/// Of wrenches, and of moments alone.
template <class Lanes>
[[gnu::always_inline]] inline Lanes entry(const Wrench<Lanes>& F, const Twist<double>& S) {
  return dot(F, S);
}
template <class Lanes>
[[gnu::always_inline]] inline Lanes entry(const Vec3<Lanes>& m, const Twist<double>& S) {
  return dot(m, S.w);
}
template <class Lanes>
[[gnu::always_inline]] inline lanes::Six<double> six(const Wrench<Lanes>& F, int k) {
  return {F.m.x[k], F.m.y[k], F.m.z[k], F.f.x[k], F.f.y[k], F.f.z[k]};
}
template <class Lanes>
[[gnu::always_inline]] inline lanes::Six<double> six(const Vec3<Lanes>& m, int k) {
  return {m.x[k], m.y[k], m.z[k], 0, 0, 0};
}
/// The columns of the wrenches F along runs of coordinates.
template <class Wrenches>
[[gnu::always_inline]] inline void write_rows(const Model<double>& m, const lanes::SixRows& S,
                                              const int* run, int i, int count, const Wrenches& F,
                                              double* Y) {
  constexpr int most = 4;  // that share what a piece loads
  const std::ptrdiff_t nv = m.nv;
  const auto write = [&]<int columns>(std::integral_constant<int, columns>, int lane)
      __attribute__((always_inline)) {
    lanes::Six<double> set[columns];
    for (int r = 0; r < columns; ++r) set[r] = six(F, lane + r);
    for (int b = i; b > 0; b = m.parent[run[b]])
      lanes::write_products({m.v_at[run[b]], m.v_at[b + 1]}, S, set,
                            [&](int r) { return Y + nv * (lane + r); });
  };
  int lane = 0;
  for (; lane + most <= count; lane += most) write(std::integral_constant<int, most>(), lane);
  if (lane < count) write(std::integral_constant<int, 2>(), lane);
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

/// How many lanes wrenches or moments have.
template <class Lanes>
constexpr int count_of(const Wrench<Lanes>&) {
  return Lanes::lanes;
}
template <class Lanes>
constexpr int count_of(const Vec3<Lanes>&) {
  return Lanes::lanes;
}
/// The columns of a link from the wrenches of its units, a few together.
template <class... Wrenches>
[[gnu::always_inline]] inline void write_columns(const Model<double>& m, const RegressorScrews& S,
                                                 int body, double* Y, const Wrenches&... F) {
  const std::ptrdiff_t n = m.nv;
  const auto each = [&](double* to, auto write) __attribute__((always_inline)) {
    (((write(F, to), to += n * count_of(F))), ...);
  };
  if (S.run != nullptr)
    return each(
        Y, [&](const auto& some, double* to) __attribute__((always_inline)) {
          write_rows(m, S.rows(), S.run, body, count_of(some), some, to);
        });
  for (int b = body; b > 0; b = m.parent[b])
    for (int k = m.v_at[b]; k < m.v_at[b + 1]; ++k) {
      const Twist<double> screw = S.at(k);
      each(
          Y + k, [&](const auto& some, double* to)
                     __attribute__((always_inline)) { write_entry(entry(some, screw), n, to); });
    }
}
/// The ten columns of a link.
[[gnu::flatten]] inline void link_columns(const Model<double>& m, const Workspace<double>& w,
                                          const Twist<double>* V_r, const RegressorScrews& S,
                                          Factorization f, const LinkUnits& link, double* Y) {
  if (V_r != nullptr || register_bytes(native_isa) < 32) {
    const Twist<double>* reference = V_r != nullptr ? V_r : w.V;
    return write_columns(m, S, link.seat.body, Y,
                         unit_wrenches<Pack<double, 8>>(w, reference, f, link, 0),
                         unit_wrenches<Pack<double, 2>>(w, reference, f, link, 8));
  }
  const TenWrenches F = ten_wrenches(w, link.seat);
  write_columns(m, S, link.seat.body, Y, F.first, F.second, F.last);
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
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
      S.put(k, detail::screw_from(m, w, i, k, w.central[i]));
  for (int l = 0; l < links; ++l, Y += 10 * std::ptrdiff_t(m.nv))
    if (link[l].seat.body > 0)
      detail::link_columns(m, w, v_r != nullptr ? V_r : nullptr, S, f, link[l], Y);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
