// SPDX-License-Identifier: BSD-3-Clause
// Memory and steps of DynamicsOf for the partial derivatives of inverse dynamics.
#pragma once

#include <jounce/algorithm/rnea_derivatives.hpp>
#include <jounce/dynamics_of_memory.hpp>

namespace jounce::detail::inline JOUNCE_ISA {

template <class Real, class P>
struct DerivativeMemory {
  using Memory = DynamicsMemory<Real, P>;
  using Vector = std::span<const Real>;

  explicit DerivativeMemory(const Memory& d)
      : screws(10 * size(d.model().nv)),
        motions(2 * size(d.model().bodies)),
        inertias(motions.size()),
        wrenches(motions.size()),
        fall(size(d.model().bodies)),
        outside(size(d.model().bodies)),
        dq(d.tree_square),
        dv(dq),
        da(dq),
        folded_dq(d.square),
        folded_dv(folded_dq),
        folded_da(folded_dq) {}

  static size_t size(int n) { return static_cast<size_t>(n); }
  DerivativeRoom<Real> room(const Model<P>& m) {
    Twist<Real>* S = screws.data();
    return derivative_room(m.nv, m.bodies, S, S + 4 * m.nv, motions.data(), inertias.data(),
                           wrenches.data(), fall.data());
  }

  /// d tau/d(q, v, a) of the robot's coordinates, into the folded matrices or, without mimic
  /// joints, into the tree's.
  void run(Memory& d, Vector q, Vector v, Vector a, const BasicSurroundings<Real>& around) {
    const State<Real> x = d.load(q, v, a, around);
    forward_poses(d.model(), x, d.work.view());
    DerivativeRoom<Real> r = room(d.model());
    if (any_in_ground_axes(around.wrenches)) {
      std::fill(outside.begin(), outside.end(), WorldWrench<Real>{});
      add_turning(d.system(), around.wrenches, d.work.view(), outside.data());
      r.outside = outside.data();
    }
    rnea_derivatives(d.model(), x, d.work.view(), r,
                     InverseDerivatives<Real>{dq.data(), dv.data(), da.data()});
    const bool folds = d.robot.has_mimic();
    d.fold_square(dq, folded_dq), d.fold_square(dv, folded_dv), d.fold_square(da, folded_da);
    if (around.passive && d.robot.has_passive())
      add_passive(d, q, v, folds ? folded_dq.data() : dq.data(),
                  folds ? folded_dv.data() : dv.data());
  }

  void add_passive(Memory& d, Vector q, Vector v, Real* to_dq, Real* to_dv) {
    const Passive<P>& p = d.system().passive;
    const int n = d.robot.nv();
    for (int k = 0; k < n; ++k) to_dv[n * k + k] += resistance_slope(p, k, v[size(k)]);
    for_each_spring_slope(p, q.data(),
                          [&](int i, int k, const Real& slope) { to_dq[n * k + i] += slope; });
  }

  std::vector<Twist<Real>> screws, motions;
  std::vector<Inertia<Real>> inertias;
  std::vector<Wrench<Real>> wrenches;
  std::vector<Vec3<Real>> fall;
  std::vector<WorldWrench<Real>> outside;
  std::vector<Real> dq, dv, da, folded_dq, folded_dv, folded_da;
};

}  // namespace jounce::detail::inline JOUNCE_ISA
