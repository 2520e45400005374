// SPDX-License-Identifier: BSD-3-Clause
// The last pass of the second derivatives in lanes: the rows of every pair, four at a time.
#pragma once

#include <algorithm>
#include <jounce/algorithm/second_room.hpp>

#include "kernels/lanes/second_in_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// Where the columns of a pair (a, c) go; those of one part have no second place.
struct PairColumns {
  double *qc_qa, *qa_qc, *qa_vc, *qc_va, *vc_va, *va_vc, *ac_qa, *aa_qc;
};
[[gnu::always_inline]] inline PairColumns pair_columns(const SecondPartials<double>& out, int n,
                                                       int a, int c) {
  const std::ptrdiff_t first_c = n * (c + std::ptrdiff_t(n) * a),
                       first_a = n * (a + std::ptrdiff_t(n) * c);
  return {out.dqdq + first_c, out.dqdq + first_a, out.dqdv + first_a, out.dqdv + first_c,
          out.dvdv + first_c, out.dvdv + first_a, out.dadq + first_c, out.dadq + first_a};
}

/// Writes the first `count` of four rows.
[[gnu::always_inline]] inline void store_part(const Column& x, double* to, int count) {
  if (count >= 4) return store(x, to);
  to[0] = x[0];
  if (count > 1) to[1] = x[1];
  if (count > 2) to[2] = x[2];
}

/// a.x over four rows, a of six numbers in two columns.
[[gnu::always_inline]] inline Column dots(const Column& angular, const Column& linear,
                                          const Column (&x)[6]) {
  return (x[0] * number(angular, 0) + x[1] * number(angular, 1) + x[2] * number(angular, 2)) +
         (x[3] * number(linear, 0) + x[4] * number(linear, 1) + x[5] * number(linear, 2));
}
[[gnu::always_inline]] inline Column dots(const Column& angular, const Column (&x)[3]) {
  return x[0] * number(angular, 0) + x[1] * number(angular, 1) + x[2] * number(angular, 2);
}
template <int N>
[[gnu::always_inline]] inline void load_rows(const double* rows, int stride, Column (&x)[N]) {
  for (int c = 0; c < N; ++c) x[c] = load(rows + c * stride);
}
[[gnu::always_inline]] inline Column dots(const Force& F, const Column (&S)[6]) {
  return dots(F.m, F.f, S);
}

/// Rows [begin, end) before c; Before: also before a.
template <bool Same, bool Before>
inline void rows_before(const PairLanes& p, int begin, int end, const double* rows, int stride,
                        const PairColumns& to) {
  for (int i = begin; i < end; i += 4) {
    Column S[6];
    load_rows(rows + i, stride, S);
    const int count = end - i;
    const Column qq = dots(Before ? p.qa_qc_before : p.qa_qc, S), vv = dots(p.va_vc, S);
    store_part(qq, to.qc_qa + i, count);
    store_part(dots(Before ? p.qa_vc_before : p.qa_vc, S), to.qa_vc + i, count);
    store_part(vv, to.vc_va + i, count);
    if (Before) store_part(dots(p.ac_qa, S), to.ac_qa + i, count);
    if (Same) continue;
    store_part(qq, to.qa_qc + i, count);
    store_part(dots(p.va_qc, S), to.qc_va + i, count);
    store_part(vv, to.va_vc + i, count);
    store_part(dots(p.aa_qc, S), to.aa_qc + i, count);
  }
}

/// The sum of the products of the entries of two matrices, one of four rows by component.
[[gnu::always_inline]] inline Column dots(const Columns3& X, const double* rows, int stride) {
  const auto column = [&](const Column& x, int k) {
    return spread(x[0]) * load(rows + k * stride) + spread(x[1]) * load(rows + (k + 1) * stride) +
           spread(x[2]) * load(rows + (k + 2) * stride);
  };
  return column(X.x, 0) + column(X.y, 3) + column(X.z, 6);
}

