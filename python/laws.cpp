// SPDX-License-Identifier: BSD-3-Clause
// PiecewisePolynomial and Command in Python.
#include "laws.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace jounce::python {
namespace {

/// What a function of time gave, as one number.
double law_value(const PythonFunction& f, double t, const char* function) {
  const py::gil_scoped_acquire lock;
  const py::object found = f.get()(t);
  const Argument argument{function, "law(t)"};
  const Array numbers = checked_numbers(found, argument);
  if (numbers.size() != 1)
    throw InputError(subject(argument) + " has " + std::to_string(numbers.size()) +
                     " numbers at t = " + text(t) + ", needs one");
  return numbers.data()[0];
}

/// q, v and a of a joint from what a function of time gave.
void joint_motion(const PythonFunction& f, double t, std::span<double> q, std::span<double> v,
                  std::span<double> a) {
  const py::gil_scoped_acquire lock;
  const py::object found = f.get()(t);
  if (!py::isinstance<py::sequence>(found) || py::len(found) != 3)
    throw py::type_error("Command.trajectory: law(t) needs a tuple (q, v, a)");
  const std::span<double> parts[] = {q, v, a};
  const char* const names[] = {"law(t)[0]", "law(t)[1]", "law(t)[2]"};
  for (py::size_t k = 0; k < 3; ++k) {
    const Argument argument{"Command.trajectory", names[k]};
    const Array numbers = checked_numbers(found[py::int_(k)], argument);
    if (std::size_t(numbers.size()) != parts[k].size())
      throw InputError(subject(argument) + " has " + std::to_string(numbers.size()) +
                       " numbers at t = " + text(t) + ", needs " + std::to_string(parts[k].size()));
    std::copy_n(numbers.data(), numbers.size(), parts[k].data());
  }
}

Command trajectory_command(const py::object& law) {
  if (py::isinstance<PosePath>(law)) return Command::trajectory(law.cast<PosePath>());
  if (py::isinstance<PiecewisePolynomial>(law) || !PyCallable_Check(law.ptr()))
    return Command::trajectory(read_law(law, "Command.trajectory"));
  return Command::trajectory(Command::JointLaw(
      [f = PythonFunction(law)](double t, std::span<double> q, std::span<double> v,
                                std::span<double> a) { joint_motion(f, t, q, v, a); }));
}

Array polynomial_derivatives(const PiecewisePolynomial& x, double t, int count) {
  if (count < 1) throw InputError("derivatives: count is " + std::to_string(count) + ", needs 1");
  std::vector<double> found(static_cast<std::size_t>(count));
  x.derivatives(checked_number(t, {"derivatives", "t"}), found);
  return python::to_array(std::span<const double>(found));
}

void bind_polynomials(py::module_& m) {
  py::class_<PiecewisePolynomial> c(
      m, "PiecewisePolynomial",
      "PiecewisePolynomial(times, coefficients)\n\n"
      "A law of time whose derivatives are known: piece k runs from times[k] to times[k + 1] s, "
      "with coefficients[k] of powers of t - times[k]. As a command it rests before its first and "
      "after its last time.");
  c.def(py::init<std::vector<double>, std::vector<std::vector<double>>>(), py::arg("times"),
        py::arg("coefficients"));
  c.def("__call__", &PiecewisePolynomial::operator(), py::arg("t"),
        "__call__($self, t)\n--\n\nThe value at time t, in s.");
  c.def("derivatives", &polynomial_derivatives, py::arg("t"), py::arg("count"),
        "derivatives($self, t, count)\n--\n\nThe value and its derivatives at time t, shape "
        "(count,).");
  c.def_property_readonly(
      "times", [](const PiecewisePolynomial& x) { return frozen(python::to_array(x.times())); },
      "Where pieces begin and the last one ends, in s.");
  m.def(
      "minimum_derivative_spline",
      [](const std::vector<double>& points, const std::vector<double>& times, int s) {
        return minimum_derivative_spline(points, times, s);
      },
      py::arg("points"), py::arg("times"), py::arg("s") = 4,
      "minimum_derivative_spline(points, times, s=4)\n--\n\nPiecewisePolynomial through points "
      "at times (s) with the least integral of the square of derivative s: 2 is the cubic spline, "
      "3 minimum jerk, 4 minimum snap; it starts and ends at rest.");
}

Array path_twists(const PosePath& x, double t, int count) {
  if (count < 1) throw InputError("twists: count is " + std::to_string(count) + ", needs 1");
  std::vector<Twist<double>> found(static_cast<std::size_t>(count));
  x.twists(checked_number(t, {"twists", "t"}), found);
  Array rows({count, 6});
  double* to = rows.mutable_data();
  for (const Twist<double>& V : found)
    for (const double one : {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}) *to++ = one;
  return rows;
}

void bind_pose_path(py::module_& m) {
  py::class_<PosePath> c(m, "PosePath",
                         "PosePath(start, goal, progress)\n\n"
                         "A motion from one SE3 pose to another along one screw: progress, a "
                         "PiecewisePolynomial, goes from 0 to 1.");
  c.def(py::init<const SE3<double>&, const SE3<double>&, PiecewisePolynomial>(), py::arg("start"),
        py::arg("goal"), py::arg("progress"));
  c.def("pose", &PosePath::pose, py::arg("t"),
        "pose($self, t)\n--\n\nThe SE3 pose at time t, in s.");
  c.def("twists", &path_twists, py::arg("t"), py::arg("count") = 1,
        "twists($self, t, count=1)\n--\n\nThe body twist and its derivatives at time t, shape "
        "(count, 6), angular first.");
}

}  // namespace

