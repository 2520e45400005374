// SPDX-License-Identifier: BSD-3-Clause
// What sums over all bodies, and the regressor, by Pinocchio.
#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/energy.hpp>
#include <pinocchio/algorithm/regressor.hpp>

#include "benchmarks/peers/pinocchio.hpp"

namespace jounce::bench::JOUNCE_PINOCCHIO {
namespace {

void add_regressor(const SharedWork& w, std::vector<PeerCall>& calls) {
  const int columns = 10 * (w->model.njoints - 1);
  for (const int per : {1, columns})
    calls.push_back(call(
        w, per == 1 ? "regressor" : "regressor-column",
        [](auto& m, auto& d, auto& s) { pin::computeJointTorqueRegressor(m, d, s.q, s.v, s.a); },
        [=](const Work& x) {
          Vector parameters(columns);
          for (int i = 1; i < x.model.njoints; ++i)
            parameters.segment<10>(10 * (i - 1)) =
                x.model.inertias[size_t(i)].toDynamicParameters();
          return x.ours(x.data.jointTorqueRegressor * parameters);
        },
        per));
}

}  // namespace

void add_sums(const SharedWork& w, std::vector<PeerCall>& calls) {
  add_regressor(w, calls);
  calls.push_back(call(
      w, "momentum",
      [](auto& m, auto& d, auto& s) { pin::computeCentroidalMomentum(m, d, s.q, s.v); },
      [](const Work& x) { return list(x.ours_twist(x.data.hg.toVector())); }));
  calls.push_back(call(
      w, "centroidal", [](auto& m, auto& d, auto& s) { pin::ccrba(m, d, s.q, s.v); },
      [](const Work& x) { return list(x.ours_twists(x.data.Ag)); }));
  calls.push_back(call(
      w, "centroidal-rate", [](auto& m, auto& d, auto& s) { pin::dccrba(m, d, s.q, s.v); },
      [](const Work& x) {
        return list({x.ours_twists(x.data.Ag), x.ours_twists(x.data.dAg)});
      }));
  calls.push_back(call(
      w, "com", [](auto& m, auto& d, auto& s) { pin::centerOfMass(m, d, s.q, false); },
      [](const Work& x) { return list(x.data.com[0]); }));
  calls.push_back(call(
      w, "com-acceleration",
      [](auto& m, auto& d, auto& s) { pin::centerOfMass(m, d, s.q, s.v, s.a, false); },
      [](const Work& x) {
        return list({x.data.com[0], x.data.vcom[0], x.data.acom[0]});
      }));
  calls.push_back(call(
      w, "com-jacobian",
      [](auto& m, auto& d, auto& s) { pin::jacobianCenterOfMass(m, d, s.q, false); },
      [](const Work& x) { return list(x.ours_columns(x.data.Jcom)); }));
  calls.push_back(call(
      w, "energy",
      [](auto& m, auto& d, auto& s) {
        pin::computeKineticEnergy(m, d, s.q, s.v);
        pin::computePotentialEnergy(m, d);
      },
      [](const Work& x) {
        return std::vector<double>{x.data.kinetic_energy, x.data.potential_energy};
      }));
}

}  // namespace jounce::bench::JOUNCE_PINOCCHIO
