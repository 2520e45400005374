// SPDX-License-Identifier: BSD-3-Clause
// Jacobians of a frame and their time derivatives, in body, space and hybrid form.
//
// [Park] (18)-(20): a column is the screw of one joint coordinate, carried to the frame by Ad.
//   space:   axes and origin of the ground          column = Ad_{pose_i} S
//   hybrid:  axes of the ground, origin at the frame
//   body:    axes and origin of the frame           J_body = Ad_{T^-1} J_space
// Columns of coordinates that do not move the frame are zero.
#pragma once

#include <jounce/algorithm/origins.hpp>

namespace jounce {

/// In which frame a twist or a Jacobian is expressed.
enum class Representation : unsigned char { body, space, hybrid };

namespace detail::inline JOUNCE_ISA {

/// The screw of coordinate k of joint i, in ground axes, at the point from which body i lies at p.
template <class P, class Real>
constexpr Twist<Real> screw_from(const Model<P>& m, const Workspace<Real>& w, int i, int k,
                                 const Vec3<Real>& p) {
  const SO3<Real>& R = w.pose[i].R;
  if (is_revolute(m, i)) {
    const Vec3<Real> z{R.m.row[0].z, R.m.row[1].z, R.m.row[2].z};
    return {z, cross(p, z)};
  }
  const Vec3<Real> axis = R * w.S[k].w;
  return {axis, R * w.S[k].v + cross(p, axis)};
}

/// The pose of a frame on a body, its position from the model's centre.
template <class Real, class A>
constexpr SE3<Real> pose_from_centre(const Workspace<Real>& w, int body, const SE3<A>& offset) {
  const SO3<Real>& R = w.pose[body].R;
  return {R * offset.R, w.central[body] + R * offset.p};
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

/// One text, and one loop without choices for each representation.
template <Representation in, class P, class Real, class A>
constexpr void write_jacobian(const Model<P>& m, const Workspace<Real>& w, int body,
                              const SE3<A>& offset, Real* J) {
  const SE3<Real> T = pose_from_centre(w, body, offset);
  for (int i = body; i > 0; i = m.parent[i]) {
    const Vec3<Real> p = in == Representation::space ? w.pose[i].p : w.central[i] - T.p;
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const Twist<Real> X = screw_from(m, w, i, k, p);
      write_column(in == Representation::body ? turn_back(T.R, X) : X, J + 6 * k);
    }
  }
}

/// A column X at a point, of a screw that body i carries along, has the rate ad_{V_i} X + Sdot.
/// Where the point and the axes move too, by U, it is ad_{V_i - U} X + Sdot: U is nothing (space),
/// the velocity of the frame's origin (hybrid), the frame's twist (body).
template <Representation in, class P, class Real, class A>
constexpr void write_jacobian_rate(const Model<P>& m, const Workspace<Real>& w, int body,
                                   const SE3<A>& offset, Real* J) {
  const SE3<Real> T = pose_from_centre(w, body, offset);
  const auto seen = [&](int i) {
    return SE3<Real>{w.pose[i].R, in == Representation::space ? w.pose[i].p : w.central[i] - T.p};
  };
  Twist<Real> U{};
  if (in != Representation::space) U = Ad(seen(body), w.V[body]);
  if (in == Representation::hybrid) U.w = {};
  for (int i = body; i > 0; i = m.parent[i]) {
    const SE3<Real> at = seen(i);
    const Twist<Real> V = Ad(at, w.V[i]) - U;
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      Twist<Real> rate = ad(V, screw_from(m, w, i, k, at.p));
      if (!m.constant_screws(i)) rate += Ad(at, w.Sdot[k]);
      write_column(in == Representation::body ? turn_back(T.R, rate) : rate, J + 6 * k);
    }
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The Jacobian (6 x nv, column by column, angular first) of a frame with the pose `offset` on a
/// body, after forward_poses.
template <class P, class Real, class A>
constexpr void jacobian(const Model<P>& m, const Workspace<Real>& w, int body, const SE3<A>& offset,
                        Representation in, Real* J) {
  for (int k = 0; k < 6 * m.nv; ++k) J[k] = Real(0);
  switch (in) {
    case Representation::body:
      return detail::write_jacobian<Representation::body>(m, w, body, offset, J);
    case Representation::space:
      return detail::write_jacobian<Representation::space>(m, w, body, offset, J);
    case Representation::hybrid:
      return detail::write_jacobian<Representation::hybrid>(m, w, body, offset, J);
  }
}

/// The time derivative of the same Jacobian, after forward_twists.
template <class P, class Real, class A>
constexpr void jacobian_rate(const Model<P>& m, const Workspace<Real>& w, int body,
                             const SE3<A>& offset, Representation in, Real* J) {
  for (int k = 0; k < 6 * m.nv; ++k) J[k] = Real(0);
  switch (in) {
    case Representation::body:
      return detail::write_jacobian_rate<Representation::body>(m, w, body, offset, J);
    case Representation::space:
      return detail::write_jacobian_rate<Representation::space>(m, w, body, offset, J);
    case Representation::hybrid:
      return detail::write_jacobian_rate<Representation::hybrid>(m, w, body, offset, J);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
