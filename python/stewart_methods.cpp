// SPDX-License-Identifier: BSD-3-Clause
// The six methods of Xie, Dai, Liu 2021 in Python: runs with their traces, charts, (A2) and (9).
#include <pybind11/stl.h>

#include <jounce/paper/rodrigues.hpp>
#include <jounce/stewart/pose_chart.hpp>

#include "bindings.hpp"
#include "stewart_arrays.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;

/// A result and the trace that led to it.
struct TracedResult : StewartMethodResult {
  std::vector<StewartIteration> trace;
};

TracedResult solve_pose_named(const Stewart& platform, const py::object& lengths, const Pose& start,
                              const std::string& method, const std::string& chart,
                              const std::string& increment, const std::string& line_search,
                              const std::string& scaling, double step_factor, double damping,
                              int max_iterations, bool trace) {
  StewartMethodOptions options;
  options.method = named(method, {"solve_pose", "method"}, method_words);
  options.chart = named(chart, {"solve_pose", "chart"}, chart_words);
  options.increment = named(increment, {"solve_pose", "increment"}, increment_words);
  options.line_search = named(line_search, {"solve_pose", "line_search"}, search_words);
  options.scaling = named(scaling, {"solve_pose", "scaling"}, scaling_words);
  options.step_factor = step_factor;
  options.damping = damping;
  options.max_iterations = max_iterations;
  const SixNumbers L = six_numbers(lengths, {"solve_pose", "lengths"});
  TracedResult result;
  static_cast<StewartMethodResult&>(result) =
      solve_pose(platform, L, start, options, trace ? &result.trace : nullptr);
  return result;
}

void bind_trace(py::module_& m) {
  py::class_<StewartIteration> c(m, "StewartIteration", "One step of a run of solve_pose.");
  c.def_readonly("pose", &StewartIteration::pose, "The SE3 before the step.");
  c.def_readonly("residual", &StewartIteration::residual, "|r| there.");
  c.def_readonly("factor", &StewartIteration::factor, "alpha or mu of the step.");
  c.def_readonly("step", &StewartIteration::step, "Its size in rad and platform sizes.");
  c.def_readonly("accepted", &StewartIteration::accepted, "Whether it was taken.");
}

void bind_method_result(py::module_& m) {
  py::class_<TracedResult> c(m, "StewartMethodResult", "What solve_pose found.");
  c.def_property_readonly(
      "pose", [](const TracedResult& r) { return r.pose; }, "The SE3 where the run ended.");
  c.def_property_readonly(
      "converged", [](const TracedResult& r) { return r.converged; },
      "Whether it has the lengths.");
  c.def_property_readonly(
      "length_error", [](const TracedResult& r) { return r.length_error; },
      "The largest error of a length.");
  c.def_property_readonly(
      "iterations", [](const TracedResult& r) { return r.iterations; },
      "Iterations, trials included.");
  c.def_property_readonly(
      "stop", [](const TracedResult& r) { return word_of(r.stop, stop_words); },
      "\"gradient\", \"small_step\", \"no_descent\", \"max_iterations\" or \"endless_search\".");
  c.def_property_readonly(
      "trace", [](const TracedResult& r) { return r.trace; },
      "A list of StewartIteration where a trace was asked for.");
  c.def("__repr__", [](const TracedResult& r) {
    return std::string("StewartMethodResult(converged=") + (r.converged ? "True" : "False") +
           ", length_error=" + text(r.length_error, 6) +
           ", iterations=" + std::to_string(r.iterations) + ", stop=\"" +
           word_of(r.stop, stop_words) + "\")";
  });
}

void bind_solve_pose(py::module_& m) {
  m.def("solve_pose", &solve_pose_named, py::arg("platform"), py::arg("lengths"), py::arg("start"),
        py::kw_only(), py::arg("method") = "levenberg_marquardt", py::arg("chart") = "se3",
        py::arg("increment") = "space", py::arg("line_search") = "squared",
        py::arg("scaling") = "none", py::arg("step_factor") = 1.0, py::arg("damping") = 1e-6,
        py::arg("max_iterations") = 200, py::arg("trace") = false,
        "solve_pose(platform, lengths, start, *, method='levenberg_marquardt', chart='se3', "
        "increment='space', line_search='squared', scaling='none', step_factor=1.0, damping=1e-06, "
        "max_iterations=200, trace=False)\n--\n\n"
        "A StewartMethodResult: one run of one of the six methods of Xie, Dai, Liu 2021 from a "
        "start. method is \"gauss_newton\" or \"levenberg_marquardt\", chart \"se3\", "
        "\"quaternion\" or \"euler\", increment (of se3) \"body\" or \"space\", line_search (of "
        "gauss_newton) \"squared\", \"squared_after_test\", \"printed\", \"printed_until_small\", "
        "\"multiplied\" or \"halved\", scaling \"none\", \"platform_size\" or \"diagonal\".");
}

