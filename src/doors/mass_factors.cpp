// SPDX-License-Identifier: BSD-3-Clause
// Factors of the mass matrix of double and float, and the robot as a frame feels it:
// operational-space inertia, and the inverse and null space of a Jacobian that are consistent with
// the dynamics (Khatib 1987).
//
//   Lambda = (J M^-1 J^T)^-1,  Jbar = M^-1 J^T Lambda,  N = 1 - Jbar J
// With M = L^T D L, J M^-1 J^T is Y^T Y for Y = D^-1/2 L^-T J^T: six sparse solutions. It is never
// formed, because that would cost half of the digits near a singularity. Y = Q F, with G the
// pseudo-inverse of F, gives
//   Lambda = G G^T,  Jbar = (L^-1 D^-1/2 Q) G^T,  N = 1 - (L^-1 D^-1/2 Q) (L^T D^1/2 Q)^T.
#include <cmath>
#include <jounce/door/mass_factors.hpp>

#include "kernels/kernel_tree.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/six_columns.hpp"
#include "linear_algebra/vectors.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

using Factors = detail::MassFactorsImpl<double, double>;

/// D^-1/2 L^-T J^T = Q F at the state: G, and Q in the first columns where span finds it.
dense::SixColumns operational(Factors& d, const char* caller, FrameId frame, Representation in,
                              double cutoff, decltype(dense::span_of) span = dense::span_of) {
  d.require_state(caller);
  if (!(cutoff >= 0)) throw InputError(std::string(caller) + ": cutoff must not be negative");
  const int n = d.robot.nv();
  const FrameSeat<double>& seat = d.seat(frame);
  d.sparse_factors(caller);
  double *Q = d.columns.data(), *J = Q + dense::six_rows(n);
  const Coupling<double>& c = d.system().coupling;
  double* tree_J = c.identity ? J : d.tree_columns.data();
  d.tree.path_jacobian(d.equations().at(d.q.data()), d.workspace(), seat, in, tree_J);
  if (!c.identity) gather_columns(c, 6, tree_J, J);
  require_finite_matrix(d.robot, caller, "J", J, 6, n);
  const MassPattern pattern = d.dense().pattern.view();
  const double* LD = d.dense().LD.data();
  for (int k = 0; k < n; ++k) d.roots[size_t(k)] = std::sqrt(LD[pattern.diagonal[k]]);
  for (int k = 0; k < n; ++k) {
    std::copy_n(J + 6 * k, 6, Q + 8 * k);
    Q[8 * k + 6] = Q[8 * k + 7] = 0;
  }
  d.tree.ltdl_solve_beside(pattern, LD, false, Q);
  for (int k = 0; k < n; ++k) dense::scale(6, 1 / d.roots[size_t(k)], Q + 8 * k);
  return span(n, Q, std::sqrt(cutoff));
}

/// x := L^-1 D^-1/2 x.
void lift(Factors& d, double* x) {
  for (int k = 0; k < d.robot.nv(); ++k) x[k] /= d.roots[size_t(k)];
  ltdl_solve_lower(d.dense().pattern.view(), d.dense().LD.data(), x);
}

}  // namespace

/// Eight columns at a time, each checked before any is written.
template <>
void MassFactors::run_solve_columns(double* X, Eigen::Index rows, Eigen::Index columns,
                                    Eigen::Index stride) {
  Impl& d = *impl_;
  const int n = d.robot.nv();
  d.require_state("solve");
  if (!d.solves_by_factors() && !d.turned) {
    d.tree.keep_joints(d.bodies->view());
    d.turned = true;
  }
  for (Eigen::Index first = 0; first < columns; first += 8) {
    const int count = int(std::min<Eigen::Index>(8, columns - first));
    const auto column = [&](int c) { return X + stride * (first + c); };
    for (int c = 0; c < count; ++c)
      check_v(d.robot, "solve", Named<double>{"x", {column(c), size_t(rows)}});
    double* y = d.beside.data();
    for (int k = 0; k < n; ++k)
      for (int c = 0; c < 8; ++c) y[8 * k + c] = c < count ? column(c)[k] : 0;
    if (d.solves_by_factors())
      d.tree.ltdl_solve_beside(d.dense().pattern.view(), d.dense().LD.data(), true, y);
    else d.tree.solve_beside(d.bodies->view(), y);
    for (int c = 0; c < count; ++c) {
      double* found = d.room.solution.data();
      for (int k = 0; k < n; ++k) found[k] = y[8 * k + c];
      require_finite_vector(d.robot, "solve", "x", found);
    }
    for (int c = 0; c < count; ++c)
      for (int k = 0; k < n; ++k) column(c)[k] = y[8 * k + c];
  }
}

