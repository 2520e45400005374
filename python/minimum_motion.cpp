// SPDX-License-Identifier: BSD-3-Clause
// MinimumMotion and its paths in Python.
#include <jounce/minimum_motion.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

MotionCost cost_of(const std::string& name) {
  if (name == "energy") return MotionCost::energy;
  if (name == "force") return MotionCost::force;
  if (name == "force_rate") return MotionCost::force_rate;
  throw InputError("MinimumMotion: cost is \"" + name +
                   "\", needs \"energy\", \"force\" or \"force_rate\"");
}

void bind_spline_path(py::module_& m) {
  py::class_<SplinePath> path(m, "SplinePath",
                              "SplinePath(control, duration=1.0)\n\n"
                              "A clamped quintic B-spline. path(t) is the configuration at time t, "
                              "path(t, k) its k-th derivative.");
  path.def(
      "__call__",
      [](const SplinePath& x, double t, int order) {
        return python::to_array(std::span<const double>(x(t, order)));
      },
      py::arg("t"), py::arg("order") = 0,
      "__call__($self, t, order=0)\n--\n\nThe derivative of this order at time t, shape (nv,).");
  path.def(py::init([](const Array& x, double duration) {
             if (x.ndim() != 2) throw InputError("SplinePath: control must have two indices");
             SplinePath made{duration, {int(x.shape(0)), int(x.shape(1))}};
             for (int i = 0; i < made.control.rows; ++i)
               for (int j = 0; j < made.control.columns; ++j) made.control(i, j) = x.at(i, j);
             return made;
           }),
           py::arg("control"), py::arg("duration") = 1.0);
  path.def_readonly("duration", &SplinePath::duration, "Seconds.");
  path.def_property_readonly(
      "control", [](const SplinePath& x) { return by_columns(x.control); },
      "Control points, shape (nv, points): a joint stays between its smallest and largest.");
}

void add_costs(py::class_<MinimumMotion>& c) {
  c.def(
      "line",
      [](MinimumMotion& d, const py::object& q0, const py::object& q1) {
        const Array from = checked_numbers(q0, {"MinimumMotion", "q0"});
        const Array to = checked_numbers(q1, {"MinimumMotion", "q1"});
        return d.line(argument(from), argument(to));
      },
      py::arg("q0"), py::arg("q1"),
      "line($self, q0, q1)\n--\n\nThe straight line at the pace that the cost starts from.");
  c.def(
      "cost", [](MinimumMotion& d, const SplinePath& path) { return d.cost(path); },
      py::arg("path"), "cost($self, path)\n--\n\nThe cost of a SplinePath.");
  c.def(
      "gradient",
      [](MinimumMotion& d, const SplinePath& path) {
        dense::Matrix g;
        d.cost(path, &g);
        return by_columns(g);
      },
      py::arg("path"),
      "gradient($self, path)\n--\n\nThe slope of the cost by control points, shape (nv, points): "
      "zero for "
      "those that are fixed.");
  c.def(
      "hessian",
      [](MinimumMotion& d, const SplinePath& path) {
        dense::Matrix H;
        d.cost(path, nullptr, &H);
        return by_columns(H);
      },
      py::arg("path"),
      "hessian($self, path)\n--\n\nSecond derivatives of the cost by all numbers of the control "
      "points that are not fixed, one point after the other.");
}

void bind_motion_result(py::module_& m) {
  const py::object result = named_tuple(m, "MinimumMotionResult",
                                        "What a search found: a local minimum where it converged.",
                                        {{"path", "SplinePath."},
                                         {"value", "Its cost."},
                                         {"straight", "That of the path it started from."},
                                         {"values", "After every iteration."},
                                         {"residual", "Of the gradient, relative."},
                                         {"iterations", "Steps taken."},
                                         {"at_limits", "Control points that a limit holds."},
                                         {"converged", "Whether no gradient is left."}});
  auto c = py::class_<MinimumMotion>(
      m, "MinimumMotion",
      "MinimumMotion(robot, *, cost='energy', duration=1.0, control_points=14, limits=True, "
      "gravity=True, passive=False, tolerance=1e-08, iterations=300)\n\n"
      "The motion between two configurations that costs least, over B-splines. cost: 'energy' is "
      "the integral of v M v, 'force' that of tau^2 from rest to rest, 'force_rate' that of the "
      "square of its rate.");
  c.def(py::init([](Robot robot, const std::string& cost, double duration, int control_points,
                    bool limits, bool gravity, bool passive, double tolerance, int iterations) {
          warn_of_loops(robot, "MinimumMotion");
          return MinimumMotion(std::move(robot), {cost_of(cost), duration, control_points, limits,
                                                  gravity, passive, tolerance, iterations});
        }),
        py::arg("robot"), py::kw_only(), py::arg("cost") = "energy", py::arg("duration") = 1.0,
        py::arg("control_points") = 14, py::arg("limits") = true, py::arg("gravity") = true,
        py::arg("passive") = false, py::arg("tolerance") = 1e-8, py::arg("iterations") = 300);
  c.def_property_readonly("robot", &MinimumMotion::robot, py::return_value_policy::copy,
                          "Its Robot.");
  const auto told = [result](const MinimumMotionResult& x) {
    return result(x.path, x.value, x.straight, python::to_array(std::span<const double>(x.values)),
                  x.residual, x.iterations, x.at_limits, x.converged);
  };
  c.def(
      "find",
      [told](MinimumMotion& d, const py::object& q0, const py::object& q1) {
        if (py::isinstance<SplinePath>(q0) && q1.is_none())
          return told(d.find(q0.cast<const SplinePath&>()));
        const Array from = checked_numbers(q0, {"MinimumMotion", "q0"});
        const Array to = checked_numbers(q1, {"MinimumMotion", "q1"});
        return told(d.find(argument(from), argument(to)));
      },
      py::arg("q0"), py::arg("q1") = py::none(),
      "find($self, q0, q1=None)\n--\n\nMinimumMotionResult (path, value, straight, values, "
      "residual, iterations, at_limits, converged) from the straight line between q0 and q1, or "
      "from a SplinePath in the place of q0.");
  add_costs(c);
}

}  // namespace

void bind_minimum_motion(py::module_& m) {
  bind_spline_path(m);
  bind_motion_result(m);
}

}  // namespace jounce::python
