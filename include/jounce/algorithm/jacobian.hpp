// SPDX-License-Identifier: BSD-3-Clause
// Jacobians of a frame and their time derivatives, in body, space and hybrid form.
//
// [Park] (18)-(20): a column is the screw of one joint coordinate, carried to the frame by Ad.
//   space:   axes and origin of the ground          column = Ad_{pose_i} S
//   hybrid:  axes of the ground, origin at the frame
//   body:    axes and origin of the frame           J_body = Ad_{T^-1} J_space
// Columns of coordinates that do not move the frame are zero.
#pragma once

#include <jounce/model/joint.hpp>

namespace jounce {

/// In which frame a twist or a Jacobian is expressed.
enum class Representation : unsigned char { body, space, hybrid };

namespace detail {

/// The screw of coordinate k of joint i, in ground axes, at the point o.
template <class P, class Real>
constexpr Twist<Real> screw_at(const Model<P>& m, const Workspace<Real>& w, int i, int k,
                               const Vec3<Real>& o) {
  const SE3<Real>& T = w.pose[i];
  if (m.kind[i] == JointKind::revolute) {
    const Vec3<Real> z{T.R.m.row[0].z, T.R.m.row[1].z, T.R.m.row[2].z};
    return {z, cross(z, o - T.p)};
  }
  const Vec3<Real> axis = T.R * w.S[k].w;
  return {axis, T.R * w.S[k].v + cross(axis, o - T.p)};
}

template <class Real>
constexpr void write_column(const Twist<Real>& X, Real* column) {
  column[0] = X.w.x, column[1] = X.w.y, column[2] = X.w.z;
  column[3] = X.v.x, column[4] = X.v.y, column[5] = X.v.z;
}
template <class Real>
constexpr Twist<Real> turn_back(const SO3<Real>& R, const Twist<Real>& X) {
  return {inverse_times(R, X.w), inverse_times(R, X.v)};
}

}  // namespace detail

/// The Jacobian (6 x nv, column by column, angular first) of a frame with pose T on a body, after
/// forward_poses.
template <class P, class Real>
constexpr void jacobian(const Model<P>& m, const Workspace<Real>& w, int body, const SE3<Real>& T,
                        Representation in, Real* J) {
  for (int k = 0; k < 6 * m.nv; ++k) J[k] = Real(0);
  const Vec3<Real> o = in == Representation::space ? Vec3<Real>{Real(0), Real(0), Real(0)} : T.p;
  for (int i = body; i > 0; i = m.parent[i])
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Twist<Real> X = detail::screw_at(m, w, i, k, o);
      detail::write_column(in == Representation::body ? detail::turn_back(T.R, X) : X, J + 6 * k);
    }
}

/// The time derivative of the same Jacobian, after forward_twists. V is the frame's body twist.
///
/// Space: d/dt Ad_{pose_i} S = Ad_{pose_i} (ad_{V_i} S + Sdot). The others move with the frame.
template <class P, class Real>
constexpr void jacobian_rate(const Model<P>& m, const Workspace<Real>& w, int body,
                             const SE3<Real>& T, const Twist<Real>& V, Representation in, Real* J) {
  for (int k = 0; k < 6 * m.nv; ++k) J[k] = Real(0);
  const Vec3<Real> velocity = T.R * V.v;
  for (int i = body; i > 0; i = m.parent[i])
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Twist<Real> X = Ad(w.pose[i], w.S[k]);
      const Twist<Real> dX = Ad(w.pose[i], ad(w.V[i], w.S[k]) + w.Sdot[k]);
      Twist<Real> column = dX;
      if (in == Representation::hybrid) column.v = dX.v + cross(dX.w, T.p) + cross(X.w, velocity);
      if (in == Representation::body) column = Ad_inv(T, dX) - ad(V, Ad_inv(T, X));
      detail::write_column(column, J + 6 * k);
    }
}

}  // namespace jounce
