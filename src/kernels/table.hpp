// SPDX-License-Identifier: BSD-3-Clause
// All kernels of one build, and the files that it is put together from.
#pragma once

#include "kernels/geometry_kernels.hpp"
#include "kernels/kernels.hpp"
#include "kernels/series_kernels.hpp"
#include "stewart/kernels.hpp"

namespace jounce {

struct KernelTable {
  Kernels tree;
  SeriesKernels series;
  GeometryKernels geometry;
  StewartKernels stewart;
};

inline namespace JOUNCE_ISA {

// One for each kernel file.
void add_tree_kernels(Kernels& k);
void add_dynamics_kernels(Kernels& k);
void add_mass_kernels(Kernels& k);
void add_coriolis_kernels(Kernels& k);
void add_loop_kernels(Kernels& k);
void add_derivative_kernels(Kernels& k);
void add_second_kernels(Kernels& k);
void add_series_kernels(SeriesKernels& k);
void add_geometry_kernels(GeometryKernels& k);
void add_stewart_newton(StewartKernels& k);
void add_stewart_scan(StewartKernels& k);
void add_stewart_paths(StewartKernels& k);

}  // namespace JOUNCE_ISA

}  // namespace jounce
