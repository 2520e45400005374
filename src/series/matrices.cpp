// SPDX-License-Identifier: BSD-3-Clause
// rnea_derivatives on numbers that are series, with what damping, friction and springs add.
#include "series/matrices.hpp"

#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/algorithm/inverse_series.hpp>
#include <jounce/algorithm/series_joint.hpp>
#include <jounce/equations/derivatives.hpp>
#include <jounce/model/custom_power_series.hpp>

#include "series/taylor_arguments.hpp"

namespace jounce {
namespace {

template <class Number>
class MatrixSeriesOf final : public MatrixSeries {
 public:
  MatrixSeriesOf(const Robot& robot_, int order_)
      : robot(robot_),
        m(robot.model()),
        order(order_),
        numbers(order),
        storage(m),
        q(size_t(m.nq)),
        v(size_t(m.nv)),
        a(v),
        own_q(size_t(robot.nq())),
        own_v(size_t(robot.nv())),
        own_a(own_v),
        g(size_t(order) + 1),
        T(size_t(order) + 1),
        F_ext(size_t(m.bodies)),
        derivatives(m.nv, m.bodies),
        dq(size_t(m.nv) * size_t(m.nv)),
        dv(dq),
        da(dq),
        folded(robot.has_mimic() ? own_v.size() * own_v.size() : 0) {
    derivatives.add_bushings(robot.system());
  }

