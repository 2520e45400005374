// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the dynamics of closed loops, implicitly, with the factors of the dynamics.
//
// With D = d/dq [M a + b - A^T lambda] at fixed a and lambda, and C = d/dq [A a + Adot v]:
//   forward  M da - A^T dlambda = -D,  A da = -C
//   inverse  A_p^T dlambda = D_p,  dtau = D - A^T dlambda
//   hybrid   forward in the free coordinates, then inverse in the prescribed ones
// The tree's part of D has its own recursion; rows are differentiated by dual numbers, eight
// directions at a time of those that some loop lies above.
#include <jounce/constrained_derivatives.hpp>
#include <jounce/model/manifold.hpp>

#include "doors/constrained_impl.hpp"
#include "doors/derivatives_impl.hpp"
#include "doors/loop_numbers.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

constexpr int directions = 8;
using Number = Dual<double, directions>;

/// A state of which q or v moves along the coordinates of `along`.
void seed(const OwnState<double>& x, std::span<const int> along, bool by_q,
          LoopNumbers<Number>& to) {
  for (size_t k = 0; k < to.q.size(); ++k) to.q[k] = Number(x.q[k]);
  for (size_t k = 0; k < to.v.size(); ++k) to.v[k] = Number(x.v[k]), to.a[k] = Number(x.a[k]);
  if (!by_q) {
    for (size_t d = 0; d < along.size(); ++d) to.v[size_t(along[d])].d[d] = 1;
    return;
  }
  for (const Factor& f : factors(to.system)) {
    Number by[6];
    bool moves = false;
    for (size_t d = 0; d < along.size(); ++d)
      if (along[d] >= f.v && along[d] < f.v + f.nv) by[along[d] - f.v].d[d] = 1, moves = true;
    if (moves) integrate(f, x.q + f.q, by, to.q.data() + f.q);
  }
}

}  // namespace

struct ConstrainedDerivatives::Impl {
  explicit Impl(Robot robot)
      : dyn(std::move(robot)),
        tree(dyn.robot),
        dual(dyn.robot),
        a(size_t(dyn.nv())),
        given(a.size()),
        D_q(a.size() * a.size()),
        D_v(D_q),
        M(D_q) {}

  int n() const { return dyn.nv(); }
  void set_contacts(const char* caller, std::span<const Contact> contacts);
  /// D and C by q and v at a state whose lambda is known; M.
  void differentiate(const OwnState<double>& x, const Surroundings& around);
  void add_rows(const OwnState<double>& x, bool by_q);
  /// One column: M da - A^T dlambda = f (in `dyn.rhs`), A da = g.
  void solve_column(const double* g, double* da, double* dlambda);
  void require_strainless(const char* caller) const;
  const double* C_q(int k) const { return C.data() + dyn.width * k; }
  const double* C_v(int k) const { return C.data() + dyn.width * (n() + k); }
  /// A column of dtau, dlambda of inverse dynamics: D_k of it.
  void inverse_column(const double* D, std::span<const bool> motors, double* dtau, double* dlambda);
  void hybrid_column(std::span<const bool> prescribed, const double* D, const double* dC,
                     double* found, double* dlambda);

  detail::ConstrainedImpl dyn;
  detail::DerivativesImpl<double, double> tree;
  LoopNumbers<Number> dual;
  std::vector<int> moving;                  ///< coordinates on the way of some loop
  std::vector<double> a, lambda;            ///< of the state
  std::vector<double> given;                ///< [nv] room
  detail::ZeroNumbers<double> D_q, D_v, M;  ///< [nv][nv] column by column
  std::vector<double> C;                    ///< [2 nv][width] by q, then by v
  std::vector<double> gathered, none;       ///< [width] room, zeros
};

void ConstrainedDerivatives::Impl::set_contacts(const char* caller,
                                                std::span<const Contact> contacts) {
  dyn.set_contacts(caller, contacts);
  const Loops<double>& loops = dyn.lists.view();
  dual.resize(loops, dyn.width);
  const size_t width = size_t(dyn.width);
  if (gathered.size() < width) {
    for (auto* x : {&lambda, &gathered, &none}) x->resize(width);
    C.resize(2 * a.size() * width);
    moving.reserve(a.size());
  }
  moving.clear();
  const System<double>& s = dyn.system();
  for (int b = 0; b < loops.bodies; ++b)
    for (int t = s.tree.v_at[loops.body[b]]; t < s.tree.v_at[loops.body[b] + 1]; ++t)
      if (const int k = s.coupling.v_source[t];
          std::find(moving.begin(), moving.end(), k) == moving.end())
        moving.push_back(k);
}

