// SPDX-License-Identifier: BSD-3-Clause
// Robots made from other robots, in Python: locked, extended, joined, cut, reordered, rerooted.
#include <pybind11/stl.h>

#include <jounce/model/operations.hpp>

#include "bindings.hpp"
#include "description.hpp"
#include "robot.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;

Pose pose_or_identity(const Pose* T) { return T == nullptr ? Pose{} : *T; }

Robot locked(const Robot& robot, const py::dict& values) {
  JointValues numbers;
  for (const auto& [joint, value] : values) {
    const std::string name = py::str(joint), argument = "values[\"" + name + "\"]";
    const Array a = checked_numbers(value, {"lock_joints", argument.c_str()});
    numbers[name].assign(a.data(), a.data() + a.size());
  }
  return lock_joints(robot, numbers);
}

void bind_locking(py::module_& m) {
  m.def("lock_joints", &locked, py::arg("robot"), py::arg("values"),
        "lock_joints(robot, values)\n--\n\n"
        "The Robot with these joints fixed: values is {name: number or numbers as in q}. Their "
        "links stay; limits, springs and friction go; joints that mimic them are locked too.");
  m.def(
      "with_gravity",
      [](const Robot& robot, const py::object& gravity) {
        return with_gravity(robot, checked_vec3(gravity, {"with_gravity", "gravity"}));
      },
      py::arg("robot"), py::arg("gravity"),
      "with_gravity(robot, gravity)\n--\n\n"
      "The Robot under another acceleration of gravity, shape (3,), in ground axes.");
  m.def(
      "with_base",
      [](const Robot& robot, const std::string& kind) {
        return with_base(robot, kind == "floating" ? JointKind::free  // as the command line says
                                                   : kind_from(kind, "with_base"));
      },
      py::arg("robot"), py::arg("base"),
      "with_base(robot, base)\n--\n\n"
      "The Robot whose root link moves in the world by the joint \"base\", in place of the one it "
      "has.\n\nbase is a kind that needs no axis (\"fixed\", \"free\" or \"floating\", ...), or a "
      "dict with the "
      "keys kind, placement, axes, pitch, parts of a joint in the JSON format: "
      "{\"kind\": \"planar\", \"axes\": [[0, 0, 1]]}.");
  m.def(
      "with_base",
      [](const Robot& robot, const py::dict& base) {
        return with_base(robot, geometry_from(base, "with_base: base"));
      },
      py::arg("robot"), py::arg("base"));
}

void bind_joining(py::module_& m) {
  m.def(
      "attach",
      [](const Robot& robot, const py::object& frame, const py::dict& payload,
         const Pose* placement) {
        return attach(robot, frame_name(robot, frame, "attach"),
                      link_from(payload, "attach: payload"), pose_or_identity(placement));
      },
      py::arg("robot"), py::arg("frame"), py::arg("payload"), py::arg("placement") = py::none(),
      "attach(robot, frame, payload, placement=None)\n--\n\n"
      "The Robot with a tool or payload: a new link fixed to a link or frame, by a joint named "
      "after it (\"gripper\" hangs on \"gripper_joint\").\n\n"
      "payload is a dict with the keys of a link in the JSON format: {\"name\": \"gripper\", "
      "\"mass\": 0.8, \"com\": [0, 0, 0.05], \"inertia\": [Ixx, Ixy, Iyy, Ixz, Iyz, Izz]}, the "
      "inertia about the centre of mass. placement is its pose in the link or frame.");
  m.def(
      "merge",
      [](const Robot& a, const py::object& frame, const Robot& b, const Pose* placement,
         const std::string& prefix, const std::optional<py::dict>& joint) {
        return merge(a, frame_name(a, frame, "merge"), b, pose_or_identity(placement), prefix,
                     joint ? joint_from(*joint, "merge: joint") : JointDescription{});
      },
      py::arg("a"), py::arg("frame"), py::arg("b"), py::arg("placement") = py::none(),
      py::arg("prefix") = "", py::arg("joint") = py::none(),
      "merge(a, frame, b, placement=None, prefix='', joint=None)\n--\n\n"
      "The Robot b carried by a link or frame of a; the names of b get the prefix.\n\n"
      "b's root hangs on joint, which is fixed unless told otherwise and takes the place of b's "
      "own base joint: a dict with the keys of a joint in the JSON format, {\"name\": \"wrist\", "
      "\"kind\": \"revolute\", \"axes\": [[0, 0, 1]]}. placement is where that joint starts. Name "
      "and gravity are a's.");
}