  void run(const MotionSeries& motion, DerivativeSeries& out) override {
    load(motion);
    const State<Number> x{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
    forward_poses(m, x, storage.view());
    DerivativeRoom<Number> room = derivatives.room;
    add_wrenches(motion.around.wrenches);
    if (any_in_ground_axes(motion.around.wrenches)) room.outside = derivatives.turning.data();
    rnea_derivatives(m, x, storage.view(), room,
                     InversePartials<Number>{dq.data(), dv.data(), da.data()});
    fold(dq, out.dq);
    fold(dv, out.dv);
    fold(da, out.da);
    if (motion.around.passive && robot.has_passive()) add_passive(out);
  }

 private:
  void load(const MotionSeries& motion) {
    const int nv = robot.nv();
    for (size_t k = 0; k < own_v.size(); ++k) {
      own_v[k] = numbers.number(), own_a[k] = numbers.number();
      for (int l = 0; l <= order; ++l) {
        own_v[k].c[l] = motion.v[size_t(nv * l) + k];
        own_a[k].c[l] = (l + 1) * motion.v[size_t(nv * (l + 1)) + k];
      }
    }
    for (size_t k = 0; k < own_q.size(); ++k) own_q[k] = numbers.number(motion.q[k]);
    const Coupling<double>& c = robot.system().coupling;
    expand_positions(c, own_q.data(), q.data());
    expand(c, own_v.data(), v.data());
    expand(c, own_a.data(), a.data());
    for (int i = 1; i < m.bodies; ++i) extend_coordinates(m, i, order, v.data(), q.data());
    load_ground(motion.V_0, motion.around.gravity ? m.gravity : Vec3<double>{});
  }

  /// Gravity turns back where the ground turns.
  void load_ground(const Twist<double>* V_0, const Vec3<double>& gravity) {
    const auto zero = [&] {
      return Vec3<Number>{numbers.number(), numbers.number(), numbers.number()};
    };
    Twist<Number> V{zero(), zero()}, Vdot{zero(), zero()};
    const auto set = [](Vec3<Number>& to, int l, const Vec3<double>& x) {
      to.x.c[l] = x.x, to.y.c[l] = x.y, to.z.c[l] = x.z;
    };
    g[0] = gravity;
    for (int l = 0; l <= order; ++l) {
      if (l > 0) g[size_t(l)] = detail::turning_rate(V_0, g.data(), l - 1) * (1.0 / l);
      set(V.w, l, V_0[l].w);
      set(V.v, l, V_0[l].v);
      set(Vdot.w, l, V_0[l + 1].w * double(l + 1));
      set(Vdot.v, l, V_0[l + 1].v * double(l + 1) - g[size_t(l)]);
    }
    storage.view().V[0] = V;
    storage.view().Vdot[0] = Vdot;
    for (int l = 1; l <= order; ++l) detail::extend_pose(V_0, l, T.data());
    ground = pose_series(numbers, T.data(), order);
  }

  /// Wrenches in body frames, and what keeps those in ground axes from turning.
  void add_wrenches(std::span<const OutsideWrenchSeries> wrenches) {
    std::fill(F_ext.begin(), F_ext.end(), Wrench<Number>{});
    std::vector<WorldWrench<Number>>& turning = derivatives.turning;
    std::fill(turning.begin(), turning.end(), WorldWrench<Number>{});
    for (const OutsideWrenchSeries& one : wrenches) {
      // from the axes that the ground has at the instant itself to those it has later
      const Wrench<Number> F = seen_in_body(wrench_series(numbers, one.derivatives, order), one.in,
                                            SE3<double>{}, ground);
      const OutsideWrench<Number> now{one.frame, F, one.in};
      add_outside(robot.system(), std::span(&now, 1), storage.view(), F_ext.data());
      add_turning(robot.system(), std::span(&now, 1), storage.view(), turning.data());
    }
  }
  void fold(const std::vector<Number>& tree, std::vector<dense::Matrix>& out) {
    const Number* own = tree.data();
    if (robot.has_mimic()) {
      gather_square(robot.system().coupling, tree.data(), folded.data());
      own = folded.data();
    }
    const int nv = robot.nv();
    for (int l = 0; l <= order; ++l)
      for (int k = 0; k < nv * nv; ++k) out[size_t(l)].numbers[size_t(k)] = coefficient(own[k], l);
  }

  void add_passive(DerivativeSeries& out) {
    for (const JointInfo& joint : robot.joints())
      if (!joint.mimic)
        std::copy_n(q.begin() + m.q_at[joint.body], joint.nq, own_q.begin() + joint.q);
    const auto add = [&](std::vector<dense::Matrix>& to, int i, int k, const Number& slope) {
      for (int l = 0; l <= order; ++l) to[size_t(l)](i, k) += coefficient(slope, l);
    };
    for_each_passive_slope(
        robot.system(), OwnState<Number>{own_q.data(), own_v.data()}, derivatives.bushings.get(),
        [&](int i, int k, const Number& slope) { add(out.dq, i, k, slope); },
        [&](int i, int k, const Number& slope) { add(out.dv, i, k, slope); });
  }

  Robot robot;
  const Model<double>& m;
  int order;
  SeriesRoom<Number> numbers;  // before those that it lends
  WorkspaceStorage<Number> storage;
  std::vector<Number> q, v, a;              ///< of the tree
  std::vector<Number> own_q, own_v, own_a;  ///< of the robot
  std::vector<Vec3<double>> g;              ///< [order + 1] coefficients of gravity
  std::vector<SE3<double>> T;               ///< [order + 1] and of where the ground is
  SE3<Number> ground;                       ///< in the axes it has at the instant itself
  std::vector<Wrench<Number>> F_ext;
  DerivativeStorage<Number> derivatives;
  std::vector<Number> dq, dv, da;  ///< zero where no coordinate carries the other
  std::vector<Number> folded;      ///< where mimic joints share coordinates
};

}  // namespace

std::unique_ptr<MatrixSeries> make_matrix_series(const Robot& robot, int order) {
  if (order <= 2) return std::make_unique<MatrixSeriesOf<Taylor<double, 2>>>(robot, order);
  if (order <= 4) return std::make_unique<MatrixSeriesOf<Taylor<double, 4>>>(robot, order);
  return std::make_unique<MatrixSeriesOf<PowerSeries>>(robot, order);
}

}  // namespace jounce
