// SPDX-License-Identifier: BSD-3-Clause
// What the operations on robots share: finding things by name, the tree, and where links are.
#pragma once

#include <jounce/model/operations.hpp>
#include <unordered_map>

#include "model/robot_data.hpp"

namespace jounce::detail {

/// joint "elbow".
std::string quoted(std::string_view what, std::string_view name);

/// The place of a name among items; throws with the nearest names.
template <class Items>
size_t find_named(std::string_view caller, const Robot& robot, const char* what,
                  std::string_view wanted, const Items& items) {
  for (size_t k = 0; k < items.size(); ++k)
    if (items[k].name == wanted) return k;
  const std::string nearest = nearest_names(wanted, names_of(items));
  throw InputError(std::string(caller) + ": " + quoted("robot", robot.name()) + " has no " +
                   quoted(what, wanted) + (nearest.empty() ? "" : "; nearest: " + nearest));
}

size_t find_link(std::string_view caller, const Robot& robot, std::string_view name);

/// Refuses NaN and infinity before they spread into a product.
void check_placement(std::string_view caller, const SE3<double>& T);

/// A place on a link.
struct Mount {
  std::string link;
  SE3<double> placement;
};
Mount find_mount(std::string_view caller, const Robot& robot, std::string_view link_or_frame);

/// Which joint carries which link.
struct Tree {
  explicit Tree(const RobotDescription& robot);

  std::unordered_map<std::string, size_t> link;  ///< by name
  std::vector<int> above;                        ///< [links] the joint that carries it, -1 for none
  size_t root = 0;                               ///< the link on no other link
  int base() const { return above[root]; }       ///< its joint to the world, -1 for none

  /// The joints from a link up to the root, without the base joint.
  std::vector<size_t> path_up(const RobotDescription& robot, size_t from) const;
};

/// The pose of a link in the world and its body twist.
struct LinkMotion {
  SE3<double> pose;
  Twist<double> twist;
};
LinkMotion link_motion(const Robot& robot, FrameId link, const double* q, const double* v);

}  // namespace jounce::detail
