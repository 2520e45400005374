// SPDX-License-Identifier: BSD-3-Clause
// Robot in Python: names, sizes, limits, and the manifold of its configurations.
#include "robot.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <jounce/io.hpp>
#include <random>

#include "bindings.hpp"

namespace jounce::python {
namespace {

py::slice slice(int first, int count) {
  return {py::int_(first), py::int_(first + count), py::none()};
}

/// A read-only array from a member that is a std::vector<double>.
template <class T>
void add_array(py::class_<T>& c, const char* name, std::vector<double> T::*member,
               const char* doc) {
  c.def_property_readonly(
      name, [member](const T& x) { return frozen(to_array(x.*member)); }, doc);
}

void bind_joint(py::module_& m) {
  py::class_<JointInfo> c(m, "JointInfo",
                          "A joint that moves, from Robot.joints or Robot.joint(name): q[joint.q] "
                          "are its coordinates.");
  c.def_readonly("name", &JointInfo::name, "Its name.");
  c.def_property_readonly(
      "kind", [](const JointInfo& j) { return name(j.kind); },
      "\"revolute\", \"prismatic\", \"helical\", \"cylindrical\", \"universal\", \"planar\", "
      "\"translational\", \"spherical\", \"euler_ball\", \"free\", \"circle\", \"composite\" or "
      "\"custom\".");
  c.def_property_readonly(
      "q", [](const JointInfo& j) { return slice(j.q, j.nq); },
      "The slice of its coordinates; a mimic joint's are its leader's.");
  c.def_property_readonly(
      "v", [](const JointInfo& j) { return slice(j.v, j.nv); },
      "The slice of its velocities, accelerations and forces.");
  c.def_readonly("mimic", &JointInfo::mimic, "Whether it follows another joint.");
  c.def("__repr__", [](const JointInfo& j) {
    const auto run = [](int first, int count) {
      return std::to_string(first) + ":" + std::to_string(first + count);
    };
    return "JointInfo(\"" + j.name + "\", " + name(j.kind) + ", q[" + run(j.q, j.nq) + "], v[" +
           run(j.v, j.nv) + "]" + (j.mimic ? ", mimic)" : ")");
  });
}

void bind_limits(py::module_& m) {
  py::class_<Limits> c(m, "Limits",
                       "Limits per velocity coordinate, shape (nv,), read-only; infinite where "
                       "there is none.");
  add_array(c, "lower", &Limits::lower, "Lowest position.");
  add_array(c, "upper", &Limits::upper, "Highest position.");
  add_array(c, "velocity", &Limits::velocity, "Highest speed.");
  add_array(c, "effort", &Limits::effort, "Highest force or torque.");
}

void bind_passive(py::module_& m) {
  py::class_<PassiveData> c(m, "PassiveData",
                            "What acts in the joints by itself, per velocity coordinate, shape "
                            "(nv,), read-only; zero where there is none.");
  add_array(c, "armature", &PassiveData::armature, "Rotor inertia seen at the joint.");
  add_array(c, "damping", &PassiveData::damping, "d of the viscous force -d v.");
  add_array(c, "friction", &PassiveData::friction, "f of Coulomb's force -f tanh(v / 0.01).");
  add_array(c, "drag", &PassiveData::drag, "c of the quadratic force -c v |v|.");
  add_array(c, "stiffness", &PassiveData::stiffness,
            "k of the spring's energy k (q - rest)^2 / 2.");
  add_array(c, "rest", &PassiveData::rest, "Where springs are free, shape (nq,).");
}

std::vector<std::string> link_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const LinkDescription& link : robot.description().links) names.push_back(link.name);
  return names;
}
std::vector<std::string> frame_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const FrameInfo& frame : robot.frames()) names.push_back(frame.name);
  return names;
}

Inertia<double> inertia_of(const Robot& robot, const py::object& link) {
  const auto k = static_cast<std::size_t>(checked_frame(robot, link, "inertia"));
  const auto& links = robot.description().links;
  if (k >= links.size())
    throw InputError("inertia: \"" + robot.frames()[k].name + "\" is a frame, needs a link");
  return link_inertia(links[k]);
}

py::array_t<bool> motors_of(const Robot& robot) {
  const std::span<const bool> motors = robot.actuated();
  py::array_t<bool> flags(py::ssize_t(motors.size()), motors.data());
  flags.attr("flags").attr("writeable") = false;
  return flags;
}

