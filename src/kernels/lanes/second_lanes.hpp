// SPDX-License-Identifier: BSD-3-Clause
// What the second derivatives in lanes keep of coordinates and of pairs of them.
#pragma once

#include "kernels/lanes/derivative_lanes.hpp"

namespace jounce {
namespace lanes {

/// How all that a coordinate carries changes. dG has the second moment I and the first moment
/// G S.f (CoordinateLanes); dB/dq has the blocks K_q and p_q, dB/dv has K_v and again G S.f.
struct ChangeLanes {
  Columns3 I, K_q, K_v;
  Column p_q;
};

/// What a pair (a, c) puts on the rows after c: m and f meet G S, b meets B^T S, and diagonal and
/// others (xy, yz, zx) meet the second moment of dG.
struct AfterLanes {
  Column m, f, b, diagonal, others;
};

/// The columns of a pair, as PairForces and PairMotions of the reference.
struct PairLanes {
  Force qa_qc, va_qc, qa_vc, va_vc, aa_qc;  ///< on rows between a and c
  Force qa_qc_before, qa_vc_before, ac_qa;  ///< on rows before a, where they are others
  AfterLanes after_qq, after_vq, after_qv, after_vv;
  Column after_aq_f;          ///< its m is that of after_vv
  Columns3 after_M, after_Q;  ///< meet M and Q of wrenches in ground axes
};

}  // namespace lanes

/// Room for second_derivatives_in_lanes.
struct SecondLanes {
  DerivativeLanes first;
  lanes::ChangeLanes* change = nullptr;                   ///< [nv + 3]
  double* moment = nullptr;                               ///< [9 stride] columns of I by component
  const int *part_first = nullptr, *part_last = nullptr;  ///< [nv] coordinates of the same part
  double* standing = nullptr;  ///< [18 stride] columns of M and Q by component
};

}  // namespace jounce