Array square(const std::vector<double>& rows, size_t n) {
  return Array({static_cast<py::ssize_t>(n), static_cast<py::ssize_t>(n)}, rows.data());
}

void bind_chart_value(py::module_& m) {
  py::class_<ChartValue> v(m, "ChartValue", "The objective at one point of a PoseChart.");
  v.def_readonly("pose", &ChartValue::pose, "The SE3 of the point.");
  v.def_property_readonly(
      "residual", [](const ChartValue& x) { return to_array(std::span<const double>(x.residual)); },
      "r, and on quaternions |q|^2 - 1.");
  v.def_property_readonly(
      "jacobian", [](const ChartValue& x) { return square(x.jacobian, x.residual.size()); },
      "dr/dx, square.");
  v.def_readonly("objective", &ChartValue::objective, "r.r / 2.");
  v.def_property_readonly(
      "gradient", [](const ChartValue& x) { return to_array(std::span<const double>(x.gradient)); },
      "Of the objective.");
}

void bind_chart(py::module_& m) {
  py::class_<PoseChart> c(
      m, "PoseChart",
      "PoseChart(kind, at=None, increment='body')\n\n"
      "Numbers for poses, on which the methods of solve_pose move: \"se3\" (six "
      "of a screw from the pose at), \"quaternion\" (position and quaternion) "
      "or \"euler\" (position and phi, theta, psi: Rz(psi) Ry(theta) Rx(phi)).");
  c.def(py::init([](const std::string& kind, const std::optional<Pose>& at,
                    const std::string& increment) {
          return PoseChart(named(kind, {"PoseChart", "kind"}, chart_words), at.value_or(Pose{}),
                           named(increment, {"PoseChart", "increment"}, increment_words));
        }),
        py::arg("kind"), py::arg("at") = py::none(), py::arg("increment") = "body");
  c.def_property_readonly("unknowns", &PoseChart::unknowns, "6 or 7.");
  c.def(
      "coordinates",
      [](const PoseChart& chart, const Pose& T) {
        return to_array(std::span<const double>(chart.coordinates(T)));
      },
      py::arg("T"), "coordinates($self, T)\n--\n\nThe numbers of a pose.");
  c.def(
      "pose",
      [](const PoseChart& chart, const py::object& x) {
        return chart.pose(view(vector_of(x, {"PoseChart", "x"}, chart.unknowns())));
      },
      py::arg("x"), "pose($self, x)\n--\n\nThe pose of these numbers.");
  c.def(
      "evaluate",
      [](const PoseChart& chart, const Stewart& platform, const py::object& lengths,
         const py::object& x) {
        return chart.evaluate(platform, six_numbers(lengths, {"PoseChart", "lengths"}),
                              view(vector_of(x, {"PoseChart", "x"}, chart.unknowns())));
      },
      py::arg("platform"), py::arg("lengths"), py::arg("x"),
      "evaluate($self, platform, lengths, x)\n--\n\nA ChartValue: residual, objective, "
      "derivatives.");
}

int checked_basis(int k, const char* function) {
  if (k < 0 || k > 5)
    throw InputError(std::string(function) + ": k is " + std::to_string(k) + ", needs 0 to 5");
  return k;
}

void bind_rodrigues(py::module_& m) {
  m.def(
      "exp_rodrigues", [](const Twist<double>& s) { return to_array(exp_rodrigues(s)); },
      py::arg("screw"),
      "exp_rodrigues(screw)\n--\n\nThe exponential of a Twist by Rodrigues' formula, (4, 4): "
      "(A2) of Xie, Dai, Liu 2021. exp gives the same as an SE3.");
  m.def(
      "exp_basis",
      [](int k, double x) { return to_array(exp_basis(checked_basis(k, "exp_basis"), x)); },
      py::arg("k"), py::arg("x"),
      "exp_basis(k, x)\n--\n\nexp(x E) of basis screw k = 0 to 5 written out, (4, 4): (9), "
      "corrected.");
  m.def(
      "screw_basis",
      [](int k) { return to_array(screw_basis<double>(checked_basis(k, "screw_basis"))); },
      py::arg("k"), "screw_basis(k)\n--\n\nBasis screw k = 0 to 5 as a matrix, (4, 4): (A1).");
}

}  // namespace

SixNumbers six_numbers(const py::object& object, const Argument& argument) {
  const Array a = checked_array(object, argument, {6});
  SixNumbers x;
  std::copy(a.data(), a.data() + 6, x.begin());
  return x;
}
Array to_array(const SixNumbers& x) { return to_array(std::span<const double>(x)); }

void bind_stewart_methods(py::module_& m) {
  bind_trace(m);
  bind_method_result(m);
  bind_solve_pose(m);
  bind_chart_value(m);
  bind_chart(m);
  bind_rodrigues(m);
}

}  // namespace jounce::python
