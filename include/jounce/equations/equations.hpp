// SPDX-License-Identifier: BSD-3-Clause
// The robot's equations of motion, once for every kind of number: coupling, ground, outside
// wrenches and passive forces around the recursions of a tree.
//
// Tree says who runs a recursion (template_tree.hpp). Answers stand in the workspace until the next
// call; nothing of an argument is written, so that arguments may be anything but this memory.
#pragma once

#include <jounce/algorithm/momentum.hpp>
#include <jounce/algorithm/reference_rnea.hpp>
#include <jounce/equations/bushings.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/equations/ground.hpp>
#include <jounce/equations/outside.hpp>
#include <jounce/equations/passive.hpp>
#include <jounce/equations/template_tree.hpp>
#include <jounce/model/workspace.hpp>

namespace jounce {

/// Position, velocity, and acceleration or force of the robot's own coordinates.
template <class Real>
struct OwnState {
  const Real* q = nullptr;
  const Real* v = nullptr;
  const Real* a = nullptr;
};

/// Room for the equations, O(n).
template <class Real>
class EquationsStorage {
 public:
  template <class P>
  explicit EquationsStorage(const System<P>& s)
      : tree(s.tree),
        zeros(size(s.tree.nv), Real(0)),
        q(s.coupling.identity ? 0 : size(s.tree.nq), Real(0)),
        v(s.coupling.identity ? 0 : size(s.tree.nv), Real(0)),
        a(v),
        forces(size(s.nv), Real(0)),
        solution(forces),
        given(forces),
        F_ext(size(s.tree.bodies)),
        no_wrench(F_ext) {
    if (s.passive.bushings.count > 0) bushings = std::make_unique<BushingRoom<Real>>(s);
  }

  WorkspaceStorage<Real> tree;
  std::vector<Real> zeros;             ///< [tree nv]
  std::vector<Real> q, v, a;           ///< of the tree, where there are mimic joints
  std::vector<Real> forces, solution;  ///< [nv]
  std::vector<Real> given;             ///< [nv] forces less what passive forces take
  std::vector<Wrench<Real>> F_ext;     ///< [bodies]
  std::vector<Wrench<Real>> no_wrench;
  std::unique_ptr<BushingRoom<Real>> bushings;  ///< where there are any

 private:
  static size_t size(int n) { return static_cast<size_t>(n); }
};

/// Dense room: the mass matrix in the robot's coordinates, and its factors.
template <class Real>
struct MassWorkspace {
  MassPattern pattern;
  Real* tree = nullptr;  ///< [tree nv squared] zero where it is for every q
  Real* own = nullptr;   ///< [nv squared] the same memory where there are no mimic joints
  Real* LD = nullptr;    ///< in the pattern's rows; as much room behind them
};

template <class P, class Real, class Tree>
struct Equations {
  using Around = BasicSurroundings<Real>;

  Tree& tree;
  EquationsStorage<Real>& room;

  const System<P>& system() const { return tree.system(); }
  Workspace<Real>& workspace() const { return room.tree.view(); }

