// SPDX-License-Identifier: BSD-3-Clause
// Bushings as power series in time: equations/bushings.hpp on numbers that are series.
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/equations/bushings.hpp>
#include <jounce/model/custom_power_series.hpp>

#include "series/series_memory.hpp"

namespace jounce {
namespace {

template <class Number>
class BushingSeriesOf final : public BushingSeries {
 public:
  BushingSeriesOf(const Robot& robot, int order)
      : system_(robot.system()),
        numbers_(order),
        room_(system_),
        q_(size_t(robot.nq())),
        v_(size_t(robot.nv())),
        tau_(v_.size()) {}

  void add_coefficient(const double* q, const Rows<double>& v, int k, double* taken) override {
    numbers_.set_order(k);
    if (k == 0) {
      for (size_t j = 0; j < q_.size(); ++j) q_[j] = numbers_.number(q[j]);
      for (Number& x : v_) x = numbers_.number();
    }
    for (size_t j = 0; j < v_.size(); ++j) v_[j].c[k] = v[k][j];
    if (k > 0)
      for (const Factor& f : factors(system_))
        extend_coordinates(f, k - 1, v_.data() + f.v, q_.data() + f.q);
    std::fill(tau_.begin(), tau_.end(), Number());
    add_bushing_forces<double, Number>(system_, q_.data(), v_.data(), 1, room_, tau_.data());
    for (size_t j = 0; j < tau_.size(); ++j) taken[j] += coefficient(tau_[j], k);
  }

 private:
  const System<double>& system_;
  SeriesRoom<Number> numbers_;  // before those that it lends
  BushingRoom<Number> room_;
  std::vector<Number> q_, v_, tau_;
};

}  // namespace

std::unique_ptr<BushingSeries> make_bushing_series(const Robot& robot, int order) {
  constexpr int low = SeriesMemory::short_order;
  if (order <= low) return std::make_unique<BushingSeriesOf<Taylor<double, low>>>(robot, order);
  return std::make_unique<BushingSeriesOf<PowerSeries>>(robot, order);
}

}  // namespace jounce