template <>
void MassFactors::LD(const Into<double>& found) {
  Impl& d = *impl_;
  d.require_state("LD");
  const int n = d.robot.nv();
  double* to = detail::checked_into(d.robot, "LD", "LD", found, n, n);
  d.sparse_factors("LD");
  const MassPattern s = d.dense().pattern.view();
  const std::span<const double> LD(d.dense().LD.data(), d.dense().LD.size());
  std::fill(to, to + n * n, 0.0);
  bool moderate = d.tame;  // |L_kj| is at most sqrt(M_jj / D_k)
  for (int k = 0; k < n; ++k) {
    moderate &= LD[size_t(s.diagonal[k])] > 1e-200;
    const double* L = LD.data() + s.row[k];
    for (int c = s.at[k]; c < s.at[k + 1]; ++c, ++L) to[n * s.column[c] + k] = *L;
    to[(n + 1) * k] = *L;
  }
  if (!moderate) require_finite_matrix(d.robot, "LD", "LD", to, n, n);
}

template <>
void MassFactors::operational_inertia(FrameId frame, Representation in, double cutoff,
                                      const Into<double>& inertia) {
  double* to = detail::checked_into(robot(), "operational_inertia", "inertia", inertia, 6, 6);
  const auto span =
      operational(*impl_, "operational_inertia", frame, in, cutoff, dense::span_without_q);
  impl_->tree.kernel.six_by_six(span.rank, span.G, to);
  require_finite_matrix(robot(), "operational_inertia", "inertia", to, 6, 6);
}

template <>
void MassFactors::consistent_inverse(FrameId frame, Representation in, double cutoff,
                                     const Into<double>& inverse) {
  const int n = robot().nv();
  double* to = detail::checked_into(robot(), "consistent_inverse", "inverse", inverse, n, 6);
  const auto span = operational(*impl_, "consistent_inverse", frame, in, cutoff);
  std::fill(to, to + 6 * n, 0.0);
  for (int c = 0; c < span.rank; ++c) {
    double* lifted = impl_->columns.data() + n * c;
    lift(*impl_, lifted);
    for (int j = 0; j < 6; ++j) dense::add_multiple(n, span.G[c][j], lifted, to + n * j);
  }
  require_finite_matrix(robot(), "consistent_inverse", "inverse", to, n, 6);
}

template <>
void MassFactors::null_space_projector(FrameId frame, double cutoff, const Into<double>& N) {
  Impl& d = *impl_;
  const int n = d.robot.nv();
  const char* name = "null_space_projector";
  double* to = detail::checked_into(d.robot, name, "N", N, n, n);
  const auto span = operational(d, name, frame, Representation::body, cutoff);
  if (span.rank == n) {
    std::fill(to, to + n * n, 0.0);
    return;
  }
  double *Q = d.columns.data(), *onto = Q + 6 * n;
  for (int c = 0; c < span.rank; ++c, Q += n, onto += n) {
    for (int k = 0; k < n; ++k) onto[k] = Q[k] * d.roots[size_t(k)];
    ltdl_times_transposed(d.dense().pattern.view(), d.dense().LD.data(), onto);
    lift(d, Q);
  }
  dense::one_minus_product(n, span.rank, d.columns.data(), d.columns.data() + 6 * n, to);
  require_finite_matrix(d.robot, name, "N", to, n, n);
}

template class BasicMassFactors<double>;
template class BasicMassFactors<float>;

}  // namespace jounce
