// SPDX-License-Identifier: BSD-3-Clause
// Christoffel symbols and curvature for one instruction set; compiled once for each.
#include <jounce/algorithm/christoffel.hpp>
#include <jounce/algorithm/curvature.hpp>

#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

void christoffel_of(const Model<double>& m, const Workspace<double>& w, const PathLists& lists,
                    PairRoom<double>& room, double* gamma) {
  load_pairs(m, w, room);
  christoffel(lists, room, gamma);
}

void riemann_of(const PairLists& pairs, const MassPattern& s, const double* LD, const double* gamma,
                double* y, double* gram, double* R) {
  whitened_symbols(pairs, s, LD, gamma, y);
  second_forms(pairs, y, gram);
  riemann(pairs, gram, R);
}

}  // namespace

void add_geometry_kernels(GeometryKernels& k) {
  k.christoffel = christoffel_of;
  k.pair_forms = pair_forms<double>;
  k.riemann = riemann_of;
  k.ricci = ricci<double>;
}

}  // namespace jounce::inline JOUNCE_ISA
