// SPDX-License-Identifier: BSD-3-Clause
// Custom joints of high orders: series_joint.hpp on power series.
#include <jounce/algorithm/series_joint.hpp>
#include <jounce/model/custom_power_series.hpp>

namespace jounce::detail {

void extend_custom_to_any_order(const Model<double>& m, const double* q, int i, int k,
                                SeriesWorkspace<double>& w) {
  w.room->set_order(k - 1);
  extend_custom(m, q, i, k, *w.room, w);
}

}  // namespace jounce::detail
