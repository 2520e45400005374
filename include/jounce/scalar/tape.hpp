// SPDX-License-Identifier: BSD-3-Clause
// Straight-line programs: a computation that was recorded once (recorded.hpp) and runs on any kind
// of number.
//
// A tape works in one piece of memory of the caller's, `numbers` long: its inputs, its outputs,
// then its constants and what it keeps in between. Every step reads numbers there and writes one;
// nothing is allocated, and a tape may run on several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <jounce/scalar/stumpff.hpp>
#include <vector>

namespace jounce {

/// What a step does with the numbers x, y, ... it reads and its constant c.
enum class Op : std::uint16_t {
  end,
  copy,
  add,
  subtract,
  multiply,
  divide,
  negate,
  multiply_add,       ///< x y + z
  multiply_subtract,  ///< x y - z
  subtract_product,   ///< z - x y
  add_constant,       ///< x + c
  subtract_from,      ///< c - x
  scale,              ///< x c
  scale_add,          ///< x c + y
  scale_subtract,     ///< x c - y
  divide_by,          ///< x / c
  divide_into,        ///< c / x
  sqrt,
  sin,
  cos,
  exp,
  log,
  tanh,
  sech_squared,
  atan2,
  abs,
  select_less,        ///< x < y ? z : u
  select_less_equal,  ///< x <= y ? z : u
  sincos,             ///< from here on several results: steps `part` follow, one for each
  stumpff,
  half_angle_derivatives,
  part,
  input,    ///< while recording only
  constant  ///< while recording only
};

struct Step {
  Op op = Op::end;
  std::uint16_t to = 0;
  std::uint16_t from[4] = {};  ///< part: its index; several results: x and how many
  double constant = 0;
};

struct TapeConstant {
  double value = 0;
  int to = 0;
};

/// A view of a Program.
struct Tape {
  int inputs = 0, outputs = 0, numbers = 0;
  const TapeConstant* constant = nullptr;
  int constants = 0;
  const Step* step = nullptr;  ///< the last one is `end`
};

/// Owns a tape.
class Program {
 public:
  Tape tape() const {
    return {inputs, outputs, numbers, constants.data(), int(constants.size()), steps.data()};
  }

