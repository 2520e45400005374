// SPDX-License-Identifier: BSD-3-Clause
// Brackets of velocities, and what they do to forces, in registers.
#pragma once

#include "kernels/lanes/lanes.hpp"

namespace jounce::lanes::inline JOUNCE_ISA {

[[gnu::always_inline]] inline Screw ad(const Screw& V, const Screw& W) {
  return {cross(V.w, W.w), cross_sum(V.w, W.v, V.v, W.w)};
}
[[gnu::always_inline]] inline Force dual_ad(const Screw& V, const Force& F) {
  return {cross_sum(F.m, V.w, F.f, V.v), cross(F.f, V.w)};
}

}  // namespace jounce::lanes::inline JOUNCE_ISA
