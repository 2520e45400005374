// SPDX-License-Identifier: BSD-3-Clause
// Newton-Euler dynamics of a Gough-Stewart platform whose legs have mass.
//
// Twists and wrenches in body frames as in [Kim] Table 2. Leg i is a cylinder, held at a_i by a
// universal joint, and a piston that slides in it along z and ends at b_i in a spherical joint.
// Both have the axes R_i = M_i Rx(q_1) Ry(q_2); the cylinder's origin is a_i, the piston's is b_i.
// With x, c the velocity and acceleration of b_i in leg axes, w and e = dw/dt of the leg
//   w x (L z) + L' z = x                                     gives  w_x, w_y, L'
//   e x (L z) + w x (w x L z) + 2 w x L' z + L'' z = c        gives  e_x, e_y, L''
// and the universal joint ties the turn about z:  w_z = tan(q_2) w_x.
// The leg turns freely about the joint's axes (cos q_2, 0, sin q_2) and (0, 1, 0), so the moment of
// its inertia about a_i along them is that of the force at b_i: two components of that force; the
// third is the piston's inertia less the actuator's force. What the legs need comes off the
// platform: W = G Vdot - ad*_V G V - F_ext + sum_i (legs) = J^T f.
#pragma once

#include <jounce/group/matrices.hpp>

