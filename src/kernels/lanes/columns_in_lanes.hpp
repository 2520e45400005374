// SPDX-License-Identifier: BSD-3-Clause
// The last pass of the derivatives in lanes: the entries of every column, up to sixteen rows at
// a time.
#pragma once

#include <jounce/scalar/pack_sincos.hpp>

#include "kernels/lanes/derivatives_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// Four columns of three, as rows.
[[gnu::always_inline]] inline void store_rows(const Column& a, const Column& b, const Column& c,
                                              const Column& d, double* rows, int stride) {
  const Columns3 M = rows_of(a, b, c, d);
  store(M.x, rows);
  store(M.y, rows + stride);
  store(M.z, rows + 2 * stride);
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

/// x, which the compiler knows nothing of: as a product it is rounded, as a row it stays in
/// registers, where GCC would read it again for each product.
template <int lanes>
[[gnu::always_inline]] inline Pack<double, lanes> opaque(const Pack<double, lanes>& x) {
  return Pack<double, lanes>::of_registers([&](int k) __attribute__((always_inline)) {
    return detail::opaque(x.r[k]);
  });
}
/// As many rows as two registers hold are found at once: they share the column's numbers.
inline constexpr int most_rows = register_bytes(native_isa) >= 64 ? 16 : 8;

/// Whether a few more lanes than are wanted cost less than a second piece.
inline constexpr bool cheap_masks = register_bytes(native_isa) >= 64;

/// write(piece, l, count) for pieces of rows from l on, the last of which may overlap the one
/// before it; of the only piece of a range that is shorter `count` rows belong to that.
template <class Write>
[[gnu::always_inline]] inline void for_each_piece(const RowRange& range, Write write) {
  const int length = range.end - range.begin;
  int l = range.begin;
  const auto whole = [&]<int rows>(std::integral_constant<int, rows> all, int at)
      __attribute__((always_inline)) {
    write(Pack<double, rows>(), at, all);
  };
  const std::integral_constant<int, most_rows> most;
  const std::integral_constant<int, 8> eight;
  const std::integral_constant<int, 4> four;
  for (; l + most_rows <= range.end; l += most_rows) whole(most, l);
  if (most_rows > 8 && range.end - l > 8) whole(eight, l), l += 8;
  if (length >= 8 && range.end - l > 4) return whole(eight, range.end - 8);
  if constexpr (cheap_masks)
    if (range.end - l > 4) return write(Pack<double, 8>(), l, length);
  if (length < 4) {
    if (length > 0) write(Pack<double, 4>(), l, length);
    return;
  }
  if (range.end - l > 4) whole(four, l), l += 4;
  if (range.end > l) whole(four, range.end - 4);
}
template <int rows>
[[gnu::always_inline]] inline void store_first(const Pack<double, rows>& x,
                                               std::integral_constant<int, rows>, double* to) {
  x.store(to);
}
/// Lanes from `count` on become zero: the rows after a range are zero, or written later.
template <int rows>
[[gnu::always_inline]] inline void store_first(const Pack<double, rows>& x, int count, double* to) {
  using Rows = Pack<double, rows>;
  const Rows lane = Rows::generate([](int k) { return double(k); });
  select(lane < Rows(double(count)), opaque(x), Rows(0.0)).store(to);
}

/// A number of a column in memory, which need not be loaded with the others.
[[gnu::always_inline]] inline double number(const Column& a, int k) {
  double x;
  __builtin_memcpy(&x, reinterpret_cast<const double*>(&a) + k, sizeof(x));
  return x;
}
/// One of six.
[[gnu::always_inline]] inline double number(const Screw& S, int k) {
  return k < 3 ? number(S.w, k) : number(S.v, k - 3);
}
[[gnu::always_inline]] inline double number(const Force& F, int k) {
  return k < 3 ? number(F.m, k) : number(F.f, k - 3);
}
/// Term k of a sum, of which the first alone is rounded: M is symmetric to the last digit.
template <class Piece>
[[gnu::always_inline]] inline void add_term(int k, const Piece& x, double y, Piece& sum) {
  sum = k == 0 ? opaque(x * y) : sum + x * y;
}

/// Where the columns of a coordinate go, and where its row of M begins, whose numbers are n apart.
struct ColumnTargets {
  double *dq, *dv, *da;
  const double* row_of_M;
  std::ptrdiff_t n;
};
/// Rows of coordinates that carry the column's own; those of M where they are wanted.
template <bool mass>
[[gnu::always_inline]] inline void write_above(const ForceLanes& c, const RowRange& range,
                                               const double* rows, int stride,
                                               const ColumnTargets& to) {
  for_each_piece(
      range, [&]<class Piece>(Piece, int l, auto count) __attribute__((always_inline)) {
        Piece along_q, along_v, along_a;
#pragma GCC unroll 6
        for (int k = 0; k < 6; ++k) {
          const Piece S = opaque(Piece::load(rows + k * stride + l));
          add_term(k, S, number(c.dq_above, k), along_q);
          add_term(k, S, number(c.dv, k), along_v);
          if constexpr (mass) add_term(k, S, number(c.GS, k), along_a);
        }
        store_first(along_q, count, to.dq + l);
        store_first(along_v, count, to.dv + l);
        if constexpr (mass) store_first(along_a, count, to.da + l);
      });
}
/// Rows of a free joint on the ground that carries it: the axes are its body's, and its screws unit
/// vectors.
template <bool mass>
[[gnu::always_inline]] inline void write_on_base(const ForceLanes& c, int l,
                                                 const ColumnTargets& to) {
  const auto put = [](const Force& F, double* six) { InRegisters::write({F.m, F.f}, six); };
  put(c.dq_above, to.dq + l);
  put(c.dv, to.dv + l);
  if constexpr (mass) put(c.GS, to.da + l);
}
/// Rows of its own part and of what it carries.
template <bool mass>
[[gnu::always_inline]] inline void write_below(const MotionLanes& c, const RowRange& range,
                                               const double* rows, int stride, bool stands,
                                               const ColumnTargets& to) {
  for_each_piece(
      range, [&]<class Piece>(Piece, int l, auto count) __attribute__((always_inline)) {
        const double* at = rows + l;
        Piece along_q, along_v, along_a;
#pragma GCC unroll 6
        for (int k = 0; k < 6; ++k) {
          const Piece GS = opaque(Piece::load(at + (6 + k) * stride));
          add_term(k, GS, number(c.w, k), along_q);
          add_term(k, GS, number(c.y, k), along_v);
          if constexpr (mass) add_term(k, GS, number(c.S, k), along_a);
        }
#pragma GCC unroll 3
        for (int k = 0; k < 3; ++k) {
          const Piece BtS = opaque(Piece::load(at + (12 + k) * stride));
          along_q += BtS * number(c.u, k);
          along_v += BtS * number(c.S.w, k);
        }
        if (stands)
          for (int k = 0; k < 6; ++k)
            along_q -= Piece::load(at + (15 + k) * stride) * number(c.S, k);
        store_first(along_q, count, to.dq + l);
        store_first(along_v, count, to.dv + l);
        if constexpr (mass) store_first(along_a, count, to.da + l);
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
    sweep_motions<Origins::anchors>(uncut, x, w, body, room);
    sweep_forces(m, x, pose, room);
    if (x.outsides > 0) stands = take_outside<twice>(uncut, x, w, pose, room.cut, room);
  } else {
    sweep_screws<Origins::centre>(m, x, w, body, pose, room);
    sweep_motions<Origins::centre>(m, x, w, body, room);
    sweep_forces(m, x, pose, room);
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

/// The rows of column k, at `to`, of a range of coordinates that carry it; those of a free joint on
/// the ground are `base` and the next five, where there is one.
template <bool mass>
[[gnu::always_inline]] inline void write_range_above(const DerivativeLanes& room, int stride,
                                                     const ForceLanes& c, int base, RowRange range,
                                                     const ColumnTargets& to) {
  if (range.begin == base) {
    write_on_base<mass>(c, base, to);
    range.begin += 6;
  }
  if (range.begin + 1 == range.end) {  // most ranges of trees
    const int l = range.begin;
    to.dq[l] = dot(c.dq_above, room.coordinate[l].S);
    to.dv[l] = dot(c.dv, room.coordinate[l].S);
    if constexpr (mass) to.da[l] = to.row_of_M[to.n * l];
    return;
  }
  write_above<mass>(c, range, room.rows, stride, to);
}
/// The row of the coordinate itself.
template <bool mass>
[[gnu::always_inline]] inline void write_own(const DerivativeLanes& room, int k, bool stands,
                                             const ColumnTargets& to) {
  const CoordinateLanes& c = room.coordinate[k];
  const Column along_q = c.GS.m * c.w.w + c.GS.f * c.w.v + c.BtS * c.u;
  to.dq[k] = sum(along_q) - (stands ? dot(room.standing[k].row, c.S) : 0);
  to.dv[k] = sum(c.GS.m * c.y.w + c.GS.f * c.y.v + c.BtS * c.S.w);
  if constexpr (mass) to.da[k] = dot(c.GS, c.S);
}
/// The columns of all coordinates; `few`: rows have the stride that the compiler knows.
template <Origins origins, bool mass, bool few>
[[gnu::noinline]] void write_columns(const Model<double>& m, const DerivativeLanes& room,
                                     bool stands, const InversePartials<double>& out) {
  const ColumnRanges r = room.ranges;
  const int n = m.nv, stride = few ? DerivativeLanes::short_stride : room.stride;
  for (int i = 1, k = 0; k < n; ++k) {  // ascending: what is written past a column is written over
    while (k == m.v_at[i + 1]) ++i;
    const int root = room.ground_body[i];
    const std::ptrdiff_t at = std::ptrdiff_t(n) * k;
    const ColumnTargets to{out.dq + at, out.dv + at, mass ? out.da + at : nullptr,
                           mass ? out.da + k : nullptr, n};
    const int base = root != i && is_free_base(m, root) ? m.v_at[root] : -1;
    const CoordinateLanes& c = room.coordinate[k];
    for (int s = r.at[k]; s < r.middle[k]; ++s) {
      const RowRange& range = r.range[s];
      if (origins == Origins::anchors && range.anchor != r.anchor[k])
        write_range_above<false>(room, stride,
                                 moved_from(way(m, room.cut, r.anchor[k], range.anchor), c), base,
                                 range, to);
      else write_range_above<mass>(room, stride, c, base, range, to);
    }
    for (int s = r.middle[k]; s < r.at[k + 1]; ++s) {
      if (!few && r.range[s].begin == k && r.range[s].end == k + 1) {  // leaves of large trees
        write_own<mass>(room, k, stands, to);
        continue;
      }
      const bool cut = origins == Origins::anchors && r.range[s].anchor != r.anchor[k];
      MotionLanes moved;
      if (cut) moved = moved_to(way(m, room.cut, r.range[s].anchor, r.anchor[k]), c);
      write_below<mass>(cut ? moved : static_cast<const MotionLanes&>(c), r.range[s], room.rows,
                        stride, stands, to);
    }
    if (!mass) continue;
    for (int l = r.range[r.middle[k]].begin; l < k; ++l) to.da[l] = to.row_of_M[to.n * l];
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
  sweep_motions<origins>(m, x, w, body, room);
  sweep_forces(m, x, pose, room);
  const Cut* cuts = origins == Origins::anchors ? room.cut : nullptr;
  const bool stands = x.outsides > 0 && take_outside<false>(m, x, w, pose, cuts, room);
  sweep_sums<origins>(m, room, stands, [](int, const CompositeInertia&, const MomentumBlock&) {});
  if (room.tau != nullptr)
    for (int k = 0; k < m.nv; ++k) room.tau[k] += m.armature[k] * x.a[k];
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
