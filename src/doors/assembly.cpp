// SPDX-License-Identifier: BSD-3-Clause
// Closing loops: configurations, velocities and impulses that suit them.
//
// With r what is open and B its derivative, in the metric of the kinetic energy
//   dq = -M^-1 B^T (B M^-1 B^T)^+ r
// is the shortest step to where r vanishes to first order. Rows that depend on one another on the
// closed configurations do so off them only to about r: pivots of that size are left out. A step
// that does not help is halved. Velocities take the same step once, with A for B. Where only the
// rank is wanted, a step that is shortest in the coordinates serves as well: loops that share no
// joint are closed by themselves then.
#include <cmath>

#include "doors/closure_rows.hpp"
#include "doors/constrained_impl.hpp"
#include "linear_algebra/vectors.hpp"
#include "model/robot_data.hpp"
#include "numbers.hpp"
#include "quotes.hpp"
#include "split_mix.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

constexpr double closed_to = 1e-12;   ///< m, or the sine of an angle
constexpr double same_row = 1e-8;     ///< of the largest pivot, at closed configurations
constexpr double longest_step = 0.5;  ///< rad or m
constexpr int most_steps = 100, most_halvings = 12;

/// NaN where one of them is.
double largest_of(const std::vector<double>& x, int n) {
  double most = 0;
  for (int k = 0; k < n && !std::isnan(most); ++k)
    if (const double size = std::abs(x[size_t(k)]); !(size <= most)) most = size;
  return most;
}

}  // namespace

double detail::ConstrainedImpl::write_closure(const double* q, double* residual) {
  const Loops<double>& all = lists.view();
  const double* still = room.zeros.data();
  const State<double> x = equations().tree_state({q, still, still});
  move_loops(model(), all, x, workspace());
  closure_size = std::max(1.0, largest_placement());
  for (int k = 0; k < all.count; ++k) {
    const Loop<double>& loop = all.loop[k];
    motion[size_t(k)] = {};
    if (!has_frames(loop.kind)) {
      if (loop.kind == LoopKind::gear)
        closure_size = std::max(closure_size, gear_size(system(), loop, x));
      tied_residual(system(), loop, x, time, residual + loop.row);
      continue;
    }
    motion[size_t(k)] = loop_motion(model(), loop, x, workspace(), column.data());
    loop_residual(loop, motion[size_t(k)].E, residual + loop.row);
  }
  return dense::norm(all.rows, residual);
}

/// The derivative of what is open.
void detail::ConstrainedImpl::write_closure_rows(const double* q) {
  const Loops<double>& all = lists.view();
  const double* still = room.zeros.data();
  const State<double> x = equations().tree_state({q, still, still});
  move_loops(model(), all, x, workspace());
  const LoopRows<double> to{A.data(), width, rate.data(), motion.data(), column.data(), time};
  std::fill_n(A.data(), nv() * width, 0.0);
  for (int k = 0; k < all.count; ++k) {
    const Loop<double>& loop = all.loop[k];
    if (!has_frames(loop.kind)) {
      tied_rows(system(), loop, x, to);
      continue;
    }
    const SE3<double> E = loop_motion(model(), loop, x, workspace(), column.data()).E;
    add_rows(system(), loop, Opening(loop, E), to);
  }
}

/// The rows of a step from `at`, and factors where these are wanted; the length of the longest row.
double detail::ConstrainedImpl::begin_step(const bool* kept, Metric metric) {
  write_closure_rows(at.data());
  for (int k = 0; k < nv(); ++k)
    if (kept != nullptr && kept[k]) std::fill_n(A.data() + width * k, width, 0.0);
  if (metric == Metric::energy) factor("assemble", at.data(), kept);
  return dense::longest_row(rows(), nv(), rows_in_order());
}

/// Moves `at` one step nearer to where the loops are closed; false where no step helps. `open` is
/// what is open, of the given norm, on both sides.
bool detail::ConstrainedImpl::close_step(const bool* kept, Metric metric, double norm) {
  bool by_clusters = metric == Metric::energy && clusters_serve();
  double longest = by_clusters ? write_closure_of_clusters(kept) : begin_step(kept, metric);
  // bars that are nearly in line leave a pivot as small as one that only seems to be there
  const double cautious = std::clamp(2 * norm, same_row, 0.05);
  for (const double pivot : {cautious, same_row}) {
    write_closure(at.data(), open.data());
    if (by_clusters && !step_by_clusters(pivot * longest, kept)) {
      by_clusters = false;
      longest = begin_step(kept, metric);
    }
    if (!by_clusters) step_without(pivot * longest, metric);
    if (take_step(norm)) return true;
    if (cautious == same_row) break;
  }
  write_closure(at.data(), open.data());
  return false;
}

