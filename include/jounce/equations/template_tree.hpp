// SPDX-License-Identifier: BSD-3-Clause
// Who runs the recursions for the robot's equations: here the templates, on any kind of number.
//
// The kernels of this processor are the other one, for double (src/kernels/kernel_tree.hpp). Both
// answer the same calls; some leave only part of what the template leaves in the workspace.
#pragma once

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/centroidal_matrix.hpp>
#include <jounce/algorithm/coriolis.hpp>
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/forward_dynamics.hpp>
#include <jounce/algorithm/forward_motion.hpp>
#include <jounce/algorithm/inverse_dynamics.hpp>
#include <jounce/algorithm/jacobian.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/mass_matrix.hpp>
#include <jounce/algorithm/rnea_derivatives.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/model/system_storage.hpp>

namespace jounce {

template <class P, class Real>
class TemplateTree {
 public:
  /// Whether inverse, forward and hybrid take wrenches from outside as they were given.
  static constexpr bool takes_outside = is_plain_or_pack<Real>;

  explicit TemplateTree(const Robot& robot)
      : constants_(robot.system()), composite_(static_cast<size_t>(robot.bodies())) {}

  const System<P>& system() const { return constants_.view(); }
  Inertia<P>& inertia(int body) { return constants_.inertia(body); }

  void poses(const State<Real>& x, Workspace<Real>& w) { forward_poses(m(), x, w); }
  /// Twists of all bodies, after poses.
  void twists(const State<Real>& x, Workspace<Real>& w) {
    if constexpr (fast) forward_motion<false>(recursion(x, w));
    else forward_twists(m(), x, w);
  }
  /// Twists and accelerations.
  void motions(const State<Real>& x, Workspace<Real>& w) {
    if constexpr (fast) return forward_motion<true>(recursion(x, w));
    forward_twists(m(), x, w);
    forward_accelerations(m(), x, w);
  }
  void jacobian(const Workspace<Real>& w, const FrameSeat<P>& seat, Representation in, Real* J) {
    jounce::jacobian(m(), w, seat.body, seat.offset, in, J);
  }
  void jacobian_rate(const Workspace<Real>& w, const FrameSeat<P>& seat, Representation in,
                     Real* J) {
    jounce::jacobian_rate(m(), w, seat.body, seat.offset, in, J);
  }
  void path_jacobian(const State<Real>& x, Workspace<Real>& w, const FrameSeat<P>& seat,
                     Representation in, Real* J) {
    poses(x, w);
    jacobian(w, seat, in, J);
  }
  /// w.tau.
  void inverse(const State<Real>& x, Workspace<Real>& w) {
    if constexpr (fast) inverse_dynamics(recursion(x, w));
    else rnea(m(), x, w);
  }
  /// The same, and w.F of all bodies.
  void inverse_with_wrenches(const State<Real>& x, Workspace<Real>& w) {
    if constexpr (fast) inverse_dynamics<true>(recursion(x, w));
    else rnea(m(), x, w);
  }
  /// w.a and the factors w.D.
  void forward(const State<Real>& x, Workspace<Real>& w) {
    if constexpr (fast) forward_dynamics(recursion(x, w));
    else aba(m(), x, w);
  }
  void hybrid(const State<Real>& x, const bool* prescribed, Workspace<Real>& w) {
    if constexpr (fast) hybrid_dynamics(recursion(x, w), prescribed);
    else jounce::hybrid(m(), x, prescribed, w);
  }
  /// The tree's mass matrix; M is zero where it is for every q.
  void mass(const State<Real>& x, Workspace<Real>& w, Real* M) {
    if constexpr (fast) {
      mass_matrix(recursion(x, w), M);
    } else {
      poses(x, w);
      crba(m(), w, composite_.data(), M);
    }
  }
  /// f(k, M_kk) and M from what `forward`, `hybrid` or `factor` left.
  template <class F>
  void for_each_mass_diagonal(Workspace<Real>& w, F f) {
    if constexpr (fast) turn_revolute_joints(m(), w);
    jounce::for_each_mass_diagonal(m(), w, composite_.data(), f);
  }
  void mass_again(const Workspace<Real>& w, Real* M) { crba(m(), w, composite_.data(), M); }
  void factor(const State<Real>& x, Workspace<Real>& w) { factor_articulated(m(), x, w); }
  void solve(const Real* tau, Workspace<Real>& w, Real* a) { articulated_solve(m(), tau, w, a); }
  /// M^-1 after `factor`, in columns of `stride` numbers.
  void inverse_of_mass(Workspace<Real>& w, int stride, Real* inverse) {
    for (int k = 0; k < m().nv; ++k) {
      Real* column = inverse + stride * k;
      for (int j = 0; j < m().nv; ++j) column[j] = Real(j == k ? 1 : 0);
      solve(column, w, column);
    }
  }
  void ltdl_factor(const MassPattern& pattern, Real* M) { jounce::ltdl_factor(pattern, M); }
  void ltdl_solve(const MassPattern& pattern, const Real* LD, Real* x) {
    jounce::ltdl_solve(pattern, LD, x);
  }
  void ltdl_inverse(const MassPattern& pattern, const Real* LD, Real* inverse) {
    jounce::ltdl_inverse(pattern, LD, inverse);
  }
  /// The matrix of centroidal momentum alone, where that has a fast form; else false.
  bool centroidal_matrix(const State<Real>& x, Workspace<Real>& w, Real* A) {
    if constexpr (fast) {
      if (m().anchors > 1) poses(x, w);
      jounce::centroidal_matrix(recursion(x, w), A);
    }
    return fast;
  }
  void coriolis(const State<Real>& x, Workspace<Real>& w, Factorization f, SubtreeRoom<Real>& room,
                Real* C, Real* Mdot) {
    poses(x, w);
    jounce::coriolis(m(), x, w, f, room, C, Mdot);
  }

 private:
  /// Where a number is a few registers; the fast forms of others would take long to compile.
  static constexpr bool fast = takes_outside;
  using Kind = ThreeNumbers<Real, P>;
  const Model<P>& m() const { return system().tree; }
  Recursion<Kind> recursion(const State<Real>& x, Workspace<Real>& w) {
    return {m(), {m()}, x, w, room_.view(), system().frame};
  }

  SystemStorage<P> constants_;
  RoomStorage<Kind> room_ = fast ? RoomStorage<Kind>(m()) : RoomStorage<Kind>();
  std::vector<Inertia<Real>> composite_;  ///< [bodies]
};

/// The one that a kind of number uses.
class KernelTree;
template <class Real, class P>
struct TreeFor {
  using type = TemplateTree<P, Real>;
};
template <>
struct TreeFor<double, double> {
  using type = KernelTree;
};

}  // namespace jounce
