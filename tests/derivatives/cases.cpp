// SPDX-License-Identifier: BSD-3-Clause
// Random robots for the tests of derivatives, and their dynamics on dual numbers.
#include "derivatives/cases.hpp"

#include <jounce/algorithm/rnea.hpp>

namespace jounce::test {

RobotDescription derivative_description(std::uint64_t seed, int largest) {
  return with_sound_composites(generate({.shape = TreeShape(seed / 2 % 4),
                                         .bodies = 2 + int(seed * 7 % std::uint64_t(largest - 1)),
                                         .branches = 2,
                                         .kinds = all_joint_kinds(true, seed % 2 == 0),
                                         .free_base = seed / 3 % 2 == 0,
                                         .mimic = seed % 5 == 0,
                                         .fixed_links = true,
                                         .child_placements = true,
                                         .passive = seed % 3 == 0,
                                         .seed = seed}));
}

std::vector<Gradient> growing(const Vector& x, const DenseMatrix& rates, int first) {
  std::vector<Gradient> found(size_t(x.size()));
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    found[size_t(k)] = Gradient(x[k]);
    for (int d = 0; d < directions && first + d < rates.cols(); ++d)
      found[size_t(k)].d[d] = rates(k, first + d);
  }
  return found;
}

namespace {

/// The forces of the tree with their derivatives, without passive ones: rnea on dual numbers.
DenseMatrix tree_derivatives(const DerivativeCase& c, const Vector& q, const Vector& v,
                             const Vector& a, const DenseMatrix& q_rates,
                             const DenseMatrix& v_rates, const DenseMatrix& a_rates) {
  const Model<double>& m = c.robot.model();
  DenseMatrix found(m.nv, v_rates.cols());
  for (int first = 0; first < v_rates.cols(); first += directions) {
    const auto q_now = growing(q, q_rates, first), v_now = growing(v, v_rates, first),
               a_now = growing(a, a_rates, first);
    WorkspaceStorage<Gradient> storage(m);
    Workspace<Gradient>& w = storage.view();
    std::vector<Wrench<Gradient>> F_ext(size_t(m.bodies));
    const State<Gradient> x{q_now.data(), v_now.data(), a_now.data(), nullptr, F_ext.data()};
    forward_poses(m, x, w);
    for (const OutsideWrench<double>& outside : c.external) {
      const FrameInfo& frame = c.robot.frame_info(outside.frame);
      const SE3<Gradient> T = w.pose[frame.body] * frame.offset;
      const auto& [n, f] = outside.wrench;
      Wrench<Gradient> F{detail::as<Gradient>(n), detail::as<Gradient>(f)};
      if (outside.in == Representation::space) F = dual_Ad(T, F);
      if (outside.in == Representation::hybrid)
        F = {inverse_times(T.R, F.m), inverse_times(T.R, F.f)};
      F_ext[size_t(frame.body)] += dual_Ad_inv(frame.offset, F);
    }
    const auto constant = [](const Twist<double>& X) {
      return Twist<Gradient>{detail::as<Gradient>(X.w), detail::as<Gradient>(X.v)};
    };
    w.V[0] = constant(c.moving().V);
    w.Vdot[0] = constant(c.moving().Vdot) + minus_gravity<Gradient>(m);
    rnea(m, x, w);
    for (int k = 0; k < m.nv; ++k)
      for (int d = 0; d < directions && first + d < found.cols(); ++d)
        found(k, first + d) = w.tau[k].d[d];
  }
  return found;
}

}  // namespace

DerivativeCase::DerivativeCase(std::uint64_t seed, int largest)
    : Case(Robot(derivative_description(seed, largest)), seed) {
  const int wrenches = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 1 : 0;
  for (int k = 0; k < wrenches; ++k)
    external.push_back({FrameId(int(rng.uniform(0, double(robot.frames().size())))), rng.wrench(),
                        Representation(k)});
  if (seed % 4 == 1) {
    const Twist<double> V = rng.twist(), Vdot = rng.twist();
    ground = {V, Vdot};
  }
}
Vector DerivativeCase::moved(const Vector& d) const {
  Vector to(robot.nq());
  robot.integrate({q.data(), size_t(q.size())}, {d.data(), size_t(d.size())},
                  {to.data(), size_t(to.size())});
  return to;
}

ExactDerivatives by_dual_numbers(const DerivativeCase& c) {
  const DenseMatrix A = coupling_matrix(c.robot);
  const Vector q = tree_q(c.robot, c.q), v = A * c.v, a = A * c.a;
  const Eigen::Index n = A.cols();
  DenseMatrix rates(q.size(), n);
  for (Eigen::Index k = 0; k < n; ++k) rates.col(k) = tree_rates(c.robot, q, A.col(k));
  const DenseMatrix none = DenseMatrix::Zero(A.rows(), n), none_q = DenseMatrix::Zero(q.size(), n);
  return {A.transpose() * tree_derivatives(c, q, v, a, rates, none, none),
          A.transpose() * tree_derivatives(c, q, v, a, none_q, A, none),
          A.transpose() * tree_derivatives(c, q, v, a, none_q, none, A)};
}

DenseMatrix differences(int n, const std::function<Vector(const Vector&)>& f, double step) {
  DenseMatrix found;
  for (int k = 0; k < n; ++k) {
    const auto at = [&](double h) { return f(Vector::Unit(n, k) * h); };
    const Vector slope =
        (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    found.conservativeResize(slope.size(), n);
    found.col(k) = slope;
  }
  return found;
}

}  // namespace jounce::test
