// SPDX-License-Identifier: BSD-3-Clause
// Geodesics and parallel transport of the kinetic-energy metric.
//
// A geodesic is free motion: Taylor series of order 12 (Series) with the step from the last terms
// are several times faster than a Runge-Kutta method at 1e-10, and reach rounding. Transport of Y
// along q(t) is M Ydot = -C(q, v) Y. In the frame y = L^T Y, M = L L^T, its rate is a skew matrix,
//   ydot = (low(X)^T - L^-1 C L^-T) y,   X = L^-1 Mdot L^-T,   Mdot = C + C^T
// with low the lower part and half the diagonal, so that Magnus's series of order 4 on two Gauss
// points with Cayley's map of W - W^3/12 keeps lengths and angles.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/scalar/taylor.hpp>
#include <jounce/series.hpp>
#include <limits>

#include "doors/cholesky_factor.hpp"
#include "doors/geometry_impl.hpp"
#include "doors/regular_path.hpp"
#include "io/number_text.hpp"
#include "linear_algebra/matrix.hpp"
#include "linear_algebra/solve.hpp"
#include "linear_algebra/vectors.hpp"

namespace jounce {
namespace {

constexpr int taylor_order = 12;

/// Free motion in steps of Taylor series.
class FreeMotion {
 public:
  FreeMotion(const Robot& robot, std::span<const double> q, std::span<const double> v)
      : robot_(robot),
        series_(robot, taylor_order - 1),
        q_(q.begin(), q.end()),
        v_(v.begin(), v.end()),
        zeros_(v.size() * taylor_order),
        motion_(v.size() * (taylor_order + 1)) {}

  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }

  /// The series at the state, and how far it holds.
  double expand(double tolerance) {
    const int n = robot_.nv();
    series_.forward(q_, v_, MatrixArg(zeros_, n), {.passive = false, .gravity = false},
                    Into<double>(motion_.data(), n, taylor_order + 1));
    double factorial = 1, size = 0, last[2] = {};
    for (int k = 0; k <= taylor_order; factorial *= ++k)
      for (int j = 0; j < n; ++j) {
        double& x = motion_[size_t(n * k + j)];
        x /= factorial;
        if (k == 0) size = std::max(size, std::abs(x));
        if (k >= taylor_order - 1)
          last[k - taylor_order + 1] = std::max(last[k - taylor_order + 1], std::abs(x));
      }
    const auto reach = [&](double term, int k) {
      return term > 0 ? std::pow(tolerance * size / term, 1.0 / k) : INFINITY;
    };
    return std::min(reach(last[0], taylor_order - 1), reach(last[1], taylor_order));
  }
  void advance(double h) {
    using Number = Taylor<double, taylor_order + 1>;
    const int n = robot_.nv();
    for (const Factor& f : factors(robot_.system())) {
      Number v[6], q[7];
      for (int j = 0; j < f.nv; ++j)
        for (int k = 0; k <= taylor_order; ++k) v[j].c[k] = motion_[size_t(n * k + f.v + j)];
      for (int j = 0; j < f.nq; ++j) q[j].c[0] = q_[size_t(f.q + j)];
      for (int k = 0; k <= taylor_order; ++k) extend_coordinates(f, k, v, q);
      for (int j = 0; j < f.nq; ++j) q_[size_t(f.q + j)] = at(q[j], h);
      for (int j = 0; j < f.nv; ++j) v_[size_t(f.v + j)] = at(v[j], h);
    }
    robot_.normalize(q_);
  }

 private:
  template <class Number>
  static double at(const Number& x, double h) {
    double sum = 0;
    for (int k = taylor_order + 1; k >= 0; --k) sum = sum * h + x.c[k];
    return sum;
  }

  const Robot& robot_;
  Series series_;
  std::vector<double> q_, v_, zeros_;
  std::vector<double> motion_;  ///< [order + 1][nv] coefficients
};

[[noreturn]] void refuse_step(double step, double t) {
  throw ComputationError("geodesic: a step of " + io::number_text(step) +
                         " is lost beside t = " + io::number_text(t));
}

/// L^-1 A L^-T.
dense::Matrix whitened(const dense::Matrix& L, const dense::Matrix& A) {
  const auto forward = [&](dense::Matrix B) {  // L^-1 B
    for (int c = 0; c < B.columns; ++c)
      for (int k = 0; k < L.rows; ++k) {
        B(k, c) /= L(k, k);
        for (int i = k + 1; i < L.rows; ++i) B(i, c) -= L(i, k) * B(k, c);
      }
    return B;
  };
  return dense::transposed(forward(dense::transposed(forward(A))));
}

}  // namespace

