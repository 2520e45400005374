// SPDX-License-Identifier: BSD-3-Clause
// A random robot in random motion, given by derivatives of v, and its state as Taylor numbers.
#pragma once

#include <Eigen/Core>
#include <jounce/algorithm/rnea.hpp>
#include <jounce/algorithm/series_workspace.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/series.hpp>

#include "support/random.hpp"
#include "support/sound_robot.hpp"

namespace jounce::test {

struct SeriesOptions {
  int bodies = 12;
  bool sound = false;  ///< no composite that repeats a freedom
  bool passive = false;
  bool mimic = false;
};

inline Robot series_robot(std::uint64_t seed, const SeriesOptions& options) {
  RobotDescription robot = generate({.shape = TreeShape(seed % 4),
                                     .bodies = 1 + int(seed % std::uint64_t(options.bodies)),
                                     .branches = 2,
                                     .kinds = all_joint_kinds(true, true),
                                     .free_base = seed % 2 == 0,
                                     .mimic = options.mimic,
                                     .fixed_links = true,
                                     .child_placements = true,
                                     .passive = options.passive,
                                     .seed = seed});
  return Robot(options.sound ? with_sound_composites(std::move(robot)) : std::move(robot));
}

inline double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Column k holds the k-th derivative, all of order one.
inline Eigen::MatrixXd random_columns(Random& rng, int rows, int columns) {
  Eigen::MatrixXd x(rows, columns);
  for (int k = 0; k < columns; ++k)
    for (int j = 0; j < rows; ++j) x(j, k) = rng.uniform(-1, 1);
  return x;
}

/// The Taylor number with these derivatives.
template <int K, class Row>
Taylor<double, K> to_taylor(const Row& derivatives, int first = 0) {
  Taylor<double, K> x;
  for (int k = 0; k <= K && first + k < derivatives.size(); ++k)
    x.c[k] = derivatives[first + k] / factorial(k);
  return x;
}

/// dq/dt of one elementary part: written from the definition of its coordinates.
template <class Real>
void coordinate_rates(JointKind kind, int dof, const Real* q, const Real* v, Real* rate) {
  const auto turn = [&](const Real* r, Real* to) {  // quaternion' = quaternion (w, 0) / 2
    const Quaternion<Real> d =
        Quaternion<Real>{r[0], r[1], r[2], r[3]} * Quaternion<Real>{v[0], v[1], v[2], Real(0)};
    to[0] = d.x * 0.5, to[1] = d.y * 0.5, to[2] = d.z * 0.5, to[3] = d.w * 0.5;
  };
  if (kind == JointKind::spherical) return turn(q, rate);
  if (kind == JointKind::free) {
    turn(q + 3, rate + 3);
    const Vec3<Real> p =
        to_rotation(Quaternion<Real>{q[3], q[4], q[5], q[6]}) * Vec3<Real>{v[3], v[4], v[5]};
    rate[0] = p.x, rate[1] = p.y, rate[2] = p.z;
    return;
  }
  if (kind == JointKind::planar) {
    const auto angle = sincos(q[2]);
    rate[0] = angle.cos * v[1] - angle.sin * v[2];
    rate[1] = angle.sin * v[1] + angle.cos * v[2];
    rate[2] = v[0];
    return;
  }
  for (int k = 0; k < dof; ++k) rate[k] = v[k];
}

/// dq/dt of all coordinates of a tree.
inline std::vector<double> rates(const Model<double>& m, const std::vector<double>& q,
                                 const std::vector<double>& v) {
  std::vector<double> rate(q.size());
  for (int i = 1; i < m.bodies; ++i)
    for (int p = m.part_at[i]; p < m.part_at[i + 1]; ++p) {
      const Part<double>& part = m.part[p];
      const bool custom = part.kind == JointKind::custom;
      coordinate_rates(part.kind, custom ? m.q_at[i + 1] - m.q_at[i] : elementary_nq(part.kind),
                       &q[size_t(part.q)], &v[size_t(part.v)], &rate[size_t(part.q)]);
    }
  return rate;
}

/// The state of the tree (mimic joints expanded by the caller) as Taylor numbers: q is integrated
/// from v with coordinate_rates, order by order.
template <int K>
struct TaylorState {
  using Real = Taylor<double, K>;

  TaylorState(const Model<double>& m, const double* q_now, const Eigen::MatrixXd& motion)
      : q(size_t(m.nq)), v(size_t(m.nv)), a(size_t(m.nv)), F_ext(size_t(m.bodies)) {
    for (int j = 0; j < m.nv; ++j) {
      v[size_t(j)] = to_taylor<K>(motion.row(j));
      a[size_t(j)] = to_taylor<K>(motion.row(j), 1);
    }
    for (int j = 0; j < m.nq; ++j) q[size_t(j)] = Real(q_now[j]);
    for (int k = 0; k < K; ++k)
      for (int i = 1; i < m.bodies; ++i)
        for (int p = m.part_at[i]; p < m.part_at[i + 1]; ++p) extend(m, i, m.part[p], k);
  }
  void extend(const Model<double>& m, int i, const Part<double>& part, int k) {
    const bool custom = part.kind == JointKind::custom;
    const int nq = custom ? m.q_at[i + 1] - m.q_at[i] : elementary_nq(part.kind);
    Real rate[7];
    coordinate_rates(part.kind, nq, &q[size_t(part.q)], &v[size_t(part.v)], rate);
    for (int j = 0; j < nq; ++j) q[size_t(part.q + j)].c[k + 1] = rate[j].c[k] / (k + 1);
  }
  State<Real> view() const { return {q.data(), v.data(), a.data(), nullptr, F_ext.data()}; }

  std::vector<Real> q, v, a;
  std::vector<Wrench<Real>> F_ext;
};

/// |a - b| in units of the largest entry of the same column, the worst column.
inline double column_error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  double worst = 0;
  for (Eigen::Index k = 0; k < a.cols(); ++k) {
    const double scale = largest(b.col(k));
    const double error = largest(a.col(k) - b.col(k));
    worst = worse(worst, scale > 0 ? error / scale : error);
  }
  return worst;
}

}  // namespace jounce::test
