// SPDX-License-Identifier: BSD-3-Clause
// Wrenches and motions of the ground, given by their derivatives, as Taylor coefficients.
#pragma once

#include <jounce/scalar/power_series.hpp>
#include <jounce/series_surroundings.hpp>

namespace jounce {

/// F, F', F'', ... to the given order; what is not given is zero.
template <class Number>
Wrench<Number> wrench_series(SeriesRoom<Number>& room, std::span<const Wrench<double>> derivatives,
                             int order) {
  const auto zero = [&] { return Vec3<Number>{room.number(), room.number(), room.number()}; };
  Wrench<Number> F{zero(), zero()};
  double scale = 1;  // 1 / k!
  for (size_t k = 0; k < derivatives.size() && int(k) <= order; scale /= double(++k)) {
    const auto& [m, f] = derivatives[k];
    F.m.x.c[k] = m.x * scale, F.m.y.c[k] = m.y * scale, F.m.z.c[k] = m.z * scale;
    F.f.x.c[k] = f.x * scale, F.f.y.c[k] = f.y * scale, F.f.z.c[k] = f.z * scale;
  }
  return F;
}

/// V, V', V'', ... of the ground; what is not given is zero.
inline void write_ground_series(std::span<const Twist<double>> derivatives,
                                std::span<Twist<double>> coefficients) {
  for (size_t k = 0; k < coefficients.size(); ++k)
    coefficients[k] = k < derivatives.size() ? derivatives[k] * detail::inverse_factorial(int(k))
                                             : Twist<double>{};
}

}  // namespace jounce
