// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/derivative_columns.hpp"

#include <jounce/algorithm/articulated_sensitivity.hpp>
#include <jounce/algorithm/coordinate_change.hpp>
#include <jounce/model/workspace.hpp>

namespace jounce::bench {
namespace {

struct ColumnWork {
  explicit ColumnWork(const Robot& robot)
      : m(robot.model()),
        q(robot.random(1)),
        v(n(m.nv), 0.1),
        zeros(n(m.nv)),
        column(n(m.nv)),
        F_ext(n(m.bodies)),
        dF(n(m.bodies)),
        h(n(m.bodies)),
        S(n(m.nv)),
        Sdot(n(m.nv)),
        V(3 * n(m.bodies)),
        G(n(m.bodies)),
        IA(n(m.bodies)),
        storage(m),
        factors(m) {
    Workspace<double>& w = storage.view();
    w.V[0] = {};
    w.Vdot[0] = minus_gravity<double>(m);
    aba(m, x, w);
    factor_articulated(m, x, factors.view());
  }
  static size_t n(int count) { return static_cast<size_t>(count); }

  /// f(i, the change along coordinate k) for all k.
  template <class F>
  void for_each_column(F f) {
    for (int i = 1; i < m.bodies; ++i)
      for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
        f(i, change_along_q(m, x, storage.view(), i, k, changes));
  }
  void table_6(const Change<double>& change) {
    articulated_sensitivity(m, x, storage.view(), nullptr, change, room, zeros.data(),
                            column.data());
    keep(column);
  }

  const Model<double>& m;
  std::vector<double> q, v, zeros, column;
  std::vector<Wrench<double>> F_ext, dF;
  std::vector<Twist<double>> h, S, Sdot, V;
  std::vector<Inertia<double>> G;
  std::vector<ArticulatedInertia<double>> IA;
  WorkspaceStorage<double> storage, factors;
  State<double> x{q.data(), v.data(), v.data(), v.data(), F_ext.data()};
  CoordinateChangeRoom<double> changes{h.data(), S.data(), Sdot.data(), nullptr};
  ArticulatedSensitivityRoom<double> room{V.data(), V.data() + h.size(), V.data() + 2 * h.size(),
                                          dF.data(), IA.data()};
  SensitivityRoom<double> inverse_room{V.data(), V.data() + h.size(), dF.data()};
};

}  // namespace

std::vector<Row> derivative_columns(const std::string& name, const Robot& robot) {
  ColumnWork c(robot);
  const Change<double> all{.v = c.zeros.data(),
                           .h = c.h.data(),
                           .S = c.S.data(),
                           .Sdot = c.Sdot.data(),
                           .G = c.G.data(),
                           .F_ext = c.F_ext.data()};
  const double dense = nanoseconds([&] {
    c.for_each_column([&](int i, const Change<double>&) {
      c.table_6(all);
      c.h[ColumnWork::n(i)] = {};
    });
  });
  const double sparse = nanoseconds(
      [&] { c.for_each_column([&](int, const Change<double>& change) { c.table_6(change); }); });
  const double solved = nanoseconds([&] {
    c.for_each_column([&](int, const Change<double>& change) {
      forward_sensitivity(c.m, c.x, c.storage.view(), c.factors.view(), change, c.zeros.data(),
                          c.inverse_room, c.column.data());
      keep(c.column);
    });
  });
  return {{.robot = name, .algorithm = "da/dq columns, Table 6, zeros of (92) kept", .ns = dense},
          {.robot = name, .algorithm = "da/dq columns, Table 6", .ns = sparse},
          {.robot = name, .algorithm = "da/dq columns, Table 5 and solve", .ns = solved}};
}

}  // namespace jounce::bench
