// SPDX-License-Identifier: BSD-3-Clause
// The last pass of the derivatives in lanes: the entries of every column, four or eight rows at a
// time.
#pragma once

#include <jounce/scalar/pack.hpp>

#include "kernels/lanes/derivatives_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// Three rows of numbers from four columns of three.
[[gnu::always_inline]] inline void store_rows(const Column& a, const Column& b, const Column& c,
                                              const Column& d, double* rows, int stride) {
  const Column ab_lo = shuffled<0, 4, 2, 6>(a, b);
  const Column ab_hi = shuffled<1, 5, 3, 7>(a, b);
  const Column cd_lo = shuffled<0, 4, 2, 6>(c, d);
  const Column cd_hi = shuffled<1, 5, 3, 7>(c, d);
  store(shuffled<0, 1, 4, 5>(ab_lo, cd_lo), rows);
  store(shuffled<0, 1, 4, 5>(ab_hi, cd_hi), rows + stride);
  store(shuffled<2, 3, 6, 7>(ab_lo, cd_lo), rows + 2 * stride);
}

/// S, G S and B^T S of all coordinates, by component, and rows of wrenches that stand.
inline void turn_rows(int nv, const DerivativeLanes& room, bool stands) {
  const int stride = room.stride;
  for (int k = 0; k < nv; k += 4) {
    const CoordinateLanes* c = room.coordinate + k;
    double* to = room.rows + k;
    store_rows(c[0].S.w, c[1].S.w, c[2].S.w, c[3].S.w, to, stride);
    store_rows(c[0].S.v, c[1].S.v, c[2].S.v, c[3].S.v, to + 3 * stride, stride);
    store_rows(c[0].GS.m, c[1].GS.m, c[2].GS.m, c[3].GS.m, to + 6 * stride, stride);
    store_rows(c[0].GS.f, c[1].GS.f, c[2].GS.f, c[3].GS.f, to + 9 * stride, stride);
    store_rows(c[0].BtS, c[1].BtS, c[2].BtS, c[3].BtS, to + 12 * stride, stride);
    if (!stands) continue;
    const StandingLanes* s = room.standing + k;
    store_rows(s[0].row.m, s[1].row.m, s[2].row.m, s[3].row.m, to + 15 * stride, stride);
    store_rows(s[0].row.f, s[1].row.f, s[2].row.f, s[3].row.f, to + 18 * stride, stride);
  }
}

/// Rows found at once where a range has as many; the last ones are found four at a time.
using EightRows = Pack<double, 8>;
[[gnu::always_inline]] inline void load_piece(const double* x, Column& to) { to = load(x); }
[[gnu::always_inline]] inline void load_piece(const double* x, EightRows& to) {
  to = EightRows::load(x);
}
/// Lanes from `count` on become zero: the rows after a range are zero, or written later.
[[gnu::always_inline]] inline void store_first(const Column& x, int count, double* to) {
  typedef long Mask __attribute__((vector_size(32)));
  const Mask lane{0, 1, 2, 3}, last{count, count, count, count};
  store(Column(Register(Mask(x.r) & (lane < last))), to);
}
[[gnu::always_inline]] inline void store_first(const EightRows& x, int, double* to) { x.store(to); }

