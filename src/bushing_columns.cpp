// SPDX-License-Identifier: BSD-3-Clause
#include "bushing_columns.hpp"

#include <jounce/group/lie_derivative.hpp>

namespace jounce {
namespace {

template <class Number>
Bushing<Number> bushing_on(const Bushing<double>& own) {
  Bushing<Number> to{.seat_1 = detail::cast<Number>(own.seat_1),
                     .seat_2 = detail::cast<Number>(own.seat_2),
                     .body_1 = own.body_1,
                     .body_2 = own.body_2,
                     .way = own.way,
                     .down = own.down,
                     .up = own.up};
  std::copy_n(own.stiffness, 6, to.stiffness);
  std::copy_n(own.damping, 6, to.damping);
  return to;
}

}  // namespace

BushingColumns::BushingColumns(const System<double>& s)
    : system_(s), room_(s), q_(size_t(s.tree.nq)), v_(size_t(s.tree.nv)), taken_(size_t(s.nv)) {}

State<BushingColumns::Number> BushingColumns::move(const State<double>& x) {
  std::copy_n(x.q, q_.size(), q_.begin());
  std::copy_n(x.v, v_.size(), v_.begin());
  const State<Number> state{q_.data(), v_.data(), nullptr, nullptr, nullptr};
  room_.move(system_, state);
  return state;
}

void BushingColumns::add_own(const ParameterTarget& t, const State<double>& x, double* column) {
  Bushing<Number> one = bushing_on<Number>(system_.passive.bushings.bushing[t.bushing]);
  const Number step = Number::variable(0, 0);
  if (t.kind == ParameterKind::bushing_stiffness) {
    one.stiffness[t.component] += step;
  } else if (t.kind == ParameterKind::bushing_damping) {
    one.damping[t.component] += step;
  } else {
    SE3<Number>& seat = t.kind == ParameterKind::bushing_placement_1 ? one.seat_1 : one.seat_2;
    seat = seat * exp(detail::cast<Number>(unit_twist(t.component)) * step);
  }
  const Wrench<Number> pull = bushing_state(system_.tree, one, move(x), room_).F;
  const Twist<Number>* twist = room_.column.data();
  for_each_velocity(system_, one,
                    [&](int k, double ratio) { column[k] += dot(pull, *twist++).d[0] * ratio; });
}

void BushingColumns::add_moved(int body, const JointChange& by, const State<double>& x,
                               double* column) {
  const State<Number> state = move(x);
  const Number step = Number::variable(0, 0);
  SE3<Number>& T = room_.tree.view().T[body];
  Twist<Number>& S = room_.tree.view().S[system_.tree.v_at[body]];
  const SE3<Number> T_before = T;
  const Twist<Number> S_before = S;
  T = T * exp(detail::cast<Number>(by.h) * step);
  S += detail::cast<Number>(by.S) * step;
  std::fill(taken_.begin(), taken_.end(), Number(0));
  add_moved_bushings(system_, state, 1.0, room_, taken_.data());
  for (size_t k = 0; k < taken_.size(); ++k) column[k] += taken_[k].d[0];
  T = T_before, S = S_before;
}

}  // namespace jounce
