// SPDX-License-Identifier: BSD-3-Clause
// Inverse and hybrid dynamics of closed loops, where rows leave some of their forces open: the
// strain N s, with N the sums of rows that vanish in the coordinates which the forces must balance.
#include <cmath>

#include "doors/constrained_impl.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"
#include "quotes.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// What forces may lack of a balance, of their own size.
constexpr double balanced = 1e-7;

std::string motors_of(const Robot& robot, std::span<const bool> flags) {
  std::string names;
  int found = 0;
  for (const JointInfo& joint : robot.joints())
    if (!joint.mimic && flags[size_t(joint.v)] && found++ < 3)
      names += (names.empty() ? "" : ", ") + in_quotes(joint.name);
  if (found > 3) names += " and " + std::to_string(found - 3) + " more";
  return names.empty() ? "none" : names;
}

}  // namespace

/// `rate` is A a + Adot v.
void detail::ConstrainedImpl::require_consistent(const char* caller, const double* a) const {
  int worst = 0;
  double off = 0;
  for (int k = 0; k < lists.view().count; ++k) {
    const Loop<double>& loop = lists.view().loop[k];
    for (int i = loop.row; i < loop.row + jounce::rows(loop); ++i) {
      double scale = 0;  // of the terms that should cancel
      for_each_velocity(system(), loop,
                        [&](int j, double) { scale += std::abs(A.data()[width * j + i] * a[j]); });
      const double share = std::abs(rate[size_t(i)]) - consistent * std::max(scale, 1e-3);
      if (!std::isnan(off) && !(share <= off)) off = share, worst = k;
    }
  }
  if (!(off <= 0))
    throw ComputationError(std::string(caller) + ": the accelerations would open " +
                           lists.name(worst) + ": A a + Adot v is " + short_text(largest_rate()) +
                           ", needs 0");
}

void detail::ConstrainedImpl::pick_columns(std::span<const bool> flags, bool flag) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < nv(); ++k)
      picked_rows.data()[nv() * i + k] = flags[size_t(k)] == flag ? B[nv() * i + k] : 0;
  part.reduce(count, nv(), picked_rows.data(), -1, no_row * dense::longest_row(count, nv(), B));
}

double detail::ConstrainedImpl::along_rows(int k) const {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += B[nv() * i + k] * nu[size_t(i)];
  return sum;
}

void detail::ConstrainedImpl::strain_by(Optimum optimum, std::span<const bool> flags, bool flag,
                                        const double* h) {
  const int n = nv(), left = count - part.rank();
  std::fill_n(strain_rows.data(), left * n, 0.0);
  for (int s = 0; s < left; ++s)
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < n; ++k)
        if (flags[size_t(k)] == flag)
          strain_rows.data()[n * s + k] += part.mix(part.rank() + s)[i] * B[n * i + k];
  strain.reduce(left, n, strain_rows.data(), -1, no_row * dense::longest_row(count, n, B));
  if (optimum == Optimum::force) return;
  for (int k = 0; k < n; ++k) rhs[size_t(k)] = flags[size_t(k)] == flag ? h[k] - along_rows(k) : 0;
  strain.solve_transposed(rhs.data(), more.data());
  for (int s = 0; s < left; ++s)
    dense::add_multiple(count, more[size_t(s)], part.mix(part.rank() + s), nu.data());
}

/// `rhs` is what nu must balance where there is no motor, a sum of forces as large as `scale`, or
/// as what they are without accelerations: in free fall nothing is left of either. It becomes what
/// is left.
void detail::ConstrainedImpl::require_balance(const char* caller, const OwnState<double>& x,
                                              const Surroundings& around, double scale) {
  double lack = 0;
  int worst = 0;
  for (int i = 0; i < count; ++i)
    dense::add_multiple(nv(), -nu[size_t(i)], picked_rows.data() + nv() * i, rhs.data());
  for (int k = 0; k < nv(); ++k)
    if (const double left = std::abs(rhs[size_t(k)]); !(left <= lack)) lack = left, worst = k;
  if (lack <= balanced * scale) return;
  const double* b = equations().inverse({x.q, x.v, room.zeros.data()}, around);
  for (int k = 0; k < nv(); ++k) scale = std::max(scale, std::abs(b[k]));
  if (lack <= balanced * scale) return;
  throw ComputationError(
      std::string(caller) + ": the motors (" + motors_of(robot, robot.actuated()) +
      ") are too few for these accelerations: " + short_text(lack) + " is missing" +
      of_joint(robot, worst) + "; prescribe what the motors can hold and use hybrid");
}

