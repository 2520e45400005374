// SPDX-License-Identifier: BSD-3-Clause
// Springs and dampers between two frames, in all six directions: one law for any kind of number.
//
// E is the pose of frame 2 in frame 1, u = log E its six coordinates, which move by
// udot = dexp^-1(u) V where V is the twist of frame 2 seen from itself. A bushing stores
// u^T K u / 2 and takes the power udot^T D udot: on frame 2 it acts with the wrench -F,
//   F = dexp^-T(u) (K u + D udot),
// on frame 1 with the opposite one. Which frame is called the second does not matter: u and udot
// change their signs. Forces are J^T F, J the columns of V, as those of a loop (loops.hpp).
// Derivatives are the same text on dual numbers, series on Taylor numbers. Where E turns by pi, u
// jumps: a spring of rotations pulls back by the shorter way.
#pragma once

#include <jounce/equations/coupling.hpp>
#include <jounce/equations/seed_positions.hpp>
#include <jounce/equations/way.hpp>
#include <jounce/model/workspace.hpp>

namespace jounce {

/// Room for the bushings of a robot; robots without any have none.
template <class Real>
class BushingRoom {
 public:
  template <class P>
  explicit BushingRoom(const System<P>& s)
      : tree(s.tree),
        q(s.coupling.identity ? 0 : size(s.tree.nq), Real(0)),
        v(s.coupling.identity ? 0 : size(s.tree.nv), Real(0)),
        column(size(s.passive.bushings.longest)) {}

  /// A state of the robot with the joints moved that move bushings.
  template <class P>
  State<Real> move(const System<P>& s, const Real* own_q, const Real* own_v) {
    State<Real> x{own_q, own_v, nullptr, nullptr, nullptr};
    if (!s.coupling.identity) {
      expand_positions(s.coupling, own_q, q.data());
      expand(s.coupling, own_v, v.data());
      x.q = q.data(), x.v = v.data();
    }
    move(s, x);
    return x;
  }
  /// The same of the tree.
  template <class P>
  void move(const System<P>& s, const State<Real>& x) {
    const Bushings<P>& all = s.passive.bushings;
    move_angles(s.tree, x, tree.view());
    for (int k = 0; k < all.bodies; ++k) move_joint(s.tree, x, all.body[k], tree.view());
  }

  WorkspaceStorage<Real> tree;
  std::vector<Real> q, v;  ///< of the tree, where there are mimic joints
  std::vector<Twist<Real>> column;

 private:
  static size_t size(int n) { return static_cast<size_t>(n); }
};

/// What holds the frames of a bushing together.
template <class Real>
struct BushingState {
  SE3<Real> E;
  Twist<Real> u;
  Wrench<Real> F;  ///< what it takes from the motion of frame 2, in its axes
};

inline namespace JOUNCE_ISA {

template <class P>
constexpr std::span<const Bushing<P>> list(const Bushings<P>& all) {
  return {all.bushing, static_cast<size_t>(all.count)};
}

/// K x of a diagonal K.
template <class P, class Real>
constexpr Wrench<Real> times(const P (&K)[6], const Twist<Real>& x) {
  return {{x.w.x * K[0], x.w.y * K[1], x.w.z * K[2]}, {x.v.x * K[3], x.v.y * K[4], x.v.z * K[5]}};
}

/// At a state whose joints have moved; the twist of frame 2 for each velocity on the way is left in
/// the room.
template <class P, class Own, class Real>
BushingState<Real> bushing_state(const Model<P>& m, const Bushing<Own>& bushing,
                                 const State<Real>& x, BushingRoom<Real>& room) {
  const Workspace<Real>& w = room.tree.view();
  Twist<Real>* column = room.column.data();
  Twist<Real> V{};
  const SE3<Real> frame_1 = walk(bushing, w, [&](int i, const SE3<Real>& Y, int sign) {
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k, ++column) {
      *column = Ad(Y, w.S[k]) * Plain<Real>(sign);
      V += *column * x.v[k];
    }
  });
  BushingState<Real> found;
  found.E = inverse(frame_1);
  found.u = log(found.E);
  const Wrench<Real> pull =
      times(bushing.stiffness, found.u) + times(bushing.damping, dexp_body_inv(found.u, V));
  found.F = dual_dexp_body_inv(found.u, pull);
  return found;
}

/// Adds what bushings take at a state that the room was moved to, times sign.
template <class P, class Real>
void add_moved_bushings(const System<P>& s, const State<Real>& x, Plain<Real> sign,
                        BushingRoom<Real>& room, Real* tau) {
  for (const Bushing<P>& one : list(s.passive.bushings)) {
    const Wrench<Real> F = bushing_state(s.tree, one, x, room).F;
    const Twist<Real>* column = room.column.data();
    for_each_velocity(s, one,
                      [&](int k, const P& ratio) { tau[k] += dot(F, *column++) * ratio * sign; });
  }
}
/// The same at the robot's q and v.
template <class P, class Real>
void add_bushing_forces(const System<P>& s, const Real* q, const Real* v, Plain<Real> sign,
                        BushingRoom<Real>& room, Real* tau) {
  add_moved_bushings(s, room.move(s, q, v), sign, room, tau);
}

/// Adds the wrenches of bushings on the bodies they hold, in their frames.
template <class P, class Real>
void add_bushing_wrenches(const System<P>& s, const Real* q, const Real* v, BushingRoom<Real>& room,
                          Wrench<Real>* on) {
  const State<Real> x = room.move(s, q, v);
  for (const Bushing<P>& one : list(s.passive.bushings)) {
    const BushingState<Real> now = bushing_state(s.tree, one, x, room);
    on[one.body_2] -= dual_Ad_inv(one.seat_2, now.F);
    on[one.body_1] += dual_Ad_inv(one.seat_1, dual_Ad_inv(now.E, now.F));
  }
}

/// The power udot^T D udot that bushings take.
template <class P, class Real>
Real bushing_loss(const System<P>& s, const Real* q, const Real* v, BushingRoom<Real>& room) {
  Real sum(0);
  const State<Real> x = room.move(s, q, v);
  for (const Bushing<P>& one : list(s.passive.bushings)) {
    const Twist<Real> u = bushing_state(s.tree, one, x, room).u;
    const Twist<Real>* column = room.column.data();
    Twist<Real> V{};
    for_each_velocity(s, one, [&](int k, const P& ratio) { V += *column++ * (v[k] * ratio); });
    const Twist<Real> udot = dexp_body_inv(u, V);
    sum += dot(times(one.damping, udot), udot);
  }
  return sum;
}
/// u^T K u / 2 of all bushings.
template <class P, class Real>
Real bushing_energy(const System<P>& s, const Real* q, const Real* still, BushingRoom<Real>& room) {
  Real sum(0);
  const State<Real> x = room.move(s, q, still);
  for (const Bushing<P>& one : list(s.passive.bushings)) {
    const Twist<Real> u = bushing_state(s.tree, one, x, room).u;
    sum += dot(times(one.stiffness, u), u) * Plain<Real>(0.5);
  }
  return sum;
}

}  // namespace JOUNCE_ISA

