// SPDX-License-Identifier: BSD-3-Clause
// What a recorded number folds and what it records.
#include <bit>
#include <jounce/scalar/recorded.hpp>

namespace jounce {
namespace {

bool is_constant(const Recorded& x) { return x.recorder == nullptr; }
const Recorder::Node& node(const Recorded& x) { return x.recorder->nodes()[size_t(x.node)]; }
/// Whether x is a step of this kind.
bool is_step(const Recorded& x, Op op) { return !is_constant(x) && node(x).op == op; }
/// What step x reads.
Recorded operand(const Recorded& x) { return {x.recorder, node(x).from[0]}; }

/// A function of one number; f is the same on a constant.
template <class F>
Recorded unary(Op op, const Recorded& x, F f) {
  return is_constant(x) ? Recorded(f(x.constant)) : x.recorder->step(op, {x});
}

}  // namespace

int Recorder::add(const Node& node) {
  const auto key = std::tuple(node.op, node.from, std::bit_cast<std::uint64_t>(node.constant));
  const auto [at, is_new] = known_.try_emplace(key, int(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return at->second;
}

Recorded Recorder::input() { return {this, add({.op = Op::input, .constant = double(inputs_++)})}; }

Recorded Recorder::step(Op op, std::initializer_list<Recorded> operands, double constant) {
  Node node{.op = op, .constant = constant};
  size_t k = 0;
  for (const Recorded& x : operands)
    node.from[k++] = is_constant(x) ? add({.op = Op::constant, .constant = x.constant}) : x.node;
  return {this, add(node)};
}

void Recorder::several(Op op, const Recorded& x, Recorded* result, int count) {
  const Recorded all = step(op, {x});
  for (int k = 0; k < count; ++k) result[k] = step(Op::part, {all}, k);
}

Recorded operator+(const Recorded& x, const Recorded& y) {
  if (is_constant(x) && is_constant(y)) return x.constant + y.constant;
  if (is_constant(x)) return y + x;
  if (y.is(0)) return x;
  if (is_constant(y)) return x.recorder->step(Op::add_constant, {x}, y.constant);
  if (is_step(y, Op::negate)) return x - operand(y);
  if (is_step(x, Op::negate)) return y - operand(x);
  return x.recorder->step(Op::add, {x, y});
}

Recorded operator-(const Recorded& x, const Recorded& y) {
  if (is_constant(y)) return x + Recorded(-y.constant);
  if (x.is(0)) return -y;
  if (is_constant(x)) return y.recorder->step(Op::subtract_from, {y}, x.constant);
  if (is_step(y, Op::negate)) return x + operand(y);
  if (is_step(x, Op::negate)) return -(operand(x) + y);
  return x.recorder->step(Op::subtract, {x, y});
}

Recorded operator*(const Recorded& x, const Recorded& y) {
  if (is_constant(x) && is_constant(y)) return x.constant * y.constant;
  if (is_constant(x)) return y * x;
  if (y.is(1)) return x;
  if (y.is(-1)) return -x;
  if (y.is(0)) return 0;
  if (is_step(x, Op::negate)) return operand(x) * -y;
  if (is_step(y, Op::negate)) return -(x * operand(y));
  if (is_constant(y)) return x.recorder->step(Op::scale, {x}, y.constant);
  return x.recorder->step(Op::multiply, {x, y});
}

Recorded operator/(const Recorded& x, const Recorded& y) {
  if (is_constant(x) && is_constant(y)) return x.constant / y.constant;
  if (y.is(1)) return x;
  if (y.is(-1)) return -x;
  if (is_constant(y)) return x.recorder->step(Op::divide_by, {x}, y.constant);
  if (x.is(0)) return 0;
  if (is_constant(x)) return y.recorder->step(Op::divide_into, {y}, x.constant);
  return x.recorder->step(Op::divide, {x, y});
}

Recorded operator-(const Recorded& x) {
  if (is_constant(x)) return -x.constant;
  if (is_step(x, Op::negate)) return operand(x);
  if (is_step(x, Op::subtract))
    return x.recorder->step(Op::subtract, {{x.recorder, node(x).from[1]}, operand(x)});
  if (is_step(x, Op::scale)) return x.recorder->step(Op::scale, {operand(x)}, -node(x).constant);
  return x.recorder->step(Op::negate, {x});
}

Recorded select(const RecordedMask& mask, const Recorded& a, const Recorded& b) {
  if (mask.first_ != nullptr && mask.both_)
    return select(*mask.first_, select(*mask.second_, a, b), b);
  if (mask.first_ != nullptr) return select(*mask.first_, a, select(*mask.second_, a, b));
  const auto& [x, y] = std::tie(mask.x_, mask.y_);
  if (is_constant(x) && is_constant(y)) {
    const bool holds =
        mask.op_ == Op::select_less ? x.constant < y.constant : x.constant <= y.constant;
    return holds ? a : b;
  }
  if (a.recorder == b.recorder && (is_constant(a) ? a.constant == b.constant : a.node == b.node))
    return a;
  return (is_constant(x) ? y : x).recorder->step(mask.op_, {x, y, a, b});
}

Recorded sqrt(const Recorded& x) {
  return unary(Op::sqrt, x, [](double a) { return std::sqrt(a); });
}
SinCos<Recorded> sincos(const Recorded& x) {
  if (is_constant(x)) return {std::sin(x.constant), std::cos(x.constant)};
  Recorded y[2];
  x.recorder->several(Op::sincos, x, y, 2);
  return {y[0], y[1]};
}
Recorded sin(const Recorded& x) { return sincos(x).sin; }
Recorded cos(const Recorded& x) { return sincos(x).cos; }
Recorded exp(const Recorded& x) {
  return unary(Op::exp, x, [](double a) { return std::exp(a); });
}
Recorded log(const Recorded& x) {
  return unary(Op::log, x, [](double a) { return std::log(a); });
}
Recorded tanh(const Recorded& x) {
  return unary(Op::tanh, x, [](double a) { return std::tanh(a); });
}
Recorded sech_squared(const Recorded& x) {
  return unary(Op::sech_squared, x, [](double a) { return sech_squared(a); });
}
Recorded abs(const Recorded& x) {
  return unary(Op::abs, x, [](double a) { return std::abs(a); });
}
Recorded atan2(const Recorded& y, const Recorded& x) {
  if (is_constant(x) && is_constant(y)) return std::atan2(y.constant, x.constant);
  return (is_constant(x) ? y : x).recorder->step(Op::atan2, {y, x});
}

Recorded tan(const Recorded& x) {
  const SinCos<Recorded> y = sincos(x);
  return y.sin / y.cos;
}
Recorded asin(const Recorded& x) { return atan2(x, sqrt((1 - x) * (1 + x))); }
Recorded acos(const Recorded& x) { return atan2(sqrt((1 - x) * (1 + x)), x); }
Recorded atan(const Recorded& x) { return atan2(x, 1); }
Recorded pow(const Recorded& x, double exponent) {
  if (exponent != std::trunc(exponent) || std::abs(exponent) > 64) return exp(exponent * log(x));
  if (exponent < 0) return 1 / pow(x, -exponent);
  Recorded result = 1, square = x;
  for (int n = int(exponent); n > 0; n /= 2) {
    if (n % 2 == 1) result *= square;
    if (n > 1) square *= square;
  }
  return result;
}

}  // namespace jounce
