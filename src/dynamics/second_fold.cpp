// SPDX-License-Identifier: BSD-3-Clause
// Mimic joints in the second derivatives: A^T T A A with their constant ratios A.
#include "dynamics/second_fold.hpp"

#include <algorithm>

namespace jounce {

void fold_matrix(const Robot& robot, const ZeroNumbers& tree, const ZeroNumbers& folded) {
  if (!robot.has_mimic()) return;
  const Coupling& c = robot.coupling();
  const int n = robot.model().nv, nv = robot.nv();
  std::fill(folded.data(), folded.data() + nv * nv, 0.0);
  for (int l = 0; l < n; ++l)
    for (int k = 0; k < n; ++k)
      folded.data()[c.v_source[size_t(k)] + nv * c.v_source[size_t(l)]] +=
          c.v_ratio[size_t(k)] * c.v_ratio[size_t(l)] * tree.data()[k + n * l];
}

void fold_tensor(const Robot& robot, const ZeroNumbers& tree, const ZeroNumbers& folded) {
  if (!robot.has_mimic()) return;
  const Coupling& c = robot.coupling();
  const std::ptrdiff_t n = robot.model().nv, nv = robot.nv();
  std::fill(folded.data(), folded.data() + nv * nv * nv, 0.0);
  for (int l = 0; l < n; ++l)
    for (int k = 0; k < n; ++k) {
      const double ratio = c.v_ratio[size_t(k)] * c.v_ratio[size_t(l)];
      const double* from = tree.data() + n * (k + n * l);
      double* to = folded.data() + nv * (c.v_source[size_t(k)] + nv * c.v_source[size_t(l)]);
      for (int i = 0; i < n; ++i)
        to[c.v_source[size_t(i)]] += ratio * c.v_ratio[size_t(i)] * from[i];
    }
}

}  // namespace jounce
