// SPDX-License-Identifier: BSD-3-Clause
// How the words of methods are read.
#include "words.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "representation.hpp"

namespace jounce::python {

Flags::Flags(py::handle prescribed, const Argument& argument) {
  refuse_masked(prescribed, argument);
  const auto a = py::array::ensure(prescribed);
  const bool is_empty = a && a.ndim() == 1 && a.size() == 0;
  if (!a || a.ndim() != 1 || (a.dtype().kind() != 'b' && !is_empty)) {
    PyErr_Clear();
    throw py::type_error(subject(argument) + " needs one bool per velocity coordinate");
  }
  size_ = static_cast<std::size_t>(a.size());
  values_ = std::make_unique<bool[]>(size_);
  const auto values = py::array_t<bool, py::array::c_style | py::array::forcecast>(a);
  std::copy_n(values.data(), size_, values_.get());
}

Room::Room(py::handle out, const Argument& argument, const Call& call) : size_(call.robot.nv()) {
  const bool many = call.states >= 0;
  if (out.is_none()) {
    array_ = many ? Array({call.states, py::ssize_t(size_)}) : Array(size_);
    data_ = static_cast<double*>(array_.mutable_data());
    return;
  }
  refuse_masked(out, argument);
  const auto needs = [&] {
    return many ? "(" + std::to_string(call.states) + ", " + std::to_string(size_) + ")"
                : "(" + std::to_string(size_) + ",)";
  };
  if (!py::isinstance<py::array>(out))
    throw py::type_error(subject(argument) + " is of type " + type_name(out) +
                         ", needs an array of float64 of shape " + needs());
  array_ = py::reinterpret_borrow<py::array>(out);
  if (!py::isinstance<py::array_t<double>>(out))
    throw py::type_error(subject(argument) + " is an array of " +
                         std::string(py::str(array_.dtype())) + ", needs float64 of shape " +
                         needs());
  const bool fits =
      many ? array_.ndim() == 2 && array_.shape(0) == call.states : array_.ndim() == 1;
  if (!fits || array_.shape(array_.ndim() - 1) != size_)
    throw InputError(subject(argument) + " has shape " +
                     std::string(py::str(array_.attr("shape"))) + ", needs " + needs());
  if (!array_.writeable()) throw InputError(subject(argument) + " is read-only");
  const auto address = reinterpret_cast<std::uintptr_t>(array_.data());
  if ((array_.flags() & py::array::c_style) == 0 || address % alignof(double) != 0)
    throw InputError(subject(argument) + " needs numbers that lie together in memory");
  data_ = static_cast<double*>(array_.mutable_data());
}

Representation representation(const std::string& kind, const char* function) {
  if (kind == "body") return Representation::body;
  if (kind == "space") return Representation::space;
  if (kind == "hybrid") return Representation::hybrid;
  throw InputError(std::string(function) + ": kind is \"" + kind +
                   "\", needs \"body\", \"space\" or \"hybrid\"");
}

namespace word {
namespace {

/// What pybind11 takes for a T; TypeError for anything else.
template <class T>
T cast_from(py::handle x, const Argument& argument, const char* needs) {
  py::detail::make_caster<T> caster;
  if (!caster.load(x, true))
    throw py::type_error(subject(argument) + " is of type " + type_name(x) + ", needs " + needs);
  return py::detail::cast_op<T>(caster);
}

}  // namespace

Array read_vector(py::handle x, const Call& call, const char* name) {
  const bool is_q = std::string_view(name) == "q" || std::string_view(name) == "guess";
  return vector_of(x, {call.name, name}, is_q ? call.robot.nq() : call.robot.nv(),
                   call.states >= 0);
}
std::optional<Array> read_optional_vector(py::handle x, const Call& call, const char* name) {
  if (x.is_none()) return {};
  return read_vector(x, call, name);
}
ByColumns read_columns(py::handle x, const Call& call, const char* name) {
  return columns_of(x, {call.name, name}, call.states >= 0);
}
FrameId read_frame(py::handle x, const Call& call, const char* /*name*/) {
  return checked_frame(call.robot, x, call.name);
}
Representation read_kind(py::handle x, const Call& call, const char* name) {
  return representation(read_name(x, call, name), call.name);
}
Factorization read_factorization(py::handle x, const Call& call, const char* name) {
  const std::string given = read_name(x, call, name);
  if (given == "plain") return Factorization::plain;
  if (given == "ploen") return Factorization::ploen;
  if (given == "lie") return Factorization::lie;
  if (given == "christoffel") return Factorization::christoffel;
  throw InputError(subject({call.name, name}) + " is \"" + given +
                   "\", needs \"plain\", \"ploen\", \"lie\" or \"christoffel\"");
}
std::string read_name(py::handle x, const Call& call, const char* name) {
  return cast_from<std::string>(x, {call.name, name}, "a name");
}
Flags read_flags(py::handle x, const Call& call, const char* name) {
  return {x, {call.name, name}};
}
bool read_flag(py::handle x, const Call& call, const char* name) {
  return cast_from<bool>(x, {call.name, name}, "True or False");
}
double read_number(py::handle x, const Call& call, const char* name) {
  return cast_from<double>(x, {call.name, name}, "a number");
}
double read_amount(py::handle x, const Call& call, const char* name) {
  const Argument argument{call.name, name};
  return checked_amount(read_number(x, call, name), argument);
}
int read_index(py::handle x, const Call& call, const char* name) {
  return cast_from<int>(x, {call.name, name}, "a whole number");
}
Flags read_optional_flags(py::handle x, const Call& call, const char* name) {
  return x.is_none() ? Flags() : read_flags(x, call, name);
}
Vec3<double> read_vec3(py::handle x, const Call& call, const char* name) {
  return checked_vec3(x, {call.name, name});
}
std::optional<Vec3<double>> read_optional_vec3(py::handle x, const Call& call, const char* name) {
  if (x.is_none()) return {};
  return checked_vec3(x, {call.name, name});
}

std::string about(std::string_view name) {
  constexpr std::pair<const char*, const char*> known[] = {
      {"q", "shape (nq,), rad and m; a free joint has x, y, z and the quaternion x, y, z, w"},
      {"v", "shape (nv,), rad/s and m/s; a free joint has its body twist, angular first"},
      {"a", "shape (nv,), the rate of v, rad/s^2 and m/s^2"},
      {"tau", "shape (nv,), N m and N, along the velocities v"},
      {"guess", "shape (nq,), as q"},
      {"motion", "shape (nv, k), a column each for v, a, jerk, ..."},
      {"taus", "shape (nv, k), a column each for tau, tau', ..."},
      {"frame", "a name of Robot.frames, or its number there"},
      {"kind",
       "the axes: 'body', of the frame; 'space', of the ground, at its origin; 'hybrid', of "
       "the ground, at the frame's origin"},
      {"prescribed", "shape (nv,), bools: True where a is given and tau is asked for"},
      {"factorization", "'plain', 'ploen', 'lie' or 'christoffel'"},
  };
  for (const auto& [word, meaning] : known)
    if (name == word) return "\n" + std::string(word) + ": " + meaning + ".";
  return "";
}

const char* GroundMotion::doc() const {
  return "\n\nground is (V, Vdot) where the ground moves: its body Twist and that twist's "
         "derivative.";
}
const char* GroundSeries::doc() const {
  return "\n\nground is [V, V', ...] where the ground moves, its body Twist and that twist's "
         "derivatives; those not given are zero.";
}
const char* Around::doc() const {
  return "\n\nwrenches from outside are (frame, six numbers or a Wrench, kind) each, moment first: "
         "in the frame's own axes ('body', also if left out), in ground axes at its origin "
         "('hybrid') or at the ground's ('space'). ground is (V, Vdot) where the ground moves: its "
         "body Twist and that twist's derivative. passive says whether damping, friction, "
         "springs and bushings act, gravity whether gravity does.";
}
const char* SeriesAround::doc() const {
  return "\n\nwrenches from outside are (frame, [F, F', ...], kind) each, as those of "
         "Dynamics.inverse. ground is [V, V', ...] where the ground moves, its body Twist and that "
         "twist's derivatives. passive says whether damping, friction, springs and bushings act, "
         "gravity whether gravity does. joint_torques is a (nv, n) array of forces from outside "
         "that help the actuators. Derivatives not given are zero.";
}
const char* Out::doc() const {
  return "\n\nout is an array of shape (nv,) that is written in place and returned; it may be one "
         "of the arguments.";
}

}  // namespace word
}  // namespace jounce::python