/// A number of a column in memory, which need not be loaded with the others.
[[gnu::always_inline]] inline double number(const Column& a, int k) {
  double x;
  __builtin_memcpy(&x, reinterpret_cast<const double*>(&a) + k, sizeof(x));
  return x;
}
/// a.x over the rows of a piece, a of six numbers in two columns.
template <class Piece>
[[gnu::always_inline]] inline Piece dots(const Column& angular, const Column& linear,
                                         const Piece (&x)[6]) {
  return (x[0] * number(angular, 0) + x[1] * number(angular, 1) + x[2] * number(angular, 2)) +
         (x[3] * number(linear, 0) + x[4] * number(linear, 1) + x[5] * number(linear, 2));
}
template <class Piece>
[[gnu::always_inline]] inline Piece dots(const Column& angular, const Piece (&x)[3]) {
  return x[0] * number(angular, 0) + x[1] * number(angular, 1) + x[2] * number(angular, 2);
}
template <class Piece, int N>
[[gnu::always_inline]] inline void load_rows(const double* rows, int stride, Piece (&x)[N]) {
  for (int c = 0; c < N; ++c) load_piece(rows + c * stride, x[c]);
}
/// write(piece, l, count) for pieces of rows from l on, of which `count` belong to the range. The
/// last of eight may overlap the one before it.
template <class Write>
[[gnu::always_inline]] inline void for_each_piece(const RowRange& range, Write write) {
  if constexpr (register_bytes(native_isa) >= 64)  // in two registers, GCC keeps eight in memory
    if (range.end - range.begin >= 8) {
      for (int l = range.begin; l < range.end; l += 8)
        write(EightRows(), l + 8 <= range.end ? l : range.end - 8, 8);
      return;
    }
  for (int l = range.begin; l < range.end; l += 4) write(Column(), l, range.end - l);
}

/// Where the columns of a coordinate go.
struct ColumnTargets {
  double *dq, *dv, *da;
};
/// Rows of coordinates that carry the column's own; those of M where they are wanted.
[[gnu::always_inline]] inline void write_above(const ForceLanes& c, const RowRange& range,
                                               const double* rows, int stride, bool mass,
                                               const ColumnTargets& to) {
  for_each_piece(
      range, [&]<class Piece>(Piece, int l, int count) __attribute__((always_inline)) {
        Piece S[6];
        load_rows(rows + l, stride, S);
        store_first(dots(c.dq_above.m, c.dq_above.f, S), count, to.dq + l);
        store_first(dots(c.dv.m, c.dv.f, S), count, to.dv + l);
        if (mass) store_first(dots(c.GS.m, c.GS.f, S), count, to.da + l);
      });
}
/// Rows of its own part and of what it carries.
template <bool mass>
[[gnu::always_inline]] inline void write_below(const MotionLanes& c, const RowRange& range,
                                               const double* rows, int stride, bool stands,
                                               const ColumnTargets& to) {
  for_each_piece(
      range, [&]<class Piece>(Piece, int l, int count) __attribute__((always_inline)) {
        Piece GS[6], BtS[3];
        load_rows(rows + 6 * stride + l, stride, GS);
        load_rows(rows + 12 * stride + l, stride, BtS);
        Piece along_q = dots(c.w.w, c.w.v, GS) + dots(c.u, BtS);
        if (stands) {
          Piece row[6];
          load_rows(rows + 15 * stride + l, stride, row);
          along_q -= dots(c.S.w, c.S.v, row);
        }
        store_first(along_q, count, to.dq + l);
        store_first(dots(c.y.w, c.y.v, GS) + dots(c.S.w, BtS), count, to.dv + l);
        if (mass) store_first(dots(c.S.w, c.S.v, GS), count, to.da + l);
      });
}

