// SPDX-License-Identifier: BSD-3-Clause
// What closes a loop: which part of the motion between two frames it forbids.
//
// Frame 2 has the pose E = (R, p) in frame 1 and moves there with the twist V, seen from itself.
// The rows of a loop are wrenches N of frame 2 which do no work: A v = N^T V = 0  ([Kim] (54)).
// They are components of V; only universal and distance have a row that moves with E. Its
// acceleration is N^T Vdot + Ndot^T V. No logarithm is taken of E, so off the closed configurations
// the rows are not the derivative of the residual, which has one of its own. A knife edge and a
// disc that rolls forbid velocities that no residual answers for  ([Kim] (55)).
#pragma once

#include <cmath>
#include <jounce/group/se3.hpp>
#include <jounce/model/custom_rows.hpp>
#include <jounce/model/description.hpp>
#include <jounce/model/rolling.hpp>
#include <utility>

namespace jounce {

/// A loop between two bodies of a tree. Its way leads from frame 2 down to the last body that
/// carries both frames, which it leaves out, and from there up to frame 1.
template <class P>
struct Loop {
  LoopKind kind = LoopKind::fixed;
  SE3<P> seat_1, seat_2;     ///< the frames in their bodies' frames
  P length{};                ///< of a distance
  int row = 0;               ///< its first one of all loops'
  const int* way = nullptr;  ///< [down + up] bodies
  int down = 0, up = 0;
  P radius{};                                ///< of what rolls
  const P* ratio = nullptr;                  ///< [down] of a gear, for each body on the way
  P offset{};                                ///< of a gear
  const CustomConstraint* custom = nullptr;  ///< its joints are those of the bodies on the way
};

/// Components of a twist (w, v) by number.
struct TwistComponents {
  int count = 0;
  int at[6]{};
};

inline namespace JOUNCE_ISA {

/// Those that a loop forbids whatever its pose.
constexpr TwistComponents forbidden(LoopKind kind) {
  switch (kind) {
    case LoopKind::fixed:
      return {6, {0, 1, 2, 3, 4, 5}};
    case LoopKind::revolute:
      return {5, {0, 1, 3, 4, 5}};
    case LoopKind::prismatic:
      return {5, {0, 1, 2, 3, 4}};
    case LoopKind::cylindrical:
      return {4, {0, 1, 3, 4}};
    case LoopKind::planar:
      return {3, {0, 1, 5}};
    case LoopKind::universal:
    case LoopKind::spherical:
    case LoopKind::point:
      return {3, {3, 4, 5}};
    case LoopKind::orientation:
      return {3, {0, 1, 2}};
    case LoopKind::knife_edge:
      return {1, {5}};
    case LoopKind::distance:
    case LoopKind::rolling:
    case LoopKind::gear:
    case LoopKind::custom:
      break;
  }
  return {};
}
/// Whether a loop is about the motion between two frames; else it ties the coordinates of joints,
/// in any order on its way (equations/tied_rows.hpp).
constexpr bool has_frames(LoopKind kind) {
  return kind != LoopKind::gear && kind != LoopKind::custom;
}
/// Whether what a loop forbids follows from a configuration that it allows: of a rolling disc the
/// last row alone does.
constexpr bool has_residual(LoopKind kind) { return kind != LoopKind::knife_edge; }
/// Whether there is one more row, which moves with the pose.
constexpr bool has_moving_row(LoopKind kind) {
  return kind == LoopKind::universal || kind == LoopKind::distance;
}
/// The largest number that both are multiples of, to rounding; of zero and another, that one. Of
/// numbers without a common measure a small one.
template <class P>
P common_measure(P a, P b) {
  a = std::abs(a), b = std::abs(b);
  const P least = std::max(a, b) * P(1e-9);
  while (b > least) a = std::exchange(b, std::abs(a - b * std::round(a / b)));
  return a;
}
/// Of all kinds but custom.
constexpr int rows(LoopKind kind) {
  if (kind == LoopKind::rolling) return 3;
  if (kind == LoopKind::gear) return 1;
  return forbidden(kind).count + (has_moving_row(kind) ? 1 : 0);
}
template <class P>
constexpr int rows(const Loop<P>& loop) {
  return loop.custom != nullptr ? loop.custom->rows : rows(loop.kind);
}

/// The row that moves, and its rate: of universal the moment about the normal of both axes, x of
/// frame 2 and z of frame 1; of distance the force between the origins.
template <class Real>
struct MovingRow {
  Wrench<Real> N{}, rate{};
};
template <class Real>
constexpr MovingRow<Real> moving_row(LoopKind kind, const SE3<Real>& E, const Twist<Real>& V) {
  MovingRow<Real> row;
  if (!has_moving_row(kind)) return row;
  if (kind == LoopKind::universal) {
    const Vec3<Real> x{Real(1), Real(0), Real(0)}, z = E.R.m.row[2];  // R^T e_z
    row.N.m = cross(x, z);
    row.rate.m = cross(x, cross(z, V.w));
  } else {
    row.N.f = inverse_times(E.R, E.p);
    row.rate.f = cross(row.N.f, V.w) + V.v;
  }
  return row;
}

/// How that rate changes along a displacement xi of frame 2, and dV of its twist.
template <class Real>
constexpr Wrench<Real> moving_row_rate(LoopKind kind, const SE3<Real>& E, const Twist<Real>& V,
                                       const Twist<Real>& xi, const Twist<Real>& dV) {
  Wrench<Real> change{};
  if (kind == LoopKind::universal) {
    const Vec3<Real> x{Real(1), Real(0), Real(0)}, z = E.R.m.row[2];
    change.m = cross(x, cross(cross(z, xi.w), V.w) + cross(z, dV.w));
  } else {
    const Vec3<Real> u = inverse_times(E.R, E.p);
    change.f = cross(cross(u, xi.w) + xi.v, V.w) + cross(u, dV.w) + dV.v;
  }
  return change;
}

template <class Real>
constexpr Real component(const Twist<Real>& X, int k) {
  const Vec3<Real>& part = k < 3 ? X.w : X.v;
  return k % 3 == 0 ? part.x : k % 3 == 1 ? part.y : part.z;
}
/// y = N^T X, of the components `fixed` that a loop forbids whatever its pose.
template <class Real>
constexpr void forbidden_part(LoopKind kind, const TwistComponents& fixed,
                              const MovingRow<Real>& moving, const Twist<Real>& X, Real* y) {
  const Real part[6] = {X.w.x, X.w.y, X.w.z, X.v.x, X.v.y, X.v.z};
  for (int k = 0; k < 6; ++k)  // of a constant length: all are written out
    if (k < fixed.count) y[k] = part[fixed.at[k]];
  if (has_moving_row(kind)) y[fixed.count] = dot(moving.N, X);
}
template <class Real>
constexpr void forbidden_part(LoopKind kind, const MovingRow<Real>& moving, const Twist<Real>& X,
                              Real* y) {
  forbidden_part(kind, forbidden(kind), moving, X, y);
}
/// N lambda: the wrench on the second body, at frame 2.
template <class Real>
constexpr Wrench<Real> loop_wrench(LoopKind kind, const MovingRow<Real>& moving,
                                   const Real* lambda) {
  const TwistComponents fixed = forbidden(kind);
  Real F[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
  for (int k = 0; k < fixed.count; ++k) F[fixed.at[k]] = lambda[k];
  const Wrench<Real> constant{{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
  return has_moving_row(kind) ? constant + moving.N * lambda[fixed.count] : constant;
}

/// The same from the multipliers of all loops, at the pose E; zero of a loop without frames.
template <class P, class Real>
Wrench<Real> loop_wrench(const Loop<P>& loop, const SE3<Real>& E, const Real* lambda) {
  const Real* own = lambda + loop.row;
  if (!has_frames(loop.kind)) return {};
  if (loop.kind != LoopKind::rolling)
    return loop_wrench(loop.kind, moving_row(loop.kind, E, {}), own);
  const RollingRows<Real> rolling = rolling_rows(loop.radius, E, {});
  return rolling.N[0] * own[0] + rolling.N[1] * own[1] + rolling.N[2] * own[2];
}

/// How far a loop is from closed, one number for every row: displacements and entries of R in the
/// axes of frame 1. Rows that no configuration answers for have zeros.
template <class P, class Real>
constexpr void loop_residual(const Loop<P>& loop, const SE3<Real>& E, Real* y) {
  const auto& [a, b, c] = E.R.m.row;
  const Plain<Real> half(0.5);
  const Vec3<Real> turned{(c.y - b.z) * half, (a.z - c.x) * half, (b.x - a.y) * half};
  const bool by_axis = loop.kind == LoopKind::revolute || loop.kind == LoopKind::cylindrical ||
                       loop.kind == LoopKind::planar;
  const Twist<Real> off{by_axis ? Vec3<Real>{a.z, b.z, Real(0)} : turned, E.p};
  const TwistComponents fixed = forbidden(loop.kind);
  for (int k = 0; k < fixed.count; ++k) y[k] = component(off, fixed.at[k]);
  if (!has_residual(loop.kind)) y[0] = Real(0);
  if (loop.kind == LoopKind::rolling) rolling_residual(loop.radius, E, y);
  if (loop.kind == LoopKind::universal) y[fixed.count] = c.x;
  if (loop.kind == LoopKind::distance)
    y[fixed.count] = (dot(E.p, E.p) - loop.length * loop.length) * half;
}
/// Whether a pose without residual is closed, and not half a turn away from it.
template <class Real>
constexpr bool closes(LoopKind kind, const SE3<Real>& E) {
  const auto& [a, b, c] = E.R.m.row;
  switch (kind) {
    case LoopKind::revolute:
    case LoopKind::cylindrical:
    case LoopKind::planar:
      return c.z > Real(0);
    case LoopKind::fixed:
    case LoopKind::prismatic:
    case LoopKind::orientation:
      return a.x + b.y + c.z > Real(0);
    case LoopKind::rolling:  // else it lies flat, and touches everywhere
      return c.x * c.x + c.y * c.y > Real(1e-18);
    default:
      return true;
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
