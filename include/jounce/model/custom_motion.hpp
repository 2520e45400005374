// SPDX-License-Identifier: BSD-3-Clause
// A joint of the user's while it moves: its tapes, run on any kind of number.
#pragma once

#include <jounce/group/se3.hpp>
#include <jounce/scalar/tape.hpp>

namespace jounce {

class Recorder;
struct Recorded;

/// What is behind custom_joint.
class CustomJoint {
 public:
  /// From its pose, recorded as a function of dof inputs.
  CustomJoint(int dof_, const Recorder& recorder, const SE3<Recorded>& T);
  CustomJoint(const CustomJoint&) = delete;
  CustomJoint& operator=(const CustomJoint&) = delete;

 private:
  Program motion_, partials_;

 public:
  const int dof;
  const Tape motion;    ///< q, v -> T, S_k, Sdot_k
  const Tape partials;  ///< q, v -> dS_l/dq_k at l dof + k, dSdot_l/dq_k
};

inline namespace JOUNCE_ISA {

/// The pose, the screws and their rates, where the tape left them.
template <class Real>
struct CustomMotion {
  const Real* x;
  int dof;

  SE3<Real> T() const {
    return {{{{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}}}}, {x[9], x[10], x[11]}};
  }
  Twist<Real> S(int k) const { return twist(12 + 6 * k); }
  Twist<Real> Sdot(int k) const { return twist(12 + 6 * (dof + k)); }

 private:
  Twist<Real> twist(int k) const {
    return {{x[k], x[k + 1], x[k + 2]}, {x[k + 3], x[k + 4], x[k + 5]}};
  }
};

/// How the screws and their rates change along the coordinates.
template <class Real>
struct CustomPartials {
  const Real* x;
  int dof;

  Twist<Real> S(int l, int k) const { return twist(6 * (l * dof + k)); }  ///< dS_l/dq_k
  Twist<Real> Sdot(int l, int k) const { return twist(6 * ((dof + l) * dof + k)); }

 private:
  Twist<Real> twist(int k) const {
    return {{x[k], x[k + 1], x[k + 2]}, {x[k + 3], x[k + 4], x[k + 5]}};
  }
};

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Runs a tape of a joint on the stack and hands its outputs to read.
template <int Numbers, class Real, class Read>
[[gnu::noinline]] void run_on_stack(const Tape& tape, const Real* q, const Real* v, Read read) {
  alignas(Real) std::byte memory[Numbers * sizeof(Real)];  // numbers are not made twice
  auto* x = reinterpret_cast<Real*>(memory);
  const int dof = tape.inputs / 2;
  for (int k = 0; k < dof; ++k) x[k] = q[k], x[dof + k] = v[k];
  run(tape, x);
  read(x + tape.inputs);
}
template <class Real, class Read>
void run_custom(const Tape& tape, const Real* q, const Real* v, Read read) {
  if (tape.numbers <= 64) run_on_stack<64>(tape, q, v, read);
  else if (tape.numbers <= 512) run_on_stack<512>(tape, q, v, read);
  else run_on_stack<most_tape_numbers>(tape, q, v, read);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// read(CustomMotion) of a joint at q and v.
template <class Real, class Read>
void move_custom(const CustomJoint& joint, const Real* q, const Real* v, Read read) {
  detail::run_custom(joint.motion, q, v, [&](const Real* x) {
    read(CustomMotion<Real>{x, joint.dof});
  });
}
/// read(CustomPartials) of a joint at q and v.
template <class Real, class Read>
void differentiate_custom(const CustomJoint& joint, const Real* q, const Real* v, Read read) {
  detail::run_custom(joint.partials, q, v, [&](const Real* x) {
    read(CustomPartials<Real>{x, joint.dof});
  });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
