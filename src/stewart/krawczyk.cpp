// SPDX-License-Identifier: BSD-3-Clause
// Krawczyk's test on the quadrics of Study coordinates (Krawczyk 1969).
//
// F = 0: the six legs, the Study quadric and y.x = 1, eight equations in x = (e, g). F'(x) is
// linear in x, so its range over a box X around y is known without overestimation. With C near
// F'(y)^-1
//   K(X) = y - C F(y) + (1 - C F'(X)) (X - y)
// contains every zero of F in X; where K(X) lies inside X there is one, and only one. All of it is
// computed in intervals that start from the platform's exact numbers.
#include "stewart/krawczyk.hpp"

#include "stewart/interval.hpp"
#include "stewart/solve_lanes.hpp"

namespace jounce::stewart_detail {
namespace {

using IntervalBox = Interval[unknowns];

struct IntervalSystem {
  LegForm<Interval> form[legs];
  double y[unknowns];
};

Interval square(const Interval& a) { return a * a; }

void set_legs(const CentredPlatform& p, LegForm<Interval>* form) {
  const double scale = 1 / p.unit;  // exact, and so are the products with it
  const auto point = [&](const Vec3<double>& x, const Vec3<double>& centre, Interval(&to)[3]) {
    to[0] = Interval(x.x * scale) - centre.x * scale;
    to[1] = Interval(x.y * scale) - centre.y * scale;
    to[2] = Interval(x.z * scale) - centre.z * scale;
  };
  for (size_t i = 0; i < legs; ++i) {
    Leg<Interval> leg;
    point(p.platform->base()[i], p.base_centre, leg.a);
    point(p.platform->platform()[i], p.platform_centre, leg.b);
    leg.c = -square(p.lengths[i] * scale);
    for (int k = 0; k < 3; ++k) leg.c += square(leg.a[k]) + square(leg.b[k]);  // (2)
    add_linear(form[i], leg);
    add_products(form[i], leg.a, leg.b);
  }
  subtract_first(form);
}

/// Study coordinates of a pose, of unit length: g = p e / 2.
void set_study(const SE3<double>& T, double* x) {
  const Quaternion<double> e = to_quaternion(T.R);
  const Quaternion<double> pe = Quaternion<double>{T.p.x, T.p.y, T.p.z, 0} * e;
  const double from[unknowns] = {e.w,        e.x,        e.y,        e.z,
                                 pe.w * 0.5, pe.x * 0.5, pe.y * 0.5, pe.z * 0.5};
  double size = 0;
  for (const double part : from) size += part * part;
  for (int i = 0; i < unknowns; ++i) x[i] = from[i] / std::sqrt(size);
}

/// F'(X) for F = (rows of half_jacobian(x) x / 2, y.x - 1).
void jacobian(const IntervalSystem& system, const IntervalBox& X, Interval (*J)[unknowns]) {
  half_jacobian(system.form, X, J);
  for (int i = 0; i < unknowns; ++i) J[7][i] = system.y[i];
}

/// F at the middle of the box.
void value(const IntervalSystem& system, IntervalBox& F) {
  IntervalBox y;
  Interval J[unknowns][unknowns];
  for (int i = 0; i < unknowns; ++i) y[i] = system.y[i];
  jacobian(system, y, J);
  for (int i = 0; i < unknowns; ++i) {
    F[i] = {};
    for (int j = 0; j < unknowns; ++j) F[i] += J[i][j] * y[j];
    F[i] = i < 7 ? F[i] * 0.5 : F[i] - 1.0;
  }
}

/// C, near the inverse of F'(y), by columns of solutions; false where it is not finite.
bool approximate_inverse(const IntervalSystem& system, double (*C)[unknowns]) {
  IntervalBox y;
  Interval J[unknowns][unknowns];
  for (int i = 0; i < unknowns; ++i) y[i] = system.y[i];
  jacobian(system, y, J);
  Augmented<double, unknowns> A;
  for (int i = 0; i < unknowns; ++i)
    for (int j = 0; j < unknowns; ++j) {
      A[i][j] = {0.5 * (J[i][j].lower + J[i][j].upper), 0};
      A[i][unknowns + j] = {i == j ? 1.0 : 0.0, 0};
    }
  solve<double, unknowns>(A);
  bool finite = true;
  for (int i = 0; i < unknowns; ++i)
    for (int j = 0; j < unknowns; ++j) {
      C[i][j] = A[i][unknowns + j].re;
      finite = finite && std::isfinite(C[i][j]);
    }
  return finite;
}

/// Whether K(X) lies inside X = y + [-r, r]; `newton` is C F(y).
bool maps_into_itself(const IntervalSystem& system, const double (*C)[unknowns],
                      const IntervalBox& newton, double r) {
  IntervalBox X;
  Interval J[unknowns][unknowns];
  for (int i = 0; i < unknowns; ++i) X[i] = around(system.y[i], r);
  jacobian(system, X, J);
  for (int i = 0; i < unknowns; ++i) {
    Interval K = -newton[i];
    for (int j = 0; j < unknowns; ++j) {
      Interval entry = i == j ? 1.0 : 0.0;
      for (int k = 0; k < unknowns; ++k) entry -= Interval(C[i][k]) * J[k][j];
      K += entry * (X[j] - system.y[j]);
    }
    if (!X[i].encloses(K + system.y[i])) return false;
  }
  return true;
}

}  // namespace

Certificate certify(const CentredPlatform& p, const SE3<double>& T) {
  IntervalSystem system{};
  set_legs(p, system.form);
  set_study(T, system.y);
  double C[unknowns][unknowns];
  if (!approximate_inverse(system, C)) return {false, "the pose is singular", 0};
  IntervalBox F, newton;
  value(system, F);
  double step = 0;
  for (int i = 0; i < unknowns; ++i) {
    newton[i] = {};
    for (int j = 0; j < unknowns; ++j) newton[i] += Interval(C[i][j]) * F[j];
    step = std::max(step, newton[i].magnitude());
  }
  if (!(step < 1e-3)) return {false, "the pose is singular, or not a pose of these lengths", 0};
  const double* e = system.y;  // its largest part exceeds r: e.e > 0 in the box, a pose exists
  const double largest =
      std::max(std::max(std::abs(e[0]), std::abs(e[1])), std::max(std::abs(e[2]), std::abs(e[3])));
  for (double r = 2 * step + 1e-15; r < 0.01 * largest; r *= 8)
    if (maps_into_itself(system, C, newton, r)) return {true, "", r};
  return {false, "close to a singular pose: two poses may be one", 0};
}

}  // namespace jounce::stewart_detail