void bind_loop(py::module_& m) {
  py::class_<LoopDescription> c(m, "LoopDescription",
                                "What closes a loop, from Robot.loops: it joins two links that the "
                                "tree joins already.");
  c.def_readonly("name", &LoopDescription::name, "Its name.");
  c.def_property_readonly(
      "kind", [](const LoopDescription& loop) { return name(loop.kind); },
      "\"fixed\", \"revolute\", \"prismatic\", \"cylindrical\", \"universal\", \"planar\", "
      "\"spherical\", \"point\", \"orientation\", \"distance\", \"knife_edge\", \"rolling\" or "
      "\"gear\"; its axis is z.");
  c.def_readonly("link_1", &LoopDescription::link_1,
                 "The name of the first link, empty for the world.");
  c.def_readonly("link_2", &LoopDescription::link_2,
                 "The name of the second link, empty for the world.");
  c.def_readonly("placement_1", &LoopDescription::placement_1,
                 "Where it sits on the first link, an SE3.");
  c.def_readonly("placement_2", &LoopDescription::placement_2,
                 "Where it sits on the second link, an SE3.");
  c.def_readonly("length", &LoopDescription::length,
                 "How far apart a distance holds its ends, m; zero of other kinds.");
  c.def_readonly("radius", &LoopDescription::radius,
                 "Of the disc that rolls, m; zero of other kinds.");
  c.def_property_readonly(
      "joints",
      [](const LoopDescription& loop) {
        py::list joints;
        for (const TiedJoint& joint : loop.joints)
          joints.append(py::make_tuple(joint.name, joint.ratio));
        return joints;
      },
      "Of a gear: (name, ratio) each; the ratios times the coordinates add up to offset.");
  c.def_readonly("offset", &LoopDescription::offset, "Of a gear; zero of other kinds.");
  c.def("__repr__", [](const LoopDescription& loop) {
    return "LoopDescription(\"" + loop.name + "\", " + name(loop.kind) + ", \"" + loop.link_1 +
           "\", \"" + loop.link_2 + "\")";
  });
}

void bind_bushing(py::module_& m) {
  using Bushing = BushingDescription;
  py::class_<Bushing> c(m, "BushingDescription",
                        "A spring and damper between two frames in all six directions, from "
                        "Robot.bushings: it acts on the log of the pose of one in the other.");
  c.def_readonly("name", &Bushing::name, "Its name.");
  c.def_readonly("link_1", &Bushing::link_1, "The name of the first link, empty for the world.");
  c.def_readonly("link_2", &Bushing::link_2, "The name of the second link, empty for the world.");
  c.def_readonly("placement_1", &Bushing::placement_1, "Where it sits on the first link, an SE3.");
  c.def_readonly("placement_2", &Bushing::placement_2, "Where it sits on the second link, an SE3.");
  const auto six = [](const std::array<double, 6>& x) {
    return py::array_t<double>(py::ssize_t(6), x.data());
  };
  c.def_property_readonly(
      "stiffness", [six](const Bushing& b) { return six(b.stiffness); },
      "About x, y and z, N m/rad, then along them, N/m.");
  c.def_property_readonly(
      "damping", [six](const Bushing& b) { return six(b.damping); },
      "About x, y and z, N m s/rad, then along them, N s/m.");
  c.def("__repr__", [](const Bushing& b) {
    return "BushingDescription(\"" + b.name + "\", \"" + b.link_1 + "\", \"" + b.link_2 + "\")";
  });
}

void add_names(py::class_<Robot>& c) {
  c.def_property_readonly("name", &Robot::name, "The robot's name.");
  c.def_property_readonly("nq", &Robot::nq, "How many coordinates q has.");
  c.def_property_readonly("nv", &Robot::nv, "How many numbers v, a and tau have.");
  c.def_property_readonly("mass", &Robot::mass, "The mass of all moving links, kg.");
  c.def_property_readonly(
      "gravity", [](const Robot& r) { return frozen(to_array(r.gravity())); },
      "The acceleration of gravity in ground axes, shape (3,), read-only.");
  c.def_property_readonly(
      "joints", [](const Robot& r) { return std::vector(r.joints().begin(), r.joints().end()); },
      "The joints that move, in the order of the coordinates, a list of JointInfo.");
  c.def_property_readonly(
      "bushings",
      [](const Robot& r) { return std::vector(r.bushings().begin(), r.bushings().end()); },
      "The springs and dampers between links, a list of BushingDescription; they act wherever "
      "passive forces do.");
  c.def_property_readonly(
      "loops", [](const Robot& r) { return std::vector(r.loops().begin(), r.loops().end()); },
      "The loops of the description, a list of LoopDescription. Coordinates and dynamics are those "
      "of the tree that is left when all of them are cut open; ConstrainedDynamics closes them.");
  c.def_property_readonly("actuated", &motors_of,
                          "Which velocity coordinates motors drive, bools of shape (nv,), "
                          "read-only: those of the joints that the description calls actuated; "
                          "where it calls none so, all but those it says are not. A free joint has "
                          "no motor.");
  c.def_property_readonly("links", &link_names, "The names of the links, in the file's order.");
  c.def_property_readonly("frames", &frame_names,
                          "The names of the links, then those of the named frames; the number of a "
                          "frame is its place in this list.");
  c.def("joint", &Robot::joint, py::arg("name"),
        "joint($self, name)\n--\n\nThe JointInfo of a moving joint.");
  c.def(
      "frame", [](const Robot& r, std::string_view name) { return int(r.frame(name)); },
      py::arg("name"),
      "frame($self, name)\n--\n\n"
      "The number of a link or frame. Wherever a frame is asked for, name and number do.");
  c.def("inertia", &inertia_of, py::arg("link"),
        "inertia($self, link)\n--\n\nThe Inertia of a link in its own frame.");
  c.def_property_readonly("limits", &Robot::limits, "The Limits of positions, speeds and efforts.");
  c.def_property_readonly("passive", &Robot::passive,
                          "The PassiveData: armature, damping, friction, drag and springs.");
}

