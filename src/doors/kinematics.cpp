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

/// The body Jacobian of a frame, transposed, as span_of takes it.
double* transposed(detail::KinematicsImpl<double, double>& d, const char* caller, FrameId frame) {
  const int n = d.robot.nv();
  d.tree.jacobian(d.w(), d.seat(frame), Representation::body, d.tree_columns(d.J.data()));
  d.gather_found(caller, "J", 6, d.tame, d.J.data());
  double* rows = d.across.data();
  for (int j = 0; j < n; ++j) {
    std::copy_n(d.J.data() + 6 * j, 6, rows + 8 * j);
    rows[8 * j + 6] = rows[8 * j + 7] = 0;
  }
  return rows;
}

}  // namespace

template <>
double Kinematics::manipulability(FrameId frame) {
  Impl& d = *impl_;
  d.require("manipulability", Impl::positions);
  double* rows = transposed(d, "manipulability", frame);
  const double volume = dense::volume_of(d.robot.nv(), rows);
  require_finite_number("manipulability", "the volume", volume);
  return volume;
}

namespace {

/// What a custom joint's own screws add to the gradient, whose body has the pose Y seen from the
/// frame: W_l . Ad_Y dS_l/dq_k.
void add_custom_gradient(const Model<double>& m, const State<double>& x, int i,
                         const SE3<double>& Y, const Wrench<double>* weight, double* gradient) {
  const int first = m.v_at[i];
  differentiate_custom(*m.custom[i], x.q + m.q_at[i], x.v + first,
                       [&](const CustomPartials<double>& partial) {
                         for (int k = 0; k < partial.dof; ++k)
                           for (int l = 0; l < partial.dof; ++l)
                             gradient[first + k] += dot(weight[first + l], Ad(Y, partial.S(l, k)));
                       });
}

/// The sum of W_i . dX_i/dq_k over the columns X_i of a body Jacobian, along every coordinate k. A
/// coordinate further out moves the frame away under X_i: dX_i/dq_k = [X_i, X_k], and so
/// W_i . dX_i/dq_k = (ad_{X_i}^T W_i) . X_k, a sum that grows from the ground on.
void gradient_by_brackets(const Model<double>& m, const State<double>& x,
                          const Workspace<double>& w, const FrameSeat<double>& seat,
                          const Twist<double>* X, const Wrench<double>* weight, double* gradient) {
  const SE3<double> T = detail::pose_from_centre(w, seat.body, seat.offset);
  std::fill(gradient, gradient + m.nv, 0.0);
  Wrench<double> inner{};
  for (int i = 1; i <= seat.body; ++i) {  // columns of bodies that do not carry the frame are zero
    for (int part = m.part_at[i]; part < m.part_at[i + 1]; ++part) {
      const auto [first, last] = detail::part_range(m, i, m.part[part]);
      for (int k = first; k < last; ++k) gradient[k] = dot(inner, X[k]);
      for (int k = first; k < last; ++k) inner += dual_ad(X[k], weight[k]);
    }
    if (is_custom(m, i))
      add_custom_gradient(m, x, i, inverse(T) * SE3<double>{w.pose[i].R, w.central[i]}, weight,
                          gradient);
  }
}

}  // namespace

/// d/dq_k of the volume w is w tr(J^+ dJ).
template <>
void Kinematics::manipulability_gradient(FrameId frame, const Into<double>& gradient) {
  Impl& d = *impl_;
  const char* name = "manipulability_gradient";
  d.require(name, Impl::positions);
  const int n = d.robot.nv();
  double* to = detail::checked_into(d.robot, name, "gradient", gradient, n);
  double* Q = transposed(d, name, frame);
  const dense::SixColumns span = dense::span_of(n, Q, 0);
  std::fill(to, to + n, 0.0);
  if (span.volume == 0) return;
  const System<double>& s = d.tree.system();
  const int tree_n = s.tree.nv;
  const State<double> x = d.equations().at(d.state_q.data());
  const double* columns = d.tree_columns(d.J.data());
  for (int k = 0; k < tree_n; ++k) {
    const double* c = columns + 6 * k;
    d.X[size_t(k)] = {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
    double inverse[6] = {};  // a row of A J^+, with J^+ = Q G^T
    with_leader(s.coupling, k, [&](int own, double ratio) {
      for (int r = 0; r < 6; ++r)
        dense::add_multiple(6, ratio * Q[n * r + own], span.G[r], inverse);
    });
    const double* i = inverse;
    d.weight[size_t(k)] = {{i[0], i[1], i[2]}, {i[3], i[4], i[5]}};
  }
  double* found = d.tree_gradient.data();
  gradient_by_brackets(s.tree, x, d.w(), d.seat(frame), d.X.data(), d.weight.data(), found);
  for (int k = 0; k < tree_n; ++k) found[k] *= span.volume;
  gather(s.coupling, found, to);
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
  double* Q = transposed(d, name, frame);
  const dense::SixColumns span = dense::span_of(n, Q, cutoff);
  if (span.rank < n) dense::one_minus_product(n, span.rank, Q, Q, to);
  else std::fill(to, to + n * n, 0.0);
  if (!d.tame) require_finite_matrix(d.robot, name, "N", to, n, n);
}

template class BasicKinematics<double>;
template class BasicKinematics<float>;

}  // namespace jounce
