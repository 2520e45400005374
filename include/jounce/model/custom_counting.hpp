// SPDX-License-Identifier: BSD-3-Clause
// A user's joint under the scalar that counts: it runs on doubles, its own flops are not counted.
#pragma once

#include <jounce/model/custom.hpp>
#include <jounce/scalar/counting.hpp>

namespace jounce::inline JOUNCE_ISA {

inline JointMotion<Counting> move_custom(const CustomJoint& joint, const Counting* q,
                                         const Counting* v) {
  double q_plain[6], v_plain[6];
  for (int k = 0; k < joint.dof; ++k) q_plain[k] = q[k].x, v_plain[k] = v[k].x;
  return detail::convert<Counting>(joint.move(q_plain, v_plain), joint.dof,
                                   [](double x) { return Counting(x); });
}

}  // namespace jounce::inline JOUNCE_ISA
