// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of the dynamics in Python.
#include "calls.hpp"

namespace jounce::python {
namespace {

Array tensor(const TensorView& T) {
  Array a({T.n, T.n, T.n});
  auto numbers = a.mutable_unchecked<3>();
  for (int l = 0; l < T.n; ++l)
    for (int k = 0; k < T.n; ++k)
      for (int i = 0; i < T.n; ++i) numbers(i, k, l) = T(i, k, l);
  return a;
}
py::tuple matrices(const SecondProductsResult& x) {
  return py::make_tuple(copied(x.dqdq), copied(x.dqdv), copied(x.dvdv), copied(x.dadq));
}

void add_tensors(py::class_<Dynamics>& c) {
  add_call(
      c, "inverse_second_derivatives",
      [](Dynamics& d, const auto&... x) {
        d.reserve_second_derivatives();
        const InverseSecondDerivativesResult found = d.inverse_second_derivatives(x...);
        return py::make_tuple(tensor(found.d2tau_dqdq), tensor(found.d2tau_dqdv),
                              tensor(found.d2tau_dvdv), tensor(found.d2tau_dadq));
      },
      "d2tau/dqdq, /dqdv, /dvdv and /dadq of inverse, each of shape (nv, nv, nv): entry [i, k, l] "
      "is that of tau[i] first along k of the first argument, then along l of the second.",
      "q", "v", "a");
  add_call(
      c, "forward_second_derivatives",
      [](Dynamics& d, const auto&... x) {
        d.reserve_second_derivatives();
        const ForwardSecondDerivativesResult found = d.forward_second_derivatives(x...);
        return py::make_tuple(tensor(found.d2a_dqdq), tensor(found.d2a_dqdv),
                              tensor(found.d2a_dvdv), tensor(found.d2a_dtaudq));
      },
      "d2a/dqdq, /dqdv, /dvdv and /dtaudq of forward, each of shape (nv, nv, nv).", "q", "v",
      "tau");
}

void add_second_products(py::class_<Dynamics>& c) {
  add_call(
      c, "inverse_second_products",
      [](Dynamics& d, const auto&... x) {
        d.reserve_second_derivatives(SecondOrder::products);
        return matrices(d.inverse_second_products(x...));
      },
      "y times the tensors of inverse_second_derivatives, each of shape (nv, nv), without forming "
      "them.",
      "y", "q", "v", "a");
  add_call(
      c, "forward_second_products",
      [](Dynamics& d, const auto&... x) {
        d.reserve_second_derivatives(SecondOrder::products);
        return matrices(d.forward_second_products(x...));
      },
      "y times the tensors of forward_second_derivatives, each of shape (nv, nv), without forming "
      "them.",
      "y", "q", "v", "tau");
}

}  // namespace

void bind_second_derivatives(py::module_& m) {
  auto c = py::reinterpret_borrow<py::class_<Dynamics>>(m.attr("Dynamics"));
  add_tensors(c);
  add_second_products(c);
  c.def(
      "mass_derivatives",
      [](Dynamics& d, Object q) {
        const Vectors x(d.robot(), "mass_derivatives");
        d.reserve_second_derivatives();
        return tensor(d.mass_derivatives(view(x.q(q))));
      },
      py::arg("q"),
      "mass_derivatives($self, q)\n--\n\ndM/dq: [:, :, l] is dM/dq[l], along integrate(q, dv).");
  c.def(
      "mass_second_derivative",
      [](Dynamics& d, Object q, int k, int l) {
        const Vectors x(d.robot(), "mass_second_derivative");
        d.reserve_second_derivatives(SecondOrder::products);
        return copied(d.mass_second_derivative(view(x.q(q)), k, l));
      },
      py::arg("q"), py::arg("k"), py::arg("l"),
      "mass_second_derivative($self, q, k, l)\n--\n\nd2M/(dq[k] dq[l]), first along k.");
}

}  // namespace jounce::python
