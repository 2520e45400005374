// SPDX-License-Identifier: BSD-3-Clause
// The partial derivatives of momentum and its rate, of the centre of mass and of energy, in O(n),
// for any kind of vector.
//
// Coordinate k turns all that it carries by S_k (rnea_derivatives.hpp). With G, the momentum P, its
// rate F and B x = Gdot x - ad*_x P summed over what k carries, in ground axes about a fixed point
//   dP = G u_k - ad*_{S_k} P             dF = G w_k + B u_k - ad*_{S_k} F       along q_k
//   dP = G S_k                           dF = G y_k + B S_k                     along v_k
//                                        dF = G S_k                             along a_k
// The com at c moves by dc = (G S_k).f / m along q_k: about it momentum is (P.m - c x P.f, P.f),
// and its rate (F.m - c x F.f, F.f), because P.f = m cdot. The linear parts over m are the velocity
// and the acceleration of the com. Energy: a turn of the whole subtree changes none of it, so
//   d kinetic = P . u_k along q_k, P . S_k along v_k;   d potential = -g . (G S_k).f along q_k
// The point is the first body's origin or, where there are several anchors (origins.hpp), the
// model's centre.
#pragma once

#include <jounce/algorithm/centroidal_matrix.hpp>
#include <jounce/algorithm/coriolis_matrix.hpp>
#include <jounce/algorithm/path_derivatives.hpp>

namespace jounce {

/// Where the derivatives go: 6 x nv, column by column, angular first.
template <class Real>
struct MomentumPartials {
  Real *momentum_dq = nullptr, *rate_dq = nullptr, *rate_dv = nullptr;
  Real* dv = nullptr;  ///< of momentum along v, of its rate along a, of m c (linear part) along q
};

/// Where the gradients go, nv numbers each; without rotors.
template <class Real>
struct EnergyGradients {
  Real *kinetic_dq = nullptr, *kinetic_dv = nullptr, *potential_dq = nullptr;
};

namespace detail::inline JOUNCE_ISA {

/// S, u, w and y of a coordinate (rnea_derivatives.hpp).
template <class Screw>
struct CoordinateChange {
  Screw S, u, w, y;
};
/// What the moving screws of a custom joint add to u, w and y, each alone: it is asked out of line.
template <class Kind>
struct CustomChanges {
  using Screw = typename Kind::Screw;
  static constexpr int most = 6;
  CoordinateChange<Screw> of[most];

  [[gnu::noinline]] void load(const Recursion<Kind>& r, int i, const Screw& V_before,
                              const Screw& V) {
    const auto& U = r.room.pose[i];
    const int first = r.m.v_at[i];
    differentiate_custom(
        *r.m.custom[i], r.x.q + r.m.q_at[i], r.x.v + first,
        [&](const CustomPartials<typename Kind::Real>& partial) {
          for (int k = 0; k < partial.dof; ++k) {
            Twist<typename Kind::Real> dSv{}, dA{};
            for (int l = 0; l < partial.dof; ++l) {
              dSv += partial.S(l, k) * r.x.v[first + l];
              dA += partial.Sdot(l, k) * r.x.v[first + l] + partial.S(l, k) * r.x.a[first + l];
            }
            const Screw D = Ad(U, dSv);
            of[k] = {{}, D, ad(V_before + V, D) + Ad(U, dA), Ad(U, r.w.Sdot[first + k]) + D};
          }
        });
  }
};

/// The motion of body i, which sweep_pushed left.
template <class Kind>
constexpr ScrewMotion<typename Kind::Screw> motion_of(const Recursion<Kind>& r, int i) {
  return {r.room.moving[i].twist, r.room.branch[i].acceleration};
}
/// f(k, change) of the coordinates of joint i.
template <class Kind, class F>
constexpr void for_each_change(const Recursion<Kind>& r, int i, F f) {
  using Screw = typename Kind::Screw;
  const ScrewMotion<Screw> before = motion_of(r, r.m.parent[i]);
  const bool custom = is_custom(r.m, i);
  CustomChanges<Kind> more;
  if (custom) more.load(r, i, before.V, r.room.moving[i].twist);
  pass_joint(r, i, before,
             [&](int k, const Screw& S, const Screw& u, const ScrewMotion<Screw>& at,
                 const Screw& V_after) {
               CoordinateChange<Screw> x{S, u, ad(at.A, S) + ad(at.V, u), u + u};
               if (r.body[i].angle < 0) x.y = ad(at.V + V_after, S);
               if (custom) {
                 const CoordinateChange<Screw>& add = more.of[k - r.m.v_at[i]];
                 x = {S, u + add.u, x.w + add.w, x.y + add.y};
               }
               f(k, x);
             });
}

/// Sums over what a body carries: its inertia and momentum and, where `forces`, the inertia's rate
/// and the forces that the motion takes.
template <class Kind, bool forces>
struct PushedSubtree : MovingSubtree<Kind> {
  typename Kind::Force force{};

