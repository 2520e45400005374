// SPDX-License-Identifier: BSD-3-Clause
// A robot of hinges as MuJoCo compiles it.
#pragma once

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <jounce/model/robot.hpp>
#include <memory>
#include <sstream>

namespace jounce::test {

struct Delete {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using OwnedModel = std::unique_ptr<mjModel, Delete>;
using OwnedData = std::unique_ptr<mjData, Delete>;

inline std::string text(const Vec3<double>& a) {
  std::ostringstream out;
  out.precision(17);
  out << a.x << ' ' << a.y << ' ' << a.z;
  return out.str();
}

/// A link behind a hinge, or fixed, with all that it carries, as MJCF.
inline void write_body(const RobotDescription& robot, const JointDescription& joint,
                       std::ostream& out) {
  const Quaternion<double> turn = to_quaternion(joint.geometry.placement.R);
  out << "<body name='" << joint.child << "' pos='" << text(joint.geometry.placement.p)
      << "' quat='" << turn.w << ' ' << turn.x << ' ' << turn.y << ' ' << turn.z << "'>";
  if (joint.geometry.kind != JointKind::fixed)
    out << "<joint name='" << joint.name << "' type='hinge' axis='" << text(joint.geometry.axes[0])
        << "'/>";
  for (const LinkDescription& link : robot.links)
    if (link.name == joint.child) {
      const Sym3<double>& I = link.I_com;
      out << "<inertial pos='" << text(link.com) << "' mass='" << link.mass << "' fullinertia='"
          << I.xx << ' ' << I.yy << ' ' << I.zz << ' ' << I.xy << ' ' << I.xz << ' ' << I.yz
          << "'/>";
    }
  for (const JointDescription& other : robot.joints)
    if (other.parent == joint.child) write_body(robot, other, out);
  out << "</body>";
}

inline OwnedModel compiled(const RobotDescription& robot) {
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><compiler angle='radian' balanceinertia='false'/><worldbody>";
  for (const JointDescription& joint : robot.joints)
    if (joint.parent == robot.links[0].name) write_body(robot, joint, out);
  out << "</worldbody><equality>";
  for (const LoopDescription& loop : robot.loops)
    out << "<connect body1='" << loop.link_1 << "' body2='" << loop.link_2 << "' anchor='"
        << text(loop.placement_1.p) << "'/>";
  out << "</equality></mujoco>";
  std::string path = std::filesystem::temp_directory_path() / "jounce_mujocoXXXXXX.xml";
  std::FILE* file = fdopen(mkstemps(path.data(), 4), "w");
  const std::string all = out.str();
  std::fwrite(all.data(), 1, all.size(), file);
  std::fclose(file);
  char error[1000] = "";
  OwnedModel model(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  unlink(path.c_str());
  EXPECT_NE(model, nullptr) << error;
  for (size_t k = 0; k < robot.loops.size(); ++k) {  // the file's configuration is not closed
    const Vec3<double>& p = robot.loops[k].placement_2.p;
    mjtNum* anchor = model->eq_data + mjNEQDATA * k + 3;
    anchor[0] = p.x, anchor[1] = p.y, anchor[2] = p.z;
  }
  model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_LIMIT;
  model->opt.solver = mjSOL_NEWTON;
  model->opt.tolerance = 1e-15;
  mju_copy3(model->opt.gravity,
            std::array{robot.gravity.x, robot.gravity.y, robot.gravity.z}.data());
  return model;
}

}  // namespace jounce::test
