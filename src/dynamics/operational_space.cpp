// SPDX-License-Identifier: BSD-3-Clause
// The robot as a frame feels it: operational-space inertia, and the inverse and null space of a
// Jacobian that are consistent with the dynamics (Khatib 1987).
//
//   Lambda = (J M^-1 J^T)^-1,  Jbar = M^-1 J^T Lambda,  N = 1 - Jbar J
// With M = L^T D L, J M^-1 J^T is Y^T Y for Y = D^-1/2 L^-T J^T: six sparse solutions. It is never
// formed, because that would cost half of the digits near a singularity. Y = Q F, with G the
// pseudo-inverse of F, gives
//   Lambda = G G^T,  Jbar = (L^-1 D^-1/2 Q) G^T,  N = 1 - (L^-1 D^-1/2 Q) (L^T D^1/2 Q)^T.
#include <cmath>

#include "dynamics/dynamics_impl.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

dense::SixColumns Dynamics::Impl::run_operational(const char* caller, FrameId frame,
                                                  Representation in, double cutoff,
                                                  Dynamics& self) {
  if (!(cutoff >= 0)) throw InputError(std::string(caller) + ": cutoff must not be negative");
  const MatrixView J = self.jacobian(frame, in);
  const int n = robot.nv();
  run_factors(caller, tree_state(q, zeros, zeros), nullptr);
  for (int k = 0; k < n; ++k)
    root_mass[size_t(k)] = std::sqrt(factors[size_t(k) * size_t(pattern.stride + 1)]);
  for (int c = 0; c < 6; ++c) {
    double* y = mass_jacobian.data() + n * c;
    for (int k = 0; k < n; ++k) y[k] = J.data()[6 * k + c];
    ltdl_solve_transposed(pattern, factors.data(), y);
    for (int k = 0; k < n; ++k) y[k] /= root_mass[size_t(k)];
  }
  return dense::span_of(n, mass_jacobian.data(), std::sqrt(cutoff));
}

/// x := L^-1 D^-1/2 x.
void Dynamics::Impl::lift(double* x) {
  for (int k = 0; k < robot.nv(); ++k) x[k] /= root_mass[size_t(k)];
  ltdl_solve_lower(pattern, factors.data(), x);
}

MatrixView Dynamics::operational_inertia(FrameId frame, Representation in, double cutoff) {
  Impl& d = *impl_;
  const dense::SixColumns span = d.run_operational("operational_inertia", frame, in, cutoff, *this);
  std::fill(d.lambda, d.lambda + 36, 0.0);
  for (int c = 0; c < span.rank; ++c)
    for (int j = 0; j < 6; ++j) dense::add_multiple(6, span.G[c][j], span.G[c], d.lambda + 6 * j);
  return {d.lambda, 6, 6};
}
MatrixView Dynamics::dynamically_consistent_inverse(FrameId frame, Representation in,
                                                    double cutoff) {
  Impl& d = *impl_;
  const dense::SixColumns span =
      d.run_operational("dynamically_consistent_inverse", frame, in, cutoff, *this);
  const int n = d.robot.nv();
  std::fill(d.jacobian.begin(), d.jacobian.end(), 0.0);
  for (int c = 0; c < span.rank; ++c) {
    double* lifted = d.mass_jacobian.data() + n * c;
    d.lift(lifted);
    for (int j = 0; j < 6; ++j)
      dense::add_multiple(n, span.G[c][j], lifted, d.jacobian.data() + n * j);
  }
  return {d.jacobian.data(), n, 6};
}
MatrixView Dynamics::dynamic_null_space_projector(FrameId frame, double cutoff) {
  Impl& d = *impl_;
  const dense::SixColumns span =
      d.run_operational("dynamic_null_space_projector", frame, Representation::body, cutoff, *this);
  const int n = d.robot.nv();
  if (span.rank == n) {
    std::fill(d.square.begin(), d.square.end(), 0.0);
    return {d.square.data(), n, n};
  }
  for (int c = 0; c < span.rank; ++c) {
    double *lifted = d.mass_jacobian.data() + n * c, *onto = d.jacobian.data() + n * c;
    for (int k = 0; k < n; ++k) onto[k] = lifted[k] * d.root_mass[size_t(k)];
    ltdl_times_transposed(d.pattern, d.factors.data(), onto);
    d.lift(lifted);
  }
  dense::one_minus_product(n, span.rank, d.mass_jacobian.data(), d.jacobian.data(),
                           d.square.data());
  return {d.square.data(), n, n};
}

}  // namespace jounce
