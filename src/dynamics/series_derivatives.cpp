// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of inverse and forward dynamics of any order.
//
// Along a motion a deviation of it changes the forces by
//   dtau(t) = A(t) dq(t) + B(t) dv(t) + M(t) da(t)         A, B, M = d tau/d(q, v, a)
//   d/dt dq = dv - ad_v dq        d/dt dv = da
// with A, B, M as series in t (series_matrices.cpp). What a derivative is by, dq(0) or dv^(j)(0),
// starts the deviation; coefficient r of dtau times r! is d tau^(r). For forward dynamics the same
// equation is solved for da, coefficient after coefficient: M[0] da[r] = dtau[r] - (what is known).
#include <algorithm>
#include <array>
#include <jounce/algorithm/series_workspace.hpp>
#include <jounce/model/manifold.hpp>
#include <jounce/series_derivatives.hpp>

#include "dynamics/factorial.hpp"
#include "dynamics/outside_series.hpp"
#include "dynamics/series_matrices.hpp"
#include "finite_results.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

using Square = dense::Matrix;
using Block = std::array<double, 36>;  ///< 6 x 6, column by column

/// A factor on which deviations turn with the body, and coefficients of ad_v.
struct TurningPart {
  Factor factor;
  std::vector<Block> ad;  ///< [order + 1]
  std::vector<Block> Q;   ///< [order + 1] of dq(t) for one input
};

void clear(Square& A) { std::fill(A.numbers.begin(), A.numbers.end(), 0.0); }
/// x times 1.
void set_diagonal(Square& A, double x) {
  clear(A);
  for (int k = 0; k < A.rows; ++k) A(k, k) = x;
}
void set_diagonal(Block& A, double x) {
  A = {};
  for (size_t k = 0; k < 36; k += 7) A[k] = x;
}
/// out += s A.
void add(const Square& A, double s, Square& out) {
  dense::add_multiple(int(A.numbers.size()), s, A.data(), out.data());
}

/// out += scale A B; B is mostly zero.
void add_product(const Square& A, const Square& B, double scale, Square& out) {
  for (int c = 0; c < B.columns; ++c)
    for (int j = 0; j < B.rows; ++j)
      if (B(j, c) != 0) dense::add_multiple(A.rows, scale * B(j, c), A.column(j), out.column(c));
}

}  // namespace

struct SeriesDerivatives::Impl {
  Impl(Robot robot_, int order_)
      : robot(std::move(robot_)),
        nv(robot.nv()),
        order(order_),
        dynamics(robot),
        series(nv, order),
        v(size_t(nv * (order + 2))),
        V_0(size_t(order) + 2),
        forces(size_t((order + 1) * (order + 3)), Square(nv, nv)),
        accelerations(forces),
        mass_inverse(nv, nv),
        rest(nv, nv) {
    dynamics.set_max_order(order);
    matrices = make_matrix_series(robot, order);
    for (auto* deviation : {&dq, &dv, &da}) deviation->assign(size_t(order) + 2, Square(nv, nv));
    for (const Factor& f : factors(robot.system()))
      if (!is_flat(f))
        turning.push_back(
            {f, std::vector<Block>(size_t(order) + 2), std::vector<Block>(size_t(order) + 2)});
  }

  void run(std::span<const double> q, const MatrixArg& motion, const SeriesSurroundings& around);
  void extend_turns(int s);
  void write_force(int r, int s);
  void start(int s);
  void extend_deviation(int r);
  void solve(int r, int s);
  Square& block(std::vector<Square>& all, int r, int s) const {
    return all[size_t(r * (order + 3) + s)];
  }
  MatrixView read(const std::vector<Square>& all, bool known, const char* what, int r, int s) const;

  Robot robot;
  int nv, order;
  Dynamics dynamics;
  std::unique_ptr<MatrixSeries> matrices;
  DerivativeSeries series;
  std::vector<double> v;  ///< [order + 2][nv] coefficients
  std::vector<Twist<double>> V_0;
  std::vector<TurningPart> turning;
  std::vector<Square> forces, accelerations;
  bool has_forces = false, has_accelerations = false;
  Square mass_inverse, rest;
  std::vector<Square> dq, dv, da;  ///< [order + 2] coefficients of one deviation
};

