// SPDX-License-Identifier: BSD-3-Clause
// What the user writes, on power series of any length: their numbers own memory, so that they are
// made before a tape runs, where others lie in any memory (custom_motion.hpp, custom_rows.hpp).
#pragma once

#include <jounce/model/custom_motion.hpp>
#include <jounce/model/custom_rows.hpp>
#include <jounce/scalar/power_series.hpp>

namespace jounce {

namespace detail {

/// Runs a tape on numbers that are made, those of `inputs` copied.
template <int Numbers, class Read>
void run_on_made_numbers(const Tape& tape,
                         std::initializer_list<std::span<const PowerSeries>> inputs, Read read) {
  PowerSeries x[Numbers];
  PowerSeries* to = x;
  for (const std::span<const PowerSeries> some : inputs)
    to = std::copy(some.begin(), some.end(), to);
  run(tape, x);
  read(static_cast<const PowerSeries*>(to));
}
template <class Read>
void run_tape(const Tape& tape, std::initializer_list<std::span<const PowerSeries>> inputs,
              Read read) {
  if (tape.numbers <= 64) run_on_made_numbers<64>(tape, inputs, read);
  else if (tape.numbers <= 512) run_on_made_numbers<512>(tape, inputs, read);
  else run_on_made_numbers<most_tape_numbers>(tape, inputs, read);
}

}  // namespace detail

template <class Read>
void move_custom(const CustomJoint& joint, const PowerSeries* q, const PowerSeries* v, Read read) {
  const size_t n = size_t(joint.dof);
  detail::run_tape(joint.motion, {{q, n}, {v, n}}, [&](const PowerSeries* x) {
    read(CustomMotion<PowerSeries>{x, joint.dof});
  });
}
template <class Read>
void differentiate_custom(const CustomJoint& joint, const PowerSeries* q, const PowerSeries* v,
                          Read read) {
  const size_t n = size_t(joint.dof);
  detail::run_tape(joint.partials, {{q, n}, {v, n}}, [&](const PowerSeries* x) {
    read(CustomPartials<PowerSeries>{x, joint.dof});
  });
}
template <class Read>
void run_rows(const CustomConstraint& c, const PowerSeries* q, const PowerSeries* qdot,
              const PowerSeries& time, Read read) {
  const size_t n = size_t(c.coordinates);
  detail::run_tape(c.motion, {{q, n}, {qdot, n}, {&time, 1}}, [&](const PowerSeries* x) {
    read(CustomRows<PowerSeries>{x, c.coordinates, c.rows});
  });
}

}  // namespace jounce