void bind_cutting(py::module_& m) {
  m.def(
      "sub_robot",
      [](const Robot& robot, const std::string& root, const std::vector<std::string>& tips,
         bool drop_loops) { return sub_robot(robot, root, tips, {drop_loops}); },
      py::arg("robot"), py::arg("root"), py::arg("tips") = py::tuple(), py::kw_only(),
      py::arg("drop_loops") = false,
      "sub_robot(robot, root, tips=(), *, drop_loops=False)\n--\n\n"
      "The Robot with the link root as base and all that it carries; with tips, only the paths "
      "from it to them. A loop that would be cut is an error unless drop_loops.");
  m.def(
      "reroot",
      [](const Robot& robot, const std::string& link, const Pose* placement, bool drop) {
        RerootOptions options;
        if (placement != nullptr) options.placement = *placement;
        options.drop_properties = drop;
        Rerooted rerooted = reroot(robot, link, options);
        return py::make_tuple(std::move(rerooted.robot), std::move(rerooted.coordinates),
                              std::move(rerooted.dropped));
      },
      py::arg("robot"), py::arg("link"), py::kw_only(), py::arg("placement") = py::none(),
      py::arg("drop_properties") = false,
      "reroot(robot, link, *, placement=None, drop_properties=False)\n--\n\n"
      "The same mechanism with another link as root: (Robot, CoordinateMap, list of what was "
      "dropped). Every pose of one link in another stays what it was.\n\n"
      "On a fixed base the new root's frame becomes the world's, or gets the placement; a free "
      "base moves to the new root. What a reversed joint cannot express is an error unless "
      "drop_properties.");
}

void bind_coordinate_map(py::module_& m) {
  py::class_<CoordinateMap> c(m, "CoordinateMap",
                              "Turns coordinates of a robot into those of a robot made from it by "
                              "reroot.");
  c.def(
      "q",
      [](const CoordinateMap& map, const py::object& q) {
        return to_array(map.q(view(checked_numbers(q, {"CoordinateMap", "q"}))));
      },
      py::arg("old_q"), "q($self, old_q)\n--\n\nThe new robot's coordinates.");
  c.def(
      "v",
      [](const CoordinateMap& map, const py::object& q, const py::object& v) {
        const Array old_q = checked_numbers(q, {"CoordinateMap", "q"});
        const Array old_v = checked_numbers(v, {"CoordinateMap", "v"});
        return to_array(map.v(view(old_q), view(old_v)));
      },
      py::arg("old_q"), py::arg("old_v"),
      "v($self, old_q, old_v)\n--\n\nThe new robot's velocities.");
}

/// One of Permutation's four ways to reorder a vector.
void add_reordering(py::class_<Permutation>& c, const char* name, const char* argument,
                    std::vector<double> (Permutation::*reorder)(const VectorArg&) const,
                    const char* doc) {
  c.def(
      name,
      [reorder, argument](const Permutation& p, const py::object& x) {
        return to_array((p.*reorder)(view(checked_numbers(x, {"Permutation", argument}))));
      },
      py::arg(argument), (std::string(name) + "($self, " + argument + ")\n--\n\n" + doc).c_str());
}

void bind_permutation(py::module_& m) {
  py::class_<Permutation> c(m, "Permutation",
                            "Coordinates in another order: new_q = old_q[p.q], new_v = old_v[p.v], "
                            "and so for accelerations and forces.");
  c.def_readonly("q", &Permutation::q, "The places of the new coordinates among the old ones.");
  c.def_readonly("v", &Permutation::v, "The same for velocities, accelerations and forces.");
  add_reordering(c, "apply_q", "old_q", &Permutation::apply_q, "Coordinates in the new order.");
  add_reordering(c, "apply_v", "old_v", &Permutation::apply_v, "Velocities in the new order.");
  add_reordering(c, "undo_q", "new_q", &Permutation::undo_q, "Coordinates in the old order.");
  add_reordering(c, "undo_v", "new_v", &Permutation::undo_v, "Velocities in the old order.");
  m.def("permutation", &permutation, py::arg("robot"), py::arg("joints"),
        "permutation(robot, joints)\n--\n\n"
        "The Permutation from the robot's order to that of a list which names every joint with "
        "coordinates of its own once: that of a driver or of a log file.");
  m.def(
      "reorder",
      [](const Robot& robot, const std::vector<std::string>& joints) {
        Reordered reordered = reorder(robot, joints);
        return py::make_tuple(std::move(reordered.robot), std::move(reordered.permutation));
      },
      py::arg("robot"), py::arg("joints"),
      "reorder(robot, joints)\n--\n\n"
      "(Robot, Permutation): the robot with its joints in the order of such a list, in which every "
      "joint comes after those that carry it, and how its coordinates follow from the old ones.");
}

}  // namespace

void bind_operations(py::module_& m) {
  bind_coordinate_map(m);
  bind_permutation(m);
  bind_locking(m);
  bind_joining(m);
  bind_cutting(m);
}

}  // namespace jounce::python
