// SPDX-License-Identifier: BSD-3-Clause
// Reads legs and roots from the table of start systems.
#include "stewart/start_system.hpp"

namespace jounce::stewart_detail {
namespace {

constexpr int numbers_per_leg = 7;

Complex<double> number(const double* from, int k) { return {from[2 * k], from[2 * k + 1]}; }

}  // namespace

void StartSystem::legs_into(Leg<Complex<double>>* leg) const {
  for (int i = 0; i < legs; ++i) {
    const double* from = numbers + 2 * numbers_per_leg * i;
    for (int k = 0; k < 3; ++k) leg[i].a[k] = number(from, k), leg[i].b[k] = number(from, 3 + k);
    leg[i].c = number(from, 6);
  }
}

void StartSystem::root_into(int k, Complex<double>* x) const {
  const double* from = numbers + 2 * (numbers_per_leg * legs + unknowns * k);
  for (int i = 0; i < unknowns; ++i) x[i] = number(from, i);
}

}  // namespace jounce::stewart_detail
