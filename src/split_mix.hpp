// SPDX-License-Identifier: BSD-3-Clause
// splitmix64 (Steele, Lea, Flood 2014): the same numbers with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <jounce/group/vec3.hpp>

namespace jounce {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double a = 0, double b = 1) {
    return a + (b - a) * (double(bits() >> 11) * 0x1p-53);
  }
  Vec3<double> uniform(const Vec3<double>& a, const Vec3<double>& b) {
    const double x = uniform(a.x, b.x), y = uniform(a.y, b.y);
    return {x, y, uniform(a.z, b.z)};
  }
  /// Box and Muller 1958.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(uniform(0, 6.283185307179586));
  }
  /// Uniform in low, low + 1, ..., high.
  int whole(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high > low ? high - low : 0) + 1;
    return low + static_cast<int>(bits() % count);
  }

 private:
  std::uint64_t state_;
};

}  // namespace jounce
