// SPDX-License-Identifier: BSD-3-Clause
// Linkages against MuJoCo's equality constraints: the accelerations that forces give at rest.
//
// MuJoCo's constraints are soft, by R = (1 - d) / d of the inertia that they feel, d at most
// 0.9999, and their acceleration leaves Adot v out. So linkages are at rest, and of two values of R
// the answer at R = 0 follows, to about R^2.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/io.hpp>
#include <memory>
#include <sstream>

#include "oracles/agreement.hpp"

namespace jounce::test {
namespace {

struct Delete {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using OwnedModel = std::unique_ptr<mjModel, Delete>;
using OwnedData = std::unique_ptr<mjData, Delete>;

std::string text(const Vec3<double>& a) {
  std::ostringstream out;
  out.precision(17);
  out << a.x << ' ' << a.y << ' ' << a.z;
  return out.str();
}

/// A link behind a hinge with all that it carries, as MJCF.
void write_body(const RobotDescription& robot, const JointDescription& joint, std::ostream& out) {
  const Quaternion<double> turn = to_quaternion(joint.geometry.placement.R);
  out << "<body name='" << joint.child << "' pos='" << text(joint.geometry.placement.p)
      << "' quat='" << turn.w << ' ' << turn.x << ' ' << turn.y << ' ' << turn.z << "'>"
      << "<joint name='" << joint.name << "' type='hinge' axis='" << text(joint.geometry.axes[0])
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

OwnedModel compiled(const RobotDescription& robot) {
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
  std::string path = std::filesystem::temp_directory_path() / "jounce_loopsXXXXXX.xml";
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

/// Accelerations at rest with the impedance d.
Eigen::VectorXd soft(mjModel& model, const Robot& robot, const Eigen::VectorXd& q,
                     const Eigen::VectorXd& tau, double d) {
  for (int k = 0; k < model.neq; ++k)
    model.eq_solimp[mjNIMP * k] = model.eq_solimp[mjNIMP * k + 1] = d;
  const OwnedData data(mj_makeData(&model));
  const auto place = [&](const JointInfo& joint) {
    return mj_name2id(&model, mjOBJ_JOINT, joint.name.c_str());
  };
  for (const JointInfo& joint : robot.joints()) {
    data->qpos[place(joint)] = q[joint.q];
    data->qfrc_applied[place(joint)] = tau[joint.v];
  }
  mj_forward(&model, data.get());
  Eigen::VectorXd a(robot.nv());
  for (const JointInfo& joint : robot.joints()) a[joint.v] = data->qacc[place(joint)];
  return a;
}

TEST(MujocoLoops, ForwardDynamicsAtRest) {
  Agreement agreement{"MuJoCo", 1e-8};
  for (const char* name : {"four_bar", "five_bar"}) {
    const RobotDescription description = read_robot(std::string("builtin:") + name).robot;
    const Robot robot(description);
    ConstrainedDynamics dyn(robot);
    const OwnedModel model = compiled(description);
    ASSERT_NE(model, nullptr);
    for (int k = 0; k < 5; ++k) {
      Eigen::VectorXd guess = Eigen::VectorXd::Map(robot.closed().data(), robot.nq());
      guess[0] += 0.1 * k;
      const Eigen::VectorXd q = dyn.assemble(guess).q, still = Eigen::VectorXd::Zero(robot.nv());
      const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(robot.nv(), 0.3, -0.2);
      const ConstrainedForward ours = dyn.forward(q, still, tau, {.passive = false});
      const double near = 0.9999, far = 0.9998;
      const double R_near = (1 - near) / near, R_far = (1 - far) / far;
      const Eigen::VectorXd a_near = soft(*model, robot, q, tau, near);
      const Eigen::VectorXd a_far = soft(*model, robot, q, tau, far);
      agreement.at(std::string(name) + ", state " + std::to_string(k));
      agreement.compare("constrained forward", ours.a,
                        a_near + (a_near - a_far) * (R_near / (R_far - R_near)));
    }
  }
}

}  // namespace
}  // namespace jounce::test
