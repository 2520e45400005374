// SPDX-License-Identifier: BSD-3-Clause
// Base parameters by rank-revealing QR (Gautier 1991).
//
// Which parameters a motion tells apart does not depend on the robot's size, but numbers in metres
// and seconds do: a first moment counts L times, a mass L^2 times as much as a second moment. So
// the motions are those of the robot's own length and of the time in which it falls that far, and
// forces and parameters are measured in the units that follow from them.
#include <algorithm>
#include <cmath>
#include <jounce/kinematics.hpp>
#include <jounce/regressor.hpp>

#include "linear_algebra/matrix.hpp"
#include "linear_algebra/pivoted_qr.hpp"

namespace jounce {

/// A regressor of forces in plain numbers.
struct detail::RegressorAccess {
  static void force(Regressor& regressor, const VectorArg& q, const VectorArg& v,
                    const VectorArg& a, double* Y) {
    regressor.run_force(q, v, a, {}, Y);
  }
};

namespace {

/// The robot's own units.
struct RobotUnits {
  double length = 0, time = 1;
  std::vector<double> coordinate;  ///< [nv] rad: 1, m: length
};

/// The longest way from a moving link's frame to the next one's, to a com, or around it.
double longest_link(const Robot& robot, const Kinematics& now) {
  const RobotDescription& d = robot.description();
  double longest = 0;
  for (const JointDescription& joint : d.joints) {
    if (joint.parent.empty() || robot.frame_info(robot.frame(joint.parent)).body == 0) continue;
    const Vec3<double> from = now.pose(robot.frame(joint.parent)).p;
    longest = std::max(longest, norm(now.pose(robot.frame(joint.child)).p - from));
  }
  for (const LinkDescription& link : d.links) {
    if (robot.frame_info(robot.frame(link.name)).body == 0) continue;
    longest = std::max(longest, norm(link.com));
    const double second_moment = (link.I_com.xx + link.I_com.yy + link.I_com.zz) / 2;
    if (link.mass > 0) longest = std::max(longest, std::sqrt(second_moment / link.mass));
  }
  return longest;
}

RobotUnits units_of(const Robot& robot, std::uint64_t seed) {
  Kinematics now(robot);
  now.at(robot.random(seed));
  const double size = longest_link(robot, now), g = norm(robot.description().gravity);
  RobotUnits units{size > 0 ? size : 1.0, 1, {}};
  if (g > 0) units.time = std::sqrt(units.length / g);
  units.coordinate.assign(size_t(robot.nv()), units.length);
  std::vector<double> numbers(6 * units.coordinate.size());
  for (const LinkDescription& link : robot.description().links) {
    const double* J = numbers.data();
    now.jacobian(robot.frame(link.name), Representation::body,
                 Into<double>(numbers.data(), 6, robot.nv()));
    for (size_t k = 0; k < units.coordinate.size(); ++k, J += 6)
      if (norm(Vec3<double>{J[0], J[1], J[2]}) > 1e-9) units.coordinate[k] = 1;
  }
  return units;
}

/// What a parameter of 1 in the robot's own units is in the file's.
std::vector<double> parameter_units(const Robot& robot, RegressorColumns columns,
                                    const RobotUnits& units) {
  const double L = units.length, T = units.time;
  std::vector<double> scale;
  for (size_t k = 0; k < robot.description().links.size(); ++k) {
    scale.push_back(1);
    scale.insert(scale.end(), 3, L);
    scale.insert(scale.end(), 6, L * L);
  }
  const auto add = [&](double seconds, int power) {  // a force over a speed to this power
    for (const double c : units.coordinate)
      scale.push_back(L * L * seconds / std::pow(c, power + 1));
  };
  if (columns.armature) add(1, 1);
  for (const ResistanceInfo& one : resistances)
    if (columns.*detail::resistance_columns[size_t(one.law)])
      add(std::pow(T, one.power - 2), one.power);
  return scale;
}

/// The regressor of `states` random states, one under the other, in the robot's own units.
dense::Matrix stacked_regressor(const Robot& robot, RegressorColumns columns,
                                const RobotUnits& units, const std::vector<double>& parameters,
                                std::uint64_t seed) {
  Regressor regressor(robot, columns);
  const int nv = robot.nv(), n = regressor.columns();
  const int states = 10 + 3 * n / std::max(nv, 1);
  dense::Matrix all(states * nv, n);
  std::uint64_t bits = seed;
  const auto uniform = [&] {
    bits = bits * 6364136223846793005u + 1442695040888963407u;  // Knuth 1997
    return 4 * (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
  };
  const double L = units.length, T = units.time;
  std::vector<double> v(static_cast<size_t>(nv)), a(v);
  dense::Matrix Y(nv, n);  // keeps its zeros
  for (int k = 0; k < states; ++k) {
    for (size_t i = 0; i < v.size(); ++i) v[i] = uniform() * units.coordinate[i] / T;
    for (size_t i = 0; i < a.size(); ++i) a[i] = uniform() * units.coordinate[i] / (T * T);
    const std::vector<double> q = robot.random(seed + static_cast<std::uint64_t>(k));
    detail::RegressorAccess::force(regressor, q, v, a, Y.data());
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < nv; ++i)
        all(k * nv + i, j) = Y(i, j) * units.coordinate[static_cast<size_t>(i)] *
                             (T * T / (L * L)) * parameters[static_cast<size_t>(j)];
  }
  return all;
}

/// X with R X = right, of an upper R in the first columns of QR and right in the others, in place.
void solve_upper(dense::Matrix& QR, int rank) {
  for (int j = rank; j < QR.columns; ++j)
    for (int k = rank; k-- > 0;) {
      QR(k, j) /= QR(k, k);
      for (int i = 0; i < k; ++i) QR(i, j) -= QR(i, k) * QR(k, j);
    }
}

}  // namespace

BaseParameters base_parameters(const Robot& robot, RegressorColumns columns, std::uint64_t seed,
                               double cutoff) {
  if (!(cutoff > 0 && cutoff < 1))
    throw InputError("base_parameters: the cutoff must lie between 0 and 1");
  const RobotUnits units = units_of(robot, seed);
  const std::vector<double> scale = parameter_units(robot, columns, units);
  dense::Matrix QR = stacked_regressor(robot, columns, units, scale, seed);
  const int n = QR.columns, pivots = std::min(QR.rows, n);
  std::vector<double> tau(static_cast<size_t>(pivots));
  std::vector<int> order(static_cast<size_t>(n));
  dense::pivoted_qr(QR.rows, n, QR.data(), tau.data(), order.data());
  const auto size = [&](int k) { return std::abs(QR(k, k)); };
  const double largest = pivots > 0 ? size(0) : 0;
  int rank = 0;
  while (rank < pivots && size(rank) > cutoff * largest) ++rank;
  BaseParameters base;
  if (rank > 0) base.smallest_kept = size(rank - 1) / largest;
  if (rank < pivots && largest > 0) base.largest_dropped = size(rank) / largest;
  solve_upper(QR, rank);
  base.numbers.assign(static_cast<size_t>(rank) * static_cast<size_t>(n), 0.0);
  for (int k = 0; k < n; ++k) {
    const int column = order[static_cast<size_t>(k)];
    (k < rank ? base.independent : base.dependent).push_back(column);
    double* to = base.numbers.data() + std::ptrdiff_t(rank) * column;
    if (k < rank) to[k] = 1;
    for (int i = 0; i < rank && k >= rank; ++i)
      to[i] = QR(i, k) * scale[size_t(order[size_t(i)])] / scale[size_t(column)];
  }
  return base;
}

}  // namespace jounce
