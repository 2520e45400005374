// SPDX-License-Identifier: BSD-3-Clause
// Kinematics of closed mechanisms: bases of what suits their loops, and what they do to frames.
#include <algorithm>
#include <cmath>

#include "doors/closed_kinematics_impl.hpp"
#include "finite_results.hpp"
#include "linear_algebra/pivoted_qr.hpp"
#include "linear_algebra/vectors.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

/// Singular values below it, of the largest, count as none.
constexpr double no_direction = 1e-8;

double at_or_zero(const std::vector<double>& values, int k) {
  return k >= 0 && size_t(k) < values.size() ? values[size_t(k)] : 0;
}

}  // namespace

/// With room for all that does not depend on goals.
ClosedKinematics::Impl::Impl(Robot robot_)
    : dyn(std::move(robot_)),
      kinematics(dyn.robot()),
      step(size_t(nv())),
      moved(size_t(robot().nq())),
      back(step),
      stopped(std::make_unique<bool[]>(step.size())) {
  const int n = nv(), longest = std::max({dyn.rows() + n, n, 6});
  for (dense::Matrix* one : {&A, &G, &J, &X, &frame, &some, &across})
    one->numbers.reserve(size_t(longest) * size_t(n));
  singular.resize(longest, n);
  values.reserve(size_t(longest));
  tau.resize(size_t(n) + 1);
  order.resize(size_t(longest));
  held.reserve(step.size());
}

std::span<const bool> ClosedKinematics::Impl::driven_or_motors(const char* caller,
                                                               std::span<const bool> driven) const {
  if (driven.empty()) return robot().actuated();
  if (driven.size() != size_t(nv()))
    throw InputError(std::string(caller) + ": driven has " + std::to_string(driven.size()) +
                     " elements, robot " + in_quotes(robot().name()) + " needs " +
                     std::to_string(nv()));
  return driven;
}

void ClosedKinematics::Impl::write_rows(std::span<const double> at) {
  dense::reshape(A, dyn.rows(), nv());
  dyn.jacobian(at, {}, Into<double>(A.data(), A.rows, A.columns), time);
}
void ClosedKinematics::Impl::take_columns(std::span<const bool> flags, bool flag) {
  dense::reshape(some, A.rows, int(std::count(flags.begin(), flags.end(), flag)));
  for (int j = 0, k = 0; j < A.columns; ++j)
    if (flags[size_t(j)] == flag) std::copy_n(A.column(j), A.rows, some.column(k++));
}
void ClosedKinematics::Impl::take_rows_of_basis(std::span<const bool> flags) {
  dense::reshape(some, G.columns, int(std::count(flags.begin(), flags.end(), true)));
  for (int j = 0, k = 0; j < G.rows; ++j) {
    if (!flags[size_t(j)]) continue;
    for (int i = 0; i < G.columns; ++i) some(i, k) = G(j, i);
    ++k;
  }
}
void ClosedKinematics::Impl::sort_singular_values(const dense::Matrix& of) {
  values.clear();
  if (of.rows == 0 || of.columns == 0) return;
  singular.resize(of.rows, of.columns);
  singular.decompose(of);
  for (int k = 0; k < singular.count(); ++k) values.push_back(singular.value(k));
  std::sort(values.rbegin(), values.rend());
}

/// Orthonormal velocities that suit the loops and leave the held coordinates where they are. The
/// rank of the loops is the one that was decided.
void ClosedKinematics::Impl::write_basis() {
  const int n = nv(), extra = int(held.size()), all = A.rows + extra;
  dense::reshape(across, n, all);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < n; ++j) across(j, i) = A(i, j);
  for (int k = 0; k < extra; ++k) across(held[size_t(k)], A.rows + k) = 1;
  if (all > 0) dense::pivoted_qr(n, all, across.data(), tau.data(), order.data());
  int rank = n - dyn.mobility();
  for (const int most = std::min({rank + extra, n, all}); rank < most; ++rank)
    if (!(std::abs(across(rank, rank)) > no_direction * std::abs(across(0, 0)))) break;
  dense::reshape(G, n, n - rank);
  for (int k = 0; k < G.columns; ++k) {
    G(rank + k, k) = 1;
    if (rank > 0) dense::times_q(n, rank, across.data(), tau.data(), G.column(k));
  }
}

/// G G_d^+.
void ClosedKinematics::Impl::write_motion(const char* caller, std::span<const double> at,
                                          std::span<const bool> driven) {
  held.clear();
  write_rows(at);
  write_basis();
  take_rows_of_basis(driven);
  sort_singular_values(some);
  const auto found = int(std::count_if(values.begin(), values.end(),
                                       [](double value) { return value > no_direction; }));
  if (found < G.columns)
    throw ComputationError(std::string(caller) + ": the driven coordinates of robot " +
                           in_quotes(robot().name()) + " determine " + std::to_string(found) +
                           " of its " + std::to_string(G.columns) + " degrees of freedom" +
                           (some.columns < G.columns ? "" : " here: it is singular"));
  dense::reshape(across, G.columns, some.columns);
  for (int k = 0; k < int(values.size()); ++k)
    for (int j = 0; j < across.columns; ++j)
      dense::add_multiple(across.rows, singular.right(k)[j] / singular.value(k), singular.left(k),
                          across.column(j));
  dense::multiply(G, across, X);
}