  constexpr PushedSubtree() = default;
  /// Of body i alone, which moves as `at`.
  [[gnu::always_inline]] constexpr PushedSubtree(const Recursion<Kind>& r, int i,
                                                 const ScrewMotion<typename Kind::Screw>& at) {
    this->G = push_forward(r.room.pose[i], r.body[i].inertia());
    this->momentum = this->G * at.V;
    if constexpr (!forces) return;
    this->rate = inertia_rate(this->G, at.V);
    force = this->G * at.A - dual_ad(at.V, this->momentum);
  }
  /// What stands in the room.
  [[gnu::always_inline]] constexpr PushedSubtree(const Recursion<Kind>& r, int i) {
    this->G = r.room.branch[i].composite, this->momentum = r.room.moving[i].momentum;
    if constexpr (forces) this->rate = r.room.moving[i].composite_rate, force = r.room.force[i];
  }
  [[gnu::always_inline]] constexpr void write(const Recursion<Kind>& r, int i) const {
    r.room.branch[i].composite = this->G, r.room.moving[i].momentum = this->momentum;
    if constexpr (forces) r.room.moving[i].composite_rate = this->rate, r.room.force[i] = force;
  }
  [[gnu::always_inline]] constexpr void add(const PushedSubtree& other) {
    this->G = this->G + other.G, this->momentum = this->momentum + other.momentum;
    if constexpr (forces) this->rate = this->rate + other.rate, force = force + other.force;
  }
};
/// The same of the whole robot, as far as the motion of the com needs it.
template <class Kind>
struct WholeRobot {
  typename Kind::P mass{0};
  typename Kind::Vector h{}, momentum{}, force{};

