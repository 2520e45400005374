// SPDX-License-Identifier: BSD-3-Clause
// Geometry and GeometrySensitivity in Python.
#include <pybind11/stl.h>

#include <jounce/geometry_sensitivity.hpp>

#include "calls.hpp"
#include "parameters.hpp"

namespace jounce::python {
namespace {

/// Numbers row by row in an array of n x ... x n.
Array cube(int n, int indices, const double* numbers) {
  const std::vector<py::ssize_t> shape(static_cast<std::size_t>(indices), n);
  return Array(shape, numbers);
}

Array read_any(py::handle x, const Call& call, const char* name) {
  return checked_numbers(x, {call.name, name});
}
word::Word<Array> numbers(const char* name) { return {name, read_any}; }
word::Word<int, int> whole(const char* name, int fallback) {
  return {name, word::read_index, fallback};
}
word::Word<double, double> number(const char* name, double fallback) {
  return {name, word::read_number, fallback};
}

Array tensor_of(const Curvature& R) {
  const int n = R.n();
  Array found(std::vector<py::ssize_t>{n, n, n, n});
  double* to = found.mutable_data();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) *to++ = R(i, j, k, l);
  return found;
}

void add_symbols(py::class_<Geometry>& c) {
  add(
      c, "christoffel",
      [](Geometry& g, const auto& q) { return cube(g.robot().nv(), 3, g.christoffel(q).data()); },
      "Christoffel symbols of the first kind, shape (nv, nv, nv): [i, j, k] has direction i, field "
      "j and the lowered index k; np.einsum('ijk,i->kj', gamma, v) is the Coriolis matrix.",
      "q");
  add(
      c, "second_kind",
      [](Geometry& g, const auto& q) { return cube(g.robot().nv(), 3, g.second_kind(q).data()); },
      "The same with the last index raised: M^-1 times the first kind.", "q");
  add(
      c, "christoffel_derivatives",
      [](Geometry& g, const auto& q) {
        return cube(g.robot().nv(), 4, g.christoffel_derivatives(q).data());
      },
      "How they change, shape (nv, nv, nv, nv): [l, i, j, k] along coordinate l.", "q");
  add(
      c, "structure_constant",
      [](Geometry& g, int i, int j, int k) { return g.structure_constant(i, j, k); },
      "c of [X_i, X_j] = c X_k: zero but inside planar, spherical and free joints.",
      word::index("i"), word::index("j"), word::index("k"));
  add(
      c, "covariant_derivative", [](auto& g, const auto&... x) { g.covariant_derivative(x...); },
      "Ydot + Gamma(v, Y) of a field Y with rate Ydot along a motion through q with velocity v.",
      "q", "v", "Y", "Ydot", word::out);
}

void add_curvature(py::module_& m, py::class_<Geometry>& c) {
  const py::object type =
      named_tuple(m, "Curvature", "Curvature of the kinetic-energy metric at one configuration.",
                  {{"riemann",
                    "Shape (nv, nv, nv, nv), all indices lowered; a unit sphere has [0, 1, 0, 1] = "
                    "+sin^2."},
                   {"ricci", "Its trace over the first and third index, shape (nv, nv)."},
                   {"scalar", "The trace of that."},
                   {"mass", "The metric, shape (nv, nv)."}});
  add(
      c, "curvature",
      [type](Geometry& g, const auto& q) {
        const Curvature R = g.curvature(q);
        return type(tensor_of(R), python::to_array(R.ricci), R.scalar(), python::to_array(R.mass));
      },
      "Curvature (riemann, ricci, scalar, mass). ComputationError where the mass matrix is "
      "singular.",
      "q");
  add(
      c, "sectional",
      [](Geometry& g, const auto& q, const auto& x, const auto& y) {
        return g.curvature(q).sectional(x, y);
      },
      "The curvature of the plane of two velocities x and y.", "q", "x", "y");
}

void add_paths(py::module_& m, py::class_<Geometry>& c) {
  const py::object free = named_tuple(m, "GeodesicPath", "Free motion without gravity.",
                                      {{"times", "Those asked for."},
                                       {"q", "Configurations, shape (nq, times)."},
                                       {"v", "Velocities, shape (nv, times)."},
                                       {"steps", "Taylor steps taken."}});
  add(
      c, "geodesic",
      [free](Geometry& g, const auto& q, const auto& v, const auto& times, double tolerance) {
        const GeodesicPath path = g.geodesic(q, v, times, tolerance);
        return free(path.times, by_columns(path.q), by_columns(path.v), path.steps);
      },
      "The geodesic from q with velocity v at ascending times from 0 on: GeodesicPath (times, q, "
      "v, steps).",
      "q", "v", numbers("times"), number("tolerance", 1e-13));
  const py::object shortest =
      named_tuple(m, "ShortestPath", "A geodesic between two configurations, locally shortest.",
                  {{"times", "Chebyshev points from 0 to 1."},
                   {"q", "The path there, shape (nv, times)."},
                   {"v", "Its velocity there."},
                   {"length", "The integral of sqrt(v M v)."},
                   {"residual", "Largest acceleration that free motion does not have."},
                   {"unevenness", "Of the speed between these points, relative."},
                   {"iterations", "Of Newton's method."},
                   {"converged", "Whether it is a geodesic."}});
  add(
      c, "shortest_path",
      [shortest](Geometry& g, const auto& q0, const auto& q1, int points) {
        const ShortestPath x = g.shortest_path(q0, q1, points);
        return shortest(x.times, by_columns(x.q), by_columns(x.v), x.length, x.residual,
                        x.unevenness, x.iterations, x.converged);
      },
      "A geodesic from q0 to q1, ShortestPath (times, q, v, length, residual, unevenness, "
      "iterations, converged); limits do not count.",
      numbers("q0"), numbers("q1"), whole("points", 41));
}

void add_flatness(py::module_& m, py::class_<Geometry>& c) {
  const py::object flat =
      named_tuple(m, "Flatness", "Whether all curvature vanishes.",
                  {{"flat", "Whether it does."},
                   {"ratio", "Largest curvature over what it is a difference of."},
                   {"q", "Where that is."}});
  add(
      c, "flatness",
      [flat](Geometry& g, int samples, double threshold) {
        const Flatness x = g.flatness(samples, threshold);
        return flat(x.flat, x.ratio, python::to_array(std::span<const double>(x.q)));
      },
      "Flatness (flat, ratio, q) from random configurations.", whole("samples", 8),
      number("threshold", 1e-12));
  const py::object point =
      named_tuple(m, "FlatPoint", "A configuration of a flat robot in flat coordinates.",
                  {{"y", "Coordinates in which free motion is a straight line."},
                   {"N", "dy = N v, N.T @ N = M, shape (nv, nv)."}});
  add(
      c, "flat_coordinates",
      [point](Geometry& g, const auto& q0, const auto& q, int steps) {
        const FlatPoint x = g.flat_coordinates(q0, q, steps);
        return point(python::to_array(std::span<const double>(x.y)), by_columns(x.N));
      },
      "FlatPoint (y, N) of q in coordinates that start at q0.", numbers("q0"), "q",
      whole("steps", 200));
}

/// Y carried along curve(t) -> (q, v).
Array transported(Geometry& g, const py::function& curve, double from, double to, int steps,
                  const py::object& Y) {
  const Array given = vector_of(Y, {"transport", "Y"}, g.robot().nv());
  g.robot().check_v("transport", "Y", view(given));
  const auto call = [&](double t, std::span<double> q, std::span<double> v) {
    const py::tuple state = curve(t);
    if (state.size() != 2) throw py::type_error("transport: curve(t) must give (q, v)");
    for (const auto& [place, out] : {std::pair(0, q), std::pair(1, v)}) {
      const Array x =
          vector_of(state[place], {"transport", place == 0 ? "q" : "v"}, int(out.size()));
      if (std::size_t(x.size()) != out.size())
        throw InputError("transport: curve gives " + std::to_string(x.size()) + " numbers for " +
                         (place == 0 ? "q" : "v") + ", robot \"" + g.robot().name() + "\" needs " +
                         std::to_string(out.size()));
      std::copy_n(x.data(), out.size(), out.data());
    }
  };
  const Eigen::MatrixXd found = g.transport(
      call, from, to, steps, Eigen::Map<const Eigen::VectorXd>(given.data(), given.size()));
  return python::to_array(std::span<const double>(found.data(), std::size_t(found.size())));
}

void bind_geometry_sensitivity(py::module_& m) {
  py::class_<GeometrySensitivity> c(
      m, "GeometrySensitivity",
      "GeometrySensitivity(robot, parameters)\n\n"
      "How the mass matrix and Christoffel symbols depend on parameters, which are as of "
      "Sensitivity. Answers have one more index, the last, for the parameter.");
  c.def(py::init([](Robot robot, const std::vector<GivenParameter>& given) {
          warn_of_loops(robot, "GeometrySensitivity");
          return GeometrySensitivity(std::move(robot), parameters_of(given));
        }),
        py::arg("robot"), py::arg("parameters"));
  c.def_property_readonly("robot", &GeometrySensitivity::robot, py::return_value_policy::copy,
                          "Its Robot.");
  const auto shaped = [](const GeometrySensitivity& s, const dense::Matrix& x, int indices) {
    std::vector<py::ssize_t> shape(std::size_t(indices), s.robot().nv());
    shape.push_back(x.columns);
    Array found(shape);
    double* to = found.mutable_data();
    for (int row = 0; row < x.rows; ++row)
      for (int p = 0; p < x.columns; ++p) *to++ = x(row, p);
    return found;
  };
  add(
      c, {"mass", "mass sensitivity"},
      [shaped](GeometrySensitivity& s, const auto& q) { return shaped(s, s.mass(q), 2); },
      "dM/dp, shape (nv, nv, parameters).", "q");
  add(
      c, {"christoffel", "christoffel sensitivity"},
      [shaped](GeometrySensitivity& s, const auto& q) { return shaped(s, s.christoffel(q), 3); },
      "Derivatives of Geometry.christoffel, shape (nv, nv, nv, parameters).", "q");
}

}  // namespace

void bind_geometry(py::module_& m) {
  auto c = add_door<Geometry>(
      m, "Geometry",
      "The geometry of one robot's kinetic-energy metric, the mass matrix in velocity "
      "coordinates: Geometry(robot).curvature(q).scalar.\n\nThose of one planar, spherical or "
      "free joint do not commute: the first two indices of christoffel are not interchangeable "
      "there. InputError for armature on planar, spherical and free joints.");
  add_symbols(c);
  add_curvature(m, c);
  add_paths(m, c);
  add_flatness(m, c);
  c.def("transport", &transported, py::arg("curve"), py::arg("start"), py::arg("end"),
        py::arg("steps"), py::arg("Y"),
        "transport($self, curve, start, end, steps, Y)\n--\n\nThe velocity Y carried in parallel "
        "along curve(t) -> (q, v) from time start to end.");
  bind_geometry_sensitivity(m);
}

}  // namespace jounce::python
