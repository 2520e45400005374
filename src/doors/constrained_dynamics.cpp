// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of closed loops: forward, inverse and hybrid, impulses.
//
// [Kim] section 3 distinguishes his cases by counting rows and coordinates; here ranks decide,
// because rows may depend on one another. With U^T A = B, the rows that count:
//   forward  M a - B^T nu = tau - b,  B a = -U^T Adot v                              (67)-(69)
//   inverse  B_p^T nu = (M a + b)_p - tau_p, what is left of nu is the strain N s     (57)-(66)
//   hybrid   as forward in the coordinates that are free, rows B_f; nu as inverse     (70)-(80)
#include <cmath>

#include "doors/constrained_impl.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"
#include "quotes.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// Below it, of the longest row, a pivot of rows counts as none where the rank is not known.
constexpr double no_row_of_contact = 1e-9;
/// Rows picked where the rank was decided serve while their pivots are larger than this.
constexpr double rows_serve = 1e-4;
/// What a motion may be off the loops, of its own size: rows are known no better where the loops
/// are open by as much.
constexpr double consistent = 1e-6;

}  // namespace

detail::ConstrainedImpl::ConstrainedImpl(Robot robot_)
    : Base(std::move(robot_)),
      lists(robot),
      rhs(size_t(nv())),
      forces(rhs),
      at(size_t(robot.nq())),
      trial(at),
      step(rhs) {
  dense();
  set_contacts("ConstrainedDynamics", {});
  const std::vector<double> closed = robot.closed();
  const AssemblyReport found = close(closed.data(), nullptr, at.data());
  if (found.converged) {
    decide_rank_at(std::vector<double>(at).data());
  } else {
    undecided = "robot " + in_quotes(robot.name()) +
                " could not be closed from its own configuration, " + lists.name(found.worst_loop) +
                " is open by " + short_text(found.residual);
  }
}

void detail::ConstrainedImpl::set_contacts(const char* caller, std::span<const Contact> contacts) {
  lists.set_contacts(caller, contacts);
  const Loops<double>& all = lists.view();
  width = padded_constraints(std::max(all.rows, 1));
  if (rate.size() >= size_t(width) && column.size() >= size_t(all.longest) &&
      motion.size() >= size_t(all.count))
    return;
  const int n = nv();
  for (auto* x : {&A, &Y}) *x = detail::ZeroNumbers<double>(size_t(n) * size_t(width));
  S = detail::ZeroNumbers<double>(size_t(width) * size_t(width));
  for (auto* x : {&in_order, &picked_rows, &strain_rows}) x->resize(size_t(width) * size_t(n));
  for (auto* x : {&gram, &ties}) x->resize(size_t(width) * size_t(width));
  for (auto* x : {&rate, &nu, &open, &mixed}) x->resize(size_t(width));
  for (auto* x : {&chosen, &others}) x->reserve(size_t(width));
  more.resize(size_t(std::max(width, n)));
  ranges.resize(size_t(n));
  motion.resize(size_t(all.count));
  column.resize(size_t(all.longest));
  for (auto* x : {&own, &independent, &part, &strain}) x->resize(width, n);
}

void detail::ConstrainedImpl::require_rank(const char* caller) const {
  if (rank < 0)
    throw ComputationError(std::string(caller) + ": the rank of the loops is not known: " +
                           undecided + "; call decide_rank where they are closed");
}

void detail::ConstrainedImpl::write_rows(const OwnState<double>& x) {
  tree.kernel.loop_rows(system(), lists.view(), equations().tree_state(x), workspace(),
                        {A.data(), width, rate.data(), motion.data(), column.data()});
}

const double* detail::ConstrainedImpl::rows_in_order() {
  for (int i = 0; i < rows(); ++i)
    for (int k = 0; k < nv(); ++k) in_order[size_t(nv() * i + k)] = A.data()[width * k + i];
  return in_order.data();
}

void detail::ConstrainedImpl::take_apart(const char* caller) {
  require_rank(caller);
  apart = true;
  const double* row = rows_in_order();
  if (touching()) {  // the rank of the loops is kept, that of all rows looked at
    const int n = nv(), many = lists.own_rows(), all = rank + rows() - many;
    own.reduce(many, n, row, rank);
    std::copy_n(own.B(), n * rank, picked_rows.begin());
    std::copy_n(row + n * many, n * (rows() - many), picked_rows.begin() + n * rank);
    double longest = 0;
    for (int i = 0; i < all; ++i)
      longest = std::max(longest, dense::norm(n, picked_rows.data() + n * i));
    independent.reduce(all, n, picked_rows.data(), -1, no_row_of_contact * longest);
  } else {
    independent.reduce(rows(), nv(), row, rank);
  }
  B = independent.B(), count = independent.rank();
  margin = independent.margin();
  defect = std::max(independent.defect(), touching() ? own.defect() : 0);
}
void detail::ConstrainedImpl::spread(const double* multipliers, double* lambda) {
  if (!apart) return void(std::copy_n(multipliers, count, lambda));
  if (!touching()) return independent.spread(multipliers, lambda);
  independent.spread(multipliers, mixed.data());
  own.spread(mixed.data(), lambda);
  std::copy_n(mixed.begin() + rank, rows() - lists.own_rows(), lambda + lists.own_rows());
}
void detail::ConstrainedImpl::gather(double factor, const double* x, double* to) {
  if (!apart) {
    std::copy_n(x, count, to);
  } else if (touching()) {
    own.gather(x, mixed.data());
    std::copy_n(x + lists.own_rows(), rows() - lists.own_rows(), mixed.begin() + rank);
    independent.gather(mixed.data(), to);
  } else {
    independent.gather(x, to);
  }
  dense::scale(count, factor, to);
}

