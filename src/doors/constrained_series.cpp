// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of closed loops of any order: one matrix for all, which is factored once; clusters are
// eliminated for each order.
//
// Along a motion, coefficient k of M a + b - A^T lambda has the numbers a_k and lambda_k only as
// M(q_0) a_k - A(q_0)^T lambda_k, and that of A a + Adot v has a_k only as A(q_0) a_k, because
// coefficient k of q and v consists of a_0 ... a_{k-1}. So a_k and lambda_k solve the equations of
// order zero, with what both are for a_k = lambda_k = 0 on the right-hand side: the closed-loop
// counterpart of [Ali] Lemma 2. Of dependent rows those sums U^T A count that do at the state, with
// U constant; the shortest lambda follows from what they do.
#include <jounce/algorithm/coordinate_series.hpp>

#include "doors/constrained_series_impl.hpp"
#include "finite_results.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

/// Columns of derivatives as coefficients.
void load_coefficients(const MatrixArg& x, std::vector<double>& to) {
  for (int k = 0; k < x.columns(); ++k)
    for (int j = 0; j < x.rows(); ++j)
      to[size_t(x.rows() * k + j)] = x.column(k)[size_t(j)] / factorial(k);
}
template <class Number>
void start_rows(const double* q, double time, const LoopLists& lists, RowSeries<Number>& to) {
  to.start(lists.view(), lists.own(), lists.own_rows());
  to.time = to.number(time);
  to.time.c[1] = 1;
  for (size_t k = 0; k < to.q.size(); ++k) to.q[k] = to.number(q[k]);
  for (auto* numbers : {&to.v, &to.a})
    for (Number& x : *numbers) x = to.number();
}
/// Rows to coefficient k of a motion with the coefficients v of velocities, [..][nv].
template <class Number>
void extend_rows(const Loops<double>& all, const double* v, int k, RowSeries<Number>& to) {
  to.set_order(k);
  const size_t n = to.v.size();
  for (size_t j = 0; j < n; ++j)
    for (int i = 0; i <= k; ++i) {
      to.v[j].c[i] = v[n * size_t(i) + j];
      to.a[j].c[i] = (i + 1) * v[n * size_t(i + 1) + j];
    }
  if (k > 0)
    for (const Factor& f : factors(to.system))
      extend_coordinates(f, k - 1, to.v.data() + f.v, to.q.data() + f.q);
  to.run_blocks(all);
}

}  // namespace

void ConstrainedSeries::Impl::start(const char* caller, std::span<const double> where,
                                    std::span<const Contact> contacts, double time, int last) {
  dyn.check(caller, where, {});
  dyn.set_contacts(caller, contacts, time);
  dyn.require_rank(caller);
  q.assign(where.begin(), where.end());
  v.assign(size_t(n() * (last + 2)), 0.0);
  derivatives.assign(v.size(), 0.0);
  tau.assign(size_t(n() * (last + 1)), 0.0);
  lambda.assign(size_t(m() * (last + 1)), 0.0);
  ID.assign(size_t(n()), 0.0);
  a_k.resize(ID.size());
  g.resize(dyn.open.size());
  if (low) start_rows(q.data(), time, dyn.lists, *low);
  else start_rows(q.data(), time, dyn.lists, *high);
}

void ConstrainedSeries::Impl::run_to(const char* caller, int k, const SeriesSurroundings& around) {
  if (low) extend_rows(dyn.lists.view(), v.data(), k, *low);
  else extend_rows(dyn.lists.view(), v.data(), k, *high);
  for (int i = 0; i <= k + 1; ++i)
    for (int j = 0; j < n(); ++j)
      derivatives[size_t(n() * i + j)] = v[size_t(n() * i + j)] * factorial(i);
  tree.inverse_series(q, {std::span<const double>(derivatives).first(size_t(n() * (k + 2))), n()},
                      around, caller);
  for (int j = 0; j < n(); ++j) ID[size_t(j)] = open_force(k, j);
}

void ConstrainedSeries::Impl::subtract_multipliers(int k, double* f) const {
  const auto subtract = [&](int j, int r) {
    for (int i = 1; i <= k; ++i) f[j] -= A(j, r, i) * lambda[size_t(m() * (k - i) + r)];
  };
  const LoopBlocks& blocks = own_blocks();
  for (int b = 0; b < blocks.count(); ++b)
    for (const int j : blocks.columns(b))
      for (const int r : blocks.rows(b)) subtract(j, r);
  for (int j = 0; j < n(); ++j)
    for (int r = dyn.lists.own_rows(); r < m(); ++r) subtract(j, r);
}

