// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives by dual numbers: eight directions of q or v at a time.
#include "doors/second_by_dual.hpp"

#include <algorithm>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/equations/outside.hpp>
#include <jounce/model/manifold.hpp>

namespace jounce {
namespace {

using Number = DualWork::Number;

Twist<Number> constant(const Twist<double>& X) {
  return {{X.w.x, X.w.y, X.w.z}, {X.v.x, X.v.y, X.v.z}};
}

}  // namespace

DualWork::DualWork(const Robot& robot_)
    : robot(robot_),
      storage(robot.model()),
      q(size_t(robot.model().nq)),
      v(size_t(robot.model().nv)),
      a(v.size()),
      y(v.size()),
      none(v.size()),
      F_ext(size_t(robot.bodies())),
      carried(3 * F_ext.size()),
      path(3 * F_ext.size()),
      rows(3 * v.size()),
      dq(v.size() * v.size()),
      dv(dq.size()),
      da(dq.size()),
      derivatives(robot.model().nv, robot.bodies()),
      room(derivatives.room),
      sums(product_room(robot.bodies(), path.data(), carried.data())) {}

void DualWork::load(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                    std::span<const OutsideWrench<double>> given) {
  std::copy(x.q, x.q + q.size(), q.begin());
  std::copy(x.v, x.v + v.size(), v.begin());
  std::copy(x.a, x.a + a.size(), a.begin());
  storage.view().V[0] = constant(V);
  storage.view().Vdot[0] = constant(Vdot);
  room.outside = any_in_ground_axes(given) ? derivatives.turning.data() : nullptr;
}

/// q moves along the velocities first, first + 1, ...
void DualWork::seed_q(const State<double>& x, int first) {
  const Model<double>& m = robot.model();
  for (int i = 1; i < m.bodies; ++i)
    for (int p = m.part_at[i]; p < m.part_at[i + 1]; ++p) {
      const Factor f = part_factor(m, i, p);
      Number by[6];
      for (int k = 0; k < f.nv; ++k)
        if (f.v + k >= first && f.v + k < first + directions) by[k].d[f.v + k - first] = 1;
      integrate(f, x.q + f.q, by, q.data() + f.q);
    }
}
/// v moves along the velocities first, first + 1, ...
void DualWork::seed_v(const State<double>& x, int first) {
  for (int k = 0; k < robot.model().nv; ++k) {
    v[size_t(k)] = Number(x.v[k]);
    if (k >= first && k < first + directions) v[size_t(k)].d[k - first] = 1;
  }
}

/// Poses, and the wrenches from outside there.
void DualWork::move(std::span<const OutsideWrench<double>> given) {
  const Model<double>& m = robot.model();
  const State<Number> x{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  forward_poses(m, x, storage.view());
  std::fill(F_ext.begin(), F_ext.end(), Wrench<Number>{});
  std::fill(derivatives.turning.begin(), derivatives.turning.end(), WorldWrench<Number>{});
  add_outside(robot.system(), given, storage.view(), F_ext.data());
  add_turning(robot.system(), given, storage.view(), derivatives.turning.data());
}

void DualWork::tensors(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                       std::span<const OutsideWrench<double>> given,
                       const SecondPartials<double>& out) {
  const Model<double>& m = robot.model();
  const std::ptrdiff_t n = m.nv;
  const State<Number> state{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  const InversePartials<Number> first_order{dq.data(), dv.data(), da.data()};
  load(x, V, Vdot, given);
  for (int at = 0; at < n; at += directions) {
    seed_q(x, at);
    move(given);
    rnea_derivatives(m, state, storage.view(), room, first_order);
    for (int l = at; l < std::min<int>(at + directions, m.nv); ++l)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) {
          const size_t entry = size_t(i + m.nv * k);
          out.dqdq[i + n * (k + n * l)] = dq[entry].d[l - at];
          out.dqdv[i + n * (l + n * k)] = dv[entry].d[l - at];
          out.dadq[i + n * (k + n * l)] = da[entry].d[l - at];
        }
  }
  std::copy(x.q, x.q + q.size(), q.begin());
  for (int at = 0; at < n; at += directions) {
    seed_v(x, at);
    move(given);
    rnea_derivatives(m, state, storage.view(), room, first_order);
    for (int l = at; l < std::min<int>(at + directions, m.nv); ++l)
      for (int k = 0; k < n * n; ++k) out.dvdv[k + n * n * l] = dv[size_t(k)].d[l - at];
  }
}

void DualWork::products(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                        std::span<const OutsideWrench<double>> given, const double* weights,
                        const SecondPartials<double>& out) {
  const Model<double>& m = robot.model();
  const int n = m.nv;
  const State<Number> state{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  const InversePartials<Number> row{rows.data(), rows.data() + n, rows.data() + 2 * n};
  load(x, V, Vdot, given);
  std::copy(weights, weights + n, y.begin());
  for (int at = 0; at < n; at += directions) {
    seed_q(x, at);
    move(given);
    rnea_vector_jacobian(m, state, storage.view(), y.data(), room, sums, row);
    for (int l = at; l < std::min(at + directions, n); ++l)
      for (int k = 0; k < n; ++k) {
        out.dqdq[k + n * l] = row.dq[k].d[l - at];
        out.dqdv[l + n * k] = row.dv[k].d[l - at];
        out.dadq[k + n * l] = row.da[k].d[l - at];
      }
  }
  std::copy(x.q, x.q + q.size(), q.begin());
  for (int at = 0; at < n; at += directions) {
    seed_v(x, at);
    move(given);
    rnea_vector_jacobian(m, state, storage.view(), y.data(), room, sums, row);
    for (int l = at; l < std::min(at + directions, n); ++l)
      for (int k = 0; k < n; ++k) out.dvdv[k + n * l] = row.dv[k].d[l - at];
  }
}

void DualWork::add_mass_curve(const State<double>& x, int k, int l, double scale, double* out) {
  const Model<double>& m = robot.model();
  const State<Number> state{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  load(x, {}, {}, {});
  seed_q(x, l);
  std::fill(y.begin(), y.end(), Number(0));
  y[size_t(k)] = Number(1);
  const InversePartials<const Number> along{y.data(), none.data(), none.data()};
  for (int j = 0; j < m.nv; ++j) {
    std::fill(a.begin(), a.end(), Number(0));
    a[size_t(j)] = Number(1);
    move({});
    rnea_jacobian_vector(m, state, storage.view(), along, room, sums, rows.data());
    for (int i = 0; i < m.nv; ++i) out[i + m.nv * j] += scale * rows[size_t(i)].d[0];
  }
}

}  // namespace jounce