void ConstrainedDerivatives::Impl::add_rows(const OwnState<double>& x, bool by_q) {
  const int width = dyn.width, rows = dyn.rows();
  for (size_t at = 0; at < moving.size(); at += directions) {
    const auto along =
        std::span<const int>(moving).subspan(at, std::min(moving.size() - at, size_t(directions)));
    seed(x, along, by_q, dual);
    dual.run(dyn.lists.view());
    for (size_t d = 0; d < along.size(); ++d) {
      double* to = C.data() + width * ((by_q ? 0 : n()) + along[d]);
      for (int i = 0; i < rows; ++i) to[i] = dual.rate[size_t(i)].d[d];
      if (!by_q) continue;
      double* D = D_q.data() + n() * along[d];
      for (int k = 0; k < n(); ++k)
        for (int i = 0; i < rows; ++i)
          D[k] -= dual.A[size_t(width * k + i)].d[d] * lambda[size_t(i)];
    }
  }
}

void ConstrainedDerivatives::Impl::differentiate(const OwnState<double>& x,
                                                 const Surroundings& around) {
  for (auto* matrix : {&D_q, &D_v, &M}) std::fill_n(matrix->data(), matrix->size(), 0.0);
  std::fill(C.begin(), C.end(), 0.0);
  tree.run_inverse(x, around, {D_q.data(), D_v.data(), M.data()});
  add_rows(x, true);
  add_rows(x, false);
}

void ConstrainedDerivatives::Impl::solve_column(const double* g, double* da, double* dlambda) {
  dyn.gather(-1, g, dyn.nu.data());
  dyn.tree.kernel.constrained_solve(dyn.factors, dyn.rhs.data(), dyn.nu.data());
  std::copy(dyn.rhs.begin(), dyn.rhs.end(), da);
  dyn.spread(dyn.nu.data(), dlambda);
}

void ConstrainedDerivatives::Impl::require_strainless(const char* caller) const {
  if (dyn.strain.rank() > 0)
    throw ComputationError(std::string(caller) + ": the motors can strain the loops in " +
                           std::to_string(dyn.strain.rank()) +
                           " ways, derivatives need forces that are unique");
}

void ConstrainedDerivatives::Impl::inverse_column(const double* D, std::span<const bool> motors,
                                                  double* dtau, double* dlambda) {
  for (int k = 0; k < n(); ++k) dyn.rhs[size_t(k)] = motors[size_t(k)] ? 0 : D[k];
  dyn.part.solve_transposed(dyn.rhs.data(), dyn.nu.data());
  for (int k = 0; k < n(); ++k) dtau[k] = motors[size_t(k)] ? D[k] - dyn.along_rows(k) : 0;
  dyn.spread(dyn.nu.data(), dlambda);
}

void ConstrainedDerivatives::Impl::hybrid_column(std::span<const bool> prescribed, const double* D,
                                                 const double* dC, double* found, double* dlambda) {
  for (int k = 0; k < n(); ++k) dyn.rhs[size_t(k)] = prescribed[size_t(k)] ? 0 : -D[k];
  dyn.gather(-1, dC, gathered.data());
  dyn.part.gather(gathered.data(), dyn.more.data());
  std::fill(dyn.more.begin() + dyn.part.rank(), dyn.more.begin() + dyn.width, 0.0);
  dyn.tree.kernel.constrained_solve(dyn.factors, dyn.rhs.data(), dyn.more.data());
  dyn.part.spread(dyn.more.data(), dyn.nu.data());
  for (int k = 0; k < n(); ++k) {
    found[k] = dyn.rhs[size_t(k)];
    if (!prescribed[size_t(k)]) continue;
    found[k] = D[k] - dyn.along_rows(k);
    for (int j = 0; j < n(); ++j)
      if (!prescribed[size_t(j)]) found[k] += M.data()[n() * j + k] * dyn.rhs[size_t(j)];
  }
  dyn.spread(dyn.nu.data(), dlambda);
}

