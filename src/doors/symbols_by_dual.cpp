// SPDX-License-Identifier: BSD-3-Clause
#include "doors/symbols_by_dual.hpp"

#include <jounce/algorithm/christoffel.hpp>
#include <jounce/algorithm/custom_pairs.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/model/manifold.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/scalar/dual.hpp>

#include "doors/geometry_lists.hpp"

namespace jounce {

void symbols_by_dual(const Robot& robot, const PathLists& lists, const State<double>& x,
                     double* found) {
  using Number = Dual<double, 1>;
  const Model<double>& m = robot.model();
  WorkspaceStorage<Number> storage(m);
  PairRoomStorage<Number> pairs(m);
  const size_t n = size_t(m.nv);
  std::vector<Number> q(size_t(m.nq)), rest(n), gamma(n * n * n);
  for (int l = 0; l < m.nv; ++l) {
    for (int i = 1; i < m.bodies; ++i)
      for (int p = m.part_at[i]; p < m.part_at[i + 1]; ++p) {
        const Factor f = part_factor(m, i, p);
        Number by[6];
        for (int k = 0; k < f.nv; ++k) by[k].d[0] = f.v + k == l;
        integrate(f, x.q + f.q, by, q.data() + f.q);
      }
    const State<Number> state{q.data(), rest.data(), rest.data()};
    forward_poses(m, state, storage.view());
    load_pairs(m, storage.view(), pairs.room);
    christoffel(lists, pairs.room, gamma.data());
    load_custom_pairs(m, state, storage.view(), pairs.room);
    add_custom_symbols(m, lists, pairs.room, gamma.data());
    for (const Number& symbol : gamma) *found++ = symbol.d[0];
  }
}

}  // namespace jounce