void ClosedKinematics::Impl::write_jacobian(FrameId of, Representation in) {
  dense::reshape(J, 6, nv());
  kinematics.jacobian(of, in, Into<double>(J.data(), 6, nv()));
}

ClosedKinematics::ClosedKinematics(Robot robot) : impl_(std::make_unique<Impl>(std::move(robot))) {}
ClosedKinematics::ClosedKinematics(ClosedKinematics&&) noexcept = default;
ClosedKinematics& ClosedKinematics::operator=(ClosedKinematics&&) noexcept = default;
ClosedKinematics::~ClosedKinematics() = default;
const Robot& ClosedKinematics::robot() const { return impl_->robot(); }
int ClosedKinematics::mobility() const { return impl_->dyn.mobility(); }
int ClosedKinematics::decide_rank(const VectorArg& q, double time) {
  return impl_->dyn.decide_rank(q, time);
}
ClosedKinematics ClosedKinematics::another() const {
  ClosedKinematics own(robot());
  own.impl_->dyn = impl_->dyn.another();
  return own;
}

int ClosedKinematics::driven_count(std::span<const bool> driven) const {
  const std::span<const bool> flags = impl_->driven_or_motors("motion", driven);
  return int(std::count(flags.begin(), flags.end(), true));
}

void ClosedKinematics::motion(const VectorArg& q, std::span<const bool> driven,
                              const Into<double>& found, double time) {
  Impl& d = *impl_;
  d.time = time;
  const std::span<const bool> flags = d.driven_or_motors("motion", driven);
  double* to =
      detail::checked_into(d.robot(), "motion", "found", found, d.nv(), driven_count(driven));
  d.robot().check_q("motion", "q", q);
  d.write_motion("motion", q, flags);
  require_finite("motion", "the motion", all_finite(d.X.numbers));
  std::copy(d.X.numbers.begin(), d.X.numbers.end(), to);
}

void ClosedKinematics::jacobian(const VectorArg& q, FrameId frame, Representation in,
                                std::span<const bool> driven, const Into<double>& found,
                                double time) {
  Impl& d = *impl_;
  d.time = time;
  const char* name = "closed_jacobian";
  const std::span<const bool> flags = d.driven_or_motors(name, driven);
  double* to = detail::checked_into(d.robot(), name, "found", found, 6, driven_count(driven));
  d.robot().check_q(name, "q", q);
  d.kinematics.at(q);
  d.write_jacobian(frame, in);
  d.write_motion(name, q, flags);
  dense::multiply(d.J, d.X, d.frame);
  require_finite(name, "the Jacobian", all_finite(d.frame.numbers));
  std::copy(d.frame.numbers.begin(), d.frame.numbers.end(), to);
}

Singularity ClosedKinematics::singularity(const VectorArg& q, FrameId frame,
                                          std::span<const bool> driven, double time) {
  Impl& d = *impl_;
  d.time = time;
  const std::span<const bool> flags = d.driven_or_motors("singularity", driven);
  d.robot().check_q("singularity", "q", q);
  d.kinematics.at(q);
  d.held.clear();
  d.write_rows(q);
  d.write_basis();
  const int rank = d.nv() - d.dyn.mobility();
  d.sort_singular_values(d.A);
  const double largest = at_or_zero(d.values, 0);
  Singularity found;
  found.mobility = d.dyn.mobility();
  const auto counts = [&](double x) { return x > no_direction * largest; };
  const auto here = int(std::count_if(d.values.begin(), d.values.end(), counts));
  found.instantaneous = d.nv() - std::min(here, rank);
  if (rank > 0) found.rows = at_or_zero(d.values, rank - 1) / largest;
  d.take_columns(flags, false);  // A_p
  if (d.some.columns > rank) {
    found.passive = 0;
  } else if (d.some.columns > 0) {
    d.sort_singular_values(d.some);
    found.passive = at_or_zero(d.values, d.some.columns - 1) / largest;
  }
  d.write_jacobian(frame, Representation::body);
  dense::multiply(d.J, d.G, d.frame);
  d.sort_singular_values(d.frame);
  found.frame = at_or_zero(d.values, std::min(6, d.frame.columns) - 1);
  dense::reshape(d.some, 3, d.frame.columns);  // of its origin
  for (int k = 0; k < d.some.columns; ++k) std::copy_n(d.frame.column(k) + 3, 3, d.some.column(k));
  d.sort_singular_values(d.some);
  found.position = at_or_zero(d.values, std::min(3, d.some.columns) - 1);
  const double sum = found.rows + found.passive + found.frame + found.position;
  require_finite("singularity", "a singular value", std::isfinite(sum));
  return found;
}

}  // namespace jounce