/// A, B and M along the motion, and ad_v of the parts that turn.
void SeriesDerivatives::Impl::run(std::span<const double> q, const MatrixArg& motion,
                                  const SeriesSurroundings& around) {
  for (int k = 0; k <= order + 1; ++k)
    for (int j = 0; j < nv; ++j) v[size_t(nv * k + j)] = motion.column(k)[size_t(j)] / factorial(k);
  write_ground_series(around.ground, V_0);
  matrices->run({q.data(), v.data(), V_0.data(), around}, series);
  for (TurningPart& part : turning)
    for (int k = 0; k <= order; ++k) {
      const double* speed = v.data() + nv * k + part.factor.v;
      double* matrix = part.ad[size_t(k)].data();
      for_each_unit<double>(part.factor, [&](int column, const double* unit) {
        group_ad(part.factor, speed, unit, matrix + 6 * column);
      });
    }
}

/// Q, the coefficients of dq(t) on the turning parts, for input s.
void SeriesDerivatives::Impl::extend_turns(int s) {
  for (TurningPart& part : turning) {
    set_diagonal(part.Q[0], s == 0 ? 1 : 0);
    for (int k = 0; k < order; ++k) {
      Block& next = part.Q[size_t(k + 1)];
      set_diagonal(next, k == s - 1 ? 1 / factorial(s - 1) : 0);
      for (int l = 0; l <= k; ++l)
        for (int c = 0; c < 36; c += 6)
          for (int j = 0; j < 6; ++j)
            dense::add_multiple(6, -part.Q[size_t(k - l)][size_t(c + j)],
                                part.ad[size_t(l)].data() + 6 * j, next.data() + c);
      for (double& x : next) x /= k + 1;
    }
  }
}

/// d tau^(r) by input s, after extend_turns: coefficient r of A dq + B dv + M da, times r!.
void SeriesDerivatives::Impl::write_force(int r, int s) {
  Square& out = block(forces, r, s);
  clear(out);
  const double scale = factorial(r);
  if (s <= r) add(series.dq[size_t(r - s)], scale / factorial(s), out);
  if (s >= 1 && s <= r + 1) add(series.dv[size_t(r - s + 1)], scale / factorial(s - 1), out);
  if (s >= 2) add(series.da[size_t(r - s + 2)], scale / factorial(s - 2), out);
  for (const TurningPart& part : turning)
    for (int k = s + 1; k <= r; ++k)
      for (int c = 0; c < part.factor.nv; ++c)
        for (int j = 0; j < part.factor.nv; ++j)
          dense::add_multiple(nv, scale * part.Q[size_t(k)][size_t(6 * c + j)],
                              series.dq[size_t(r - k)].column(part.factor.v + j),
                              out.column(part.factor.v + c));
}

/// Coefficients 0 of a deviation of the motion by input s.
void SeriesDerivatives::Impl::start(int s) {
  set_diagonal(dq[0], s == 0 ? 1 : 0);
  set_diagonal(dv[0], s == 1 ? 1 : 0);
}

/// Coefficients r + 1 of dv and dq from da[r] and what is below.
void SeriesDerivatives::Impl::extend_deviation(int r) {
  clear(dv[size_t(r + 1)]);
  add(da[size_t(r)], 1.0 / (r + 1), dv[size_t(r + 1)]);
  Square& next = dq[size_t(r + 1)];
  next.numbers = dv[size_t(r)].numbers;
  for (const TurningPart& part : turning)
    for (int l = 0; l <= r; ++l)
      for (int c = 0; c < nv; ++c)
        for (int j = 0; j < part.factor.nv; ++j)
          dense::add_multiple(part.factor.nv, -dq[size_t(r - l)](part.factor.v + j, c),
                              part.ad[size_t(l)].data() + 6 * j, next.column(c) + part.factor.v);
  dense::scale(nv * nv, 1.0 / (r + 1), next.data());
}

