// SPDX-License-Identifier: BSD-3-Clause
// Three-vectors for the fast forms of inverse and forward dynamics and of the mass matrix.
//
// Those forms are one text each (inverse_dynamics.hpp, forward_dynamics.hpp, mass_matrix.hpp) for
// two kinds of vector. Here a vector is three numbers: of one state or, with packs, of many. For
// one state of doubles on a processor with 32-byte registers it is a register
// (src/kernels/lanes/in_registers.hpp). A kind says what the texts hold and how they read a body's
// constants; the rest are operators.
#pragma once

#include <jounce/model/joint.hpp>

namespace jounce {

template <class Real>
inline constexpr bool is_plain_or_pack = Arithmetic<Real>;
template <class T, int W, Isa I>
inline constexpr bool is_plain_or_pack<Pack<T, W, I>> = true;

/// The constants of a body and of the joint it hangs on.
template <class P>
struct BodyNumbers {
  const Part<P>& part;
  const Inertia<P>& G;
  int angle;  ///< of a revolute joint: its place in the table of sines; else -1

  /// R of a revolute joint, and R^T.
  template <class Real>
  [[gnu::always_inline]] constexpr Mat3<Real> rotation(const Real& sin, const Real& cos) const {
    return detail::turn_z(part.placement.R, SinCos<Real>{sin, cos}).m;
  }
  template <class Real>
  [[gnu::always_inline]] constexpr Mat3<Real> inverse_rotation(const Real& sin,
                                                               const Real& cos) const {
    return transpose(rotation(sin, cos));
  }
  [[gnu::always_inline]] constexpr const Vec3<P>& position() const { return part.placement.p; }
  [[gnu::always_inline]] constexpr const Inertia<P>& inertia() const { return G; }
};

/// The kind: vectors of three numbers of the type Number, constants of the type Constant.
template <class Number, class Constant>
struct ThreeNumbers {
  using Real = Number;
  using P = Constant;
  using Vector = Vec3<Real>;
  using Matrix = Mat3<Real>;
  using Screw = Twist<Real>;
  using Force = Wrench<Real>;
  using CompositeInertia = Inertia<Real>;
  using BlockInertia = ArticulatedInertia<Real>;
  using Pose = SE3<Real>;

  /// Where an anchor lies, seen from that of what carries it (origins.hpp).
  struct Cut {
    Vector d;
  };
  struct Bodies {
    const Model<P>& m;
    [[gnu::always_inline]] constexpr BodyNumbers<P> operator[](int i) const {
      const Part<P>& part = m.part[m.part_at[i]];
      return {part, m.G[i], is_revolute(m, i) ? part.angle : -1};
    }
  };

  // To and from the numbers of the reference forms.
  [[gnu::always_inline]] static constexpr const Vector& vector(const Vec3<Real>& a) { return a; }
  [[gnu::always_inline]] static constexpr const Force& force(const Wrench<Real>& F) { return F; }
  [[gnu::always_inline]] static constexpr const Vec3<P>& constant(const Vec3<P>& a) { return a; }
  [[gnu::always_inline]] static constexpr const Matrix& matrix(const Mat3<Real>& M) { return M; }
  [[gnu::always_inline]] static constexpr Matrix transposed(const Mat3<Real>& M) {
    return transpose(M);
  }
  [[gnu::always_inline]] static constexpr const Twist<Real>& numbers(const Screw& a) { return a; }
  [[gnu::always_inline]] static constexpr const Wrench<Real>& numbers(const Force& F) { return F; }
  [[gnu::always_inline]] static constexpr const BlockInertia& numbers(const BlockInertia& H) {
    return H;
  }
  [[gnu::always_inline]] static constexpr void write(const Screw& a, Real* to) {
    to[0] = a.w.x, to[1] = a.w.y, to[2] = a.w.z;
    to[3] = a.v.x, to[4] = a.v.y, to[5] = a.v.z;
  }
  template <class A>
  [[gnu::always_inline]] static constexpr Pose pose(const SE3<A>& T) {
    return {detail::constant<A, Real>(T.R), detail::as<Real>(T.p)};
  }
  /// The other frame's axes in those that T is seen from.
  [[gnu::always_inline]] static constexpr Matrix transposed_axes(const Pose& T) {
    return transpose(T.R.m);
  }

