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
#include "finite_results.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"
#include "quotes.hpp"
#include "state_check.hpp"

namespace jounce {

detail::ConstrainedImpl::ConstrainedImpl(Robot robot_)
    : Base(std::move(robot_)),
      lists(robot),
      rhs(size_t(Base::nv())),
      forces(rhs),
      at(size_t(robot.nq())),
      trial(at),
      step(rhs) {
  if (solves_by_factors() || lists.own() > 0) dense();
  set_contacts("ConstrainedDynamics", {});
  const std::vector<double> closed = robot.closed();
  const AssemblyReport found = close(closed.data(), nullptr, Metric::coordinates, at.data());
  if (found.converged) {
    decide_rank_at(std::vector<double>(at).data());
  } else {
    undecided = "robot " + in_quotes(robot.name()) +
                " could not be closed from its own configuration, " + lists.name(found.worst_loop) +
                " is open by " + short_text(found.residual);
  }
}

void detail::ConstrainedImpl::set_contacts(const char* caller, std::span<const Contact> contacts,
                                           double time_) {
  if (!std::isfinite(time_)) throw InputError(std::string(caller) + ": time is not finite");
  time = time_;
  lists.set_contacts(caller, contacts);
  const Loops<double>& all = lists.view();
  width = padded_constraints(all.rows + 1);  // a right-hand side beside them
  if (motion.size() < size_t(all.count)) motion.resize(size_t(all.count));
  if (column.size() <= size_t(all.longest)) column.resize(size_t(all.longest) + 1);
  if (rate.size() < size_t(width)) make_room();
  clusters.carry(model(), lists);
}
/// For rows of this width.
void detail::ConstrainedImpl::make_room() {
  const int n = nv();
  for (auto* x : {&A, &Y}) *x = detail::ZeroNumbers<double>(size_t(n) * size_t(width));
  S = detail::ZeroNumbers<double>(size_t(width) * size_t(width));
  if (!solves_by_factors()) {
    K = detail::ZeroNumbers<double>(size_t(6 * width) * size_t(model().bodies));
    Z = detail::ZeroNumbers<double>(size_t(6 * width));
  }
  in_order.resize(size_t(width) * size_t(n));
  for (auto* x : {&picked_rows, &strain_rows})
    *x = detail::ZeroNumbers<double>(size_t(width) * size_t(n));
  for (auto* x : {&gram, &ties}) *x = detail::ZeroNumbers<double>(size_t(width) * size_t(width));
  for (auto* x : {&rate, &drift, &nu, &open, &mixed}) x->resize(size_t(width));
  for (auto* x : {&chosen, &others}) x->reserve(size_t(width));
  more.resize(size_t(std::max(width, n)));
  ranges.resize(size_t(n));
  inverse_D.resize(size_t(n));
  for (auto* x : {&own, &independent, &part, &strain}) x->resize(width, n);
}

void detail::ConstrainedImpl::require_rank(const char* caller) const {
  if (rank < 0)
    throw ComputationError(std::string(caller) + ": the rank of the loops is not known: " +
                           undecided + "; call decide_rank where they are closed");
}

void detail::ConstrainedImpl::require_finite_rows(const char* caller, const char* what,
                                                  const double* x) const {
  require_finite(caller, what, all_finite(std::span(x, size_t(rows()))));
}

void detail::ConstrainedImpl::write_rows(const OwnState<double>& x, bool turned) {
  tree.kernel.loop_rows(
      system(), lists.view(), equations().tree_state(x), workspace(),
      {A.data(), width, rate.data(), motion.data(), column.data(), time, drift.data(), turned});
}

const double* detail::ConstrainedImpl::rows_in_order() {
  const int n = nv(), all = rows();
  for (int first = 0; first < all; first += constraint_register) {  // a line of A at a time
    const int last = std::min(all, first + constraint_register);
    for (int k = 0; k < n; ++k)
      for (int i = first; i < last; ++i) in_order[size_t(n * i + k)] = A.data()[width * k + i];
  }
  return in_order.data();
}

void detail::ConstrainedImpl::take_apart(const char* caller) {
  require_rank(caller);
  apart = true, contacts_stand = false;
  const double* row = rows_in_order();
  if (touching()) {  // the rank of the loops is kept, that of all rows looked at
    const int n = nv(), many = lists.own_rows(), all = rank + rows() - many;
    own.reduce(many, n, row, rank);
    std::copy_n(own.B(), n * rank, picked_rows.data());
    std::copy_n(row + n * many, n * (rows() - many), picked_rows.data() + n * rank);
    const double longest = dense::longest_row(all, n, picked_rows.data());
    independent.reduce(all, n, picked_rows.data(), -1, no_row * longest);
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
  if (contacts_stand) std::copy_n(multipliers, count, mixed.begin());
  else independent.spread(multipliers, mixed.data());
  own.spread(mixed.data(), lambda);
  std::copy_n(mixed.begin() + rank, rows() - lists.own_rows(), lambda + lists.own_rows());
}
void detail::ConstrainedImpl::gather(double factor, const double* x, double* to) {
  if (!apart) {
    for (int i = 0; i < count; ++i) to[i] = factor * x[i];
    return;
  }
  if (touching()) {
    own.gather(x, mixed.data());
    std::copy_n(x + lists.own_rows(), rows() - lists.own_rows(), mixed.begin() + rank);
    if (contacts_stand) std::copy_n(mixed.begin(), count, to);
    else independent.gather(mixed.data(), to);
  } else {
    independent.gather(x, to);
  }
  dense::scale(count, factor, to);
}

double* detail::ConstrainedImpl::load_rows(std::span<const int> of_A) {
  const int n = nv(), many = int(of_A.size());
  const auto before = [&](int row) {
    return int(std::lower_bound(of_A.begin(), of_A.end(), row) - of_A.begin());
  };
  std::copy(lists.ranges().begin(), lists.ranges().end(), ranges.begin());
  if (many == rows()) return A.data();
  std::fill_n(Y.data(), n * width, 0.0);
  for (int k = 0; k < n; ++k) {
    ConstraintRange& range = ranges[size_t(k)];
    range = {before(range.first), before(range.last)};
    for (int i = range.first; i < range.last; ++i)
      Y.data()[width * k + i] = A.data()[width * k + of_A[size_t(i)]];
  }
  return Y.data();
}
void detail::ConstrainedImpl::view_factors(const double* from, int many, const double* g) {
  factors = {dense().pattern.view(),
             dense().LD.data(),
             ranges.data(),
             many,
             width,
             from,
             Y.data(),
             S.data(),
             inverse_D.data(),
             g};
}
void detail::ConstrainedImpl::factor_rows(std::span<const int> of_A, bool by_bodies) {
  const int many = int(of_A.size());
  double* from = load_rows(of_A);
  PivotRange<double> found;
  if (by_bodies) {
    if (from != Y.data()) std::copy_n(from, nv() * width, Y.data());
    bodies = {ranges.data(), many, width, Y.data(), S.data(), K.data(), Z.data()};
    found = tree.kernel.constrained_bodies_factor(model(), workspace(), bodies);
  } else {
    for (size_t k = 0; k < rhs.size(); ++k) from[size_t(width) * k + size_t(many)] = rhs[k];
    view_factors(from, many, nu.data());
    found = tree.kernel.constrained_factor(factors);
  }
  margin = many == 0           ? 1
           : found.largest > 0 ? std::sqrt(std::max(found.smallest, 0.0) / found.largest)
                               : 0;
}
void detail::ConstrainedImpl::factor_apart(int many, const double* B_rows) {
  const int n = nv();
  std::fill_n(Y.data(), n * width, 0.0);
  for (int i = 0; i < many; ++i)
    for (int k = 0; k < n; ++k) Y.data()[width * k + i] = B_rows[n * i + k];
  std::fill(ranges.begin(), ranges.end(), ConstraintRange{0, many});
  view_factors(Y.data(), many, nullptr);
  tree.kernel.constrained_factor(factors);
}

void detail::ConstrainedImpl::spread_picked(double* lambda) {
  rows_in_order();
  const DependentRows which{chosen.data(), others.data(), int(chosen.size()), int(others.size())};
  defect = shortest_multipliers(which, nv(), in_order.data(), width, gram.data(), ties.data(),
                                nu.data(), lambda);
}

void detail::ConstrainedImpl::choose_rows() {
  chosen.assign(picked.begin(), picked.end());
  for (int i = lists.own_rows(); i < rows(); ++i) chosen.push_back(i);
  others.clear();
  for (int i = 0, next = 0; i < lists.own_rows(); ++i)
    if (next < int(picked.size()) && picked[size_t(next)] == i) ++next;
    else others.push_back(i);
  apart = false, count = int(chosen.size()), defect = 0;
}

bool detail::ConstrainedImpl::rows_are_doubtful() const {
  return margin < rows_serve && (touching() || !others.empty());
}

bool detail::ConstrainedImpl::solve_by_bodies(const double* g, double* lambda) {
  choose_rows();
  factor_rows(chosen, true);
  if (rows_are_doubtful()) return false;
  for (int i = 0; i < rows(); ++i) more[size_t(i)] = g[i];
  for (double& x : rhs) x = -x;
  add_motion(rhs.data(), more.data());
  for (double& x : rhs) x = -x;
  for (size_t i = 0; i < chosen.size(); ++i) nu[i] = more[size_t(chosen[i])];
  std::fill(nu.begin() + count, nu.end(), 0.0);
  tree.kernel.constrained_bodies_solve(model(), workspace(), bodies, rhs.data(), nu.data());
  write_multipliers(lambda);
  return true;
}

void detail::ConstrainedImpl::write_multipliers(double* lambda) {
  if (others.empty()) std::copy_n(nu.begin(), count, lambda);
  else spread_picked(lambda);
}

void detail::ConstrainedImpl::solve_factored(double* x, double* multipliers) {
  std::fill(multipliers + factors.rows, multipliers + width, 0.0);
  tree.kernel.constrained_solve(factors, x, multipliers);
}

void detail::ConstrainedImpl::solve(const char* caller, const double* g, double* lambda,
                                    bool sums) {
  choose_rows();
  for (size_t i = 0; i < chosen.size(); ++i) nu[i] = g[chosen[i]];
  factor_rows(chosen, false);
  if (rows_are_doubtful() || (sums && !others.empty())) {
    take_apart(caller);
    factor_apart(count, B);
    gather(1, g, nu.data());
    solve_factored(rhs.data(), nu.data());
    return spread(nu.data(), lambda);
  }
  tree.kernel.constrained_finish(factors, rhs.data(), nu.data());
  write_multipliers(lambda);
}

bool detail::ConstrainedImpl::forward_by_bodies(const char* caller, const OwnState<double>& x,
                                                const double* tau, const Surroundings& around) {
  if (solves_by_factors()) return false;
  std::copy_n(forward(caller, x.q, x.v, tau, around), nv(), rhs.begin());
  tree.keep_factors(workspace());
  write_rows(x);
  for (int i = 0; i < rows(); ++i) open[size_t(i)] = -rate[size_t(i)];
  return solve_by_bodies(open.data(), more.data());
}

void detail::ConstrainedImpl::load_forces(const OwnState<double>& still, const double* tau,
                                          const Surroundings& around) {
  const double* b = equations().inverse(still, around);
  for (size_t k = 0; k < rhs.size(); ++k) rhs[k] = tau[k] - b[k];
}
void detail::ConstrainedImpl::load_factors(const char* caller, const OwnState<double>& still,
                                           const double* tau, const Surroundings& around) {
  if (robot.has_mimic()) {
    load_forces(still, tau, around);
    return factor(caller, still.q, nullptr);
  }
  const State<double> state = equations().set_up(still, around);
  tree.kernel.mass_and_bias(model(), state, workspace(), tree.room(), dense().tree.data());
  double* b = equations().gathered();
  equations().add_passive(still, around, 1, b);
  for (size_t k = 0; k < rhs.size(); ++k) rhs[k] = tau[k] - b[k];
  factor_matrix(caller, dense().tree.data(), nullptr);
}

void detail::ConstrainedImpl::run_forward(const char* caller, const OwnState<double>& x,
                                          const double* tau, const Surroundings& around,
                                          bool sums) {
  require_rank(caller);
  const OwnState<double> still{x.q, x.v, room.zeros.data()};
  const bool fastest = !sums && path != ConstrainedPath::factors;
  if (fastest && clusters_serve()) {
    load_forces(still, tau, around);
    if (solve_by_clusters(still, ClusterEquations::accelerations))
      return require_finite_vector(robot, caller, "a", rhs.data());
  }
  if (!fastest || !forward_by_bodies(caller, still, tau, around)) {
    load_factors(caller, still, tau, around);
    write_rows(still, !robot.has_mimic());
    for (int i = 0; i < rows(); ++i) open[size_t(i)] = -rate[size_t(i)];
    solve(caller, open.data(), more.data(), sums);
  }
  require_finite_vector(robot, caller, "a", rhs.data());
  add_motion(rhs.data(), rate.data());
}

void detail::ConstrainedImpl::add_motion(const double* x, double* to) const {
  for (int k = 0, n = nv(); k < n; ++k) {  // pairs: ranges are short, A has room behind its rows
    const ConstraintRange& range = lists.ranges()[size_t(k)];
    const double *a = A.data() + width * k, by = x[k];
    for (int i = range.first / 2 * 2; i < range.last; i += 2) {
      const double one = to[i] + by * a[i], two = to[i + 1] + by * a[i + 1];
      to[i] = one, to[i + 1] = two;
    }
  }
}

double detail::ConstrainedImpl::largest_rate() const {
  double largest = 0;
  for (int i = 0; i < rows(); ++i) largest = std::max(largest, std::abs(rate[size_t(i)]));
  return largest;
}
ConstraintReport detail::ConstrainedImpl::report() const {
  return {count, margin, defect, largest_rate(), 0};
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
ConstrainedDynamics ConstrainedDynamics::another() const {
  ConstrainedDynamics own(robot());
  own.impl_->take_rank_of(*impl_);
  return own;
}
void detail::ConstrainedImpl::take_rank_of(const ConstrainedImpl& other) {
  rank = other.rank;
  picked = other.picked;
  path = other.path;
  if (rank >= 0) list_clusters();
}
void ConstrainedDynamics::set_path(ConstrainedPath path) { impl_->path = path; }
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
  d.set_contacts(name, contacts, around.time);
  double* to_a = detail::checked_into(d.robot, name, "a", a, d.nv());
  double* to_lambda = detail::checked_into(d.robot, name, "lambda", lambda, d.rows());
  d.run_forward(name, {where.data(), speed.data()}, force.data(), around, false);
  d.require_finite_rows(name, "lambda", d.more.data());
  std::copy(d.rhs.begin(), d.rhs.end(), to_a);
  std::copy_n(d.more.begin(), d.rows(), to_lambda);
  return d.report();
}

}  // namespace jounce
