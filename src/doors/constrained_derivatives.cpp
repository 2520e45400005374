// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the dynamics of closed loops, implicitly, with the factors of the dynamics.
//
// With D = d/dq [M a + b - A^T lambda] at fixed a and lambda, and C = d/dq [A a + Adot v]:
//   forward  M da - A^T dlambda = -D,  A da = -C
//   inverse  A_p^T dlambda = D_p,  dtau = D - A^T dlambda
//   hybrid   forward in the free coordinates, then inverse in the prescribed ones
// The tree's part of D has its own recursion; rows have formulas (equations/loop_derivatives.hpp).
#include <jounce/constrained_derivatives.hpp>

#include "doors/constrained_impl.hpp"
#include "doors/derivatives_impl.hpp"
#include "doors/rows_by_dual.hpp"
#include "kernels/lanes/constrained_columns.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

/// Columns that are alike: by q, by v, by what is given.
struct ColumnGroup {
  const double *D, *C;      ///< [nv][nv], [nv][width]
  double *found, *dlambda;  ///< [nv][nv], [nv][rows]
};

}  // namespace

struct ConstrainedDerivatives::Impl {
  explicit Impl(Robot robot);

  int n() const { return dyn.nv(); }
  /// Checks arguments and room, and finds the rows.
  template <class Result>
  Result& begin(const char* caller, std::span<const double> q,
                std::initializer_list<Named<double>> others, const Surroundings& around,
                std::span<const Contact> contacts, const IntoResult<Result>& found);
  void set_contacts(const char* caller, std::span<const Contact> contacts, double time);
  /// D and C by q and v, and M, at a state whose lambda is in `dyn.more`.
  void differentiate(const OwnState<double>& x, const Surroundings& around);

  /// Solves M x - B^T nu = f, B x = g with the factors of `dyn` for all columns of three groups:
  /// load(group, k, x, nu) writes f and g, finish(group, k, x, nu) reads the solution.
  template <class Load, class Finish>
  void solve_columns(Load load, Finish finish);
  void forward_columns(const ColumnGroup (&group)[3]);
  void inverse_columns(const ColumnGroup (&group)[3]);
  void hybrid_columns(std::span<const bool> prescribed, const ColumnGroup (&group)[3]);
  void require_finite(const char* caller, const ColumnGroup (&group)[3],
                      const char* const (&name)[6]) const;
  const double* C_q() const { return C.data(); }
  const double* C_v() const { return C.data() + dyn.width * n(); }
  double* C_given() { return C.data() + 2 * dyn.width * n(); }

  detail::ConstrainedImpl dyn;
  detail::DerivativesImpl<double, double> tree;
  std::unique_ptr<RowsByDual> by_dual;  ///< where formulas may not do
  std::vector<LoopStep<double>> step;
  std::vector<double> a, lambda;                     ///< of the state
  detail::ZeroNumbers<double> D_q, D_v, D_given, M;  ///< [nv][nv] column by column
  std::vector<double> C;                             ///< [3 nv][width] by q, by v, by the given
  std::vector<double> gathered;                      ///< [width] room
  ConstrainedColumns columns;
  detail::ZeroNumbers<double> x, nu, beside;  ///< of `columns`
};

ConstrainedDerivatives::Impl::Impl(Robot robot)
    : dyn(std::move(robot)),
      tree(dyn.robot),
      a(size_t(dyn.nv())),
      D_q(a.size() * a.size()),
      D_v(D_q),
      D_given(D_q),
      M(D_q),
      columns{.stride = (dyn.nv() + 3) / 4 * 4},
      x(size_t(columns.stride * constrained_columns)) {
  if (tree.custom || needs_dual_numbers(dyn.model(), dyn.lists.view()))
    by_dual = std::make_unique<RowsByDual>(dyn.robot);
}

void ConstrainedDerivatives::Impl::set_contacts(const char* caller,
                                                std::span<const Contact> contacts, double time) {
  dyn.set_contacts(caller, contacts, time);
  const Loops<double>& loops = dyn.lists.view();
  if (by_dual != nullptr) by_dual->start(loops, dyn.width, time);
  const size_t width = size_t(dyn.width);
  if (gathered.size() < width) {
    for (auto* one : {&lambda, &gathered}) one->resize(width);
    C.resize(3 * a.size() * width);
    nu = detail::ZeroNumbers<double>(width * constrained_columns);
    beside = detail::ZeroNumbers<double>(x.size() + nu.size());
    columns.x = x.data(), columns.nu = nu.data(), columns.beside = beside.data();
  }
  if (step.size() < size_t(loops.longest)) step.resize(size_t(loops.longest));
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
  if (to.dlambda_dq.rows() != dyn.rows())
    throw InputError(std::string(caller) + ": the result has room for " +
                     std::to_string(to.dlambda_dq.rows()) + " rows of loops and contacts, needs " +
                     std::to_string(dyn.rows()));
  return to;
}

