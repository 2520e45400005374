// SPDX-License-Identifier: BSD-3-Clause
// Partial derivatives of inverse and forward dynamics of any order.
//
// Along a motion a deviation of it changes the forces by
//   dtau(t) = A(t) dq(t) + B(t) dv(t) + M(t) da(t)         A, B, M = d tau/d(q, v, a)
//   d/dt dq = dv - ad_v dq        d/dt dv = da
// with A, B, M as series in t (series/matrices.cpp). What a derivative is by, dq(0) or dv^(j)(0),
// starts the deviation; coefficient r of dtau times r! is d tau^(r). For forward dynamics the same
// equation is solved for da, coefficient after coefficient: M[0] da[r] = dtau[r] - (what is known);
// of hybrid dynamics for da of the free coordinates, and then for dtau of the prescribed ones.
// Order 0 is what Derivatives gives.
#include <algorithm>
#include <array>
#include <jounce/algorithm/series_workspace.hpp>
#include <jounce/model/manifold.hpp>
#include <jounce/series_derivatives.hpp>

#include "doors/derivatives_impl.hpp"
#include "linear_algebra/lu.hpp"
#include "linear_algebra/vectors.hpp"
#include "series/factorial.hpp"
#include "series/matrices.hpp"
#include "series/series_equations.hpp"
#include "series/taylor_arguments.hpp"

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
void add(const Square& A, double s, double* out) {
  dense::add_multiple(int(A.numbers.size()), s, A.data(), out);
}

/// out += scale A B; B is mostly zero.
void add_product(const Square& A, const Square& B, double scale, Square& out) {
  for (int c = 0; c < B.columns; ++c)
    for (int j = 0; j < B.rows; ++j)
      if (B(j, c) != 0) dense::add_multiple(A.rows, scale * B(j, c), A.column(j), out.column(c));
}

}  // namespace

struct SeriesDerivatives::Impl : SeriesEquations {
  using DerivativesNow = detail::DerivativesImpl<double, double>;

  Impl(Robot robot_, int order_)
      : SeriesEquations(std::move(robot_), order_),
        n(nv()),
        order(order_),
        along(n, order),
        v(size_t(n * (order + 2))),
        V_0(size_t(order) + 2),
        padded_inverse(size_t(padded_row(n)) * size_t(n)),
        mass_inverse(n, n),
        rest(n, n) {
    if (order == 0) now = std::make_unique<DerivativesNow>(robot);
    matrices = make_matrix_series(robot, order);
    free_mass.resize(n);
    for (auto* deviation : {&dq, &dv, &da}) deviation->assign(size_t(order) + 2, Square(n, n));
    for (const Factor& f : factors(robot.system()))
      if (!is_flat(f))
        turning.push_back(
            {f, std::vector<Block>(size_t(order) + 2), std::vector<Block>(size_t(order) + 2)});
  }

  void run(std::span<const double> q, const MatrixArg& given, const SeriesSurroundings& around);
  void run_mass_inverse(std::span<const double> q);
  void run_inverse_now(const char* caller, std::span<const double> q, const MatrixArg& given,
                       const SeriesSurroundings& around, double* tau, double* blocks);
  void extend_turns(int s);
  void write_force(int r, int s, double* out) const;
  void start(int s);
  void extend_deviation(int r);
  void solve(int r, int s);
  void add_known(int r, double scale, Square& sum) const;
  void factor_free(const bool* prescribed);
  void solve_mixed(const bool* prescribed, int r, int s, double* out);
  void require_finite_blocks(const char* caller, const double* blocks) const;

  int n, order;
  std::unique_ptr<DerivativesNow> now;  ///< for order 0
  std::unique_ptr<MatrixSeries> matrices;
  DerivativeSeries along;  ///< A, B and M
  std::vector<double> v;   ///< [order + 2][nv] coefficients
  std::vector<Twist<double>> V_0;
  std::vector<TurningPart> turning;
  detail::ZeroNumbers<double> padded_inverse;
  Square mass_inverse, rest;
  dense::LuFactors free_mass;      ///< M[0] with 1 for the prescribed coordinates
  std::vector<Square> dq, dv, da;  ///< [order + 2] coefficients of one deviation
};

