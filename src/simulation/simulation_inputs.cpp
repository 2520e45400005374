// SPDX-License-Identifier: BSD-3-Clause
// The door of what acts on a robot from time and state.
#include "simulation/simulation_impl.hpp"

namespace jounce {

void Simulation::controller(Feedback law, FeedbackOptions options) {
  impl_->f.inputs.add_controller(law, options);
  impl_->set_up.emplace_back([law = std::move(law), options = std::move(options)](Simulation& own) {
    own.controller(law, options);
  });
}
void Simulation::wrench(std::string_view frame, Feedback law, Representation in,
                        FeedbackOptions options) {
  impl_->f.inputs.add_wrench(robot().frame(frame), law, in, options);
  impl_->set_up.emplace_back(
      [frame = std::string(frame), law = std::move(law), in,
       options = std::move(options)](Simulation& own) { own.wrench(frame, law, in, options); });
}
void Simulation::propellers(std::string_view link, const Propellers& propellers, Feedback speeds,
                            FeedbackOptions options) {
  impl_->f.inputs.add_propellers(robot().frame(link), propellers, speeds, options);
  impl_->set_up.emplace_back([link = std::string(link), propellers, speeds = std::move(speeds),
                              options = std::move(options)](Simulation& own) {
    own.propellers(link, propellers, speeds, options);
  });
}
void Simulation::gravity(std::function<Vec3<double>(double t)> law) {
  impl_->f.gravity_law = law;
  impl_->set_up.emplace_back([law = std::move(law)](Simulation& own) { own.gravity(law); });
}
void Simulation::ground_point(std::string_view frame, const CompliantGround& ground) {
  Impl& d = *impl_;
  const FrameId id = robot().frame(frame);
  d.f.inputs.add_ground_point(id, ground);
  const Plane plane = d.f.inputs.ground_points().back().ground.plane;
  d.events.add({.name = "touches",
                .g = [=](const Moment& m) { return dot(plane.normal, m.pose(id).p - plane.point); },
                .silent = true});  // the law has a corner there
  d.set_up.emplace_back(
      [frame = std::string(frame), ground](Simulation& own) { own.ground_point(frame, ground); });
}

}  // namespace jounce
