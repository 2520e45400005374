// SPDX-License-Identifier: BSD-3-Clause
// SecondDerivatives in Python.
#include <jounce/second_derivatives.hpp>

#include "calls.hpp"

namespace jounce::python {
namespace {

void add_tensors(py::module_& m, py::class_<SecondDerivatives>& c) {
  using Inverse = InverseSecondDerivatives;
  const auto inverse = record(
      m, "InverseSecondDerivatives",
      "Second derivatives of the forces of inverse dynamics, shape (nv, nv, nv) each: [i, k, l] is "
      "that of tau[i] first along k of the first argument, then along l of the second.",
      Field{"dqdq", &Inverse::dqdq, "By q and q."}, Field{"dqdv", &Inverse::dqdv, "By q and v."},
      Field{"dvdv", &Inverse::dvdv, "By v and v."},
      Field{"dadq", &Inverse::dadq, "By a and q: [:, :, l] is dM/dq[l]."});
  add(c, {"inverse", "inverse_second_derivatives"},
      as(inverse, [](auto& d, const auto&... x) { return d.inverse(x...); }),
      "Second derivatives of Dynamics.inverse, InverseSecondDerivatives (dqdq, dqdv, dvdv, dadq).",
      "q", "v", "a", word::around);
  using Forward = ForwardSecondDerivatives;
  const auto forward = record(
      m, "ForwardSecondDerivatives",
      "Second derivatives of the accelerations of forward dynamics, shape (nv, nv, nv) each; those "
      "by v and tau, and twice by tau, are zero.",
      Field{"dqdq", &Forward::dqdq, "By q and q."}, Field{"dqdv", &Forward::dqdv, "By q and v."},
      Field{"dvdv", &Forward::dvdv, "By v and v."},
      Field{"dtaudq", &Forward::dtaudq, "By tau and q: [:, :, l] is d(M^-1)/dq[l]."});
  add(c, {"forward", "forward_second_derivatives"},
      as(forward, [](auto& d, const auto&... x) { return d.forward(x...); }),
      "Second derivatives of Dynamics.forward, ForwardSecondDerivatives (dqdq, dqdv, dvdv, "
      "dtaudq).",
      "q", "v", "tau", word::around);
}

void add_second_products(py::module_& m, py::class_<SecondDerivatives>& c) {
  using Sums = SecondProducts;
  const auto products =
      record(m, "SecondProducts", "y times tensors of second derivatives, shape (nv, nv) each.",
             Field{"dqdq", &Sums::dqdq, "By q and q."}, Field{"dqdv", &Sums::dqdv, "By q and v."},
             Field{"dvdv", &Sums::dvdv, "By v and v."},
             Field{"dadq", &Sums::dadq, "By a and q; of forward dynamics by tau and q."});
  add(c, {"inverse_products", "inverse_second_products"},
      as(products, [](auto& d, const auto&... x) { return d.inverse_products(x...); }),
      "y times the tensors of inverse, without forming them, SecondProducts (dqdq, dqdv, dvdv, "
      "dadq).",
      "y", "q", "v", "a", word::around);
  add(c, {"forward_products", "forward_second_products"},
      as(products, [](auto& d, const auto&... x) { return d.forward_products(x...); }),
      "y times the tensors of forward, without forming them, SecondProducts (dqdq, dqdv, dvdv, "
      "dadq), the last by tau and q.",
      "y", "q", "v", "tau", word::around);
}

}  // namespace

void bind_second_derivatives(py::module_& m) {
  auto c = add_door<SecondDerivatives>(
      m, "SecondDerivatives",
      "Second partial derivatives of one robot's inverse and forward dynamics and mass matrix: "
      "SecondDerivatives(robot).inverse(q, v, a).dqdq[i, k, l].\n\n"
      "Columns along q are along integrate(q, dv). Along q[k] and q[l] of one planar, spherical or "
      "free joint the order matters. Answers are named tuples of arrays that belong to the caller, "
      "in Fortran order.");
  add_tensors(m, c);
  add_second_products(m, c);
  add(
      c, {"mass", "mass_derivatives"},
      [](SecondDerivatives& d, const auto& q) {
        return handed_over<MassDerivatives>(
            d.robot().nv(), [](const MassDerivatives& x) { return x.slice(0).data(); }, d.mass(q));
      },
      "dM/dq, shape (nv, nv, nv): [:, :, l] is dM/dq[l].", "q");
  add(
      c, {"mass_second", "mass_second_derivative"},
      [](auto& d, const auto&... x) { return d.mass_second(x...); },
      "d2M/(dq[k] dq[l]), first along k, then along l, shape (nv, nv).", "q", word::index("k"),
      word::index("l"));
}

}  // namespace jounce::python
