// SPDX-License-Identifier: BSD-3-Clause
// A number that records what is done with it: functions written once become tapes.
//
//   Recorder recorder;
//   const Recorded x = recorder.input(), y = recorder.input();
//   const Recorded f[] = {sin(x) * y};
//   const Program program = recorder.finish(f);       // program.tape() runs on any kind of number
// Running a tape on Dual<Recorded, N> records its derivatives, and so on.
//
// What appears twice is recorded once, what no output needs is dropped, signs are moved and
// constants folded: x + 0, 1 x, x / 1, -(-x). Every number comes out as the function itself gives
// it, to the last bit where no processor fuses products and sums, but for the sign of a zero; and
// 0 x and 0 / x are zero, also where x is infinite or NaN and the function gives NaN. x - x and
// x / x are kept.
// A function cannot branch on what is known only when the tape runs: `if (x < 0)` does not compile,
// select(x < 0, a, b) is recorded.
#pragma once

#include <array>
#include <concepts>
#include <jounce/scalar/tape.hpp>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace jounce {

class Recorder;

struct Recorded {
  using Inner = double;

  Recorder* recorder = nullptr;  ///< null for a constant
  int node = 0;
  double constant = 0;

  Recorded() = default;
  template <Arithmetic U>
  Recorded(U value) : constant(double(value)) {}  // NOLINT: a constant is a number
  Recorded(Recorder* in, int node_) : recorder(in), node(node_) {}

  bool is(double value) const { return recorder == nullptr && constant == value; }

  friend Recorded operator+(const Recorded& x, const Recorded& y);
  friend Recorded operator-(const Recorded& x, const Recorded& y);
  friend Recorded operator*(const Recorded& x, const Recorded& y);
  friend Recorded operator/(const Recorded& x, const Recorded& y);
  friend Recorded operator-(const Recorded& x);
  Recorded& operator+=(const Recorded& x) { return *this = *this + x; }
  Recorded& operator-=(const Recorded& x) { return *this = *this - x; }
  Recorded& operator*=(const Recorded& x) { return *this = *this * x; }
};

template <>
inline constexpr bool is_plain_kind<Recorded> = false;

/// The outcome of a comparison, known when the tape runs: for select alone.
class RecordedMask {
 public:
  RecordedMask(Op select, const Recorded& x, const Recorded& y) : op_(select), x_(x), y_(y) {}

  template <std::same_as<bool> Bool>
  explicit operator Bool() const {
    static_assert(sizeof(Bool) == 0,
                  "a recorded function cannot branch on a number: use select(mask, a, b), and "
                  "& and | between masks");
    return false;
  }
  friend RecordedMask operator&(const RecordedMask& a, const RecordedMask& b) {
    return {a, b, true};
  }
  friend RecordedMask operator|(const RecordedMask& a, const RecordedMask& b) {
    return {a, b, false};
  }
  friend Recorded select(const RecordedMask& mask, const Recorded& a, const Recorded& b);

 private:
  RecordedMask(const RecordedMask& a, const RecordedMask& b, bool both)
      : first_(std::make_shared<RecordedMask>(a)),
        second_(std::make_shared<RecordedMask>(b)),
        both_(both) {}

  Op op_ = Op::select_less;
  Recorded x_, y_;
  std::shared_ptr<const RecordedMask> first_, second_;  ///< of & and |
  bool both_ = false;
};
inline RecordedMask operator<(const Recorded& x, const Recorded& y) {
  return {Op::select_less, x, y};
}
inline RecordedMask operator<=(const Recorded& x, const Recorded& y) {
  return {Op::select_less_equal, x, y};
}
inline RecordedMask operator>(const Recorded& x, const Recorded& y) { return y < x; }
inline RecordedMask operator>=(const Recorded& x, const Recorded& y) { return y <= x; }

Recorded sqrt(const Recorded& x);
Recorded sin(const Recorded& x);
Recorded cos(const Recorded& x);
SinCos<Recorded> sincos(const Recorded& x);
Recorded exp(const Recorded& x);
Recorded log(const Recorded& x);
Recorded tanh(const Recorded& x);
Recorded sech_squared(const Recorded& x);
Recorded atan2(const Recorded& y, const Recorded& x);
Recorded abs(const Recorded& x);
// By the others.
Recorded tan(const Recorded& x);
Recorded asin(const Recorded& x);
Recorded acos(const Recorded& x);
Recorded atan(const Recorded& x);
Recorded pow(const Recorded& x, double exponent);  ///< whole numbers to 64: products

class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The next input.
  Recorded input();
  /// The program for some outputs. InputError where it needs more memory than a tape has.
  Program finish(std::span<const Recorded> outputs) const;

  struct Node {
    Op op;
    std::array<int, 4> from{-1, -1, -1, -1};
    double constant = 0;
  };
  /// A step; operands that are constants become inputs of it.
  Recorded step(Op op, std::initializer_list<Recorded> operands, double constant = 0);
  /// Results 0 to count - 1 of a function with several.
  void several(Op op, const Recorded& x, Recorded* result, int count);
  const std::vector<Node>& nodes() const { return nodes_; }
  int inputs() const { return inputs_; }

 private:
  int add(const Node& node);

  int inputs_ = 0;
  std::vector<Node> nodes_;  ///< each after those it reads
  std::map<std::tuple<Op, std::array<int, 4>, std::uint64_t>, int> known_;
};

inline namespace JOUNCE_ISA {

template <int M>
Stumpff<Recorded, M> stumpff(const Recorded& z) {
  Stumpff<Recorded, M> y;
  if (z.recorder != nullptr) {
    z.recorder->several(Op::stumpff, z, y.c, M);
  } else {
    const auto known = stumpff<M>(z.constant);
    for (int k = 0; k < M; ++k) y.c[k] = known.c[k];
  }
  return y;
}
template <int N>
void half_angle_derivatives(const Recorded& u, Recorded (&f)[N]) {
  if (u.recorder != nullptr) {
    u.recorder->several(Op::half_angle_derivatives, u, f, N);
  } else {
    double known[N];
    half_angle_derivatives(u.constant, known);
    for (int k = 0; k < N; ++k) f[k] = known[k];
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
