// SPDX-License-Identifier: BSD-3-Clause
// Packs: W numbers that go through the same program in step, one per SIMD lane.
//
// A processor adds 2, 4 or 8 doubles as fast as one. A Pack is W such lanes, and + - * / act lane
// by lane; an algorithm that never branches on a number computes W robot states at the price of
// one. The compiler's vector types do the work: no intrinsics, the same code on x86-64 and aarch64.
// A pack wider than a register is held in several registers, because a vector type wider than the
// hardware's is spilled to memory at every step.
// A comparison gives a Mask, all bits set in the lanes where it holds; select(mask, a, b) picks.
#pragma once

#include <bit>
#include <cstdint>
#include <jounce/scalar/isa.hpp>
#include <jounce/scalar/number.hpp>
#include <utility>

namespace jounce {

namespace detail::inline JOUNCE_ISA {

/// A register of `Lanes` numbers; a plain number when there is one lane.
template <class T, int Lanes>
struct RegisterOf {
  typedef T type __attribute__((vector_size(sizeof(T) * Lanes)));
};
template <class T>
struct RegisterOf<T, 1> {
  using type = T;
};

template <class T>
using SameSizeInteger = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

}  // namespace detail::inline JOUNCE_ISA

/// The outcome of comparing two packs.
template <class T, int W, Isa I>
struct Mask;

template <class T, int W, Isa I = native_isa>
struct Pack {
  static_assert(Arithmetic<T> && W >= 1 && (W & (W - 1)) == 0, "W must be a power of two");
  using Inner = T;
  static constexpr int lanes = W;
  static constexpr int register_lanes =
      W * int(sizeof(T)) <= register_bytes(I) ? W : register_bytes(I) / int(sizeof(T));
  static constexpr int registers = W / register_lanes;
  using Register = typename detail::RegisterOf<T, register_lanes>::type;

  Register r[registers];

  [[gnu::always_inline]] constexpr Pack() : r{} {}
  template <Arithmetic U>
  [[gnu::always_inline]] Pack(U constant)  // NOLINT: a constant is a number
      : Pack(of_registers([&](int) __attribute__((always_inline)) {
          return static_cast<T>(constant) - Register{};
        })) {}

  [[gnu::always_inline]] static Pack load(const T* from) {
    return of_registers([&](int k) __attribute__((always_inline)) {
      Register x;
      __builtin_memcpy(&x, from + register_lanes * k, sizeof(x));
      return x;
    });
  }
  /// Register k holds f(k). Every register is written out: GCC leaves in memory what a loop walks
  /// over.
  template <class F>
  [[gnu::always_inline]] static Pack of_registers(F f) {
    return [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
      return Pack(AllRegisters{}, f(k)...);
    }
    (std::make_integer_sequence<int, registers>());
  }
  /// Lane k holds f(k); put together in registers, without a detour through memory.
  template <class F>
  [[gnu::always_inline]] static Pack generate(F f) {
    return of_registers([&](int k) __attribute__((always_inline)) {
      return [&]<int... lane>(std::integer_sequence<int, lane...>) __attribute__((always_inline)) {
        return Register{f(k * register_lanes + lane)...};
      }
      (std::make_integer_sequence<int, register_lanes>());
    });
  }
  /// One by one, as above.
  [[gnu::always_inline]] void store(T* to) const {
    [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
      (__builtin_memcpy(to + register_lanes * k, &r[k], sizeof(Register)), ...);
    }
    (std::make_integer_sequence<int, registers>());
  }

  [[gnu::always_inline]] T operator[](int lane) const {
    if constexpr (register_lanes == 1) return r[lane];
    else return r[lane / register_lanes][lane % register_lanes];
  }
  [[gnu::always_inline]] void set(int lane, T x) {
    if constexpr (register_lanes == 1) r[lane] = x;
    else r[lane / register_lanes][lane % register_lanes] = x;
  }

  [[gnu::always_inline]] friend Pack operator+(const Pack& x, const Pack& y) {
    return of_registers([&](int k) __attribute__((always_inline)) { return x.r[k] + y.r[k]; });
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& x, const Pack& y) {
    return of_registers([&](int k) __attribute__((always_inline)) { return x.r[k] - y.r[k]; });
  }
  [[gnu::always_inline]] friend Pack operator*(const Pack& x, const Pack& y) {
    return of_registers([&](int k) __attribute__((always_inline)) { return x.r[k] * y.r[k]; });
  }
  [[gnu::always_inline]] friend Pack operator/(const Pack& x, const Pack& y) {
    return of_registers([&](int k) __attribute__((always_inline)) { return x.r[k] / y.r[k]; });
  }
  [[gnu::always_inline]] friend Pack operator-(const Pack& x) {
    return of_registers([&](int k) __attribute__((always_inline)) { return -x.r[k]; });
  }
  [[gnu::always_inline]] Pack& operator+=(const Pack& x) { return *this = *this + x; }
  [[gnu::always_inline]] Pack& operator-=(const Pack& x) { return *this = *this - x; }
  [[gnu::always_inline]] Pack& operator*=(const Pack& x) { return *this = *this * x; }
  [[gnu::always_inline]] Pack& operator/=(const Pack& x) { return *this = *this / x; }