namespace jounce {

/// Geometry and masses of a platform; every inertia about its body's own origin.
template <class P>
struct StewartBodies {
  Vec3<P> a[6], b[6];
  SO3<P> mount[6];  ///< M_i: pose of the universal joint in the base
  Inertia<P> platform, cylinder[6], piston[6];
  Vec3<P> gravity;
};

/// The motion of one leg.
template <class Real>
struct LegMotion {
  SO3<Real> R;         ///< of the leg in the base
  Real L, tan_second;  ///< length, tan q_2
  Vec3<Real> w, x;     ///< angular velocity, velocity of b_i, in leg axes
  Vec3<Real> e, xdot;  ///< their derivatives in leg axes
};

inline namespace JOUNCE_ISA {

/// R_i from the leg's direction in the mount: d = (sin q_2, -sin q_1 cos q_2, cos q_1 cos q_2).
template <class P, class Real>
SO3<Real> leg_rotation(const SO3<P>& mount, const Vec3<Real>& direction, Real& tan_second) {
  const Vec3<Real> d = inverse_times(mount, direction);
  const Real c2 = sqrt(d.y * d.y + d.z * d.z), c1 = d.z / c2, s1 = -d.y / c2, o(0);
  tan_second = d.x / c2;
  return mount * SO3<Real>{{{{c2, o, d.x}, {s1 * d.x, c1, d.y}, {-c1 * d.x, s1, d.z}}}};
}

/// How leg i moves when the platform does.
template <class P, class Real>
LegMotion<Real> leg_motion(const StewartBodies<P>& s, int i, const SE3<Real>& T,
                           const Twist<Real>& V, const Twist<Real>& Vdot) {
  const Vec3<Real> leg = T * s.b[i] - s.a[i];
  const Vec3<Real> y = V.v + cross(V.w, s.b[i]);  // of b_i, in platform axes
  const Vec3<Real> ydot = Vdot.v + cross(Vdot.w, s.b[i]) + cross(V.w, y);
  const Plain<Real> two(2), one(1);
  LegMotion<Real> m;
  m.L = norm(leg);
  m.R = leg_rotation(s.mount[i], leg * (Real(1) / m.L), m.tan_second);
  m.x = inverse_times(m.R, T.R * y);
  const Vec3<Real> c = inverse_times(m.R, T.R * ydot);
  const Real t = m.tan_second, wx = -m.x.y / m.L, wy = m.x.x / m.L, wz = t * wx;
  const Real ex = (m.L * wy * wz - two * wx * m.x.z - c.y) / m.L;
  const Real ey = (c.x - m.L * wx * wz - two * wy * m.x.z) / m.L;
  m.w = {wx, wy, wz};
  m.e = {ex, ey, t * ex + wx * wy * (one + t * t)};  // d tan q_2 / dt = q_2' / cos^2, q_2' = w_y
  m.xdot = c - cross(m.w, m.x);
  return m;
}

/// The force at b_i, in leg axes, that leg i needs to follow without its actuator.
template <class P, class Real>
Vec3<Real> leg_load(const StewartBodies<P>& s, int i, const LegMotion<Real>& m) {
  const Vec3<Real> up = -inverse_times(m.R, s.gravity), o{Real(0), Real(0), Real(0)};
  const Wrench<Real> C = net_wrench(s.cylinder[i], Twist<Real>{m.w, o}, Twist<Real>{m.e, up});
  const Wrench<Real> K =
      net_wrench(s.piston[i], Twist<Real>{m.w, m.x}, Twist<Real>{m.e, m.xdot + up});
  const Vec3<Real> n = C.m + K.m + cross(Vec3<Real>{Real(0), Real(0), m.L}, K.f);
  return {n.y / m.L, -(n.x + m.tan_second * n.z) / m.L, K.f.z};
}

/// W with J^T f = W: what the actuators must do to the platform, in its frame.
template <class P, class Real>
Wrench<Real> stewart_wrench(const StewartBodies<P>& s, const SE3<Real>& T, const Twist<Real>& V,
                            const Twist<Real>& Vdot, const Wrench<Real>& F_ext) noexcept {
  const Twist<Real> lifted{Vdot.w, Vdot.v - inverse_times(T.R, s.gravity)};
  Wrench<Real> W = net_wrench(s.platform, V, lifted) - F_ext;
  for (int i = 0; i < 6; ++i) {
    const LegMotion<Real> m = leg_motion(s, i, T, V, Vdot);
    const Vec3<Real> f = inverse_times(T.R, m.R * leg_load(s, i, m));
    W += Wrench<Real>{cross(s.b[i], f), f};
  }
  return W;
}

/// M with J^T f = M Vdot at rest and without gravity. The load of a leg is linear in the
/// acceleration of b_i: three loads of a unit acceleration make the leg's 3x3 inertia at b_i.
template <class P, class Real>
Mat6<Real> stewart_mass(const StewartBodies<P>& s, const SE3<Real>& T) noexcept {
  const Vec3<Real> o{Real(0), Real(0), Real(0)};
  const Mat6<P> G = to_matrix(s.platform);
  Mat6<Real> M;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) M(i, j) = Real(G(i, j));
  StewartBodies<P> weightless = s;
  weightless.gravity = {};
  for (int i = 0; i < 6; ++i) {
    LegMotion<Real> m = leg_motion(s, i, T, Twist<Real>{o, o}, Twist<Real>{o, o});
    const Mat3<Real> R = (inverse(m.R) * T.R).m;  // platform to leg axes
    Mat3<Real> A;                                 // by columns: rows of A are loads
    for (int k = 0; k < 3; ++k) {
      const Vec3<Real> c{Real(k == 0 ? 1 : 0), Real(k == 1 ? 1 : 0), Real(k == 2 ? 1 : 0)};
      m.xdot = c;
      m.e = {-c.y / m.L, c.x / m.L, -m.tan_second * c.y / m.L};
      A.row[k] = leg_load(weightless, i, m);
    }
    const Mat3<Real> K = transpose(R) * (transpose(A) * R), b = hat(s.b[i]), Kb = K * b;
    const auto add = [&M](int row, int column, const Mat3<Real>& block) {
      for (int k = 0; k < 3; ++k) {
        M(row + k, column) += block.row[k].x;
        M(row + k, column + 1) += block.row[k].y;
        M(row + k, column + 2) += block.row[k].z;
      }
    };
    add(0, 0, b * Kb * Real(-1)), add(0, 3, b * K), add(3, 0, Kb * Real(-1)), add(3, 3, K);
  }
  return M;
}

/// Kinetic energy of the platform and the legs.
template <class P, class Real>
Real stewart_kinetic(const StewartBodies<P>& s, const SE3<Real>& T, const Twist<Real>& V) noexcept {
  const Vec3<Real> o{Real(0), Real(0), Real(0)};
  Real sum = kinetic_energy(s.platform, V);
  for (int i = 0; i < 6; ++i) {
    const LegMotion<Real> m = leg_motion(s, i, T, V, Twist<Real>{o, o});
    sum += kinetic_energy(s.cylinder[i], Twist<Real>{m.w, o}) +
           kinetic_energy(s.piston[i], Twist<Real>{m.w, m.x});
  }
  return sum;
}

/// - sum of m g.c over all bodies.
template <class P, class Real>
Real stewart_potential(const StewartBodies<P>& s, const SE3<Real>& T) noexcept {
  const Vec3<Real> o{Real(0), Real(0), Real(0)};
  Vec3<Real> moment = T.R * s.platform.h + T.p * s.platform.mass;
  for (int i = 0; i < 6; ++i) {
    const LegMotion<Real> m = leg_motion(s, i, T, Twist<Real>{o, o}, Twist<Real>{o, o});
    moment += m.R * (s.cylinder[i].h + s.piston[i].h) + s.a[i] * s.cylinder[i].mass +
              (T * s.b[i]) * s.piston[i].mass;
  }
  return -dot(moment, s.gravity);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
