// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for the pose of a Gough-Stewart platform, six legs in lanes.
//
// With y_i = R (b_i - c), leg_i = y_i + p - a_i and r_i = (L_i^2 - |leg_i|^2) / 2 a step solves
//   J s = r,   row_i = (y_i x leg_i / size, leg_i),   s = (size w, v)
// and goes to R <- Cayley(w) R, p <- p + v: a retraction of SE(3) that needs no sine. Legs lie in
// lanes, so what is at hand is J^T by rows. It is eliminated as J^T = P L U, and J s = r solved by
// U^T (L^T P^T s) = r. Only plain products of the scheme's own rows: no library call in the loop.
#include <cmath>
#include <jounce/group/so3.hpp>
#include <jounce/scalar/pack.hpp>
#include <utility>

#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

using Lane = Pack<double, 8>;

struct System {
  alignas(64) double a[6][8];  ///< J^T by rows, then U
  double l[6][6];              ///< below the diagonal: L
  alignas(64) double r[8];
  double inverse_pivot[6];
  int order[6];
  double determinant;
};

Vec3<Lane> load(const double (&x)[3][8]) {
  return {Lane::load(x[0]), Lane::load(x[1]), Lane::load(x[2])};
}

Vec3<Lane> spread(const double* x) { return {Lane(x[0]), Lane(x[1]), Lane(x[2])}; }

/// J^T and r at a pose; returns the largest |r_i| / L_i.
double linearise(const StewartLegs& legs, const Lane& L2, const Lane& inverse_L,
                 const StewartNewton& at, System& system) noexcept {
  const Mat3<Lane> R{{spread(at.R), spread(at.R + 3), spread(at.R + 6)}};
  const Vec3<Lane> y = R * load(legs.b), leg = y + spread(at.p) - load(legs.a);
  const Lane r = (L2 - dot(leg, leg)) * Lane(0.5);
  const Vec3<Lane> m = cross(y, leg) * Lane(1 / legs.size);
  const Lane* rows[6] = {&m.x, &m.y, &m.z, &leg.x, &leg.y, &leg.z};
  for (int k = 0; k < 6; ++k) rows[k]->store(system.a[k]);
  r.store(system.r);
  double error = 0, sum = 0;
  const Lane relative = abs(r * inverse_L);
  for (int i = 0; i < 6; ++i) {
    error = relative[i] > error ? relative[i] : error;
    sum += relative[i];
  }
  return sum < 1e300 ? error : sum;  // NaN counts as an error
}

void swap_rows(double* x, double* y) noexcept {
  const Lane a = Lane::load(x), b = Lane::load(y);
  a.store(y);
  b.store(x);
}

/// P J^T = L U in place, by rows.
void eliminate(System& s) noexcept {
  s.determinant = 1;
  for (int k = 0; k < 6; ++k) s.order[k] = k;
  for (int k = 0; k < 6; ++k) {
    int best = k;
    for (int i = k + 1; i < 6; ++i)
      if (std::abs(s.a[i][k]) > std::abs(s.a[best][k])) best = i;
    if (best != k) {
      swap_rows(s.a[k], s.a[best]);
      for (int j = 0; j < k; ++j) std::swap(s.l[k][j], s.l[best][j]);
      std::swap(s.order[k], s.order[best]);
      s.determinant = -s.determinant;
    }
    const double pivot = s.a[k][k];
    s.determinant *= pivot;
    s.inverse_pivot[k] = pivot != 0 ? 1 / pivot : 0;
    const Lane row = Lane::load(s.a[k]);
    for (int i = k + 1; i < 6; ++i) {
      const double factor = s.a[i][k] * s.inverse_pivot[k];
      (Lane::load(s.a[i]) - row * Lane(factor)).store(s.a[i]);
      s.l[i][k] = factor;
    }
  }
}

/// s with J s = r.
void substitute(System& s, double (&x)[6]) noexcept {
  double y[6];
  for (int k = 0; k < 6; ++k) {  // U^T y = r
    y[k] = s.r[k] * s.inverse_pivot[k];
    (Lane::load(s.r) - Lane::load(s.a[k]) * Lane(y[k])).store(s.r);
  }
  for (int k = 5; k >= 0; --k)  // L^T z = y
    for (int i = k + 1; i < 6; ++i) y[k] -= s.l[i][k] * y[i];
  for (int k = 0; k < 6; ++k) x[s.order[k]] = y[k];
}

void set_rotation(StewartNewton& at) noexcept {
  const SO3<double> R = to_rotation(Quaternion<double>{at.q[0], at.q[1], at.q[2], at.q[3]});
  for (int i = 0; i < 3; ++i) {
    at.R[3 * i] = R.m.row[i].x;
    at.R[3 * i + 1] = R.m.row[i].y;
    at.R[3 * i + 2] = R.m.row[i].z;
  }
}

/// R <- Cayley(w) R, p <- p + v.
void move(StewartNewton& at, const double (&s)[6], double size) noexcept {
  const double half = 0.5 / size;
  const Quaternion<double> step{s[0] * half, s[1] * half, s[2] * half, 1};
  const Quaternion<double> q =
      normalize(step * Quaternion<double>{at.q[0], at.q[1], at.q[2], at.q[3]});
  at.q[0] = q.x, at.q[1] = q.y, at.q[2] = q.z, at.q[3] = q.w;
  for (int k = 0; k < 3; ++k) at.p[k] += s[3 + k];
  set_rotation(at);
}

void newton(const StewartLegs& legs, const double* lengths, StewartNewton& at) {
  const Lane L = Lane::generate([&](int i) { return lengths[i < 6 ? i : 5]; });
  const Lane L2 = L * L, inverse_L = Lane(1.0) / L;
  System system;
  double product = 1;
  for (int i = 0; i < 6; ++i) product *= inverse_L[i];
  set_rotation(at);
  at.iterations = 0;
  at.determinant = 0;
  for (;;) {
    at.error = linearise(legs, L2, inverse_L, at, system);
    at.converged = at.error <= at.tolerance;
    if (at.converged || at.iterations >= at.max_iterations) return;
    eliminate(system);
    at.determinant = system.determinant * product;
    double s[6];
    substitute(system, s);
    move(at, s, legs.size);
    ++at.iterations;
  }
}

}  // namespace

void add_stewart_newton(StewartKernels& k) { k.newton = newton; }

}  // namespace jounce::inline JOUNCE_ISA