/// da[r] of a deviation by input s, from the coefficients below.
void SeriesDerivatives::Impl::solve(int r, int s) {
  set_diagonal(rest, r == s - 2 ? 1 / factorial(r) : 0);
  for (int k = 0; k <= r; ++k) {
    add_product(series.dq[size_t(r - k)], dq[size_t(k)], -1, rest);
    add_product(series.dv[size_t(r - k)], dv[size_t(k)], -1, rest);
    if (k < r) add_product(series.da[size_t(r - k)], da[size_t(k)], -1, rest);
  }
  clear(da[size_t(r)]);
  add_product(mass_inverse, rest, 1, da[size_t(r)]);
  clear(block(accelerations, r, s));
  add(da[size_t(r)], factorial(r), block(accelerations, r, s));
}

MatrixView SeriesDerivatives::Impl::read(const std::vector<Square>& all, bool known,
                                         const char* what, int r, int s) const {
  if (!known)
    throw InputError(std::string("SeriesDerivatives: ") + what + ": call " +
                     (what[0] == 'f' ? "inverse_series" : "forward_series") + " first");
  if (r < 0 || r > order || s < 0 || s > r + 2)
    throw InputError(std::string("SeriesDerivatives: ") + what + "(" + std::to_string(r) + ", " +
                     std::to_string(s) + ") is out of range, order " + std::to_string(order));
  const MatrixView found(all[size_t(r * (order + 3) + s)].data(), nv, nv);
  require_finite(robot, what, {{"matrix", found}});
  return found;
}

namespace {

int checked_order(const Robot& robot, int order) {
  if (order < 0 || order > highest_order)
    throw InputError("SeriesDerivatives: order is " + std::to_string(order) + ", robot \"" +
                     robot.name() + "\" takes 0 to " + std::to_string(highest_order));
  return order;
}

}  // namespace

SeriesDerivatives::SeriesDerivatives(Robot robot, int order) {
  const int checked = checked_order(robot, order);
  impl_ = std::make_unique<Impl>(std::move(robot), checked);
}
SeriesDerivatives::SeriesDerivatives(SeriesDerivatives&&) noexcept = default;
SeriesDerivatives& SeriesDerivatives::operator=(SeriesDerivatives&&) noexcept = default;
SeriesDerivatives::~SeriesDerivatives() = default;

const Robot& SeriesDerivatives::robot() const { return impl_->robot; }
int SeriesDerivatives::order() const { return impl_->order; }
MatrixView SeriesDerivatives::inverse_series(const VectorArg& q, const MatrixArg& motion,
                                             const SeriesSurroundings& around) {
  Impl& d = *impl_;
  const MatrixView taus = d.dynamics.inverse_series(q, motion, d.order, around);
  d.run(q, motion, around);
  for (int s = 0; s <= d.order + 2; ++s) {
    d.extend_turns(s);
    for (int r = std::max(0, s - 2); r <= d.order; ++r) d.write_force(r, s);
  }
  d.has_forces = true;
  return taus;
}

MatrixView SeriesDerivatives::forward_series(const VectorArg& q, const VectorArg& v,
                                             const MatrixArg& taus,
                                             const SeriesSurroundings& around) {
  Impl& d = *impl_;
  const MatrixView motion = d.dynamics.forward_series(q, v, taus, d.order, around);
  d.run(q, motion, around);
  const RowMatrixView found = d.dynamics.mass_inverse(q);
  for (int k = 0; k < d.nv; ++k) {
    const double* row = found.data() + found.outerStride() * k;
    std::copy(row, row + d.nv, d.mass_inverse.column(k));  // symmetric
  }
  for (int s = 0; s <= d.order + 2; ++s) {
    d.start(s);
    for (int r = 0; r <= d.order; ++r) {
      d.solve(r, s);
      d.extend_deviation(r);
    }
  }
  d.has_accelerations = true;
  return motion;
}

MatrixView SeriesDerivatives::force(int r, int s) const {
  return impl_->read(impl_->forces, impl_->has_forces, "force", r, s);
}
MatrixView SeriesDerivatives::acceleration(int r, int s) const {
  return impl_->read(impl_->accelerations, impl_->has_accelerations, "acceleration", r, s);
}

}  // namespace jounce
