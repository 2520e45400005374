// SPDX-License-Identifier: BSD-3-Clause
// Kinematics of double and float, and what only double has.
#include <jounce/door/kinematics.hpp>

#include "kernels/kernel_tree.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/six_columns.hpp"
#include "linear_algebra/vectors.hpp"
#include "state_check.hpp"

namespace jounce {
namespace {

/// The body Jacobian of a frame, transposed: nv x 6, column by column.
void write_transposed(detail::KinematicsImpl<double, double>& d, const char* caller,
                      FrameId frame) {
  const int n = d.robot.nv();
  d.tree.jacobian(d.w(), d.seat(frame), Representation::body, d.tree_columns(d.J.data()));
  d.gather_found(caller, "J", 6, d.tame, d.J.data());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 6; ++i) d.J_transposed[size_t(n * i + j)] = d.J[size_t(6 * j + i)];
}

}  // namespace

template <>
double Kinematics::manipulability(FrameId frame) {
  Impl& d = *impl_;
  d.require("manipulability", Impl::positions);
  write_transposed(d, "manipulability", frame);
  const double volume = dense::volume_of(d.robot.nv(), d.J_transposed.data());
  require_finite_number("manipulability", "the volume", volume);
  return volume;
}

/// d/dq_k of the volume w is w tr(J^+ dJ), with dJ the rate of J at v = e_k.
template <>
void Kinematics::manipulability_gradient(FrameId frame, const Into<double>& gradient) {
  Impl& d = *impl_;
  const char* name = "manipulability_gradient";
  d.require(name, Impl::positions);
  const int n = d.robot.nv();
  double* to = detail::checked_into(d.robot, name, "gradient", gradient, n);
  write_transposed(d, name, frame);
  double *Q = d.J_transposed.data(), *inverse = d.J.data();  // of J, transposed: G Q^T
  const dense::SixColumns span = dense::span_of(n, Q, 0);
  std::fill(to, to + n, 0.0);
  if (span.volume == 0) return;
  for (int j = 0; j < n; ++j) {
    std::fill(inverse + 6 * j, inverse + 6 * (j + 1), 0.0);
    for (int c = 0; c < 6; ++c) dense::add_multiple(6, Q[n * c + j], span.G[c], inverse + 6 * j);
  }
  const FrameSeat<double>& seat = d.seat(frame);
  const System<double>& s = d.tree.system();
  const Workspace<double>& w = d.scratch.tree.view();
  for (int k = 0; k < n; ++k) {
    d.unit[size_t(k)] = 1;
    d.equations().move(d.state_q.data(), d.unit.data(), nullptr, {});
    d.unit[size_t(k)] = 0;
    double* rate = d.rate.data();
    jounce::jacobian_rate(s.tree, w, seat.body, seat.offset, Ad_inv(seat.offset, w.V[seat.body]),
                          Representation::body, d.tree_columns(rate));
    d.gather_found(name, "rate", 6, d.tame, rate);
    to[k] = span.volume * dense::dot(6 * n, inverse, rate);
  }
  require_finite_vector(d.robot, name, "gradient", to);
}

/// 1 - Q Q^T, and nothing at all where Q spans every velocity.
template <>
void Kinematics::null_space_projector(FrameId frame, double cutoff, const Into<double>& N) {
  Impl& d = *impl_;
  const char* name = "null_space_projector";
  d.require(name, Impl::positions);
  if (!(cutoff >= 0)) throw InputError("null_space_projector: cutoff must not be negative");
  const int n = d.robot.nv();
  double* to = detail::checked_into(d.robot, name, "N", N, n, n);
  write_transposed(d, name, frame);
  double* Q = d.J_transposed.data();
  const dense::SixColumns span = dense::span_of(n, Q, cutoff);
  if (span.rank < n) dense::one_minus_product(n, span.rank, Q, Q, to);
  else std::fill(to, to + n * n, 0.0);
  if (!d.tame) require_finite_matrix(d.robot, name, "N", to, n, n);
}

template class BasicKinematics<double>;
template class BasicKinematics<float>;

}  // namespace jounce
