// SPDX-License-Identifier: BSD-3-Clause
// Constraints C(q, t) = 0 written in Python: the function runs once, on symbols that record what is
// done with them (scalar/recorded.hpp).
#include <jounce/model/custom_constraint.hpp>
#include <jounce/model/operations.hpp>

#include "bindings.hpp"

namespace jounce::python {
namespace {

/// A recorded number and the recorder that it needs while the function runs.
struct Symbol {
  std::shared_ptr<Recorder> recorder;
  Recorded value;
};

/// The number in x: a Symbol, or what Python takes for a float.
Recorded number(const py::handle& x) {
  if (py::isinstance<Symbol>(x)) return x.cast<const Symbol&>().value;
  const double value = PyFloat_AsDouble(x.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return {value};
}
/// f(a, b) where one of them may be a plain number.
template <class F>
auto binary(F f, bool turned = false) {
  return [f, turned](const Symbol& a, const py::handle& b) {
    const Recorded other = number(b);
    return Symbol{a.recorder, turned ? f(other, a.value) : f(a.value, other)};
  };
}

void add_operators(py::class_<Symbol>& c) {
  const auto plus = [](const Recorded& x, const Recorded& y) { return x + y; };
  const auto minus = [](const Recorded& x, const Recorded& y) { return x - y; };
  const auto times = [](const Recorded& x, const Recorded& y) { return x * y; };
  const auto over = [](const Recorded& x, const Recorded& y) { return x / y; };
  c.def("__add__", binary(plus)).def("__radd__", binary(plus, true));
  c.def("__sub__", binary(minus)).def("__rsub__", binary(minus, true));
  c.def("__mul__", binary(times)).def("__rmul__", binary(times, true));
  c.def("__truediv__", binary(over)).def("__rtruediv__", binary(over, true));
  c.def("__neg__", [](const Symbol& a) { return Symbol{a.recorder, -a.value}; });
  c.def("__abs__", [](const Symbol& a) { return Symbol{a.recorder, abs(a.value)}; });
  c.def("__pow__", [](const Symbol& a, double exponent) {
    return Symbol{a.recorder, pow(a.value, exponent)};
  });
  c.def("__bool__", [](const Symbol&) -> bool {
    throw py::type_error("a constraint cannot branch on a Symbol: its function runs once");
  });
  c.def("__float__", [](const Symbol&) -> double {
    throw py::type_error("a Symbol has no value: use its methods or NumPy's functions, not math's");
  });
}

/// As methods, which NumPy's functions of these names call.
void add_functions(py::class_<Symbol>& c) {
  using Function = Recorded (*)(const Recorded&);
  const std::pair<const char*, Function> functions[] = {
      {"sin", sin}, {"cos", cos}, {"tan", tan},     {"arcsin", asin}, {"arccos", acos},
      {"exp", exp}, {"log", log}, {"arctan", atan}, {"tanh", tanh},   {"sqrt", sqrt}};
  for (const auto& [name, f] : functions) {
    const auto apply = [f = f](const Symbol& a) { return Symbol{a.recorder, f(a.value)}; };
    c.def(name, apply, (std::string(name) + "($self)\n--\n\nRecords it.").c_str());
  }
  const auto arctan2 = [](const Recorded& y, const Recorded& x) { return atan2(y, x); };
  c.def("arctan2", binary(arctan2), py::arg("x"), "arctan2($self, x)\n--\n\nRecords it.");
}

std::vector<Symbol> symbols(const std::shared_ptr<Recorder>& recorder, int count) {
  std::vector<Symbol> all;
  for (int k = 0; k < count; ++k) all.push_back({recorder, recorder->input()});
  return all;
}

/// How many coordinates the joints have; InputError for one that is not there.
int coordinates_of(const Robot& robot, const std::vector<std::string>& joints) {
  int count = 0;
  for (const std::string& name : joints) count += robot.joint(name).nq;
  return count;
}

std::vector<Recorded> outputs_of(const py::object& found) {
  std::vector<Recorded> outputs;
  if (py::isinstance<Symbol>(found)) return {number(found)};
  for (const py::handle& one : found) outputs.push_back(number(one));
  return outputs;
}

Robot with_constraint(const Robot& robot, const std::string& name,
                      const std::vector<std::string>& joints, const py::function& f) {
  const int count = coordinates_of(robot, joints);
  if (count < 1 || count > CustomConstraint::most_coordinates)
    throw InputError("with_constraint: joints have " + std::to_string(count) +
                     " coordinates, needs 1 to " +
                     std::to_string(CustomConstraint::most_coordinates));
  const auto recorder = std::make_shared<Recorder>();
  const std::vector<Symbol> q = symbols(recorder, count), t = symbols(recorder, 1);
  py::list given;
  for (const Symbol& one : q) given.append(one);
  const std::vector<Recorded> C = outputs_of(f(given, t[0]));
  if (C.empty() || int(C.size()) > CustomConstraint::most_rows)
    throw InputError("with_constraint: the function gives " + std::to_string(C.size()) +
                     " numbers, needs 1 to " + std::to_string(CustomConstraint::most_rows));
  RobotDescription description = robot.description();
  LoopDescription& loop = description.loops.emplace_back();
  loop.name = name;
  loop.kind = LoopKind::custom;
  for (const std::string& joint : joints) loop.joints.push_back({joint});
  loop.custom = std::make_shared<const CustomConstraint>(count, *recorder, C);
  return Robot(std::move(description));
}

}  // namespace

void bind_constraints(py::module_& m) {
  py::class_<Symbol> c(m, "Symbol",
                       "A number that records what is done with it: the arguments of a function "
                       "of with_constraint. It has the operators + - * / ** and abs, the methods "
                       "sin, cos, tan, arcsin, arccos, arctan, arctan2, exp, log, sqrt, tanh, and "
                       "NumPy's functions of these names work on it.");
  add_operators(c);
  add_functions(c);
  m.def("with_constraint", &with_constraint, py::arg("robot"), py::arg("name"), py::arg("joints"),
        py::arg("f"),
        "with_constraint(robot, name, joints, f)\n--\n\n"
        "The Robot with one more loop: f(q, t) = 0, where q are the coordinates of the joints, one "
        "after the other, and t is the time. f gives one number or up to six.\n\n"
        "f runs once, here, on Symbols, and cannot branch on them; its recording and its "
        "derivatives run in all dynamics of loops: with_constraint(robot, 'drive', ['crank'], "
        "lambda q, t: q[0] - 2.5 * t).");
}

}  // namespace jounce::python
