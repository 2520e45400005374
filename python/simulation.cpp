// SPDX-License-Identifier: BSD-3-Clause
// Simulation, its states, records and reports in Python.
//
// Runs do not hold the interpreter's lock; what they call of Python takes it.
#include <pybind11/stl.h>

#include <chrono>
#include <jounce/record_io.hpp>

#include "calls.hpp"
#include "files.hpp"
#include "laws.hpp"
#include "simulation_parts.hpp"

namespace jounce::python {

template <>
inline constexpr bool closes_loops<Simulation> = true;

namespace {

constexpr std::pair<LoopRepair, const char*> repair_names[] = {
    {LoopRepair::project, "project"}, {LoopRepair::baumgarte, "baumgarte"}};

LoopRepair repair_named(const std::string& name) {
  for (const auto& [repair, known] : repair_names)
    if (name == known) return repair;
  throw InputError("Simulation: loops is \"" + name + "\", needs \"project\" or \"baumgarte\"");
}

/// Asks the interpreter for signals a few times a second, and the caller's function every time.
class Watch {
 public:
  explicit Watch(const py::object& watch) {
    if (!watch.is_none()) watch_.emplace(watch);
  }
  bool operator()(const SimulationState& x) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point now = Clock::now();
    if (!watch_ && now - asked_ < std::chrono::milliseconds(50)) return true;
    asked_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!watch_) return true;
    const py::object answer = watch_->get()(py::cast(x));  // a copy, which may be kept
    const int yes = answer.is_none() ? 1 : PyObject_IsTrue(answer.ptr());
    if (yes < 0) throw py::error_already_set();
    return yes != 0;
  }

