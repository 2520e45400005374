// SPDX-License-Identifier: BSD-3-Clause
// Forward and hybrid dynamics of any order for robots with mimic joints.
//
// Coefficient k of the forces is tau[k] = (k+1) M v[k+1] + what the orders below have fixed, with
// M = A^T M_tree A the mass matrix of the coordinates that the followers share (velocities of the
// tree are A v). So each order is one inverse recursion with v[k+1] = 0 where it is not prescribed,
// and one solution with M, which is factored once: O(n r^3) in all, against O(n r^2) of a tree.
#include "series/series_equations.hpp"

namespace jounce {

void SeriesEquations::run_coupled(const char* caller, const double* q, const bool* prescribed,
                                  int order, const SeriesSurroundings& around) {
  const Rows<double> rates = series.own_v(), forces = series.own_tau();
  factor(caller, q, prescribed);  // rows of prescribed coordinates are those of 1
  const double* tree_q = equations().at(q).q;
  double* found = room.solution.data();
  series.expand(0);
  for (int k = 0; k <= order; ++k) {
    for (int j = 0; j < nv(); ++j)
      if (!prescribed[j]) rates[k + 1][j] = 0;
    series.expand(k + 1);
    series.run_inverse(tree_in(around), tree_q, k, around.wrenches);
    actuator_forces(q, k, around, found);
    for (int j = 0; j < nv(); ++j) found[j] = prescribed[j] ? 0 : forces[k][j] - found[j];
    ltdl_solve(dense().pattern.view(), dense().LD.data(), found);
    for (int j = 0; j < nv(); ++j)
      if (!prescribed[j]) rates[k + 1][j] = found[j] / (k + 1);
    series.expand(k + 1);
  }
  series.run_inverse(tree_in(around), tree_q, order, around.wrenches);
  for (int k = 0; k <= order; ++k) {
    actuator_forces(q, k, around, found);
    for (int j = 0; j < nv(); ++j)
      if (prescribed[j]) forces[k][j] = found[j];
  }
}

}  // namespace jounce
