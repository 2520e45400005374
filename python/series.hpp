// SPDX-License-Identifier: BSD-3-Clause
// The methods of Dynamics that speak of time derivatives, and arrays with a derivative per column.
#pragma once

#include "calls.hpp"

namespace jounce::python {

using Columns = py::array_t<double, py::array::f_style | py::array::forcecast>;

/// Two dimensions, column by column; sizes and values are refused by the library in its own words.
Columns columns_of(py::handle object, const char* function, const char* name);
Eigen::Map<const Eigen::MatrixXd> matrix(const Columns& x);

/// What surrounds the robot in a call of higher order, with memory of its own: wrenches are
/// (frame, [F, F', ...], kind) each, the ground is [V, V', ...].
class SeriesAround : public Vectors {
 public:
  SeriesAround(const Robot& robot_, const char* function, Object wrenches, Object ground,
               bool passive, bool gravity, Object joint_torques);
  SeriesAround(const SeriesAround&) = delete;
  SeriesAround& operator=(const SeriesAround&) = delete;
  operator SeriesSurroundings() const {  // NOLINT: an argument
    return {wrenches_, ground_, passive_, gravity_, matrix(joint_torques_)};
  }

 private:
  std::vector<std::vector<Wrench<double>>> derivatives_;
  std::vector<OutsideWrenchSeries> wrenches_;  ///< they view derivatives_
  std::vector<Twist<double>> ground_;
  bool passive_, gravity_;
  Columns joint_torques_;
};

inline constexpr const char* series_around_doc =
    "\n\nwrenches from outside are (frame, [F, F', ...], kind) each, as those of inverse. ground "
    "is [V, V', ...] where the ground moves, its body Twist and that twist's derivatives. passive "
    "says whether damping, friction and springs act, gravity whether gravity does. joint_torques "
    "is a (nv, n) array of forces from outside that help the actuators. Derivatives not given are "
    "zero.";

/// Adds call(d, around, given...), all given objects of these names, to a class.
template <class D, class Call, class... Names>
void add_series_call(py::class_<D>& c, Name name, Call call, const std::string& doc,
                     const Names*... names) {
  const std::string all = "$self" + listed(names...) +
                          ", wrenches=(), *, ground=None, passive=True, gravity=True, "
                          "joint_torques=None";
  c.def(
      name.method,
      [=](D& d, AnObject<Names>... given, Object wrenches, Object ground, bool passive,
          bool gravity, Object joint_torques) {
        const SeriesAround around(d.robot(), name.function, wrenches, ground, passive, gravity,
                                  joint_torques);
        return call(d, around, given...);
      },
      py::arg(names)..., py::arg("wrenches") = py::tuple(), py::kw_only(),
      py::arg("ground") = py::none(), py::arg("passive") = true, py::arg("gravity") = true,
      py::arg("joint_torques") = py::none(),
      (name.signature(all) + doc + series_around_doc).c_str());
}

void add_series(py::class_<Dynamics>& c);

}  // namespace jounce::python
