// SPDX-License-Identifier: BSD-3-Clause
// The legs of a Gough-Stewart platform as quadrics in Study coordinates.
//
// A pose is x = (e, g) in P^7 on the Study quadric e.g = 0, with R = R(e/|e|) and
// p = 2 Im(g e*)/(e.e), quaternions as (w, x, y, z). A leg between a (base) and b (platform) of
// length L, |R b + p - a|^2 = L^2, times e.e, with c = |a|^2 + |b|^2 - L^2 (docs, (1) to (4)):
//   e^T E e + e^T P g + 4 g.g = 0,   E = c 1 - 2 N(a, b) symmetric,   P(a, b) antisymmetric.
// The first leg is subtracted from the others: five equations without 4 g.g, which would swamp the
// rest where e is small.
#pragma once

#include "stewart/complex_number.hpp"

namespace jounce::stewart_detail {

inline constexpr int legs = 6;
inline constexpr int unknowns = 8;
inline constexpr int size_E = 10;
inline constexpr int form_size = 16;

/// Parameters of one leg; complex ones have no picture but the same equation.
template <class Number>
struct Leg {
  Number a[3], b[3], c;
};

/// E by its upper triangle (00 01 02 03 11 12 13 22 23 33), then half of P's (01 02 03 12 13 23).
template <class Number>
struct LegForm {
  Number k[form_size];
};

inline namespace JOUNCE_ISA {

/// Place of E(i, j), i <= j, in LegForm.
constexpr int place_E(int i, int j) { return i * 4 - i * (i + 1) / 2 + j; }
/// Place of P(i, j)/2, i < j.
constexpr int place_P(int i, int j) { return size_E + i * 3 - i * (i + 1) / 2 + j - 1; }

/// Adds -2 N(a, b), the part that is bilinear in a and b.
template <class Number>
void add_products(LegForm<Number>& form, const Number (&a)[3], const Number (&b)[3]) {
  const auto add = [&](int i, int j, const Number& n) {
    form.k[place_E(i, j)] -= n;
    form.k[place_E(i, j)] -= n;
  };
  const Number ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  add(0, 0, ab);  // (3)
  add(0, 1, b[1] * a[2] - b[2] * a[1]);
  add(0, 2, b[2] * a[0] - b[0] * a[2]);
  add(0, 3, b[0] * a[1] - b[1] * a[0]);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const Number sum = a[i] * b[j] + a[j] * b[i];
      add(1 + i, 1 + j, i == j ? sum - ab : sum);
    }
}

/// Adds what is linear in the leg's parameters: c in E, and P.
template <class Number>
void add_linear(LegForm<Number>& form, const Leg<Number>& leg) {
  const auto add = [&](int place, const Number& n) { form.k[place] += n + n; };
  for (int i = 0; i < 4; ++i) form.k[place_E(i, i)] += leg.c;
  for (int i = 0; i < 3; ++i) add(place_P(0, 1 + i), leg.b[i] - leg.a[i]);  // (4)
  add(place_P(1, 2), -(leg.a[2] + leg.b[2]));
  add(place_P(1, 3), leg.a[1] + leg.b[1]);
  add(place_P(2, 3), -(leg.a[0] + leg.b[0]));
}

/// Subtracts the first leg's form from the others.
template <class Number>
void subtract_first(LegForm<Number>* form) {
  for (int i = 1; i < legs; ++i)
    for (int k = 0; k < form_size; ++k) form[i].k[k] -= form[0].k[k];
}

/// Half the gradient of e^T E e + e^T P g at x = (e, g); its product with x is the form itself.
template <class Coefficient, class Number>
[[gnu::always_inline]] inline void half_gradient(const LegForm<Coefficient>& f, const Number* x,
                                                 Number* row) {
  const Number *e = x, *g = x + 4;
  const auto E = [&](int i, int j) { return f.k[i <= j ? place_E(i, j) : place_E(j, i)]; };
  for (int i = 0; i < 4; ++i) {
    Number Ee = E(i, 0) * e[0], Pg{}, Pe{};
    for (int j = 1; j < 4; ++j) Ee += E(i, j) * e[j];
    for (int j = 0; j < 4; ++j) {
      if (j > i) Pg += f.k[place_P(i, j)] * g[j], Pe += f.k[place_P(i, j)] * e[j];
      if (j < i) Pg -= f.k[place_P(j, i)] * g[j], Pe -= f.k[place_P(j, i)] * e[j];
    }
    row[i] = Ee + Pg;
    row[4 + i] = -Pe;
  }
}

/// The Jacobian of the six legs (first one subtracted from the others) and the Study quadric, rows
/// of legs halved: a row times x is the leg's form, and twice e.g.
template <class Coefficient, class Number, int Columns>
[[gnu::always_inline]] inline void half_jacobian(const LegForm<Coefficient>* form, const Number* x,
                                                 Number (*row)[Columns]) {
  for (int i = 0; i < legs; ++i) half_gradient(form[i], x, row[i]);
  for (int i = 0; i < 4; ++i) {
    const Number twice = x[4 + i] + x[4 + i];
    row[0][4 + i] += twice + twice;
    row[legs][i] = x[4 + i];
    row[legs][4 + i] = x[i];
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce::stewart_detail