void ConstrainedSeries::Impl::load(std::span<const bool> prescribed, int k) {
  std::vector<double>& f = dyn.rhs;
  std::copy(ID.begin(), ID.end(), f.begin());
  subtract_multipliers(k, f.data());
  for (int j = 0; j < n(); ++j)
    f[size_t(j)] = (prescribed[size_t(j)] ? 0 : tau[size_t(n() * k + j)]) - f[size_t(j)];
  for (int r = 0; r < m(); ++r) g[size_t(r)] = rate(r, k);
}

bool ConstrainedSeries::Impl::solve_by_clusters(const char* caller,
                                                std::span<const bool> prescribed,
                                                const SeriesSurroundings& around, int last) {
  if (!dyn.clusters_serve()) return false;
  const double* still = dyn.room.zeros.data();
  const bool* held = prescribed.data() == all_free.get() ? nullptr : prescribed.data();
  for (int k = 0; k <= last; ++k) {
    run_to(caller, k, around);
    load(prescribed, k);
    std::copy_n(g.begin(), m(), dyn.rate.begin());
    if (!dyn.solve_by_clusters({q.data(), still, still}, ClusterEquations::given, held))
      return false;
    std::copy_n(dyn.more.begin(), m(), lambda.begin() + m() * k);
    for (int j = 0; j < n(); ++j) {
      if (prescribed[size_t(j)]) tau[size_t(n() * k + j)] = dyn.forces[size_t(j)];
      else v[size_t(n() * (k + 1) + j)] = dyn.rhs[size_t(j)] / (k + 1);
    }
  }
  shorten_picked(last);
  return true;
}

void ConstrainedSeries::Impl::solve(const char* caller, std::span<const bool> prescribed,
                                    const SeriesSurroundings& around, int last) {
  for (int k = 0; k <= last; ++k) {
    run_to(caller, k, around);
    load(prescribed, k);
    std::vector<double>& f = dyn.rhs;
    for (int j = 0; j < n(); ++j)
      if (prescribed[size_t(j)]) f[size_t(j)] = 0;
    if (k == 0) {
      dyn.factor(caller, q.data(), prescribed.data());
      std::copy_n(dyn.dense().view().own, M.size(), M.begin());
      dyn.write_rows({q.data(), dyn.room.zeros.data(), dyn.room.zeros.data()});
      dyn.take_apart(caller);
      dyn.pick_columns(prescribed, false);
      dyn.factor_apart(dyn.part.rank(), dyn.part.B());
      dyn.strain_by(Optimum::force, prescribed, true, nullptr);
    }
    dyn.gather(-1, g.data(), dyn.nu.data());
    require_reachable(caller, prescribed, k);
    dyn.part.gather(dyn.nu.data(), dyn.more.data());
    dyn.solve_factored(f.data(), dyn.more.data());
    dyn.part.spread(dyn.more.data(), dyn.nu.data());
    dyn.spread(dyn.nu.data(), lambda.data() + m() * k);
    for (int j = 0; j < n(); ++j) a_k[size_t(j)] = prescribed[size_t(j)] ? 0 : f[size_t(j)];
    subtract_multipliers(k, ID.data());
    for (int j = 0; j < n(); ++j) {
      if (!prescribed[size_t(j)]) v[size_t(n() * (k + 1) + j)] = a_k[size_t(j)] / (k + 1);
      else
        tau[size_t(n() * k + j)] =
            ID[size_t(j)] - dyn.along_rows(j) + dense::dot(n(), M.data() + n() * j, a_k.data());
    }
  }
}

void ConstrainedSeries::Impl::balance(const char* caller, int last,
                                      const SeriesSurroundings& around) {
  const std::span<const bool> motors = dyn.robot.actuated();
  for (int k = 0; k <= last; ++k) {
    run_to(caller, k, around);
    subtract_multipliers(k, ID.data());
    for (int j = 0; j < n(); ++j) dyn.rhs[size_t(j)] = motors[size_t(j)] ? 0 : ID[size_t(j)];
    dyn.part.solve_transposed(dyn.rhs.data(), dyn.nu.data());
    double scale = 0;
    for (int j = 0; j < n(); ++j) scale = std::max(scale, std::abs(ID[size_t(j)]));
    dyn.require_balance(caller, {q.data(), v.data()}, {}, scale);
    for (int j = 0; j < n(); ++j)
      tau[size_t(n() * k + j)] = motors[size_t(j)] ? ID[size_t(j)] - dyn.along_rows(j) : 0;
    dyn.spread(dyn.nu.data(), lambda.data() + m() * k);
  }
}

