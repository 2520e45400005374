// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of the cost of a motion: Newton's model.
//
// The integrand's second derivatives by the orders s, t of the path, n x n blocks, are
//   energy      (q, q) d2(v.M v), (v, q) 2 dM/dq v, (v, v) 2 M
//   force       2 (J^T J + P), P = sum_i y_i d2 y_i, y the forces of a node
//   rate        2 (J^T J + Q), y the rates of the forces: J has the partials of tau' by q, v, a and
//               jerk, which are A', A + B', B + M' and M, A, B and M those of tau by q, v and a;
//               Q the blocks (q, q) P_qq', (q, v) P_qq + P_qv', (q, a) P_qv + P_qa', (q, jerk)
//               P_qa, (v, v) P_qv + P_vq + P_vv', (v, a) P_vv + P_qa; P_va and P_aa are zero
// with SecondDerivatives for d2 and the primes of J; those of P are central differences along the
// motion, for third derivatives of tau there is no formula here. v.M v is tau . v of acceleration v
// at rest.
#include "doors/minimum_motion_impl.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {

const double* MotionProblem::partial(int s) const {
  if (tensors) return rate_partial[size_t(s)].data();
  return s == 0 ? inverse->dq.data() : s == 1 ? inverse->dv.data() : inverse->da.data();
}

void MotionProblem::differentiate_rate(const Surroundings& around) {
  const int size = n(), square = size * size;
  const double *q = motion.data(), *v = q + size, *a = v + size, *jerk = a + size;
  const auto numbers = [&](const double* x) { return std::span(x, size_t(size)); };
  derivatives.inverse(numbers(q), numbers(v), numbers(a), around, into(*inverse));
  second->inverse(numbers(q), numbers(v), numbers(a), around, into(*tensors));
  const double* first[] = {inverse->dq.data(), inverse->dv.data(), inverse->da.data()};
  for (int s = 0; s < 4; ++s) {
    dense::Matrix& to = rate_partial[size_t(s)];
    if (s == 0) std::fill(to.numbers.begin(), to.numbers.end(), 0.0);
    else std::copy_n(first[s - 1], square, to.data());
  }
  const double *qq = tensors->dqdq.data(), *qv = tensors->dqdv.data();
  const double *vv = tensors->dvdv.data(), *aq = tensors->dadq.data();
  dense::Matrix &dq = rate_partial[0], &dv = rate_partial[1], &da = rate_partial[2];
  for (int l = 0; l < size; ++l) {
    dense::add_multiple(square, v[l], qq + square * l, dq.data());
    dense::add_multiple(square, a[l], qv + square * l, dq.data());
    dense::add_multiple(square, a[l], vv + square * l, dv.data());
    dense::add_multiple(square, v[l], aq + square * l, da.data());
    for (int k = 0; k < size; ++k) {  // entries (i, l, k): of number l first
      dense::add_multiple(size, jerk[l], aq + size * (l + size * k), dq.column(k));
      dense::add_multiple(size, v[l], qv + size * (l + size * k), dv.column(k));
    }
  }
}

void MotionProblem::add_squares(const Node& node, Model& to) {
  const int six = SplineBasis::degree + 1, size = n(), free = free_points();
  dense::Matrix J(size, size * six);  // of the node's force by the six control points
  for (int j = 0; j < six; ++j)
    for (int s = 0; s < orders(); ++s)
      dense::add_multiple(size * size, node.basis.value[s][j], partial(s), J.column(size * j));
  const auto place = [&](int j) { return node.basis.first + j - fixed(); };
  for (int j = 0; j < six; ++j) {
    if (place(j) < 0 || place(j) >= free) continue;
    for (int k = 0; k < size; ++k) {
      const double* column = J.column(size * j + k);
      const int row = size * place(j) + k;
      to.damping[size_t(row)] += 2 * node.weight * dense::dot(size, column, column);
      for (int i = 0; i <= j; ++i) {
        if (place(i) < 0) continue;
        double* H = to.H.column(row) + size * place(i);
        for (int l = 0; l < size; ++l)
          H[l] += 2 * node.weight * dense::dot(size, J.column(size * i + l), column);
      }
    }
  }
}

/// Adds a block of second derivatives, and its transpose where it is not on the diagonal.
void MotionProblem::add_curve(int s, int t, double scale, const double* block) {
  const int size = n();
  for (int k = 0; k < size; ++k)
    for (int l = 0; l < size; ++l) {
      curves[size_t(4 * s + t)](l, k) += scale * block[size * k + l];
      if (s != t) curves[size_t(4 * t + s)](k, l) += scale * block[size * k + l];
    }
}