  /// The robot's coordinates as the tree's: viewed where there is no mimic joint, else expanded.
  [[gnu::always_inline]] State<Real> tree_state(const OwnState<Real>& x) const {
    const Coupling<P>& c = system().coupling;
    if (c.identity) return {x.q, x.v, x.a, room.zeros.data(), room.no_wrench.data()};
    expand_positions(c, x.q, room.q.data());
    expand(c, x.v, room.v.data());
    expand(c, x.a, room.a.data());
    return {room.q.data(), room.v.data(), room.a.data(), room.zeros.data(), room.no_wrench.data()};
  }
  State<Real> at(const Real* q) const {
    return tree_state({q, room.zeros.data(), room.zeros.data()});
  }
  /// A state with the ground set up for gravity, and wrenches from outside as they were given.
  [[gnu::always_inline]] State<Real> set_up(const OwnState<Real>& x, const Around& around) const {
    State<Real> state = tree_state(x);
    Workspace<Real>& w = workspace();
    if (around.gravity) set_ground(system().tree, around.ground, w);
    else set_ground(around.ground, w);
    state.outside = around.wrenches.data();
    state.outsides = static_cast<int>(around.wrenches.size());
    return state;
  }
  /// The same with the wrenches in their bodies' frames, and poses where there are any.
  State<Real> set_up_bodies(const OwnState<Real>& x, const Around& around) const {
    State<Real> state = set_up(x, around);
    Workspace<Real>& w = workspace();
    if (around.wrenches.empty()) return state;
    std::fill(room.F_ext.begin(), room.F_ext.end(), Wrench<Real>{});
    tree.poses(state, w);
    add_outside(system(), around.wrenches, w, room.F_ext.data());
    state.F_ext = room.F_ext.data();
    return state;
  }
  /// What inverse, forward and hybrid of the tree take; inlined, so that addresses go from register
  /// to memory once: kernels wait for them first.
  [[gnu::always_inline]] State<Real> set_up_tree(const OwnState<Real>& x,
                                                 const Around& around) const {
    if constexpr (Tree::takes_outside) return set_up(x, around);
    else return set_up_bodies(x, around);
  }
  /// A state with poses, twists and, where a is given, accelerations; gravity left out.
  State<Real> move(const Real* q, const Real* v, const Real* a,
                   const OptionalGround<Real>& ground) const {
    Workspace<Real>& w = workspace();
    const State<Real> state = tree_state({q, v, a != nullptr ? a : room.zeros.data()});
    set_ground(ground, w);
    tree.poses(state, w);
    if (a != nullptr) tree.motions(state, w);
    else tree.twists(state, w);
    return state;
  }

  /// Adds what passive forces take, where they act.
  void add_passive(const OwnState<Real>& x, const Around& around, int sign, Real* tau) const {
    if (!(around.passive && system().passive.any)) return;
    add_passive_forces(system(), x.q, x.v, Plain<Real>(sign), tau);
    if (room.bushings != nullptr)
      add_bushing_forces(system(), x.q, x.v, Plain<Real>(sign), *room.bushings, tau);
  }
  /// Tree forces in the workspace -> the robot's.
  Real* gathered() const {
    if (system().coupling.identity) return workspace().tau;
    gather(system().coupling, workspace().tau, room.forces.data());
    return room.forces.data();
  }

  /// M a + c + g - J^T F_ext and what passive forces take, [nv].
  [[gnu::always_inline]] Real* inverse(const OwnState<Real>& x, const Around& around) const {
    const State<Real> state = set_up_tree(x, around);
    tree.inverse(state, workspace());
    Real* tau = gathered();
    add_passive(x, around, 1, tau);
    return tau;
  }
  /// c + g of a state, without passive forces and wrenches from outside, [nv].
  Real* bias(const OwnState<Real>& x, const OptionalGround<Real>& ground) const {
    const State<Real> state = tree_state(x);
    set_ground(system().tree, ground, workspace());
    tree.inverse(state, workspace());
    return gathered();
  }
  /// Forces of inverse with wrenches and F_ext of all bodies left in the workspace.
  State<Real> inverse_with_wrenches(const OwnState<Real>& x, const Around& around) const {
    const State<Real> state = set_up_bodies(x, around);
    tree.inverse_with_wrenches(state, workspace());
    return state;
  }
  /// Forces of inverse with T, twists, accelerations, wrenches and F_ext of all bodies left there.
  State<Real> inverse_in_full(const OwnState<Real>& x, const Around& around) const {
    const State<Real> state = set_up_bodies(x, around);
    rnea(system().tree, state, workspace());
    return state;
  }
  /// As inverse_with_wrenches where the bodies also feel their bushings, which take from what
  /// joints transmit.
  State<Real> inverse_with_bushings(const OwnState<Real>& x, const Around& around) const {
    if (room.bushings == nullptr || !around.passive) return inverse_with_wrenches(x, around);
    State<Real> state = set_up_bodies(x, around);
    if (around.wrenches.empty()) std::fill(room.F_ext.begin(), room.F_ext.end(), Wrench<Real>{});
    add_bushing_wrenches(system(), x.q, x.v, *room.bushings, room.F_ext.data());
    state.F_ext = room.F_ext.data();
    rnea(system().tree, state, workspace());  // the fast form takes wrenches as they were given
    return state;
  }
  /// M a_r + C v_r + g.
  Real* inverse_reference(const OwnState<Real>& x, const Real* tree_v_r, Factorization f,
                          Twist<Real>* V_r) const {
    const State<Real> state = set_up(x, {});
    V_r[0] = {};
    reference_rnea(system().tree, state, tree_v_r, f, V_r, workspace());
    return gathered();
  }

