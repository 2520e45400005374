// SPDX-License-Identifier: BSD-3-Clause
// Functions written in Python: constraints C(q, t) = 0, joints q -> SE3, functions on SE(3). Each
// runs once, on symbols that record what is done with them (scalar/recorded.hpp).
#include <jounce/group/lie_derivative.hpp>
#include <jounce/model/custom.hpp>
#include <jounce/model/custom_constraint.hpp>
#include <jounce/model/operations.hpp>

#include "array.hpp"
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

py::list list_of(const std::vector<Symbol>& symbols) {
  py::list found;
  for (const Symbol& one : symbols) found.append(one);
  return found;
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
  const std::vector<Recorded> C = outputs_of(f(list_of(q), t[0]));
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

/// Four rows of four numbers, of which the last says nothing.
SE3<Recorded> pose_of(const py::object& rows) {
  std::vector<std::vector<Recorded>> x;
  for (const py::handle& row : rows)
    x.push_back(outputs_of(py::reinterpret_borrow<py::object>(row)));
  bool good = x.size() == 4;
  for (const auto& row : x) good = good && row.size() == 4;
  if (!good) throw InputError("with_custom_joint: the function must give 4 rows of 4 numbers");
  const auto row = [&](std::size_t k) { return Vec3<Recorded>{x[k][0], x[k][1], x[k][2]}; };
  return {{{{row(0), row(1), row(2)}}}, {x[0][3], x[1][3], x[2][3]}};
}

Robot with_custom_joint(const Robot& robot, const std::string& joint, int coordinates,
                        const py::function& f) {
  if (coordinates < 1 || coordinates > 6)
    throw InputError("with_custom_joint: " + std::to_string(coordinates) +
                     " coordinates, needs 1 to 6");
  RobotDescription description = robot.description();
  JointDescription& given = description.joints[std::size_t(robot.joint(joint).description)];
  const auto recorder = std::make_shared<Recorder>();
  const SE3<Recorded> T = pose_of(f(list_of(symbols(recorder, coordinates))));
  given.geometry.kind = JointKind::custom;
  given.geometry.axes.clear();
  given.geometry.parts.clear();
  given.geometry.custom = std::make_shared<const CustomJoint>(coordinates, *recorder, T);
  given.properties = {};
  return Robot(std::move(description));
}

/// A function on SE(3), recorded: it runs on any kind of number.
class PoseFunction {
 public:
  explicit PoseFunction(const py::function& f) {
    const auto recorder = std::make_shared<Recorder>();
    const std::vector<Symbol> x = symbols(recorder, 12);
    py::list rows;
    for (std::size_t i = 0; i < 3; ++i)
      rows.append(list_of({x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]}));
    rows.append(py::make_tuple(0.0, 0.0, 0.0, 1.0));
    const std::vector<Recorded> y = outputs_of(f(rows));
    if (y.size() != 1)
      throw InputError("lie derivative: the function gives " + std::to_string(y.size()) +
                       " numbers, needs 1");
    program_ = recorder->finish(y);
  }
  template <class Real>
  Real operator()(const SE3<Real>& T) const {
    const Tape tape = program_.tape();
    std::vector<Real> x(static_cast<std::size_t>(tape.numbers));
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3<Real>& row = T.R.m.row[i];
      const Real p[] = {T.p.x, T.p.y, T.p.z};
      x[4 * i] = row.x, x[4 * i + 1] = row.y, x[4 * i + 2] = row.z, x[4 * i + 3] = p[i];
    }
    run(tape, x.data());
    return x[std::size_t(tape.inputs)];
  }

 private:
  Program program_;
};

Side side_of(const std::string& name) {
  if (name == "right") return Side::right;
  if (name == "left") return Side::left;
  throw InputError("lie derivative: side is \"" + name + "\", needs \"right\" or \"left\"");
}

std::string about_lie_derivatives() {
  return "f takes the rows of the pose's 4 x 4 matrix, as Symbols, and gives one number; it runs "
         "once. "
         "side is \"right\" (along the body's own screws, T exp(tX)) or \"left\" (exp(-tX) T).";
}

void bind_lie_derivatives(py::module_& m) {
  m.def(
      "lie_derivative",
      [](const py::function& f, const SE3<double>& T, const Twist<double>& X,
         const std::string& side) { return lie_derivative(PoseFunction(f), T, X, side_of(side)); },
      py::arg("f"), py::arg("T"), py::arg("X"), py::arg("side") = "right",
      ("lie_derivative(f, T, X, side='right')\n--\n\nThe derivative of f at the SE3 T along the "
       "Twist X. " +
       about_lie_derivatives())
          .c_str());
  m.def(
      "lie_gradient",
      [](const py::function& f, const SE3<double>& T, const std::string& side) {
        const Matrix<double, 1, 6> g = lie_gradient(PoseFunction(f), T, side_of(side));
        Array found(6);
        for (int k = 0; k < 6; ++k) found.mutable_data()[k] = g(0, k);
        return found;
      },
      py::arg("f"), py::arg("T"), py::arg("side") = "right",
      ("lie_gradient(f, T, side='right')\n--\n\nThe derivatives along the six unit screws, angular "
       "first. " +
       about_lie_derivatives())
          .c_str());
}

void bind_lie_hessian(py::module_& m) {
  m.def(
      "lie_hessian",
      [](const py::function& f, const SE3<double>& T, const std::string& side) {
        const Mat6<double> h = lie_hessian(PoseFunction(f), T, side_of(side));
        Array found({6, 6});
        for (int i = 0; i < 6; ++i)
          for (int k = 0; k < 6; ++k) found.mutable_data()[6 * i + k] = h(i, k);
        return found;
      },
      py::arg("f"), py::arg("T"), py::arg("side") = "right",
      ("lie_hessian(f, T, side='right')\n--\n\nThe second derivatives E_i E_j f, shape (6, 6); "
       "they "
       "do not commute. " +
       about_lie_derivatives())
          .c_str());
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
  m.def("with_custom_joint", &with_custom_joint, py::arg("robot"), py::arg("joint"),
        py::arg("coordinates"), py::arg("f"),
        "with_custom_joint(robot, joint, coordinates, f)\n--\n\n"
        "The Robot whose joint of this name moves as f says: f(q) gives 4 rows of 4 numbers, the "
        "pose of the child's side in the joint frame. f runs once, on Symbols; limits, springs and "
        "friction of the joint go.");
  bind_lie_derivatives(m);
  bind_lie_hessian(m);
}

}  // namespace jounce::python
