// SPDX-License-Identifier: BSD-3-Clause
// What surrounds a robot as it comes in from Python, with memory of its own: wrenches, the ground,
// and whether passive forces and gravity act.
#pragma once

#include <jounce/equations/surroundings.hpp>
#include <jounce/series_surroundings.hpp>

#include "robot.hpp"

namespace jounce::python {

/// Columns of derivatives as they come in, and matrices as they go out: column by column.
using ByColumns = py::array_t<double, py::array::f_style | py::array::forcecast>;

/// Two dimensions; sizes and values are refused by the library in its own words. Of `many` states
/// three, of which the first, that of the states, becomes the last.
ByColumns columns_of(py::handle object, const Argument& argument, bool many = false);
inline Eigen::Map<const Eigen::MatrixXd> view(const ByColumns& x) {
  return {x.data(), x.shape(0), x.shape(1)};
}

/// What a call is about: its robot, its name in messages, and how many states where arrays may have
/// rows that are states.
struct Call {
  const Robot& robot;
  const char* name;
  py::ssize_t states = -1;
};

/// The entries of a list, tuple or array; TypeError in these words for anything else.
py::tuple entries_of(py::handle all, const std::string& needs);

/// None, or a pair (V, Vdot).
OptionalGround<double> ground_of(py::handle ground, const Call& call);
/// None, or V, V', ...
std::vector<Twist<double>> ground_series(py::handle ground, const Call& call);

/// wrenches are (frame, F, kind) each.
class GivenAround {
 public:
  GivenAround(const Call& call, py::handle wrenches, py::handle ground, bool passive, bool gravity);
  Surroundings get() const { return {wrenches_, ground_, passive_, gravity_}; }

 private:
  std::vector<OutsideWrench<double>> wrenches_;
  OptionalGround<double> ground_;
  bool passive_, gravity_;
};

/// The same of a call of higher order: wrenches are (frame, [F, F', ...], kind) each.
class GivenSeriesAround {
 public:
  GivenSeriesAround(const Call& call, py::handle wrenches, py::handle ground, bool passive,
                    bool gravity, py::handle joint_torques);
  GivenSeriesAround(GivenSeriesAround&&) = default;
  SeriesSurroundings get() const {
    return {wrenches_, ground_, passive_, gravity_, view(joint_torques_)};
  }

 private:
  std::vector<std::vector<Wrench<double>>> derivatives_;
  std::vector<OutsideWrenchSeries> wrenches_;  ///< they view derivatives_
  std::vector<Twist<double>> ground_;
  bool passive_, gravity_;
  ByColumns joint_torques_;
};

}  // namespace jounce::python
