// SPDX-License-Identifier: BSD-3-Clause
// The group layer in Python: its types, exp and log, and how poses and twists act.
#include <cmath>
#include <jounce/error.hpp>

#include "array.hpp"
#include "bindings.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;
using Velocity = Twist<double>;

void bind_exp_and_log(py::module_& m) {
  m.def(
      "exp", [](const Velocity& X) { return exp(X); }, py::arg("X"),
      "exp(X)\n--\n\n"
      "exp [X]: the pose after moving with the constant twist X for unit time, an SE3.\n\n"
      "Of a rotation vector of shape (3,): 1 + sin(a)/a [X] + (1 - cos a)/a^2 [X]^2, a = |X|, an "
      "SO3.");
  m.def(
      "exp",
      [](const py::object& w) {
        return exp(checked_vec3(w, {"exp", "X", ", or a Twist"}));
      },
      py::arg("X"));
  m.def(
      "log", [](const Pose& T) { return log(T); }, py::arg("T"),
      "log(T)\n--\n\n"
      "The twist X with exp(X) = T and angle |X.w| <= pi, in body and in space coordinates alike."
      "\n\nOf an SO3 or a unit Quaternion: the rotation vector, shape (3,). At angle pi, one of "
      "two.");
  m.def(
      "log", [](const SO3<double>& R) { return to_array(log(R)); }, py::arg("T"));
}

void bind_inverses(py::module_& m) {
  m.def(
      "inverse", [](const Pose& T) { return inverse(T); }, py::arg("T"),
      "inverse(T)\n--\n\n"
      "T^-1 = (R^T, -R^T p): the pose of a in b where T is the pose of b in a.\n\n"
      "Also of an SO3 (R^T) and of a unit Quaternion (-x, -y, -z, w).");
  m.def(
      "inverse", [](const SO3<double>& R) { return inverse(R); }, py::arg("T"));
  m.def(
      "inverse_times", [](const Pose& T, const Pose& U) { return inverse_times(T, U); },
      py::arg("T"), py::arg("U"),
      "inverse_times(T, U)\n--\n\n"
      "T^-1 U: the pose of c in b where T is the pose of b in a and U the pose of c in a.\n\n"
      "Of an SO3 and a vector of shape (3,): R^T x.");
  m.def(
      "inverse_times",
      [](const SO3<double>& R, const py::object& x) {
        return to_array(inverse_times(R, checked_vec3(x, {"inverse_times", "U"})));
      },
      py::arg("T"), py::arg("U"));
}

/// A Twist from a (4, 4) matrix, an array of three numbers from a (3, 3) one.
py::object checked_vee(const py::object& m) {
  const auto any = py::array::ensure(m);
  if (any && any.ndim() == 2 && any.shape(0) == 4)
    return py::cast(vee(checked_mat4(m, {"vee", "m", " or (3, 3)"})));
  return to_array(vee(checked_mat3(m, {"vee", "m", " or (4, 4)"})));
}

void bind_hat_and_vee(py::module_& m) {
  m.def(
      "hat", [](const Velocity& X) { return to_array(hat(X)); }, py::arg("X"),
      "hat(X)\n--\n\n"
      "[X] = [[w] v; 0 0], shape (4, 4), of a twist X = (w, v).\n\n"
      "Of a vector of shape (3,): the skew-symmetric (3, 3) matrix with hat(X) u = X x u.");
  m.def(
      "hat",
      [](const py::object& w) {
        return to_array(hat(checked_vec3(w, {"hat", "X", ", or a Twist"})));
      },
      py::arg("X"));
  m.def("vee", &checked_vee, py::arg("m"),
        "vee(m)\n--\n\n"
        "The inverse of hat: a Twist from a (4, 4) matrix, a vector (3,) from a (3, 3) one.\n\n"
        "The symmetric part of the rotation block and the last row of a (4, 4) are not read.");
  m.def(
      "dot", [](const Wrench<double>& F, const Velocity& V) { return dot(F, V); }, py::arg("F"),
      py::arg("V"),
      "dot(F, V)\n--\n\n"
      "<F, V> = m.w + f.v: the power of a wrench along a twist, both in the same frame.");
}

