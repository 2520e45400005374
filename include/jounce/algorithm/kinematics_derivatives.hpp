// SPDX-License-Identifier: BSD-3-Clause
// The partial derivatives of a frame's twist and acceleration, d/d(q, v, a), in O(depth).
//
// The changes along coordinate k are those of rnea_derivatives.hpp: in axes at rest
//   dV = ad_{S_k} V + u_k      dA = ad_{S_k} A + w_k + ad_{u_k} V        along q_k, place by S_k
//   dV = S_k                   dA = y_k + ad_{S_k} V                     along v_k
//                              dA = S_k                                  along a_k
// Seen from the frame itself, which moves by S_k, the terms ad_{S_k} go; at the frame's origin p,
// which moves by dp, the linear part gains w x dp. A pose has the Jacobian for its derivative:
// body, space or hybrid is the tangent vector that the change of the pose is measured by.
#pragma once

#include <jounce/algorithm/rnea_derivatives.hpp>

namespace jounce {

/// What is differentiated; classical acceleration is the rate of twist_hybrid.
enum class FrameQuantity : unsigned char { twist, spatial_acceleration, classical_acceleration };

/// Where the derivatives go: 6 x nv, column by column.
template <class Real>
struct FramePartials {
  Real *dq = nullptr, *dv = nullptr, *da = nullptr;
};

namespace detail::inline JOUNCE_ISA {

/// How a frame's place, twist and acceleration change, in ground axes about one point.
template <class Real>
struct FrameChange {
  Twist<Real> place, V, A;
};

/// A frame in the same axes: T is its pose from that point, which lies at `origin`.
template <class Real>
struct MovingFrame {
  SE3<Real> T;
  Vec3<Real> origin;
  Twist<Real> V, A;
};

/// The change of X, a twist or a spatial acceleration of the frame, by dX, where the frame moves.
template <class Real>
constexpr Twist<Real> change_seen(const MovingFrame<Real>& f, const Twist<Real>& X,
                                  const Twist<Real>& dX, const Twist<Real>& place,
                                  Representation in) {
  if (in == Representation::body) return Ad_inv(f.T, dX - ad(place, X));
  if (in == Representation::space) return moved_to(-f.origin, dX);
  const Vec3<Real> dp = place.v + cross(place.w, f.T.p);
  return {dX.w, dX.v + cross(dX.w, f.T.p) + cross(X.w, dp)};
}

/// The same of classical acceleration, body or hybrid.
template <class Real>
constexpr Twist<Real> classical_change(const MovingFrame<Real>& f, const FrameChange<Real>& d,
                                       Representation in) {
  const Twist<Real> V = moved_to(f.T.p, f.V), A = moved_to(f.T.p, f.A);
  const Twist<Real> dV = change_seen(f, f.V, d.V, d.place, Representation::hybrid);
  Twist<Real> change = change_seen(f, f.A, d.A, d.place, Representation::hybrid);
  change.v += cross(dV.w, V.v) + cross(V.w, dV.v);
  if (in == Representation::hybrid) return change;
  const Vec3<Real> linear = A.v + cross(V.w, V.v);
  return turn_back(
      f.T.R, Twist<Real>{change.w - cross(d.place.w, A.w), change.v - cross(d.place.w, linear)});
}

template <class Real>
constexpr Twist<Real> frame_change(const MovingFrame<Real>& f, const FrameChange<Real>& d,
                                   FrameQuantity quantity, Representation in) {
  if (quantity == FrameQuantity::classical_acceleration) return classical_change(f, d, in);
  const bool twist = quantity == FrameQuantity::twist;
  return change_seen(f, twist ? f.V : f.A, twist ? d.V : d.A, d.place, in);
}

/// S, u, w, y of all joints that carry body i, and its motion.
template <class P, class Real>
constexpr void load_path(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w, int i,
                         DerivativeRoom<Real>& room) {
  if (i == 0) return load_ground<Origins::centre>(m, w, room);
  load_path(m, x, w, m.parent[i], room);
  load_joint<Origins::centre>(m, x, w, i, SE3<Real>{w.pose[i].R, w.central[i]}, room);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Derivatives of a frame with the pose `offset` on a body, after forward_poses; null ones are not
/// wanted.
///
/// V[0] and Vdot[0] of the workspace are the ground's, without gravity.
template <class P, class Real>
constexpr void frame_derivatives(const Model<P>& m, const State<Real>& x, const Workspace<Real>& w,
                                 int body, const SE3<double>& offset, FrameQuantity quantity,
                                 Representation in, DerivativeRoom<Real>& room,
                                 const FramePartials<Real>& out) noexcept {
  detail::load_path(m, x, w, body, room);
  const detail::MovingFrame<Real> f{detail::pose_from_centre(w, body, offset), w.pose[m.centre].p,
                                    room.V[body], room.A[body]};
  for (Real* matrix : {out.dq, out.dv, out.da})
    for (int k = 0; matrix != nullptr && k < 6 * m.nv; ++k) matrix[k] = Real(0);
  const auto write = [&](Real* matrix, int k, const detail::FrameChange<Real>& d) {
    if (matrix == nullptr) return;
    detail::write_column(detail::frame_change(f, d, quantity, in), matrix + 6 * k);
  };
  for (int i = body; i > 0; i = m.parent[i])
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Twist<Real>&S = room.S[k], &u = room.u[k];
      write(out.dq, k, {S, ad(S, f.V) + u, ad(S, f.A) + room.w[k] + ad(u, f.V)});
      write(out.dv, k, {{}, S, room.y[k] + ad(S, f.V)});
      write(out.da, k, {{}, {}, S});
    }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
