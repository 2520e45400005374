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

Propellers make_propellers(const py::object& position, const py::object& axis,
                           const py::object& thrust, const py::object& drag,
                           const py::object& spin) {
  const char* const who = "Propellers";
  const Array x = checked_array(position, {who, "position"}, {6, 3});
  const Array z = checked_array(axis, {who, "axis"}, {6, 3});
  const Array f = checked_array(thrust, {who, "thrust"}, {6});
  const Array d = checked_array(drag, {who, "drag"}, {6}),
              s = checked_array(spin, {who, "spin"}, {6});
  std::vector<Propeller> all;
  for (py::ssize_t k = 0; k < 6; ++k) {
    if (std::abs(s.at(k)) != 1)
      throw InputError("Propellers: spin[" + std::to_string(k) + "] is " + text(s.at(k)) +
                       ", needs 1 or -1");
    all.push_back({{x.at(k, 0), x.at(k, 1), x.at(k, 2)},
                   {z.at(k, 0), z.at(k, 1), z.at(k, 2)},
                   f.at(k),
                   d.at(k),
                   int(s.at(k))});
  }
  return Propellers(std::move(all));
}

void bind_propellers(py::module_& m) {
  py::class_<Propellers> c(
      m, "Propellers",
      "Propellers(position, axis, thrust, drag, spin)\n\n"
      "Six propellers fixed to a body: places and unit axes of thrust, shape (6, 3); thrust (N "
      "s^2), drag (N m s^2) and spin (1 or -1), shape (6,).");
  c.def(py::init(&make_propellers), py::arg("position"), py::arg("axis"), py::arg("thrust"),
        py::arg("drag"), py::arg("spin"));
  c.def(
      "wrench",
      [](const Propellers& x, const py::object& speeds) {
        const Array w = checked_array(speeds, {"wrench", "speeds"}, {6});
        const Eigen::Matrix<double, 6, 1> F =
            x.wrench(Eigen::Map<const Eigen::VectorXd>(w.data(), 6));
        return python::to_array(std::span<const double>(F.data(), 6));
      },
      py::arg("speeds"),
      "wrench($self, speeds)\n--\n\nThe wrench on the body, shape (6,), moment first, at speeds in "
      "rad/s, shape (6,).");
  c.def(
      "speeds",
      [](const Propellers& x, const py::object& wrench) {
        const Array given = checked_array(wrench, {"speeds", "wrench"}, {6});
        std::vector<double> numbers(given.data(), given.data() + 6);
        x.to_speeds(numbers);
        return python::to_array(std::span<const double>(numbers));
      },
      py::arg("wrench"),
      "speeds($self, wrench)\n--\n\nThe speeds that give a wrench, shape (6,). ComputationError "
      "where a propeller would have to pull backwards.");
  m.def(
      "tilted_hexarotor", &tilted_hexarotor, py::arg("arm"), py::arg("height"), py::arg("tilt"),
      py::arg("thrust"), py::arg("drag"),
      "tilted_hexarotor(arm, height, tilt, thrust, drag)\n--\n\nPropellers around the z axis, the "
      "first on +x, tilted about their arms by +tilt and -tilt (rad) and spinning + and - in "
      "turn.");
}

}  // namespace

void add_inputs(py::module_& m, py::class_<Simulation>& c) {
  bind_propellers(m);
  add_controller(c);
  add_surroundings(c);
}

}  // namespace jounce::python
