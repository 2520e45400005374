// SPDX-License-Identifier: BSD-3-Clause
// A loop that is a function of the user's.
#pragma once

#include <jounce/model/custom_constraint.hpp>
#include <jounce/model/description.hpp>

namespace jounce::test {

inline LoopDescription custom(const std::vector<TiedJoint>& joints,
                              std::shared_ptr<const CustomConstraint> f) {
  LoopDescription loop;
  loop.name = "function", loop.kind = LoopKind::custom;
  loop.joints = joints, loop.custom = std::move(f);
  return loop;
}

}  // namespace jounce::test
