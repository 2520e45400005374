// SPDX-License-Identifier: BSD-3-Clause
// Truncated power series in time whose length is known when the program runs: what Taylor<double,
// K> is for a K that the compiler knows.
//
//   SeriesRoom<PowerSeries> room(24);              // coefficients 0 to 24
//   PowerSeries x = room.number(0.3);  x.c[1] = 2; // 0.3 + 2 t
//   coefficient(sin(x) * x, 24);
// Numbers take their coefficients from a room and give them back, so that nothing is allocated once
// a room has seen a computation; numbers of one computation are of one room. A constant is a plain
// number, and costs what plain numbers do. Compiled once: functions are calls.
#pragma once

#include <cstring>
#include <jounce/scalar/stumpff.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace jounce {

/// Where numbers of a kind of series come from. set_order() says how long those are that are
/// computed from then on.
template <class Number>
class SeriesRoom;

struct PowerSeries {
  using Inner = double;

  SeriesRoom<PowerSeries>* room = nullptr;  ///< null for a constant
  double* c = nullptr;                      ///< coefficients, lowest first; null for a constant
  double constant = 0;

  PowerSeries() = default;
  template <Arithmetic U>
  PowerSeries(U value) noexcept : constant(double(value)) {}  // NOLINT: a constant is a number
  /// Coefficients that are to be written.
  explicit PowerSeries(SeriesRoom<PowerSeries>& in) noexcept;
  PowerSeries(const PowerSeries& x) noexcept;
  PowerSeries(PowerSeries&& x) noexcept { swap(x); }
  PowerSeries& operator=(const PowerSeries& x) noexcept;
  PowerSeries& operator=(PowerSeries&& x) noexcept {
    swap(x);
    return *this;
  }
  ~PowerSeries();

  PowerSeries& operator+=(const PowerSeries& y) noexcept;
  PowerSeries& operator-=(const PowerSeries& y) noexcept;
  PowerSeries& operator*=(const PowerSeries& y) noexcept { return *this = *this * y; }
  PowerSeries& operator+=(double y) noexcept;
  PowerSeries& operator*=(double y) noexcept;

  friend PowerSeries operator+(const PowerSeries& x, const PowerSeries& y) noexcept;
  friend PowerSeries operator-(const PowerSeries& x, const PowerSeries& y) noexcept;
  friend PowerSeries operator*(const PowerSeries& x, const PowerSeries& y) noexcept;
  friend PowerSeries operator/(const PowerSeries& x, const PowerSeries& y) noexcept;
  friend PowerSeries operator-(const PowerSeries& x) noexcept { return x * -1.0; }
  friend PowerSeries operator+(const PowerSeries& x, double y) noexcept;
  friend PowerSeries operator+(double x, const PowerSeries& y) noexcept { return y + x; }
  friend PowerSeries operator-(const PowerSeries& x, double y) noexcept { return x + -y; }
  friend PowerSeries operator-(double x, const PowerSeries& y) noexcept { return -y + x; }
  friend PowerSeries operator*(const PowerSeries& x, double y) noexcept;
  friend PowerSeries operator*(double x, const PowerSeries& y) noexcept { return y * x; }
  friend PowerSeries operator/(const PowerSeries& x, double y) noexcept { return x * (1 / y); }
  friend PowerSeries operator/(double x, const PowerSeries& y) noexcept {
    return PowerSeries(x) / y;
  }

  double first() const noexcept { return c != nullptr ? c[0] : constant; }
  friend bool operator<(const PowerSeries& x, const PowerSeries& y) noexcept {
    return x.first() < y.first();
  }
  friend bool operator>(const PowerSeries& x, const PowerSeries& y) noexcept { return y < x; }
  friend bool operator<=(const PowerSeries& x, const PowerSeries& y) noexcept {
    return x.first() <= y.first();
  }
  friend bool operator>=(const PowerSeries& x, const PowerSeries& y) noexcept { return y <= x; }

  void swap(PowerSeries& x) noexcept {
    std::swap(room, x.room), std::swap(c, x.c), std::swap(constant, x.constant);
  }
};

template <>
inline constexpr bool is_plain_kind<PowerSeries> = false;

