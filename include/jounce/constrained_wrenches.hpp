// SPDX-License-Identifier: BSD-3-Clause
// What loops and contacts do to the open tree, and what its joints transmit under them.
//
//   jounce::ConstrainedDynamics dyn(robot);
//   const jounce::ConstrainedForward f = dyn.forward(q, v, tau);
//   jounce::ConstrainedWrenches wrenches(robot);
//   wrenches.joint_wrenches(q, v, f.a, f.lambda);     // of every joint of the tree
//   dyn.loop_wrenches(q, f.lambda);                   // of every joint that was cut
// Seen from the tree, the forces of loops and contacts are wrenches from outside: N lambda on the
// second link, the opposite on the first. Gears and functions of joints act within their joints, as
// motors do, and are no wrenches. Where rows depend on one another these wrenches are not
// unique, and neither are those of the joints around the loop; lambda of the doors is the shortest.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>

namespace jounce {

class ConstrainedWrenches {
 public:
  explicit ConstrainedWrenches(const Robot& robot)
      : loops_(robot), tree_(robot), kinematics_(robot) {}

  const Robot& robot() const { return loops_.robot(); }

  /// The forces lambda of loops and contacts as wrenches on links: those of `around` first.
  std::vector<OutsideWrench<double>> outside(const VectorArg& q, std::span<const double> lambda,
                                             const Surroundings& around = {},
                                             std::span<const Contact> contacts = {}) {
    std::vector<OutsideWrench<double>> found(around.wrenches.begin(), around.wrenches.end());
    const std::vector<Wrench<double>> F = loops_.loop_wrenches(q, lambda, contacts);
    kinematics_.at(q);
    const auto loops = robot().loops();
    for (size_t k = 0; k < loops.size(); ++k) add(loops[k], F[k], found);
    for (size_t k = 0; k < contacts.size(); ++k)
      found.push_back({contacts[k].frame, F[loops.size() + k], Representation::body});
    return found;
  }

  /// As Dynamics::joint_wrenches, with the loops closed.
  JointWrenches joint_wrenches(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                               std::span<const double> lambda,
                               Representation in = Representation::body,
                               const Surroundings& around = {},
                               std::span<const Contact> contacts = {}) {
    const std::vector<OutsideWrench<double>> all = outside(q, lambda, around, contacts);
    Surroundings with_loops = around;
    with_loops.wrenches = all;
    return tree_.joint_wrenches(q, v, a, in, with_loops);
  }

 private:
  SE3<double> pose(const std::string& link, const SE3<double>& placement) const {
    return link.empty() ? placement : kinematics_.pose(robot().frame(link)) * placement;
  }
  /// F at frame 2 of the loop, in its axes.
  void add(const LoopDescription& loop, const Wrench<double>& F,
           std::vector<OutsideWrench<double>>& to) const {
    const auto on = [&](const std::string& link, const SE3<double>& at, const Wrench<double>& W) {
      if (!link.empty())
        to.push_back({robot().frame(link), dual_Ad_inv(at, W), Representation::body});
    };
    const SE3<double> E =
        inverse_times(pose(loop.link_1, loop.placement_1), pose(loop.link_2, loop.placement_2));
    on(loop.link_2, loop.placement_2, F);
    on(loop.link_1, loop.placement_1, dual_Ad_inv(E, F * -1.0));
  }

  ConstrainedDynamics loops_;
  Dynamics tree_;
  Kinematics kinematics_;
};

}  // namespace jounce
