// SPDX-License-Identifier: BSD-3-Clause
// The Jacobian of one frame from q alone: only the joints between the frame and the ground move.
//
// jacobian() needs the poses of all bodies. Here the walk starts at the frame and ends at the
// ground with Y, the pose of the current body seen from the frame; a body Jacobian's columns are
// Ad_Y S ([Park] (18)-(20) read from the tip), and it does not need the pose of the last body.
#pragma once

#include <jounce/algorithm/jacobian.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// Sines and cosines of the angles between a body and the ground.
template <class P, class Real>
void move_angles_of_path(const Model<P>& m, const State<Real>& x, Workspace<Real>& w, int body) {
  using Lanes = typename AngleLanes<Real>::type;
  int waiting[8], n = 0;
  const auto flush = [&] {
    if constexpr (std::is_void_v<Lanes>) {
      for (int lane = 0; lane < n; ++lane) {
        const SinCos<Real> y = sincos(x.q[m.angle_q[waiting[lane]]]);
        w.sin[waiting[lane]] = y.sin;
        w.cos[waiting[lane]] = y.cos;
      }
    } else {
      for (int lane = n; lane < 8; ++lane) waiting[lane] = waiting[n - 1];
      const auto* q = reinterpret_cast<const double*>(x.q);
      const auto y = sincos(Lanes::generate([&](int lane) { return q[m.angle_q[waiting[lane]]]; }));
      double sin[8], cos[8];
      y.sin.store(sin);
      y.cos.store(cos);
      for (int lane = 0; lane < n; ++lane) {
        w.sin[waiting[lane]] = sin[lane];
        w.cos[waiting[lane]] = cos[lane];
      }
    }
    n = 0;
  };
  for (int i = body; i > 0; i = m.parent[i])
    for (int k = m.part_at[i]; k < m.part_at[i + 1]; ++k) {
      if (m.part[k].angle < 0) continue;
      waiting[n++] = m.part[k].angle;
      if (n == 8) flush();
    }
  if (n > 0) flush();
}

/// Y T^-1.
template <class Real>
constexpr SE3<Real> times_inverse(const SE3<Real>& Y, const SE3<Real>& T) {
  const SO3<Real> R = Y.R * inverse(T.R);
  return {R, Y.p - R * T.p};
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The Jacobian (6 x nv, column by column) of a frame with the pose `offset` on a body. Overwrites
/// T and S of the joints on the way.
template <class P, class Real>
constexpr void path_jacobian(const Model<P>& m, const State<Real>& x, Workspace<Real>& w, int body,
                             const SE3<Real>& offset, Representation in, Real* J) {
  for (int k = 0; k < 6 * m.nv; ++k) J[k] = Real(0);
  detail::move_angles_of_path(m, x, w, body);
  SE3<Real> Y = inverse(offset);
  for (int i = body; i > 0; i = m.parent[i]) {
    const bool last = m.parent[i] == 0 && in == Representation::body;
    if (!last || !m.constant_screws(i)) move_joint(m, x, i, w);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) detail::write_column(Ad(Y, w.S[k]), J + 6 * k);
    if (!last) Y = detail::times_inverse(Y, w.T[i]);
  }
  if (in == Representation::body) return;
  const SE3<Real> T = inverse(Y);
  for (int i = body; i > 0; i = m.parent[i])
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Real* c = J + 6 * k;
      const Twist<Real> X{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
      detail::write_column(
          in == Representation::space ? Ad(T, X) : Twist<Real>{T.R * X.w, T.R * X.v}, J + 6 * k);
    }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
