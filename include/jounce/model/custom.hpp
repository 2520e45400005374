// SPDX-License-Identifier: BSD-3-Clause
// Joints that the user writes: a function q -> SE3, from which Jounce gets everything else.
//
//   const auto cam = jounce::custom_joint<1>([](const auto* q) {
//     using std::sin;  return jounce::SE3{...};  // any smooth pose of q[0]
//   });
// The function runs once, here, on numbers that record what it does (scalar/recorded.hpp): what it
// throws is thrown here, what it captures is read here, and it cannot branch on q. Its recording
// and, by dual numbers, those of
//   S_k = (T^-1 dT/dq_k)^vee,   Sdot_k = d/dt S_k along v,   dS_l/dq_k,   dSdot_l/dq_k
// run on any kind of number.
#pragma once

#include <jounce/model/custom_motion.hpp>
#include <jounce/scalar/recorded.hpp>
#include <memory>

namespace jounce {

inline namespace JOUNCE_ISA {

/// A joint with Dof coordinates and the pose f(q), where v = dq/dt.
template <int Dof, class F>
std::shared_ptr<const CustomJoint> custom_joint(F f) {
  static_assert(Dof >= 1 && Dof <= 6, "a joint has one to six coordinates");
  Recorder recorder;
  Recorded q[Dof];
  for (Recorded& x : q) x = recorder.input();
  const SE3<Recorded> T = f(static_cast<const Recorded*>(q));
  return std::make_shared<const CustomJoint>(Dof, recorder, T);
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
