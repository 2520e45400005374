// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in the ground's axes.
#include <jounce/algorithm/hybrid_frames.hpp>
#include <jounce/algorithm/spatial_frame.hpp>
#include <jounce/world_series.hpp>
#include <optional>

#include "series/factorial.hpp"
#include "series/series_equations.hpp"

namespace jounce {
namespace {

/// Coefficient k of a wrench from outside about the ground's origin (spatial), or about the body's:
/// (67)-(70). T is the body's pose in the ground.
template <class Frames>
Wrench<double> in_ground_axes(const OutsideWrenchSeries& one, const SE3<double>& offset,
                              const SE3<double>* T, int k) {
  constexpr bool spatial = std::same_as<Frames, SpatialFrame>;
  Wrench<double> sum{};
  for (int l = 0; l <= k && l < int(one.derivatives.size()); ++l) {
    const int n = k - l;
    const Wrench<double> F = one.derivatives[size_t(l)] * detail::inverse_factorial(l);
    if (one.in == Representation::body) {
      const auto [m, f] = dual_Ad_inv(offset, F);
      sum += Wrench<double>{T[n].R * m, T[n].R * f};
      for (int j = 0; spatial && j <= n; ++j) sum.m += cross(T[j].p, T[n - j].R * f);
      continue;
    }
    if (n == 0) sum += F;
    const bool about_frame = one.in == Representation::hybrid;
    if (about_frame) sum.m += cross(T[n].R * offset.p, F.f);
    if (spatial && about_frame) sum.m += cross(T[n].p, F.f);
    if (!spatial && !about_frame) sum.m -= cross(T[n].p, F.f);
  }
  return sum;
}

Robot checked_for_ground_axes(Robot robot) {
  const auto refuse = [&](const char* what) {
    throw InputError("WorldSeries: robot \"" + robot.name() + "\" has " + what +
                     ", needs Series, in body frames");
  };
  if (robot.has_mimic()) refuse("mimic joints");
  if (has_custom_joint(robot.model())) refuse("custom joints");
  if (!robot.bushings().empty()) refuse("bushings");
  return robot;
}

}  // namespace

struct WorldSeries::Impl : SeriesEquations {
  Impl(Robot robot_, int order, WorldFrames in, BaseFrame base)
      : SeriesEquations(std::move(robot_), order), weightless(model()) {
    weightless.gravity = {};
    const auto make = [&](auto& storage) {
      storage.emplace(model(), order);
      storage->view().own_base = base == BaseFrame::own;
    };
    if (in == WorldFrames::spatial) make(spatial);
    else make(hybrid_frames);
  }
  /// run(workspace) of the form in use.
  template <class Run>
  void in_frames(Run run) {
    if (spatial) run(spatial->view());
    else run(hybrid_frames->view());
  }
  void check_call(const char* caller, std::span<const double> q, int order,
                  const SeriesSurroundings& around) {
    check(caller, q, {});
    series.check(caller, order, around);
    if (!around.ground.empty())
      throw InputError(std::string(caller) + ": the ground moves, needs Series, in body frames");
  }
  const Model<double>& tree(const SeriesSurroundings& around) const {
    return around.gravity ? model() : weightless;
  }
  template <class Room>
  void set_outside(const SeriesSurroundings& around, int k, Room& w) const {
    for (int i = 1; i < model().bodies; ++i) w.F_ext[i][k] = {};
    for (const OutsideWrenchSeries& one : around.wrenches) {
      const auto& [body, offset] = system().frame[static_cast<int>(one.frame)];
      if (body == 0) continue;  // the ground takes it
      extend_world_pose(model(), body, k, w);
      w.F_ext[body][k] += in_ground_axes<typename Room::Frames>(one, offset, w.pose[body], k);
    }
  }
  /// tau += s x; x may be null.
  void add(const double* x, double s, double* tau) const {
    for (int j = 0; x != nullptr && j < nv(); ++j) tau[j] += s * x[j];
  }
  /// Coefficient k of what joints take and outside does not give; null where there is nothing.
  template <class Room>
  const double* taken(const double* q, int k, const SeriesSurroundings& around, Room& w) {
    std::copy_n(w.v[k], nv(), series.storage.view().v[k]);
    return series.passive_less_given(q, k, around);
  }
  template <class Room>
  void run_inverse(const double* q, int order, const SeriesSurroundings& around, Room& w) {
    const Model<double>& m = tree(around);
    start_world_series(m, q, w);
    forward_twist_series(m, q, order + 1, w);
    for (int k = 0; k <= order; ++k) set_outside(around, k, w);
    inverse_force_series(m, order, w);
    for (int k = 0; k <= order; ++k) add(taken(q, k, around, w), 1, w.tau[k]);
  }
  template <class Room>
  void run_hybrid(const double* q, const bool* prescribed, int order,
                  const SeriesSurroundings& around, Room& w) {
    const Model<double>& m = tree(around);
    start_world_series(m, q, w);
    start_hybrid_series(m, q, w);
    for (int k = 0; k <= order; ++k) {
      const double* more = taken(q, k, around, w);
      add(more, -1, w.tau[k]);
      set_outside(around, k, w);
      hybrid_series_step(m, q, prescribed, k, w);
      add(more, 1, w.tau[k]);
    }
  }
  /// Derivatives 0 to last of these coefficients.
  void write(const char* caller, const char* name, const Rows<double>& from, int last,
             const Into<double>& into) const {
    double* to = detail::checked_into(robot, caller, name, into, nv(), last + 1);
    for (int k = 0; k <= last; ++k)
      for (int j = 0; j < nv(); ++j) to[nv() * k + j] = from[k][j] * factorial(k);
    require_finite_matrix(robot, caller, name, to, nv(), last + 1);
  }

