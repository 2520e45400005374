// SPDX-License-Identifier: BSD-3-Clause
// Poses, twists and Jacobians of frames with their time derivatives.
#include <algorithm>
#include <jounce/algorithm/frame_series.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/series.hpp>

#include "series/factorial.hpp"
#include "series/series_memory.hpp"
#include "state_check.hpp"

namespace jounce {

struct KinematicSeries::Impl {
  Impl(Robot robot_, int order)
      : robot(std::move(robot_)),
        series(robot, order),
        frame_room(order + 1),
        q(size_t(robot.model().nq)),
        tree_J(robot.has_mimic() ? 6 * size_t(robot.model().nv) : 0) {}

  const SeriesWorkspace<double>& w() const { return series.storage.view(); }

  /// Refuses a question that `at` has not answered.
  void require(const char* caller, int k, int last) const {
    if (known < 0) throw InputError(std::string(caller) + ": call at(q, motion) first");
    if (k < 0 || k > last)
      throw InputError(std::string(caller) + ": order is " + std::to_string(k) + ", at left 0 to " +
                       std::to_string(last));
  }

  Robot robot;
  SeriesMemory series;
  FrameSeriesStorage<double> frame_room;
  int known = -1;         ///< order of the motion; -1: none was given
  std::vector<double> q;  ///< of the tree
  std::vector<double> tree_J;
};

KinematicSeries::KinematicSeries(Robot robot, int order) {
  const int checked = checked_series_order("KinematicSeries", order);
  impl_ = std::make_unique<Impl>(std::move(robot), checked);
}
KinematicSeries::KinematicSeries(KinematicSeries&&) noexcept = default;
KinematicSeries& KinematicSeries::operator=(KinematicSeries&&) noexcept = default;
KinematicSeries::~KinematicSeries() = default;

const Robot& KinematicSeries::robot() const { return impl_->robot; }
int KinematicSeries::order() const { return impl_->series.order; }

KinematicSeries& KinematicSeries::at(const VectorArg& q, const MatrixArg& motion,
                                     std::span<const Twist<double>> ground) {
  Impl& d = *impl_;
  SeriesMemory& s = d.series;
  const std::span<const double> given = q;
  const int order = s.order_of("at", "motion", motion, 1);
  check_state(d.robot, "at", given, {});
  s.check_ground("at", ground);
  d.known = -1;
  s.set_ground(ground);
  expand_positions(d.robot.system().coupling, given.data(), d.q.data());
  SeriesMemory::load(motion, order, s.own_v());
  for (int k = 0; k <= order; ++k) s.expand(k);
  const Model<double>& m = d.robot.model();
  SeriesWorkspace<double>& w = s.storage.view();
  std::copy_n(s.V_0.begin(), order + 1, w.V[0]);
  if (s.kernel.kinematics_in_lanes != nullptr) {
    s.kernel.kinematics_in_lanes(m, d.q.data(), order, w, s.lanes.view());
  } else {
    start_series(m, d.q.data(), w);
    s.kernel.twists(m, d.q.data(), order, w);
    for (int i = 1; i < m.bodies; ++i) extend_joint(m, d.q.data(), i, order + 1, w);
    for (int k = 0; k <= order + 1; ++k) extend_ground_poses(m, s.ground(), k, w);
  }
  d.known = order;
  return *this;
}

Mat4<double> KinematicSeries::pose(FrameId frame, int k) const {
  const Impl& d = *impl_;
  d.require("pose", k, d.known + 1);
  const FrameInfo& info = d.robot.frame_info(frame);
  SE3<double>* T = d.frame_room.view().T;
  frame_pose_series(d.w().pose[info.body], info.offset, k, T);
  const double scale = factorial(k);
  const Mat3<double> R = T[k].R.m * scale;
  const Vec3<double> p = T[k].p * scale;
  require_frame_finite("pose", info, finite(SE3<double>{{R}, p}));
  Mat4<double> x;
  x.set_block(0, 0, R);
  x(0, 3) = p.x, x(1, 3) = p.y, x(2, 3) = p.z;
  x(3, 3) = k == 0 ? 1 : 0;
  return x;
}

Twist<double> KinematicSeries::twist(FrameId frame, Representation in, int k) const {
  const Impl& d = *impl_;
  d.require("twist", k, d.known);
  const FrameInfo& info = d.robot.frame_info(frame);
  Twist<double> V;
  if (in == Representation::body) {
    V = Ad_inv(info.offset, d.w().V[info.body][k]) * factorial(k);
  } else {
    const FrameSeries<double>& f = d.frame_room.view();
    const SE3<double>* body = d.w().pose[info.body];
    frame_pose_series(body, info.offset, k, f.T);
    V = carried_coefficient(body, d.w().V[info.body], in, k, f) * factorial(k);
  }
  require_frame_finite("twist", info, finite(V));
  return V;
}

void KinematicSeries::jacobian(FrameId frame, Representation in, int k, const Into<double>& J) {
  Impl& d = *impl_;
  d.require("jacobian", k, d.known + 1);
  const int nv = d.robot.nv();
  const FrameInfo& info = d.robot.frame_info(frame);
  const Coupling<double>& c = d.robot.system().coupling;
  double* to = detail::checked_into(d.robot, "jacobian", "J", J, 6, nv);
  double* tree_J = c.identity ? to : d.tree_J.data();
  const FrameSeries<double>& f = d.frame_room.view();
  frame_pose_series(d.w().pose[info.body], info.offset, k, f.T);
  jacobian_coefficient(d.robot.model(), d.w(), info.body, in, k, f, tree_J);
  if (!c.identity) gather_columns(c, 6, tree_J, to);
  const double scale = factorial(k);
  for (int j = 0; j < 6 * nv; ++j) to[j] *= scale;
  require_finite_matrix(d.robot, "jacobian", "J", to, 6, nv);
}

}  // namespace jounce
