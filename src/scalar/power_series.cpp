// SPDX-License-Identifier: BSD-3-Clause
// Power series of any length: the recurrences of scalar/taylor.hpp, sums rearranged so that the
// innermost loops run over neighbours, and the functions behind exp and log by composition.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <jounce/scalar/power_series.hpp>

namespace jounce {

using PowerRoom = SeriesRoom<PowerSeries>;

namespace {

/// Two coefficients side by side, in a register of every processor. Loops over four write behind
/// the last one, where there is room.
typedef double Pair __attribute__((vector_size(16)));
constexpr int step = 4;

Pair load(const double* x) noexcept {
  Pair some;
  std::memcpy(&some, x, sizeof(some));
  return some;
}
void store(const Pair& some, double* x) noexcept { std::memcpy(x, &some, sizeof(some)); }

/// z[k] = f(x[k], ...) for all coefficients.
template <class F, class... X>
void each(const SeriesRoom<PowerSeries>* room, double* z, F f, const X*... x) noexcept {
  for (int k = 0; k <= room->order(); k += step) {
    const Pair low = f(load(x + k)...), high = f(load(x + k + 2)...);
    store(low, z + k), store(high, z + k + 2);
  }
}

}  // namespace

PowerSeries PowerRoom::number(double first) noexcept {
  PowerSeries x(*this);
  std::fill_n(x.c, length(), 0.0);
  x.c[0] = first;
  return x;
}

void PowerRoom::grow() noexcept {
  constexpr size_t count = 64;
  const size_t stride = size_t(step + length());
  pieces_.push_back(std::make_unique<double[]>(count * stride));
  made_ += int(count);
  for (size_t k = count; k-- > 0;) give(pieces_.back().get() + k * stride + step);
}

PowerSeries::PowerSeries(SeriesRoom<PowerSeries>& in) noexcept : room(&in), c(in.take()) {}

PowerSeries::PowerSeries(const PowerSeries& x) noexcept : room(x.room), constant(x.constant) {
  if (room == nullptr) return;
  c = room->take();
  each(
      room, c, [](Pair a) { return a; }, x.c);
}
PowerSeries& PowerSeries::operator=(const PowerSeries& x) noexcept {
  if (c == nullptr || x.c == nullptr) {
    PowerSeries(x).swap(*this);
    return *this;
  }
  each(
      room, c, [](Pair a) { return a; }, x.c);
  return *this;
}

PowerSeries& PowerSeries::operator+=(double y) noexcept {
  (c != nullptr ? c[0] : constant) += y;
  return *this;
}
PowerSeries& PowerSeries::operator*=(double y) noexcept {
  if (c == nullptr) constant *= y;
  else
    each(
        room, c, [y](Pair a) { return a * y; }, c);
  return *this;
}
PowerSeries& PowerSeries::operator+=(const PowerSeries& y) noexcept {
  if (y.c == nullptr) return *this += y.constant;
  if (c == nullptr) return *this = y + constant;
  each(
      room, c, [](Pair a, Pair b) { return a + b; }, c, y.c);
  return *this;
}
PowerSeries& PowerSeries::operator-=(const PowerSeries& y) noexcept {
  if (y.c == nullptr) return *this += -y.constant;
  if (c == nullptr) return *this = constant - y;
  each(
      room, c, [](Pair a, Pair b) { return a - b; }, c, y.c);
  return *this;
}

PowerSeries operator+(const PowerSeries& x, double y) noexcept {
  PowerSeries z = x;
  return z += y, z;
}
PowerSeries operator*(const PowerSeries& x, double y) noexcept {
  if (x.c == nullptr) return x.constant * y;
  PowerSeries z(*x.room);
  each(
      x.room, z.c, [y](Pair a) { return a * y; }, x.c);
  return z;
}
PowerSeries operator+(const PowerSeries& x, const PowerSeries& y) noexcept {
  if (x.c == nullptr) return y + x.constant;
  if (y.c == nullptr) return x + y.constant;
  PowerSeries z(*x.room);
  each(
      x.room, z.c, [](Pair a, Pair b) { return a + b; }, x.c, y.c);
  return z;
}
PowerSeries operator-(const PowerSeries& x, const PowerSeries& y) noexcept {
  if (x.c == nullptr) return x.constant - y;
  if (y.c == nullptr) return x - y.constant;
  PowerSeries z(*x.room);
  each(
      x.room, z.c, [](Pair a, Pair b) { return a - b; }, x.c, y.c);
  return z;
}

/// Some coefficients at a time: y[k-j] to y[k-j+3] begin with zeros where j > k.
PowerSeries operator*(const PowerSeries& x, const PowerSeries& y) noexcept {
  if (x.c == nullptr) return y * x.constant;
  if (y.c == nullptr) return x * y.constant;
  PowerSeries z(*x.room);
  const int n = x.room->order();
  for (int k = 0; k <= n; k += step) {
    const int last = std::min(k + step - 1, n);
    const double* at = y.c + k;
    Pair low{}, high{};
    for (int j = 0; j <= last; ++j, --at) {
      low += x.c[j] * load(at);
      high += x.c[j] * load(at + 2);
    }
    store(low, z.c + k), store(high, z.c + k + 2);
  }
  return z;
}

namespace {

void add_multiple(int n, double s, const double* x, double* y) noexcept {
  for (int k = 0; k < n; ++k) y[k] += s * x[k];
}
/// j x[j]: what x' has in place of them, shifted by one.
PowerSeries rate(const PowerSeries& x) noexcept {
  PowerSeries r(*x.room);
  for (int j = 0; j <= x.room->order(); ++j) r.c[j] = j * x.c[j];
  return r;
}
/// sum_{j=first..k} x[j] y[k-j].
double convolve(const double* x, const double* y, int first, int k) {
  double sum = 0;
  for (int j = first; j <= k; ++j) sum += x[j] * y[k - j];
  return sum;
}

}  // namespace

PowerSeries operator/(const PowerSeries& x, const PowerSeries& y) noexcept {
  if (y.c == nullptr) return x / y.constant;
  PowerSeries z = x.c != nullptr ? x : y.room->number(x.constant);  // z y = x
  const int n = y.room->order();
  const double inverse = 1 / y.c[0];
  for (int k = 0; k <= n; ++k) {
    z.c[k] *= inverse;
    add_multiple(n - k, -z.c[k], y.c + 1, z.c + k + 1);
  }
  return z;
}

PowerSeries sqrt(const PowerSeries& x) noexcept {
  if (x.c == nullptr) return std::sqrt(x.constant);
  PowerSeries y(*x.room);  // y y = x
  y.c[0] = std::sqrt(x.c[0]);
  const double half_inverse = 0.5 / y.c[0];
  for (int k = 1; k <= x.room->order(); ++k)
    y.c[k] = (x.c[k] - (k > 1 ? convolve(y.c + 1, y.c + 1, 0, k - 2) : 0)) * half_inverse;
  return y;
}

SinCos<PowerSeries> sincos(const PowerSeries& x) noexcept {
  if (x.c == nullptr) return {std::sin(x.constant), std::cos(x.constant)};
  SinCos<PowerSeries> y{PowerSeries(*x.room), PowerSeries(*x.room)};
  const PowerSeries r = rate(x);
  y.sin.c[0] = std::sin(x.c[0]), y.cos.c[0] = std::cos(x.c[0]);
  for (int k = 1; k <= x.room->order(); ++k) {
    y.sin.c[k] = convolve(r.c, y.cos.c, 1, k) / k;
    y.cos.c[k] = -convolve(r.c, y.sin.c, 1, k) / k;
  }
  return y;
}

PowerSeries exp(const PowerSeries& x) noexcept {
  if (x.c == nullptr) return std::exp(x.constant);
  PowerSeries y(*x.room);  // y' = y x'
  const PowerSeries r = rate(x);
  y.c[0] = std::exp(x.c[0]);
  for (int k = 1; k <= x.room->order(); ++k) y.c[k] = convolve(r.c, y.c, 1, k) / k;
  return y;
}

PowerSeries log(const PowerSeries& x) noexcept {
  if (x.c == nullptr) return std::log(x.constant);
  PowerSeries y = rate(x) / x;  // x y' = x'
  y.c[0] = std::log(x.c[0]);
  for (int k = 2; k <= x.room->order(); ++k) y.c[k] /= k;
  return y;
}

namespace {

/// tanh x and 1 - tanh^2 x.
SinCos<PowerSeries> tanh_series(const PowerSeries& x) noexcept {
  SinCos<PowerSeries> y{PowerSeries(*x.room), PowerSeries(*x.room)};
  for (int k = 0; k <= x.room->order(); ++k) detail::extend_tanh(x.c, k, y.sin.c, y.cos.c);
  return y;
}

}  // namespace

PowerSeries tanh(const PowerSeries& x) noexcept {
  return x.c == nullptr ? PowerSeries(std::tanh(x.constant)) : tanh_series(x).sin;
}
PowerSeries sech_squared(const PowerSeries& x) noexcept {
  return x.c == nullptr ? PowerSeries(sech_squared(x.constant)) : tanh_series(x).cos;
}

PowerSeries atan2(const PowerSeries& y, const PowerSeries& x) noexcept {
  const double first = std::atan2(y.first(), x.first());
  PowerRoom* const room = x.c != nullptr ? x.room : y.room;
  if (room == nullptr) return first;
  // angle' = (x y' - y x') / (x^2 + y^2)
  PowerSeries angle = room->number();
  if (y.c != nullptr) angle += x * rate(y);
  if (x.c != nullptr) angle -= y * rate(x);
  angle = angle / (x * x + y * y);
  angle.c[0] = first;
  for (int k = 2; k <= room->order(); ++k) angle.c[k] /= k;
  return angle;
}

namespace detail {
namespace {

/// Powers of x - x(0), and to[i] = sum_n f(i, n) (x - x(0))^n for i = 0..count - 1 that f wants.
template <class F>
void compose(const PowerSeries& x, int count, F f, PowerSeries* to) noexcept {
  PowerRoom& room = *x.room;
  const int order = room.order();
  PowerSeries step = x, power = x;
  step.c[0] = power.c[0] = 0;
  for (int i = 0; i < count; ++i) to[i] = room.number(f(i, 0));
  for (int n = 1; n <= order; ++n) {
    for (int i = 0; i < count; ++i)
      add_multiple(order + 1 - n, f(i, n), power.c + n, to[i].c + n);  // those below n are zero
    if (n < order) power = power * step;
  }
}

/// The derivative of order n of c_k, by n!:
///   (-1)^n sum_j C(n + j, n) (-z)^j / (k + 2 n + 2 j)!
/// Terms fall from the first on where z < (k + 2 n)^2, and hardly rise below z = 16.
double stumpff_coefficient(int k, int n, double z) {
  double term = n % 2 == 0 ? 1 : -1, sum = 0;
  for (int l = 2; l <= k + 2 * n; ++l) term /= l;
  for (int j = 0; std::abs(term) > 1e-18 * std::abs(sum); ++j) {
    sum += term;
    const double l = k + 2.0 * (n + j);
    term *= -z * (n + j + 1) / ((j + 1) * (l + 1) * (l + 2));
  }
  return sum;
}

}  // namespace

/// Up from sine and cosine where that does not amplify rounding, as the plain ones do; else the
/// entire functions.
void stumpff(const PowerSeries& z, int count, PowerSeries* c) noexcept {
  if (z.c == nullptr) {
    const auto at = jounce::stumpff<most_stumpff_of_series>(z.constant);
    for (int k = 0; k < count; ++k) c[k] = at.c[k];
    return;
  }
  const double at = z.c[0];
  int up = 0;
  while (up < count && at >= std::max(16, up * up)) ++up;
  if (up > 0) {
    const PowerSeries angle = sqrt(z);
    const SinCos<PowerSeries> full = sincos(angle), half = sincos(angle * 0.5);
    c[0] = full.cos;
    if (up > 1) c[1] = full.sin / angle;
    if (up > 2) c[2] = 2.0 * half.sin * half.sin / z;
    for (int k = 3; k < up; ++k) c[k] = (inverse_factorial(k - 2) - c[k - 2]) / z;
  }
  compose(
      z, count - up, [&](int k, int n) { return stumpff_coefficient(up + k, n, at); }, c + up);
}

/// f and its derivatives at u, by n!: F_n. The highest by its series, the others down by
/// 2u (n + 1) F_{n+1} + (2n + 1) F_n = G_n, those of (1 - u)^(-1/2).
void half_angle_derivatives(const PowerSeries& u, int count, PowerSeries* f) noexcept {
  if (u.c == nullptr) {
    double all[most_half_angle_of_series];
    jounce::half_angle_derivatives(u.constant, all);
    std::copy_n(all, count, f);
    return;
  }
  const double at = u.c[0], inverse = 1 / (1 - at);
  const int order = u.room->order(), top = order + count - 1;
  double term = 1, G = std::sqrt(inverse), highest = 0;
  for (int n = 1; n <= top; ++n) term *= (n - 0.5) / n, G *= inverse * (n - 0.5) / n;
  for (int j = top; term > 1e-18 * highest; ++j) {  // (2j)! / (4^j j!^2) C(j, top) u^(j - top)
    highest += term / (2 * j + 1);
    term *= (j + 0.5) / (j + 1 - top) * at;
  }
  const PowerSeries low(*u.room);
  double high[most_half_angle_of_series];
  const auto F = [&](int n) -> double& { return n <= order ? low.c[n] : high[n - order]; };
  F(top) = highest;
  for (int n = top - 1; n >= 0; --n) {
    G *= (n + 1) / ((n + 0.5) * inverse);
    F(n) = (G - 2 * at * (n + 1) * F(n + 1)) / (2 * n + 1);
  }
  compose(
      u, count,
      [&](int i, int n) {  // of the derivative of order i
        double x = F(n + i);
        for (int l = 1; l <= i; ++l) x *= n + l;
        return x;
      },
      f);
}

}  // namespace detail

}  // namespace jounce
