// SPDX-License-Identifier: BSD-3-Clause
// What the keys and options of the quantities are.
#include <sstream>

#include "apps/jounce/compute/table.hpp"

namespace jounce::app {
namespace {

constexpr std::pair<const char*, const char*> all_keys[] = {
    {"q", "coordinates, nq numbers"},
    {"v", "velocities, nv numbers"},
    {"a", "accelerations, nv numbers"},
    {"tau", "joint forces, nv numbers"},
    {"f_ext",
     "wrenches from outside: {\"link\": [mx, my, mz, fx, fy, fz]}, in the link's frame, or "
     "{\"link\": {\"force\": [x, y, z], \"point\": [x, y, z], \"in\": \"body\"}}; in space: "
     "ground "
     "frame, hybrid: ground axes from the link's origin"},
    {"ground", "how the ground moves: {\"velocity\": twist, \"acceleration\": twist}, body twists"},
    {"twist", "six numbers, angular first, null where the component is free"},
    {"tau_ext", "forces from outside at the joints: nv numbers, or one list per derivative"},
    {"prescribed", "joints whose motion is given: [\"joint\"], or \"joint:k\" for coordinate k"},
    {"motion", "[[v], [a], [jerk], ...]: one list of nv numbers per derivative"},
    {"taus", "[[tau], [tau'], ...]: one list of nv numbers per derivative"},
    {"order", "highest time derivative of tau; without it what the lists reach"},
    {"frame", "link or frame, where --frame does not name it"},
    {"position", "[x, y, z] in the world"},
    {"quaternion", "[x, y, z, w] in the world, of length 1"},
    {"--frame", "link or frame"},
    {"--kind", "body (default), space or hybrid (world axes, origin at the frame)"},
    {"kept", "joints that stay where they are: [\"joint\"], or \"joint:k\" for coordinate k"},
    {"driven", "joints that drive the others: [\"joint\"], or \"joint:k\"; without it the motors"},
    {"loop", "the loop whose ends meet there; without it the first"},
    {"points", "configurations to pass through, a list of nq numbers each"},
    {"times", "when, s: as many as points, each after the one before"},
    {"at", "times of the answers, s"},
    {"minimise", "the derivative whose square is least over time: 2, 3 (jerk), 4 (snap, default)"},
    {"parameters",
     "numbers of the robot, [\"kind:name:component\"]: inertia of a link, payload and wrench of "
     "a "
     "frame, placement, axis, pitch, armature, stiffness, rest, damping, friction and drag of a "
     "joint, bushing_stiffness, bushing_damping, bushing_placement_1 and bushing_placement_2; "
     "\"gravity:component\""},
    {"contacts", "frames that the ground holds: {\"frame\": \"fixed\"}, or point, revolute, ..."},
    {"--frames",
     "body (default); spatial: V_1, V_1', ... of a free base are right-invariant twists and its "
     "forces spatial wrenches; hybrid: both in ground axes at its origin"},
    {"--factorization", "plain, ploen, lie or christoffel (default)"},
    {"--optimum", "force (default: the least lambda) or torque (the least motor forces)"}};

const char* about_key(const std::string& name) {
  for (const auto& [key, about] : all_keys)
    if (name == key) return about;
  return "";
}

}  // namespace

std::vector<Key> keys_of(const std::string& text) {
  std::vector<Key> keys;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool needed = word.front() != '[';
    const std::string name = needed ? word : word.substr(1, word.find_first_of("=]") - 1);
    const bool zero = word.ends_with("=0]");
    keys.push_back({name, about_key(name) + std::string(zero ? "; zero without it" : ""), needed});
  }
  return keys;
}

}  // namespace jounce::app
