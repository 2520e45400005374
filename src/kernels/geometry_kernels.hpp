// SPDX-License-Identifier: BSD-3-Clause
// The geometry of the kinetic-energy metric, compiled once per instruction set; see kernels.hpp.
#pragma once

#include <jounce/model/model.hpp>

namespace jounce {

struct MassPattern;
struct PairLists;
struct PathLists;
template <class Real>
struct PairRoom;

struct GeometryKernels {
  /// load_pairs and christoffel, after poses.
  void (*christoffel)(const Model<double>& m, const Workspace<double>& w, const PathLists& lists,
                      PairRoom<double>& room, double* gamma);
  /// pair_forms, after christoffel.
  void (*pair_forms)(const PathLists& lists, const PairLists& pairs, const PairRoom<double>& room,
                     double* w, double* K);
  /// whitened_symbols, second_forms in the place of K, and riemann.
  void (*riemann)(const PairLists& pairs, const MassPattern& s, const double* LD,
                  const double* gamma, double* y, double* gram, double* R);
  void (*ricci)(int n, const double* R, const double* inverse, int stride, double* t,
                double* found);
};

/// The kernels for this processor.
const GeometryKernels& geometry_kernels();

}  // namespace jounce