void detail::ConstrainedImpl::factor_rows(std::span<const int> of_A) {
  const int n = nv(), many = int(of_A.size());
  const auto before = [&](int row) {
    return int(std::lower_bound(of_A.begin(), of_A.end(), row) - of_A.begin());
  };
  std::copy(lists.ranges().begin(), lists.ranges().end(), ranges.begin());
  if (many == rows()) {
    std::copy_n(A.data(), n * width, Y.data());
  } else {
    std::fill_n(Y.data(), n * width, 0.0);
    for (int k = 0; k < n; ++k) {
      ConstraintRange& range = ranges[size_t(k)];
      range = {before(range.first), before(range.last)};
      for (int i = range.first; i < range.last; ++i)
        Y.data()[width * k + i] = A.data()[width * k + of_A[size_t(i)]];
    }
  }
  factors = {
      dense().pattern.view(), dense().LD.data(), ranges.data(), many, width, Y.data(), S.data()};
  const PivotRange<double> found = tree.kernel.constrained_factor(factors);
  margin = many > 0 ? std::sqrt(std::max(found.smallest, 0.0) / found.largest) : 1;
}
void detail::ConstrainedImpl::factor_apart(int many, const double* B_rows) {
  const int n = nv();
  std::fill_n(Y.data(), n * width, 0.0);
  for (int i = 0; i < many; ++i)
    for (int k = 0; k < n; ++k) Y.data()[width * k + i] = B_rows[n * i + k];
  std::fill(ranges.begin(), ranges.end(), ConstraintRange{0, many});
  factors = {
      dense().pattern.view(), dense().LD.data(), ranges.data(), many, width, Y.data(), S.data()};
  tree.kernel.constrained_factor(factors);
}

/// Of rows that are known to depend on the chosen ones, others = C chosen, the shortest lambda is
/// (mu, C mu) with (1 + C^T C) mu = nu.
void detail::ConstrainedImpl::spread_picked(double* lambda) {
  const int r = int(chosen.size()), m = int(others.size());
  rows_in_order();
  const auto at_row = [&](int i) { return in_order.data() + nv() * i; };
  double longest = 0;
  for (int i = 0; i < r; ++i)
    for (int j = i; j < r; ++j)
      gram[size_t(width * i + j)] =
          dense::dot(nv(), at_row(chosen[size_t(i)]), at_row(chosen[size_t(j)]));
  for (int i = 0; i < r; ++i) longest = std::max(longest, gram[size_t((width + 1) * i)]);
  symmetric_factor(r, width, gram.data());
  defect = 0;
  for (int i = 0; i < m; ++i) {
    double* C = ties.data() + width * i;
    double* off = at_row(others[size_t(i)]);
    for (int j = 0; j < r; ++j) C[j] = dense::dot(nv(), off, at_row(chosen[size_t(j)]));
    symmetric_solve(r, width, gram.data(), C);
    for (int j = 0; j < r; ++j) dense::add_multiple(nv(), -C[j], at_row(chosen[size_t(j)]), off);
    defect = std::max(defect, dense::norm(nv(), off));
  }
  defect = longest > 0 ? defect / std::sqrt(longest) : 0;
  for (int i = 0; i < r; ++i)
    for (int j = i; j < r; ++j) {
      double sum = i == j ? 1 : 0;
      for (int k = 0; k < m; ++k) sum += ties[size_t(width * k + i)] * ties[size_t(width * k + j)];
      gram[size_t(width * i + j)] = sum;
    }
  symmetric_factor(r, width, gram.data());
  symmetric_solve(r, width, gram.data(), nu.data());
  for (int i = 0; i < r; ++i) lambda[chosen[size_t(i)]] = nu[size_t(i)];
  for (int i = 0; i < m; ++i)
    lambda[others[size_t(i)]] = dense::dot(r, ties.data() + width * i, nu.data());
}

