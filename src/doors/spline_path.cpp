// SPDX-License-Identifier: BSD-3-Clause
// Clamped quintic B-splines (de Boor 1978).
#include "doors/spline_path.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/error.hpp>
#include <string>

namespace jounce {

/// Knot i of a clamped spline of `points` control points on [0, 1].
double SplineBasis::knot(int points, int i) {
  return i <= degree ? 0.0 : i >= points ? 1.0 : double(i - degree) / (points - degree);
}

double SplineBasis::greville(int points, int i) {
  double sum = 0;
  for (int k = 1; k <= degree; ++k) sum += knot(points, i + k) / degree;
  return sum;
}

SplineBasis::SplineBasis(int points, double t, int orders) {
  const int spans = points - degree;
  first = std::clamp(int(t * spans), 0, spans - 1);
  // B-splines of every degree that are not zero on the span, those of degree p in row p
  double table[degree + 1][degree + 1] = {{1}};
  const int last = first + degree;  // t lies between knots `last` and `last` + 1
  for (int p = 1; p <= degree; ++p)
    for (int j = 0; j <= p; ++j) {
      const int i = last - p + j;  // of the spline that starts at knot i
      const double a = knot(points, i + p) - knot(points, i);
      const double b = knot(points, i + p + 1) - knot(points, i + 1);
      const double left = j > 0 ? table[p - 1][j - 1] : 0, right = j < p ? table[p - 1][j] : 0;
      table[p][j] = (a > 0 ? (t - knot(points, i)) / a * left : 0) +
                    (b > 0 ? (knot(points, i + p + 1) - t) / b * right : 0);
    }
  for (int order = 0; order < orders; ++order) {
    double row[degree + 1];
    std::copy_n(table[degree - order], degree + 1, row);
    for (int p = degree - order + 1; p <= degree; ++p) {  // derivatives raise the degree again
      double up[degree + 1] = {};
      for (int j = 0; j <= p; ++j) {
        const int i = last - p + j;
        const double a = knot(points, i + p) - knot(points, i);
        const double b = knot(points, i + p + 1) - knot(points, i + 1);
        up[j] = p * ((j > 0 && a > 0 ? row[j - 1] / a : 0) - (j < p && b > 0 ? row[j] / b : 0));
      }
      std::copy_n(up, degree + 1, row);
    }
    std::copy_n(row, degree + 1, value[order]);
  }
}

void SplinePath::derivative(double t, int order, std::span<double> out) const {
  const auto n = static_cast<size_t>(control.rows);
  if (order < 0 || order > SplineBasis::degree)
    throw InputError("SplinePath: order " + std::to_string(order) + " is not in 0 ... 5");
  if (out.size() != n)
    throw InputError("SplinePath: room for " + std::to_string(out.size()) + " numbers, needs " +
                     std::to_string(n));
  if (!std::isfinite(t))
    throw InputError(std::string("SplinePath: t is ") + (std::isnan(t) ? "NaN" : "infinite"));
  if (!(duration > 0)) throw InputError("SplinePath: duration must be positive");
  if (control.columns <= SplineBasis::degree)
    throw InputError("SplinePath: " + std::to_string(control.columns) +
                     " control points, needs at least 6");
  const SplineBasis basis(control.columns, std::clamp(t / duration, 0.0, 1.0), order + 1);
  double scale = 1;
  for (int k = 0; k < order; ++k) scale /= duration;
  std::fill(out.begin(), out.end(), 0.0);
  for (int j = 0; j <= SplineBasis::degree; ++j)
    for (size_t k = 0; k < n; ++k)
      out[k] += scale * basis.value[order][j] * control.column(basis.first + j)[k];
}

std::vector<double> SplinePath::operator()(double t, int order) const {
  std::vector<double> found(static_cast<size_t>(control.rows));
  derivative(t, order, found);
  return found;
}

}  // namespace jounce