 private:
  std::optional<PythonFunction> watch_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

RunReport run_simulation(Simulation& sim, SimulationState& x, double until, Record* record,
                         double every, const py::object& watch, bool energy) {
  const RunOptions options{.every = every, .watch = Watch(watch), .energy = energy};
  const py::gil_scoped_release unlocked;
  return record == nullptr ? sim.run(x, until, options) : sim.run(x, until, *record, options);
}

Array rows_of(const Record& record, std::span<const double> (Record::*row)(int) const, int width) {
  Array found({record.size(), width});
  for (int i = 0; i < record.size(); ++i)
    std::copy_n((record.*row)(i).data(), width, found.mutable_data() + std::ptrdiff_t(width) * i);
  return frozen(std::move(found));
}

/// A change from outside: what was known about the motion does not hold.
void set_numbers(SimulationState& x, std::vector<double>& to, const py::object& given,
                 const char* name) {
  const Array numbers =
      checked_array(given, {"SimulationState", name}, {static_cast<py::ssize_t>(to.size())});
  to.assign(numbers.data(), numbers.data() + numbers.size());
  x.has_a = false;
  x.moves = 0;
}

void bind_state(py::module_& m) {
  py::class_<SimulationState> c(m, "SimulationState",
                                "All that a simulation goes on from, made by Simulation.start; a "
                                "copy of it goes on to the same bits.");
  c.def_readonly("t", &SimulationState::t, "Time, s.");
  const auto numbers = [&](const char* name, std::vector<double> SimulationState::*member,
                           const char* doc) {
    c.def_property(
        name,
        [member](const SimulationState& x) {
          return frozen(python::to_array(std::span<const double>(x.*member)));
        },
        [member, name](SimulationState& x, const py::object& given) {
          set_numbers(x, x.*member, given, name);
        },
        doc);
  };
  numbers("q", &SimulationState::q, "Coordinates, shape (nq,); a copy, and may be set.");
  numbers("v", &SimulationState::v, "Velocities, shape (nv,); a copy, and may be set.");
  c.def_readonly("next_step", &SimulationState::next_step,
                 "The length that step control tries next, s; 0 where it has not begun.");
  c.def_readonly(
      "stiff", &SimulationState::stiff,
      "Whether the motion is stiff: 'auto' has rodas4 at work, 'dopri5' and 'dop853' go on.");
  c.def(
      "copy", [](const SimulationState& x) { return x; }, "copy($self)\n--\n\nAnother one.");
}

void bind_record(py::module_& m) {
  py::class_<Record> c(m, "Record",
                       "Record(robot)\n\n"
                       "A motion at times, one row for each. Arrays are read-only copies.");
  c.def(py::init<Robot>(), py::arg("robot"));
  c.def_property_readonly("robot", &Record::robot, py::return_value_policy::copy, "Its Robot.");
  c.def("__len__", &Record::size, "__len__($self)\n--\n\nHow many rows there are.");
  c.def_property_readonly(
      "t", [](const Record& x) { return frozen(python::to_array(x.t())); },
      "Times in s, shape (T,).");
  c.def_property_readonly(
      "q", [](const Record& x) { return rows_of(x, &Record::q, x.robot().nq()); },
      "Coordinates, shape (T, nq).");
  const auto by_velocity = [&](const char* name, std::span<const double> (Record::*row)(int) const,
                               const char* doc) {
    c.def_property_readonly(
        name, [row](const Record& x) { return rows_of(x, row, x.robot().nv()); }, doc);
  };
  by_velocity("v", &Record::v, "Velocities, shape (T, nv).");
  by_velocity("a", &Record::a, "Accelerations, shape (T, nv).");
  by_velocity("tau", &Record::tau,
              "Forces of actuators, N m or N, shape (T, nv): commanded, or what prescribed motion "
              "takes.");
  c.def(
      "save",
      [](const Record& x, const std::string& path) {
        save(path, write_record(x, record_format(path)));
      },
      py::arg("path"),
      "save($self, path)\n--\n\nWrites a file, whole or not at all: .json, .npz (numpy.load has t, "
      "q, v, a, tau, q_names, v_names), CSV otherwise. OSError where it does not arrive.");
}

void bind_files(py::module_& m) {
  m.def("load_record", &load_record, py::arg("robot"), py::arg("path"),
        "load_record(robot, path)\n--\n\nA Record from a file that Record.save wrote, to the same "
        "bits; of NPZ also from one of numpy.savez.");
  m.def(
      "save_checkpoint",
      [](const Robot& robot, const SimulationState& state, const std::string& path) {
        save(path, write_checkpoint(robot, state));
      },
      py::arg("robot"), py::arg("state"), py::arg("path"),
      "save_checkpoint(robot, state, path)\n--\n\nWrites a SimulationState as JSON: a run goes on "
      "from it to the same bits. OSError where it does not arrive.");
  m.def("load_checkpoint", &load_checkpoint, py::arg("robot"), py::arg("path"),
        "load_checkpoint(robot, path)\n--\n\nThe SimulationState that save_checkpoint wrote.");
}

auto report_type(py::module_& m) {
  return record(
      m, "RunReport", "What a run was like.",
      Field{"end",
            [](const RunReport& x) {
              constexpr const char* names[] = {"time", "watch", "event"};
              return names[static_cast<int>(x.end)];
            },
            "'time' where the end was reached, 'watch' where watch said no, 'event' where one "
            "stopped the run."},
      Field{"steps", &RunReport::steps, "Steps taken."},
      Field{"rejected", &RunReport::rejected, "Steps tried and not taken."},
      Field{"evaluations", &RunReport::evaluations, "Of accelerations, or of their series."},
      Field{"energy_drift", &RunReport::energy_drift,
            "The largest |E - E_0 - work of commands, dampers and outside wrenches|, of the "
            "largest kinetic energy."},
      Field{"largest_kinetic", &RunReport::largest_kinetic, "Kinetic energy, J."},
      Field{"impact_energy", &RunReport::impact_energy,
            "What impacts and actions of events added, J; not in the drift."},
      Field{"constraint_violation", &RunReport::constraint_violation,
            "How far loops were open at most, m and sines of angles."},
      Field{"seconds", &RunReport::seconds, "Of computing."},
      Field{"stiff_time", &RunReport::stiff_time,
            "When the motion was first found stiff, s; -1: never."},
      Field{"stiff_coordinate", &RunReport::stiff_coordinate,
            "The velocity coordinate to blame; -1: none."},
      Field{"events",
            [](const RunReport& x) {
              std::vector<std::pair<double, std::string>> all;
              for (const EventReport& one : x.events) all.emplace_back(one.t, one.name);
              return all;
            },
            "(t, name) of each that took place."},
      Field{"limits",
            [](const RunReport& x) {
              std::vector<std::tuple<double, int, bool, double>> all;
              for (const LimitReport& one : x.limits)
                all.emplace_back(one.t, one.coordinate, one.upper, one.excess);
              return all;
            },
            "(t, velocity coordinate, upper, excess) of each limit of position that was passed: "
            "when first, and the most that it was."});
}

void add_runs(py::module_& m, py::class_<Simulation>& c) {
  c.def(
      "start",
      [](Simulation& sim, const py::object& q, const py::object& v, double t,
         std::optional<double> reach) {
        return sim.start(view(vector_of(q, {"start", "q"}, sim.robot().nq())),
                         view(vector_of(v, {"start", "v"}, sim.robot().nv())), t,
                         reach.value_or(std::numeric_limits<double>::infinity()));
      },
      py::arg("q"), py::arg("v"), py::arg("t") = 0.0, py::arg("reach") = py::none(),
      "start($self, q, v, t=0.0, reach=None)\n--\n\nA SimulationState: loops closed near q, shape "
      "(nq,), v, shape (nv,), made to suit them. ComputationError where loops cannot be closed, or "
      "not within reach (rad, m).");
  c.def(
      "run",
      [as_tuple = report_type(m)](Simulation& sim, SimulationState& state, double until,
                                  Record* record, double every, const py::object& watch,
                                  bool energy) {
        return as_tuple(run_simulation(sim, state, until, record, every, watch, energy));
      },
      py::arg("state"), py::arg("until"), py::arg("record") = py::none(), py::kw_only(),
      py::arg("every") = 0.0, py::arg("watch") = py::none(), py::arg("energy") = true,
      "run($self, state, until, record=None, *, every=0.0, watch=None, energy=True)\n--\n\n"
      "Moves the state to the time until, s: RunReport. Rows go to the record, every so many "
      "seconds, or after every step (0). watch(state) is asked after every step; False ends the "
      "run. Errors, ctrl-C too, leave state and record where the run came to.");
  c.def("step", &Simulation::step, py::arg("state"), py::arg("h"),
        py::call_guard<py::gil_scoped_release>(),
        "step($self, state, h)\n--\n\nMoves the state by one step of at most h seconds: its "
        "length.");
  c.def(
      "command",
      [](Simulation& sim, const std::string& joint, Command command, std::optional<double> from) {
        sim.command(joint, std::move(command),
                    from.value_or(-std::numeric_limits<double>::infinity()));
      },
      py::arg("joint"), py::arg("command"), py::arg("from_") = py::none(),
      "command($self, joint, command, from_=None)\n--\n\nWhat a joint does from a time on (s), "
      "until a later command takes over: 'joint', or 'joint:k' for one of several coordinates. "
      "Without a command its actuator gives no force.");
}

}  // namespace

