// SPDX-License-Identifier: BSD-3-Clause
// rnea_second_derivatives for one state on a processor with 32-byte registers.
//
// The equations of the reference (rnea_second_derivatives.hpp) with the blocks of
// derivatives_in_lanes.hpp: B and its changes have two blocks each, and the first moment of dG is
// the momentum G S.f, so that in a row after c
//   (G S).f . (ad_{u_a} u_c).v - (G_q u_a) . u_c = 2 (G S).f . (u_a.w x u_c.v) - u_a.w . I u_c.w
// A pair of coordinates is a few registers; its rows are found four at a time. Those of wrenches in
// ground axes are the reference's too, with what outside_in_lanes.hpp finds along coordinates.
#pragma once

#include "kernels/lanes/columns_in_lanes.hpp"
#include "kernels/lanes/second_lanes.hpp"

namespace jounce {
namespace lanes::inline JOUNCE_ISA {

/// M - [n].
[[gnu::always_inline]] inline Columns3 minus_hat(const Columns3& M, const Column& n) {
  return {M.x + Column{0, -n[2], n[1], 0}, M.y + Column{n[2], 0, -n[0], 0},
          M.z + Column{-n[1], n[0], 0, 0}};
}
/// As turning of four bodies (derivatives_in_lanes.hpp), of one.
[[gnu::always_inline]] inline Columns3 turning(const CompositeInertia& G, const Screw& V) {
  const Column x(1, 0, 0, 0), y(0, 1, 0, 0), z(0, 0, 1, 0);
  const Column half_trace =
      spread(0.5) * spread_sum(shuffled<0, 1, 6, 7>(shuffled<0, 5, 2, 3>(G.I.x, G.I.y), G.I.z));
  const Column w = -(V.w + V.w), v = V.v + V.v, d = spread_sum(G.h * v);
  return {d * x - v * spread<0>(G.h) + cross(w, half_trace * x - G.I.x),
          d * y - v * spread<1>(G.h) + cross(w, half_trace * y - G.I.y),
          d * z - v * spread<2>(G.h) + cross(w, half_trace * z - G.I.z)};
}
/// dG/dq, dB/dq and dB/dv of all that coordinate c carries, G and B.
[[gnu::always_inline]] inline void load_change(const CompositeInertia& G, const MomentumBlock& B,
                                               const CoordinateLanes& c, ChangeLanes& change) {
  const Columns3 I = moment_rate(G, c.S);
  change.I = I;
  change.K_v = minus_hat(I, c.GS.m);
  const Screw u{c.u, c.u_linear};
  const Force P = G * u;
  const Column &w = c.S.w, &v = c.S.v;
  Columns3 K = turning(G, u) + hat_times(w, B.K);
  K = K + transpose(hat_times(w, transpose(B.K)));  // - K [w]
  K = minus_outer(K, B.p + B.p, v);                 // - 2 [v][p] = - 2 p v^T + 2 (v.p) 1
  const double d = 2 * dot(v, B.p);
  change.K_q = plus_diagonal(K, d);
  change.p_q = P.f + cross(w, B.p);
}

/// - (x y^T + y x^T), the diagonal halved.
[[gnu::always_inline]] inline void set_products(const Column& x, const Column& y, AfterLanes& to) {
  to.diagonal = -(x * y);
  to.others = -(x * turn(y) + turn(x) * y);
}

/// The forces of the pair on rows before c.
[[gnu::always_inline]] inline void load_forces(const CoordinateLanes& a, const CoordinateLanes& c,
                                               const ChangeLanes& x, PairLanes& to) {
  const Column h = c.GS.f, h_S = cross(h, a.S.w), h2 = h + h, p2 = x.p_q + x.p_q;
  const Force q{x.I * a.w.w + cross(h, a.w.v) + x.K_q * a.u, -cross(h, a.w.w) - cross(p2, a.u)};
  const Force v{x.K_v * a.u, -cross(h2, a.u)};
  const Force turn_q = dual_ad(a.S, c.dq_above), turn_v = dual_ad(a.S, c.dv),
              turn_a = dual_ad(a.S, c.GS);
  to.qa_qc = q;
  to.qa_vc = v;
  to.va_qc = {x.I * a.y.w + cross(h, a.y.v) + x.K_q * a.S.w, -cross(h, a.y.w) - cross(p2, a.S.w)};
  to.va_vc = {x.K_v * a.S.w, -(h_S + h_S)};
  to.aa_qc = {x.I * a.S.w + cross(h, a.S.v), -h_S};
  to.qa_qc_before = q - turn_q;
  to.qa_vc_before = v - turn_v;
  to.ac_qa = {-turn_a.m, -turn_a.f};
}

/// What it puts on those after c.
[[gnu::always_inline]] inline void load_after(const CoordinateLanes& a, const CoordinateLanes& c,
                                              PairLanes& to) {
  const Column u_S = cross(a.u, c.S.w), S_S = cross(a.S.w, c.S.w), S_v = cross(a.S.w, c.S.v),
               u_v = cross(a.u, c.S.v), u_u = cross(a.u, c.u_linear),
               S_u = cross(a.S.w, c.u_linear);
  to.after_qq.m = cross(a.w.w, c.S.w) + cross(a.u, c.u);
  to.after_qq.f = cross(a.w.w, c.S.v) + cross(a.w.v, c.S.w) + (u_u + u_u);
  to.after_qq.b = u_S;
  to.after_vq.m = cross(a.y.w, c.S.w) + cross(a.S.w, c.u);
  to.after_vq.f = cross(a.y.w, c.S.v) + cross(a.y.v, c.S.w) + (S_u + S_u);
  to.after_vq.b = S_S;
  to.after_qv.m = u_S;
  to.after_qv.f = u_v + u_v;
  to.after_vv.m = S_S;
  to.after_vv.f = S_v + S_v;
  to.after_aq_f = S_v + cross(a.S.v, c.S.w);
  set_products(a.u, c.u, to.after_qq);
  set_products(a.S.w, c.u, to.after_vq);
  set_products(a.u, c.S.w, to.after_qv);
  set_products(a.S.w, c.S.w, to.after_vv);
}

/// M x - (tr M) x.
[[gnu::always_inline]] inline Column times_less_trace(const Columns3& M, const Column& x) {
  return M * x - x * (M.x[0] + M.y[1] + M.z[2]);
}
/// a b^T - (a.b) 1 and what else meets M of a row after c, with the coordinates a and c.
[[gnu::always_inline]] inline Columns3 outer_less_trace(const Columns3& M, const Column& a,
                                                        const Column& b) {
  return plus_diagonal(plus_outer(M, a, b), -dot(a, b));
}
/// What wrenches in ground axes add to the pair.
[[gnu::always_inline]] inline void load_standing(const CoordinateLanes& a, const CoordinateLanes& c,
                                                 const Columns3& H, PairLanes& to) {
  const Column between = times_less_trace(transpose(H), a.S.w);
  to.qa_qc.m -= between;
  to.qa_qc_before.m -= between;
  to.after_M = outer_less_trace(Columns3{}, a.S.w, c.S.w);
  to.after_Q = outer_less_trace(outer_less_trace(Columns3{}, a.S.w, c.S.v), a.S.v, c.S.w);
}

/// A pair of one part: V before the joint does not change, and dv dv is the mean of both orders.
[[gnu::always_inline]] inline void average(const CoordinateLanes& a, const CoordinateLanes& c,
                                           const ChangeLanes& x_a, const ChangeLanes& x_c,
                                           PairLanes& to) {
  to.va_vc.m = spread(0.5) * (x_c.K_v * a.S.w + x_a.K_v * c.S.w);
  to.va_vc.f = -(cross(c.GS.f, a.S.w) + cross(a.GS.f, c.S.w));
  to.after_vv.m = Column{};
  to.after_vv.f = cross(a.S.w, c.S.v) + cross(c.S.w, a.S.v);
}

/// Columns of I of all coordinates, by component.
inline void turn_moments(int nv, const SecondLanes& room) {
  const int stride = room.first.stride;
  for (int k = 0; k < nv; k += 4) {
    const ChangeLanes* c = room.change + k;
    double* to = room.moment + k;
    store_rows(c[0].I.x, c[1].I.x, c[2].I.x, c[3].I.x, to, stride);
    store_rows(c[0].I.y, c[1].I.y, c[2].I.y, c[3].I.y, to + 3 * stride, stride);
    store_rows(c[0].I.z, c[1].I.z, c[2].I.z, c[3].I.z, to + 6 * stride, stride);
  }
}

/// Columns of M and Q of all coordinates, by component.
inline void turn_standing(int nv, const SecondLanes& room) {
  const int stride = room.first.stride;
  for (int k = 0; k < nv; k += 4) {
    const StandingLanes* c = room.first.standing + k;
    double* to = room.standing + k;
    const auto put = [&](const Columns3 StandingLanes::*X) {
      store_rows((c[0].*X).x, (c[1].*X).x, (c[2].*X).x, (c[3].*X).x, to, stride);
      store_rows((c[0].*X).y, (c[1].*X).y, (c[2].*X).y, (c[3].*X).y, to + 3 * stride, stride);
      store_rows((c[0].*X).z, (c[1].*X).z, (c[2].*X).z, (c[3].*X).z, to + 6 * stride, stride);
    };
    put(&StandingLanes::M);
    to += 9 * stride;
    put(&StandingLanes::Q);
  }
}

}  // namespace lanes::inline JOUNCE_ISA
}  // namespace jounce