  [[gnu::always_inline]] constexpr void add(const typename Kind::P& m,
                                            const PushedSubtree<Kind, true>& body) {
    mass = mass + m, h = h + body.G.h;
    momentum = momentum + body.momentum.f, force = force + body.force.f;
  }
};

/// Poses and screws, and the ground's motion at their origin.
template <class Kind>
constexpr ScrewMotion<typename Kind::Screw> place_screws(const Recursion<Kind>& r) {
  if (r.m.anchors > 1) {
    read_screws(r);
  } else {
    move_angles(r.m, r.x, r.w);
    sweep_screws<Origins::centre, ScrewAxes::ground>(r);
  }
  const auto& origin = r.m.anchors > 1 ? r.w.pose[r.m.centre].p : r.w.T[r.m.bodies > 1 ? 1 : 0].p;
  const auto at_origin = [&](const auto& X) {
    return typename Kind::Screw{Kind::vector(X.w), Kind::vector(moved_to(origin, X).v)};
  };
  return {at_origin(r.w.V[0]), at_origin(r.w.Vdot[0])};
}
/// Outwards: motions of all bodies, and what each adds to the sums, in the room; also(i, sums of
/// body i alone).
template <bool forces, class Kind, class Also>
constexpr void sweep_pushed(const Recursion<Kind>& r, Also also) {
  ScrewMotion<typename Kind::Screw> at = place_screws(r);
  const auto keep = [&](int i) {
    r.room.moving[i].twist = at.V;
    if constexpr (forces) r.room.branch[i].acceleration = at.A;
  };
  keep(0);
  for (int i = 1; i < r.m.bodies; ++i) {
    if (r.m.parent[i] != i - 1) at = motion_of(r, r.m.parent[i]);
    at = pass_joint(r, i, at, [](const auto&...) {});
    if (is_custom(r.m, i)) at.A = at.A + Ad(r.room.pose[i], r.w.Sdot_v[i]);
    keep(i);
    const PushedSubtree<Kind, forces> body(r, i, at);
    body.write(r, i);
    also(i, body);
  }
}
/// Inwards: f(i, sums over what body i carries), after sweep_pushed.
template <bool forces, class Kind, class F>
constexpr void for_each_pushed(const Recursion<Kind>& r, F f) {
  using Sums = PushedSubtree<Kind, forces>;
  Sums sum;
  for (int i = r.m.bodies - 1; i > 0; --i) {
    const int p = r.m.parent[i];
    sum.add(Sums(r, i));
    if (r.m.branching[i]) Sums().write(r, i);  // zero between calls
    f(i, sum);
    if (p == i - 1 && p > 0) continue;
    if (p > 0) {
      Sums to(r, p);
      to.add(sum);
      to.write(r, p);
    }
    sum = {};
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Derivatives of momentum and its rate about the com, from the state itself; of a model with
/// several anchors after forward_poses. V[0] and Vdot[0] of the workspace are the ground's, without
/// gravity; no wrench acts from outside.
template <class Kind>
[[gnu::flatten]] constexpr void momentum_derivatives(
    const Recursion<Kind>& r, const MomentumPartials<typename Kind::Real>& out) noexcept {
  using Force = typename Kind::Force;
  detail::WholeRobot<Kind> all;
  detail::sweep_pushed<true>(r, [&](int i, const auto& body) { all.add(r.m.G[i].mass, body); });
  const typename Kind::P scale = typename Kind::P(1) / all.mass;
  const typename Kind::Vector c = all.h * scale;
  const auto write = [&](const Force& F, typename Kind::Real* column) {
    Kind::write({F.m - cross(c, F.f), F.f}, column);
  };
  detail::for_each_pushed<true>(r, [&](int i, const auto& sum) {
    detail::for_each_change(r, i, [&](int k, const auto& x) {
      const Force GS = sum.G * x.S, P_turned = dual_ad(x.S, sum.momentum);
      const typename Kind::Vector dc = GS.f * scale;
      Force P_dq = sum.G * x.u - P_turned;
      Force F_dq =
          sum.G * x.w + sum.rate * x.u - dual_ad(x.u, sum.momentum) - dual_ad(x.S, sum.force);
      P_dq.m = P_dq.m - cross(dc, all.momentum);
      F_dq.m = F_dq.m - cross(dc, all.force);
      write(P_dq, out.momentum_dq + 6 * k);
      write(F_dq, out.rate_dq + 6 * k);
      write(sum.G * x.y + sum.rate * x.S - P_turned, out.rate_dv + 6 * k);
      write(GS, out.dv + 6 * k);
    });
  });
}

/// Gradients of kinetic and potential energy, under the same conditions.
template <class Kind>
[[gnu::flatten]] constexpr void energy_gradients(
    const Recursion<Kind>& r, const EnergyGradients<typename Kind::Real>& out) noexcept {
  const auto gravity = Kind::constant(r.m.gravity);
  detail::sweep_pushed<false>(r, [](const auto&...) {});
  detail::for_each_pushed<false>(r, [&](int i, const auto& sum) {
    detail::for_each_change(r, i, [&](int k, const auto& x) {
      out.kinetic_dq[k] = dot(sum.momentum, x.u);
      out.kinetic_dv[k] = dot(sum.momentum, x.S);
      out.potential_dq[k] = -dot((sum.G * x.S).f, gravity);
    });
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
