// SPDX-License-Identifier: BSD-3-Clause
// Arguments of higher order, and the inverse recursion that several calls run.
#include "series/series_memory.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/equations/coupling.hpp>

#include "finite_results.hpp"
#include "series/taylor_arguments.hpp"

namespace jounce {
namespace {

std::string count_of(int n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// The first columns, of nv finite numbers.
void check_numbers(const char* caller, const Robot& robot, const char* argument, const MatrixArg& x,
                   int columns) {
  const auto where = [&] { return std::string(caller) + ": " + argument; };
  if (x.rows() != robot.nv())
    throw InputError(where() + " has " + count_of(x.rows(), "row") + ", robot \"" + robot.name() +
                     "\" needs " + std::to_string(robot.nv()));
  for (int k = 0; k < columns; ++k) {
    if (all_finite(x.column(k))) continue;
    for (int j = 0; j < x.rows(); ++j)
      if (const double entry = x.column(k)[size_t(j)]; !std::isfinite(entry))
        throw InputError(where() + "(" + std::to_string(j) + ", " + std::to_string(k) + ") is " +
                         (std::isnan(entry) ? "NaN" : "infinite"));
  }
}

}  // namespace

int checked_series_order(const char* door, int order) {
  if (order < 0)
    throw InputError(std::string(door) + ": order is " + std::to_string(order) +
                     ", needs 0 or more");
  return order;
}

void check_columns(const char* caller, const Robot& robot, int order, const char* argument,
                   const MatrixArg& x, int columns) {
  if (x.columns() != columns)
    throw InputError(std::string(caller) + ": " + argument + " has " +
                     count_of(x.columns(), "column") + ", order " + std::to_string(order) +
                     " needs " + std::to_string(columns));
  check_numbers(caller, robot, argument, x, columns);
}

SeriesMemory::SeriesMemory(Robot robot_, int order_)
    : robot(std::move(robot_)),
      order(order_),
      storage(robot.model(), order),
      lanes(robot.model(), order),
      v(size_t(robot.nv()) * size_t(order + 2)),
      taus(v.size()),
      V_0(size_t(order + 2)),
      placed(size_t(robot.bodies())),
      passive(size_t(robot.nv())),
      friction(3 * v.size()),
      positions(robot.system().passive.springs > 0 ? size_t(robot.nq()) * size_t(order + 1) : 0),
      bushings(robot.bushings().empty() ? nullptr : make_bushing_series(robot, order)) {
  if (!positions.empty()) storage.view().room->reserve(storage.temporaries);
}

int SeriesMemory::order_of(const char* caller, const char* argument, const MatrixArg& x,
                           int lowest) const {
  const int wanted = x.columns() - lowest;
  if (wanted < 0)
    throw InputError(std::string(caller) + ": " + argument + " has " +
                     count_of(x.columns(), "column") + ", needs " + std::to_string(lowest) +
                     " or more");
  if (wanted > order)
    throw InputError(std::string(caller) + ": order is " + std::to_string(wanted) +
                     ", above the highest there is room for, " + std::to_string(order) +
                     ": make it with order " + std::to_string(wanted));
  check_numbers(caller, robot, argument, x, x.columns());
  return wanted;
}

void SeriesMemory::check(const char* caller, int wanted, const SeriesSurroundings& around) const {
  const auto& [wrenches, ground, passive_acts, gravity_acts, joint_torques, time] = around;
  for (size_t n = 0; n < wrenches.size(); ++n) {
    const FrameInfo& frame = robot.frame_info(wrenches[n].frame);
    for (size_t k = 0; k < wrenches[n].derivatives.size(); ++k)
      if (!finite(wrenches[n].derivatives[k]))
        throw InputError(std::string(caller) + ": wrenches[" + std::to_string(n) + "] on \"" +
                         frame.name + "\", derivative " + std::to_string(k) + ", is not finite");
  }
  check_ground(caller, ground);
  if (!std::isfinite(time)) throw InputError(std::string(caller) + ": time is not finite");
  if (joint_torques.columns() > 0)  // as many as are given
    check_numbers(caller, robot, "joint_torques", joint_torques,
                  std::min(joint_torques.columns(), wanted + 1));
}

void SeriesMemory::check_ground(const char* caller,
                                std::span<const Twist<double>> derivatives) const {
  if (derivatives.size() > V_0.size())
    throw InputError(std::string(caller) + ": ground has " + std::to_string(derivatives.size()) +
                     " derivatives, there is room for " + std::to_string(V_0.size()));
  for (size_t k = 0; k < derivatives.size(); ++k)
    if (!finite(derivatives[k]))
      throw InputError(std::string(caller) + ": ground[" + std::to_string(k) + "] is not finite");
}

void SeriesMemory::set_ground(std::span<const Twist<double>> derivatives) {
  ground_moves = !derivatives.empty();
  write_ground_series(derivatives, V_0);
}

void SeriesMemory::load(const MatrixArg& derivatives, int last, const Rows<double>& to) {
  for (int k = 0; k <= last; ++k) {
    const std::span<const double> column = derivatives.column(k);
    const double scale = detail::inverse_factorial(k);
    double* row = to[k];
    for (size_t j = 0; j < column.size(); ++j) row[j] = column[j] * scale;
  }
}

void SeriesMemory::expand(int k) {
  if (!robot.has_mimic()) return;
  jounce::expand(robot.system().coupling, v.data() + robot.nv() * k, storage.view().v[k]);
}

void SeriesMemory::fold(int k, double* out) const {
  gather(robot.system().coupling, storage.view().tau[k], out);
}

void SeriesMemory::run_inverse(const Model<double>& m, const double* q, int wanted,
                               std::span<const OutsideWrenchSeries> wrenches) {
  if (in_lanes()) {
    kernel.start_ground(m, ground(), wanted, storage.view());
    kernel.inverse_twists_in_lanes(m, q, wanted, storage.view(), lanes.view());
    take_outside(wrenches, m.gravity, wanted);
    kernel.inverse_forces_in_lanes(m, wanted, storage.view(), lanes.view());
  } else {
    kernel.start(m, q, ground(), wanted, storage.view());
    kernel.twists(m, q, wanted + 1, storage.view());
    clear_outside();
    add_outside(wrenches, m.gravity, 0, wanted, false);
    kernel.forces(m, wanted, storage.view());
  }
}

}  // namespace jounce
