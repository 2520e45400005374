// SPDX-License-Identifier: BSD-3-Clause
// Bushings as power series in time: equations/bushings.hpp on Taylor numbers.
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/equations/bushings.hpp>

#include "series/series_memory.hpp"

namespace jounce {
namespace {

template <int K>
class BushingSeriesOf final : public BushingSeries {
 public:
  using Number = Taylor<double, K>;

  explicit BushingSeriesOf(const Robot& robot)
      : system_(robot.system()),
        room_(system_),
        q_(size_t(robot.nq())),
        v_(size_t(robot.nv())),
        tau_(v_.size()) {}

  void add_coefficient(const double* q, const Rows<double>& v, int k, double* taken) override {
    if (k == 0) {
      std::copy_n(q, q_.size(), q_.begin());
      std::fill(v_.begin(), v_.end(), Number());
    }
    for (size_t j = 0; j < v_.size(); ++j) v_[j].c[k] = v[k][j];
    if (k > 0)
      for (const Factor& f : factors(system_))
        extend_coordinates(f, k - 1, v_.data() + f.v, q_.data() + f.q);
    std::fill(tau_.begin(), tau_.end(), Number());
    add_bushing_forces<double, Number>(system_, q_.data(), v_.data(), 1, room_, tau_.data());
    for (size_t j = 0; j < tau_.size(); ++j) taken[j] += tau_[j].c[k];
  }

 private:
  const System<double>& system_;
  BushingRoom<Number> room_;
  std::vector<Number> q_, v_, tau_;
};

}  // namespace

std::unique_ptr<BushingSeries> make_bushing_series(const Robot& robot, int order) {
  constexpr int low = SeriesMemory::short_order;
  if (order <= low) return std::make_unique<BushingSeriesOf<low>>(robot);
  return std::make_unique<BushingSeriesOf<highest_order>>(robot);
}

}  // namespace jounce
