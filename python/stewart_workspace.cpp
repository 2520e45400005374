// SPDX-License-Identifier: BSD-3-Clause
// What a Gough-Stewart platform can reach, in Python.
#include <pybind11/stl.h>

#include <jounce/stewart/workspace.hpp>
#include <limits>

#include "bindings.hpp"
#include "stewart_arrays.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// One number for all legs, or six; infinity is a bound that the library has a number for.
SixNumbers bounds_of(const py::object& object, const Argument& argument, double otherwise) {
  SixNumbers x;
  x.fill(otherwise);
  if (object.is_none()) return x;
  if (py::isinstance<py::float_>(object) || py::isinstance<py::int_>(object)) {
    x.fill(checked_number(object.cast<double>(), argument));
    return x;
  }
  return six_numbers(object, argument);
}

StewartLimits limits_of(const Stewart& platform, const py::object& shortest,
                        const py::object& longest, double base_tilt, double platform_tilt,
                        const std::optional<Pose>& home, double least_determinant,
                        int determinant_sign) {
  StewartLimits limits;
  limits.shortest = bounds_of(shortest, {"StewartLimits", "shortest"}, 0);
  limits.longest = bounds_of(longest, {"StewartLimits", "longest"}, 1e100);
  limits.base_tilt = base_tilt;
  limits.platform_tilt = platform_tilt;
  if (home) limits.mounts = platform.mounts_at(*home);
  else if (base_tilt < unlimited || platform_tilt < unlimited)
    throw InputError("StewartLimits: tilts are measured from a pose home, which is missing");
  limits.least_determinant = least_determinant;
  limits.determinant_sign = determinant_sign;
  return limits;
}

void bind_limits(py::module_& m) {
  py::class_<StewartLimits> c(
      m, "StewartLimits",
      "StewartLimits(platform, *, shortest=None, longest=None, base_tilt=inf, platform_tilt=inf, "
      "home=None, least_determinant=0.0, determinant_sign=0)\n\nWhat a pose must respect: "
      "lengths of the legs (one number or six), tilts of their joints from the pose home, "
      "|normalised determinant| and its sign (-1, 0 or 1).");
  c.def(py::init(&limits_of), py::arg("platform"), py::kw_only(), py::arg("shortest") = py::none(),
        py::arg("longest") = py::none(), py::arg("base_tilt") = unlimited,
        py::arg("platform_tilt") = unlimited, py::arg("home") = py::none(),
        py::arg("least_determinant") = 0.0, py::arg("determinant_sign") = 0);
}

using Verdicts = py::array_t<std::uint8_t>;

py::tuple scan_poses_named(const Stewart& platform, const StewartLimits& limits,
                           const std::vector<Pose>& poses) {
  Verdicts verdicts(static_cast<py::ssize_t>(poses.size()));
  Array determinants(static_cast<py::ssize_t>(poses.size()));
  scan_poses(platform, limits, poses, {verdicts.mutable_data(), poses.size()},
             {determinants.mutable_data(), poses.size()});
  return py::make_tuple(verdicts, determinants);
}

py::tuple scan_grid_named(const Stewart& platform, const StewartLimits& limits,
                          const py::object& lower, const py::object& upper,
                          const std::array<int, 3>& points, const std::optional<SO3<double>>& R) {
  WorkspaceGrid grid{R.value_or(SO3<double>{}),
                     checked_vec3(lower, {"scan_grid", "lower"}),
                     checked_vec3(upper, {"scan_grid", "upper"}),
                     points[0],
                     points[1],
                     points[2]};
  const WorkspaceMap map = scan_grid(platform, limits, grid);
  const std::vector<py::ssize_t> shape{points[2], points[1], points[0]};
  return py::make_tuple(Verdicts(shape, map.verdicts.data()),
                        Array(shape, map.determinants.data()));
}

void bind_scans(py::module_& m) {
  m.def("scan_poses", &scan_poses_named, py::arg("platform"), py::arg("limits"), py::arg("poses"),
        "scan_poses(platform, limits, poses)\n--\n\n(verdicts, determinants) of a list of SE3. A "
        "verdict is 0 for a reachable pose, else the sum of 1 (a leg too short), 2 (too long), 4 "
        "(base joint), 8 (platform joint) and 16 (singular).");
  m.def("scan_grid", &scan_grid_named, py::arg("platform"), py::arg("limits"), py::arg("lower"),
        py::arg("upper"), py::arg("points"), py::arg("R") = py::none(),
        "scan_grid(platform, limits, lower, upper, points, R=None)\n--\n\n(verdicts, determinants) "
        "of positions on a regular grid of points = (nx, ny, nz), arrays of shape (nz, ny, nx).");
}

