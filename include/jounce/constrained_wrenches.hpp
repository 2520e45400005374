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
#include <jounce/door/clone.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>

namespace jounce {

class ConstrainedWrenches {
 public:
  explicit ConstrainedWrenches(const Robot& robot)
      : loops_(robot), tree_(robot), kinematics_(robot) {}

  const Robot& robot() const { return loops_.robot(); }
  /// Another one that takes as many rows: what clone(door) gives.
  ConstrainedWrenches another() const {
    ConstrainedWrenches own(robot());
    own.loops_ = loops_.another();
    return own;
  }

  /// The forces lambda of loops and contacts as wrenches on links: those of `around` first. They
  /// stand until the next call.
  std::span<const OutsideWrench<double>> outside(const VectorArg& q, std::span<const double> lambda,
                                                 const Surroundings& around = {},
                                                 std::span<const Contact> contacts = {}) {
    const auto loops = robot().loops();
    at_frames_.resize(loops.size() + contacts.size());
    loops_.loop_wrenches(q, lambda, contacts, std::span(at_frames_));
    kinematics_.at(q);
    all_.assign(around.wrenches.begin(), around.wrenches.end());
    for (size_t k = 0; k < loops.size(); ++k) add(loops[k], at_frames_[k], all_);
    for (size_t k = 0; k < contacts.size(); ++k)
      all_.push_back({contacts[k].frame, at_frames_[loops.size() + k], Representation::body});
    return all_;
  }

  /// As Dynamics::joint_wrenches, with the loops closed.
  JointWrenches joint_wrenches(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                               std::span<const double> lambda,
                               Representation in = Representation::body,
                               const Surroundings& around = {},
                               std::span<const Contact> contacts = {}) {
    return tree_.joint_wrenches(q, v, a, in, with_loops(q, lambda, around, contacts));
  }
  Wrench<double> joint_wrenches(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                std::span<const double> lambda, Representation in,
                                const Surroundings& around, std::span<const Contact> contacts,
                                const Into<Wrench<double>>& joints) {
    return tree_.joint_wrenches(q, v, a, in, with_loops(q, lambda, around, contacts), joints);
  }

 private:
  Surroundings with_loops(const VectorArg& q, std::span<const double> lambda,
                          const Surroundings& around, std::span<const Contact> contacts) {
    robot().check_q("joint_wrenches", "q", q);
    Surroundings all = around;
    all.wrenches = outside(q, lambda, around, contacts);
    return all;
  }
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
  std::vector<Wrench<double>> at_frames_;  ///< of the last call
  std::vector<OutsideWrench<double>> all_;
};

template <>
inline constexpr bool is_clonable<ConstrainedWrenches> = true;

}  // namespace jounce
