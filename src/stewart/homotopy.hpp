// SPDX-License-Identifier: BSD-3-Clause
// A family of platforms between one whose poses are known (start) and the one asked for (target).
//
// The legs' parameters move on a straight line, u(tau) = (1 - tau) u_target + tau u_start, so the
// platform between stays in every family that linear equations define (planar, coincident points,
// symmetric): parameter continuation (Morgan, Sommese 1989). Its forms are then quadratic in tau.
// Seen from the real s that goes from 1 (start) to 0 (target), tau(s) = gamma s/(1 + (gamma - 1) s)
// runs on an arc of the complex plane, which misses the singular members of the family for almost
// all gamma.
#pragma once

#include "stewart/study.hpp"

namespace jounce::stewart_detail {

struct Homotopy {
  LegForm<Complex<double>> power[3][legs];  ///< of tau; the first leg subtracted from the others
  Complex<double> gamma;
};

inline namespace JOUNCE_ISA {

inline Homotopy make_homotopy(const Leg<Complex<double>>* start, const Leg<Complex<double>>* target,
                              Complex<double> gamma) {
  Homotopy H{{}, gamma};
  for (int i = 0; i < legs; ++i) {
    Leg<Complex<double>> change;
    for (int k = 0; k < 3; ++k) {
      change.a[k] = start[i].a[k] - target[i].a[k];
      change.b[k] = start[i].b[k] - target[i].b[k];
    }
    change.c = start[i].c - target[i].c;
    add_linear(H.power[0][i], target[i]);
    add_products(H.power[0][i], target[i].a, target[i].b);
    add_linear(H.power[1][i], change);
    add_products(H.power[1][i], target[i].a, change.b);
    add_products(H.power[1][i], change.a, target[i].b);
    add_products(H.power[2][i], change.a, change.b);
  }
  for (auto& power : H.power) subtract_first(power);
  return H;
}

/// tau and d tau / d s.
template <class Real>
struct Arc {
  Complex<Real> tau, rate;
};

template <class Real>
[[gnu::always_inline]] inline Arc<Real> arc_at(Complex<double> gamma, const Real& s) {
  const Complex<Real> scale = reciprocal(Complex<Real>{Real(1) + s * (gamma.re - 1), s * gamma.im});
  const Complex<Real> g{Real(gamma.re), Real(gamma.im)};
  return {g * scale * s, g * scale * scale};
}

/// The legs' forms at one tau per lane, their derivatives with respect to tau, and d tau / d s.
template <class Real>
struct FormsAt {
  LegForm<Complex<Real>> form[legs], rate[legs];
  Complex<Real> tau_rate;
};

template <class Real>
void evaluate(const Homotopy& H, const Real& s, FormsAt<Real>& at) {
  const auto [tau, tau_rate] = arc_at(H.gamma, s);
  const auto wide = [](Complex<double> z) { return Complex<Real>{Real(z.re), Real(z.im)}; };
  at.tau_rate = tau_rate;
  for (int i = 0; i < legs; ++i) {
    for (int k = 0; k < size_E; ++k) {
      const Complex<Real> linear = wide(H.power[1][i].k[k]);
      const Complex<Real> square = tau * wide(H.power[2][i].k[k]);
      at.form[i].k[k] = wide(H.power[0][i].k[k]) + tau * (linear + square);
      at.rate[i].k[k] = linear + square + square;
    }
    for (int k = size_E; k < form_size; ++k) {  // P is linear in the points
      at.rate[i].k[k] = wide(H.power[1][i].k[k]);
      at.form[i].k[k] = wide(H.power[0][i].k[k]) + tau * at.rate[i].k[k];
    }
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::stewart_detail