Array normalized(const Robot& robot, const py::object& q) {
  const Array given = vector_of(q, {"normalize", "q"}, robot.nq());
  const Array copy = to_array(view(checked_numbers(given, {"normalize", "q"})));
  robot.normalize({const_cast<double*>(copy.data()), view(copy).size()});
  return copy;
}

Array integrated(const Robot& robot, const py::object& q_, const py::object& dv_) {
  const Array q = vector_of(q_, {"integrate", "q"}, robot.nq());
  const Array dv = vector_of(dv_, {"integrate", "dv"}, robot.nv());
  robot.check_q("integrate", "q", view(q));
  robot.check_v("integrate", "dv", view(dv));
  std::vector<double> moved(view(q).size());
  robot.integrate(view(q), view(dv), moved);
  return to_array(moved);
}

Array difference(const Robot& robot, const py::object& q0_, const py::object& q1_) {
  const Array q0 = vector_of(q0_, {"difference", "q0"}, robot.nq());
  const Array q1 = vector_of(q1_, {"difference", "q1"}, robot.nq());
  robot.check_q("difference", "q0", view(q0));
  robot.check_q("difference", "q1", view(q1));
  std::vector<double> dv(static_cast<std::size_t>(robot.nv()));
  robot.difference(view(q0), view(q1), dv);
  return to_array(dv);
}

void add_manifold(py::class_<Robot>& c) {
  c.def(
      "neutral", [](const Robot& r) { return to_array(r.neutral()); },
      "neutral($self)\n--\n\n"
      "The zero configuration: zero angles and displacements, unit quaternions.");
  c.def(
      "closed", [](const Robot& r) { return to_array(r.closed()); },
      "closed($self)\n--\n\n"
      "The configuration in which the description says that its loops are closed; neutral where it "
      "says nothing.");
  c.def(
      "random",
      [](const Robot& r, std::optional<std::uint64_t> seed) {
        return to_array(r.random(seed ? *seed : std::random_device()()));
      },
      py::arg("seed") = py::none(),
      "random($self, seed=None)\n--\n\n"
      "A configuration uniform in the limits (angles without limits in [-pi, pi], positions in "
      "[-1, 1], rotations uniform); the same seed gives the same numbers everywhere, None another "
      "one each time.");
  c.def("normalize", &normalized, py::arg("q"),
        "normalize($self, q)\n--\n\nA copy of q with its quaternions brought to unit length."
        "\n\nq: shape (nq,), rad and m.");
  c.def("integrate", &integrated, py::arg("q"), py::arg("dv"),
        "integrate($self, q, dv)\n--\n\n"
        "q moved along the tangent vector dv for unit time: q exp(dv), joint by joint. The angle "
        "of a planar joint may leave [-pi, pi].\n\nq: shape (nq,), rad and m.\ndv: shape (nv,), "
        "rad and m, along the velocities.");
  c.def("difference", &difference, py::arg("q0"), py::arg("q1"),
        "difference($self, q0, q1)\n--\n\n"
        "The tangent vector dv for which integrate(q0, dv) has the poses of q1: the shortest one, "
        "so that the angle of a planar joint may come back full turns away from that of q1.");
}

/// "  elbow (revolute, q[3], v[3]) -> forearm", and what hangs on that link below it.
void add_branch(const Robot& robot, const std::string& link, int depth, std::string& text) {
  for (const JointDescription& joint : robot.description().joints) {
    if (joint.parent != link) continue;
    text += std::string(size_t(2 * depth), ' ') + joint.name + " (" + name(joint.geometry.kind);
    for (const JointInfo& info : robot.joints())
      if (info.name == joint.name && !info.mimic)
        text += ", q[" + std::to_string(info.q) +
                (info.nq > 1 ? ":" + std::to_string(info.q + info.nq) : "") + "]";
    if (joint.mimic) text += ", follows " + joint.mimic->leader;
    text += ") -> " + joint.child + "\n";
    add_branch(robot, joint.child, depth + 1, text);
  }
}