  [[gnu::always_inline]] friend Mask<T, W, I> operator<(const Pack& x, const Pack& y) {
    return Mask<T, W, I>::of(x, y, [](auto a, auto b) { return a < b; });
  }
  [[gnu::always_inline]] friend Mask<T, W, I> operator<=(const Pack& x, const Pack& y) {
    return Mask<T, W, I>::of(x, y, [](auto a, auto b) { return a <= b; });
  }
  [[gnu::always_inline]] friend Mask<T, W, I> operator>(const Pack& x, const Pack& y) {
    return y < x;
  }
  [[gnu::always_inline]] friend Mask<T, W, I> operator>=(const Pack& x, const Pack& y) {
    return y <= x;
  }

 private:
  struct AllRegisters {};
  template <class... Parts>
  [[gnu::always_inline]] Pack(AllRegisters, Parts... parts) : r{parts...} {}
};

template <class T, int W, Isa I>
struct Mask {
  using P = Pack<T, W, I>;
  using Bits = decltype(typename P::Register{} < typename P::Register{});

  Bits r[P::registers];

  template <class Compare>
  [[gnu::always_inline]] static Mask of(const P& x, const P& y, Compare compare) {
    Mask m;
    for (int k = 0; k < P::registers; ++k) m.r[k] = compare(x.r[k], y.r[k]);
    return m;
  }
  [[gnu::always_inline]] bool operator[](int lane) const {
    if constexpr (P::register_lanes == 1) return r[lane];
    else return r[lane / P::register_lanes][lane % P::register_lanes] != 0;
  }
  [[gnu::always_inline]] friend Mask operator&(Mask a, const Mask& b) {
    for (int k = 0; k < P::registers; ++k) a.r[k] = a.r[k] & b.r[k];
    return a;
  }
  [[gnu::always_inline]] friend Mask operator|(Mask a, const Mask& b) {
    for (int k = 0; k < P::registers; ++k) a.r[k] = a.r[k] | b.r[k];
    return a;
  }
};

inline namespace JOUNCE_ISA {

template <class T, int W, Isa I>
[[gnu::always_inline]] inline Pack<T, W, I> select(const Mask<T, W, I>& mask,
                                                   const Pack<T, W, I>& a, const Pack<T, W, I>& b) {
  return Pack<T, W, I>::of_registers([&](int k) __attribute__((always_inline)) {
    return mask.r[k] ? a.r[k] : b.r[k];
  });
}

/// f of each lane.
template <class T, int W, Isa I, class F>
[[gnu::always_inline]] inline Pack<T, W, I> lanewise(const Pack<T, W, I>& x, F f) {
  T lane[W];
  x.store(lane);
  for (T& value : lane) value = f(value);
  return Pack<T, W, I>::load(lane);
}

template <class T, int W, Isa I>
[[gnu::always_inline]] inline Pack<T, W, I> abs(const Pack<T, W, I>& x) {
  return select(x < Pack<T, W, I>(0), -x, x + T(0));  // + 0 turns -0 into 0
}
template <class T, int W, Isa I>
[[gnu::always_inline]] inline Pack<T, W, I> sqrt(const Pack<T, W, I>& x) {
  return lanewise(x, [](T a) { return std::sqrt(a); });
}
template <class T, int W, Isa I>
inline Pack<T, W, I> exp(const Pack<T, W, I>& x) {
  return lanewise(x, [](T a) { return std::exp(a); });
}
template <class T, int W, Isa I>
inline Pack<T, W, I> log(const Pack<T, W, I>& x) {
  return lanewise(x, [](T a) { return std::log(a); });
}
template <class T, int W, Isa I>
inline Pack<T, W, I> tanh(const Pack<T, W, I>& x) {
  return lanewise(x, [](T a) { return std::tanh(a); });
}
template <class T, int W, Isa I>
inline Pack<T, W, I> sech_squared(const Pack<T, W, I>& x) {
  return lanewise(x, [](T a) { return sech_squared(a); });
}
template <class T, int W, Isa I>
inline Pack<T, W, I> atan2(const Pack<T, W, I>& y, const Pack<T, W, I>& x) {
  Pack<T, W, I> angle;
  for (int k = 0; k < W; ++k) angle.set(k, std::atan2(y[k], x[k]));
  return angle;
}
template <class T, int W, Isa I>
constexpr T value_of(const Pack<T, W, I>& x) {
  return x[0];
}

}  // namespace JOUNCE_ISA

}  // namespace jounce

#include <jounce/scalar/pack_sincos.hpp>  // IWYU pragma: export
