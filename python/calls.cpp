// SPDX-License-Identifier: BSD-3-Clause
// Named tuples of the module, and the warning that doors give.
#include "calls.hpp"

#include <chrono>

namespace jounce::python {

py::object named_tuple(py::module_& m, const char* name, const char* doc,
                       const std::vector<std::pair<const char*, const char*>>& members) {
  py::list names;
  for (const auto& member : members) names.append(member.first);
  py::object type = py::module_::import("collections")
                        .attr("namedtuple")(name, names, py::arg("module") = "jounce");
  type.attr("__doc__") = doc;
  for (const auto& [member, text] : members) type.attr(member).attr("__doc__") = text;
  m.attr(name) = type;
  return type;
}

py::ssize_t states_in(const py::handle* given, std::span<const int> dimensions,
                      const char* function) {
  py::ssize_t count = -1;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] < 0 || !py::isinstance<py::array>(given[i])) continue;
    const auto array = py::reinterpret_borrow<py::array>(given[i]);
    if (array.ndim() != dimensions[i] + 1) continue;
    if (count >= 0 && array.shape(0) != count)
      throw InputError(std::string(function) + ": arrays of " + std::to_string(count) + " and " +
                       std::to_string(array.shape(0)) + " states, needs as many");
    count = array.shape(0);
  }
  return count;
}

std::vector<py::object> state_of(const py::handle* given, std::span<const int> dimensions,
                                 py::ssize_t k) {
  std::vector<py::object> one;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const int of_one = dimensions[i] == follows ? 1 : dimensions[i];
    const bool many = of_one >= 0 && py::isinstance<py::array>(given[i]) &&
                      py::reinterpret_borrow<py::array>(given[i]).ndim() == of_one + 1;
    one.push_back(many ? py::object(given[i][py::int_(k)])
                       : py::reinterpret_borrow<py::object>(given[i]));
  }
  return one;
}

py::object stacked(const py::list& answers) {
  const py::object array = py::module_::import("numpy").attr("array");
  if (answers.empty() || !py::isinstance<py::tuple>(answers[0])) return array(answers);
  const auto first = py::reinterpret_borrow<py::tuple>(answers[0]);
  py::tuple members(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    py::list column;
    for (const py::handle one : answers) column.append(one[py::int_(i)]);
    const bool numbers =
        py::isinstance<py::array>(first[i]) || py::isinstance<py::float_>(first[i]);
    members[i] = numbers ? py::object(array(column)) : py::object(std::move(column));
  }
  return py::type::of(first)(*members);
}

namespace {

/// "inverse: q[2] is nan" becomes "inverse: state 7: q[2] is nan".
std::string with_state(const char* function, py::ssize_t k, std::string message) {
  const std::string name = std::string(function) + ": ";
  const std::size_t at = message.starts_with(name) ? name.size() : 0;
  return message.insert(at, "state " + std::to_string(k) + ": ");
}

}  // namespace

void for_each_state(py::ssize_t first, py::ssize_t last, const char* function,
                    const std::function<void(py::ssize_t)>& one) {
  const py::gil_scoped_release unlocked;
  for (py::ssize_t k = first; k < last; ++k) {
    try {
      one(k);
    } catch (const InputError& error) {
      throw InputError(with_state(function, k, error.what()));
    } catch (const ComputationError& error) {
      throw ComputationError(with_state(function, k, error.what()));
    }
  }
}

void let_others_run() {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last = Clock::now();  // under the lock
  if (Clock::now() - last < std::chrono::milliseconds(5)) return;
  { const py::gil_scoped_release unlocked; }
  last = Clock::now();
}

void warn_of_loops(const Robot& robot, const char* door) {
  const auto loops = robot.loops();
  if (loops.empty()) return;
  const std::string warning = "robot \"" + robot.name() + "\": " + std::to_string(loops.size()) +
                              (loops.size() == 1 ? " loop (" : " loops (") + loops[0].name +
                              (loops.size() == 1 ? ")" : ", ...)") + " left open, " + door +
                              " is of the tree; ConstrainedDynamics closes " +
                              (loops.size() == 1 ? "it" : "them");
  if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), 1) < 0) throw py::error_already_set();
}

}  // namespace jounce::python
