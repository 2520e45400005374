// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives by dual numbers: eight directions of q or v at a time.
#include "dynamics/second_by_dual.hpp"

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

DualWork::DualWork(const Robot& robot_, SecondOrder what)
    : robot(robot_),
      storage(robot.model()),
      q(size_t(robot.model().nq)),
      v(size_t(robot.model().nv)),
      a(v.size()),
      y(v.size()),
      none(v.size()),
      F_ext(size_t(robot.bodies())),
      wrenches(2 * F_ext.size()),
      carried(3 * F_ext.size()),
      screws(4 * v.size()),
      dS(6 * v.size()),
      motions(2 * F_ext.size()),
      path(3 * F_ext.size()),
      inertias(2 * F_ext.size()),
      fall(F_ext.size()),
      outside(F_ext.size()),
      rows(3 * v.size()) {
  const size_t nv = v.size(), bodies = F_ext.size();
  room = derivative_room(int(nv), int(bodies), screws.data(), dS.data(), motions.data(),
                         inertias.data(), wrenches.data(), fall.data());
  sums = product_room(int(bodies), path.data(), carried.data());
  if (what == SecondOrder::products) return;
  for (std::vector<Number>* square : {&dq, &dv, &da}) square->resize(nv * nv);
}

void DualWork::load(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                    std::span<const OutsideWrench<double>> given) {
  std::copy(x.q, x.q + q.size(), q.begin());
  std::copy(x.v, x.v + v.size(), v.begin());
  std::copy(x.a, x.a + a.size(), a.begin());
  storage.view().V[0] = constant(V);
  storage.view().Vdot[0] = constant(Vdot);
  room.outside = any_in_ground_axes(given) ? outside.data() : nullptr;
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
  std::fill(outside.begin(), outside.end(), WorldWrench<Number>{});
  add_outside(robot.system(), given, storage.view(), F_ext.data());
  add_turning(robot.system(), given, storage.view(), outside.data());
}

void DualWork::tensors(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                       std::span<const OutsideWrench<double>> given,
                       const SecondDerivatives<double>& out) {
  const Model<double>& m = robot.model();
  const std::ptrdiff_t n = m.nv;
  const State<Number> state{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  const InverseDerivatives<Number> first_order{dq.data(), dv.data(), da.data()};
  load(x, V, Vdot, given);
  for (int first = 0; first < n; first += directions) {
    seed_q(x, first);
    move(given);
    rnea_derivatives(m, state, storage.view(), room, first_order);
    for (int l = first; l < std::min<int>(first + directions, m.nv); ++l)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) {
          const size_t at = size_t(i + m.nv * k);
          out.dqdq[i + n * (k + n * l)] = dq[at].d[l - first];
          out.dqdv[i + n * (l + n * k)] = dv[at].d[l - first];
          out.dadq[i + n * (k + n * l)] = da[at].d[l - first];
        }
  }
  std::copy(x.q, x.q + q.size(), q.begin());
  for (int first = 0; first < n; first += directions) {
    seed_v(x, first);
    move(given);
    rnea_derivatives(m, state, storage.view(), room, first_order);
    for (int l = first; l < std::min<int>(first + directions, m.nv); ++l)
      for (int k = 0; k < n * n; ++k) out.dvdv[k + n * n * l] = dv[size_t(k)].d[l - first];
  }
}

void DualWork::products(const State<double>& x, const Twist<double>& V, const Twist<double>& Vdot,
                        std::span<const OutsideWrench<double>> given, const double* weights,
                        const SecondDerivatives<double>& out) {
  const Model<double>& m = robot.model();
  const int n = m.nv;
  const State<Number> state{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  const InverseDerivatives<Number> row{rows.data(), rows.data() + n, rows.data() + 2 * n};
  load(x, V, Vdot, given);
  std::copy(weights, weights + n, y.begin());
  for (int first = 0; first < n; first += directions) {
    seed_q(x, first);
    move(given);
    rnea_vector_jacobian(m, state, storage.view(), y.data(), room, sums, row);
    for (int l = first; l < std::min(first + directions, n); ++l)
      for (int k = 0; k < n; ++k) {
        out.dqdq[k + n * l] = row.dq[k].d[l - first];
        out.dqdv[l + n * k] = row.dv[k].d[l - first];
        out.dadq[k + n * l] = row.da[k].d[l - first];
      }
  }
  std::copy(x.q, x.q + q.size(), q.begin());
  for (int first = 0; first < n; first += directions) {
    seed_v(x, first);
    move(given);
    rnea_vector_jacobian(m, state, storage.view(), y.data(), room, sums, row);
    for (int l = first; l < std::min(first + directions, n); ++l)
      for (int k = 0; k < n; ++k) out.dvdv[k + n * l] = row.dv[k].d[l - first];
  }
}

void DualWork::add_mass_curve(const State<double>& x, int k, int l, double scale, double* out) {
  const Model<double>& m = robot.model();
  const State<Number> state{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  load(x, {}, {}, {});
  seed_q(x, l);
  std::fill(y.begin(), y.end(), Number(0));
  y[size_t(k)] = Number(1);
  const InverseDerivatives<const Number> along{y.data(), none.data(), none.data()};
  for (int j = 0; j < m.nv; ++j) {
    std::fill(a.begin(), a.end(), Number(0));
    a[size_t(j)] = Number(1);
    move({});
    rnea_jacobian_vector(m, state, storage.view(), along, room, sums, rows.data());
    for (int i = 0; i < m.nv; ++i) out[i + m.nv * j] += scale * rows[size_t(i)].d[0];
  }
}

}  // namespace jounce