void bind_simulation(py::module_& m) {
  bind_laws(m);
  bind_state(m);
  bind_record(m);
  bind_files(m);
  py::class_<Simulation> c(
      m, "Simulation",
      "Simulation(robot, *, integrator='auto', tol=0.0, step=0.0, order=0, passive=True, "
      "gravity=True, effort_limits=False, loops='project', baumgarte_rate=20.0)\n\n"
      "Motion of a robot in time, its loops closed. integrator: 'auto' (dop853, and rodas4 where "
      "the motion is stiff), 'semi_implicit', 'rk4', 'rkmk4', 'dopri5', 'dop853', 'rodas4', "
      "'variational' or 'taylor'; tol is the error of a step (rad, m; 0: 1e-8, of rodas4 1e-6), "
      "step a fixed length in s, order that of 'taylor' (2 to 17; 0: from tol) or "
      "'variational' (2 or 4; 0: 4). With effort_limits "
      "motors give no more than the robot's limits say.");
  c.def(py::init([](Robot robot, const std::string& integrator, double tol, double step, int order,
                    bool passive, bool gravity, bool effort_limits, const std::string& loops,
                    double baumgarte_rate) {
          return Simulation(std::move(robot), {.integrator = integrator_named(integrator),
                                               .tol = tol,
                                               .step = step,
                                               .order = order,
                                               .passive = passive,
                                               .gravity = gravity,
                                               .effort_limits = effort_limits,
                                               .loops = repair_named(loops),
                                               .baumgarte_rate = baumgarte_rate});
        }),
        py::arg("robot"), py::kw_only(), py::arg("integrator") = "auto", py::arg("tol") = 0.0,
        py::arg("step") = 0.0, py::arg("order") = 0, py::arg("passive") = true,
        py::arg("gravity") = true, py::arg("effort_limits") = false, py::arg("loops") = "project",
        py::arg("baumgarte_rate") = 20.0);
  c.def_property_readonly("robot", &Simulation::robot, py::return_value_policy::copy, "Its Robot.");
  c.def_property_readonly(
      "integrator", [](const Simulation& x) { return name(x.options().integrator); },
      "The name of its integrator.");
  c.def_property_readonly(
      "tol", [](const Simulation& x) { return x.options().tol; }, "The error of a step.");
  c.def_property_readonly(
      "step_length", [](const Simulation& x) { return x.options().step; },
      "Of fixed steps, s; 0 where they are chosen.");
  add_runs(m, c);
  add_inputs(c);
  add_events(m, c);
}

}  // namespace jounce::python
