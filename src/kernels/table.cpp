// SPDX-License-Identifier: BSD-3-Clause
// The kernels of one build in one table; compiled once per instruction set, as the kernels are.
#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {

KernelTable kernel_table() {
  KernelTable table{};
  add_tree_kernels(table.tree);
  add_dynamics_kernels(table.tree);
  add_mass_kernels(table.tree);
  add_coriolis_kernels(table.tree);
  add_loop_kernels(table.tree);
  add_derivative_kernels(table.tree);
  add_second_kernels(table.tree);
  add_series_kernels(table.series);
  add_geometry_kernels(table.geometry);
  add_stewart_newton(table.stewart);
  add_stewart_scan(table.stewart);
  add_stewart_paths(table.stewart);
  return table;
}

}  // namespace jounce::inline JOUNCE_ISA
