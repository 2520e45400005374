// SPDX-License-Identifier: BSD-3-Clause
// Rigid-body and articulated inertias in Python.
#include <jounce/group/eigen.hpp>

#include "bindings.hpp"
#include "linear_algebra/symmetric.hpp"
#include "value.hpp"

namespace jounce::python {
namespace {

using Body = Inertia<double>;
using Articulated = ArticulatedInertia<double>;
using Pose = SE3<double>;

std::string inertia_text(const Body& G, int digits) {
  return "Inertia(mass=" + text(G.mass, digits) + ", h=" + text(G.h, digits) +
         ", I=" + text(to_matrix(G.I), digits) + ")";
}
std::string articulated_text(const Articulated& G, int digits) {
  return "ArticulatedInertia(A=" + text(to_matrix(G.A), digits) + ", B=" + text(G.B, digits) +
         ", M=" + text(to_matrix(G.M), digits) + ")";
}

Vec3<double> com(const Body& G) {
  if (G.mass == 0) throw InputError("Inertia: mass is 0, com needs a mass");
  return {G.h.x / G.mass, G.h.y / G.mass, G.h.z / G.mass};
}

Articulated articulated_from_matrix(const py::object& matrix) {
  const Argument argument{"ArticulatedInertia", "matrix", ", or an Inertia"};
  const Array a = checked_array(matrix, argument, {6, 6});
  check_symmetric(a.data(), 6, argument);
  const auto block = [&a](int i, int j) {
    Mat3<double> b;
    for (int k = 0; k < 3; ++k) b.row[k] = {a.at(i + k, j), a.at(i + k, j + 1), a.at(i + k, j + 2)};
    return b;
  };
  return {symmetric(block(0, 0)), block(0, 3), symmetric(block(3, 3))};
}

Twist<double> checked_solve(const Articulated& IA, const Wrench<double>& F) {
  Eigen::Matrix<double, 6, 6> values = to_eigen(to_matrix(IA)), axes;
  const double largest_entry = values.cwiseAbs().maxCoeff();
  dense::diagonalise(6, values.data(), axes.data());
  const double smallest = values.diagonal().minCoeff<Eigen::PropagateNaN>();
  if (!(smallest > 1e-15 * largest_entry))
    throw ComputationError("solve: IA has the eigenvalue " + text(smallest, 6) +
                           ", needs a positive definite inertia");
  return solve(IA, F);
}

Body checked_from_parameters(const py::object& parameters) {
  const Array a = checked_array(parameters, {"inertia_from_parameters", "pi"}, {10});
  double pi[10];
  for (int k = 0; k < 10; ++k) pi[k] = a.at(k);
  return inertia_from_parameters(pi);
}
Body checked_from_pseudo(const py::object& matrix) {
  const Argument argument{"inertia_from_pseudo", "J"};
  const Mat4<double> J = checked_mat4(matrix, argument);
  check_symmetric(&J.m[0][0], 4, argument);
  return inertia_from_pseudo(J);
}
Body checked_from_com(double mass, const Pose& T, const py::object& I_c) {
  return inertia_from_com(checked_number(mass, {"inertia_from_com", "mass"}), T,
                          checked_sym3(I_c, {"inertia_from_com", "I_c"}));
}

void bind_inertia_class(py::module_& m) {
  py::class_<Body> c(m, "Inertia",
                     "The inertia of a rigid body in a frame: mass, first moment h = mass * com, "
                     "second moment I about the frame's origin.\n\n"
                     "Inertia()            zero\n"
                     "Inertia(mass, h, I)  from a number, an array (3,) and a symmetric (3, 3) "
                     "matrix\n\nSee inertia_from_com for data about the centre of mass. "
                     "G * V = (I w + h x v, mass v - h x w), a Wrench; G + H, G - H.");
  c.def(py::init<>());
  c.def(py::init([](double mass, const py::object& h, const py::object& I) {
          return Body{checked_number(mass, {"Inertia", "mass"}), checked_vec3(h, {"Inertia", "h"}),
                      checked_sym3(I, {"Inertia", "I"})};
        }),
        py::arg("mass"), py::arg("h"), py::arg("I"));
  c.def_readonly("mass", &Body::mass, "The mass, kg.");
  c.def_property_readonly(
      "h", [](const Body& G) { return frozen(to_array(G.h)); },
      "The first moment mass * com, shape (3,), read-only.");
  c.def_property_readonly(
      "com", [](const Body& G) { return frozen(to_array(com(G))); },
      "The centre of mass in the frame, h / mass, shape (3,), read-only.");
  c.def_property_readonly(
      "I", [](const Body& G) { return frozen(to_array(G.I)); },
      "The second moment about the frame's origin, shape (3, 3), read-only.");
  c.def_property_readonly(
      "matrix", [](const Body& G) { return frozen(to_array(to_matrix(G))); },
      "[I [h]; [h]^T mass 1], shape (6, 6), read-only.");
  c.def(
      "__add__", [](const Body& G, const Body& H) { return G + H; }, py::is_operator(),
      py::arg("other"));
  c.def(
      "__sub__", [](const Body& G, const Body& H) { return G - H; }, py::is_operator(),
      py::arg("other"));
  c.def(
      "__mul__", [](const Body& G, const Twist<double>& V) { return G * V; }, py::is_operator(),
      py::arg("V"));
  add_value_methods(c, &inertia_text);
}

void bind_articulated_class(py::module_& m) {
  py::class_<Articulated> c(m, "ArticulatedInertia",
                            "A symmetric map [A B; B^T M] from twists to wrenches in one frame, as "
                            "a body with free joints behind it has.\n\n"
                            "ArticulatedInertia()         zero\n"
                            "ArticulatedInertia(G)        of a rigid body, an Inertia\n"
                            "ArticulatedInertia(matrix)   from a symmetric (6, 6) matrix\n"
                            "ArticulatedInertia(A, B, M)  from three (3, 3) blocks\n\n"
                            "IA * V = (A w + B v, B^T w + M v), a Wrench; IA + JA.");
  c.def(py::init<>());
  c.def(py::init([](const Body& G) { return Articulated(G); }), py::arg("G"));
  c.def(py::init(&articulated_from_matrix), py::arg("matrix"));
  c.def(py::init([](const py::object& A, const py::object& B, const py::object& M) {
          const char* type = "ArticulatedInertia";
          return Articulated{checked_sym3(A, {type, "A"}), checked_mat3(B, {type, "B"}),
                             checked_sym3(M, {type, "M"})};
        }),
        py::arg("A"), py::arg("B"), py::arg("M"));
  c.def_property_readonly(
      "A", [](const Articulated& G) { return frozen(to_array(G.A)); },
      "The angular block, shape (3, 3), read-only.");
  c.def_property_readonly(
      "B", [](const Articulated& G) { return frozen(to_array(G.B)); },
      "The coupling block, shape (3, 3), read-only.");
  c.def_property_readonly(
      "M", [](const Articulated& G) { return frozen(to_array(G.M)); },
      "The linear block, shape (3, 3), read-only.");
  c.def_property_readonly(
      "matrix", [](const Articulated& G) { return frozen(to_array(to_matrix(G))); },
      "[A B; B^T M], shape (6, 6), read-only.");
  c.def(
      "__add__", [](Articulated G, const Articulated& H) { return G += H; }, py::is_operator(),
      py::arg("other"));
  c.def(
      "__mul__", [](const Articulated& G, const Twist<double>& V) { return G * V; },
      py::is_operator(), py::arg("V"));
  add_value_methods(c, &articulated_text);
}

void bind_changes_of_frame(py::module_& m) {
  m.def(
      "pull_back", [](const Pose& T, const Body& G) { return pull_back(T, G); }, py::arg("T"),
      py::arg("G"),
      "pull_back(T, G)\n--\n\n"
      "Ad*_T G Ad_T: an Inertia or ArticulatedInertia in frame a, seen in frame b, T the pose of "
      "b in a.");
  m.def(
      "pull_back", [](const Pose& T, const Articulated& G) { return pull_back(T, G); },
      py::arg("T"), py::arg("G"));
  m.def(
      "push_forward", [](const Pose& T, const Body& G) { return push_forward(T, G); }, py::arg("T"),
      py::arg("G"),
      "push_forward(T, G)\n--\n\n"
      "Ad*_{T^-1} G Ad_{T^-1}: an Inertia or ArticulatedInertia in frame b, seen in frame a, T the "
      "pose of b in a.");
  m.def(
      "push_forward", [](const Pose& T, const Articulated& G) { return push_forward(T, G); },
      py::arg("T"), py::arg("G"));
  m.def("inertia_from_com", &checked_from_com, py::arg("mass"), py::arg("T"), py::arg("I_c"),
        "inertia_from_com(mass, T, I_c)\n--\n\n"
        "The Inertia, in the frame where the centre-of-mass frame has pose T, of a body with "
        "second moment I_c, shape (3, 3), about and along its centre-of-mass frame.");
}

void bind_inertia_functions(py::module_& m) {
  m.def(
      "kinetic_energy", [](const Body& G, const Twist<double>& V) { return kinetic_energy(G, V); },
      py::arg("G"), py::arg("V"),
      "kinetic_energy(G, V)\n--\n\n<G V, V> / 2, inertia and twist in the same frame.");
  m.def(
      "pseudo_inertia", [](const Body& G) { return to_array(pseudo_inertia(G)); }, py::arg("G"),
      "pseudo_inertia(G)\n--\n\n"
      "[Sigma h; h^T mass], Sigma = tr(I)/2 1 - I, shape (4, 4), in G's frame.\n\n"
      "Positive definite exactly where some body of positive density has this inertia.");
  m.def("inertia_from_pseudo", &checked_from_pseudo, py::arg("J"),
        "inertia_from_pseudo(J)\n--\n\n"
        "The Inertia with pseudo-inertia J, shape (4, 4): I = tr(Sigma) 1 - Sigma.");
  m.def(
      "to_parameters",
      [](const Body& G) {
        double pi[10];
        to_parameters(G, pi);
        return Array(10, pi);
      },
      py::arg("G"),
      "to_parameters(G)\n--\n\n"
      "(mass, h_x, h_y, h_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz) about the frame's origin, shape "
      "(10,).");
  m.def("inertia_from_parameters", &checked_from_parameters, py::arg("pi"),
        "inertia_from_parameters(pi)\n--\n\nThe Inertia with these ten parameters, in the order of "
        "to_parameters.");
}

void bind_articulated_functions(py::module_& m) {
  m.def("solve", &checked_solve, py::arg("IA"), py::arg("F"),
        "solve(IA, F)\n--\n\n"
        "The Twist V with IA V = F, all in one frame, for a positive definite ArticulatedInertia.");
  m.def(
      "minus_outer",
      [](const Articulated& IA, const Wrench<double>& U, double inverse_D) {
        return minus_outer(IA, U, checked_number(inverse_D, {"minus_outer", "inverse_D"}));
      },
      py::arg("IA"), py::arg("U"), py::arg("inverse_D"),
      "minus_outer(IA, U, inverse_D)\n--\n\n"
      "IA - U U^T / D: what remains of an ArticulatedInertia across a free joint, U = IA S, "
      "D = S^T IA S, all in one frame.");
}

}  // namespace

void bind_inertias(py::module_& m) {
  bind_inertia_class(m);
  bind_articulated_class(m);
  bind_changes_of_frame(m);
  bind_inertia_functions(m);
  bind_articulated_functions(m);
}

}  // namespace jounce::python