  int inputs = 0, outputs = 0, numbers = 0;
  std::vector<TapeConstant> constants;
  std::vector<Step> steps;
};

/// What a tape can hold: numbers in its memory, and results of its functions that have several.
inline constexpr int most_tape_numbers = 4096, most_stumpff = 16, most_half_angle = 8;

namespace detail::inline JOUNCE_ISA {

/// x[to] = f(step, operands) for a step and the equal ones after it, which a tape puts side by
/// side; gives the next step.
template <class Real, class F>
[[gnu::always_inline]] inline const Step* each(const Step* s, Real* x, F f) {
  const Op op = s->op;
  do x[s->to] = f(*s, x[s->from[0]]);
  while ((++s)->op == op);
  return s;
}

template <class Real>
[[gnu::always_inline]] inline const Step* run_arithmetic(const Step* s, Real* x) {
  using R = const Real&;
  switch (s->op) {
    case Op::add:
      return each(s, x, [x](const Step& t, R a) { return a + x[t.from[1]]; });
    case Op::subtract:
      return each(s, x, [x](const Step& t, R a) { return a - x[t.from[1]]; });
    case Op::multiply:
      return each(s, x, [x](const Step& t, R a) { return a * x[t.from[1]]; });
    case Op::multiply_add:
      return each(s, x, [x](const Step& t, R a) { return a * x[t.from[1]] + x[t.from[2]]; });
    case Op::multiply_subtract:
      return each(s, x, [x](const Step& t, R a) { return a * x[t.from[1]] - x[t.from[2]]; });
    case Op::subtract_product:
      return each(s, x, [x](const Step& t, R a) { return x[t.from[2]] - a * x[t.from[1]]; });
    case Op::divide:
      return each(s, x, [x](const Step& t, R a) { return a / x[t.from[1]]; });
    case Op::negate:
      return each(s, x, [](const Step&, R a) { return -a; });
    default:
      return each(s, x, [](const Step&, R a) { return a; });
  }
}

template <class Real>
[[gnu::always_inline]] inline const Step* run_constants(const Step* s, Real* x) {
  using R = const Real&;
  using C = Plain<Real>;
  switch (s->op) {
    case Op::add_constant:
      return each(s, x, [](const Step& t, R a) { return a + C(t.constant); });
    case Op::subtract_from:
      return each(s, x, [](const Step& t, R a) { return C(t.constant) - a; });
    case Op::scale:
      return each(s, x, [](const Step& t, R a) { return a * C(t.constant); });
    case Op::scale_add:
      return each(s, x, [x](const Step& t, R a) { return a * C(t.constant) + x[t.from[1]]; });
    case Op::scale_subtract:
      return each(s, x, [x](const Step& t, R a) { return a * C(t.constant) - x[t.from[1]]; });
    case Op::divide_by:
      return each(s, x, [](const Step& t, R a) { return a / C(t.constant); });
    default:
      return each(s, x, [](const Step& t, R a) { return C(t.constant) / a; });
  }
}

template <class Real>
[[gnu::noinline]] const Step* run_functions(const Step* s, Real* x) {
  using R = const Real&;
  using jounce::select;
  switch (s->op) {
    case Op::sqrt:
      return each(s, x, [](const Step&, R a) { return sqrt(a); });
    case Op::sin:
      return each(s, x, [](const Step&, R a) { return sin(a); });
    case Op::cos:
      return each(s, x, [](const Step&, R a) { return cos(a); });
    case Op::exp:
      return each(s, x, [](const Step&, R a) { return exp(a); });
    case Op::log:
      return each(s, x, [](const Step&, R a) { return log(a); });
    case Op::tanh:
      return each(s, x, [](const Step&, R a) { return tanh(a); });
    case Op::sech_squared:
      return each(s, x, [](const Step&, R a) { return sech_squared(a); });
    case Op::atan2:
      return each(s, x, [x](const Step& t, R a) { return atan2(a, x[t.from[1]]); });
    case Op::abs:
      return each(s, x, [](const Step&, R a) { return abs(a); });
    case Op::select_less:
      return each(s, x, [x](const Step& t, R a) {
        return select(a < x[t.from[1]], x[t.from[2]], x[t.from[3]]);
      });
    default:
      return each(s, x, [x](const Step& t, R a) {
        return select(a <= x[t.from[1]], x[t.from[2]], x[t.from[3]]);
      });
  }
}

/// Writes the results that the parts after a step ask for.
template <class Real>
const Step* write_parts(const Step* s, const Real* result, Real* x) {
  while ((++s)->op == Op::part) x[s->to] = result[s->from[0]];
  return s;
}
template <class Real>
[[gnu::noinline]] const Step* run_several(const Step* s, Real* x) {
  const Real& a = x[s->from[0]];
  if (s->op == Op::sincos) {
    const SinCos<Real> y = sincos(a);
    const Real both[] = {y.sin, y.cos};
    return write_parts(s, both, x);
  }
  if (s->op == Op::stumpff) {
    if (s->from[1] <= 8) return write_parts(s, stumpff<8>(a).c, x);
    if (s->from[1] <= 12) return write_parts(s, stumpff<12>(a).c, x);
    return write_parts(s, stumpff<most_stumpff>(a).c, x);
  }
  Real all[most_half_angle];
  half_angle_derivatives(a, all);
  return write_parts(s, all, x);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Runs a tape in its memory x, where the inputs are; the outputs come right after them.
template <class Real>
[[gnu::noinline]] void run(const Tape& tape, Real* x) {
  for (int k = 0; k < tape.constants; ++k)
    x[tape.constant[k].to] = Real(Plain<Real>(tape.constant[k].value));
  for (const Step* s = tape.step; s->op != Op::end;) {
    if (s->op < Op::add_constant) s = detail::run_arithmetic(s, x);
    else if (s->op < Op::sqrt) s = detail::run_constants(s, x);
    else if (s->op < Op::sincos) s = detail::run_functions(s, x);
    else s = detail::run_several(s, x);
  }
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
