// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of frames, the centre of mass, momentum and energy, and of dynamics of higher order,
// in Python.
#include <jounce/series_derivatives.hpp>

#include "series.hpp"

namespace jounce::python {
namespace {

template <class Method>
void add_acceleration(py::class_<Dynamics>& c, const char* name, Method method, const char* doc) {
  c.def(
      name,
      [name, method](Dynamics& d, Object frame, const std::string& kind) {
        const AccelerationDerivativesResult x =
            (d.*method)(checked_frame(d.robot(), frame, name), representation(kind, name));
        return py::make_tuple(copied(x.dq), copied(x.dv), copied(x.da));
      },
      py::arg("frame"), py::arg("kind"), doc);
}

void add_frames(py::class_<Dynamics>& c) {
  c.def(
      "twist_derivatives",
      [](Dynamics& d, Object frame, const std::string& kind) {
        constexpr const char* name = "twist_derivatives";
        const TwistDerivativesResult x =
            d.twist_derivatives(checked_frame(d.robot(), frame, name), representation(kind, name));
        return py::make_tuple(copied(x.dq), copied(x.dv));
      },
      py::arg("frame"), py::arg("kind"),
      "twist_derivatives($self, frame, kind)\n--\n\n"
      "Of a frame's twist ('body', 'space' or 'hybrid') by q and v at the state of the last "
      "kinematics call, each of shape (6, nv).");
  add_acceleration(c, "spatial_acceleration_derivatives",
                   &Dynamics::spatial_acceleration_derivatives,
                   "spatial_acceleration_derivatives($self, frame, kind)\n--\n\n"
                   "Of a frame's spatial acceleration ('body' or 'space') by q, v and a, each of "
                   "shape (6, nv).");
  add_acceleration(
      c, "classical_acceleration_derivatives", &Dynamics::classical_acceleration_derivatives,
      "classical_acceleration_derivatives($self, frame, kind)\n--\n\n"
      "Of a frame's classical acceleration ('body' or 'hybrid') by q, v and a, each of "
      "shape (6, nv).");
}

void add_com(py::class_<Dynamics>& c) {
  c.def(
      "com_derivatives",
      [](Dynamics& d) {
        const ComDerivativesResult x = d.com_derivatives();
        py::dict found;
        found["position_dq"] = copied(x.position_dq);
        found["velocity_dq"] = copied(x.velocity_dq);
        found["velocity_dv"] = copied(x.velocity_dv);
        found["acceleration_dq"] = copied(x.acceleration_dq);
        found["acceleration_dv"] = copied(x.acceleration_dv);
        found["acceleration_da"] = copied(x.acceleration_da);
        return found;
      },
      "com_derivatives($self)\n--\n\n"
      "Of the centre of mass at the state of the last kinematics call: position_dq, velocity_dq, "
      "velocity_dv, acceleration_dq, acceleration_dv, acceleration_da, each of shape (3, nv).");
}

void add_momentum_and_energy(py::class_<Dynamics>& c) {
  add_ground_call(
      c, "momentum_derivatives",
      [](Dynamics& d, const auto&... x) {
        const MomentumDerivativesResult h = d.momentum_derivatives(x...);
        py::dict found;
        found["momentum_dq"] = copied(h.momentum_dq);
        found["momentum_dv"] = copied(h.momentum_dv);
        found["rate_dq"] = copied(h.rate_dq);
        found["rate_dv"] = copied(h.rate_dv);
        found["rate_da"] = copied(h.rate_da);
        return found;
      },
      "Of the momentum about the centre of mass and of its rate: momentum_dq, momentum_dv, "
      "rate_dq, rate_dv, rate_da, each of shape (6, nv).",
      "q", "v", "a");
  add_ground_call(
      c, "energy_derivatives",
      [](Dynamics& d, const auto&... x) {
        const EnergyDerivativesResult e = d.energy_derivatives(x...);
        return py::make_tuple(copied(e.kinetic_dq), copied(e.kinetic_dv), copied(e.potential_dq));
      },
      "Of kinetic energy by q and v and of potential energy by q, each of shape (nv,).", "q", "v");
}

void add_inverse_derivatives(py::class_<SeriesDerivatives>& c) {
  add_series_call(
      c, "inverse_series",
      [](SeriesDerivatives& d, const SeriesAround& x, Object q, Object motion) {
        const Columns columns = columns_of(motion, x.name, "motion");
        return copied(d.inverse_series(view(x.q(q)), matrix(columns), x));
      },
      "tau, tau', ... for a motion v, a, ... of shape (nv, order + 2); force tells derivatives.",
      "q", "motion");
  c.def(
      "force", [](const SeriesDerivatives& d, int r, int s) { return copied(d.force(r, s)); },
      py::arg("r"), py::arg("s"),
      "force($self, r, s)\n--\n\nd tau^(r) / d number s, shape (nv, nv).");
}

void add_forward_derivatives(py::class_<SeriesDerivatives>& c) {
  add_series_call(
      c, "forward_series",
      [](SeriesDerivatives& d, const SeriesAround& x, Object q, Object v, Object taus) {
        const Columns columns = columns_of(taus, x.name, "taus");
        return copied(d.forward_series(view(x.q(q)), view(x.v(v, "v")), matrix(columns), x));
      },
      "The motion that forces of shape (nv, order + 1) give; acceleration tells derivatives.", "q",
      "v", "taus");
  c.def(
      "acceleration",
      [](const SeriesDerivatives& d, int r, int s) { return copied(d.acceleration(r, s)); },
      py::arg("r"), py::arg("s"),
      "acceleration($self, r, s)\n--\n\nd a^(r) / d number s, shape (nv, nv).");
}

void bind_series(py::module_& m) {
  py::class_<SeriesDerivatives> c(
      m, "SeriesDerivatives",
      "First partial derivatives of inverse_series and forward_series up to an order. Number s "
      "counts what a derivative is by: 0 is q, 1 is v, then a, jerk, ... for forces, and tau, "
      "tau', ... for accelerations.");
  c.def(py::init<Robot, int>(), py::arg("robot"), py::arg("order"));
  c.def_property_readonly("robot", &SeriesDerivatives::robot, py::return_value_policy::copy,
                          "Its Robot.");
  c.def_property_readonly("order", &SeriesDerivatives::order, "The highest order.");
  add_inverse_derivatives(c);
  add_forward_derivatives(c);
}

}  // namespace

void bind_kinematics_derivatives(py::module_& m) {
  auto c = py::reinterpret_borrow<py::class_<Dynamics>>(m.attr("Dynamics"));
  add_frames(c);
  add_com(c);
  add_momentum_and_energy(c);
  bind_series(m);
}

}  // namespace jounce::python
