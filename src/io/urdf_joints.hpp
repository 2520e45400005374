// SPDX-License-Identifier: BSD-3-Clause
// The <joint> elements of URDF, those of Drake and Bullet among them, and <transmission>.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "io/names.hpp"
#include "io/xml_reader.hpp"

namespace jounce::io {

class UrdfJoints {
 public:
  UrdfJoints(XmlReader& xml, const ReadOptions& options, RobotDescription& robot, NameTable& links);

  static bool is_joint(pugi::xml_node node);
  void read(pugi::xml_node node);
  /// Rotor inertias; after all joints.
  void read_transmission(pugi::xml_node node);
  /// What mimic joints follow; after all joints.
  void check_leaders();
  NameTable& names() { return names_; }
  bool complete() const { return complete_; }  ///< whether every joint was read

 private:
  void read_parts(pugi::xml_node node, JointDescription& joint, const std::string& who);
  void read_moving(pugi::xml_node node, JointDescription& joint, const std::string& who);
  void read_type(pugi::xml_node node, JointDescription& joint, const std::string& who);
  std::string end_link(pugi::xml_node joint, const char* end, const std::string& who);
  void imply_world(pugi::xml_node node);
  void read_axis(pugi::xml_node joint, JointDescription& result, const std::string& who);
  void read_pitch(pugi::xml_node joint, JointDescription& result, const std::string& who);
  void read_limit(pugi::xml_node joint, JointDescription& result, const std::string& who);
  void read_dynamics(pugi::xml_node joint, JointDescription& result, const std::string& who);
  void read_mimic(pugi::xml_node joint, JointDescription& result, const std::string& who);
  void leave_children(pugi::xml_node joint, const char* name, const std::string& who);

  struct Leader {
    std::string name, who;
    std::size_t offset, follower;  ///< place of <mimic> in the text, and of its joint in the robot
  };

  XmlReader& xml_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  RobotDescription& robot_;
  NameTable& links_;
  NameTable names_;
  std::vector<Leader> leaders_;
  std::unordered_map<std::string, std::size_t> joint_at_;  ///< in the robot, by name
  bool complete_ = true;
};

}  // namespace jounce::io