/// Poses and screws of all bodies from one origin a tree: that of the model's centre, or of the
/// body on the ground. The cut of that body leads to the origin.
inline void gather_screws(const Model<double>& m, Pose* pose, Screw* J, Cut* cut) {
  detail::gather_at_centre(
      m, false, [&](int i) -> Column& { return cut[i].d; }, Column{});
  for (int i = 1; i < m.bodies; ++i) {
    const Column d = cut[m.anchor[i]].d;
    pose[i].p += d;
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) J[k].v += cross(d, J[k].w);
  }
  for (int i = 1; i < m.bodies; ++i)
    if (m.parent[i] == 0) cut[i].d = -cut[i].d;
}
/// All that is kept of bodies and coordinates, seen from there; whether wrenches stand in ground
/// axes. twice: for second derivatives; also: as of sweep_sums.
template <bool twice, class Also>
bool load_from_centre(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                      const LaneBody* body, Pose* pose, const DerivativeLanes& room, Also also) {
  bool stands = false;
  move_angles(m, x, w);
  if (m.anchors > 1) {
    sweep_screws<Origins::anchors>(m, x, w, body, pose, room);
    gather_screws(m, pose, room.screw, room.cut);
    Model<double> uncut = m;
    uncut.anchor = room.ground_body;
    sweep_motions<Origins::anchors>(uncut, x, w, body, pose, room);
    if (x.outsides > 0) stands = take_outside<twice>(uncut, x, w, pose, room.cut, room);
  } else {
    sweep_screws<Origins::centre>(m, x, w, body, pose, room);
    sweep_motions<Origins::centre>(m, x, w, body, pose, room);
    if (x.outsides > 0) stands = take_outside<twice>(m, x, w, pose, nullptr, room);
  }
  sweep_sums<Origins::centre>(m, room, stands, also);
  return stands;
}

/// The anchor `from` as seen from the anchor `to`, which carries it.
inline Cut way(const Model<double>& m, const Cut* cut, int from, int to) {
  Cut sum{};
  for (; from != to; from = m.anchor[m.parent[from]])
    sum.d += cut[from].d, sum.drift += cut[from].drift;
  return sum;
}
/// The forces of a coordinate at another anchor, which carries it.
inline ForceLanes moved_from(const Cut& cut, ForceLanes c) {
  for (Force* F : {&c.dq_above, &c.dv, &c.GS}) F->m += cross(cut.d, F->f);
  return c;
}
/// The motions of a coordinate at another anchor, which it carries: B^T S there lacks
/// 2 drift x (G S).f, which w and y make up for.
inline MotionLanes moved_to(const Cut& cut, MotionLanes c) {
  const Column drift2 = cut.drift + cut.drift;
  c.w.v += cross(c.w.w, cut.d) + cross(c.u, drift2);
  c.y.v += cross(c.y.w, cut.d) + cross(c.S.w, drift2);
  c.S.v += cross(c.S.w, cut.d);
  return c;
}

/// M_lk = M_kl for columns [begin, end) and the rows of a range, which carry them.
inline void mirror(int n, int begin, int end, const RowRange& rows, double* M) {
  const auto at = [&](int l, int k) { return M + std::ptrdiff_t(n) * k + l; };
  for (int k = begin; k < end; k += 4)
    for (int l = rows.begin; l < rows.end; l += 4) {
      if (k + 4 <= end && l + 4 <= rows.end) {
        const Column a = load(at(k, l)), b = load(at(k, l + 1)), c = load(at(k, l + 2)),
                     d = load(at(k, l + 3));
        const Column ab_lo = shuffled<0, 4, 2, 6>(a, b), ab_hi = shuffled<1, 5, 3, 7>(a, b);
        const Column cd_lo = shuffled<0, 4, 2, 6>(c, d), cd_hi = shuffled<1, 5, 3, 7>(c, d);
        store(shuffled<0, 1, 4, 5>(ab_lo, cd_lo), at(l, k));
        store(shuffled<0, 1, 4, 5>(ab_hi, cd_hi), at(l, k + 1));
        store(shuffled<2, 3, 6, 7>(ab_lo, cd_lo), at(l, k + 2));
        store(shuffled<2, 3, 6, 7>(ab_hi, cd_hi), at(l, k + 3));
        continue;
      }
      for (int j = k; j < end && j < k + 4; ++j)
        for (int i = l; i < rows.end && i < l + 4; ++i) *at(i, j) = *at(j, i);
    }
}
/// What one anchor serves, above the diagonal of M, where another's bodies carry it.
inline void mirror_across_cuts(int n, const ColumnRanges& r, double* M) {
  for (int k = 0, end = 0; k < n; k = end) {
    while (end < n && r.anchor[end] == r.anchor[k]) ++end;
    for (int s = r.at[k]; s < r.middle[k]; ++s)
      if (r.range[s].anchor != r.anchor[k]) mirror(n, k, end, r.range[s], M);
  }
}

