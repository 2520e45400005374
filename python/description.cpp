// SPDX-License-Identifier: BSD-3-Clause
// Reads dictionaries by the reader of the JSON format, as a robot with this one link or joint.
#include "description.hpp"

#include <jounce/error.hpp>
#include <jounce/io.hpp>

#include "array.hpp"

namespace jounce::python {
namespace {

/// What JSON has no word for: poses and NumPy's arrays and numbers.
py::object to_plain(const py::object& x) {
  if (py::isinstance<SE3<double>>(x)) {
    const auto T = x.cast<SE3<double>>();
    py::dict placement;
    placement["position"] = to_array(T.p).attr("tolist")();
    placement["rotation"] = to_array(T.R.m).attr("ravel")().attr("tolist")();
    return placement;
  }
  if (py::hasattr(x, "tolist")) return x.attr("tolist")();
  throw py::type_error("a value of type " + type_name(x) + " cannot be part of a description");
}

/// Line and column mean nothing to a caller who wrote no text: "where:1:80: what" -> "where: what".
std::string without_position(const std::string& message, const std::string& where) {
  if (!message.starts_with(where + ":")) return message;
  const std::size_t what = message.find(": ", where.size() + 1);
  return what == std::string::npos ? message : where + message.substr(what);
}

RobotDescription robot_of(const py::dict& robot, const std::string& where) {
  const py::object dumps = py::module_::import("json").attr("dumps");
  const std::string text = py::str(dumps(robot, py::arg("default") = py::cpp_function(&to_plain)));
  Loaded loaded;
  try {
    ReadOptions options;
    options.fragment = true;
    loaded = read_json(text, where, options);
  } catch (const InputError& error) {
    throw InputError(without_position(error.what(), where));
  }
  for (const Finding& finding : loaded.findings)
    if (finding.kind == FindingKind::unknown)
      throw InputError(where + ": " + finding.places.front().what + " means nothing");
  return loaded.robot;
}

py::dict empty_robot() {
  py::dict robot;
  robot["jounce"] = 1;
  robot["name"] = "description";
  return robot;
}

}  // namespace

JointKind kind_from(const std::string& kind, const std::string& where) {
  std::string known;
  for (int k = 0; k <= int(JointKind::custom); ++k) {
    if (kind == name(JointKind(k))) return JointKind(k);
    known += (k == 0 ? "" : ", ") + std::string(name(JointKind(k)));
  }
  throw InputError(where + ": kind \"" + kind + "\" is not one of " + known);
}

LinkDescription link_from(const py::dict& link, const std::string& where) {
  py::dict robot = empty_robot();
  py::list links;
  links.append(link);
  robot["links"] = links;
  return robot_of(robot, where).links.at(0);
}

JointDescription joint_from(const py::dict& joint, const std::string& where) {
  for (const char* key : {"parent", "child"})
    if (joint.contains(key))
      throw InputError(where + ": " + key + " follows from the call and cannot be given");
  const py::dict whole = joint.attr("copy")();
  const bool named = whole.contains("name");
  if (!named) whole["name"] = "joint";
  whole["child"] = "child";
  py::dict robot = empty_robot(), child;
  child["name"] = "child";
  py::list links, joints;
  links.append(child);
  joints.append(whole);
  robot["links"] = links;
  robot["joints"] = joints;
  JointDescription read = robot_of(robot, where).joints.at(0);
  read.child.clear();
  if (!named) read.name.clear();
  return read;
}

JointGeometry geometry_from(const py::dict& joint, const std::string& where) {
  const py::tuple keys = py::make_tuple("kind", "placement", "axes", "pitch", "parts");
  for (const auto& [key, value] : joint)
    if (!keys.contains(key))
      throw InputError(where + ": key \"" + std::string(py::str(key)) +
                       "\" is not one of kind, placement, axes, pitch, parts");
  return joint_from(joint, where).geometry;
}

}  // namespace jounce::python
