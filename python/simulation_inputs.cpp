// SPDX-License-Identifier: BSD-3-Clause
// What acts on a simulated robot from time and state, in Python: controllers, wrenches, propellers,
// gravity, the compliant ground.
#include <pybind11/stl.h>

#include "laws.hpp"
#include "representation.hpp"
#include "simulation_parts.hpp"

namespace jounce::python {
namespace {

/// A function of (t, q, v) that gives numbers; how many there are the simulation looks at itself.
Feedback read_feedback(const py::object& law, const char* function, const char* name = "law") {
  require_callable(law, {function, name}, "a function of (t, q, v)");
  return [f = PythonFunction(law), function](double t, Feedback::Numbers q, Feedback::Numbers v) {
    const py::gil_scoped_acquire lock;
    const py::object found = f.get()(t, python::to_array(q), python::to_array(v));
    const Array numbers = vector_of(found, {function, "law(t, q, v)"}, int(v.size()));
    const std::span<const double> all = view(numbers);
    return std::vector<double>(all.begin(), all.end());
  };
}

FeedbackOptions feedback_options(double sample, double delay, const std::optional<double>& rate,
                                 const std::string& name) {
  FeedbackOptions how{.sample = sample, .delay = delay, .name = name};
  if (rate) how.rate_limit = *rate;
  return how;
}
const char* const about_feedback =
    " With sample, in s, it is asked that often, and what it gave is held (0: asked in every stage "
    "of a step); it acts delay s later, and changes by at most rate_limit in a second. name is for "
    "messages.";

/// A method that takes a law and the options of feedback after its other arguments.
template <class Add, class... Arguments>
void add_law(py::class_<Simulation>& c, const char* name, Add add_it, const std::string& doc,
             const Arguments&... arguments) {
  c.def(name, add_it, arguments..., py::arg("sample") = 0.0, py::arg("delay") = 0.0,
        py::arg("rate_limit") = py::none(), py::arg("name") = "", (doc + about_feedback).c_str());
}

void add_controller(py::class_<Simulation>& c) {
  add_law(
      c, "controller",
      [](Simulation& sim, const py::object& law, double sample, double delay,
         std::optional<double> rate_limit, const std::string& name) {
        sim.controller(read_feedback(law, "controller"),
                       feedback_options(sample, delay, rate_limit, name));
      },
      "controller($self, law, *, sample=0.0, delay=0.0, rate_limit=None, name='')\n--\n\nForces of "
      "actuators law(t, q, v), shape (nv,), beside force commands; several add up.",
      py::arg("law"), py::kw_only());
  add_law(
      c, "wrench",
      [](Simulation& sim, const std::string& frame, const py::object& law, const std::string& kind,
         double sample, double delay, std::optional<double> rate_limit, const std::string& name) {
        sim.wrench(frame, read_feedback(law, "wrench"), representation(kind, "wrench"),
                   feedback_options(sample, delay, rate_limit, name));
      },
      "wrench($self, frame, law, *, kind='body', sample=0.0, delay=0.0, rate_limit=None, "
      "name='')\n--\n\nA wrench from outside on a link or frame: law(t, q, v) gives six numbers, "
      "moment first; kind 'body', 'space' or 'hybrid' as of Jacobians.",
      py::arg("frame"), py::arg("law"), py::kw_only(), py::arg("kind") = "body");
  add_law(
      c, "propellers",
      [](Simulation& sim, const std::string& link, const Propellers& propellers,
         const py::object& speeds, double sample, double delay, std::optional<double> rate_limit,
         const std::string& name) {
        sim.propellers(link, propellers, read_feedback(speeds, "propellers", "speeds"),
                       feedback_options(sample, delay, rate_limit, name));
      },
      "propellers($self, link, propellers, speeds, *, sample=0.0, delay=0.0, rate_limit=None, "
      "name='')\n--\n\nPropellers on a link: speeds(t, q, v) gives six of rotors, rad/s.",
      py::arg("link"), py::arg("propellers"), py::arg("speeds"), py::kw_only());
}

void add_surroundings(py::class_<Simulation>& c) {
  c.def(
      "gravity",
      [](Simulation& sim, const py::object& law) {
        require_callable(law, {"gravity", "law"}, "a function of t");
        sim.gravity([f = PythonFunction(law)](double t) {
          const py::gil_scoped_acquire lock;
          return checked_vec3(f.get()(t), {"gravity", "law(t)"});
        });
      },
      py::arg("law"),
      "gravity($self, law)\n--\n\nGravity law(t), shape (3,), m/s^2, instead of the robot's own; "
      "its work counts as from outside.");
  c.def(
      "ground_point",
      [](Simulation& sim, const std::string& frame, double stiffness, double damping,
         double friction, double slip_speed, const py::object& point, const py::object& normal) {
        sim.ground_point(frame, {stiffness,
                                 damping,
                                 friction,
                                 slip_speed,
                                 {checked_vec3(point, {"ground_point", "point"}),
                                  checked_vec3(normal, {"ground_point", "normal"})}});
      },
      py::arg("frame"), py::kw_only(), py::arg("stiffness"), py::arg("damping") = 0.0,
      py::arg("friction") = 0.0, py::arg("slip_speed") = 1e-3,
      py::arg("point") = py::make_tuple(0, 0, 0), py::arg("normal") = py::make_tuple(0, 0, 1),
      "ground_point($self, frame, *, stiffness, damping=0.0, friction=0.0, slip_speed=0.001, "
      "point=(0, 0, 0), normal=(0, 0, 1))\n--\n\nA plane that carries the frame's origin: at depth "
      "d the force is stiffness d (1 + damping d'), N, never a pull, and friction times it along "
      "the plane, times tanh(speed / slip_speed). It is compliant: a load sinks in, and creeps.");
}

}  // namespace

void add_inputs(py::class_<Simulation>& c) {
  add_controller(c);
  add_surroundings(c);
}

}  // namespace jounce::python
