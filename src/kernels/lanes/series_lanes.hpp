// SPDX-License-Identifier: BSD-3-Clause
// What the recursions of higher order in lanes share: constants of the tree, sines and cosines of
// all joints, the way through a joint, and the wrench that a body's motion asks for.
//
// The pose of a revolute or prismatic joint is a constant placement H and a motion about or along
// z. Ad_{H^-1} is a constant 6x6 matrix; the motion mixes only the lanes x and y, with one number
// per order: the sine and cosine, or the displacement. Joints of other kinds take the generic way
// (series_joint.hpp) through the rows of the SeriesWorkspace.
//
// Bodies are visited by depth, not branch by branch: a body waits for its parent, and in the
// meantime the processor works on the other branches.
#pragma once

#include <jounce/algorithm/inverse_series.hpp>

#include "kernels/lanes/poses_in_lanes.hpp"
#include "kernels/lanes/twist_lanes.hpp"

namespace jounce {

/// Constants and coefficients in lanes, sized for one model and one highest order.
struct SeriesLanes {
  int width = 0;                       ///< slots, a multiple of eight
  const int* by_depth = nullptr;       ///< [bodies] the ground, its children, their children, ...
  const int* slot = nullptr;           ///< [bodies] place in the tables below; -1: the generic way
  const int* slot_v = nullptr;         ///< [width] the velocity coordinate of a slot
  const LaneRow* constants = nullptr;  ///< [bodies][9] columns: Ad_{H^-1}, its transpose, G
  Rows<double> cos, sin;            ///< [order + 2][width]; cos holds a prismatic joint's position
  Rows<LaneRow> V, P, F;            ///< [bodies] twist, momentum, wrench
  Rows<LaneRow> U;                  ///< [bodies] Ad_{H^-1} V_parent
  LaneRow* IA = nullptr;            ///< [bodies][6] columns of the articulated inertia
  LaneRow* eta = nullptr;           ///< [bodies]
  LaneRow* rate = nullptr;          ///< [order + 2] scratch
  lanes::Turned* turned = nullptr;  ///< [4][order + 2] scratch
  lanes::Pose* pose = nullptr;      ///< [order + 2] scratch
};

namespace twist_lanes::inline JOUNCE_ISA {

inline const LaneRow* placement(const SeriesLanes& t, int i) { return t.constants + 9 * i; }
inline const LaneRow* placement_dual(const SeriesLanes& t, int i) { return placement(t, i) + 3; }
inline const LaneRow* inertia(const SeriesLanes& t, int i) { return placement(t, i) + 6; }

/// Rows as long as the order of a call needs: neighbours in memory are neighbours in use.
inline void set_order(int order, SeriesLanes& t) {
  for (Rows<LaneRow>* rows : {&t.V, &t.P, &t.F, &t.U}) rows->length = order + 2;
}

/// Coefficients 0 of sine, cosine and position, after move_angles.
inline void start_tables(const Model<double>& m, const double* q, const SeriesWorkspace<double>& w,
                         SeriesLanes& t) {
  for (int k = 0; k < m.angles; ++k) {
    t.cos[0][k] = w.now->cos[k];
    t.sin[0][k] = w.now->sin[k];
  }
  for (int i = 1; i < m.bodies; ++i)
    if (is_prismatic(m, i)) t.cos[0][t.slot[i]] = q[m.q_at[i]];
}

/// Coefficients first..last of sine, cosine and position from those below of v, eight joints at a
/// time: k s[k] = sum_{l=1..k} v[l-1] c[k-l], k c[k] = -sum v[l-1] s[k-l].
inline void extend_tables(const Model<double>& m, int first, int last,
                          const SeriesWorkspace<double>& w, SeriesLanes& t) {
  LaneRow* const rate = t.rate;
  for (int at = 0; at < m.angles; at += 8) {
    for (int l = 0; l < last; ++l)
      for (int lane = 0; lane < 8; ++lane) rate[l].x[lane] = w.v[l][t.slot_v[at + lane]];
    for (int k = first; k <= last; ++k) {
      Lanes a, b;
      for (int l = 1; l <= k; ++l) {
        a += load(rate[l - 1]) * load(t.cos[k - l] + at);
        b += load(rate[l - 1]) * load(t.sin[k - l] + at);
      }
      store(a * (1.0 / k), t.sin[k] + at);
      store(b * (-1.0 / k), t.cos[k] + at);
    }
  }
  for (int i = 1; i < m.bodies; ++i)
    if (is_prismatic(m, i))
      for (int k = first; k <= last; ++k) t.cos[k][t.slot[i]] = w.v[k - 1][m.v_at[i]] / k;
}

/// Signs of the lanes that a joint's motion mixes in: twists turned, wrenches turned back, twists
/// and wrenches shifted along z.
inline constexpr LaneRow sign_turn{{1, -1, 0, 0, 1, -1, 0, 0}};
inline constexpr LaneRow sign_turn_back{{-1, 1, 0, 0, -1, 1, 0, 0}};
inline constexpr LaneRow sign_shift{{0, 0, 0, 0, 1, -1, 0, 0}};
inline constexpr LaneRow sign_shift_back{{-1, 1, 0, 0, 0, 0, 0, 0}};
/// The screw of a revolute and of a prismatic joint.
inline constexpr LaneRow about_z{{0, 0, 1, 0, 0, 0, 0, 0}}, along_z{{0, 0, 0, 0, 0, 0, 1, 0}};

/// Sine and cosine, or position, of one joint: coefficient l at stride l.
struct JointTable {
  const double *cos, *sin;
  int stride;
};
inline JointTable table(const SeriesLanes& t, int slot) {
  return {t.cos.first + slot, t.sin.first + slot, t.width};
}
/// A copy in neighbouring numbers, which unrolled loops address by constants; of any size: none.
template <int size>
struct CopiedTable {
  double cos[size], sin[size];

