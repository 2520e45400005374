// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of the robot's inverse dynamics: those of the tree, of passive forces, and of
// wrenches that do not turn with their bodies.
#pragma once

#include <jounce/equations/equations.hpp>

namespace jounce {

/// Room for the derivatives of a tree, O(n).
template <class Real>
class DerivativeStorage {
 public:
  DerivativeStorage(int nv, int bodies)
      : turning(size(bodies)),
        screws(10 * size(nv)),
        motions(2 * size(bodies)),
        inertias(motions.size()),
        wrenches(motions.size()),
        fall(size(bodies)),
        room(derivative_room(nv, bodies, screws.data(), screws.data() + 4 * nv, motions.data(),
                             inertias.data(), wrenches.data(), fall.data())) {}
  DerivativeStorage(const DerivativeStorage&) = delete;
  DerivativeStorage& operator=(const DerivativeStorage&) = delete;

  template <class P>
  void add_bushings(const System<P>& s) {
    if (s.passive.bushings.count > 0) bushings = std::make_unique<BushingSlopes<Real>>(s);
  }
  /// What keeps wrenches in ground axes from turning, after the poses; with it, the room.
  template <class P, class Tree>
  DerivativeRoom<Real> with_turning(const Equations<P, Real, Tree>& e,
                                    const BasicSurroundings<Real>& around) {
    DerivativeRoom<Real> with = room;
    if (!any_in_ground_axes(around.wrenches)) return with;
    std::fill(turning.begin(), turning.end(), WorldWrench<Real>{});
    add_turning(e.system(), around.wrenches, e.workspace(), turning.data());
    with.outside = turning.data();
    return with;
  }

  /// A state, and the room for a recursion that takes wrenches from outside as they were given, or
  /// in their bodies' frames with what keeps them from turning.
  struct Start {
    State<Real> state;
    DerivativeRoom<Real> room;
  };
  template <class P, class Tree>
  Start set_up(const Equations<P, Real, Tree>& e, const OwnState<Real>& x,
               const BasicSurroundings<Real>& around, bool as_given) {
    if (as_given) return {e.set_up(x, around), room};
    const State<Real> state = e.set_up_bodies(x, around);
    return {state, with_turning(e, around)};
  }

  std::vector<WorldWrench<Real>> turning;         ///< [bodies]
  std::unique_ptr<BushingSlopes<Real>> bushings;  ///< where there are any

 private:
  static size_t size(int n) { return static_cast<size_t>(n); }

  std::vector<Twist<Real>> screws, motions;
  std::vector<Inertia<Real>> inertias;
  std::vector<Wrench<Real>> wrenches;
  std::vector<Vec3<Real>> fall;

 public:
  DerivativeRoom<Real> room;
};

inline namespace JOUNCE_ISA {

/// f(row, column, dtau/dq) and g(row, column, dtau/dv) for all that damping, friction, springs and
/// bushings add.
template <class P, class Real, class F, class G>
void for_each_passive_slope(const System<P>& s, const OwnState<Real>& x,
                            BushingSlopes<Real>* bushings, F f, G g) {
  if (!s.passive.any) return;
  for (int k = 0; k < s.nv; ++k) g(k, k, resistance_slope(s.passive, k, x.v[k]));
  for_each_spring_slope(s.passive, x.q, f);
  if (bushings != nullptr) for_each_bushing_slope(s, x.q, x.v, *bushings, f, g);
}

/// d tau/d(q, v, a) of the robot's coordinates in `own`, by way of the tree's in `tree`, which are
/// the same memory without mimic joints. run(state, room, tree) differentiates the tree; as_given:
/// it takes wrenches from outside as they were given.
template <class P, class Real, class Tree, class Run>
void inverse_derivatives(const Equations<P, Real, Tree>& e, DerivativeStorage<Real>& storage,
                         const OwnState<Real>& x, const BasicSurroundings<Real>& around,
                         const InversePartials<Real>& tree, const InversePartials<Real>& own,
                         bool as_given, Run run) {
  auto [state, room] = storage.set_up(e, x, around, as_given);
  const System<P>& s = e.system();
  const int n = s.nv;
  if (storage.bushings != nullptr && s.coupling.identity)  // they fill what the tree leaves zero
    for (Real* matrix : {own.dq, own.dv}) std::fill(matrix, matrix + n * n, Real(0));
  run(state, room, tree);
  if (!s.coupling.identity) {
    gather_square(s.coupling, tree.dq, own.dq);
    gather_square(s.coupling, tree.dv, own.dv);
    gather_square(s.coupling, tree.da, own.da);
  }
  if (!around.passive) return;
  for_each_passive_slope(
      s, x, storage.bushings.get(),
      [&](int i, int k, const Real& slope) { own.dq[n * k + i] += slope; },
      [&](int i, int k, const Real& slope) { own.dv[n * k + i] += slope; });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
