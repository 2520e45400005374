// SPDX-License-Identifier: BSD-3-Clause
// Inverse and forward dynamics and the mass matrix of eight states in step; this file is compiled
// once for every instruction set.
#include <jounce/algorithm/forward_dynamics.hpp>
#include <jounce/algorithm/inverse_dynamics.hpp>
#include <jounce/algorithm/mass_matrix.hpp>
#include <jounce/model/workspace.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/pack_kernels.hpp"

namespace jounce::bench::inline JOUNCE_ISA {

DynamicsTimes time_pack_dynamics(const Model<double>& m, const double* q) {
  using Real = Pack<double, DynamicsTimes::lanes>;
  using Kind = ThreeNumbers<Real, double>;
  const auto nv = static_cast<size_t>(m.nv);
  const std::vector<Real> at(q, q + m.nq), v(nv, Real(0.1));
  const std::vector<Wrench<Real>> outside(static_cast<size_t>(m.bodies));
  std::vector<Real> M(nv * nv);
  WorkspaceStorage<Real> storage(m);
  Workspace<Real>& w = storage.view();
  w.V[0] = {};
  w.Vdot[0] = minus_gravity<Real>(m);
  RoomStorage<Kind> room(m);
  const State<Real> x{at.data(), v.data(), v.data(), v.data(), outside.data()};
  const Recursion<Kind> r{m, {m}, x, w, room.view()};
  const auto per_state = [](auto call) { return nanoseconds(call) / Real::lanes; };
  return {per_state([&] { inverse_dynamics(r); }), per_state([&] { forward_dynamics(r); }),
          per_state([&] { mass_matrix(r, M.data()); })};
}

}  // namespace jounce::bench::inline JOUNCE_ISA