ConstrainedDerivatives::ConstrainedDerivatives(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
ConstrainedDerivatives::ConstrainedDerivatives(ConstrainedDerivatives&&) noexcept = default;
ConstrainedDerivatives& ConstrainedDerivatives::operator=(ConstrainedDerivatives&&) noexcept =
    default;
ConstrainedDerivatives::~ConstrainedDerivatives() = default;

const Robot& ConstrainedDerivatives::robot() const { return impl_->dyn.robot; }
int ConstrainedDerivatives::rows() const { return impl_->dyn.lists.own_rows(); }
int ConstrainedDerivatives::decide_rank(const VectorArg& q) {
  return impl_->dyn.decide_rank("decide_rank", q);
}

namespace {

/// The rows of the multipliers that a result has room for.
void check_rows(const char* caller, const OwnedMatrix& dlambda, int rows) {
  if (dlambda.rows() != rows)
    throw InputError(std::string(caller) + ": the result has room for " +
                     std::to_string(dlambda.rows()) + " rows of loops and contacts, needs " +
                     std::to_string(rows));
}

}  // namespace

ConstraintReport ConstrainedDerivatives::forward(
    const VectorArg& q, const VectorArg& v, const VectorArg& tau, const Surroundings& around,
    std::span<const Contact> contacts, const IntoResult<ConstrainedForwardDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_forward_derivatives";
  const std::span<const double> where = q, speed = v, force = tau;
  d.dyn.check(name, where, {{"v", speed}, {"tau", force}}, around);
  d.set_contacts(name, contacts);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  const int n = d.n(), m = d.dyn.rows();
  check_rows(name, to.dlambda_dq, m);
  d.dyn.run_forward(name, {where.data(), speed.data()}, force.data(), around, true);
  d.a = d.dyn.rhs;
  std::copy_n(d.dyn.more.begin(), m, d.lambda.begin());
  const ConstraintReport report = d.dyn.report();
  d.differentiate({where.data(), speed.data(), d.a.data()}, around);
  using detail::OwnedAccess;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) d.dyn.rhs[size_t(j)] = -d.D_q.data()[n * k + j];
    d.solve_column(d.C_q(k), OwnedAccess::numbers(to.da_dq) + n * k,
                   OwnedAccess::numbers(to.dlambda_dq) + m * k);
    for (int j = 0; j < n; ++j) d.dyn.rhs[size_t(j)] = -d.D_v.data()[n * k + j];
    d.solve_column(d.C_v(k), OwnedAccess::numbers(to.da_dv) + n * k,
                   OwnedAccess::numbers(to.dlambda_dv) + m * k);
    for (int j = 0; j < n; ++j) d.dyn.rhs[size_t(j)] = j == k ? 1 : 0;
    d.solve_column(d.none.data(), OwnedAccess::numbers(to.da_dtau) + n * k,
                   OwnedAccess::numbers(to.dlambda_dtau) + m * k);
  }
  return report;
}

ConstraintReport ConstrainedDerivatives::inverse(
    const VectorArg& q, const VectorArg& v, const VectorArg& a, const Surroundings& around,
    std::span<const Contact> contacts, const IntoResult<ConstrainedInverseDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "constrained_inverse_derivatives";
  const std::span<const double> where = q, speed = v, change = a;
  d.dyn.check(name, where, {{"v", speed}, {"a", change}}, around);
  d.set_contacts(name, contacts);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  const int n = d.n(), m = d.dyn.rows();
  check_rows(name, to.dlambda_dq, m);
  const OwnState<double> x{where.data(), speed.data(), change.data()};
  d.dyn.run_inverse(name, x, d.dyn.room.zeros.data(), around, Optimum::force);
  d.require_strainless(name);
  std::copy_n(d.dyn.more.begin(), m, d.lambda.begin());
  const ConstraintReport report = d.dyn.balance_report();
  d.differentiate(x, around);
  using detail::OwnedAccess;
  const std::span<const bool> motors = d.dyn.robot.actuated();
  for (int k = 0; k < n; ++k) {
    d.inverse_column(d.D_q.data() + n * k, motors, OwnedAccess::numbers(to.dtau_dq) + n * k,
                     OwnedAccess::numbers(to.dlambda_dq) + m * k);
    d.inverse_column(d.D_v.data() + n * k, motors, OwnedAccess::numbers(to.dtau_dv) + n * k,
                     OwnedAccess::numbers(to.dlambda_dv) + m * k);
    d.inverse_column(d.M.data() + n * k, motors, OwnedAccess::numbers(to.dtau_da) + n * k,
                     OwnedAccess::numbers(to.dlambda_da) + m * k);
  }
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
  d.dyn.check(name, where, {{"v", speed}, {"a", change}, {"tau", force}}, around);
  d.set_contacts(name, contacts);
  auto& to = detail::checked_into(d.dyn.robot, name, found);
  const int n = d.n(), m = d.dyn.rows();
  check_rows(name, to.dlambda_dq, m);
  d.dyn.run_hybrid(name, prescribed, {where.data(), speed.data(), change.data()}, force.data(),
                   around, Optimum::force);
  d.require_strainless(name);
  d.a = d.dyn.step;
  std::copy_n(d.dyn.more.begin(), m, d.lambda.begin());
  const ConstraintReport report = d.dyn.balance_report();
  d.differentiate({where.data(), speed.data(), d.a.data()}, around);
  using detail::OwnedAccess;
  for (int k = 0; k < n; ++k) {
    d.hybrid_column(prescribed, d.D_q.data() + n * k, d.C_q(k), OwnedAccess::numbers(to.dq) + n * k,
                    OwnedAccess::numbers(to.dlambda_dq) + m * k);
    d.hybrid_column(prescribed, d.D_v.data() + n * k, d.C_v(k), OwnedAccess::numbers(to.dv) + n * k,
                    OwnedAccess::numbers(to.dlambda_dv) + m * k);
    const bool fixed = prescribed[size_t(k)];
    for (int j = 0; j < n; ++j) d.given[size_t(j)] = fixed ? d.M.data()[n * k + j] : -(j == k);
    d.hybrid_column(
        prescribed, d.given.data(), fixed ? d.dyn.A.data() + d.dyn.width * k : d.none.data(),
        OwnedAccess::numbers(to.dgiven) + n * k, OwnedAccess::numbers(to.dlambda_dgiven) + m * k);
  }
  return report;
}

}  // namespace jounce
