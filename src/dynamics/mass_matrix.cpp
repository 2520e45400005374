// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix, its inverse and factors, and robots with mimic joints, which are solved with
// them.
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_impl.hpp"

namespace jounce {

const std::vector<double>& Dynamics::Impl::run_mass(const State<double>& x) {
  run_crba(x);
  if (!robot.has_mimic()) return tree_mass;
  gather_square(coupling, tree_mass.data(), square.data());
  return square;
}

void Dynamics::Impl::run_factors(const char* caller, const State<double>& x,
                                 const bool* prescribed) {
  factor(caller, run_mass(x).data(), prescribed);
}

void Dynamics::Impl::factor(const char* caller, const double* M, const bool* prescribed) {
  const size_t n = size_t(pattern.n), stride = size_t(pattern.stride);
  for (size_t k = 0; k < n; ++k) {
    double* factor_row = factors.data() + stride * k;
    if (prescribed == nullptr) {
      std::copy(M + n * k, M + n * k + k + 1, factor_row);
      continue;
    }
    const bool fixed = prescribed[k];
    for (size_t j = 0; j <= k; ++j) factor_row[j] = fixed || prescribed[j] ? 0 : M[n * k + j];
    if (fixed) factor_row[k] = 1;
  }
  kernel.ltdl_factor(pattern, factors.data());
  require_regular(robot, caller, {M, factors.data(), pattern.stride, prescribed}, mass_bounds,
                  lost_motion);
}

void Dynamics::Impl::run_mass_inverse() {
  kernel.ltdl_inverse(pattern, factors.data(), inverse_factor.data(), inverse_transposed.data(),
                      mass_inverse.data());
  note_size_of_inverse();
}

void Dynamics::Impl::invert_mass(const char* caller, const State<double>& x, const double* M) {
  if (solves_by_factors) {
    factor(caller, M, nullptr);
    run_mass_inverse();
    return;
  }
  kernel.factor_articulated(robot.model(), x, work.view());
  require_mass(caller, work.view(), nullptr);
  LaneRow* const rows = inverse_rows.data();
  const InverseRoom room{rows, rows + 6 * robot.bodies(), rows + 12 * robot.bodies()};
  kernel.articulated_inverse(robot.model(), work.view(), room, pattern.stride, mass_inverse.data());
  note_size_of_inverse();
}

void Dynamics::Impl::note_size_of_inverse() {
  double trace = 0;  // of a positive definite matrix: no entry is larger
  for (int k = 0; k < pattern.n; ++k) trace += mass_inverse[size_t(k * pattern.stride + k)];
  moderate_inverse = trace < 1e30;
}

void Dynamics::Impl::coupled_hybrid(const char* caller, const bool* prescribed,
                                    std::span<const double> q_, std::span<const double> v_,
                                    std::span<const double> a_, std::span<const double> tau_,
                                    const Surroundings& around) {
  const int n = robot.nv();
  std::copy(tau_.begin(), tau_.end(), tree_tau.begin());  // tau_ may be a view of forces
  for (int k = 0; k < n; ++k)  // forces that the prescribed accelerations take alone
    solution[size_t(k)] = prescribed != nullptr && prescribed[k] ? a_[size_t(k)] : 0;
  const State<double> known = load(q_, v_, solution, zeros, around);
  run_rnea(known);
  fold_forces();
  if (around.passive) add_passive(q_, v_, 1, forces);
  for (int k = 0; k < n; ++k)
    if (prescribed == nullptr || !prescribed[k])
      solution[size_t(k)] = tree_tau[size_t(k)] - forces[size_t(k)];
  run_factors(caller, known, prescribed);  // rows of prescribed coordinates are those of 1
  ltdl_solve(pattern, factors.data(), solution.data());
  if (prescribed == nullptr) return;
  const State<double> all = load(q_, v_, solution, zeros, around);
  run_rnea(all);
  fold_forces();
  if (around.passive) add_passive(q_, v_, 1, forces);
  for (int k = 0; k < n; ++k)
    if (!prescribed[k]) forces[size_t(k)] = tree_tau[size_t(k)];
}

MatrixView Dynamics::mass(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("mass", "q", q);
  const bool tame = d.all_moderate(q);
  const std::vector<double>& M = d.run_mass(d.tree_state(q, d.zeros, d.zeros));
  const MatrixView found(M.data(), d.robot.nv(), d.robot.nv());
  if (!tame) require_finite(d.robot, "mass", {{"M", found}});
  return found;
}
MassFactors Dynamics::mass_factors(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("mass_factors", "q", q);
  const bool tame = d.pattern.n > 0 && d.all_moderate(q);
  d.run_factors("mass_factors", d.tree_state(q, d.zeros, d.zeros), nullptr);
  MassFactors found{
      {d.factors.data(), d.pattern.n, d.pattern.n, Eigen::OuterStride<>(d.pattern.stride)}};
  if (!(tame && found.LD.diagonal().minCoeff() > 1e-30))
    require_finite(d.robot, "mass_factors", {{"LD", found.LD}});
  return found;
}
RowMatrixView Dynamics::mass_inverse(const VectorArg& q) {
  Impl& d = *impl_;
  check_q(d.robot, "mass_inverse", "q", q);
  const State<double> x = d.tree_state(q, d.zeros, d.zeros);
  d.invert_mass("mass_inverse", x, d.solves_by_factors ? d.run_mass(x).data() : nullptr);
  const RowMatrixView found(d.mass_inverse.data(), d.pattern.n, d.pattern.n,
                            Eigen::OuterStride<>(d.pattern.stride));
  if (!d.moderate_inverse) require_finite(d.robot, "mass_inverse", {{"inverse", found}});
  return found;
}

void Dynamics::factor_mass(const VectorArg& q) {
  Impl& d = *impl_;
  d.robot.check_q("factor_mass", "q", q);
  d.factored = false;
  const State<double> x = d.tree_state(q, d.zeros, d.zeros);
  if (d.solves_by_factors) {
    d.run_factors("factor_mass", x, nullptr);
    std::copy(d.factors.begin(), d.factors.end(), d.solving_factors.begin());
  } else {
    d.kernel.factor_articulated(d.robot.model(), x, d.articulated.view());
    d.require_mass("factor_mass", d.articulated.view(), nullptr);
  }
  d.factored = true;
}
VectorView Dynamics::mass_solve(const VectorArg& x) {
  Impl& d = *impl_;
  d.robot.check_v("mass_solve", "x", x);
  if (!d.factored) throw InputError("mass_solve: call factor_mass first");
  const std::span<const double> given = x;
  std::copy(given.begin(), given.end(), d.solution.begin());
  if (d.solves_by_factors) ltdl_solve(d.pattern, d.solving_factors.data(), d.solution.data());
  else
    d.kernel.articulated_solve(d.robot.model(), d.solution.data(), d.articulated.view(),
                               d.solution.data());
  require_finite(d.robot, "mass_solve", "x", d.solution);
  return {d.solution.data(), d.robot.nv()};
}

}  // namespace jounce
