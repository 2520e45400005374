// SPDX-License-Identifier: BSD-3-Clause
// The one switch over joint kinds: pose T(q), screws S(q) and their rates, whatever the joint is.
//
// [Kim] 2012, section 2.1: S = (T^-1 dT/dq)^vee (the printed definition has a misprint), V = S v,
// Vdot = S a + Sdot v. For a product of parts T = T_1 T_2 ... the relative motion is a little
// chain:
//   V_k = Ad_{T_k^-1} V_{k-1} + S_k v_k
//   a column of an earlier part, C, becomes Ad_{T_k^-1} C, and its rate Ad_{T_k^-1} Cdot
//   minus ad_{S_k v_k} Ad_{T_k^-1} C
#pragma once

#include <jounce/model/custom_motion.hpp>
#include <jounce/model/model.hpp>
#include <jounce/scalar/pack.hpp>

namespace jounce {

/// The coordinates of an elementary kind that have length 1 together: a quaternion, a cosine and a
/// sine, or none.
struct UnitCoordinates {
  int first = 0, count = 0;
  int one = 0;  ///< which of them is 1 where nothing is turned
};

inline namespace JOUNCE_ISA {

constexpr UnitCoordinates unit_coordinates(JointKind kind) {
  switch (kind) {
    case JointKind::spherical:
      return {0, 4, 3};
    case JointKind::free:
      return {3, 4, 3};
    case JointKind::circle:
      return {0, 2, 0};
    default:
      return {};
  }
}
/// How many coordinates and velocities an elementary kind has.
constexpr int elementary_nq(JointKind kind) {
  switch (kind) {
    case JointKind::cylindrical:
    case JointKind::circle:
      return 2;
    case JointKind::planar:
    case JointKind::translational:
      return 3;
    case JointKind::spherical:
      return 4;
    case JointKind::free:
      return 7;
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::helical:
      return 1;
    default:
      return 0;
  }
}
constexpr int elementary_nv(JointKind kind) {
  return elementary_nq(kind) - (unit_coordinates(kind).count > 0 ? 1 : 0);
}
/// Which of its coordinates is an angle whose sine and cosine it needs; -1 for none.
constexpr int elementary_angle(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::helical:
    case JointKind::cylindrical:
      return 0;
    case JointKind::planar:
      return 2;
    default:
      return -1;
  }
}
/// Whether it turns about its z axis alone.
constexpr bool turns_about_z(JointKind kind) {
  return elementary_angle(kind) >= 0 || kind == JointKind::circle;
}

/// Which of its coordinates slides along its axis; -1 for none.
constexpr int sliding_coordinate(JointKind kind) {
  switch (kind) {
    case JointKind::prismatic:
    case JointKind::helical:
      return 0;
    case JointKind::cylindrical:
      return 1;
    default:
      return -1;
  }
}
constexpr bool keeps_origin(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::spherical || kind == JointKind::circle;
}
constexpr bool keeps_axes(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::translational;
}

/// Part k of joint i, with the tree's numbers of coordinates.
template <class P>
constexpr Factor part_factor(const Model<P>& m, int i, int k) {
  const Part<P>& part = m.part[k];
  if (is_custom(m, i))
    return {part.kind, part.q, part.v, m.q_at[i + 1] - part.q, m.v_at[i + 1] - part.v, i};
  return {part.kind, part.q, part.v, elementary_nq(part.kind), elementary_nv(part.kind), i};
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

template <class Real, class P>
constexpr Vec3<Real> as(const Vec3<P>& a) {
  return {Real(a.x), Real(a.y), Real(a.z)};
}
/// R Rot_z(angle).
template <class P, class Real>
constexpr SO3<Real> turn_z(const SO3<P>& R, const SinCos<Real>& t) {
  const auto row = [&](const Vec3<P>& r) {
    return Vec3<Real>{t.cos * r.x + t.sin * r.y, t.cos * r.y - t.sin * r.x, Real(r.z)};
  };
  return {{{row(R.m.row[0]), row(R.m.row[1]), row(R.m.row[2])}}};
}
template <class P, class Real>
constexpr Vec3<Real> along_z(const SE3<P>& H, const Real& distance) {
  const auto& [a, b, c] = H.R.m.row;
  return {distance * a.z + H.p.x, distance * b.z + H.p.y, distance * c.z + H.p.z};
}
template <class P, class Real>
constexpr SO3<Real> constant(const SO3<P>& R) {
  return {{{as<Real>(R.m.row[0]), as<Real>(R.m.row[1]), as<Real>(R.m.row[2])}}};
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// The pose T of an elementary part: its placement, then its motion. q points to its coordinates.
/// Written in place: a copy of a freshly written pose would wait for its stores.
template <class P, class Real>
[[gnu::always_inline]] constexpr void part_pose(const Part<P>& part, const Real* q,
                                                const Workspace<Real>& w, SE3<Real>& T) {
  using detail::along_z, detail::as, detail::constant, detail::turn_z;
  const SE3<P>& H = part.placement;
  const auto trig = [&] { return SinCos<Real>{w.sin[part.angle], w.cos[part.angle]}; };
  switch (part.kind) {
    case JointKind::revolute:
      T = {turn_z(H.R, trig()), as<Real>(H.p)};
      break;
    case JointKind::prismatic:
      T = {constant<P, Real>(H.R), along_z(H, q[0])};
      break;
    case JointKind::helical:
      T = {turn_z(H.R, trig()), along_z(H, Real(q[0] * part.pitch))};
      break;
    case JointKind::cylindrical:
      T = {turn_z(H.R, trig()), along_z(H, q[1])};
      break;
    case JointKind::planar:
      T = {turn_z(H.R, trig()), H * Vec3<Real>{q[0], q[1], Real(0)}};
      break;
    case JointKind::translational:
      T = {constant<P, Real>(H.R), H * Vec3<Real>{q[0], q[1], q[2]}};
      break;
    case JointKind::spherical:
      T = {H.R * to_rotation(Quaternion<Real>{q[0], q[1], q[2], q[3]}), as<Real>(H.p)};
      break;
    case JointKind::free:
      T = {H.R * to_rotation(Quaternion<Real>{q[3], q[4], q[5], q[6]}),
           H * Vec3<Real>{q[0], q[1], q[2]}};
      break;
    case JointKind::circle:
      T = {turn_z(H.R, SinCos<Real>{q[1], q[0]}), as<Real>(H.p)};
      break;
    default:
      T = {};
  }
}

/// S v of an elementary kind; v points to its velocities.
template <class P, class Real>
constexpr Twist<Real> elementary_twist(JointKind kind, const P& pitch, const Real* v) {
  const Real o(0);
  switch (kind) {
    case JointKind::revolute:
    case JointKind::circle:
      return {{o, o, v[0]}, {o, o, o}};
    case JointKind::prismatic:
      return {{o, o, o}, {o, o, v[0]}};
    case JointKind::helical:
      return {{o, o, v[0]}, {o, o, v[0] * pitch}};
    case JointKind::cylindrical:
      return {{o, o, v[0]}, {o, o, v[1]}};
    case JointKind::planar:
      return {{o, o, v[0]}, {v[1], v[2], o}};
    case JointKind::translational:
      return {{o, o, o}, {v[0], v[1], v[2]}};
    case JointKind::spherical:
      return {{v[0], v[1], v[2]}, {o, o, o}};
    case JointKind::free:
      return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    default:
      return {};
  }
}

/// S v of an elementary part.
template <class P, class Real>
constexpr Twist<Real> part_twist(const Part<P>& part, const Real* v) {
  return elementary_twist(part.kind, part.pitch, v);
}

/// Column k of the constant S of an elementary part.
template <class Real, class P>
constexpr Twist<Real> part_screw(const Part<P>& part, int k) {
  Real unit[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
  unit[k] = Real(1);
  return part_twist(part, unit);
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// The part of T that a revolute joint moves; its axis and position never change and stand there
/// since the workspace was made (write_constants).
template <class P, class Real>
[[gnu::always_inline]] constexpr void turn(const Part<P>& part, const Workspace<Real>& w,
                                           SE3<Real>& T) {
  const Real s = w.sin[part.angle], c = w.cos[part.angle];
  for (int k = 0; k < 3; ++k) {
    const Vec3<P>& h = part.placement.R.m.row[k];
    T.R.m.row[k].x = c * h.x + s * h.y;
    T.R.m.row[k].y = c * h.y - s * h.x;
  }
}

/// T, S and Sdot of a joint with several parts.
template <class P, class Real>
constexpr void move_parts(const Model<P>& m, const State<Real>& x, int i, Workspace<Real>& w) {
  const int first = m.v_at[i];
  for (int k = m.part_at[i]; k < m.part_at[i + 1]; ++k) {
    const Part<P>& part = m.part[k];
    SE3<Real> T;
    part_pose(part, x.q + part.q, w, T);
    const Twist<Real> Sv = part_twist(part, x.v + part.v);
    w.T[i] = k == m.part_at[i] ? T : w.T[i] * T;
    for (int j = first; j < part.v; ++j) {
      w.S[j] = Ad_inv(T, w.S[j]);
      w.Sdot[j] = Ad_inv(T, w.Sdot[j]) - ad(Sv, w.S[j]);
    }
    for (int j = 0; j < elementary_nv(part.kind); ++j) {
      w.S[part.v + j] = part_screw<Real>(part, j);
      w.Sdot[part.v + j] = {};
    }
  }
}

template <class P, class Real>
void move_custom_joint(const Model<P>& m, const State<Real>& x, int i, Workspace<Real>& w) {
  const Part<P>& before = m.part[m.part_at[i]];  // a placement without motion
  const int first = m.v_at[i];
  move_custom(*m.custom[i], x.q + m.q_at[i], x.v + first, [&](const CustomMotion<Real>& motion) {
    w.T[i] = before.placement * motion.T();
    for (int k = 0; k < motion.dof; ++k) {
      w.S[first + k] = motion.S(k);
      w.Sdot[first + k] = motion.Sdot(k);
    }
  });
}

}  // namespace detail::inline JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Eight lanes for the angles of one state; void for kinds that gain nothing by it.
template <class Real>
struct AngleLanes {
  using type = void;
};
template <>
struct AngleLanes<double> {
  using type = Pack<double, 8>;
};
template <Isa I>
struct AngleLanes<Pack<double, 1, I>> {
  using type = Pack<double, 8, I>;
};

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Sines and cosines of all joint angles, eight at a time where one state has them side by side.
template <class P, class Real>
void move_angles(const Model<P>& m, const State<Real>& x, Workspace<Real>& w) {
  using Lanes = typename detail::AngleLanes<Real>::type;
  if constexpr (std::is_void_v<Lanes>) {
    for (int k = 0; k < m.angles; ++k) {
      const SinCos<Real> y = sincos(x.q[m.angle_q[k]]);
      w.sin[k] = y.sin;
      w.cos[k] = y.cos;
    }
  } else {
    for (int k = 0; k < m.angles; k += Lanes::lanes) {
      const int last = m.angles - 1 - k;  // lanes beyond the last angle repeat it
      const auto* q = reinterpret_cast<const double*>(x.q);
      const auto y = sincos(
          Lanes::generate([&](int lane) { return q[m.angle_q[k + (lane < last ? lane : last)]]; }));
      y.sin.store(reinterpret_cast<double*>(w.sin + k));
      y.cos.store(reinterpret_cast<double*>(w.cos + k));
    }
  }
}

/// T_i(q), and for a joint whose S depends on q also S, Sdot and Sdot v.  [Kim] (37), (38)
template <class P, class Real>
constexpr void move_joint(const Model<P>& m, const State<Real>& x, int i, Workspace<Real>& w) {
  if (m.constant_screws(i)) {
    const Part<P>& part = m.part[m.part_at[i]];
    if (is_revolute(m, i)) detail::turn(part, w, w.T[i]);
    else part_pose(part, x.q + part.q, w, w.T[i]);
    return;
  }
  if (is_custom(m, i)) detail::move_custom_joint(m, x, i, w);
  else detail::move_parts(m, x, i, w);
  w.Sdot_v[i] = {};
  for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) w.Sdot_v[i] += w.Sdot[k] * x.v[k];
}

/// S_i v_i.
template <class P, class Real>
constexpr Twist<Real> joint_twist(const Model<P>& m, const Workspace<Real>& w, int i,
                                  const Real* v) {
  if (m.constant_screws(i)) return part_twist(m.part[m.part_at[i]], v + m.v_at[i]);
  Twist<Real> V{};
  for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) V += w.S[k] * v[k];
  return V;
}

/// What never changes, written once when a workspace is made: constant screws, and the pose of
/// every joint at zero, of which revolute joints later rewrite what turns.
template <class P, class Real>
constexpr void write_constants(const Model<P>& m, Workspace<Real>& w) {
  w.T[0] = w.pose[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    const Part<P>& part = m.part[m.part_at[i]];
    w.T[i] = {detail::constant<P, Real>(part.placement.R), detail::as<Real>(part.placement.p)};
    w.Sdot_v[i] = {};
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      w.Sdot[k] = {};
      if (m.constant_screws(i)) w.S[k] = part_screw<Real>(part, k - m.v_at[i]);
    }
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
