// SPDX-License-Identifier: BSD-3-Clause
// Events of simulations in Python, joint stops, frames that land.
#include <pybind11/stl.h>

#include "calls.hpp"
#include "io/names.hpp"
#include "laws.hpp"
#include "robot.hpp"
#include "simulation_parts.hpp"

namespace jounce::python {
namespace {

/// A Moment while an event's function runs; afterwards it says so.
struct PassingMoment {
  const Moment* moment;
  const Robot* robot;

  const Moment& get() const {
    if (moment == nullptr)
      throw InputError("Moment: it lasts as long as the function of its event runs");
    return *moment;
  }
  FrameId frame(const py::object& name) const {
    (void)get();
    return checked_frame(*robot, name, "Moment");
  }
};

/// Ends it, by an error too.
struct Passed {
  PassingMoment& x;
  ~Passed() { x.moment = nullptr; }
};

void bind_moment(py::module_& m) {
  using Shared = std::shared_ptr<PassingMoment>;
  py::class_<PassingMoment, Shared> c(m, "Moment",
                                      "An instant of a motion, as functions of events see it; it "
                                      "lasts as long as they run.");
  c.def_property_readonly(
      "t", [](const PassingMoment& x) { return x.get().t; }, "Time, s.");
  const auto numbers = [&](const char* name, auto get, const char* doc) {
    c.def_property_readonly(
        name, [get](const PassingMoment& x) { return frozen(python::to_array(get(x.get()))); },
        doc);
  };
  numbers(
      "q", [](const Moment& x) { return x.q; }, "Coordinates, shape (nq,).");
  numbers(
      "v", [](const Moment& x) { return x.v; }, "Velocities, shape (nv,).");
  numbers(
      "a", [](const Moment& x) { return x.a(); }, "Accelerations, shape (nv,).");
  numbers(
      "forces", [](const Moment& x) { return x.forces(); }, "Forces of actuators, shape (nv,).");
  c.def(
      "pose",
      [](const PassingMoment& x, const py::object& frame) { return x.get().pose(x.frame(frame)); },
      py::arg("frame"), "pose($self, frame)\n--\n\nThe SE3 pose of a link or frame in the ground.");
  c.def(
      "contact_wrench",
      [](const PassingMoment& x, const py::object& frame) {
        return x.get().contact_wrench(x.frame(frame));
      },
      py::arg("frame"),
      "contact_wrench($self, frame)\n--\n\nThe Wrench of the ground on a frame that it holds, in "
      "ground axes at its origin; zero where it does not.");
}

EventFunction read_event(const py::object& function, const Simulation& sim) {
  require_callable(function, {"event", "function"}, "a function of a Moment");
  return [f = PythonFunction(function), robot = sim.robot()](const Moment& at) {
    const py::gil_scoped_acquire lock;
    const auto passing = std::make_shared<PassingMoment>(&at, &robot);
    const Passed passed{*passing};
    const py::object found = f.get()(passing);
    const Argument argument{"event", "function(moment)"};
    const Array number = checked_numbers(found, argument);
    if (number.size() != 1)
      throw InputError(subject(argument) + " has " + std::to_string(number.size()) +
                       " numbers at t = " + text(at.t) + ", needs one");
    return number.data()[0];
  };
}
/// The state that it gets is the caller's own.
std::function<void(SimulationState&)> read_action(const py::object& action) {
  if (action.is_none()) return {};
  require_callable(action, {"event", "action"}, "a function of a SimulationState");
  return [f = PythonFunction(action)](SimulationState& x) {
    const py::gil_scoped_acquire lock;
    f.get()(py::cast(&x, py::return_value_policy::reference));
  };
}
Crossing crossing_named(const std::string& name) {
  constexpr const char* names[] = {"any", "rising", "falling"};
  for (int k = 0; k < 3; ++k)
    if (name == names[k]) return Crossing(k);
  throw InputError("event: direction is \"" + name +
                   "\", needs \"any\", \"rising\" or \"falling\"");
}
LoopKind kind_named(const std::string& kind, const char* function) {
  const std::optional<LoopKind> known = io::loop_kind(kind);
  if (!known)
    throw InputError(std::string(function) + ": kind is \"" + kind + "\", needs one of " +
                     io::loop_kinds());
  return *known;
}

void add_stops(py::class_<Simulation>& c) {
  c.def("watch_limits", &Simulation::watch_limits, py::arg("stop") = false,
        "watch_limits($self, stop=False)\n--\n\nEvents where joints come to their limits; stop "
        "ends the run there.");
  c.def(
      "stop",
      [](Simulation& sim, const std::string& joint, double restitution, double rest_speed) {
        sim.stop(joint, {restitution, rest_speed});
      },
      py::arg("joint"), py::kw_only(), py::arg("restitution") = 0.0, py::arg("rest_speed") = 1e-3,
      "stop($self, joint, *, restitution=0.0, rest_speed=0.001)\n--\n\nThe joint cannot go beyond "
      "its limits: it comes back (restitution 1: as fast), or rests there until something pulls it "
      "away; what would come back more slowly than rest_speed stays.");
  c.def(
      "stops",
      [](Simulation& sim, double restitution, double rest_speed) {
        sim.stops({restitution, rest_speed});
      },
      py::kw_only(), py::arg("restitution") = 0.0, py::arg("rest_speed") = 1e-3,
      "stops($self, *, restitution=0.0, rest_speed=0.001)\n--\n\nThe same of all joints that have "
      "limits.");
}

void add_landings(py::class_<Simulation>& c) {
  c.def(
      "landing",
      [](Simulation& sim, const std::string& frame, const std::string& kind, double height,
         bool lifts) {
        sim.landing(frame, {kind_named(kind, "landing"), height, lifts});
      },
      py::arg("frame"), py::kw_only(), py::arg("kind") = "point", py::arg("height") = 0.0,
      py::arg("lifts") = true,
      "landing($self, frame, *, kind='point', height=0.0, lifts=True)\n--\n\nA frame that the "
      "ground holds from when its origin comes down to the height, m, after an inelastic impact; "
      "lifts: until the ground would have to pull. kind: 'fixed' or another kind of loop about the "
      "frame's z axis.");
  c.def(
      "attach",
      [](Simulation& sim, SimulationState& state, const py::object& frame,
         const std::string& kind) {
        return sim.attach(
            state, {checked_frame(sim.robot(), frame, "attach"), kind_named(kind, "attach")});
      },
      py::arg("state"), py::arg("frame"), py::arg("kind") = "fixed",
      "attach($self, state, frame, kind='fixed')\n--\n\nThe ground takes hold of a frame at once, "
      "velocities are those after an inelastic impact: its impulse on the frame, a Wrench in "
      "ground axes at its origin.");
  c.def(
      "release",
      [](Simulation& sim, SimulationState& state, const py::object& frame) {
        sim.release(state, checked_frame(sim.robot(), frame, "release"));
      },
      py::arg("state"), py::arg("frame"),
      "release($self, state, frame)\n--\n\nThe ground lets go of a frame; nothing where it does "
      "not hold it.");
}

}  // namespace

void add_events(py::module_& m, py::class_<Simulation>& c) {
  bind_moment(m);
  c.def(
      "event",
      [](Simulation& sim, const std::string& name, const py::object& function,
         const std::string& direction, bool stop, const py::object& action) {
        sim.event(name, read_event(function, sim),
                  {crossing_named(direction), stop, read_action(action)});
      },
      py::arg("name"), py::arg("function"), py::kw_only(), py::arg("direction") = "any",
      py::arg("stop") = false, py::arg("action") = py::none(),
      "event($self, name, function, *, direction='any', stop=False, action=None)\n--\n\nWhere "
      "function(moment), a number, changes sign ('any', 'rising' or 'falling'): RunReport.events "
      "lists it. stop ends the run there; action(state) may change state, commands and contacts.");
  add_stops(c);
  add_landings(c);
}

}  // namespace jounce::python