/// The step with the rows whose pivots are longer than `smallest`.
void detail::ConstrainedImpl::step_without(double smallest, Metric metric) {
  independent.reduce(rows(), nv(), in_order.data(), -1, smallest);
  if (metric == Metric::energy) {
    factor_apart(independent.rank(), independent.B());
    independent.gather(open.data(), nu.data());
    std::fill(step.begin(), step.end(), 0.0);
    solve_factored(step.data(), nu.data());
  } else {
    independent.solve(open.data(), step.data());
  }
}
/// Against what `step` has, halved while that does not help.
bool detail::ConstrainedImpl::take_step(double norm) {
  dense::scale(nv(), -1, step.data());
  if (const double size = largest_of(step, nv()); size > longest_step)
    dense::scale(nv(), longest_step / size, step.data());
  for (int halving = 0; halving < most_halvings; ++halving) {
    robot.integrate(at, step, trial);
    if (write_closure(trial.data(), open.data()) < norm) {
      std::swap(at, trial);
      return true;
    }
    dense::scale(nv(), 0.5, step.data());
  }
  return false;
}

double detail::ConstrainedImpl::largest_placement() const {
  double most = 0;
  for (const Loop<double>& loop : list(lists.view()))
    most = std::max({most, norm(loop.seat_1.p), norm(loop.seat_2.p)});
  return most;
}

/// Steps from `at` until nothing is open that a step could close.
void detail::ConstrainedImpl::close_from_here(const bool* kept, Metric metric,
                                              AssemblyReport& found) {
  double norm = write_closure(at.data(), open.data());
  while (norm > 0 && found.iterations < most_steps && close_step(kept, metric, norm)) {
    ++found.iterations;
    const double now = dense::norm(rows(), open.data());
    const bool settled = now < closed_to && now > 0.1 * norm;
    norm = now;
    if (settled) break;
  }
  judge_closure(found);
}
void detail::ConstrainedImpl::judge_closure(AssemblyReport& found) const {
  const Loops<double>& all = lists.view();
  found.residual = largest_of(open, all.rows);
  found.converged = found.residual <= closed_to * closure_size;
  found.worst_loop = -1;
  for (int k = 0; k < all.count; ++k) {
    const Loop<double>& loop = all.loop[k];
    const int first = loop.row, last = first + jounce::rows(loop);
    for (int i = first; i < last; ++i)
      if (found.worst_loop < 0 || std::abs(open[size_t(i)]) >= found.residual) found.worst_loop = k;
    if (!closes(loop.kind, motion[size_t(k)].E)) found.converged = false, found.worst_loop = k;
  }
}

/// From the guess; where no step helps, as with bars that are all in line, from beside it.
AssemblyReport detail::ConstrainedImpl::close(const double* guess, const bool* kept, Metric metric,
                                              double* q) {
  AssemblyReport found;
  SplitMix random(1);
  for (int attempt = 0; attempt < 4 && !found.converged; ++attempt) {
    std::copy(guess, guess + robot.nq(), at.begin());
    if (attempt > 0) {
      for (int k = 0; k < nv(); ++k) {
        const double away = random.uniform(-0.1, 0.1) * attempt;
        step[size_t(k)] = kept != nullptr && kept[k] ? 0 : away;
      }
      robot.integrate(at, step, trial);
      std::swap(at, trial);
    }
    close_from_here(kept, metric, found);
  }
  std::copy(at.begin(), at.end(), q);
  return found;
}

/// How many rows count at a closed configuration and at two others near it: one alone may be where
/// branches of the mechanism meet.
void detail::ConstrainedImpl::decide_rank_at(const double* q) {
  const int n = nv();
  std::vector<double> start(q, q + robot.nq()), moved(start), away(rhs.size());
  SplitMix random(1);
  rank = -1;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (attempt > 0) {
      for (double& x : away) x = random.uniform(-0.05, 0.05);
      robot.integrate(start, away, moved);
      const std::vector<double> guess = moved;
      if (!close(guess.data(), nullptr, Metric::coordinates, moved.data()).converged) continue;
    }
    write_rows({moved.data(), room.zeros.data(), room.zeros.data()});
    const double* row = rows_in_order();
    independent.reduce(rows(), n, row, -1, same_row * dense::longest_row(rows(), n, row));
    if (independent.rank() <= rank) continue;
    rank = independent.rank();
    picked.clear();
    for (int k = 0; k < rank; ++k) picked.push_back(independent.order(k));
    std::sort(picked.begin(), picked.end());
  }
  list_clusters();
}