void require_callable(const py::object& function, const Argument& argument, const char* needs) {
  if (PyCallable_Check(function.ptr()) == 0)
    throw py::type_error(subject(argument) + " needs " + needs + ", not " + type_name(function));
}

Law read_law(const py::object& law, const char* function) {
  if (py::isinstance<PiecewisePolynomial>(law)) return law.cast<PiecewisePolynomial>();
  if (PyCallable_Check(law.ptr()) != 0)
    return Law::Function(
        [f = PythonFunction(law), function](double t) { return law_value(f, t, function); });
  if (!py::isinstance<py::float_>(law) && PyIndex_Check(law.ptr()) == 0 &&
      !py::hasattr(law, "__float__"))
    throw py::type_error(std::string(function) +
                         ": law needs a number, a PiecewisePolynomial or a function of t, not " +
                         type_name(law));
  return checked_number(law.cast<double>(), {function, "law"});
}

void bind_laws(py::module_& m) {
  bind_polynomials(m);
  bind_pose_path(m);
  py::class_<Command> c(
      m, "Command",
      "What a joint of a Simulation is told to do: Command.force(law), Command.acceleration(law) "
      "or Command.trajectory(law). A law is a number, a PiecewisePolynomial or a function of the "
      "time t in s.");
  c.def_static(
      "force", [](const py::object& law) { return Command::force(read_law(law, "Command.force")); },
      py::arg("law"),
      "force(law)\n--\n\nThe force of the actuator, N m or N, beside passive forces.");
  c.def_static(
      "acceleration",
      [](const py::object& law) {
        return Command::acceleration(read_law(law, "Command.acceleration"));
      },
      py::arg("law"),
      "acceleration(law)\n--\n\nA prescribed acceleration, rad/s^2 or m/s^2: the force that it "
      "takes is found.");
  c.def_static("trajectory", &trajectory_command, py::arg("law"),
               "trajectory(law)\n--\n\nA prescribed motion: a PiecewisePolynomial of one "
               "coordinate, a PosePath of a free joint, or a function of t that returns (q, v, a) "
               "of the whole joint, shapes "
               "(nq,), (nv,), (nv,).");
  c.def_property_readonly(
      "kind",
      [](const Command& x) {
        constexpr const char* names[] = {"force", "acceleration", "trajectory"};
        return names[static_cast<int>(x.kind())];
      },
      "'force', 'acceleration' or 'trajectory'.");
}

}  // namespace jounce::python
