// SPDX-License-Identifier: BSD-3-Clause
// Damping, Coulomb friction and springs as power series in time, coefficient by coefficient.
//
// Forces give accelerations, so that coefficient k is asked for before coefficient k + 1 of v is
// known. Springs where coordinates are not flat run on whole series. Friction adds one
// coefficient of its tanh at a time: whole series would make the benchmark's row
// higher-forward of puma560 half as slow again.
#include <algorithm>
#include <jounce/algorithm/coordinate_series.hpp>
#include <jounce/equations/passive.hpp>

#include "series/series_memory.hpp"

namespace jounce {
namespace {

/// Coefficient k of what a spring takes where coordinates are flat: the law is linear.
void flat_spring(const Passive<double>& p, const Factor& f, const double* q, const Rows<double>& v,
                 int k, double* taken) {
  double u[6];
  if (k == 0) difference(f, p.rest + f.q, q + f.q, u);
  else
    for (int j = 0; j < f.nv; ++j) u[j] = v[k - 1][f.v + j] / k;
  spring_force(f, p.stiffness + f.v, u, taken);
}

/// The same on a planar, spherical or free part, on numbers that are series; adds coefficient k of
/// its coordinates to those below.
template <class Number>
void curved_spring(SeriesRoom<Number>& room, const Passive<double>& p, const Factor& f,
                   const Rows<double>& q, const Rows<double>& v, int k, double* taken) {
  Number position[7], speed[6], u[6], force[6];
  room.set_order(k);
  for (int j = 0; j < f.nq; ++j) {
    position[j] = room.number();
    for (int l = 0; l < std::max(k, 1); ++l) position[j].c[l] = q[l][f.q + j];
  }
  for (int j = 0; j < f.nv; ++j) {
    speed[j] = room.number();
    for (int l = 0; l < k; ++l) speed[j].c[l] = v[l][f.v + j];
  }
  if (k > 0) extend_coordinates(f, k - 1, speed, position);
  for (int j = 0; j < f.nq; ++j) q[k][f.q + j] = position[j].c[k];
  difference(f, p.rest + f.q, position, u);
  spring_force(f, p.stiffness + f.v, u, force);
  for (int j = 0; j < f.nv; ++j) taken[j] = coefficient(force[j], k);
}

/// Coefficient k of v_j |v_j|, a power series with the sign of its first coefficient.
double signed_square_coefficient(const Rows<double>& v, size_t j, int k) {
  double sum = 0;
  for (int l = 0; l <= k; ++l) sum += v[l][j] * v[k - l][j];
  return v[0][j] < 0 ? -sum : v[0][j] > 0 ? sum : 0;
}

}  // namespace

double SeriesMemory::extend_friction(size_t j, double speed, int k) {
  const size_t n = size_t(order) + 2;
  double *ratio = friction.data() + 3 * n * j, *slip = ratio + n, *slope = slip + n;
  ratio[k] = slip_ratio(speed);
  detail::extend_tanh(ratio, k, slip, slope);
  return slip[k];
}

double SeriesMemory::unit_resistance(Resistance law, size_t j, int k) {
  const double speed = own_v()[k][j];
  switch (law) {
    case Resistance::damping:
      return speed;
    case Resistance::friction:
      return extend_friction(j, speed, k);
    case Resistance::drag:
      return signed_square_coefficient(own_v(), j, k);
  }
  return 0;
}

const double* SeriesMemory::passive_forces(const double* q, int k) {
  const Passive<double>& p = robot.system().passive;
  const Rows<double> rates = own_v();
  std::fill(passive.begin(), passive.end(), 0.0);
  for (const ResistanceInfo& one : resistances) {
    const double* coefficients = p.resistance[size_t(one.law)];
    for (size_t j = 0; j < passive.size(); ++j)
      if (coefficients[j] != 0) passive[j] += coefficients[j] * unit_resistance(one.law, j, k);
  }
  const Rows<double> at{positions.data(), robot.nq()};
  SeriesRoom<Taylor<double, short_order>> short_room(short_order);
  if (k == 0 && !positions.empty()) std::copy_n(q, robot.nq(), at[0]);
  for (const Factor& f : springs(p)) {
    double taken[6];
    if (is_flat(f)) flat_spring(p, f, q, rates, k, taken);
    else if (k <= short_order) curved_spring(short_room, p, f, at, rates, k, taken);
    else curved_spring(*storage.view().room, p, f, at, rates, k, taken);
    for (int j = 0; j < f.nv; ++j) passive[size_t(f.v + j)] += taken[j];
  }
  if (bushings != nullptr) bushings->add_coefficient(q, rates, k, passive.data());
  return passive.data();
}

const double* SeriesMemory::passive_less_given(const double* q, int k,
                                               const SeriesSurroundings& around) {
  const bool taken = around.passive && robot.has_passive();
  const bool given = k < around.joint_torques.columns();
  if (!taken && !given) return nullptr;
  if (taken) passive_forces(q, k);
  else std::fill(passive.begin(), passive.end(), 0.0);
  if (given) {
    const std::span<const double> torques = around.joint_torques.column(k);
    const double scale = detail::inverse_factorial(k);
    for (size_t j = 0; j < torques.size(); ++j) passive[j] -= torques[j] * scale;
  }
  return passive.data();
}

}  // namespace jounce
