// SPDX-License-Identifier: BSD-3-Clause
// All poses of Gough-Stewart platforms in Python.
#include <pybind11/stl.h>

#include <jounce/stewart/all_poses.hpp>

#include "bindings.hpp"
#include "stewart_arrays.hpp"

namespace jounce::python {
namespace {

std::string text_of(bool value) { return value ? "True" : "False"; }

void bind_assembly_mode(py::module_& m) {
  py::class_<AssemblyMode> c(m, "AssemblyMode", "One of the poses that all_poses found.");
  c.def_readonly("pose", &AssemblyMode::pose, "The SE3.");
  c.def_readonly("residual", &AssemblyMode::residual, "The largest error of a leg's length.");
  c.def_readonly("certified", &AssemblyMode::certified,
                 "Proved by an interval Newton test: exactly one pose with these lengths is here.");
  c.def_readonly("reason", &AssemblyMode::reason, "Why it is not certified.");
  c.def_readonly("distance", &AssemblyMode::distance,
                 "From near: lengths, and angles times the platform's size.");
  c.def("__repr__", [](const AssemblyMode& mode) {
    return "AssemblyMode(residual=" + text(mode.residual, 6) +
           ", certified=" + text_of(mode.certified) + ")";
  });
}

void bind_result(py::module_& m) {
  py::class_<AllPoses> c(m, "AllPoses", "What all_poses found.");
  c.def_property_readonly(
      "poses", [](const AllPoses& all) { return all.poses; },
      "A list of AssemblyMode, sorted by distance from near, else from high to low.");
  c.def_readonly("family", &AllPoses::family, "\"general\", \"semi-regular\" or \"paired\".");
  c.def_readonly("paths", &AllPoses::paths, "Poses of almost every platform of that family.");
  c.def_readonly("complex_count", &AllPoses::complex_count,
                 "Different poses found, real and complex.");
  c.def_readonly("at_infinity", &AllPoses::at_infinity, "Paths that end at infinity.");
  c.def_readonly("multiple", &AllPoses::multiple, "Paths that end where others do.");
  c.def_readonly("lost", &AllPoses::lost, "Paths whose end is unknown.");
  c.def_readonly("retracked", &AllPoses::retracked, "Paths followed again, more carefully.");
  c.def_readonly("gammas", &AllPoses::gammas, "How often all paths were followed.");
  c.def_readonly("converged", &AllPoses::converged, "Whether the end of every path is known.");
  c.def_readonly("seconds", &AllPoses::seconds, "How long it took.");
  c.def("__repr__", [](const AllPoses& all) {
    return "AllPoses(" + std::to_string(all.poses.size()) +
           " poses, complex_count=" + std::to_string(all.complex_count) +
           ", converged=" + text_of(all.converged) + ")";
  });
}

AllPoses find_all(const Stewart& platform, const py::object& lengths,
                  const std::optional<SE3<double>>& near, int max_gammas, bool certify) {
  const SixNumbers L = six_numbers(lengths, {"all_poses", "lengths"});
  const py::gil_scoped_release others_may_run;
  return all_poses(platform, L, {near, max_gammas, certify});
}

}  // namespace

void bind_stewart_modes(py::module_& m) {
  m.def("dietmaier_platform", &dietmaier_platform,
        "dietmaier_platform()\n--\n\nThe Stewart with 40 real poses (Dietmaier 1998).");
  m.def(
      "dietmaier_lengths", [] { return to_array(dietmaier_lengths); },
      "dietmaier_lengths()\n--\n\nThe lengths of its legs that have them, shape (6,).");
  bind_assembly_mode(m);
  bind_result(m);
  m.def("all_poses", &find_all, py::arg("platform"), py::arg("lengths"), py::kw_only(),
        py::arg("near") = py::none(), py::arg("max_gammas") = 3, py::arg("certify") = true,
        "all_poses(platform, lengths, *, near=None, max_gammas=3, certify=True)\n--\n\n"
        "An AllPoses: every pose of a Stewart with these lengths, sorted by distance from the SE3 "
        "near. All paths are followed at most max_gammas times.");
}

}  // namespace jounce::python