constexpr std::size_t most_shown = 500;  // joints: nobody reads more

/// The tree of links and joints, indented by depth.
std::string tree_text(const Robot& robot) {
  const RobotDescription& d = robot.description();
  std::string tree = robot.name() + ": nq=" + std::to_string(robot.nq()) +
                     ", nv=" + std::to_string(robot.nv()) + ", " + text(robot.mass(), 4) + " kg\n";
  if (d.joints.size() > most_shown) return tree + std::to_string(d.joints.size()) + " joints";
  for (const LinkDescription& link : d.links)
    if (std::none_of(d.joints.begin(), d.joints.end(),
                     [&](const JointDescription& joint) { return joint.child == link.name; })) {
      tree += link.name + "\n";
      add_branch(robot, link.name, 1, tree);
    }
  add_branch(robot, "", 0, tree);
  for (const LoopDescription& loop : d.loops)
    tree += "loop " + loop.name + " (" + name(loop.kind) + "): " + loop.link_1 + ", " +
            loop.link_2 + "\n";
  tree.pop_back();
  return tree;
}

void add_text(py::class_<Robot>& c) {
  const auto to_json = [](const Robot& r) { return write_json(r.description()); };
  const auto from_json = [](const std::string& text) {
    return Robot(read_json(text, "unpickling").robot);
  };
  c.def(
      "check", &Robot::check,
      "check()\n--\n\n"
      "Physical consistency: a list of Finding about inertias that no rigid body has, or an empty "
      "one.");
  c.def("to_json", to_json,
        "to_json($self)\n--\n\nThe robot as text; jounce.loads gives it back to the last bit.");
  c.def(
      "to_urdf", [](const Robot& r, bool lossy) { return write_urdf(r.description(), lossy); },
      py::arg("lossy") = false,
      "to_urdf($self, lossy=False)\n--\n\n"
      "The robot as URDF. What URDF cannot say is an InputError that names it; lossy leaves it "
      "out and fixes joints that URDF does not have.");
  c.def("__repr__", [](const Robot& r) {
    return "Robot(\"" + r.name() + "\", nq=" + std::to_string(r.nq()) +
           ", nv=" + std::to_string(r.nv()) + ")";
  });
  c.def("__str__", &tree_text);
  c.def("__copy__", [](const Robot& r) { return r; });
  c.def(
      "__deepcopy__", [](const Robot& r, const py::dict&) { return r; }, py::arg("memo"));
  c.def(py::pickle(to_json, from_json));
}

}  // namespace

void check_frame_type(py::handle frame, const char* function) {
  if (py::isinstance<py::str>(frame)) return;
  if (PyIndex_Check(frame.ptr()) != 0 && !py::isinstance<py::bool_>(frame)) return;
  throw py::type_error(subject({function, "frame"}) + " is of type " + type_name(frame) +
                       ", needs a name or a number");
}

FrameId checked_frame(const Robot& robot, py::handle frame, const char* function) {
  check_frame_type(frame, function);
  if (py::isinstance<py::str>(frame)) return robot.frame(frame.cast<std::string>());
  const py::ssize_t number = PyNumber_AsSsize_t(frame.ptr(), nullptr);  // clipped when too large
  const auto count = py::ssize_t(robot.frames().size());
  if (number < 0 || number >= count)
    throw InputError(subject({function, "frame"}) + " is " + std::to_string(number) + ", robot \"" +
                     robot.name() + "\" has 0 to " + std::to_string(count - 1));
  return FrameId(static_cast<int>(number));
}

std::string frame_name(const Robot& robot, py::handle frame, const char* function) {
  if (py::isinstance<py::str>(frame)) return frame.cast<std::string>();
  return robot.frame_info(checked_frame(robot, frame, function)).name;
}

void bind_robot(py::module_& m) {
  bind_joint(m);
  bind_loop(m);
  bind_bushing(m);
  bind_limits(m);
  bind_passive(m);
  py::class_<Robot> c(m, "Robot",
                      "A checked robot that does not change; jounce.load makes one.\n\n"
                      "Copies share their data, and threads may share a Robot: give every thread "
                      "its own Dynamics or InverseKinematics. It pickles as its JSON text.");
  add_names(c);
  add_manifold(c);
  add_text(c);
}

}  // namespace jounce::python
