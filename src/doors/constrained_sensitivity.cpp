// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the dynamics of closed loops by named parameters: the tree's sensitivities and
// what they do to the rows are further columns of the same equations (implicit_columns.hpp).
#include <jounce/constrained_sensitivity.hpp>

#include "doors/implicit_columns.hpp"
#include "doors/rows_by_dual.hpp"
#include "doors/rows_by_parameter.hpp"
#include "linear_algebra/vectors.hpp"
#include "numbers.hpp"
#include "state_check.hpp"

namespace jounce {

struct ConstrainedSensitivity::Impl {
  Impl(Robot robot, std::vector<Parameter> parameters)
      : dyn(std::move(robot)),
        tree(dyn.robot, std::move(parameters)),
        by_parameter(dyn.robot, tree.parameters()),
        by_q(dyn.robot),
        columns(dyn),
        a(size_t(dyn.nv())),
        D(a.size() * size_t(count())) {}

  int n() const { return dyn.nv(); }
  int count() const { return int(tree.parameters().size()); }
  void set_contacts(const char* caller, std::span<const Contact> contacts, double time);
  /// Refuses a result with room for other rows or parameters.
  void check_room(const char* caller, const OwnedMatrix& rows) const;
  /// D and C at a state whose lambda is in `dyn.more`, and what the choice of lambda needs.
  ColumnGroup differentiate(const char* caller, const OwnState<double>& x,
                            const Surroundings& around, ConstrainedSensitivities& to);
  /// Sensitivities of forward dynamics, or of hybrid where something is prescribed, of loops that
  /// go by clusters; false, and nothing is found, where they do not.
  bool find_by_clusters(const char* caller, std::span<const bool> prescribed,
                        const OwnState<double>& x, const double* tau, const Surroundings& around,
                        ConstrainedSensitivities& to);
  void require_finite(const char* caller, const ConstrainedSensitivities& found) const;
  void move_positions(const char* caller, const double* q, ClosedSensitivities& to);
  void move_velocities(const char* caller, const double* q, const double* v,
                       ClosedSensitivities& to);
  /// x with B x = -U^T y nearest to zero in the metric of the kinetic energy, into x[nv].
  void follow(const dense::IndependentRows& rows, const double* y, double* x);
  double* rows_by(int k) { return C.data() + k * dyn.width * std::max(count(), n()); }