void ConstrainedDerivatives::Impl::differentiate(const OwnState<double>& at,
                                                 const Surroundings& around) {
  std::copy_n(dyn.more.begin(), dyn.rows(), lambda.begin());
  for (auto* matrix : {&D_q, &D_v, &M}) std::fill_n(matrix->data(), matrix->size(), 0.0);
  std::fill(C.begin(), C.end(), 0.0);
  tree.run_inverse(at, around, {D_q.data(), D_v.data(), M.data()});
  const LoopDerivatives<double> to{C.data(), C.data() + dyn.width * n(), dyn.width, D_q.data(),
                                   step.data()};
  const Loops<double>& loops = dyn.lists.view();
  if (needs_dual_numbers(dyn.model(), loops)) by_dual->run(loops, at, lambda.data(), to);
  else
    dyn.tree.kernel.loop_derivatives(dyn.system(), loops, dyn.equations().tree_state(at),
                                     dyn.workspace(), lambda.data(), to);
}

template <class Load, class Finish>
void ConstrainedDerivatives::Impl::solve_columns(Load load, Finish finish) {
  constexpr int width = constrained_columns;
  const int all = 3 * n();
  for (int first = 0; first < all; first += width) {
    const int count = std::min(width, all - first);
    for (int c = 0; c < count; ++c)
      load((first + c) / n(), (first + c) % n(), x.data() + columns.stride * c,
           nu.data() + dyn.width * c);
    dyn.tree.kernel.constrained_solve_columns(dyn.factors, columns);
    for (int c = 0; c < count; ++c)
      finish((first + c) / n(), (first + c) % n(), x.data() + columns.stride * c,
             nu.data() + dyn.width * c);
  }
}

void ConstrainedDerivatives::Impl::forward_columns(const ColumnGroup (&group)[3]) {
  const int size = n();
  solve_columns(
      [&](int g, int k, double* f, double* nu_k) {
        const double* D = group[g].D + size * k;
        for (int j = 0; j < size; ++j) f[j] = -D[j];
        dyn.gather(-1, group[g].C + dyn.width * k, nu_k);
      },
      [&](int g, int k, const double* da, const double* nu_k) {
        std::copy_n(da, size, group[g].found + size * k);
        dyn.spread(nu_k, group[g].dlambda + dyn.rows() * k);
      });
}

void ConstrainedDerivatives::Impl::inverse_columns(const ColumnGroup (&group)[3]) {
  const std::span<const bool> motors = dyn.robot.actuated();
  for (const ColumnGroup& one : group)
    for (int k = 0; k < n(); ++k) {
      const double* D = one.D + n() * k;
      double* dtau = one.found + n() * k;
      for (int j = 0; j < n(); ++j) dyn.rhs[size_t(j)] = motors[size_t(j)] ? 0 : D[j];
      dyn.part.solve_transposed(dyn.rhs.data(), dyn.nu.data());
      for (int j = 0; j < n(); ++j) dtau[j] = motors[size_t(j)] ? D[j] - dyn.along_rows(j) : 0;
      dyn.spread(dyn.nu.data(), one.dlambda + dyn.rows() * k);
    }
}