/// Room for derivatives of bushings, some directions at a time.
template <class Real>
class BushingSlopes {
 public:
  static constexpr int directions = 8;
  using Number = Dual<Real, directions>;

  template <class P>
  explicit BushingSlopes(const System<P>& s)
      : room(s), q(static_cast<size_t>(s.nq)), v(static_cast<size_t>(s.nv)), tau(v.size()) {}

  BushingRoom<Number> room;
  std::vector<Number> q, v, tau;
};

inline namespace JOUNCE_ISA {

/// f(along): all velocities that move bushings, `directions` at a time.
template <class P, class F>
void for_each_direction(const Bushings<P>& all, int directions, F f) {
  const std::span<const int> moving(all.velocity, static_cast<size_t>(all.velocities));
  for (size_t at = 0; at < moving.size(); at += static_cast<size_t>(directions))
    f(moving.subspan(at, std::min(moving.size() - at, static_cast<size_t>(directions))));
}

/// f(i, k, dtau_i/dq_k) and g(i, k, dtau_i/dv_k) for all that bushings add.
template <class P, class Real, class F, class G>
void for_each_bushing_slope(const System<P>& s, const Real* q, const Real* v,
                            BushingSlopes<Real>& room, F f, G g) {
  using Number = typename BushingSlopes<Real>::Number;
  const Bushings<P>& all = s.passive.bushings;
  const auto differentiate = [&](std::span<const int> along, auto& take) {
    for (Number& one : room.tau) one = Number(0);
    add_bushing_forces<P, Number>(s, room.q.data(), room.v.data(), 1, room.room, room.tau.data());
    for (int k = 0; k < all.velocities; ++k)
      for (size_t d = 0; d < along.size(); ++d)
        take(all.velocity[k], along[d], room.tau[static_cast<size_t>(all.velocity[k])].d[d]);
  };
  for_each_direction(all, BushingSlopes<Real>::directions, [&](std::span<const int> along) {
    seed_positions(s, q, along, room.q.data());
    for (int k = 0; k < s.nv; ++k) room.v[static_cast<size_t>(k)] = Number(v[k]);
    differentiate(along, f);
    for (int k = 0; k < s.nq; ++k) room.q[static_cast<size_t>(k)] = Number(q[k]);
    for (size_t d = 0; d < along.size(); ++d) room.v[static_cast<size_t>(along[d])].d[d] = Real(1);
    differentiate(along, g);
  });
}

}  // namespace JOUNCE_ISA

/// Room for second derivatives of bushings.
class BushingCurves {
 public:
  static constexpr int directions = 4;
  using Number = Dual<double, directions>;

  explicit BushingCurves(const System<double>& s)
      : slopes(s), q(static_cast<size_t>(s.nq)), v(static_cast<size_t>(s.nv)) {}

  BushingSlopes<Number> slopes;
  std::vector<Number> q, v;
};

inline namespace JOUNCE_ISA {

/// f(i, k, l, d2tau_i/(dq_k dq_l)), first along k, then l, and g(i, l, k, d2tau_i/(dq_l dv_k)):
/// slopes on dual numbers. Forces of bushings are linear in v.
template <class F, class G>
void for_each_bushing_curve(const System<double>& s, const double* q, const double* v,
                            BushingCurves& room, F f, G g) {
  using Number = BushingCurves::Number;
  const Bushings<double>& all = s.passive.bushings;
  std::copy(v, v + s.nv, room.v.begin());
  for_each_direction(all, BushingCurves::directions, [&](std::span<const int> along) {
    seed_positions(s, q, along, room.q.data());
    for_each_bushing_slope(
        s, static_cast<const Number*>(room.q.data()), static_cast<const Number*>(room.v.data()),
        room.slopes,
        [&](int i, int k, const Number& slope) {
          for (size_t d = 0; d < along.size(); ++d) f(i, k, along[d], slope.d[d]);
        },
        [&](int i, int k, const Number& slope) {
          for (size_t d = 0; d < along.size(); ++d) g(i, along[d], k, slope.d[d]);
        });
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
