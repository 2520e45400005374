// SPDX-License-Identifier: BSD-3-Clause
// Rows of loops on dual numbers, several directions at a time.
#include "doors/rows_by_dual.hpp"

#include <jounce/equations/seed_positions.hpp>

namespace jounce {

void RowsByDual::start(const Loops<double>& all, int width, double time) {
  numbers_.resize(all, width);
  numbers_.time = Number(time);
  moving_.reserve(numbers_.v.size());
  moving_.clear();
  const System<double>& s = numbers_.system;
  for (int b = 0; b < all.bodies; ++b)
    for (int t = s.tree.v_at[all.body[b]]; t < s.tree.v_at[all.body[b] + 1]; ++t)
      if (const int k = s.coupling.v_source[t];
          std::find(moving_.begin(), moving_.end(), k) == moving_.end())
        moving_.push_back(k);
}

/// A state of which q or v moves along the coordinates of `along`.
void RowsByDual::seed(const OwnState<double>& x, std::span<const int> along, bool by_q) {
  LoopNumbers<Number>& to = numbers_;
  seed_positions(to.system, x.q, by_q ? along : std::span<const int>(), to.q.data());
  for (size_t k = 0; k < to.v.size(); ++k) to.v[k] = Number(x.v[k]), to.a[k] = Number(x.a[k]);
  for (size_t d = 0; !by_q && d < along.size(); ++d) to.v[size_t(along[d])].d[d] = 1;
}

void RowsByDual::add_columns(std::span<const int> along, const Loops<double>& all,
                             const double* lambda, bool by_q,
                             const LoopDerivatives<double>& to) const {
  const int n = int(numbers_.v.size());
  for (size_t d = 0; d < along.size(); ++d) {
    double* C = (by_q ? to.C_q : to.C_v) + to.stride * along[d];
    for (int i = 0; i < all.rows; ++i) C[i] += numbers_.rate[size_t(i)].d[d];
    if (!by_q) continue;
    double* D = to.D + n * along[d];
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < all.rows; ++i)
        D[k] -= numbers_.A[size_t(numbers_.width * k + i)].d[d] * lambda[i];
  }
}

template <class F>
void RowsByDual::for_each_direction(F f) const {
  for (size_t at = 0; at < moving_.size(); at += directions_)
    f(std::span<const int>(moving_).subspan(at,
                                            std::min(moving_.size() - at, size_t(directions_))));
}

void RowsByDual::run(const Loops<double>& all, const OwnState<double>& x, const double* lambda,
                     const LoopDerivatives<double>& to) {
  for (const bool by_q : {true, false})
    for_each_direction([&](std::span<const int> along) {
      seed(x, along, by_q);
      numbers_.run(all);
      add_columns(along, all, lambda, by_q, to);
    });
}

void RowsByDual::add_times(const Loops<double>& all, const double* q, const double* x, bool drifts,
                           double* C, int stride) {
  for_each_direction([&](std::span<const int> along) {
    seed({q, x, x}, along, true);
    numbers_.run(all);
    for (size_t d = 0; d < along.size(); ++d) {
      double* to = C + stride * along[d];
      for (int i = 0; drifts && i < all.rows; ++i) to[i] += numbers_.drift[size_t(i)].d[d];
      for (size_t k = 0; k < numbers_.v.size(); ++k)
        for (int i = 0; i < all.rows; ++i)
          to[i] += numbers_.A[size_t(numbers_.width) * k + size_t(i)].d[d] * x[k];
    }
  });
}

}  // namespace jounce