void bind_adjoints(py::module_& m) {
  m.def("Ad", &Ad<double, double>, py::arg("T"), py::arg("V"),
        "Ad(T, V)\n--\n\n"
        "Ad_T V = (R w, R v + p x R w): a twist in frame b, seen in frame a, T the pose of b in "
        "a.");
  m.def("Ad_inv", &Ad_inv<double, double>, py::arg("T"), py::arg("V"),
        "Ad_inv(T, V)\n--\n\n"
        "Ad_{T^-1} V = (R^T w, R^T (v - p x w)): a twist in frame a, seen in frame b, T the pose "
        "of b in a.");
  m.def("dual_Ad", &dual_Ad<double, double>, py::arg("T"), py::arg("F"),
        "dual_Ad(T, F)\n--\n\n"
        "Ad*_T F = (R^T (m - p x f), R^T f): a wrench in frame a, seen in frame b, T the pose of "
        "b in a.\n\n<dual_Ad(T, F), V> = <F, Ad(T, V)>.");
  m.def("dual_Ad_inv", &dual_Ad_inv<double, double>, py::arg("T"), py::arg("F"),
        "dual_Ad_inv(T, F)\n--\n\n"
        "Ad*_{T^-1} F = (R m + p x R f, R f): a wrench in frame b, seen in frame a, T the pose of "
        "b in a.");
  m.def("ad", &ad<double, double>, py::arg("V"), py::arg("W"),
        "ad(V, W)\n--\n\n"
        "ad_V W = [V, W] = (w x w', w x v' + v x w'), all three in the same frame.");
  m.def("dual_ad", &dual_ad<double, double>, py::arg("V"), py::arg("F"),
        "dual_ad(V, F)\n--\n\n"
        "ad*_V F = (m x w + f x v, f x w), all three in the same frame.\n\n"
        "<dual_ad(V, F), W> = <F, ad(V, W)>.");
}

template <class Of>
void def_matrix(py::module_& m, const char* name, Mat6<double> (*f)(const Of&),
                const char* argument, const char* doc) {
  m.def(
      name, [f](const Of& x) { return to_array(f(x)); }, py::arg(argument), doc);
}

void bind_matrices(py::module_& m) {
  def_matrix(m, "Ad_matrix", &Ad_matrix<double>, "T",
             "Ad_matrix(T)\n--\n\n[R 0; [p]R R], shape (6, 6): the matrix of V -> Ad(T, V).");
  def_matrix(m, "Ad_inv_matrix", &Ad_inv_matrix<double>, "T",
             "Ad_inv_matrix(T)\n--\n\n"
             "[R^T 0; -R^T[p] R^T], shape (6, 6): the matrix of V -> Ad_inv(T, V).");
  def_matrix(m, "dual_Ad_matrix", &dual_Ad_matrix<double>, "T",
             "dual_Ad_matrix(T)\n--\n\n"
             "Ad_matrix(T)^T, shape (6, 6): the matrix of F -> dual_Ad(T, F).");
  def_matrix(m, "dual_Ad_inv_matrix", &dual_Ad_inv_matrix<double>, "T",
             "dual_Ad_inv_matrix(T)\n--\n\n"
             "Ad_inv_matrix(T)^T, shape (6, 6): the matrix of F -> dual_Ad_inv(T, F).");
  def_matrix(m, "ad_matrix", &ad_matrix<double>, "V",
             "ad_matrix(V)\n--\n\n[[w] 0; [v] [w]], shape (6, 6): the matrix of W -> ad(V, W).");
  def_matrix(m, "dual_ad_matrix", &dual_ad_matrix<double>, "V",
             "dual_ad_matrix(V)\n--\n\n"
             "ad_matrix(V)^T, shape (6, 6): the matrix of F -> dual_ad(V, F).");
  def_matrix(m, "dexp_body_matrix", &dexp_body_matrix<double>, "X",
             "dexp_body_matrix(X)\n--\n\n"
             "The (6, 6) matrix of Y -> dexp_body(X, Y), for a Twist X.");
}

