// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order.
#include <jounce/series.hpp>

#include "series/series_equations.hpp"

namespace jounce {

struct Series::Impl : SeriesEquations {
  using SeriesEquations::SeriesEquations;

  double* room_for(const char* caller, const char* name, int columns,
                   const Into<double>& to) const {
    return detail::checked_into(robot, caller, name, to, nv(), columns);
  }
  void write(const std::vector<double>& found, int columns, double* to) const {
    std::copy_n(found.begin(), nv() * columns, to);
  }
};

Series::Series(Robot robot, int order) {
  impl_ = std::make_unique<Impl>(std::move(robot), checked_series_order("Series", order));
}
Series::Series(Series&&) noexcept = default;
Series& Series::operator=(Series&&) noexcept = default;
Series::~Series() = default;

const Robot& Series::robot() const { return impl_->robot; }
int Series::order() const { return impl_->series.order; }

void Series::inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
                     const Into<double>& taus) {
  Impl& d = *impl_;
  const int order = d.inverse_series(q, motion, around);
  d.write(d.taus, order + 1, d.room_for("inverse_series", "taus", order + 1, taus));
}

void Series::forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                     const SeriesSurroundings& around, const Into<double>& motion) {
  Impl& d = *impl_;
  const int order = d.forward_series(q, v, taus, around);
  d.write(d.motion, order + 2, d.room_for("forward_series", "motion", order + 2, motion));
}

void Series::hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
                    const MatrixArg& taus, const SeriesSurroundings& around,
                    const Into<double>& motion_found, const Into<double>& taus_found) {
  Impl& d = *impl_;
  const char* caller = "hybrid_series";
  const int order = d.hybrid_series(prescribed, q, motion, taus, around);
  double* to_motion = d.room_for(caller, "motion", order + 2, motion_found);
  double* to_taus = d.room_for(caller, "taus", order + 1, taus_found);
  d.write(d.motion, order + 2, to_motion);
  d.write(d.taus, order + 1, to_taus);
}

}  // namespace jounce