/// M and Q of wrenches in ground axes by component; Q is null where none is at the ground's origin.
struct StandingRows {
  const double *M, *Q;
};
/// Rows [begin, end) of c's part and after it; stands: there are wrenches in ground axes. Inlined,
/// it would take a tenth longer: registers run short.
template <bool Same, bool stands>
[[gnu::noinline]] inline void rows_after(const PairLanes& p, int begin, int end, const double* rows,
                                         const double* moment, const StandingRows& standing,
                                         int stride, const PairColumns& to) {
  for (int i = begin; i < end; i += 4) {
    Column GS[6], BtS[3];
    load_rows(rows + 6 * stride + i, stride, GS);
    load_rows(rows + 12 * stride + i, stride, BtS);
    const auto I = [&](int component) { return load(moment + component * stride + i); };
    const Column moments[6] = {I(0), I(4), I(8), I(1), I(5), I(2)};
    const auto dots_of = [&](const AfterLanes& x) {
      return dots(x.m, x.f, GS) + dots(x.diagonal, x.others, moments);
    };
    const int count = end - i;
    Column qq = dots_of(p.after_qq) + dots(p.after_qq.b, BtS);
    const Column vv = dots_of(p.after_vv);
    if constexpr (stands) {
      qq -= dots(p.after_M, standing.M + i, stride);
      if (standing.Q != nullptr) qq -= dots(p.after_Q, standing.Q + i, stride);
    }
    store_part(qq, to.qc_qa + i, count);
    store_part(dots_of(p.after_qv), to.qa_vc + i, count);
    store_part(vv, to.vc_va + i, count);
    if (Same) continue;
    store_part(qq, to.qa_qc + i, count);
    store_part(dots_of(p.after_vq) + dots(p.after_vq.b, BtS), to.qc_va + i, count);
    store_part(vv, to.va_vc + i, count);
    store_part(dots(p.after_vv.m, p.after_aq_f, GS), to.aa_qc + i, count);
  }
}

/// All rows of the pair (a, c).
template <bool Same, bool stands>
inline void write_pair(const SecondLanes& room, const StandingRows& standing, int n, int a, int c,
                       const SecondPartials<double>& out) {
  const CoordinateLanes &at_a = room.first.coordinate[a], &at_c = room.first.coordinate[c];
  PairLanes p;
  load_forces(at_a, at_c, room.change[c], p);
  load_after(at_a, at_c, p);
  if (Same) average(at_a, at_c, room.change[a], room.change[c], p);
  if constexpr (stands) load_standing(at_a, at_c, room.first.standing[c].H, p);
  const PairColumns to = pair_columns(out, n, a, c);
  const ColumnRanges& r = room.first.ranges;
  const double* rows = room.first.rows;
  const int stride = room.first.stride, first_a = room.part_first[a];
  for (int s = r.at[c]; s < r.middle[c]; ++s) {
    const int begin = r.range[s].begin, end = r.range[s].end;
    rows_before<Same, true>(p, begin, end < first_a ? end : first_a, rows, stride, to);
    rows_before<Same, false>(p, begin > first_a ? begin : first_a, end, rows, stride, to);
  }
  for (int s = r.middle[c]; s < r.at[c + 1]; ++s)
    rows_after<Same, stands>(p, r.range[s].begin, r.range[s].end, rows, room.moment, standing,
                             stride, to);
}

/// The rows of every pair.
template <bool stands>
void write_pairs(const SecondLanes& room, const StandingRows& standing, int n,
                 const SecondPartials<double>& out) {
  const ColumnRanges& r = room.first.ranges;
  for (int c = 0; c < n; ++c) {
    for (int s = r.at[c]; s < r.middle[c]; ++s)
      for (int a = r.range[s].begin; a < r.range[s].end; ++a)
        write_pair<false, stands>(room, standing, n, a, c, out);
    for (int a = room.part_first[c]; a < room.part_last[c]; ++a)
      write_pair<true, stands>(room, standing, n, a, c, out);
  }
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As rnea_second_derivatives, from the state itself.
inline void second_derivatives_in_lanes(const Model<double>& m, const State<double>& x,
                                        Workspace<double>& w, const LaneBody* body,
                                        lanes::Pose* pose, const SecondLanes& room,
                                        const SecondPartials<double>& out) {
  using namespace lanes;
  const auto also = [&](int k, const CompositeInertia& G, const MomentumBlock& B) {
    load_change(G, B, room.first.coordinate[k], room.change[k]);
  };
  const bool stands = load_from_centre<true>(m, x, w, body, pose, room.first, also);
  turn_rows(m.nv, room.first, false);
  turn_moments(m.nv, room);
  if (!stands) return write_pairs<false>(room, {}, m.nv, out);
  turn_standing(m.nv, room);
  const bool at_origin = std::ranges::any_of(
      outside(x), [](const auto& one) { return one.in == Representation::space; });
  write_pairs<true>(room,
                    {room.standing, at_origin ? room.standing + 9 * room.first.stride : nullptr},
                    m.nv, out);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