/// dexp is singular where the angle |w| is a multiple of 2 pi other than 0.
void check_invertible(const char* function, const Vec3<double>& w) {
  const double angle = norm(w);
  if (angle > 1 && abs(sin(angle / 2)) < 1e-8)
    throw ComputationError(std::string(function) + ": |w| is " + text(angle, 6) +
                           ", a multiple of 2 pi, where dexp has no inverse");
}

using OnTwists = Velocity (*)(const Velocity&, const Velocity&);
using OnVectors = Vec3<double> (*)(const Vec3<double>&, const Vec3<double>&);

void def_dexp(py::module_& m, const char* name, bool inverse, OnTwists on_twists,
              OnVectors on_vectors, const char* doc) {
  m.def(
      name,
      [=](const Velocity& X, const Velocity& Y) {
        if (inverse) check_invertible(name, X.w);
        return on_twists(X, Y);
      },
      py::arg("X"), py::arg("Y"), doc);
  m.def(
      name,
      [=](const py::object& X, const py::object& Y) {
        const char* hint = "; X and Y are two vectors or two Twists";
        const Vec3<double> w = checked_vec3(X, {name, "X", hint});
        const Vec3<double> u = checked_vec3(Y, {name, "Y", hint});
        if (inverse) check_invertible(name, w);
        return to_array(on_vectors(w, u));
      },
      py::arg("X"), py::arg("Y"));
}

void bind_dexp(py::module_& m) {
  def_dexp(m, "dexp_body", false, &dexp_body<double>, &dexp_body<double>,
           "dexp_body(X, Y)\n--\n\n"
           "T^-1 dT = sum_n (-ad_X)^n Y / (n+1)! for T = exp(X), dX = Y: the body twist.\n\n"
           "Of two Twists, or of two vectors of shape (3,) for SO3.");
  def_dexp(m, "dexp_body_inv", true, &dexp_body_inv<double>, &dexp_body_inv<double>,
           "dexp_body_inv(X, Y)\n--\n\n"
           "dX for T = exp(X) and the body twist Y = T^-1 dT: the inverse of dexp_body(X, .).\n\n"
           "Of two Twists, or of two vectors of shape (3,) for SO3.");
  m.def(
      "dual_dexp_body_inv",
      [](const Velocity& X, const Wrench<double>& F) {
        check_invertible("dual_dexp_body_inv", X.w);
        return dual_dexp_body_inv(X, F);
      },
      py::arg("X"), py::arg("F"),
      "dual_dexp_body_inv(X, F)\n--\n\n"
      "The Wrench with (dual_dexp_body_inv(X, F), Y) = (F, dexp_body_inv(X, Y)) for all Twists Y: "
      "its transpose, of a Twist and a Wrench.");
  def_dexp(m, "dexp_space", false, &dexp_space<double>, &dexp_space<double>,
           "dexp_space(X, Y)\n--\n\n"
           "dT T^-1 = sum_n ad_X^n Y / (n+1)! for T = exp(X), dX = Y: the space twist.\n\n"
           "Of two Twists, or of two vectors of shape (3,) for SO3.");
  def_dexp(m, "dexp_space_inv", true, &dexp_space_inv<double>, &dexp_space_inv<double>,
           "dexp_space_inv(X, Y)\n--\n\n"
           "dX for T = exp(X) and the space twist Y = dT T^-1: the inverse of dexp_space(X, .)."
           "\n\nOf two Twists, or of two vectors of shape (3,) for SO3.");
}

}  // namespace

void bind_group(py::module_& m) {
  bind_rotations(m);
  bind_poses(m);
  bind_inertias(m);
  bind_exp_and_log(m);
  bind_inverses(m);
  bind_hat_and_vee(m);
  bind_adjoints(m);
  bind_matrices(m);
  bind_dexp(m);
}

}  // namespace jounce::python
