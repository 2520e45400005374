// SPDX-License-Identifier: BSD-3-Clause
// Linkages against MuJoCo's equality constraints: the accelerations that forces give at rest.
//
// MuJoCo's constraints are soft, by R = (1 - d) / d of the inertia that they feel, d at most
// 0.9999, and their acceleration leaves Adot v out. So linkages are at rest, and of two values of R
// the answer at R = 0 follows, to about R^2.
#include <gtest/gtest.h>

#include <jounce/constrained_dynamics.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/io.hpp>

#include "oracles/agreement.hpp"
#include "oracles/mujoco_model.hpp"

namespace jounce::test {
namespace {

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
