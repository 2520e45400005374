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
}

void RowsByParameter::start(const Loops<double>& all, int width, double time) {
  plain_.resize(all, width);
  numbers_.resize(all, width);
  numbers_.time = Number(time);
  moving_.clear();
  const std::span<const int> bodies(all.body, size_t(all.bodies));
  for (size_t p = 0; p < targets_.size(); ++p)
    if (moves_joint(targets_[p].kind) &&
        std::find(bodies.begin(), bodies.end(), targets_[p].body) != bodies.end())
      moving_.push_back(p);
}

/// Moves the joint of a parameter along one direction; plain_ has moved to the state.
void RowsByParameter::displace(size_t p, int direction) {
  const ParameterTarget& t = targets_[p];
  const Model<double>& m = plain_.system.tree;
  const JointChange change = joint_change(m, plain_.storage.view(), t, plain_.tree_state().q);
  SE3<Number>& T = numbers_.storage.view().T[t.body];
  Twist<Number>& S = numbers_.storage.view().S[m.v_at[t.body]];
  T_before_[size_t(direction)] = T, S_before_[size_t(direction)] = S;
  Number step(0);
  step.d[direction] = 1;
  T = T * exp(detail::cast<Number>(change.h) * step);
  S += detail::cast<Number>(change.S) * step;
}

template <class Run, class F>
void RowsByParameter::for_each(const Loops<double>& all, const OwnState<double>& x, Run run, F f) {
  for (size_t k = 0; k < numbers_.q.size(); ++k) numbers_.q[k] = Number(plain_.q[k] = x.q[k]);
  for (size_t k = 0; k < numbers_.v.size(); ++k) {
    numbers_.v[k] = Number(plain_.v[k] = x.v[k]);
    numbers_.a[k] = Number(plain_.a[k] = x.a[k]);
  }
  plain_.move(all);
  const State<Number> state = numbers_.move(all);
  const Workspace<Number>& w = numbers_.storage.view();
  for (size_t at = 0; at < moving_.size(); at += directions_) {
    const int count = int(std::min(moving_.size() - at, size_t(directions_)));
    for (int d = 0; d < count; ++d) displace(moving_[at + size_t(d)], d);
    run(state);
    for (int d = count - 1; d >= 0; --d) {
      const size_t p = moving_[at + size_t(d)];
      f(p, d);
      w.T[targets_[p].body] = T_before_[size_t(d)];
      w.S[plain_.system.tree.v_at[targets_[p].body]] = S_before_[size_t(d)];
    }
  }
}

void RowsByParameter::add(const Loops<double>& all, const OwnState<double>& x, const double* lambda,
                          double* C, double* D) {
  const size_t n = numbers_.v.size(), width = size_t(numbers_.width);
  for_each(
      all, x, [&](const State<Number>& state) { numbers_.run_moved(all, state); },
      [&](size_t p, int d) {
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
  for_each(
      all, {q, x, x}, [&](const State<Number>& state) { numbers_.run_moved(all, state); },
      [&](size_t p, int d) {
        for (size_t k = 0; k < numbers_.v.size(); ++k)
          for (int i = 0; i < all.rows; ++i)
            W[width * p + size_t(i)] += numbers_.A[width * k + size_t(i)].d[d] * x[k];
      });
}

void RowsByParameter::add_closure(const Loops<double>& all, const double* q, double* r) {
  Number y[6];
  for_each(
      all, {q, still_.data(), still_.data()},
      [&](const State<Number>& state) { numbers_.run_moved(all, state); },
      [&](size_t p, int d) {
        for (int k = 0; k < all.count; ++k) {
          const Loop<double>& loop = all.loop[k];
          if (!has_frames(loop.kind)) continue;
          loop_residual(loop, numbers_.motion[size_t(k)].E, y);
          for (int i = 0; i < rows(loop); ++i)
            r[size_t(numbers_.width) * p + size_t(loop.row + i)] += y[i].d[d];
        }
      });
}

}  // namespace jounce