void ConstrainedSeries::Impl::write(const char* caller, int last, const Numbers& to) const {
  const auto check = [&](const char* what, const std::vector<double>& x, int count) {
    require_finite(caller, what, all_finite(std::span(x.data(), size_t(count))));
  };
  check("motion", v, n() * (last + 2));
  check("taus", tau, n() * (last + 1));
  check("lambdas", lambda, m() * (last + 1));
  const auto copy = [&](const std::vector<double>& from, int rows, int columns, double* out) {
    for (int k = 0; k < columns; ++k)
      for (int j = 0; j < rows; ++j) out[rows * k + j] = from[size_t(rows * k + j)] * factorial(k);
  };
  copy(v, n(), last + 2, to.motion);
  copy(tau, n(), last + 1, to.taus);
  copy(lambda, m(), last + 1, to.lambdas);
}

ConstrainedSeries::ConstrainedSeries(Robot robot, int order)
    : impl_(std::make_unique<Impl>(std::move(robot),
                                   checked_series_order("ConstrainedSeries", order))) {}
ConstrainedSeries::ConstrainedSeries(ConstrainedSeries&&) noexcept = default;
ConstrainedSeries& ConstrainedSeries::operator=(ConstrainedSeries&&) noexcept = default;
ConstrainedSeries::~ConstrainedSeries() = default;

const Robot& ConstrainedSeries::robot() const { return impl_->dyn.robot; }
int ConstrainedSeries::order() const { return impl_->order; }
int ConstrainedSeries::rows() const { return impl_->dyn.lists.own_rows(); }
void ConstrainedSeries::set_path(ConstrainedPath path) { impl_->dyn.path = path; }
int ConstrainedSeries::decide_rank(const VectorArg& q, double time) {
  return impl_->dyn.decide_rank("decide_rank", q, time);
}
ConstrainedSeries ConstrainedSeries::another() const {
  ConstrainedSeries own(robot(), order());
  own.impl_->dyn.take_rank_of(impl_->dyn);
  return own;
}

void ConstrainedSeries::run_forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                                    const SeriesSurroundings& around,
                                    std::span<const Contact> contacts, const Numbers& found) {
  Impl& d = *impl_;
  const char* name = "constrained_forward_series";
  const std::span<const double> where = q, speed = v;
  const int last = d.tree.series.order_of(name, "taus", taus, 1);
  check_v(d.dyn.robot, name, Named<double>{"v", speed});
  d.start(name, where, contacts, around.time, last);
  std::copy(speed.begin(), speed.end(), d.v.begin());
  load_coefficients(taus, d.tau);
  const std::span<const bool> none(d.all_free.get(), size_t(d.n()));
  if (!d.solve_by_clusters(name, none, around, last)) {
    d.solve(name, none, around, last);
    d.shorten(last, d.dyn.count, d.dyn.B);
  }
  d.write(name, last, found);
}

void ConstrainedSeries::run_hybrid(std::span<const bool> prescribed, const VectorArg& q,
                                   const MatrixArg& motion, const MatrixArg& taus,
                                   const SeriesSurroundings& around,
                                   std::span<const Contact> contacts, Optimum optimum,
                                   const Numbers& found) {
  Impl& d = *impl_;
  const char* name = "constrained_hybrid_series";
  const std::span<const double> where = q;
  const int last = d.tree.series.order_of(name, "motion", motion, 2);
  check_prescribed(d.dyn.robot, name, prescribed);
  check_columns(name, d.dyn.robot, last, "taus", taus, last + 1);
  d.start(name, where, contacts, around.time, last);
  load_coefficients(motion, d.v);
  for (int k = 1; k <= last + 1; ++k)
    for (int j = 0; j < d.n(); ++j)
      if (!prescribed[size_t(j)]) d.v[size_t(d.n() * k + j)] = 0;
  load_coefficients(taus, d.tau);
  if (!d.solve_by_clusters(name, prescribed, around, last)) {
    d.solve(name, prescribed, around, last);
    if (d.dyn.strain.rank() > 0) d.run_to(name, last, around);  // with all that was found
    d.settle(name, optimum, prescribed, last);
  }
  d.write(name, last, found);
}

void ConstrainedSeries::run_inverse(const VectorArg& q, const MatrixArg& motion,
                                    const SeriesSurroundings& around,
                                    std::span<const Contact> contacts, Optimum optimum,
                                    const Numbers& found) {
  Impl& d = *impl_;
  const char* name = "constrained_inverse_series";
  const std::span<const double> where = q;
  const int last = d.tree.series.order_of(name, "motion", motion, 2);
  d.start(name, where, contacts, around.time, last);
  load_coefficients(motion, d.v);
  d.dyn.write_rows({d.q.data(), d.v.data(), d.v.data() + d.n()});
  d.dyn.require_consistent(name, d.v.data() + d.n());
  d.dyn.take_apart(name);
  d.dyn.pick_columns(d.dyn.robot.actuated(), false);
  d.dyn.strain_by(Optimum::force, d.dyn.robot.actuated(), true, nullptr);
  d.balance(name, last, around);
  d.settle(name, optimum, d.dyn.robot.actuated(), last);
  d.write(name, last, found);
}

}  // namespace jounce