ConstraintReport detail::ConstrainedImpl::balance_report() const {
  ConstraintReport found = report();
  found.rank_margin = std::min(found.rank_margin, part.margin());
  found.free_dimension = strain.rank();
  return found;
}

void detail::ConstrainedImpl::run_inverse(const char* caller, const OwnState<double>& x,
                                          const double* passive, const Surroundings& around,
                                          Optimum optimum) {
  write_rows(x);
  require_consistent(caller, x.a);
  take_apart(caller);
  std::copy_n(equations().inverse(x, around), nv(), forces.begin());
  const double* h = forces.data();
  const std::span<const bool> motors = robot.actuated();
  pick_columns(motors, false);
  double scale = 0;
  for (int k = 0; k < nv(); ++k) {
    rhs[size_t(k)] = motors[size_t(k)] ? 0 : h[k] - passive[k];
    scale = std::max({scale, std::abs(h[k]), std::abs(passive[k])});
  }
  part.solve_transposed(rhs.data(), nu.data());  // (57)
  require_balance(caller, x, around, scale);
  strain_by(optimum, motors, true, h);
  for (int k = 0; k < nv(); ++k)
    rhs[size_t(k)] = motors[size_t(k)] ? h[k] - along_rows(k) : passive[k];
  require_finite_vector(robot, caller, "tau", rhs.data());
  spread(nu.data(), more.data());
}

ConstraintReport ConstrainedDynamics::inverse(const VectorArg& q, const VectorArg& v,
                                              const VectorArg& a, const VectorArg& passive,
                                              const Surroundings& around,
                                              std::span<const Contact> contacts, Optimum optimum,
                                              const Into<double>& tau, const Into<double>& lambda) {
  Impl& d = *impl_;
  const char* name = "constrained_inverse";
  const std::span<const double> where = q, speed = v, change = a, given = passive;
  d.check(name, where, {{"v", speed}, {"a", change}, {"passive", given}}, around);
  d.set_contacts(name, contacts, around.time);
  double* to_tau = detail::checked_into(d.robot, name, "tau", tau, d.nv());
  double* to_lambda = detail::checked_into(d.robot, name, "lambda", lambda, d.rows());
  d.run_inverse(name, {where.data(), speed.data(), change.data()}, given.data(), around, optimum);
  d.require_finite_rows(name, "lambda", d.more.data());
  std::copy(d.rhs.begin(), d.rhs.end(), to_tau);
  std::copy_n(d.more.begin(), d.rows(), to_lambda);
  return d.balance_report();
}

void ConstrainedDynamics::write_free_directions(double* tau, double* lambda) const {
  Impl& d = *impl_;
  const int n = d.nv(), m = d.rows();
  std::vector<double> along(size_t(d.count));
  for (int s = 0; s < d.strain.rank(); ++s) {
    std::fill(along.begin(), along.end(), 0.0);
    for (int i = 0; i < d.strain.rows(); ++i)
      dense::add_multiple(d.count, d.strain.mix(s)[i], d.part.mix(d.part.rank() + i), along.data());
    for (int k = 0; k < n; ++k) tau[n * s + k] = -d.strain.B()[n * s + k];
    d.spread(along.data(), lambda + m * s);
  }
}

void detail::ConstrainedImpl::require_reachable(const char* caller,
                                                const OwnState<double>& x) const {
  double scale = 1e-3, off = 0, longest = 0, fastest = 0;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < nv(); ++k) {
      const double b = B[nv() * i + k];
      scale = std::max(scale, std::abs(b * x.a[k]));
      longest = std::max(longest, std::abs(b)), fastest = std::max(fastest, std::abs(x.a[k]));
    }
  scale = std::max(scale, motion_known * longest * fastest);
  for (int s = part.rank(); s < count; ++s)
    off = std::hypot(off, dense::dot(count, part.mix(s), nu.data()));
  if (off > consistent * scale)
    throw ComputationError(std::string(caller) +
                           ": the prescribed accelerations contradict the loops: what is left of "
                           "A a + Adot v is " +
                           short_text(off) + ", needs 0");
}

void detail::ConstrainedImpl::write_contact_rows(const OwnState<double>& x,
                                                 ClusterEquations which) {
  const ClusterStorage::ContactRows to = clusters.contact_rows(lists);
  tree.kernel.loop_rows(
      system(), to.loops, equations().tree_state(x), workspace(),
      {to.C, to.width, to.rate, motion.data(), column.data(), time, drift.data()});
  if (which == ClusterEquations::accelerations) return;
  if (which == ClusterEquations::given)
    return void(std::copy_n(rate.begin() + lists.own_rows(), to.loops.rows, to.rate));
  std::fill_n(to.rate, to.loops.rows, 0.0);
  for (int k = 0; k < nv(); ++k)
    dense::add_multiple(to.loops.rows, x.v[k], to.C + to.width * k, to.rate);
}