  detail::ConstrainedImpl dyn;
  Sensitivity tree;
  RowsByParameter by_parameter;
  RowsByDual by_q;
  ImplicitColumns columns;
  ConstraintReport report;
  std::vector<double> a, lambda;
  std::vector<double> D;  ///< [parameters][nv]
  /// [3][parameters or nv][width] C or what is open, dA mu, dA w or A v by q
  std::vector<double> C;
};

void ConstrainedSensitivity::Impl::set_contacts(const char* caller,
                                                std::span<const Contact> contacts, double time) {
  dyn.set_contacts(caller, contacts, time);
  by_parameter.start(dyn.lists.view(), dyn.width, time);
  columns.make_room();
  if (lambda.size() >= size_t(dyn.width)) return;
  lambda.resize(size_t(dyn.width));
  C.resize(3 * size_t(dyn.width) * size_t(std::max(count(), n())));
}

void ConstrainedSensitivity::Impl::check_room(const char* caller, const OwnedMatrix& rows) const {
  if (rows.rows() == dyn.rows() && rows.cols() == count()) return;
  throw InputError(std::string(caller) + ": the result has room for " +
                   std::to_string(rows.rows()) + " rows of loops and contacts and " +
                   std::to_string(rows.cols()) + " parameters, needs " +
                   std::to_string(dyn.rows()) + " and " + std::to_string(count()));
}

ColumnGroup ConstrainedSensitivity::Impl::differentiate(const char* caller,
                                                        const OwnState<double>& x,
                                                        const Surroundings& around,
                                                        ConstrainedSensitivities& to) {
  const Loops<double>& loops = dyn.lists.view();
  const auto span = [](const double* from, int size) {
    return std::span<const double>(from, size_t(size));
  };
  std::copy_n(dyn.more.begin(), dyn.rows(), lambda.begin());
  tree.write_force(caller, span(x.q, dyn.robot.nq()), span(x.v, n()), span(x.a, n()), around,
                   Into<double>(D.data(), n(), count()));
  std::fill(C.begin(), C.end(), 0.0);
  by_parameter.add(loops, x, lambda.data(), rows_by(0), D.data());
  ColumnGroup group{.count = count(), .D = D.data(), .C = rows_by(0)};
  if (columns.mu() != nullptr) {
    by_parameter.add_times(loops, x.q, columns.mu(), rows_by(1));
    group.bend = rows_by(1);
  }
  if (columns.w() != nullptr) {
    by_parameter.add_times(loops, x.q, columns.w(), rows_by(2));
    group.turn = rows_by(2);
  }
  group.found = detail::OwnedAccess::numbers(to.dx_dp);
  group.dlambda = detail::OwnedAccess::numbers(to.dlambda_dp);
  return group;
}

bool ConstrainedSensitivity::Impl::find_by_clusters(const char* caller,
                                                    std::span<const bool> prescribed,
                                                    const OwnState<double>& x, const double* tau,
                                                    const Surroundings& around,
                                                    ConstrainedSensitivities& to) {
  const auto found = columns.run_by_clusters(caller, prescribed, x, tau, around);
  if (!found) return false;
  report = *found, a = dyn.step;
  const ColumnGroup group = differentiate(caller, {x.q, x.v, a.data()}, around, to);
  if (!columns.factor_by_clusters(x.q)) return false;
  columns.forward({&group, 1});
  return true;
}

void ConstrainedSensitivity::Impl::require_finite(const char* caller,
                                                  const ConstrainedSensitivities& found) const {
  require_finite_matrix(dyn.robot, caller, "dx_dp", found.dx_dp.data(), n(), count());
  require_finite_matrix(dyn.robot, caller, "dlambda_dp", found.dlambda_dp.data(), dyn.rows(),
                        count());
}

ConstrainedSensitivity::ConstrainedSensitivity(Robot robot, std::vector<Parameter> parameters)
    : impl_(std::make_unique<Impl>(std::move(robot), std::move(parameters))) {}
ConstrainedSensitivity::ConstrainedSensitivity(ConstrainedSensitivity&&) noexcept = default;
ConstrainedSensitivity& ConstrainedSensitivity::operator=(ConstrainedSensitivity&&) noexcept =
    default;
ConstrainedSensitivity::~ConstrainedSensitivity() = default;

const Robot& ConstrainedSensitivity::robot() const { return impl_->dyn.robot; }
std::span<const Parameter> ConstrainedSensitivity::parameters() const {
  return impl_->tree.parameters();
}
int ConstrainedSensitivity::rows() const { return impl_->dyn.lists.own_rows(); }
int ConstrainedSensitivity::decide_rank(const VectorArg& q, double time) {
  return impl_->dyn.decide_rank("decide_rank", q, time);
}
void ConstrainedSensitivity::set_path(ConstrainedPath path) { impl_->dyn.path = path; }
ConstrainedSensitivity ConstrainedSensitivity::another() const {
  ConstrainedSensitivity own(robot(), {parameters().begin(), parameters().end()});
  own.impl_->dyn.take_rank_of(impl_->dyn);
  return own;
}

ConstraintReport ConstrainedSensitivity::forward(
    const VectorArg& q, const VectorArg& v, const VectorArg& tau, const Surroundings& around,
    std::span<const Contact> contacts, const IntoResult<ConstrainedSensitivities>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_forward_sensitivity";
  const std::span<const double> where = q, speed = v, force = tau;
  d.dyn.check(name, where, {{"v", speed}, {"tau", force}}, around);
  d.set_contacts(name, contacts, around.time);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  d.check_room(name, to.dlambda_dp);
  const OwnState<double> x{where.data(), speed.data()};
  if (!d.find_by_clusters(name, {}, x, force.data(), around, to)) {
    d.dyn.run_forward(name, x, force.data(), around, true);
    d.a = d.dyn.rhs;
    d.report = d.dyn.report();
    d.columns.choose();
    const ColumnGroup group = d.differentiate(name, {x.q, x.v, d.a.data()}, around, to);
    d.columns.forward({&group, 1});
  }
  d.require_finite(name, to);
  return d.report;
}

ConstraintReport ConstrainedSensitivity::inverse(
    const VectorArg& q, const VectorArg& v, const VectorArg& a, const Surroundings& around,
    std::span<const Contact> contacts, Optimum optimum,
    const IntoResult<ConstrainedSensitivities>& found) {
  const std::span<const double> none(impl_->dyn.room.zeros.data(), size_t(impl_->n()));
  return run_inverse(q, v, a, none, around, contacts, optimum, found);
}
ConstraintReport ConstrainedSensitivity::inverse(
    const VectorArg& q, const VectorArg& v, const VectorArg& a, const VectorArg& passive,
    const Surroundings& around, std::span<const Contact> contacts, Optimum optimum,
    const IntoResult<ConstrainedSensitivities>& found) {
  return run_inverse(q, v, a, passive, around, contacts, optimum, found);
}
ConstraintReport ConstrainedSensitivity::run_inverse(
    std::span<const double> q, std::span<const double> v, std::span<const double> a,
    std::span<const double> passive, const Surroundings& around, std::span<const Contact> contacts,
    Optimum optimum, const IntoResult<ConstrainedSensitivities>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_inverse_sensitivity";
  d.dyn.check(name, q, {{"v", v}, {"a", a}, {"passive", passive}}, around);
  d.set_contacts(name, contacts, around.time);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  d.check_room(name, to.dlambda_dp);
  const OwnState<double> x{q.data(), v.data(), a.data()};
  d.dyn.run_inverse(name, x, passive.data(), around, optimum);
  const ConstraintReport report = d.dyn.balance_report();
  d.columns.choose(optimum, d.dyn.robot.actuated());
  const ColumnGroup group = d.differentiate(name, x, around, to);
  d.columns.inverse({&group, 1});
  d.require_finite(name, to);
  return report;
}

ConstraintReport ConstrainedSensitivity::hybrid(std::span<const bool> prescribed,
                                                const VectorArg& q, const VectorArg& v,
                                                const VectorArg& a, const VectorArg& tau,
                                                const Surroundings& around,
                                                std::span<const Contact> contacts, Optimum optimum,
                                                const IntoResult<ConstrainedSensitivities>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_hybrid_sensitivity";
  const std::span<const double> where = q, speed = v, change = a, force = tau;
  check_prescribed(d.dyn.robot, name, prescribed);
  d.dyn.check(name, where, {{"v", speed}, {"a", change}, {"tau", force}}, around);
  d.set_contacts(name, contacts, around.time);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  d.check_room(name, to.dlambda_dp);
  const OwnState<double> x{where.data(), speed.data(), change.data()};
  if (!d.find_by_clusters(name, prescribed, x, force.data(), around, to)) {
    d.dyn.run_hybrid(name, prescribed, x, force.data(), around, optimum, true);
    d.a = d.dyn.step;
    d.report = d.dyn.balance_report();
    d.columns.choose(optimum, prescribed);
    const ColumnGroup group = d.differentiate(name, {x.q, x.v, d.a.data()}, around, to);
    d.columns.hybrid(prescribed, d.dyn.dense().view().own, {&group, 1});
  }
  d.require_finite(name, to);
  return d.report;
}

void ConstrainedSensitivity::Impl::follow(const dense::IndependentRows& rows, const double* y,
                                          double* x) {
  rows.gather(y, dyn.nu.data());
  dense::scale(rows.rank(), -1, dyn.nu.data());
  std::fill(x, x + n(), 0.0);
  dyn.solve_factored(x, dyn.nu.data());
}

/// The step of assemble, with what the parameter opens.
void ConstrainedSensitivity::Impl::move_positions(const char* caller, const double* q,
                                                  ClosedSensitivities& to) {
  const int m = dyn.rows();
  dyn.write_closure_rows(q);
  const double* row = dyn.rows_in_order();
  dyn.factor(caller, q, nullptr);
  dyn.independent.reduce(m, n(), row, -1, dyn.no_row * dense::longest_row(m, n(), row));
  dyn.factor_apart(dyn.independent.rank(), dyn.independent.B());
  by_parameter.add_closure(dyn.lists.view(), q, rows_by(0));
  for (int p = 0; p < count(); ++p) {
    const double* opened = rows_by(0) + dyn.width * p;
    double* dq = detail::OwnedAccess::numbers(to.dq_dp) + n() * p;
    double* left = detail::OwnedAccess::numbers(to.open_dp) + m * p;
    follow(dyn.independent, opened, dq);
    for (int i = 0; i < m; ++i) left[i] = opened[i] + dense::dot(n(), row + n() * i, dq);
  }
}
/// That of project, where the configuration moves with the parameter.
void ConstrainedSensitivity::Impl::move_velocities(const char* caller, const double* q,
                                                   const double* v, ClosedSensitivities& to) {
  const Loops<double>& loops = dyn.lists.view();
  by_q.start(loops, dyn.width, dyn.time);
  by_q.add_times(loops, q, v, true, rows_by(2), dyn.width);
  by_parameter.add_times(loops, q, v, rows_by(1));
  dyn.write_rows({q, dyn.room.zeros.data(), dyn.room.zeros.data()});
  dyn.take_apart(caller);
  dyn.factor_apart(dyn.count, dyn.B);
  for (int p = 0; p < count(); ++p) {
    double* rate = rows_by(1) + dyn.width * p;
    const double* dq = detail::OwnedAccess::numbers(to.dq_dp) + n() * p;
    for (int k = 0; k < n(); ++k)
      dense::add_multiple(dyn.rows(), dq[k], rows_by(2) + dyn.width * k, rate);
    follow(dyn.independent, rate, detail::OwnedAccess::numbers(to.dv_dp) + n() * p);
  }
}

void ConstrainedSensitivity::closed(const VectorArg& q, const VectorArg& v,
                                    const IntoResult<ClosedSensitivities>& found, double time) {
  Impl& d = *impl_;
  const char* name = "closed_sensitivity";
  const std::span<const double> where = q, speed = v;
  d.dyn.check(name, where, {{"v", speed}});
  d.set_contacts(name, {}, time);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  d.check_room(name, to.open_dp);
  d.dyn.require_closed(name, where.data());
  std::fill(d.C.begin(), d.C.end(), 0.0);
  d.move_positions(name, where.data(), to);
  d.move_velocities(name, where.data(), speed.data(), to);
  const int n = d.n(), count = d.count();
  require_finite_matrix(d.dyn.robot, name, "dq_dp", to.dq_dp.data(), n, count);
  require_finite_matrix(d.dyn.robot, name, "dv_dp", to.dv_dp.data(), n, count);
}

}  // namespace jounce