  [[gnu::always_inline]] JointTable copy(const SeriesLanes& t, int slot, int last) {
#pragma GCC unroll 16
    for (int l = 0; l <= last; ++l) cos[l] = t.cos[l][slot], sin[l] = t.sin[l][slot];
    return {cos, sin, 1};
  }
};
template <>
struct CopiedTable<0> {
  [[gnu::always_inline]] JointTable copy(const SeriesLanes& t, int slot, int) {
    return table(t, slot);
  }
};

/// add(sum, l, k - l) for the lags l = first..k of one sum, or of those for k, k + 1, ..., which
/// one loop serves.
template <int count, class Sum, class Add>
[[gnu::always_inline]] inline void add_lags(Sum (&sum)[count], int first, int k, Add add) {
  if constexpr (count == 1) {
#pragma GCC unroll 16
    for (int l = first; l <= k; ++l) add(sum[0], l, k - l);
  } else {
#pragma GCC unroll 1
    for (int l = first; l <= k; ++l)
      for (int n = 0; n < count; ++n) add(sum[n], l, k + n - l);
    for (int n = 1; n < count; ++n)
      for (int l = 1; l <= n; ++l) add(sum[n], k + l, n - l);
  }
}

/// The sums of a rotation, sum_l x[k-l] cos[l] and the same with sin[l], and of a displacement.
struct TurnSums {
  Lanes a, b;
};
/// A rotation of twists or wrenches: with the sine the lanes x and y are exchanged.
[[gnu::always_inline]] inline Lanes turned(const TurnSums& sums, const LaneRow& sign,
                                           const Lanes& z) {
  return xy_and_z(sums.a + swap_xy(sums.b) * load(sign), z);
}
/// v + w x (0, 0, q) of twists (first half 2, second 0), m + (0, 0, q) x f of wrenches (1, 2).
template <int first_half, int second_half>
[[gnu::always_inline]] inline Lanes shifted(const TurnSums& sums, const LaneRow& sign,
                                            const Lanes& x) {
  return x + swap_xy(of_halves<first_half, second_half>(sums.b)) * load(sign);
}

/// to(n, coefficient k + n) of a twist, or back of a wrench, behind the joint's motion, from lags
/// first.. of the motion. What it leaves alone, the lanes z of a rotation, comes with lag 0.
template <int count, bool back, class To>
[[gnu::always_inline]] inline void each_through_joint(bool turns, const JointTable& t,
                                                      const LaneRow* x, int first, int k, To to) {
  TurnSums sums[count];
  const auto same = [&](int n) { return first == 0 ? load(x[k + n]) : Lanes(); };
  if (turns) {
    add_lags(sums, first, k, [&](TurnSums& sum, int l, int rest) {
      const Lanes x_l = load(x[rest]);
      sum.a += x_l * t.cos[t.stride * l];
      sum.b += x_l * t.sin[t.stride * l];
    });
    for (int n = 0; n < count; ++n)
      to(n, turned(sums[n], back ? sign_turn_back : sign_turn, same(n)));
    return;
  }
  add_lags(sums, first, k,
           [&](TurnSums& sum, int l, int rest) { sum.b += load(x[rest]) * t.cos[t.stride * l]; });
  for (int n = 0; n < count; ++n)
    if constexpr (back) to(n, shifted<1, 2>(sums[n], sign_shift_back, same(n)));
    else to(n, shifted<2, 0>(sums[n], sign_shift, same(n)));
}
/// One coefficient.
[[gnu::always_inline]] inline Lanes through_joint(bool turns, const JointTable& t, const LaneRow* u,
                                                  int first, int k) {
  Lanes x;
  each_through_joint<1, false>(turns, t, u, first, k, [&](int, const Lanes& y) { x = y; });
  return x;
}
[[gnu::always_inline]] inline Lanes back_through_joint(bool turns, const JointTable& t,
                                                       const LaneRow* F, int first, int k) {
  Lanes x;
  each_through_joint<1, true>(turns, t, F, first, k, [&](int, const Lanes& y) { x = y; });
  return x;
}
/// f<count>(k) for k = 0..last: one by one where the compiler knows how many there are, or where
/// lanes fill two registers; else in groups.
template <bool known, int group, class F>
[[gnu::always_inline]] inline void for_each_order(int last, F f) {
  if constexpr (known || Lanes::registers > 1) {
#pragma GCC unroll 16
    for (int k = 0; k <= last; ++k) f.template operator()<1>(k);
  } else {
    int k = 0;
    for (; k + group <= last + 1; k += group) f.template operator()<group>(k);
    if (group > 2 && k + 2 <= last + 1) f.template operator()<2>(k), k += 2;
    if (k <= last) f.template operator()<1>(k);
  }
}

/// The sums behind w x m + v x f and w x f; in registers of four, half of eight lanes would be
/// zero or said twice.
struct CrossSums {
  lanes::Column wm{}, mw{}, vf{}, fv{}, wf{}, fw{};