void detail::ConstrainedImpl::solve(const char* caller, const double* g, double* lambda,
                                    bool sums) {
  require_rank(caller);
  chosen.assign(picked.begin(), picked.end());
  for (int i = lists.own_rows(); i < rows(); ++i) chosen.push_back(i);
  others.clear();
  for (int i = 0, next = 0; i < lists.own_rows(); ++i)
    if (next < int(picked.size()) && picked[size_t(next)] == i) ++next;
    else others.push_back(i);
  factor_rows(chosen);
  apart = false, count = int(chosen.size()), defect = 0;
  const bool doubtful = margin < rows_serve && (touching() || !others.empty());
  if (doubtful || (sums && !others.empty())) {
    take_apart(caller);
    factor_apart(count, B);
    gather(1, g, nu.data());
    tree.kernel.constrained_solve(factors, rhs.data(), nu.data());
    return spread(nu.data(), lambda);
  }
  for (size_t i = 0; i < chosen.size(); ++i) nu[i] = g[chosen[i]];
  tree.kernel.constrained_solve(factors, rhs.data(), nu.data());
  if (others.empty()) std::copy_n(nu.begin(), count, lambda);
  else spread_picked(lambda);
}

void detail::ConstrainedImpl::run_forward(const char* caller, const OwnState<double>& x,
                                          const double* tau, const Surroundings& around,
                                          bool sums) {
  const OwnState<double> still{x.q, x.v, room.zeros.data()};
  const double* b = equations().inverse(still, around);
  for (int k = 0; k < nv(); ++k) rhs[size_t(k)] = tau[k] - b[k];
  factor(caller, x.q, nullptr);
  write_rows(still);
  for (int i = 0; i < rows(); ++i) open[size_t(i)] = -rate[size_t(i)];
  solve(caller, open.data(), more.data(), sums);
  require_finite_vector(robot, caller, "a", rhs.data());
  for (int k = 0; k < nv(); ++k)
    dense::add_multiple(rows(), rhs[size_t(k)], A.data() + width * k, rate.data());
}

double detail::ConstrainedImpl::largest_rate() const {
  double largest = 0;
  for (int i = 0; i < rows(); ++i) largest = std::max(largest, std::abs(rate[size_t(i)]));
  return largest;
}
ConstraintReport detail::ConstrainedImpl::report() const {
  return {count, margin, defect, largest_rate(), 0};
}

/// `rate` is A a + Adot v.
void detail::ConstrainedImpl::require_consistent(const char* caller, const double* a) const {
  int worst = 0;
  double off = 0;
  for (int k = 0; k < lists.view().count; ++k) {
    const Loop<double>& loop = lists.view().loop[k];
    for (int i = loop.row; i < loop.row + jounce::rows(loop.kind); ++i) {
      double scale = 0;  // of the terms that should cancel
      for (int j = 0; j < nv(); ++j) scale += std::abs(A.data()[width * j + i] * a[j]);
      const double share = std::abs(rate[size_t(i)]) - consistent * std::max(scale, 1e-3);
      if (share > off) off = share, worst = k;
    }
  }
  if (off > 0)
    throw ComputationError(std::string(caller) + ": the accelerations would open " +
                           lists.name(worst) + ": A a + Adot v is " + short_text(largest_rate()) +
                           ", needs 0");
}

ConstrainedDynamics::ConstrainedDynamics(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
ConstrainedDynamics::ConstrainedDynamics(ConstrainedDynamics&&) noexcept = default;
ConstrainedDynamics& ConstrainedDynamics::operator=(ConstrainedDynamics&&) noexcept = default;
ConstrainedDynamics::~ConstrainedDynamics() = default;

const Robot& ConstrainedDynamics::robot() const { return impl_->robot; }
int ConstrainedDynamics::rows() const { return impl_->lists.own_rows(); }
int ConstrainedDynamics::rows(std::span<const Contact> contacts) {
  int sum = 0;
  for (const Contact& contact : contacts) sum += jounce::rows(contact.kind);
  return sum;
}
int ConstrainedDynamics::rank() const { return impl_->rank; }
int ConstrainedDynamics::mobility() const {
  impl_->require_rank("mobility");
  return impl_->nv() - impl_->rank;
}
int ConstrainedDynamics::first_row(int loop) const {
  if (loop < 0 || loop >= impl_->lists.own())
    throw InputError("first_row: robot " + in_quotes(robot().name()) + " has no loop number " +
                     std::to_string(loop) + ", it has " + std::to_string(impl_->lists.own()));
  return impl_->lists.view().loop[loop].row;
}

ConstraintReport ConstrainedDynamics::forward(const VectorArg& q, const VectorArg& v,
                                              const VectorArg& tau, const Surroundings& around,
                                              std::span<const Contact> contacts,
                                              const Into<double>& a, const Into<double>& lambda) {
  Impl& d = *impl_;
  const char* name = "constrained_forward";
  const std::span<const double> where = q, speed = v, force = tau;
  d.check(name, where, {{"v", speed}, {"tau", force}}, around);
  d.set_contacts(name, contacts);
  double* to_a = detail::checked_into(d.robot, name, "a", a, d.nv());
  double* to_lambda = detail::checked_into(d.robot, name, "lambda", lambda, d.rows());
  d.run_forward(name, {where.data(), speed.data()}, force.data(), around, false);
  std::copy(d.rhs.begin(), d.rhs.end(), to_a);
  std::copy_n(d.more.begin(), d.rows(), to_lambda);
  return d.report();
}

}  // namespace jounce