void MotionProblem::differentiate_twice() {
  const size_t size = size_t(n());
  const std::span<const double> q(motion.data(), size), v(q.data() + n(), size),
      a(v.data() + n(), size);
  const SecondProducts& z = products[0];
  for (dense::Matrix& block : curves) std::fill(block.numbers.begin(), block.numbers.end(), 0.0);
  if (options.cost == MotionCost::energy) {  // accelerations are zero
    second->inverse_products(v, q, a, v, {.passive = false, .gravity = false}, into(products[0]));
    dynamics.mass(q, into(*mass));
    add_curve(0, 0, 1, z.dqdq.data());
    add_curve(1, 0, 2, z.dadq.data());
    add_curve(1, 1, 2, mass->data());
    return;
  }
  const Surroundings around{.passive = options.passive, .gravity = options.gravity};
  second->inverse_products(tau, q, v, a, around, into(products[0]));
  if (options.cost == MotionCost::force_rate) return differentiate_rate_twice(around);
  add_curve(0, 0, 2, z.dqdq.data());
  add_curve(0, 1, 2, z.dqdv.data());
  add_curve(1, 1, 2, z.dvdv.data());
  add_curve(2, 0, 2, z.dadq.data());
}

void MotionProblem::differentiate_rate_twice(const Surroundings& around) {
  const size_t size = size_t(n());
  const double step = 1e-4 * options.duration;
  for (const int side : {1, 2}) {
    std::vector<double> near(motion.begin(), motion.end() - n());
    for (size_t k = 0; k < near.size(); ++k)
      near[k] += (side == 1 ? step : -step) * motion[k + size];
    const std::span<const double> q(near.data(), size), v(q.data() + n(), size),
        a(v.data() + n(), size);
    second->inverse_products(tau, q, v, a, around, into(products[size_t(side)]));
  }
  const SecondProducts& z = products[0];
  add_curve(0, 1, 2, z.dqdq.data());
  add_curve(0, 2, 2, z.dqdv.data());
  add_curve(3, 0, 2, z.dadq.data());
  add_curve(1, 2, 2, z.dvdv.data());
  add_curve(2, 1, 2, z.dadq.data());
  add_curve(1, 1, 2, z.dqdv.data());
  const dense::Matrix turned = dense::transposed(dense::copied(z.dqdv));
  add_curve(1, 1, 2, turned.data());
  for (const int side : {1, 2}) {  // primes
    const SecondProducts& x = products[size_t(side)];
    const double scale = (side == 1 ? 1 : -1) / step;
    add_curve(0, 0, scale, x.dqdq.data());
    add_curve(0, 1, scale, x.dqdv.data());
    add_curve(1, 1, scale, x.dvdv.data());
    add_curve(2, 0, scale, x.dadq.data());
  }
}

void MotionProblem::add_curves(const Node& node, Model& to) {
  differentiate_twice();
  const int size = n(), first = node.basis.first - fixed(), free = free_points();
  for (int j = std::max(0, -first); j <= SplineBasis::degree && first + j < free; ++j)
    for (int s = 0; s < orders(); ++s) {
      std::fill(slopes.numbers.begin(), slopes.numbers.end(), 0.0);  // by the column's point
      for (int t = 0; t < orders(); ++t)
        dense::add_multiple(size * size, node.weight * node.basis.value[t][j],
                            curves[size_t(4 * s + t)].data(), slopes.data());
      for (int k = 0; k < size; ++k) {
        double* H = to.H.column(size * (first + j) + k);
        for (int i = std::max(0, -first); i <= j; ++i)
          dense::add_multiple(size, node.basis.value[s][i], slopes.column(k),
                              H + size * (first + i));
      }
    }
}

/// What energy has of its mass matrix alone: the diagonal that damps its model.
void MotionProblem::add_damping(const Node& node, Model& to) const {
  for (int j = 0; j <= SplineBasis::degree; ++j) {
    const int place = node.basis.first + j - fixed();
    if (place < 0 || place >= free_points()) continue;
    const double rate = node.basis.value[1][j];
    for (int k = 0; k < n(); ++k)
      to.damping[size_t(n() * place + k)] += 2 * node.weight * rate * rate * (*mass)(k, k);
  }
}

MotionProblem::Model MotionProblem::model(const dense::Matrix& control) {
  Model found{0, {unknowns(), unknowns()}, std::vector<double>(size_t(unknowns())), {}};
  found.damping = found.g;
  dense::Matrix gradient(n(), control.columns);
  for (const Node& node : nodes) {
    found.value += add_node(control, node, &gradient);
    if (options.cost != MotionCost::energy) add_squares(node, found);
    add_curves(node, found);
    if (options.cost == MotionCost::energy) add_damping(node, found);
  }
  std::copy_n(gradient.column(fixed()), unknowns(), found.g.data());
  for (int j = 0; j < unknowns(); ++j)  // above the diagonal all is there
    for (int i = 0; i < j; ++i) found.H(j, i) = found.H(i, j);
  return found;
}

}  // namespace jounce
