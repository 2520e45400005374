// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the dynamics of closed loops by q, v and what is given (implicit_columns.hpp).
//
// The tree's part of D has its own recursion; rows have formulas (equations/loop_derivatives.hpp).
#include <jounce/constrained_derivatives.hpp>

#include "doors/derivatives_impl.hpp"
#include "doors/implicit_columns.hpp"
#include "doors/rows_by_dual.hpp"

namespace jounce {
struct ConstrainedDerivatives::Impl {
  explicit Impl(Robot robot);

  int n() const { return dyn.nv(); }
  /// Checks arguments and room, and finds the rows.
  template <class Result>
  Result& begin(const char* caller, std::span<const double> q,
                std::initializer_list<Named<double>> others, const Surroundings& around,
                std::span<const Contact> contacts, const IntoResult<Result>& found);
  void require_room(const char* caller, const OwnedMatrix& rows) const;
  void set_contacts(const char* caller, std::span<const Contact> contacts, double time);
  /// D and C by q and v, and M, at a state whose lambda is in `dyn.more`. Where forward dynamics
  /// has just run at this state its poses serve, and M is not found.
  void differentiate(const OwnState<double>& x, const Surroundings& around, bool forward = false);
  /// Derivatives of rows by their formulas, and what contacts exert, which turns with their bodies.
  void differentiate_loops(const State<double>& x, const LoopDerivatives<double>& to);
  void list_contact_wrenches();

  /// dA mu and dA w by q, where lambda was chosen among many.
  void differentiate_choice(const double* q);
  void write_times(const double* q, const double* x, double* to);
  /// Forward dynamics, or hybrid where something is prescribed, and all that their derivatives take
  /// where loops go by clusters; false where they do not.
  bool begin_by_clusters(const char* caller, std::span<const bool> prescribed,
                         const OwnState<double>& x, const double* tau, const Surroundings& around);
  void write_given(std::span<const bool> prescribed);
  ColumnGroup by_q(OwnedMatrix& found, OwnedMatrix& dlambda);
  ColumnGroup by_v(OwnedMatrix& found, OwnedMatrix& dlambda);
  ColumnGroup by_given(const double* D, OwnedMatrix& found, OwnedMatrix& dlambda);
  void require_finite(const char* caller, const ColumnGroup (&group)[3],
                      const char* const (&name)[6]) const;
  double* rows_by(int k) { return C.data() + k * dyn.width * n(); }

