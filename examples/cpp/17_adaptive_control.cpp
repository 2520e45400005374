// SPDX-License-Identifier: BSD-3-Clause
// Adaptive control (Slotine, Li 1987): an arm tracks a motion while it learns its own masses, and
// what goes wrong where Mdot - 2 C is not skew-symmetric.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <iostream>
#include <jounce/adaptive.hpp>
#include <jounce/jounce.hpp>

namespace {

using Vector = Eigen::VectorXd;

struct Wanted {
  Vector q{2}, v{2}, a{2};
  Wanted(double t, double rate) {
    q << std::sin(rate * t), std::sin(rate * t - 1.5);
    v << rate * std::cos(rate * t), rate * std::cos(rate * t - 1.5);
    a = -rate * rate * q;
  }
};

/// The largest tracking error of the first second and of the last.
std::pair<double, double> learn(const jounce::Robot& arm) {
  jounce::Dynamics dyn(arm);
  jounce::AdaptiveController control(arm, {.slide = 10, .damp = 20, .learn = 2});
  const double h = 1e-3;
  Vector q = Wanted(0, 1.5).q, v = Vector::Zero(2);
  std::pair<double, double> error{0, 0};
  for (int k = 0; k < 8000; ++k) {
    const Wanted wanted(k * h, 1.5);
    double& worst = k < 1000 ? error.first : error.second;
    if (k < 1000 || k >= 7000) worst = std::max(worst, (q - wanted.q).norm());
    const Vector tau = control.force(q, v, wanted.q, wanted.v, wanted.a, h);
    v += h * Vector(dyn.forward(q, v, tau, {.passive = false}));
    q += h * v;
  }
  return error;
}

/// How much the energy s^T M s / 2 of the error grew at most, with every parameter known.
double growth_with(const jounce::Robot& arm, jounce::Factorization f) {
  jounce::Dynamics dyn(arm);
  const double h = 1e-3, rate = 6, slide = 1, damp = 0.02;
  const auto acceleration = [&](double t, const Vector& at, const Vector& speed) -> Vector {
    const Wanted wanted(t, rate);
    const Vector s = speed - wanted.v + slide * (at - wanted.q);
    const Eigen::MatrixXd M = dyn.mass(at), C = dyn.coriolis(at, speed, f).matrix;
    const Vector tau = M * (wanted.a - slide * (speed - wanted.v)) + C * (speed - s) +
                       Vector(dyn.gravity(at)) - damp * s;
    return dyn.forward(at, speed, tau, {.passive = false});
  };
  Vector q = Wanted(0, rate).q + Vector::Constant(2, 0.05), v = Wanted(0, rate).v;
  double first = 0, most = 0;
  for (int k = 0; k < 3000; ++k) {
    const Wanted wanted(k * h, rate);
    const Vector s = v - wanted.v + slide * (q - wanted.q);
    const Eigen::MatrixXd M = dyn.mass(q);
    const double energy = s.dot(M * s) / 2;
    if (k == 0) first = energy;
    most = std::max(most, energy);
    const Vector middle = v + h / 2 * acceleration(k * h, q, v);
    v += h * acceleration((k + 0.5) * h, q + h / 2 * v, middle);
    q += h * middle;
  }
  return most / first;
}

}  // namespace

int main() {
  const jounce::Robot arm = jounce::load("builtin:planar_2r");
  const auto [first, last] = learn(arm);
  std::cout << "largest error in the first second " << first << " rad, in the last " << last
            << " rad\n";
  const double plain = growth_with(arm, jounce::Factorization::plain);
  const double ploen = growth_with(arm, jounce::Factorization::ploen);
  std::cout << "energy of the error, largest over first: plain C " << plain << ", Ploen's C "
            << ploen << "\n";
  assert(last < 0.2 * first);
  assert(ploen < 1.01 && plain > 100);
}