bool detail::ConstrainedImpl::hybrid_by_clusters(const char* caller, const bool* prescribed,
                                                 const OwnState<double>& known, const double* tau,
                                                 const Surroundings& around) {
  const int n = nv();
  const double* b = equations().inverse(known, around);
  for (int k = 0; k < n; ++k) rhs[size_t(k)] = (prescribed[k] ? 0 : tau[k]) - b[k];
  if (!solve_by_clusters(known, ClusterEquations::accelerations, prescribed)) return false;
  for (int k = 0; k < n; ++k)
    if (!prescribed[k]) step[size_t(k)] = rhs[size_t(k)];
  require_finite_vector(robot, caller, "a", step.data());
  for (int k = 0; k < n; ++k) rhs[size_t(k)] = prescribed[k] ? forces[size_t(k)] : tau[k];
  require_finite_vector(robot, caller, "tau", rhs.data());
  for (auto* none : {&part, &strain}) none->reduce(0, n, nullptr, -1);
  return true;
}

void detail::ConstrainedImpl::run_hybrid(const char* caller, std::span<const bool> prescribed,
                                         const OwnState<double>& x, const double* tau,
                                         const Surroundings& around, Optimum optimum, bool sums) {
  require_rank(caller);
  const int n = nv();
  for (int k = 0; k < n; ++k) step[size_t(k)] = prescribed[size_t(k)] ? x.a[k] : 0;
  const OwnState<double> known{x.q, x.v, step.data()};
  if (!sums && clusters_serve() &&
      hybrid_by_clusters(caller, prescribed.data(), known, tau, around))
    return;
  factor(caller, x.q, prescribed.data());
  const double* b = equations().inverse(known, around);  // with the free coordinates at rest
  for (int k = 0; k < n; ++k) rhs[size_t(k)] = prescribed[size_t(k)] ? 0 : tau[k] - b[k];
  write_rows(known);
  take_apart(caller);
  pick_columns(prescribed, false);
  gather(-1, rate.data(), nu.data());
  require_reachable(caller, known);
  part.gather(nu.data(), more.data());
  factor_apart(part.rank(), part.B());
  solve_factored(rhs.data(), more.data());
  part.spread(more.data(), nu.data());
  for (int k = 0; k < n; ++k)
    if (!prescribed[size_t(k)]) step[size_t(k)] = rhs[size_t(k)];
  require_finite_vector(robot, caller, "a", step.data());
  const double* h = equations().inverse(known, around);
  strain_by(optimum, prescribed, true, h);
  write_rows(known);
  for (int k = 0; k < n; ++k)
    rhs[size_t(k)] = prescribed[size_t(k)] ? h[k] - along_rows(k) : tau[k];
  require_finite_vector(robot, caller, "tau", rhs.data());
  spread(nu.data(), more.data());
}

ConstraintReport ConstrainedDynamics::hybrid(std::span<const bool> prescribed, const VectorArg& q,
                                             const VectorArg& v, const VectorArg& a,
                                             const VectorArg& tau, const Surroundings& around,
                                             std::span<const Contact> contacts, Optimum optimum,
                                             const Into<double>& a_found,
                                             const Into<double>& tau_found,
                                             const Into<double>& lambda) {
  Impl& d = *impl_;
  const char* name = "constrained_hybrid";
  const int n = d.nv();
  const std::span<const double> where = q, speed = v, change = a, force = tau;
  check_prescribed(d.robot, name, prescribed);
  d.check(name, where, {{"v", speed}, {"a", change}, {"tau", force}}, around);
  d.set_contacts(name, contacts, around.time);
  double* to_a = detail::checked_into(d.robot, name, "a", a_found, n);
  double* to_tau = detail::checked_into(d.robot, name, "tau", tau_found, n);
  double* to_lambda = detail::checked_into(d.robot, name, "lambda", lambda, d.rows());
  d.run_hybrid(name, prescribed, {where.data(), speed.data(), change.data()}, force.data(), around,
               optimum, false);
  d.require_finite_rows(name, "lambda", d.more.data());
  std::copy(d.step.begin(), d.step.end(), to_a);
  std::copy(d.rhs.begin(), d.rhs.end(), to_tau);
  std::copy_n(d.more.begin(), d.rows(), to_lambda);
  return d.balance_report();
}

}  // namespace jounce