  /// Accelerations of a robot without mimic joints, [nv]; pivots in the workspace's D.
  const Real* forward(const Real* q, const Real* v, const Real* tau, const Around& around) const {
    State<Real> state = set_up_tree({q, v, room.zeros.data()}, around);
    state.tau = less_passive({q, v}, tau, around);
    tree.forward(state, workspace());
    return workspace().a;
  }
  /// The same with prescribed accelerations, whose forces stand in room.forces.
  const Real* hybrid(const bool* prescribed, const OwnState<Real>& x, const Real* tau,
                     const Around& around) const {
    State<Real> state = set_up_tree(x, around);
    state.tau = less_passive(x, tau, around);
    tree.hybrid(state, prescribed, workspace());
    add_passive(x, around, 1, workspace().tau);  // back to what the actuator gives
    for (int k = 0; k < system().nv; ++k)
      room.forces[static_cast<size_t>(k)] = prescribed[k] ? workspace().tau[k] : tau[k];
    return workspace().a;
  }
  /// forward and hybrid of robots with mimic joints, with factors of the coupled mass matrix:
  /// accelerations in room.solution, forces in room.forces. `prescribed` may be null.
  void coupled_hybrid(const bool* prescribed, const OwnState<Real>& x, const Real* tau,
                      const Around& around, const MassWorkspace<Real>& mass) const {
    const int n = system().nv;
    Real* found = room.solution.data();
    const auto fixed = [&](int k) { return prescribed != nullptr && prescribed[k]; };
    for (int k = 0; k < n; ++k) found[k] = fixed(k) ? x.a[k] : Real(0);
    const Real* known = inverse({x.q, x.v, found}, around);  // forces of what is prescribed alone
    for (int k = 0; k < n; ++k)
      if (!fixed(k)) found[k] = tau[k] - known[k];
    run_mass(at(x.q), mass.tree, mass.own);
    factor(mass.pattern, mass.own, prescribed, mass.LD);
    ltdl_solve(mass.pattern, mass.LD, found);
    if (prescribed == nullptr) return;
    const Real* all = inverse({x.q, x.v, found}, around);
    for (int k = 0; k < n; ++k) room.forces[static_cast<size_t>(k)] = fixed(k) ? all[k] : tau[k];
  }

  /// The mass matrix: of the tree, and of the robot, which is the same without mimic joints.
  void run_mass(const State<Real>& state, Real* tree_M, Real* own) const {
    tree.mass(state, workspace(), tree_M);
    if (!system().coupling.identity) gather_square(system().coupling, tree_M, own);
  }
  /// Factors of M; rows and columns of prescribed coordinates are those of 1.
  void factor(const MassPattern& pattern, const Real* M, const bool* prescribed, Real* LD) const {
    take_rows(pattern, M, prescribed, LD);
    tree.ltdl_factor(pattern, LD);
  }

  /// What springs of joints and bushings store.
  Real elastic_energy(const Real* q) const {
    Real sum = spring_energy(system(), q);
    if (room.bushings != nullptr)
      sum +=
          bushing_energy(system(), q, static_cast<const Real*>(room.zeros.data()), *room.bushings);
    return sum;
  }
  EnergyRate<Real> energy_rate(const Real* q, const Real* v, const Real* a,
                               const OptionalGround<Real>& ground) const {
    const State<Real> state = move(q, v, a, ground);
    const Model<P>& m = system().tree;
    EnergyRate<Real> rate = jounce::energy_rate(m, workspace());
    for (int k = 0; k < m.nv; ++k) rate.kinetic += state.v[k] * state.a[k] * m.armature[k];
    return rate;
  }

 private:
  const Real* less_passive(const OwnState<Real>& x, const Real* tau, const Around& around) const {
    if (!(around.passive && system().passive.any)) return tau;
    std::copy(tau, tau + system().nv, room.given.begin());
    add_passive(x, around, -1, room.given.data());
    return room.given.data();
  }
};

}  // namespace jounce