  [[gnu::always_inline]] void add(const lanes::Turned& w, const lanes::Turned& v,
                                  const lanes::Turned& m, const lanes::Turned& f) {
    wm += w.a * m.yzx, mw += w.yzx * m.a;
    vf += v.a * f.yzx, fv += v.yzx * f.a;
    wf += w.a * f.yzx, fw += w.yzx * f.a;
  }
  [[gnu::always_inline]] Lanes wrench() const {
    return joined<Lanes>(lanes::turn((wm + vf) - (mw + fv)), lanes::turn(wf - fw));
  }
};

/// Coefficient k of -sum_l ad*_{V[l]} P[k-l] = (w x m + v x f, w x f), for one k at a time.
[[gnu::always_inline]] inline Lanes gyroscopic(const LaneRow* V, const LaneRow* P, int k) {
  using lanes::load, lanes::turned;
  CrossSums sums;
  for (int l = 0; l <= k; ++l) {
    const double *V_l = V[l].x, *P_l = P[k - l].x;
    sums.add(turned(load(V_l)), turned(load(V_l + 4)), turned(load(P_l)), turned(load(P_l + 4)));
  }
  return sums.wrench();
}

/// As many as the compiler knows of, or in memory of the caller's.
template <class T, int size>
struct Local {
  T x[size];
  [[gnu::always_inline]] explicit Local(T*) {}
  [[gnu::always_inline]] T& operator[](int k) { return x[k]; }
  [[gnu::always_inline]] const T& operator[](int k) const { return x[k]; }
};
template <class T>
struct Local<T, 0> {
  T* x;
  [[gnu::always_inline]] explicit Local(T* memory) : x(memory) {}
  [[gnu::always_inline]] T& operator[](int k) const { return x[k]; }
};

/// Twists and momenta of one body, turned once for the cross products of all orders.
template <int size>
struct Gyroscope {
  Local<lanes::Turned, size> w, v, m, f;

  [[gnu::always_inline]] Gyroscope(lanes::Turned* memory, int n)
      : w(memory), v(memory + n), m(memory + 2 * n), f(memory + 3 * n) {}

  [[gnu::always_inline]] void add(int k, const LaneRow& V_k, const Lanes& P_k) {
    w[k] = lanes::turned(lanes::load(V_k.x));
    v[k] = lanes::turned(lanes::load(V_k.x + 4));
    m[k] = lanes::turned(half<0>(P_k));
    f[k] = lanes::turned(half<1>(P_k));
  }
  /// to(n, coefficient k + n) of -sum_l ad*_{V[l]} P[k-l] = (w x m + v x f, w x f).
  template <int count, class To>
  [[gnu::always_inline]] void wrenches(int k, To to) const {
    CrossSums sums[count];
    add_lags(sums, 0, k,
             [&](CrossSums& sum, int l, int rest) { sum.add(w[l], v[l], m[rest], f[rest]); });
    for (int n = 0; n < count; ++n) to(n, sums[n].wrench());
  }
};

}  // namespace twist_lanes::inline JOUNCE_ISA
}  // namespace jounce
