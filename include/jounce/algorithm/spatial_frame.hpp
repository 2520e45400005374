// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in one inertial frame, as [Ali] writes it: spatial (right-invariant)
// twists.
//
// Algorithm 1 with its position level, Algorithm 2, Algorithms 3 and 4, appendix E (57)-(70):
//   S_j' = ad_{V_j} S_j       V_j = V_p + S_j v_j                                     Algorithm 1
//   M_j' = -(M_j ad_{V_j} + ad*_{V_j} M_j)                                                   (61)
//   W_j = (M_j V_j)' - W_app - M_j gamma + sum of the children's,   tau_j = S_j . W_j  Algorithm 2
// Nothing is carried from body to body, which is its charm; but components refer to the inertial
// origin, and far from it they cancel. Written as well as the body form: an inertia is ten numbers,
// (61) is h' = w x h + m v and I' = [w] I + ([w] I)^T - [v][h] - [h][v], and linear momentum is h'.
#pragma once

#include <jounce/algorithm/world_series.hpp>

namespace jounce {

inline namespace JOUNCE_ISA {

/// One frame, the ground's, for all bodies: the words of BodyFrames.
struct SpatialFrame {
  template <class Real>
  using Room = WorldWorkspace<Real, SpatialFrame>;

  template <class Real, class P>
  static constexpr Twist<Real> ground(const Model<P>&, int) {
    return {};
  }
  template <class Real>
  static constexpr Twist<Real> screw(const SE3<Real>& C, const Twist<Real>& S) {
    return Ad(C, S);
  }
  template <class Real, class P>
  static constexpr Inertia<Real> placed(const SE3<Real>& C, const Inertia<P>& G) {
    return push_forward(C, G);  // (60)
  }
  template <class P, class Real>
  static constexpr Vec3<Real> position(const Model<P>&, int i, int k, Room<Real>& w) {
    Vec3<Real> p = w.V[i][k - 1].v;
    for (int l = 0; l < k; ++l) p += cross(w.V[i][l].w, w.pose[i][k - 1 - l].p);
    return p * fraction<Real>(1, k);
  }

  template <class P, class Real>
  static constexpr void extend(const Model<P>& m, const Real*, int i, int k, Room<Real>& w) {
    const Twist<Real>* V = w.V[i];
    detail::extend_world_screws(m, i, k, w, [](const Twist<Real>& U, const auto&... behind_and_S) {
      return spatial_rate(U, behind_and_S...);
    });
    detail::extend_turning(V, V[k - 1].v * m.G[i].mass, k, w.h[i], w.turned_h[i]);
    Sym3<Real> rate{};
    for (int l = 0; l < k; ++l)
      rate = rate + detail::turning(V[l].w, w.I[i][k - 1 - l]) -
             detail::hat_products(V[l].v, w.h[i][k - 1 - l]);
    w.I[i][k] = rate * fraction<Real>(1, k);  // (61)
  }
  template <class P, class Real>
  static constexpr Twist<Real> lagged_twist(const Model<P>& m, int i, int k, Room<Real>& w) {
    Twist<Real> sum{};  // (66)
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j)
      for (int l = 1; l <= k; ++l) sum += w.S[j][l] * w.v[k - l][j];
    return sum;
  }
  template <class P, class Real>
  static constexpr Twist<Real> carried(const Model<P>& m, int i, int k, Room<Real>& w) {
    return w.V[m.parent[i]][k];
  }
  template <class P, class Real>
  static constexpr const Inertia<Real>& inertia(const Model<P>&, const Room<Real>& w, int i) {
    return w.G[i];
  }
  template <class P, class Real>
  static constexpr Wrench<Real> bias(const Model<P>& m, int i, int k, Room<Real>& w) {
    const Plain<Real> up = fraction<Real>(k + 1, 1);
    Vec3<Real> L{};  // (62), (65)
    for (int l = 1; l <= k + 1; ++l)
      L += w.I[i][l] * w.V[i][k + 1 - l].w + cross(w.h[i][l], w.V[i][k + 1 - l].v);
    const Vec3<Real> g = detail::as<Real>(m.gravity);
    Wrench<Real> W{L * up - cross(w.h[i][k], g), w.turned_h[i][k + 1] * up};  // (64)
    if (k == 0) W.f -= g * m.G[i].mass;
    return W - w.F_ext[i][k];
  }
  template <class P, class Real>
  static constexpr Real lagged_force(const Model<P>&, const Room<Real>& w, int i, int j, int k) {
    Real sum(0);  // (23)
    for (int l = 1; l <= k; ++l) sum = sum + dot(w.F[i][k - l], w.S[j][l]);
    return sum;
  }
  template <class Real>
  static constexpr Wrench<Real> lagged_wrench(int, int, Room<Real>&) {
    return {};
  }
  template <class Real, class X>
  static constexpr const X& returned(int, const Room<Real>&, const X& x) {
    return x;
  }
  template <class Real>
  static constexpr Wrench<Real> finish_wrench(int i, int k, Room<Real>& w) {
    return w.F[i][k];
  }

 private:
  template <class Real>
  static constexpr Twist<Real> spatial_rate(const Twist<Real>& V, const Twist<Real>& S) {
    return ad(V, S);
  }
  template <class Real>
  static constexpr Twist<Real> spatial_rate(const Twist<Real>& V, const Twist<Real>& behind,
                                            const Twist<Real>& S) {
    return ad(V - behind, S);
  }
};

/// Coefficient 0 by the product of exponentials: F_j = F_p exp(Y_j q_j), C_j = F_j A_j,
/// S_j = Ad_{F_j} Y_j, from screws Y and poses A at home. Joints that are not one screw have their
/// group element, as appendix D says.
template <class P, class Real>
constexpr void start_by_exponentials(const Model<P>& m, const Twist<P>* Y, const SE3<P>* A,
                                     const Real* q,
                                     WorldWorkspace<Real, SpatialFrame>& w) noexcept {
  Workspace<Real>& joints = *w.joints;
  const State<Real> x{q, w.v[0]};
  move_angles(m, x, joints);
  joints.pose[0] = {};
  for (int i = 1; i < m.bodies; ++i) {
    const int p = m.parent[i], first = m.v_at[i];
    move_joint(m, x, i, joints);
    const SE3<Real> F_p = joints.pose[p] * inverse(A[p]);
    const bool screw = is_revolute(m, i) || is_prismatic(m, i) || m.kind[i] == JointKind::helical;
    const SE3<Real> F =
        screw ? F_p * exp(Y[first] * q[m.q_at[i]]) : joints.pose[p] * joints.T[i] * inverse(A[i]);
    joints.pose[i] = F * A[i];
    for (int j = first; j < m.v_at[i + 1]; ++j)
      w.S[j][0] = m.constant_screws(i) ? Ad(F, Y[j]) : Ad(joints.pose[i], joints.S[j]);
  }
  start_world_bodies(m, w);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
