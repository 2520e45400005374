// SPDX-License-Identifier: BSD-3-Clause
// The joints between a frame and the ground, seen from the frame, for any kind of vector.
//
// jacobian() needs the poses of all bodies in the ground. Here the walk starts at the frame and
// ends at the ground with Y, the pose of the current body seen from the frame; a body Jacobian's
// columns are Ad_Y S ([Park] (18)-(20) read from the tip). No other body is moved, and where the
// robot stands does not matter.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/joint_steps.hpp>

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

/// Moves the joints that carry a body and lists their bodies in room.path, the given one first;
/// returns how many. Nothing of the state's q is read after it.
template <class Kind>
constexpr int move_path(const Recursion<Kind>& r, int body) {
  move_angles_of_path(r.m, r.x, r.w, body);
  int bodies = 0;
  for (int i = body; i > 0; i = r.m.parent[i]) {
    r.room.path[bodies++] = i;
    if (r.body[i].angle < 0) move_any(r.m, r.x, i, r.w);
  }
  return bodies;
}

/// The screws of the path's coordinates, seen from a frame with the pose `offset` on its first
/// body, in room.screw. Returns the ground's pose, seen from there, where that is wanted.
template <class Kind>
constexpr typename Kind::Pose sweep_path(const Recursion<Kind>& r, int bodies,
                                         const SE3<typename Kind::P>& offset, bool to_ground) {
  typename Kind::Pose Y = Kind::pose(inverse(offset));
  for (int n = 0; n < bodies; ++n) {
    const int i = r.room.path[n], angle = r.body[i].angle;
    write_screws(r, i, Y);
    if (n + 1 == bodies && !to_ground) break;
    Y = angle >= 0 ? pose_of_parent(Y, r.body[i], r.w.sin[angle], r.w.cos[angle])
                   : times_inverse(Y, r.w.T[i]);
  }
  return Y;
}

/// What is seen from a frame, as a representation has it.
template <Representation in, class Kind>
struct SeenAs {
  typename Kind::Matrix R;  ///< the frame's axes in the ground's
  typename Kind::Vector p;  ///< its position there

  explicit constexpr SeenAs(const typename Kind::Pose& ground)
      : R(Kind::transposed_axes(ground)), p(-(R * ground.p)) {}

  constexpr typename Kind::Screw operator()(const typename Kind::Screw& X) const {
    if constexpr (in == Representation::body) return X;
    const auto w = R * X.w, v = R * X.v;
    if constexpr (in == Representation::hybrid) return {w, v};
    else return {w, v + cross(p, w)};
  }
};

template <Representation in, class Kind>
constexpr void write_path_jacobian(const Recursion<Kind>& r, int bodies,
                                   const typename Kind::Pose& ground, typename Kind::Real* J) {
  const SeenAs<in, Kind> seen(ground);
  for (int n = 0; n < bodies; ++n) {
    const int i = r.room.path[n];
    for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k)
      Kind::write(seen(r.room.screw[k]), J + 6 * k);
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The Jacobian (6 x nv, column by column) of a frame with the pose `offset` on a body, from q
/// alone, which may lie where J is written. Overwrites T and S of the joints on the way.
template <class Kind>
[[gnu::flatten]] constexpr void path_jacobian(const Recursion<Kind>& r, int body,
                                              const SE3<typename Kind::P>& offset,
                                              Representation in, typename Kind::Real* J) {
  using Real = typename Kind::Real;
  const int bodies = detail::move_path(r, body);
  for (int k = 0; k < 6 * r.m.nv; ++k) J[k] = Real(0);
  const auto ground = detail::sweep_path(r, bodies, offset, in != Representation::body);
  switch (in) {
    case Representation::body:
      return detail::write_path_jacobian<Representation::body>(r, bodies, ground, J);
    case Representation::space:
      return detail::write_path_jacobian<Representation::space>(r, bodies, ground, J);
    case Representation::hybrid:
      return detail::write_path_jacobian<Representation::hybrid>(r, bodies, ground, J);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