void ConstrainedDerivatives::Impl::hybrid_columns(std::span<const bool> prescribed,
                                                  const ColumnGroup (&group)[3]) {
  const int size = n();
  solve_columns(
      [&](int g, int k, double* f, double* nu_k) {
        const double* D = group[g].D + size * k;
        for (int j = 0; j < size; ++j) f[j] = prescribed[size_t(j)] ? 0 : -D[j];
        dyn.gather(-1, group[g].C + dyn.width * k, gathered.data());
        dyn.part.gather(gathered.data(), nu_k);
      },
      [&](int g, int k, const double* da, const double* nu_k) {
        const double* D = group[g].D + size * k;
        double* to = group[g].found + size * k;
        dyn.part.spread(nu_k, dyn.nu.data());
        for (int i = 0; i < size; ++i) {
          to[i] = da[i];
          if (!prescribed[size_t(i)]) continue;
          to[i] = D[i] - dyn.along_rows(i);
          for (int j = 0; j < size; ++j)
            if (!prescribed[size_t(j)]) to[i] += M.data()[size * j + i] * da[j];
        }
        dyn.spread(dyn.nu.data(), group[g].dlambda + dyn.rows() * k);
      });
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

using detail::OwnedAccess;

ConstraintReport ConstrainedDerivatives::forward(
    const VectorArg& q, const VectorArg& v, const VectorArg& tau, const Surroundings& around,
    std::span<const Contact> contacts, const IntoResult<ConstrainedForwardDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_forward_derivatives";
  const std::span<const double> where = q, speed = v, force = tau;
  auto& to = d.begin(name, where, {{"v", speed}, {"tau", force}}, around, contacts, found);
  d.dyn.run_forward(name, {where.data(), speed.data()}, force.data(), around, true);
  d.a = d.dyn.rhs;
  const ConstraintReport report = d.dyn.report();
  d.differentiate({where.data(), speed.data(), d.a.data()}, around);
  std::fill_n(d.D_given.data(), d.D_given.size(), 0.0);
  for (int k = 0; k < d.n(); ++k) d.D_given.data()[(d.n() + 1) * k] = -1;
  const ColumnGroup group[] = {
      {d.D_q.data(), d.C_q(), OwnedAccess::numbers(to.da_dq), OwnedAccess::numbers(to.dlambda_dq)},
      {d.D_v.data(), d.C_v(), OwnedAccess::numbers(to.da_dv), OwnedAccess::numbers(to.dlambda_dv)},
      {d.D_given.data(), d.C_given(), OwnedAccess::numbers(to.da_dtau),
       OwnedAccess::numbers(to.dlambda_dtau)}};
  d.forward_columns(group);
  d.require_finite(name, group,
                   {"da_dq", "da_dv", "da_dtau", "dlambda_dq", "dlambda_dv", "dlambda_dtau"});
  return report;
}

ConstraintReport ConstrainedDerivatives::inverse(
    const VectorArg& q, const VectorArg& v, const VectorArg& a, const Surroundings& around,
    std::span<const Contact> contacts, const IntoResult<ConstrainedInverseDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_inverse_derivatives";
  const std::span<const double> where = q, speed = v, change = a;
  auto& to = d.begin(name, where, {{"v", speed}, {"a", change}}, around, contacts, found);
  const OwnState<double> x{where.data(), speed.data(), change.data()};
  d.dyn.run_inverse(name, x, d.dyn.room.zeros.data(), around, Optimum::force);
  d.dyn.require_strainless(name, "derivatives");
  const ConstraintReport report = d.dyn.balance_report();
  d.differentiate(x, around);
  const ColumnGroup group[] = {{d.D_q.data(), d.C_q(), OwnedAccess::numbers(to.dtau_dq),
                                OwnedAccess::numbers(to.dlambda_dq)},
                               {d.D_v.data(), d.C_v(), OwnedAccess::numbers(to.dtau_dv),
                                OwnedAccess::numbers(to.dlambda_dv)},
                               {d.M.data(), d.C_given(), OwnedAccess::numbers(to.dtau_da),
                                OwnedAccess::numbers(to.dlambda_da)}};
  d.inverse_columns(group);
  d.require_finite(name, group,
                   {"dtau_dq", "dtau_dv", "dtau_da", "dlambda_dq", "dlambda_dv", "dlambda_da"});
  return report;
}

ConstraintReport ConstrainedDerivatives::hybrid(
    std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v, const VectorArg& a,
    const VectorArg& tau, const Surroundings& around, std::span<const Contact> contacts,
    const IntoResult<ConstrainedHybridDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_hybrid_derivatives";
  const std::span<const double> where = q, speed = v, change = a, force = tau;
  check_prescribed(d.dyn.robot, name, prescribed);
  auto& to =
      d.begin(name, where, {{"v", speed}, {"a", change}, {"tau", force}}, around, contacts, found);
  const int n = d.n();
  d.dyn.run_hybrid(name, prescribed, {where.data(), speed.data(), change.data()}, force.data(),
                   around, Optimum::force);
  d.dyn.require_strainless(name, "derivatives");
  d.a = d.dyn.step;
  const ConstraintReport report = d.dyn.balance_report();
  d.differentiate({where.data(), speed.data(), d.a.data()}, around);
  for (int k = 0; k < n; ++k) {
    double* given = d.D_given.data() + n * k;
    if (prescribed[size_t(k)]) {
      std::copy_n(d.M.data() + n * k, n, given);
      std::copy_n(d.dyn.A.data() + d.dyn.width * k, d.dyn.width, d.C_given() + d.dyn.width * k);
    } else {
      std::fill_n(given, n, 0.0);
      given[k] = -1;
    }
  }
  const ColumnGroup group[] = {
      {d.D_q.data(), d.C_q(), OwnedAccess::numbers(to.dq), OwnedAccess::numbers(to.dlambda_dq)},
      {d.D_v.data(), d.C_v(), OwnedAccess::numbers(to.dv), OwnedAccess::numbers(to.dlambda_dv)},
      {d.D_given.data(), d.C_given(), OwnedAccess::numbers(to.dgiven),
       OwnedAccess::numbers(to.dlambda_dgiven)}};
  d.hybrid_columns(prescribed, group);
  d.require_finite(name, group,
                   {"dq", "dv", "dgiven", "dlambda_dq", "dlambda_dv", "dlambda_dgiven"});
  return report;
}

}  // namespace jounce
