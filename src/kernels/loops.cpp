// SPDX-License-Identifier: BSD-3-Clause
// Rows of closed loops and the equations with them for one instruction set; compiled once for each.
#include <jounce/algorithm/constrained_bodies.hpp>

#include "kernels/lanes/cluster_columns.hpp"
#include "kernels/lanes/constrained_response.hpp"
#include "kernels/lanes/loop_derivatives_in_lanes.hpp"
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void rows_of_loops(const System<double>& s, const Loops<double>& all, const State<double>& x,
                   Workspace<double>& w, const LoopRows<double>& to) {
  if constexpr (register_bytes(native_isa) >= 32) loop_rows(s, all, x, w, to, loop_motion_in_lanes);
  else loop_rows(s, all, x, w, to);
}

[[gnu::flatten]] void derivatives_of_loops(const System<double>& s, const Loops<double>& all,
                                           const State<double>& x, const Workspace<double>& w,
                                           const double* lambda,
                                           const LoopDerivatives<double>& to) {
  if constexpr (register_bytes(native_isa) >= 32)
    for (const Loop<double>& loop : list(all)) loop_derivatives_in_lanes(s, loop, x, w, lambda, to);
  else loop_derivatives(s, all, x, w, lambda, to);
}
ClusterPivots clusters(const Model<double>& m, const Loops<double>& loops, const LoopClusters& all,
                       const ClusterCall& call, const State<double>& x, Workspace<double>& w,
                       const KernelRoom& room) {
  if constexpr (register_bytes(native_isa) >= 32)
    return solve_clusters(Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers}, loops,
                          all, call, loop_motion_in_lanes);
  else
    return solve_clusters(Recursion<InNumbers>{m, {m}, x, w, room.numbers}, loops, all, call,
                          loop_motion<double, double, double>);
}

ClusterPivots responses(const Model<double>& m, const LoopClusters& all, const ClusterResponses& to,
                        const State<double>& x, Workspace<double>& w, const KernelRoom& room) {
  if constexpr (register_bytes(native_isa) >= 32)
    return factor_clusters(Recursion<lanes::InRegisters>{m, room.body, x, w, room.registers}, all,
                           to);
  else return factor_clusters(Recursion<InNumbers>{m, {m}, x, w, room.numbers}, all, to);
}

void clusters_beside(const ClusterResponses& all, double* x, double* nu, double* base) {
  solve_clusters_beside<1>(all, {}, 0, {x, nu, 8, 0}, base);
}

}  // namespace

void add_loop_kernels(Kernels& k) {
  k.loop_rows = rows_of_loops;
  k.loop_derivatives = derivatives_of_loops;
  k.constrained_factor = constrained_factor<double>;
  k.constrained_solve = constrained_solve<double>;
  k.constrained_finish = constrained_finish<double>;
  k.constrained_bodies_factor = constrained_bodies_factor;
  k.constrained_bodies_solve = constrained_bodies_solve;
  k.solve_clusters = clusters;
  k.factor_clusters = responses;
  k.solve_cluster_columns = solve_cluster_columns;
  k.solve_clusters_beside = clusters_beside;
  k.constrained_solve_columns = solve_columns;
  k.constrained_response = constrained_response;
  k.constrained_by_force = constrained_by_force;
  k.constrained_products = constrained_products;
}

}  // namespace jounce::inline JOUNCE_ISA