void detail::ConstrainedImpl::require_closed(const char* caller, const double* q) {
  write_closure(q, open.data());
  const double residual = largest_of(open, rows());
  if (const double most = 1e-9 * closure_size; !(residual <= most))
    throw InputError(std::string(caller) + ": the loops are open by " + short_text(residual) +
                     ", needs at most " + short_text(most) + "; assemble closes them");
}

int detail::ConstrainedImpl::decide_rank(const char* caller, std::span<const double> q,
                                         double time_) {
  check(caller, q, {});
  set_contacts(caller, {}, time_);
  require_closed(caller, q.data());
  decide_rank_at(std::vector<double>(q.begin(), q.end()).data());
  return rank;
}
int ConstrainedDynamics::decide_rank(const VectorArg& q, double time) {
  return impl_->decide_rank("decide_rank", q, time);
}

AssemblyReport ConstrainedDynamics::assemble(const VectorArg& guess, std::span<const bool> kept,
                                             const Into<double>& q, double time) {
  Impl& d = *impl_;
  const std::span<const double> from = guess;
  d.robot.check_q("assemble", "guess", from);
  if (!kept.empty() && kept.size() != size_t(d.nv()))
    throw InputError("assemble: kept has " + std::to_string(kept.size()) + " elements, robot " +
                     in_quotes(d.robot.name()) + " needs " + std::to_string(d.nv()) + " or none");
  double* to = detail::checked_into(d.robot, "assemble", "q", q, d.robot.nq());
  d.set_contacts("assemble", {}, time);
  return d.close(from.data(), kept.empty() ? nullptr : kept.data(), Impl::Metric::energy, to);
}

void ConstrainedDynamics::closure(const VectorArg& q, const Into<double>& found, double time) {
  Impl& d = *impl_;
  const std::span<const double> where = q;
  d.check("closure", where, {});
  d.set_contacts("closure", {}, time);
  double* to = detail::checked_into(d.robot, "closure", "found", found, d.rows());
  d.write_closure(where.data(), d.open.data());
  d.require_finite_rows("closure", "what is open", d.open.data());
  std::copy_n(d.open.begin(), d.rows(), to);
}

void ConstrainedDynamics::closure_jacobian(const VectorArg& q, const Into<double>& found,
                                           double time) {
  Impl& d = *impl_;
  const std::span<const double> where = q;
  d.check("closure_jacobian", where, {});
  d.set_contacts("closure_jacobian", {}, time);
  double* to = detail::checked_into(d.robot, "closure_jacobian", "found", found, d.rows(), d.nv());
  d.write_closure_rows(where.data());
  for (int k = 0; k < d.nv(); ++k)
    std::copy_n(d.A.data() + d.width * k, d.rows(), to + d.rows() * k);
}

bool detail::ConstrainedImpl::impulse_by_bodies(const char* caller, const double* q) {
  if (solves_by_factors()) return false;
  tree.factor(equations().at(q), workspace());
  require_pivots(caller, q, workspace(), nullptr);
  return solve_by_bodies(open.data(), more.data());
}

/// A (v+ - v) = -(1 + e) A v  (Featherstone 2008, section 11.7); with what time adds to A v.
void detail::ConstrainedImpl::run_impulse(const char* caller, const OwnState<double>& x,
                                          double restitution) {
  require_rank(caller);
  std::fill(rhs.begin(), rhs.end(), 0.0);
  for (int k = 0; k < nv(); ++k) step[size_t(k)] = (1 + restitution) * x.v[k];
  if (solve_by_clusters({x.q, step.data(), room.zeros.data()}, ClusterEquations::velocities)) {
    for (int k = 0; k < nv(); ++k) rhs[size_t(k)] += x.v[k];
    return require_finite_vector(robot, caller, "v", rhs.data());
  }
  write_rows({x.q, room.zeros.data(), room.zeros.data()});
  std::copy(drift.begin(), drift.end(), open.begin());
  for (int k = 0; k < nv(); ++k)
    dense::add_multiple(rows(), x.v[k], A.data() + width * k, open.data());
  for (int i = 0; i < rows(); ++i) rate[size_t(i)] = -restitution * open[size_t(i)];
  dense::scale(rows(), -(1 + restitution), open.data());
  std::fill(rhs.begin(), rhs.end(), 0.0);
  if (!impulse_by_bodies(caller, x.q)) {
    factor(caller, x.q, nullptr);
    solve(caller, open.data(), more.data(), false);
  }
  for (int k = 0; k < nv(); ++k) rhs[size_t(k)] += x.v[k];
  require_finite_vector(robot, caller, "v", rhs.data());
  for (int k = 0; k < nv(); ++k)
    dense::add_multiple(rows(), -rhs[size_t(k)], A.data() + width * k, rate.data());
  dense::add_multiple(rows(), -1, drift.data(), rate.data());
}

