// SPDX-License-Identifier: BSD-3-Clause
// The door of what acts on a robot from time and state.
#include "simulation/simulation_impl.hpp"

namespace jounce {

void Simulation::controller(Feedback law, FeedbackOptions options) {
  impl_->f.inputs.add_controller(std::move(law), std::move(options));
}
void Simulation::wrench(std::string_view frame, Feedback law, Representation in,
                        FeedbackOptions options) {
  impl_->f.inputs.add_wrench(robot().frame(frame), std::move(law), in, std::move(options));
}
void Simulation::propellers(std::string_view link, const Propellers& propellers, Feedback speeds,
                            FeedbackOptions options) {
  impl_->f.inputs.add_propellers(robot().frame(link), propellers, std::move(speeds),
                                 std::move(options));
}
void Simulation::gravity(std::function<Vec3<double>(double t)> law) {
  impl_->f.gravity_law = std::move(law);
}
void Simulation::ground_point(std::string_view frame, const CompliantGround& ground) {
  Impl& d = *impl_;
  const FrameId id = robot().frame(frame);
  d.f.inputs.add_ground_point(id, ground);
  const Plane plane = d.f.inputs.ground_points().back().ground.plane;
  d.events.add({.name = "touches",
                .g = [=](const Moment& m) { return dot(plane.normal, m.pose(id).p - plane.point); },
                .silent = true});  // the law has a corner there
}

}  // namespace jounce