  // What is felt at a frame with the pose T, felt where T is seen from.
  static constexpr BlockInertia on_parent(const Pose& T, const BlockInertia& H) {
    return push_forward(T, H);
  }
  static constexpr Force on_parent(const Pose& T, const Force& F) { return dual_Ad_inv(T, F); }
};

inline namespace JOUNCE_ISA {

/// a + s z.
template <class Real>
constexpr Vec3<Real> plus_z(const Vec3<Real>& a, const Real& s) {
  return {a.x, a.y, a.z + s};
}
/// a + b x (s z).
template <class Real>
constexpr Vec3<Real> plus_cross_z(const Vec3<Real>& a, const Vec3<Real>& b, const Real& s) {
  return {a.x + b.y * s, a.y - b.x * s, a.z};
}
template <class Real>
constexpr const Real& z_of(const Vec3<Real>& a) {
  return a.z;
}
/// a x b + c x d.
template <class A, class B, class C, class D>
constexpr auto cross_sum(const Vec3<A>& a, const Vec3<B>& b, const Vec3<C>& c, const Vec3<D>& d) {
  return cross(a, b) + cross(c, d);
}

/// F . S + G . T
template <class Real>
constexpr Real dot(const Wrench<Real>& F, const Twist<Real>& S, const Wrench<Real>& G,
                   const Twist<Real>& T) {
  return dot(F, S) + dot(G, T);
}

/// H with a body's own inertia.
template <class Real, class P>
constexpr void add(ArticulatedInertia<Real>& H, const BodyNumbers<P>& body) {
  const Inertia<P>& G = body.G;
  const auto& [a, b, c] = H.B.row;
  H = {H.A + G.I,
       {{{a.x, a.y - G.h.z, a.z + G.h.y},
         {b.x + G.h.z, b.y, b.z - G.h.x},
         {c.x - G.h.y, c.y + G.h.x, c.z}}},
       {H.M.xx + G.mass, H.M.xy, H.M.yy + G.mass, H.M.xz, H.M.yz, H.M.zz + G.mass}};
}
/// H S of a joint that turns about z.
template <class Real>
constexpr Wrench<Real> turning_column(const ArticulatedInertia<Real>& H) {
  return {{H.A.xz, H.A.yz, H.A.zz}, H.B.row[2]};
}
/// H in the axes of the parent, about its origin.
template <class A, class B, class Real>
constexpr ArticulatedInertia<Real> carried(const Mat3<A>& R, const Vec3<B>& p,
                                           const ArticulatedInertia<Real>& H) {
  return detail::shift(p, ArticulatedInertia<Real>{congruence(R, H.A), detail::congruence(R, H.B),
                                                   congruence(R, H.M)});
}

/// The pose of a body behind a revolute joint, whose parent has the pose U.
template <class P, class Real>
constexpr SE3<Real> turned_pose(const SE3<Real>& U, const BodyNumbers<P>& body, const Real& sin,
                                const Real& cos) {
  return {U.R * SO3<Real>{body.rotation(sin, cos)}, U * body.position()};
}
/// Mass times the centre of mass of a body with the pose U.
template <class P, class Real>
constexpr Vec3<Real> first_moment(const SE3<Real>& U, const Inertia<P>& G) {
  return U.R * G.h + U.p * G.mass;
}
/// The pose of the parent of a body with the pose U, behind a revolute joint.
template <class P, class Real>
constexpr SE3<Real> pose_of_parent(const SE3<Real>& U, const BodyNumbers<P>& body, const Real& sin,
                                   const Real& cos) {
  const SO3<Real> R = U.R * SO3<Real>{body.inverse_rotation(sin, cos)};
  return {R, U.p - R * body.position()};
}
/// U T^-1.
template <class Real>
constexpr SE3<Real> times_inverse(const SE3<Real>& U, const SE3<Real>& T) {
  const SO3<Real> R = U.R * inverse(T.R);
  return {R, U.p - R * T.p};
}
template <class Real>
constexpr Vec3<Real> z_axis(const SE3<Real>& U) {
  const auto& [a, b, c] = U.R.m.row;
  return {a.z, b.z, c.z};
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