  Model<double> weightless;
  std::optional<WorldStorage<double, SpatialFrame>> spatial;
  std::optional<WorldStorage<double, HybridFrames>> hybrid_frames;
};

WorldSeries::WorldSeries(Robot robot, int order, WorldFrames frames, BaseFrame base) {
  const int checked = checked_series_order("WorldSeries", order);
  impl_ = std::make_unique<Impl>(checked_for_ground_axes(std::move(robot)), checked, frames, base);
}
WorldSeries::WorldSeries(WorldSeries&&) noexcept = default;
WorldSeries& WorldSeries::operator=(WorldSeries&&) noexcept = default;
WorldSeries::~WorldSeries() = default;

const Robot& WorldSeries::robot() const { return impl_->robot; }
int WorldSeries::order() const { return impl_->series.order; }
WorldSeries WorldSeries::another() const {
  Impl& d = *impl_;
  const bool own_base = d.spatial ? d.spatial->view().own_base : d.hybrid_frames->view().own_base;
  return {robot(), order(), d.spatial ? WorldFrames::spatial : WorldFrames::hybrid,
          own_base ? BaseFrame::own : BaseFrame::body};
}

void WorldSeries::inverse(const VectorArg& q, const MatrixArg& motion,
                          const SeriesSurroundings& around, const Into<double>& taus) {
  Impl& d = *impl_;
  const char* caller = "inverse_series";
  const std::span<const double> at = q;
  const int order = d.series.order_of(caller, "motion", motion, 2);
  d.check_call(caller, at, order, around);
  d.in_frames([&](auto& w) {
    SeriesMemory::load(motion, order + 1, w.v);
    d.run_inverse(at.data(), order, around, w);
    d.write(caller, "taus", w.tau, order, taus);
  });
}

void WorldSeries::forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                          const SeriesSurroundings& around, const Into<double>& motion) {
  Impl& d = *impl_;
  const char* caller = "forward_series";
  const std::span<const double> at = q, speed = v;
  const int order = d.series.order_of(caller, "taus", taus, 1);
  check_v(d.robot, caller, "v", speed);
  d.check_call(caller, at, order, around);
  d.in_frames([&](auto& w) {
    std::copy(speed.begin(), speed.end(), w.v[0]);
    SeriesMemory::load(taus, order, w.tau);
    d.run_hybrid(at.data(), d.nothing(), order, around, w);
    d.write(caller, "motion", w.v, order + 1, motion);
  });
}

void WorldSeries::hybrid(std::span<const bool> prescribed, const VectorArg& q,
                         const MatrixArg& motion, const MatrixArg& taus,
                         const SeriesSurroundings& around, const Into<double>& motion_found,
                         const Into<double>& taus_found) {
  Impl& d = *impl_;
  const char* caller = "hybrid_series";
  const std::span<const double> at = q;
  const int order = d.series.order_of(caller, "motion", motion, 2);
  check_prescribed(d.robot, caller, prescribed);
  check_columns(caller, d.robot, order, "taus", taus, order + 1);
  d.check_call(caller, at, order, around);
  d.in_frames([&](auto& w) {
    SeriesMemory::load(motion, order + 1, w.v);
    SeriesMemory::load(taus, order, w.tau);
    d.run_hybrid(at.data(), prescribed.data(), order, around, w);
    d.write(caller, "motion", w.v, order + 1, motion_found);
    d.write(caller, "taus", w.tau, order, taus_found);
  });
}

}  // namespace jounce