Geometry::Impl::Connection Geometry::Impl::connection(const char* caller, std::span<const double> q,
                                                      std::span<const double> v) {
  const int n = nv();
  factor(caller, q.data(), nullptr);
  Connection found{{n, n}, {n, n}};
  std::copy_n(dense().view().own, n * n, found.M.data());
  run_christoffel(q.data(), own_gamma.data());
  for (int i = 0; i < n; ++i)
    dense::add_multiple(n * n, v[size_t(i)], own_gamma.data() + std::ptrdiff_t(n) * n * i,
                        found.C.data());
  return found;
}

GeodesicPath Geometry::geodesic(const VectorArg& q, const VectorArg& v, const VectorArg& times,
                                double tolerance) {
  Impl& d = *impl_;
  const std::span<const double> at = q, speed = v, asked = times;
  d.check("geodesic", at, {{"v", speed}});
  if (!(tolerance > 0)) throw InputError("geodesic: tolerance must be positive");
  double before = 0;
  for (const double t : asked) {
    if (!(t >= before) || !std::isfinite(t)) throw InputError("geodesic: times must ascend from 0");
    before = t;
  }
  GeodesicPath found{{asked.begin(), asked.end()},
                     {d.robot.nq(), int(asked.size())},
                     {d.nv(), int(asked.size())},
                     0};
  if (d.nv() == 0) return found;
  const double least = std::max(tolerance, std::numeric_limits<double>::epsilon() / 2);
  FreeMotion motion(d.robot, at, speed);
  double now = 0;
  for (int k = 0; k < int(asked.size()); ++k) {
    const double t = asked[size_t(k)];
    while (now < t) {
      d.factor("geodesic", motion.q().data(), nullptr);  // refuses a singular mass matrix by name
      const double reach = motion.expand(least);
      if (!(t + reach > t)) refuse_step(reach, t);
      const double h = std::min(reach, t - now);
      motion.advance(h);
      now = h < reach ? t : now + h;
      ++found.steps;
    }
    std::copy(motion.q().begin(), motion.q().end(), found.q.column(k));
    std::copy(motion.v().begin(), motion.v().end(), found.v.column(k));
  }
  return found;
}

void Geometry::run_transport(CurveCall call, const void* curve, double from, double to, int steps,
                             const Into<double>& Y) {
  Impl& d = *impl_;
  const int n = d.nv();
  if (steps < 1) throw InputError("transport: steps must be positive");
  if (Y.rows() != n)
    detail::refuse_into(d.robot, "transport", "Y", Y.rows(), Y.columns(), n, Y.columns());
  if (!std::isfinite(from) || !std::isfinite(to))
    throw InputError("transport: from and to must be finite");
  dense::Matrix y(n, int(Y.columns()));
  std::copy_n(Y.data(), y.numbers.size(), y.data());
  for (int k = 0; k < y.columns; ++k)
    d.robot.check_v("transport", "Y", std::span(y.column(k), size_t(n)));
  std::vector<double> q(size_t(d.robot.nq())), v = d.row;
  const auto state = [&](double t) {
    call(curve, t, q, v);
    d.check("transport", q, {{"v", v}});
    return d.connection("transport", q, v);
  };
  const auto factor = [&](const dense::Matrix& M) {
    return cholesky_factor(d.robot, "transport", "the mass matrix", M);
  };
  const auto rate = [&](double t) {  // skew
    const Impl::Connection c = state(t);
    const dense::Matrix L = factor(c.M), C = whitened(L, c.C);
    dense::Matrix W(n, n);  // low(C + C^T)^T - C
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        W(i, j) = (i < j ? C(j, i) + C(i, j) : i == j ? C(i, i) : 0) - C(i, j);
    return W;
  };
  RegularPath(d.robot).require("transport", from, to, 4 * steps,
                               [&](double t, std::span<double> at) {
                                 call(curve, t, q, v);
                                 d.check("transport", q, {{"v", v}});
                                 std::copy(q.begin(), q.end(), at.begin());
                               });
  y = dense::transposed(factor(state(from).M)) * y;
  const double h = (to - from) / steps, shift = std::sqrt(3.0) / 6;
  for (int k = 0; k < steps; ++k) {
    const dense::Matrix A = rate(from + (k + 0.5 - shift) * h);
    const dense::Matrix B = rate(from + (k + 0.5 + shift) * h);
    dense::Matrix W = h / 2 * (A + B) + h * h * std::sqrt(3.0) / 12 * (B * A - A * B);
    W = W - 1.0 / 12 * (W * W * W);
    const dense::Matrix half = 0.5 * W, one = dense::identity(n);
    y = dense::solve(one - half, (one + half) * y);
  }
  y = dense::solve(dense::transposed(factor(state(to).M)), y);
  for (int k = 0; k < y.columns; ++k) require_finite_vector(d.robot, "transport", "Y", y.column(k));
  std::copy_n(y.data(), y.numbers.size(), Y.data());
}

}  // namespace jounce