void bind_sample(py::module_& m) {
  py::class_<WorkspaceSample> c(m, "WorkspaceSample", "What sample_workspace found.");
  c.def_readonly("poses", &WorkspaceSample::poses, "How many were drawn.");
  c.def_readonly("reachable", &WorkspaceSample::reachable, "How many are reachable.");
  c.def_property_readonly("share", &WorkspaceSample::share, "Of the poses that are reachable.");
  c.def_property_readonly(
      "by_reason",
      [](const WorkspaceSample& s) { return std::vector<long>(s.by_reason, s.by_reason + 5); },
      "Poses out of reach: too short, too long, base joint, platform joint, singular.");
  c.def_property_readonly(
      "lower", [](const WorkspaceSample& s) { return frozen(to_array(s.lower)); },
      "Lower bound of the reachable positions.");
  c.def_property_readonly(
      "upper", [](const WorkspaceSample& s) { return frozen(to_array(s.upper)); },
      "Upper bound of the reachable positions.");
  m.def(
      "sample_workspace",
      [](const Stewart& platform, const StewartLimits& limits, const py::object& lower,
         const py::object& upper, const py::object& angle_lower, const py::object& angle_upper,
         long poses, std::uint64_t seed) {
        const auto vec3 = [](const py::object& x, const char* name) {
          return checked_vec3(x, {"sample_workspace", name});
        };
        return sample_workspace(
            platform, limits,
            {vec3(lower, "lower"), vec3(upper, "upper"), vec3(angle_lower, "angle_lower"),
             vec3(angle_upper, "angle_upper")},
            poses, seed);
      },
      py::arg("platform"), py::arg("limits"), py::arg("lower"), py::arg("upper"),
      py::arg("angle_lower") = py::make_tuple(0.0, 0.0, 0.0),
      py::arg("angle_upper") = py::make_tuple(0.0, 0.0, 0.0), py::arg("poses") = 1000000,
      py::arg("seed") = 1,
      "sample_workspace(platform, limits, lower, upper, angle_lower=(0.0, 0.0, 0.0), "
      "angle_upper=(0.0, 0.0, 0.0), poses=1000000, seed=1)\n--\n\nA WorkspaceSample of poses drawn "
      "evenly from a box of positions and of angles phi, theta, psi.");
}

Array curves_named(const Stewart& platform, const Pose& origin, const Twist<double>& u,
                   const Twist<double>& v, const std::array<double, 4>& range, int cells) {
  const auto points =
      singularity_curves(platform, {origin, u, v, range[0], range[1], range[2], range[3]}, cells);
  Array out({static_cast<py::ssize_t>(points.size() / 2), py::ssize_t{2}, py::ssize_t{2}});
  double* to = out.mutable_data();
  for (size_t k = 0; k + 1 < points.size(); k += 2)
    for (const SlicePoint& point : {points[k], points[k + 1]}) *to++ = point.s, *to++ = point.t;
  return out;
}

void bind_curves(py::module_& m) {
  m.def(
      "singularity_curves", &curves_named, py::arg("platform"), py::arg("origin"), py::arg("u"),
      py::arg("v"), py::arg("range") = py::make_tuple(-1.0, 1.0, -1.0, 1.0), py::arg("cells") = 100,
      "singularity_curves(platform, origin, u, v, range=(-1.0, 1.0, -1.0, 1.0), cells=100)\n--\n\n"
      "Where the determinant vanishes among the poses that the Twists u and v span from origin: "
      "segments (n, 2, 2) of points (s, t); range is s_min, s_max, t_min, t_max.");
  m.def(
      "has_self_motion", &has_self_motion, py::arg("platform"), py::arg("T"),
      "has_self_motion(platform, T)\n--\n\nWhether the platform can move from here while its legs "
      "are locked.");
}

void bind_path(py::module_& m) {
  py::class_<PathCheck> c(m, "PathCheck", "What check_path found.");
  c.def_readonly("passed", &PathCheck::passed, "Whether the whole path keeps the limits.");
  c.def_readonly("at", &PathCheck::at, "Where from 0 to 1 a limit is broken first.");
  c.def_readonly("reason", &PathCheck::reason, "Which: a sum as of scan_poses.");
  c.def_readonly("least_determinant", &PathCheck::least_determinant,
                 "Smallest |normalised determinant| met.");
  c.def_readonly("evaluations", &PathCheck::evaluations, "Poses looked at.");
  m.def("check_path", &check_path, py::arg("platform"), py::arg("limits"), py::arg("T_0"),
        py::arg("T_1"), py::arg("resolution") = 1e-6,
        "check_path(platform, limits, T_0, T_1, resolution=1e-06)\n--\n\nA PathCheck of T_0 exp(s "
        "log(T_0^-1 T_1)), between its samples too.");
}

}  // namespace

void bind_stewart_workspace(py::module_& m) {
  bind_limits(m);
  bind_scans(m);
  bind_sample(m);
  bind_curves(m);
  bind_path(m);
}

}  // namespace jounce::python
