// SPDX-License-Identifier: BSD-3-Clause
#include "doors/rows_by_parameter.hpp"

#include <jounce/group/lie_derivative.hpp>

namespace jounce {

RowsByParameter::RowsByParameter(const Robot& robot, std::span<const Parameter> parameters)
    : plain_(robot),
      numbers_(robot),
      T_before_(directions_),
      S_before_(directions_),
      still_(numbers_.v.size()) {
  for (const Parameter& p : parameters) targets_.push_back(resolve(robot, p));
  moving_.reserve(targets_.size());
  size_t ratios = 0;
  for (const LoopDescription& loop : robot.loops()) ratios += loop.joints.size();
  ratio_.resize(ratios);
}

void RowsByParameter::start(const Loops<double>& all, int width, double time) {
  plain_.resize(all, width);
  numbers_.resize(all, width);
  numbers_.time = Number(time);
  moving_.clear();
  const std::span<const int> bodies(all.body, size_t(all.bodies));
  for (size_t p = 0; p < targets_.size(); ++p)
    if (of_loop(targets_[p].kind) ||
        (moves_joint(targets_[p].kind) &&
         std::find(bodies.begin(), bodies.end(), targets_[p].body) != bodies.end()))
      moving_.push_back(p);
  if (loop_.size() < size_t(all.count)) loop_.resize(size_t(all.count));
  Number* ratio = ratio_.data();
  for (int k = 0; k < all.count; ++k) {
    const Loop<double>& from = all.loop[k];
    Loop<Number>& to = loop_[size_t(k)];
    to = {.kind = from.kind, .row = from.row, .way = from.way, .down = from.down, .up = from.up};
    to.custom = from.custom;
    if (!has_frames(from.kind)) to.ratio = ratio, ratio += from.down;
    take_numbers(all, k);
  }
}

void RowsByParameter::take_numbers(const Loops<double>& all, int loop) {
  const Loop<double>& from = all.loop[loop];
  Loop<Number>& to = loop_[size_t(loop)];
  to.seat_1 = detail::cast<Number>(from.seat_1), to.seat_2 = detail::cast<Number>(from.seat_2);
  to.length = from.length, to.radius = from.radius, to.offset = from.offset;
  if (from.ratio != nullptr) std::copy_n(from.ratio, from.down, ratios_of(to));
}
RowsByParameter::Number* RowsByParameter::ratios_of(const Loop<Number>& loop) {
  return ratio_.data() + (loop.ratio - ratio_.data());
}

/// Moves the joint of a parameter along one direction; plain_ has moved to the state.
void RowsByParameter::displace_joint(const ParameterTarget& t, int direction, const Number& step) {
  const Model<double>& m = plain_.system.tree;
  const JointChange change = joint_change(m, plain_.storage.view(), t, plain_.tree_state().q);
  SE3<Number>& T = numbers_.storage.view().T[t.body];
  Twist<Number>& S = numbers_.storage.view().S[m.v_at[t.body]];
  T_before_[size_t(direction)] = T, S_before_[size_t(direction)] = S;
  T = T * exp(detail::cast<Number>(change.h) * step);
  S += detail::cast<Number>(change.S) * step;
}
/// A frame moves along its own axes.
void RowsByParameter::displace_loop(const ParameterTarget& t, const Number& step) {
  Loop<Number>& loop = loop_[size_t(t.loop)];
  const auto move = [&](SE3<Number>& seat) {
    seat = seat * exp(detail::cast<Number>(unit_twist(t.component)) * step);
  };
  if (t.kind == ParameterKind::loop_placement_1) move(loop.seat_1);
  else if (t.kind == ParameterKind::loop_placement_2) move(loop.seat_2);
  else if (t.kind == ParameterKind::loop_length) loop.length += step;
  else if (t.kind == ParameterKind::loop_radius) loop.radius += step;
  else if (t.kind == ParameterKind::loop_offset) loop.offset += step;
  else ratios_of(loop)[t.component] += step;
}
void RowsByParameter::displace(size_t p, int direction) {
  Number step(0);
  step.d[direction] = 1;
  if (of_loop(targets_[p].kind)) displace_loop(targets_[p], step);
  else displace_joint(targets_[p], direction, step);
}
void RowsByParameter::put_back(const Loops<double>& all, size_t p, int direction) {
  const ParameterTarget& t = targets_[p];
  if (of_loop(t.kind)) return take_numbers(all, t.loop);
  numbers_.storage.view().T[t.body] = T_before_[size_t(direction)];
  numbers_.storage.view().S[plain_.system.tree.v_at[t.body]] = S_before_[size_t(direction)];
}

template <class F>
void RowsByParameter::for_each(const Loops<double>& all, const OwnState<double>& x, F f) {
  for (size_t k = 0; k < numbers_.q.size(); ++k) numbers_.q[k] = Number(plain_.q[k] = x.q[k]);
  for (size_t k = 0; k < numbers_.v.size(); ++k) {
    numbers_.v[k] = Number(plain_.v[k] = x.v[k]);
    numbers_.a[k] = Number(plain_.a[k] = x.a[k]);
  }
  plain_.move(all);
  const State<Number> state = numbers_.move(all);
  const Loops<Number> own{loop_.data(), all.count, all.rows, all.body, all.bodies, all.longest};
  for (size_t at = 0; at < moving_.size(); at += directions_) {
    const int count = int(std::min(moving_.size() - at, size_t(directions_)));
    for (int d = 0; d < count; ++d) displace(moving_[at + size_t(d)], d);
    numbers_.run_moved(own, state);
    for (int d = 0; d < count; ++d) f(state, moving_[at + size_t(d)], d);
    for (int d = count - 1; d >= 0; --d) put_back(all, moving_[at + size_t(d)], d);
  }
}

void RowsByParameter::add(const Loops<double>& all, const OwnState<double>& x, const double* lambda,
                          double* C, double* D) {
  const size_t n = numbers_.v.size(), width = size_t(numbers_.width);
  for_each(all, x, [&](const State<Number>&, size_t p, int d) {
    for (int i = 0; i < all.rows; ++i) {
      C[width * p + size_t(i)] += numbers_.rate[size_t(i)].d[d];
      for (size_t k = 0; k < n; ++k)
        D[n * p + k] -= numbers_.A[width * k + size_t(i)].d[d] * lambda[i];
    }
  });
}

void RowsByParameter::add_times(const Loops<double>& all, const double* q, const double* x,
                                double* W) {
  const size_t width = size_t(numbers_.width);
  for_each(all, {q, x, x}, [&](const State<Number>&, size_t p, int d) {
    for (size_t k = 0; k < numbers_.v.size(); ++k)
      for (int i = 0; i < all.rows; ++i)
        W[width * p + size_t(i)] += numbers_.A[width * k + size_t(i)].d[d] * x[k];
  });
}

void RowsByParameter::add_closure(const Loops<double>& all, const double* q, double* r) {
  Number y[6];
  for_each(all, {q, still_.data(), still_.data()},
           [&](const State<Number>& state, size_t p, int d) {
             for (int k = 0; k < all.count; ++k) {
               const Loop<Number>& loop = loop_[size_t(k)];
               if (has_frames(loop.kind)) loop_residual(loop, numbers_.motion[size_t(k)].E, y);
               else tied_residual(numbers_.system, loop, state, numbers_.time, y);
               for (int i = 0; i < rows(loop); ++i)
                 r[size_t(numbers_.width) * p + size_t(loop.row + i)] += y[i].d[d];
             }
           });
}

}  // namespace jounce
