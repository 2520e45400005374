// SPDX-License-Identifier: BSD-3-Clause
// The last pass of the second derivatives in lanes: the rows of every pair, four at a time.
#pragma once

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

/// Rows [begin, end) of c's part and after it.
template <bool Same>
inline void rows_after(const PairLanes& p, int begin, int end, const double* rows,
                       const double* moment, int stride, const PairColumns& to) {
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
    const Column qq = dots_of(p.after_qq) + dots(p.after_qq.b, BtS), vv = dots_of(p.after_vv);
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
template <bool Same>
inline void write_pair(const SecondLanes& room, int n, int a, int c,
                       const SecondPartials<double>& out) {
  const CoordinateLanes &at_a = room.first.coordinate[a], &at_c = room.first.coordinate[c];
  PairLanes p;
  load_forces(at_a, at_c, room.change[c], p);
  load_after(at_a, at_c, p);
  if (Same) average(at_a, at_c, room.change[a], room.change[c], p);
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
    rows_after<Same>(p, r.range[s].begin, r.range[s].end, rows, room.moment, stride, to);
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
/// Screws and motions of all bodies from there.
inline void sweep_from_centre(const Model<double>& m, const State<double>& x, Workspace<double>& w,
                              const LaneBody* body, Pose* pose, const SecondLanes& room) {
  sweep_screws<Origins::anchors>(m, x, w, body, pose, room.first);
  gather_screws(m, pose, room.first.screw, room.first.cut);
  Model<double> uncut = m;
  uncut.anchor = room.ground_body;
  sweep_motions<Origins::anchors>(uncut, x, w, body, pose, room.first);
}

}  // namespace lanes::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// As rnea_second_derivatives, from the state itself.
inline void second_derivatives_in_lanes(const Model<double>& m, const State<double>& x,
                                        Workspace<double>& w, const LaneBody* body,
                                        lanes::Pose* pose, const SecondLanes& room,
                                        const SecondPartials<double>& out) {
  using namespace lanes;
  move_angles(m, x, w);
  if (m.anchors > 1) {
    sweep_from_centre(m, x, w, body, pose, room);
  } else {
    sweep_screws<Origins::centre>(m, x, w, body, pose, room.first);
    sweep_motions<Origins::centre>(m, x, w, body, pose, room.first);
  }
  const auto also = [&](int k, const CompositeInertia& G, const MomentumBlock& B) {
    load_change(G, B, room.first.coordinate[k], room.change[k]);
  };
  sweep_sums<Origins::centre>(m, room.first, also);
  turn_rows(m.nv, room.first);
  turn_moments(m.nv, room);
  const ColumnRanges& r = room.first.ranges;
  for (int c = 0; c < m.nv; ++c) {
    for (int s = r.at[c]; s < r.middle[c]; ++s)
      for (int a = r.range[s].begin; a < r.range[s].end; ++a)
        write_pair<false>(room, m.nv, a, c, out);
    for (int a = room.part_first[c]; a < room.part_last[c]; ++a)
      write_pair<true>(room, m.nv, a, c, out);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