/// A, B and M along the motion, and ad_v of the parts that turn.
void SeriesDerivatives::Impl::run(std::span<const double> q, const MatrixArg& given,
                                  const SeriesSurroundings& around) {
  SeriesMemory::load(given, order + 1, {v.data(), n});
  write_ground_series(around.ground, V_0);
  matrices->run({q.data(), v.data(), V_0.data(), around}, along);
  for (TurningPart& part : turning)
    for (int k = 0; k <= order; ++k) {
      const double* speed = v.data() + n * k + part.factor.v;
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

/// The inverse of the mass matrix, without padding.
void SeriesDerivatives::Impl::run_mass_inverse(std::span<const double> q) {
  invert("forward_series", q.data(), padded_inverse.data());
  for (int k = 0; k < n; ++k)
    std::copy_n(padded_inverse.data() + padded_row(n) * k, n, mass_inverse.column(k));
}

/// d tau^(r) by input s, after extend_turns: coefficient r of A dq + B dv + M da, times r!.
void SeriesDerivatives::Impl::write_force(int r, int s, double* out) const {
  std::fill(out, out + n * n, 0.0);
  const double scale = factorial(r);
  if (s <= r) add(along.dq[size_t(r - s)], scale / factorial(s), out);
  if (s >= 1 && s <= r + 1) add(along.dv[size_t(r - s + 1)], scale / factorial(s - 1), out);
  if (s >= 2) add(along.da[size_t(r - s + 2)], scale / factorial(s - 2), out);
  for (const TurningPart& part : turning)
    for (int k = s + 1; k <= r; ++k)
      for (int c = 0; c < part.factor.nv; ++c)
        for (int j = 0; j < part.factor.nv; ++j)
          dense::add_multiple(n, scale * part.Q[size_t(k)][size_t(6 * c + j)],
                              along.dq[size_t(r - k)].column(part.factor.v + j),
                              out + n * (part.factor.v + c));
}

/// Coefficients 0 of a deviation of the motion by input s.
void SeriesDerivatives::Impl::start(int s) {
  set_diagonal(dq[0], s == 0 ? 1 : 0);
  set_diagonal(dv[0], s == 1 ? 1 : 0);
}

/// Coefficients r + 1 of dv and dq from da[r] and what is below.
void SeriesDerivatives::Impl::extend_deviation(int r) {
  clear(dv[size_t(r + 1)]);
  add(da[size_t(r)], 1.0 / (r + 1), dv[size_t(r + 1)].data());
  Square& next = dq[size_t(r + 1)];
  next.numbers = dv[size_t(r)].numbers;
  for (const TurningPart& part : turning)
    for (int l = 0; l <= r; ++l)
      for (int c = 0; c < n; ++c)
        for (int j = 0; j < part.factor.nv; ++j)
          dense::add_multiple(part.factor.nv, -dq[size_t(r - l)](part.factor.v + j, c),
                              part.ad[size_t(l)].data() + 6 * j, next.column(c) + part.factor.v);
  dense::scale(n * n, 1.0 / (r + 1), next.data());
}

/// da[r] of a deviation by input s, from the coefficients below.
void SeriesDerivatives::Impl::solve(int r, int s) {
  set_diagonal(rest, r == s - 2 ? 1 / factorial(r) : 0);
  add_known(r, -1, rest);
  clear(da[size_t(r)]);
  add_product(mass_inverse, rest, 1, da[size_t(r)]);
}

/// Coefficient r of A dq + B dv + M da, without M[0] da[r].
void SeriesDerivatives::Impl::add_known(int r, double scale, Square& sum) const {
  for (int k = 0; k <= r; ++k) {
    add_product(along.dq[size_t(r - k)], dq[size_t(k)], scale, sum);
    add_product(along.dv[size_t(r - k)], dv[size_t(k)], scale, sum);
    if (k < r) add_product(along.da[size_t(r - k)], da[size_t(k)], scale, sum);
  }
}

void SeriesDerivatives::Impl::factor_free(const bool* prescribed) {
  Square& N = free_mass.matrix();
  N.numbers = along.da[0].numbers;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (prescribed[i] || prescribed[j]) N(i, j) = i == j ? 1 : 0;
  if (!free_mass.factor())
    throw ComputationError("hybrid_series: the mass matrix of the free coordinates of robot \"" +
                           robot.name() + "\" is singular");
}

/// da[r] of a deviation by input s, and what is found at order r: da of the free coordinates, dtau
/// of the prescribed ones.
void SeriesDerivatives::Impl::solve_mixed(const bool* prescribed, int r, int s, double* out) {
  const double given = r == s - 2 ? 1 / factorial(r) : 0;
  Square &known = rest, &accelerations = da[size_t(r)];
  clear(known);
  add_known(r, 1, known);
  for (int c = 0; c < n; ++c) {
    double* column = accelerations.column(c);
    for (int i = 0; i < n; ++i) {
      column[i] = i == c ? given : 0;
      if (prescribed[i]) continue;
      column[i] -= known(i, c);
      if (prescribed[c]) column[i] -= along.da[0](i, c) * given;
    }
    free_mass.solve(column);
  }
  if (out == nullptr) return;
  add_product(along.da[0], accelerations, 1, known);
  for (int c = 0; c < n; ++c)
    for (int i = 0; i < n; ++i)
      out[n * c + i] = (prescribed[i] ? known : accelerations)(i, c) * factorial(r);
}

/// Order 0: both from one sweep, the matrices where they belong.
void SeriesDerivatives::Impl::run_inverse_now(const char* caller, std::span<const double> q,
                                              const MatrixArg& given,
                                              const SeriesSurroundings& around, double* tau,
                                              double* blocks) {
  const std::span<const double> speed = given.column(0), change = given.column(1);
  series.check(caller, order, around);
  const Surroundings instant = at_instant(around);
  const bool tame = now->check(caller, q, {{"v", speed}, {"a", change}}, instant);
  const bool helped = around.joint_torques.columns() > 0;
  for (size_t j = 0; j < size_t(n); ++j) taus[j] = helped ? -around.joint_torques.column(0)[j] : 0;
  const auto at = [&](int s) { return blocks + block(n, 0, s); };
  const double* found =
      now->run_inverse_with_forces(now->keep(q, speed, change), instant, {at(0), at(1), at(2)});
  for (int j = 0; j < n; ++j) taus[size_t(j)] += found[j];
  require_finite_vector(robot, caller, "taus", taus.data());
  if (!tame) require_finite_blocks(caller, blocks);
  std::copy_n(taus.begin(), n, tau);
}

void SeriesDerivatives::Impl::require_finite_blocks(const char* caller,
                                                    const double* blocks) const {
  for (int r = 0; r <= order; ++r)
    for (int s = 0; s <= r + 2; ++s)
      if (const std::span one(blocks + block(n, r, s), size_t(n * n)); !all_finite(one))
        throw_not_finite(caller, "d(" + std::to_string(r) + ", " + std::to_string(s) + ")");
}

SeriesDerivatives::SeriesDerivatives(Robot robot, int order) {
  const int checked = checked_series_order("SeriesDerivatives", order);
  impl_ = std::make_unique<Impl>(std::move(robot), checked);
}
SeriesDerivatives::SeriesDerivatives(SeriesDerivatives&&) noexcept = default;
SeriesDerivatives& SeriesDerivatives::operator=(SeriesDerivatives&&) noexcept = default;
SeriesDerivatives::~SeriesDerivatives() = default;

const Robot& SeriesDerivatives::robot() const { return impl_->robot; }
int SeriesDerivatives::order() const { return impl_->order; }

void SeriesDerivatives::run_inverse(const VectorArg& q, const MatrixArg& motion,
                                    const SeriesSurroundings& around, double* series,
                                    double* blocks) {
  Impl& d = *impl_;
  const char* caller = "inverse_series";
  check_columns(caller, d.robot, d.order, "motion", motion, d.order + 2);
  if (d.order == 0) return d.run_inverse_now(caller, q, motion, around, series, blocks);
  d.inverse_series(q, motion, around);
  d.run(q, motion, around);
  for (int s = 0; s <= d.order + 2; ++s) {
    d.extend_turns(s);
    for (int r = std::max(0, s - 2); r <= d.order; ++r)
      d.write_force(r, s, blocks + block(d.n, r, s));
  }
  d.require_finite_blocks(caller, blocks);
  std::copy_n(d.taus.begin(), d.n * (d.order + 1), series);
}

void SeriesDerivatives::run_forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                                    const SeriesSurroundings& around, double* series,
                                    double* blocks) {
  Impl& d = *impl_;
  const char* caller = "forward_series";
  check_columns(caller, d.robot, d.order, "taus", taus, d.order + 1);
  d.forward_series(q, v, taus, around);
  if (d.order == 0) {
    double *dtau = d.now->padded_inverse.data(), *to = blocks + block(d.n, 0, 2);
    d.now->run_forward(
        caller, {std::span<const double>(q).data(), std::span<const double>(v).data()},
        d.given_forces().data(), d.at_instant(around), blocks, blocks + block(d.n, 0, 1), dtau);
    for (int k = 0; k < d.n; ++k) std::copy_n(dtau + padded_row(d.n) * k, d.n, to + d.n * k);
    d.require_finite_blocks(caller, blocks);
    std::copy_n(d.motion.begin(), 2 * d.n, series);
    return;
  }
  d.run(q, MatrixArg(d.motion, d.n), around);
  d.run_mass_inverse(q);
  for (int s = 0; s <= d.order + 2; ++s) {
    d.start(s);
    for (int r = 0; r <= d.order; ++r) {
      d.solve(r, s);
      d.extend_deviation(r);
      if (s > r + 2) continue;
      double* out = blocks + block(d.n, r, s);
      std::fill(out, out + d.n * d.n, 0.0);
      add(d.da[size_t(r)], factorial(r), out);
    }
  }
  d.require_finite_blocks(caller, blocks);
  std::copy_n(d.motion.begin(), d.n * (d.order + 2), series);
}

void SeriesDerivatives::run_hybrid(std::span<const bool> prescribed, const VectorArg& q,
                                   const MatrixArg& motion, const MatrixArg& taus,
                                   const SeriesSurroundings& around, double* series,
                                   double* blocks) {
  Impl& d = *impl_;
  const char* caller = "hybrid_series";
  check_columns(caller, d.robot, d.order, "motion", motion, d.order + 2);
  d.hybrid_series(prescribed, q, motion, taus, around);
  if (d.order == 0) {
    d.now->run_hybrid(
        caller, prescribed.data(),
        {std::span<const double>(q).data(), motion.column(0).data(), motion.column(1).data()},
        d.given_forces().data(), d.at_instant(around), blocks, blocks + block(d.n, 0, 1),
        blocks + block(d.n, 0, 2));
    d.require_finite_blocks(caller, blocks);
    for (size_t j = 0; j < size_t(d.n); ++j)
      series[j] = prescribed[j] ? d.taus[j] : d.motion[size_t(d.n) + j];
    return;
  }
  d.run(q, MatrixArg(d.motion, d.n), around);
  d.factor_free(prescribed.data());
  for (int s = 0; s <= d.order + 2; ++s) {
    d.start(s);
    for (int r = 0; r <= d.order; ++r) {
      double* out = s > r + 2 ? nullptr : blocks + block(d.n, r, s);
      d.solve_mixed(prescribed.data(), r, s, out);
      d.extend_deviation(r);
    }
  }
  d.require_finite_blocks(caller, blocks);
  for (int r = 0; r <= d.order; ++r)
    for (int j = 0; j < d.n; ++j) {
      const double a = d.motion[size_t(d.n * (r + 1) + j)], tau = d.taus[size_t(d.n * r + j)];
      series[d.n * r + j] = prescribed[size_t(j)] ? tau : a;
    }
}

}  // namespace jounce