ConstraintReport ConstrainedDynamics::impulse(const VectorArg& q, const VectorArg& v,
                                              std::span<const Contact> contacts, double restitution,
                                              const Into<double>& v_found,
                                              const Into<double>& lambda, double time) {
  Impl& d = *impl_;
  const char* name = "impulse";
  const std::span<const double> where = q, speed = v;
  d.check(name, where, {{"v", speed}});
  if (!(restitution >= 0 && restitution <= 1))
    throw InputError("impulse: restitution " + short_text(restitution) +
                     " must lie between 0 and 1");
  d.set_contacts(name, contacts, time);
  double* to_v = detail::checked_into(d.robot, name, "v", v_found, d.nv());
  double* to_lambda = detail::checked_into(d.robot, name, "lambda", lambda, d.rows());
  d.run_impulse(name, {where.data(), speed.data()}, restitution);
  d.require_finite_rows(name, "lambda", d.more.data());
  std::copy(d.rhs.begin(), d.rhs.end(), to_v);
  std::copy_n(d.more.begin(), d.rows(), to_lambda);
  return d.report();
}

ConstraintReport ConstrainedDynamics::project(const VectorArg& q, const VectorArg& v,
                                              std::span<const Contact> contacts,
                                              const Into<double>& found, double time) {
  Impl& d = *impl_;
  const char* name = "project";
  const std::span<const double> where = q, speed = v;
  d.check(name, where, {{"v", speed}});
  d.set_contacts(name, contacts, time);
  double* to = detail::checked_into(d.robot, name, "v", found, d.nv());
  d.run_impulse(name, {where.data(), speed.data()}, 0);
  std::copy(d.rhs.begin(), d.rhs.end(), to);
  return d.report();
}

void ConstrainedDynamics::jacobian(const VectorArg& q, std::span<const Contact> contacts,
                                   const Into<double>& A, double time) {
  Impl& d = *impl_;
  const std::span<const double> where = q;
  d.check("jacobian", where, {});
  d.set_contacts("jacobian", contacts, time);
  double* to = detail::checked_into(d.robot, "jacobian", "A", A, d.rows(), d.nv());
  d.write_rows({where.data(), d.room.zeros.data(), d.room.zeros.data()});
  for (int k = 0; k < d.nv(); ++k) d.require_finite_rows("jacobian", "A", d.A.data() + d.width * k);
  for (int k = 0; k < d.nv(); ++k)
    std::copy_n(d.A.data() + d.width * k, d.rows(), to + d.rows() * k);
}

void ConstrainedDynamics::bias(const VectorArg& q, const VectorArg& v,
                               std::span<const Contact> contacts, const Into<double>& found,
                               double time) {
  Impl& d = *impl_;
  const std::span<const double> where = q, speed = v;
  d.check("bias", where, {{"v", speed}});
  d.set_contacts("bias", contacts, time);
  double* to = detail::checked_into(d.robot, "bias", "found", found, d.rows());
  d.write_rows({where.data(), speed.data(), d.room.zeros.data()});
  d.require_finite_rows("bias", "Adot v", d.rate.data());
  std::copy_n(d.rate.begin(), d.rows(), to);
}

void ConstrainedDynamics::loop_wrenches(const VectorArg& q, std::span<const double> lambda,
                                        std::span<const Contact> contacts,
                                        std::span<Wrench<double>> F) {
  Impl& d = *impl_;
  const std::span<const double> where = q;
  const char* name = "loop_wrenches";
  d.check(name, where, {});
  d.set_contacts(name, contacts);
  check_vector(name, "lambda", lambda, d.rows(), d.robot.name());
  const Loops<double>& all = d.lists.view();
  if (F.size() != size_t(all.count))
    throw InputError(std::string(name) + ": F has room for " + std::to_string(F.size()) +
                     " wrenches, needs " + std::to_string(all.count));
  d.write_rows({where.data(), d.room.zeros.data(), d.room.zeros.data()});
  for (int k = 0; k < all.count; ++k)
    F[size_t(k)] = loop_wrench(all.loop[k], d.motion[size_t(k)].E, lambda.data());
}

}  // namespace jounce
