// SPDX-License-Identifier: BSD-3-Clause
// A constraint of the user's, C(q, t) = 0: its tape, run on any kind of number.
#pragma once

#include <jounce/scalar/tape.hpp>
#include <span>

namespace jounce {

class Recorder;
struct Recorded;

/// What is behind custom_constraint.
class CustomConstraint {
 public:
  /// What a constraint can have.
  static constexpr int most_rows = 6, most_coordinates = 32;

  /// From its values, recorded as functions of the coordinates and, the last input, of time.
  CustomConstraint(int coordinates_, const Recorder& recorder, std::span<const Recorded> values);
  CustomConstraint(const CustomConstraint&) = delete;
  CustomConstraint& operator=(const CustomConstraint&) = delete;

 private:
  Program motion_;

 public:
  const int coordinates, rows;
  const Tape motion;  ///< q, dq/dt, t -> C, dC/dq, dC/dt, d2C/dt2 where q does not accelerate
};

inline namespace JOUNCE_ISA {

/// The values of a constraint and their derivatives, where the tape left them.
template <class Real>
struct CustomRows {
  const Real* x;
  int coordinates, rows;

  const Real& value(int row) const { return x[row]; }
  const Real& by_q(int row, int k) const { return x[rows + coordinates * row + k]; }
  const Real& by_time(int row) const { return x[rows * (1 + coordinates) + row]; }
  const Real& bend(int row) const { return x[rows * (2 + coordinates) + row]; }
};

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

template <int Numbers, class Real, class Read>
[[gnu::noinline]] void run_rows_on_stack(const CustomConstraint& c, const Real* q, const Real* qdot,
                                         const Real& time, Read read) {
  alignas(Real) std::byte memory[Numbers * sizeof(Real)];  // numbers are not made twice
  auto* x = reinterpret_cast<Real*>(memory);
  for (int k = 0; k < c.coordinates; ++k) x[k] = q[k], x[c.coordinates + k] = qdot[k];
  x[2 * c.coordinates] = time;
  run(c.motion, x);
  read(CustomRows<Real>{x + c.motion.inputs, c.coordinates, c.rows});
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// read(CustomRows) at the coordinates q of its joints, which move with qdot.
template <class Real, class Read>
void run_rows(const CustomConstraint& c, const Real* q, const Real* qdot, const Real& time,
              Read read) {
  if (c.motion.numbers <= 64) detail::run_rows_on_stack<64>(c, q, qdot, time, read);
  else if (c.motion.numbers <= 512) detail::run_rows_on_stack<512>(c, q, qdot, time, read);
  else detail::run_rows_on_stack<most_tape_numbers>(c, q, qdot, time, read);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
