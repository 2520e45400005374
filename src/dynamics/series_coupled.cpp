// SPDX-License-Identifier: BSD-3-Clause
// Forward and hybrid dynamics of any order for robots with mimic joints.
//
// Coefficient k of the forces is tau[k] = (k+1) M v[k+1] + what the orders below have fixed, with
// M = A^T M_tree A the mass matrix of the coordinates that the followers share (velocities of the
// tree are A v). So each order is one inverse recursion with v[k+1] = 0 where it is not prescribed,
// and one solution with M, which is factored once: O(n r^3) in all, against O(n r^2) of a tree.
#include "dynamics/dynamics_impl.hpp"

namespace jounce {

void Dynamics::Impl::coupled_forces(std::span<const double> q_, int k,
                                    const SeriesSurroundings& around, double* to) {
  series->fold(robot, k, to);
  if (const double* taken = taken_series(q_, k, around))
    for (int j = 0; j < robot.nv(); ++j) to[j] += taken[j];
}

void Dynamics::Impl::run_coupled_series(const char* caller, std::span<const double> q_,
                                        const bool* prescribed, int order,
                                        const SeriesSurroundings& around) {
  SeriesImpl& s = *series;
  const int nv = robot.nv();
  const Rows<double> rates = s.own_v(robot), taus = s.own_tau(robot);
  const State<double> x = tree_state(q_, zeros, zeros);
  run_factors(caller, x, prescribed);  // rows of prescribed coordinates are those of 1
  s.expand(robot, 0);
  for (int k = 0; k <= order; ++k) {
    for (int j = 0; j < nv; ++j)
      if (!prescribed[j]) rates[k + 1][j] = 0;
    s.expand(robot, k + 1);
    s.run_inverse(robot, tree(around), x.q, k, around.wrenches);
    double* found = solution.data();
    coupled_forces(q_, k, around, found);
    for (int j = 0; j < nv; ++j) found[j] = prescribed[j] ? 0 : taus[k][j] - found[j];
    ltdl_solve(pattern, factors.data(), found);
    for (int j = 0; j < nv; ++j)
      if (!prescribed[j]) rates[k + 1][j] = found[j] / (k + 1);
    s.expand(robot, k + 1);
  }
  s.run_inverse(robot, tree(around), x.q, order, around.wrenches);
  for (int k = 0; k <= order; ++k) {
    coupled_forces(q_, k, around, solution.data());
    for (int j = 0; j < nv; ++j)
      if (prescribed[j]) taus[k][j] = solution[size_t(j)];
  }
}

}  // namespace jounce