  detail::ConstrainedImpl dyn;
  detail::DerivativesImpl<double, double> tree;
  std::unique_ptr<RowsByDual> by_dual;  ///< where formulas may not do
  std::vector<LoopStep<double>> step;
  std::vector<BodyWrench> contact;                   ///< what they exert
  std::vector<double> a, lambda;                     ///< of the state
  detail::ZeroNumbers<double> D_q, D_v, D_given, M;  ///< [nv][nv] column by column
  /// [6][nv][width] C by q, by v, by the given; dA mu, dA w by q; room
  std::vector<double> C;
  ImplicitColumns columns;
  ConstraintReport report;
};

ConstrainedDerivatives::Impl::Impl(Robot robot)
    : dyn(std::move(robot)),
      tree(dyn.robot),
      a(size_t(dyn.nv())),
      D_q(a.size() * a.size()),
      D_v(D_q),
      D_given(D_q),
      M(D_q),
      columns(dyn) {
  dyn.tree.keep_inertias(tree.lanes.view().G);
  if (tree.custom || needs_dual_numbers(dyn.model(), dyn.lists.view()))
    by_dual = std::make_unique<RowsByDual>(dyn.robot);
}

void ConstrainedDerivatives::Impl::set_contacts(const char* caller,
                                                std::span<const Contact> contacts, double time) {
  dyn.set_contacts(caller, contacts, time);
  const Loops<double>& loops = dyn.lists.view();
  if (by_dual != nullptr) by_dual->start(loops, dyn.width, time);
  columns.make_room();
  if (const size_t width = size_t(dyn.width); lambda.size() < width) {
    lambda.resize(width);
    C.resize(6 * a.size() * width);
  }
  if (step.size() < size_t(loops.longest)) step.resize(size_t(loops.longest));
  contact.reserve(size_t(loops.count));
}

template <class Result>
Result& ConstrainedDerivatives::Impl::begin(const char* caller, std::span<const double> q,
                                            std::initializer_list<Named<double>> others,
                                            const Surroundings& around,
                                            std::span<const Contact> contacts,
                                            const IntoResult<Result>& found) {
  dyn.check(caller, q, others, around);
  set_contacts(caller, contacts, around.time);
  Result& to = detail::checked_into(dyn.robot, caller, found);
  require_room(caller, to.dlambda_dq);
  return to;
}
void ConstrainedDerivatives::Impl::require_room(const char* caller, const OwnedMatrix& rows) const {
  if (rows.rows() != dyn.rows())
    throw InputError(std::string(caller) + ": the result has room for " +
                     std::to_string(rows.rows()) + " rows of loops and contacts, needs " +
                     std::to_string(dyn.rows()));
}

void ConstrainedDerivatives::Impl::list_contact_wrenches() {
  const Loops<double>& loops = dyn.lists.view();
  contact.clear();
  for (int k = dyn.lists.own(); k < loops.count; ++k) {
    const Loop<double>& loop = loops.loop[k];
    const Wrench<double> F = loop_wrench<double>(loop.kind, {}, lambda.data() + loop.row);
    contact.push_back({loop.way[0], dual_Ad_inv(loop.seat_2, F)});
  }
}
void ConstrainedDerivatives::Impl::differentiate_loops(const State<double>& x,
                                                       const LoopDerivatives<double>& to) {
  Loops<double> loops = dyn.lists.view();
  const auto add = [&](const Loops<double>& some, double* D) {
    dyn.tree.kernel.loop_derivatives(dyn.system(), some, x, dyn.workspace(), lambda.data(),
                                     {to.C_q, to.C_v, to.stride, D, to.step});
  };
  const int all = loops.count;
  loops.count = dyn.lists.own();
  if (loops.count > 0) add(loops, to.D);
  loops.loop += loops.count, loops.count = all - loops.count;
  if (loops.count > 0) add(loops, nullptr);
}

void ConstrainedDerivatives::Impl::differentiate(const OwnState<double>& at,
                                                 const Surroundings& around, bool forward) {
  std::copy_n(dyn.more.begin(), dyn.rows(), lambda.begin());
  if (dyn.lists.own() > 0)  // they fill what the tree leaves zero
    std::fill_n(D_q.data(), D_q.size(), 0.0);
  std::fill_n(rows_by(0), 2 * n() * dyn.width, 0.0);
  const Loops<double>& loops = dyn.lists.view();
  const bool formulas = !needs_dual_numbers(dyn.model(), loops);
  if (formulas) list_contact_wrenches();
  else contact.clear();
  tree.run_inverse(at, around, {D_q.data(), D_v.data(), M.data()}, contact,
                   forward && dyn.leaves_places() ? &dyn : nullptr);
  const LoopDerivatives<double> to{rows_by(0), rows_by(1), dyn.width, D_q.data(), step.data()};
  if (formulas) differentiate_loops(dyn.equations().tree_state(at), to);
  else by_dual->run(loops, at, lambda.data(), to);
  differentiate_choice(at.q);
}

/// A x by q is A a + Adot v of the state without velocities where a = x.
void ConstrainedDerivatives::Impl::write_times(const double* q, const double* x, double* to) {
  const Loops<double>& loops = dyn.lists.view();
  std::fill_n(to, n() * dyn.width, 0.0);
  if (needs_dual_numbers(dyn.model(), loops))
    return by_dual->add_times(loops, q, x, false, to, dyn.width);
  std::fill_n(rows_by(5), n() * dyn.width, 0.0);
  const LoopDerivatives<double> all{to, rows_by(5), dyn.width, nullptr, step.data()};
  const OwnState<double> still{q, dyn.room.zeros.data(), x};
  dyn.tree.kernel.loop_derivatives(dyn.system(), loops, dyn.equations().tree_state(still),
                                   dyn.workspace(), lambda.data(), all);
}
void ConstrainedDerivatives::Impl::differentiate_choice(const double* q) {
  if (columns.mu() != nullptr) write_times(q, columns.mu(), rows_by(3));
  if (columns.w() != nullptr) write_times(q, columns.w(), rows_by(4));
}

bool ConstrainedDerivatives::Impl::begin_by_clusters(const char* caller,
                                                     std::span<const bool> prescribed,
                                                     const OwnState<double>& x, const double* tau,
                                                     const Surroundings& around) {
  const auto found = columns.run_by_clusters(caller, prescribed, x, tau, around);
  if (!found) return false;
  report = *found, a = dyn.step;
  differentiate({x.q, x.v, a.data()}, around);
  return columns.factor_by_clusters(x.q);
}
/// D and C by what is given in hybrid dynamics.
void ConstrainedDerivatives::Impl::write_given(std::span<const bool> prescribed) {
  std::fill_n(rows_by(2), n() * dyn.width, 0.0);
  for (int k = 0; k < n(); ++k) {
    double* given = D_given.data() + n() * k;
    if (prescribed[size_t(k)]) {
      std::copy_n(M.data() + n() * k, n(), given);
      std::copy_n(dyn.A.data() + dyn.width * k, dyn.width, rows_by(2) + dyn.width * k);
    } else {
      std::fill_n(given, n(), 0.0);
      given[k] = -1;
    }
  }
}

ColumnGroup ConstrainedDerivatives::Impl::by_q(OwnedMatrix& found, OwnedMatrix& dlambda) {
  ColumnGroup group{.count = n(), .D = D_q.data(), .C = rows_by(0)};
  if (columns.mu() != nullptr) group.bend = rows_by(3);
  if (columns.w() != nullptr) group.turn = rows_by(4);
  group.found = detail::OwnedAccess::numbers(found);
  group.dlambda = detail::OwnedAccess::numbers(dlambda);
  return group;
}
ColumnGroup ConstrainedDerivatives::Impl::by_v(OwnedMatrix& found, OwnedMatrix& dlambda) {
  return {.count = n(),
          .D = D_v.data(),
          .C = rows_by(1),
          .found = detail::OwnedAccess::numbers(found),
          .dlambda = detail::OwnedAccess::numbers(dlambda)};
}
ColumnGroup ConstrainedDerivatives::Impl::by_given(const double* D, OwnedMatrix& found,
                                                   OwnedMatrix& dlambda) {
  return {.count = n(),
          .D = D,
          .C = rows_by(2),
          .found = detail::OwnedAccess::numbers(found),
          .dlambda = detail::OwnedAccess::numbers(dlambda)};
}

void ConstrainedDerivatives::Impl::require_finite(const char* caller, const ColumnGroup (&group)[3],
                                                  const char* const (&name)[6]) const {
  for (int g = 0; g < 3; ++g) {
    require_finite_matrix(dyn.robot, caller, name[g], group[g].found, n(), n());
    require_finite_matrix(dyn.robot, caller, name[3 + g], group[g].dlambda, dyn.rows(), n());
  }
}

ConstrainedDerivatives::ConstrainedDerivatives(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
ConstrainedDerivatives::ConstrainedDerivatives(ConstrainedDerivatives&&) noexcept = default;
ConstrainedDerivatives& ConstrainedDerivatives::operator=(ConstrainedDerivatives&&) noexcept =
    default;
ConstrainedDerivatives::~ConstrainedDerivatives() = default;

const Robot& ConstrainedDerivatives::robot() const { return impl_->dyn.robot; }
int ConstrainedDerivatives::rows() const { return impl_->dyn.lists.own_rows(); }
int ConstrainedDerivatives::decide_rank(const VectorArg& q, double time) {
  return impl_->dyn.decide_rank("decide_rank", q, time);
}
void ConstrainedDerivatives::set_path(ConstrainedPath path) { impl_->dyn.path = path; }
ConstrainedDerivatives ConstrainedDerivatives::another() const {
  ConstrainedDerivatives own(robot());
  own.impl_->dyn.take_rank_of(impl_->dyn);
  return own;
}

ConstraintReport ConstrainedDerivatives::forward(
    const VectorArg& q, const VectorArg& v, const VectorArg& tau, const Surroundings& around,
    std::span<const Contact> contacts, const IntoResult<ConstrainedForwardDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_forward_derivatives";
  const std::span<const double> where = q, speed = v, force = tau;
  auto& to = d.begin(name, where, {{"v", speed}, {"tau", force}}, around, contacts, found);
  const OwnState<double> x{where.data(), speed.data()};
  const bool by_clusters = d.begin_by_clusters(name, {}, x, force.data(), around);
  if (!by_clusters) {
    d.dyn.run_forward(name, x, force.data(), around, true);
    d.a = d.dyn.rhs;
    d.report = d.dyn.report();
    d.columns.choose();
    d.differentiate({x.q, x.v, d.a.data()}, around, true);
  }
  const ColumnGroup group[] = {d.by_q(to.da_dq, to.dlambda_dq), d.by_v(to.da_dv, to.dlambda_dv),
                               d.by_given(nullptr, to.da_dtau, to.dlambda_dtau)};
  // loops and bushings relate coordinates neither of which carries the other
  const bool full = d.dyn.lists.own() > 0 || d.dyn.system().passive.bushings.count > 0;
  if (by_clusters) d.columns.forward(group);
  else if (d.columns.forward_by_inverse(full, group)) return d.report;
  d.require_finite(name, group,
                   {"da_dq", "da_dv", "da_dtau", "dlambda_dq", "dlambda_dv", "dlambda_dtau"});
  return d.report;
}

ConstraintReport ConstrainedDerivatives::inverse(
    const VectorArg& q, const VectorArg& v, const VectorArg& a, const Surroundings& around,
    std::span<const Contact> contacts, Optimum optimum,
    const IntoResult<ConstrainedInverseDerivatives>& found) {
  const std::span<const double> none(impl_->dyn.room.zeros.data(), size_t(impl_->n()));
  return run_inverse(q, v, a, none, around, contacts, optimum, found);
}
ConstraintReport ConstrainedDerivatives::inverse(
    const VectorArg& q, const VectorArg& v, const VectorArg& a, const VectorArg& passive,
    const Surroundings& around, std::span<const Contact> contacts, Optimum optimum,
    const IntoResult<ConstrainedInverseDerivatives>& found) {
  return run_inverse(q, v, a, passive, around, contacts, optimum, found);
}
ConstraintReport ConstrainedDerivatives::run_inverse(
    std::span<const double> q, std::span<const double> v, std::span<const double> a,
    std::span<const double> passive, const Surroundings& around, std::span<const Contact> contacts,
    Optimum optimum, const IntoResult<ConstrainedInverseDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_inverse_derivatives";
  auto& to = d.begin(name, q, {{"v", v}, {"a", a}, {"passive", passive}}, around, contacts, found);
  const OwnState<double> x{q.data(), v.data(), a.data()};
  d.dyn.run_inverse(name, x, passive.data(), around, optimum);
  const ConstraintReport report = d.dyn.balance_report();
  d.columns.choose(optimum, d.dyn.robot.actuated());
  d.differentiate(x, around);
  const ColumnGroup group[] = {d.by_q(to.dtau_dq, to.dlambda_dq), d.by_v(to.dtau_dv, to.dlambda_dv),
                               d.by_given(d.M.data(), to.dtau_da, to.dlambda_da)};
  d.columns.inverse(group);
  d.require_finite(name, group,
                   {"dtau_dq", "dtau_dv", "dtau_da", "dlambda_dq", "dlambda_dv", "dlambda_da"});
  return report;
}

ConstraintReport ConstrainedDerivatives::hybrid(
    std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v, const VectorArg& a,
    const VectorArg& tau, const Surroundings& around, std::span<const Contact> contacts,
    Optimum optimum, const IntoResult<ConstrainedHybridDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_hybrid_derivatives";
  const std::span<const double> where = q, speed = v, change = a, force = tau;
  check_prescribed(d.dyn.robot, name, prescribed);
  auto& to =
      d.begin(name, where, {{"v", speed}, {"a", change}, {"tau", force}}, around, contacts, found);
  const OwnState<double> x{where.data(), speed.data(), change.data()};
  if (!d.begin_by_clusters(name, prescribed, x, force.data(), around)) {
    d.dyn.run_hybrid(name, prescribed, x, force.data(), around, optimum, true);
    d.a = d.dyn.step;
    d.report = d.dyn.balance_report();
    d.columns.choose(optimum, prescribed);
    d.differentiate({x.q, x.v, d.a.data()}, around);
  }
  d.write_given(prescribed);
  const ColumnGroup group[] = {d.by_q(to.dq, to.dlambda_dq), d.by_v(to.dv, to.dlambda_dv),
                               d.by_given(d.D_given.data(), to.dgiven, to.dlambda_dgiven)};
  d.columns.hybrid(prescribed, d.M.data(), group);
  d.require_finite(name, group,
                   {"dq", "dv", "dgiven", "dlambda_dq", "dlambda_dv", "dlambda_dgiven"});
  return d.report;
}

void ConstrainedDerivatives::constraints(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                         const VectorArg& lambda, std::span<const Contact> contacts,
                                         const IntoResult<ConstraintDerivatives>& found,
                                         double time) {
  Impl& d = *impl_;
  const char* name = "constraint_derivatives";
  const std::span<const double> where = q, speed = v, change = a, forces = lambda;
  d.dyn.check(name, where, {{"v", speed}, {"a", change}});
  d.set_contacts(name, contacts, time);
  check_vector(name, "lambda", forces, d.dyn.rows(), d.dyn.robot.name());
  ConstraintDerivatives& to = detail::checked_into(d.dyn.robot, name, found);
  d.require_room(name, to.dq);
  const int n = d.n(), rows = d.dyn.rows(), width = d.dyn.width;
  std::copy(forces.begin(), forces.end(), d.lambda.begin());
  std::fill_n(d.rows_by(0), 2 * n * width, 0.0);
  std::fill_n(d.D_given.data(), d.D_given.size(), 0.0);
  const OwnState<double> x{where.data(), speed.data(), change.data()};
  const Loops<double>& loops = d.dyn.lists.view();
  const LoopDerivatives<double> all{d.rows_by(0), d.rows_by(1), width, d.D_given.data(),
                                    d.step.data()};
  if (needs_dual_numbers(d.dyn.model(), loops)) {
    d.by_dual->run(loops, x, d.lambda.data(), all);
  } else {
    d.dyn.write_rows(x);
    d.dyn.tree.kernel.loop_derivatives(d.dyn.system(), loops, d.dyn.equations().tree_state(x),
                                       d.dyn.workspace(), d.lambda.data(), all);
  }
  const auto write = [&](const double* from, int stride, int count, double sign, const char* what,
                         OwnedMatrix& matrix) {
    double* numbers = detail::OwnedAccess::numbers(matrix);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < count; ++i) numbers[count * k + i] = sign * from[stride * k + i];
    require_finite_matrix(d.dyn.robot, name, what, numbers, count, n);
  };
  write(d.rows_by(0), width, rows, 1, "dq", to.dq);
  write(d.rows_by(1), width, rows, 1, "dv", to.dv);
  write(d.D_given.data(), n, n, -1, "dforce_dq", to.dforce_dq);
}

}  // namespace jounce
