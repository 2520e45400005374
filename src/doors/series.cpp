// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order.
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/series.hpp>

#include "series/factorial.hpp"
#include "series/series_equations.hpp"

namespace jounce {

struct Series::Impl : SeriesEquations {
  using SeriesEquations::SeriesEquations;

  double* room_for(const char* caller, const char* name, int columns,
                   const Into<double>& to) const {
    return detail::checked_into(robot, caller, name, to, nv(), columns);
  }
  /// Derivatives of the wrench through joint i of the tree, at a frame of its body.
  void write_wrench(int i, const SE3<double>& frame, Representation in, int order,
                    Wrench<double>* to) const {
    const SeriesWorkspace<double>& w = series.storage.view();
    const Wrench<double>* F = w.F[i];
    for (int k = 0; k <= order; ++k) {
      Wrench<double> sum{};
      if (in == Representation::body) sum = dual_Ad(frame, F[k]);
      for (int l = 0; l <= k && in != Representation::body; ++l) {
        const SO3<double>& R = w.pose[i][k - l].R;
        const auto [m, f] = in == Representation::space ? F[l] : about(frame.p, F[l]);
        sum += Wrench<double>{R * m, R * f};
        for (int j = 0; j <= l && in == Representation::space; ++j)
          sum.m += cross(w.pose[i][l - j].p, R * F[j].f);
      }
      to[k] = to[k] + sum * factorial(k);
    }
  }
  /// A wrench about the point p, in the same axes.
  static Wrench<double> about(const Vec3<double>& p, const Wrench<double>& F) {
    return {F.m - cross(p, F.f), F.f};
  }
  void write(const std::vector<double>& found, int columns, double* to) const {
    std::copy_n(found.begin(), nv() * columns, to);
  }
};

Series::Series(Robot robot, int order) {
  const int checked = checked_series_order("Series", order);
  impl_ = std::make_unique<Impl>(std::move(robot), checked);
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

void Series::joint_wrenches(const VectorArg& q, const MatrixArg& motion, Representation in,
                            const SeriesSurroundings& around, const Into<Wrench<double>>& found) {
  Impl& d = *impl_;
  const char* caller = "joint_wrenches";
  const int order = d.inverse_wrenches(q, motion, around);
  const std::span<const JointInfo> joints = d.robot.joints();
  const long count = long(joints.size() + 1) * (order + 1);
  Wrench<double>* to = detail::checked_into(d.robot, caller, "wrenches", found, count);
  std::fill(to, to + count, Wrench<double>{});
  for (const JointInfo& joint : joints) {
    const std::string& link = d.robot.description().joints[size_t(joint.description)].child;
    const SE3<double> frame = d.robot.frame_info(d.robot.frame(link)).offset;
    d.write_wrench(joint.body, frame, in, order, to);
    to += order + 1;
  }
  for (int i = 1; i < d.model().bodies; ++i)
    if (d.model().parent[i] == 0) d.write_wrench(i, {}, Representation::space, order, to);
  for (to -= count - (order + 1); to != found.data() + count; ++to)
    if (!detail::finite(*to)) throw_not_finite(caller, "a wrench");
}

}  // namespace jounce