template <>
class SeriesRoom<PowerSeries> {
 public:
  /// For coefficients 0 to `highest`.
  explicit SeriesRoom(int highest) noexcept : highest_(highest), order_(highest) {}
  SeriesRoom(const SeriesRoom&) = delete;
  SeriesRoom& operator=(const SeriesRoom&) = delete;

  int order() const noexcept { return order_; }
  void set_order(int order) noexcept { order_ = order; }
  /// A number whose coefficients may be written, all but the first zero, whatever the order is.
  PowerSeries number(double first = 0) noexcept;
  /// Takes memory for so many numbers now.
  void reserve(int numbers) noexcept {
    while (made_ < numbers) grow();
  }

 private:
  friend struct PowerSeries;
  /// Room for some coefficients at a time, behind as many zeros, of which the first is the link of
  /// those that are free.
  static constexpr int step = 4;
  int length() const noexcept { return (highest_ / step + 1) * step; }
  double* take() noexcept {
    if (free_ == nullptr) grow();
    double* c = free_;
    std::memcpy(&free_, c - step, sizeof(free_));
    return c;
  }
  void give(double* c) noexcept {
    std::memcpy(c - step, &free_, sizeof(free_));
    free_ = c;
  }
  void grow() noexcept;

  int highest_, order_, made_ = 0;
  double* free_ = nullptr;
  std::vector<std::unique_ptr<double[]>> pieces_;
};

inline PowerSeries::~PowerSeries() {
  if (c != nullptr) room->give(c);
}

/// Taylor numbers stand anywhere.
template <class T, int K>
class SeriesRoom<Taylor<T, K>> {
 public:
  [[gnu::always_inline]] explicit SeriesRoom(int) {}
  [[gnu::always_inline]] void set_order(int) {}
  [[gnu::always_inline]] Taylor<T, K> number(const T& first = T(0)) { return first; }
};

inline double coefficient(const PowerSeries& x, int k) noexcept {
  return x.c != nullptr ? x.c[k] : k == 0 ? x.constant : 0;
}
inline namespace JOUNCE_ISA {

template <class T, int K>
[[gnu::always_inline]] constexpr const T& coefficient(const Taylor<T, K>& x, int k) {
  return x.c[k];
}

}  // namespace JOUNCE_ISA

PowerSeries sqrt(const PowerSeries& x) noexcept;
SinCos<PowerSeries> sincos(const PowerSeries& x) noexcept;
inline PowerSeries sin(const PowerSeries& x) noexcept { return sincos(x).sin; }
inline PowerSeries cos(const PowerSeries& x) noexcept { return sincos(x).cos; }
PowerSeries exp(const PowerSeries& x) noexcept;
PowerSeries log(const PowerSeries& x) noexcept;
PowerSeries tanh(const PowerSeries& x) noexcept;
PowerSeries sech_squared(const PowerSeries& x) noexcept;
PowerSeries atan2(const PowerSeries& y, const PowerSeries& x) noexcept;
inline PowerSeries abs(const PowerSeries& x) noexcept { return x.first() < 0 ? -x : x; }
inline PowerSeries select(bool mask, const PowerSeries& x, const PowerSeries& y) noexcept {
  return mask ? x : y;
}
inline double value_of(const PowerSeries& x) noexcept { return x.first(); }

namespace detail {

// Those of tapes, and what dual numbers ask for beside them.
inline constexpr int most_half_angle_of_series = 10, most_stumpff_of_series = 20;

/// c_0(z), ..., c_{count - 1}(z), and f, f', ..., f^(count - 1) of asin(sqrt u)/sqrt u
/// (scalar/stumpff.hpp).
void stumpff(const PowerSeries& z, int count, PowerSeries* c) noexcept;
void half_angle_derivatives(const PowerSeries& u, int count, PowerSeries* f) noexcept;

}  // namespace detail

template <int M>
Stumpff<PowerSeries, M> stumpff(const PowerSeries& z) {
  static_assert(M <= detail::most_stumpff_of_series);
  Stumpff<PowerSeries, M> y;
  detail::stumpff(z, M, y.c);
  return y;
}
template <int N>
void half_angle_derivatives(const PowerSeries& u, PowerSeries (&f)[N]) {
  static_assert(N <= detail::most_half_angle_of_series);
  detail::half_angle_derivatives(u, N, f);
}

}  // namespace jounce