/// The columns of all coordinates; `few`: rows have the stride that the compiler knows.
template <Origins origins, bool mass, bool few>
[[gnu::noinline]] void write_columns(const Model<double>& m, const DerivativeLanes& room,
                                     bool stands, const InversePartials<double>& out) {
  const ColumnRanges r = room.ranges;
  const double* rows = room.rows;
  const int n = m.nv, stride = few ? DerivativeLanes::short_stride : room.stride;
  for (int k = 0; k < n; ++k) {  // ascending: what is written past a column is written over
    const CoordinateLanes& c = room.coordinate[k];
    const std::ptrdiff_t at = std::ptrdiff_t(n) * k;
    const ColumnTargets to{out.dq + at, out.dv + at, mass ? out.da + at : nullptr};
    for (int s = r.at[k]; s < r.middle[k]; ++s) {
      const bool cut = origins == Origins::anchors && r.range[s].anchor != r.anchor[k];
      ForceLanes moved;
      if (cut) moved = moved_from(way(m, room.cut, r.anchor[k], r.range[s].anchor), c);
      write_above(cut ? moved : static_cast<const ForceLanes&>(c), r.range[s], rows, stride,
                  mass && !cut, to);
    }
    for (int s = r.middle[k]; s < r.at[k + 1]; ++s) {
      const bool cut = origins == Origins::anchors && r.range[s].anchor != r.anchor[k];
      MotionLanes moved;
      if (cut) moved = moved_to(way(m, room.cut, r.range[s].anchor, r.anchor[k]), c);
      write_below<mass>(cut ? moved : static_cast<const MotionLanes&>(c), r.range[s], rows, stride,
                        stands, to);
    }
    if (!mass) continue;
    for (int l = r.range[r.middle[k]].begin; l < k; ++l) to.da[l] = out.da[n * l + k];
    to.da[k] += m.armature[k];
  }
  if (origins == Origins::anchors && mass) mirror_across_cuts(n, r, out.da);
}

template <Origins origins, bool mass>
void derivatives(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                 const LaneBody* body, Pose* pose, const DerivativeLanes& room,
                 const InversePartials<double>& out) {
  if (!room.placed) {
    move_angles(m, x, w);
    sweep_screws<origins>(m, x, w, body, pose, room);
  }
  sweep_motions<origins>(m, x, w, body, pose, room);
  const Cut* cuts = origins == Origins::anchors ? room.cut : nullptr;
  const bool stands = x.outsides > 0 && take_outside<false>(m, x, w, pose, cuts, room);
  sweep_sums<origins>(m, room, stands, [](int, const CompositeInertia&, const MomentumBlock&) {});
  turn_rows(m.nv, room, stands);
  if (room.stride == DerivativeLanes::short_stride)
    write_columns<origins, mass, true>(m, room, stands, out);
  else write_columns<origins, mass, false>(m, room, stands, out);
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As rnea_derivatives, from the state itself with wrenches from outside as they were given, and
/// F_ext beside them; the matrices have room for three more numbers, and M may be left out, of
/// bodies that share one origin. Needs every joint to have parts.
inline void derivatives_in_lanes(const Model<double>& m, const State<double>& x,
                                 Workspace<double>& w, const LaneBody* body, lanes::Pose* pose,
                                 const DerivativeLanes& room, const InversePartials<double>& out) {
  if (m.anchors > 1) lanes::derivatives<Origins::anchors, true>(m, x, w, body, pose, room, out);
  else if (out.da != nullptr)
    lanes::derivatives<Origins::centre, true>(m, x, w, body, pose, room, out);
  else lanes::derivatives<Origins::centre, false>(m, x, w, body, pose, room, out);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
